/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the host tells of itself: how it was started, how often it slept, what waits for a disk. */
#pragma once

#include "capture/capture.h"

/*
 * Items "host/..." of the host's snapshot: options of the kernel's command line that concern disks,
 * suspends since boot, arrays at work, tasks in uninterruptible sleep with the function they wait
 * in. ROOT: NULL, or a saved tree. What may not be read is left out. 0, -ENOMEM or -E2BIG.
 */
int host_collect(struct capture *c, struct cap_snapshot *s, const char *root) must_check;
