/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a check tells: only what changed since the last one. The sentences are made here, because
 * they are stored: one that could not be printed is told by the next run.
 */
#pragma once

#include "history/sql.h"
#include "history/values.h"
#include "model/check.h"

/* What a person does not want to hear. */
struct check_ignore {
	const char *drive; /* a name, serial number ...; NULL: of any */
	bool has_code;
	enum code code;
	enum fact_id fact; /* FACT_COUNT: none; with no code either, that it is gone */
};

/* A rise below this is no news. */
struct check_threshold {
	enum fact_id fact;
	int64_t least;
};

struct check_rules {
	struct check_ignore *ignored;
	size_t n_ignored, cap_ignored;
	struct check_threshold *thresholds;
	size_t n_thresholds, cap_thresholds;
	int64_t remind_days; /* 0: an open finding is told once */
	int64_t well_days;   /* 0: nothing is said when all is well */
	int64_t hot_celsius; /* 0: no limit */
	bool whole_host;     /* a drive that is not there is gone */
};

/* One more thing that is not told. 0 or -ENOMEM. */
int check_rules_ignore(struct check_rules *rules, struct arena *a,
		       struct check_ignore ignore) must_check;

/* One drive of a check. */
struct check_input {
	const struct who *who;
	const struct values *values;
	const struct past_drive *past; /* NULL: a new one */
	const struct drive_report *report;
	enum check_state state;
};

/* All below write to the history, whose run is begun; errors stick to it. */

/* A stored change: the row that MESSAGE_UNTOLD or MESSAGES stands at. Its texts go into A. */
struct change change_of_row(struct history *h, struct arena *a, enum sql_id q);
/* The messages of earlier runs that were never told, first of all. */
void changes_begin(struct history *h, struct check_report *ret);
/* One drive: its row in RET, its changes, its findings in the history. */
void changes_drive(struct history *h, const struct check_rules *rules,
		   const struct check_input *in, struct check_report *ret);
/* The host: drives that are gone, kernel log, clock, and that all is well. */
void changes_end(struct history *h, const struct check_rules *rules,
		 const struct past_drives *past, struct check_report *ret);
/* After they were printed: they will not be told again. Outside of a run. */
void changes_told(struct history *h);

/* A drive is accepted as it is, or not any more. 0; -ENOENT when no such finding is open. */
int changes_accept(struct history *h, int64_t drive, enum code code,
		   bool accept) must_check;
/* The open findings of a drive, as the last check left them. */
void changes_open(struct history *h, struct arena *a, int64_t drive,
		  struct check_finding **ret, size_t *ret_n);
