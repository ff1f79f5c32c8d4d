/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The formats behind renderers[]. */
#pragma once

#include "render/render.h"

int text_write(const struct report *r, const struct diag *d,
	       const struct render_options *o, struct buf *ret);
int json_write(const struct report *r, const struct diag *d,
	       const struct render_options *o, struct buf *ret);
int fio_json_write(const struct report *r, const struct diag *d,
		   const struct render_options *o, struct buf *ret);
int fio_text_write(const struct report *r, const struct diag *d,
		   const struct render_options *o, struct buf *ret);
int markdown_write(const struct report *r, const struct diag *d,
		   const struct render_options *o, struct buf *ret);
int smartctl_json_write(const struct report *r, const struct diag *d,
			const struct render_options *o, struct buf *ret);
