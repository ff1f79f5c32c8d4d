/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A self-test for a person and for a program. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct selftest_view {
	const char *device, *model; /* model: NULL when unknown */
	const char *test;   /* "short", ...; NULL: one that somebody else started */
	const char *action; /* "started", "running", "aborted", "ended", "refused" */
	const char *result; /* words of the drive's last status; NULL: not known */
	bool failed;	    /* it found a fault */
	bool has_left;
	unsigned left_percent;
	unsigned minutes; /* that it should take in all; 0: not told */
};

/* {"selftest":{...}} in a line. 0 or -ENOMEM. */
int render_selftest_json(const struct selftest_view *v, struct buf *ret) must_check;
/* A sentence or two, each on a line. 0 or -ENOMEM. */
int render_selftest_text(const struct selftest_view *v, struct buf *ret) must_check;
/* "[########------------]  40 %, about 54 minutes left", without a newline. */
int render_selftest_bar(const struct selftest_view *v, unsigned columns,
			struct buf *ret) must_check;
