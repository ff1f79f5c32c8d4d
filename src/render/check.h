/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a check says, for people, programs and monitoring. All append; 0 or -ENOMEM. */
#pragma once

#include "base/buf.h"
#include "base/diag.h"
#include "model/check.h"
#include "render/render.h"

/* Nothing when nothing changed. */
int render_check_text(const struct check_report *r, const struct render_options *o,
		      struct buf *ret) must_check;
int render_check_json(const struct check_report *r, const struct diag *d,
		      struct buf *ret) must_check;
/* One line with performance data, as the Monitoring Plugins Development Guidelines have it. */
int render_check_nagios(const struct check_report *r, struct buf *ret) must_check;
/*
 * Prometheus' text format, for node_exporter's textfile collector. COMPAT: NULL, or the tool whose
 * names and labels are written beside ours.
 */
int render_check_prometheus(const struct check_report *r, const char *compat,
			    struct buf *ret) must_check;
