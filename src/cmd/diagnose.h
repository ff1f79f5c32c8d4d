/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a session that was read to a printed report and an exit status. */
#pragma once

#include "cmd/session.h"

/* Load the database and judge. 0 or an exit status. */
int diagnose_judge(struct session *s, const struct options *o) must_check;
/* The exit status of a verdict. */
int diagnose_exit_of(enum severity worst);
/* Print the report. 0, or an exit status when nothing could be printed. */
int diagnose_print(const struct session *s, const struct options *o,
		   bool verbose) must_check;
/* BY_VERDICT: the worst finding decides; else only whether all could be read. */
int diagnose_exit(const struct session *s, const struct options *o, bool by_verdict);
/* All of it for the targets of a command line. */
int diagnose(const struct options *o, bool verbose, bool by_verdict);
