/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The read probe of one target, between two looks at its drive. */
#pragma once

#include "cmd/session.h"
#include "probe/target.h"

/*
 * Probe the drives of the session one after the other, each between the snapshot that stands in the
 * capture and one that is added. What cannot be probed is said. 0 or an exit status.
 */
int probing_drives(struct session *s, const struct options *o) must_check;

/*
 * Probe NAME, a block device or a file: looks at the drive below first, if one is known, and after.
 * 0 or an exit status.
 */
int probing_target(struct session *s, const struct options *o,
		   const char *name) must_check;

/*
 * A subject for the disk of T that takes no ATA commands (virtio, loop, zram, dm), or is sent none:
 * it is told by its files of /sys. 0 or -ENOMEM.
 */
int probing_add_target(struct session *s, const struct target *t,
		       size_t *ret_subject) must_check;
