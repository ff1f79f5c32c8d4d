/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of tables that compare kernels: see comparison-text.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COMPARISON_COLUMNS 16u

struct slice {
	const char *s;
	size_t len;
};

struct cell {
	struct slice value, change; /* change.s NULL: the row has none */
};

struct row {
	struct slice name;
	struct cell cells[COMPARISON_COLUMNS];
	size_t n;
	bool rest; /* something stands behind the last whole cell */
};

/* Whether S looks like a row; *ret_changes: its cells have changes, as mmtests' do. */
bool comparison_split(const char *s, struct row *ret, bool *ret_changes);
/* "-142.69" x FACTOR, and how many digits stand behind the point */
bool comparison_take_signed(struct slice s, uint64_t factor, int64_t *ret,
			    unsigned int *ret_places);
/* A value x 1,000,000. Times, rates and counts are never below 0; only a change is. */
bool comparison_take_value(struct slice s, int64_t *ret, unsigned int *ret_places);
bool comparison_is_number(struct slice s);
bool comparison_is_no_number(struct slice s); /* nan, inf */
/* The same number of digits behind the point in all cells: a cut number shows. */
bool comparison_same_places(const struct row *row);
