/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was seen before, in one SQLite file: storage only, nothing is judged here. One run of the
 * program is one transaction; what it cannot write it still reports, from a copy in memory that
 * goes with it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/attrs.h"
#include "base/diag.h"

struct history;

/*
 * What kind of run: a check tells what changed since the last check, a look does not; an edit is
 * no run at all.
 */
enum history_run { HISTORY_LOOK, HISTORY_CHECK, HISTORY_EDIT };

/*
 * Open DIR/history.db, make it when it is not there. A file that is damaged is put aside under
 * another name and a new one begun; a file that cannot be written, or comes from a newer version,
 * is copied into memory, and nothing of this run is kept. Each is a message in D. WRITE false: only
 * reading is wanted, all of it as of one moment, and a file that is not there is -ENOENT. DIR NULL:
 * none is wanted, and nothing is known. 0, -ENOENT or -ENOMEM.
 *
 * The file is read, not mapped: on a disk that fails, a page that cannot be read is an error here and
 * a SIGBUS there.
 */
int history_open(const char *dir, bool write, struct diag *d,
		 struct history **ret) must_check;
void history_close(struct history *h);

/* Whether what is written will be there next time. */
bool history_is_kept(const struct history *h);

/*
 * One run. begin waits for others, up to 20 s. After an error nothing of the run is stored:
 * history_recover() tells why in D and makes what is possible of it (a new file for a damaged one,
 * a copy in memory, an empty one), and the run can be done again on that, until recover fails too.
 * NOW in seconds since 1970.
 */
int history_begin(struct history *h, enum history_run kind, int64_t now) must_check;
int history_commit(struct history *h) must_check;
void history_rollback(struct history *h);
int history_recover(struct history *h) must_check;

/* 0, or -errno of the first thing that went wrong in this run. */
int history_error(const struct history *h);

/* The lock of one drive: DIR/lock-NAME. 0 and a descriptor to close, -EBUSY, -errno. */
int history_lock(const char *dir, const char *name, int *ret_fd) must_check;
