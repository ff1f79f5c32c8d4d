/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Targets that are drives: which they are, and reading them side by side. */
#pragma once

#include <signal.h>

#include "device/collect.h"
#include "device/discover.h"
#include "device/node.h"

struct options;
struct session;

struct live_drive {
	const struct disk *disk;
	struct node node;
	struct transport *transport; /* NULL: it was not, or could not be, opened */
	size_t subject;		     /* in the session's capture */
	struct collect_stats stats;
};

struct live {
	struct disk_list disks;
	bool listed;
	struct live_drive *drives; /* in the list's arena */
	size_t n, cap;
	enum page_level level; /* of reading; set before it */
};

/* Add the drives below NAME, which is no file. 0 or an exit status, and a message. */
int live_add(struct session *s, const struct options *o, const char *name);
/* Add every drive that may answer ATA commands; others get a note. As live_add(). */
int live_add_all(struct session *s, const struct options *o);
/* Open all drives and wait for them. 0, or an exit status when one cannot be opened. */
int live_start(struct session *s, const struct options *o);
/*
 * Read all drives: each gets a snapshot of this role, opened the first time. Files of /sys stand in
 * it as well. 0 or an exit status.
 */
int live_read(struct session *s, const struct options *o, enum cap_role role);
/* Find out which drives there are, once. 0 or an exit status. */
int live_list(struct session *s, const struct options *o);
/* Ctrl-C is noted from here on; a second one ends the program. */
void live_catch_stop(void);
const volatile sig_atomic_t *live_stop_flag(void);
/* Whether the user pressed Ctrl-C since the first live_read(). */
bool live_is_stopped(void);
void live_done(struct live *l);
