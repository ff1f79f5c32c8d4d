/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A probe as items of a capture, drivewhy-capture(5): what was counted, not what it means. The
 * other side is decode/probe.c.
 */
#pragma once

#include "capture/capture.h"
#include "probe/plan.h"

/*
 * Add all of P to a snapshot: probe/preflight, or why nothing was run, and an item for each phase.
 * 0, -ENOMEM or -E2BIG.
 */
int items_add(const struct plan *p, struct capture *c, struct cap_snapshot *s) must_check;
