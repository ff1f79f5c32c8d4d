/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The exit status that smartctl(8) would end with: a mask, EXIT STATUS in its manual. */
#pragma once

#include "model/report.h"

enum smartctl_bit {
	SMARTCTL_USAGE = 1 << 0,   /* the command line made no sense */
	SMARTCTL_OPEN = 1 << 1,	   /* nothing could be read of the drive */
	SMARTCTL_COMMAND = 1 << 2, /* a command failed */
	SMARTCTL_FAILING = 1 << 3, /* SMART status: failing */
	SMARTCTL_PREFAIL = 1 << 4, /* a pre-fail attribute at its threshold */
	SMARTCTL_MARGINAL =
		1 << 5, /* status good, an attribute is or was at its threshold */
	SMARTCTL_ERRORS = 1 << 6,    /* the error log holds errors */
	SMARTCTL_SELFTESTS = 1 << 7, /* the self-test log holds failures */
};

/* How the self-tests of a drive ended, as smartctl counts them. */
struct smartctl_tests {
	unsigned failed;   /* of which no complete extended test is newer */
	unsigned outdated; /* of which one is */
};

unsigned smartctl_exit(const struct drive *d);
/* All drives of a report together. */
unsigned smartctl_exit_of(const struct report *r);
struct smartctl_tests smartctl_count_tests(const struct drive *d);
