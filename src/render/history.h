/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A drive over time: what a person sees at a glance, and tables for programs. 0 or -ENOMEM. */
#pragma once

#include "base/buf.h"
#include "model/check.h"
#include "model/series.h"
#include "render/render.h"

/* A graph has so many marks. */
#define HISTORY_SPARKS 24u

struct past_view {
	const char *head; /* "sda: TESTDISK ..." */
	const char *model, *serial, *wwn, *firmware, *port, *device;
	int64_t from, to; /* seconds since 1970 */
	int64_t first, last;
	const struct series *series;
	size_t n;
	const struct change *changes;
	size_t n_changes;
	const struct check_finding *findings;
	size_t n_findings;
};

int render_history_text(const struct past_view *v, const struct render_options *o,
			struct buf *ret) must_check;
int render_history_json(const struct past_view *v, struct buf *ret) must_check;
/* time,name,value: a row where something changed. */
int render_history_csv(const struct past_view *v, struct buf *ret) must_check;
