/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a check of several drives says: what changed since the last one, and how each stands. */
#pragma once

#include "model/report.h"

/* How a drive was met. These and the kinds below stand in files: add, never renumber. */
enum check_state {
	CHECK_READ = 0,
	CHECK_ASLEEP = 1,     /* left asleep: neither an error nor news */
	CHECK_UNREADABLE = 2, /* could not be looked at: not the same as fine */
	CHECK_GONE = 3,	      /* was there, is not any more */
};

enum change_kind {
	CHANGE_NEW = 0, /* a drive that the history does not know */
	CHANGE_GONE = 1,
	CHANGE_BACK = 2,  /* one that was gone */
	CHANGE_MOVED = 3, /* to another port */
	CHANGE_FIRMWARE = 4,
	CHANGE_RISE = 5,   /* a count that should stand still */
	CHANGE_FOUND = 6,  /* a finding that was not there */
	CHANGE_WORSE = 7,  /* one that is worse now */
	CHANGE_HEALED = 8, /* one that is no more */
	CHANGE_SLOWER = 9, /* the link */
	CHANGE_FASTER = 10,
	CHANGE_UNREADABLE = 11, /* a drive that could be read before */
	CHANGE_READABLE = 12,
	CHANGE_APART = 13, /* drives that cannot be told apart */
	CHANGE_GREW = 14,  /* an accepted state grew */
	CHANGE_REMIND = 15,
	CHANGE_WELL = 16,  /* all is well: said on request */
	CHANGE_LOG = 17,   /* the kernel log could not be read, or can be again */
	CHANGE_CLOCK = 18, /* the clock was set back */
	CHANGE_HOT = 19,
	CHANGE_KINDS
};

struct change {
	enum change_kind kind;
	enum severity severity;
	bool has_code;
	enum code code;
	int64_t at;	  /* of the run that saw it; seconds since 1970 */
	const char *head; /* the drive in words, or NULL */
	const char *text;
	size_t drive; /* index, or SIZE_MAX: the host, or a run before this one */
};

struct change_list {
	struct change *items;
	size_t n, cap;
};

/* A finding of now, and of last time when the drive sleeps. */
struct check_finding {
	enum code code;
	enum severity severity;
	enum confidence confidence;
	const char *headline;
	bool acknowledged; /* accepted until it grows, or ignored by configuration */
	int64_t since;	   /* run that saw it first; seconds since 1970, 0 unknown */
};

/* A count that never falls, whatever the drive's own does. */
struct check_total {
	struct fact_key key;
	uint64_t total;
	bool least; /* the drive's own stands at its end: at least this many */
};

struct check_drive {
	enum check_state state;
	const struct drive_report *report; /* NULL when it was not read */
	const char *model, *serial, *wwn, *firmware, *port, *device, *head;
	struct check_finding *findings;
	size_t n_findings, cap_findings;
	struct check_total *totals;
	size_t n_totals, cap_totals;
	enum severity severity; /* the worst that counts: not what was accepted */
	int64_t last_read;	/* seconds since 1970, 0: never */
};

/* Whether the kernel's log was part of it. */
enum check_log { CHECK_LOG_UNKNOWN, CHECK_LOG_READ, CHECK_LOG_MISSING };

struct check_report {
	struct arena arena;
	int64_t at; /* seconds since 1970 */
	enum check_log kernel_log;
	bool stored; /* what was seen will be known next time */
	struct change_list changes;
	struct check_drive *drives;
	size_t n_drives, cap_drives;
};

const char *change_name(enum change_kind kind); /* "rise": stable, for JSON and hooks */
/* Stable message id for the journal: 32 hex digits. */
const char *change_message_id(enum change_kind kind);
const char *check_state_name(enum check_state state); /* "read", "asleep", ... */
/* The worst of all drives, by what counts. */
enum severity check_worst(const struct check_report *r);
/* Without the drives' reports, which stay with their owner. */
void check_done(struct check_report *r);
