/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A probe as items of a capture, drivewhy-capture(5): what was counted, not what it means. The
 * other side is decode/probe.c.
 */
#pragma once

#include "base/buf.h"
#include "capture/capture.h"
#include "probe/plan.h"

/*
 * Add all of P to a snapshot: probe/preflight, or why nothing was run, and an item for each phase.
 * 0, -ENOMEM or -E2BIG.
 */
int items_add(const struct plan *p, struct capture *c, struct cap_snapshot *s) must_check;

/* ---- lines that any run has ---- */

void items_put_figures(struct buf *b, const struct job_result *r);
void items_put_errors(struct buf *b, const struct job_result *r);
void items_put_disk(struct buf *b, const char *name, const struct disk_counts *d);
