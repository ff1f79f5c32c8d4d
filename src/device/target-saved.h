/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of devices in a saved tree, which has no /dev: by udev's data and the table of mounts. */
#pragma once

#include "base/arena.h"

/*
 * The folder below SYSROOT/sys of NAME: a path in /dev that udev gave it, or a mount point (or what
 * lies below one) in SYSROOT/proc/self/mountinfo. 0, -ENOENT, -ENOMEM.
 */
int saved_find(struct arena *a, const char *sysroot, const char *name,
	       const char **ret) must_check;
