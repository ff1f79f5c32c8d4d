/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all commands on targets share: from names on the command line to a judged report. */
#pragma once

#include "base/diag.h"
#include "capture/capture.h"
#include "cmd/live.h"
#include "cmd/options.h"
#include "drivedb/drivedb.h"
#include "model/report.h"

struct session {
	struct diag diag;
	struct capture capture;
	struct drivedb *db;
	struct case_file the_case;
	struct report report;
	struct live live;   /* targets that are drives */
	struct buf *db_log; /* not NULL: a line for each database file that is read */
	int status;	    /* worst exit status of the input: 0, 3, 65, 66, 70 */
	size_t n_read;	    /* targets that gave something */
};

/* Read all targets into one capture. 0, or an exit status when nothing could be read. */
int session_read(struct session *s, const struct options *o) must_check;
/* Its two halves: files are read and drives noted, then those are read. 0 or an exit status. */
void session_add(struct session *s, const struct options *o);
int session_read_drives(struct session *s, const struct options *o) must_check;
/* A message about NAME; the status, unless a worse one stands. session_fail() returns it. */
int session_fail(struct session *s, int status, const char *name, const char *text);
void session_warn(struct session *s, int status, const char *name, const char *text);
/* Load the database, unless it is there, with the overlays named. 0 or an exit status. */
int session_load_db(struct session *s, const struct options *o) must_check;
/* Decode and judge. 0 or an exit status. */
int session_judge(struct session *s) must_check;
/* Print the messages on stderr: "drivewhy: file:line: text". */
void session_print_messages(const struct session *s);
/* The same without notes, which come again each time: for what is to be silent. */
void session_print_warnings(const struct session *s);
void session_done(struct session *s);
