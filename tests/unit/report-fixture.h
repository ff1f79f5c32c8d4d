/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports made by hand, for tests of what is made from a report. Nothing here is of a real
 * drive; the counters of "constant" are those that spec sheets of public reports agree on.
 */
#pragma once

#include "model/report.h"

struct fixture {
	struct case_file the_case;
	struct report report;
	struct diag diag;
};

struct fixture_row {
	const char *name;
	void (*build)(struct fixture *f);
};

extern const struct fixture_row fixtures[]; /* ends with a NULL name */

/* Exits when there is no such fixture or memory is out: a test cannot go on. */
void fixture_init(struct fixture *f, const char *name);
void fixture_done(struct fixture *f);
