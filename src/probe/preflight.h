/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is going on before a probe begins: whether others use the drive and who, what lies between
 * the target and the drive, whether it must not be disturbed now.
 */
#pragma once

#include "base/arena.h"
#include "probe/engine.h"

#define PREFLIGHT_LAYERS 16u
#define PREFLIGHT_USERS	 5u

struct preflight_user {
	const char *name; /* of the program, hostile */
	uint64_t pid, read_bytes, written_bytes;
};

struct preflight {
	bool done;    /* false: it was left out */
	bool watched; /* the counts below are there */
	uint64_t watch_ns;
	struct disk_counts load; /* in that time */
	/* processes that did I/O in that time, on any drive; those that we may see */
	struct preflight_user users[PREFLIGHT_USERS];
	size_t n_users;
	bool all_seen; /* we may see everybody's */
	const char
		*layers[PREFLIGHT_LAYERS]; /* "dm-0 (crypt)", from the target downwards */
	size_t n_layers;
	const char *resync; /* "md0: resync", or NULL */
	bool suspended;	    /* runtime power management: reading would wake it */
};

/*
 * ROOT: "" or a saved tree with /sys and /proc below it. WATCH_NS: how long to look; STOP ends it.
 * Strings stand in A. Whatever cannot be found out is absent. 0 or -ENOMEM.
 */
int preflight_look(struct target *t, struct arena *a, const char *root, uint64_t watch_ns,
		   const volatile sig_atomic_t *stop, struct preflight *ret) must_check;

/* Below a disk's folder of /sys: an md device above it that is not idle, "md0: resync"; or NULL. */
const char *preflight_resync(struct arena *a, const char *syspath);
