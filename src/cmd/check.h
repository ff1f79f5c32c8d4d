/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A check from drives that were read to what changed: everything between session and printing. */
#pragma once

#include "cmd/conf.h"
#include "cmd/recall.h"

/* Drives that are judged together; their case and report live here. */
struct check_chunk {
	struct case_file the_case;
	struct report report;
};

struct check {
	struct session *session;
	const struct options *options;
	struct conf conf;
	struct recall recall;
	struct check_chunk *chunks;
	size_t n_chunks;
	const struct drive_report **report_of; /* by index of recall.drives; NULL: none */
	struct check_report report;
	bool printed;	 /* the report is out */
	size_t n_locked; /* drives left out because another run looks at them */
	int *locks;
	size_t n_locks;
};

/*
 * Compare what the session has read with the history in FOLDER (NULL: none), judge it, and store
 * it. Fills c->report. 0 or an exit status.
 */
int check_compare(struct check *c, const char *folder) must_check;
void check_close(struct check *c);
