/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/attrs.h"
#include "import/import.h"

/* One text and what came of it; facts of all reports one after the other. */
struct fixture {
	struct capture c;
	struct diag d;
	struct import_stats st;
	char *facts;
	int r;
};

void fixture_read_bytes(struct fixture *f, const char *text, size_t len);
/* A file of tests/import. */
void fixture_read_file(struct fixture *f, const char *name);
void fixture_done(struct fixture *f);
/* Each of N lines of facts is there; without its place. */
void fixture_assert_facts(const struct fixture *f, const char *const *want, size_t n);
/* No line of facts starts like that. */
void fixture_assert_no_fact(const struct fixture *f, const char *start);
