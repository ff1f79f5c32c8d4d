/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs in fio's words as items of a capture, drivewhy-capture(5). */
#pragma once

#include "capture/capture.h"
#include "probe/fio-run.h"

/*
 * Add what was read from target T, and its disk, to a snapshot. 0, -ENOMEM, or -E2BIG.
 */
int fio_items_add(const struct fio_runs *r, const struct target *t, struct capture *c,
		  struct cap_snapshot *s) must_check;
