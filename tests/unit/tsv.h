/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of tests/cases: a row a line, cells parted by tabs, "#" begins a line of words. */
#pragma once

#include "base/arena.h"
#include "base/buf.h"

#define TSV_CELLS 11u

struct tsv_row {
	const char *cell[TSV_CELLS]; /* "" when the row ends before it */
};

struct tsv {
	struct buf text; /* the cells point into it */
	struct arena arena;
	struct tsv_row *rows;
	size_t n, cap;
};

/* tests/cases/NAME; the test fails when it cannot be read or a row has more than CELLS cells. */
void tsv_read(const char *name, size_t cells, struct tsv *ret);
void tsv_done(struct tsv *t);
