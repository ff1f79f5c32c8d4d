/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line as words between spaces. Columns are never used: posting a text collapses spaces and
 * takes indentation away.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attrs.h"

struct word {
	const char *s; /* borrowed, not NUL-terminated */
	size_t len;
};

/* Split S into at most MAX words; returns how many. What follows the last one stands behind it. */
size_t words_split(const char *s, struct word *ret, size_t max);
bool word_is(struct word w, const char *text);
bool word_starts(struct word w, const char *prefix);
/* The whole word as a number without sign: 0, -EINVAL, -ERANGE. */
int word_u64(struct word w, int base, uint64_t *ret) must_check;
/* The same with "0x" before it, which is required. */
int word_hex(struct word w, uint64_t *ret) must_check;
/* All of the word is hexadecimal digits, LEN of them. */
bool word_is_hex(struct word w, size_t len);

/* Whether S starts with PREFIX when every run of spaces counts as one; returns what follows. */
const char *words_after(const char *s, const char *prefix);
