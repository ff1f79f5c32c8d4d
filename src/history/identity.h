/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which drive of the history a drive is. A World Wide Name decides when it is no placeholder and
 * no other drive of this host has it, else model, serial number and capacity together. Two drives
 * that cannot be told apart are kept apart by their port, for ever, and it is said; two histories
 * are never made one.
 */
#pragma once

#include "history/store.h"
#include "model/case.h"

struct who {
	const char *wwn, *model, *serial, *firmware, *port, *device, *boot;
	char digits[17]; /* of the WWN, "" when it has none that says something */
	bool has_capacity;
	uint64_t capacity;
	/* out */
	int64_t id;
	bool is_new, apart;
	bool clash; /* found in this run to be one of two that look alike */
};

/* Borrows from the drive. */
struct who who_of(const struct drive *d);
/* Find or add all drives of one run. Texts land in the arena. Errors stick to the history. */
void who_find(struct history *h, struct arena *a, struct who *drives, size_t n);

/* A drive of the history, as it was seen last. */
struct past_drive {
	int64_t id;
	const char *wwn, *model, *serial, *firmware, *port, *device, *boot;
	char digits[17]; /* of the WWN, or "" */
	bool has_capacity, apart;
	bool taken; /* by a drive of this run */
	uint64_t capacity;
	int64_t first, last;	       /* seconds since 1970 */
	int64_t last_run, checked_run; /* 0: never */
	int64_t checked;	       /* time of the last check */
	const char *told_port, *told_firmware;
	int state;    /* enum check_state */
	int severity; /* of the last check */
};

struct past_drives {
	struct past_drive *items;
	size_t n, cap;
};

/* All of them. Texts in the arena. 0 or -errno. */
int past_list(struct history *h, struct arena *a, struct past_drives *ret) must_check;
/* Those that NAME may mean: a device name, port, serial number, WWN or model. Indices. */
size_t past_match(const struct past_drives *l, const char *name, size_t *ret_first);
