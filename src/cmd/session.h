/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all commands on targets share: from names on the command line to a judged report. */
#pragma once

#include "base/diag.h"
#include "capture/capture.h"
#include "cmd/options.h"
#include "drivedb/drivedb.h"
#include "model/report.h"

struct session {
	struct diag diag;
	struct capture capture;
	struct drivedb *db;
	struct case_file the_case;
	struct report report;
	int status;    /* worst exit status of the input: 0, 65, 66, 70 */
	size_t n_read; /* targets that gave something */
};

/* Read all targets into one capture. 0, or an exit status when nothing could be read. */
int session_read(struct session *s, const struct options *o) must_check;
/* Load the database, with the overlays named. 0 or an exit status. */
int session_load_db(struct session *s, const struct options *o) must_check;
/* Decode and judge. 0 or an exit status. */
int session_judge(struct session *s) must_check;
/* Print the messages on stderr: "drivewhy: file:line: text". */
void session_print_messages(const struct session *s);
void session_done(struct session *s);
