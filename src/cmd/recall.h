/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The history beside a session: who its drives are, what was seen of them last, which goes into the
 * capture as its baseline, and remembering what was seen now.
 */
#pragma once

#include "cmd/session.h"
#include "history/values.h"

struct recalled {
	size_t subject; /* in the session's capture */
	struct who who; /* borrows from the_case */
	struct values values;
	const struct past_drive *past; /* NULL: a new one */
	struct case_file the_case;     /* of this drive alone, without its past */
	struct report report;
	bool asleep, unreadable; /* set by the caller before recall_store() */
	bool judged;
};

struct recall {
	struct arena arena;
	struct history *history;
	struct past_drives past;
	struct recalled *drives;
	size_t n;
	int64_t now;
};

/* Open the history in FOLDER; all drives of the session's capture. 0 or -ENOMEM. */
int recall_open(struct recall *r, struct session *s, const char *folder) must_check;
/*
 * Begin a run: find the drives, compare with the last look (KIND decides which), and add a baseline
 * snapshot to each subject that was seen before. 0, or an error of the history; then the run is
 * rolled back, and recall_retry() says whether it may be done again.
 */
int recall_begin(struct recall *r, struct session *s, enum history_run kind) must_check;
/* Write what was seen. Errors stick to the history. */
void recall_store(struct recall *r);
/* After an error: go on with a copy in memory. False when that is not possible either. */
bool recall_retry(struct recall *r);
void recall_close(struct recall *r);

/* Seconds since 1970 of the newest reading in the capture; now when it tells none. */
int64_t recall_time(const struct capture *c);
/* One subject and the host of a capture, borrowed: for decode_case() alone. */
struct capture recall_view(struct arena *a, const struct capture *c,
			   const size_t *subjects, size_t n);

/*
 * The whole of it for a command that looks but does not check: with live drives, or when --state is
 * given. begin goes before the judge, end behind it; both only warn.
 */
void recall_look_begin(struct recall *r, struct session *s, const struct options *o);
void recall_look_end(struct recall *r);
