/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One posted text and the facts that came of it, for the tests of the importers. */
#pragma once

#include "unit.h"

#include <stdbool.h>

#include "import/import.h"

struct imported {
	struct capture c;
	struct diag d;
	struct import_stats st;
	struct buf facts; /* lines of all items, each as NAME=VALUE without its place */
	int r;
};

void imported_read(struct imported *f, const char *text, size_t len);
/* A file of tests/import. */
void imported_read_file(struct imported *f, const char *name);
void imported_done(struct imported *f);

/* All bytes of a file of tests/import, and a zero behind them; the caller frees. */
char *imported_load(const char *name, size_t *ret_len);

bool imported_has(const struct imported *f, const char *line);
bool imported_has_start(const struct imported *f, const char *start);
/* Every line of WANT (NULL at its end) is there; one that starts with "!" must not be. */
void imported_assert(const struct imported *f, const char *const *want);
void imported_assert_note(const struct imported *f, const char *part);

/*
 * Every fact of VARIANT stands in WHOLE with the same value, or is not there by name at all;
 * returns how many facts VARIANT has. With NUMBERS, facts that are text are not compared.
 */
size_t imported_assert_within(const struct imported *whole,
			      const struct imported *variant, const char *what,
			      bool numbers);
