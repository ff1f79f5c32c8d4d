/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of drives: what the kernel knows of each without asking the drive. */
#pragma once

#include "base/buf.h"
#include "model/case.h"
#include "render/render.h"

/* One line a drive, as libsmartcols lays it out. 0 or -ENOMEM. */
int render_list_text(const struct case_file *c, unsigned columns,
		     struct buf *ret) must_check;
/* {"drives":[...]} with null where a value is absent. 0 or -ENOMEM. */
int render_list_json(const struct case_file *c, struct buf *ret) must_check;
/* Below the table: serial numbers, names, partitions, holders. 0 or -ENOMEM. */
int render_list_details(const struct case_file *c, const struct render_options *o,
			struct buf *ret) must_check;
