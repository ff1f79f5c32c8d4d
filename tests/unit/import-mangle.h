/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What posting does to a text, done on purpose: the numbers read from the mangled text must be those
 * of the whole one. Compared by name, whatever the importer, so a number may be absent where the
 * damage took it away, but never another one.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum mangle {
	/* nothing is lost: the same numbers */
	MANGLE_CRLF,
	MANGLE_CR,
	MANGLE_QUOTE,
	MANGLE_QUOTE_4,
	MANGLE_TABS,
	MANGLE_HARD_SPACES,
	MANGLE_COLLAPSE,     /* indentation and double spaces go, as in most forums */
	MANGLE_NUMBERS,	     /* "  12: " */
	MANGLE_BARE_NUMBERS, /* cat -n */
	MANGLE_UTF16,
	MANGLE_LOG, /* "Aug  2 14:42:08 host cron[12]: " */
	MANGLE_LOSSLESS_COUNT,
	/* something may be lost: the same numbers or none */
	MANGLE_WRAP = MANGLE_LOSSLESS_COUNT, /* between words, at 72 columns */
	MANGLE_QUOTE_WRAP, /* quoted four deep, then wrapped, the rest unquoted */
	MANGLE_HARD_WRAP,  /* at 72 columns, through words, as a terminal does */
	MANGLE_DOUBLE_SPACED,
	MANGLE_COUNT
};

const char *mangle_name(enum mangle how);
/* How many of so many numbers must still be there: all, nearly all, or half. */
size_t mangle_floor(enum mangle how, size_t numbers);

/* A log can be told from a report only where the report says that it starts. */
bool mangle_applies(enum mangle how, const char *text, size_t len);

struct mangle_text {
	char *data;
	size_t len;
};

/* Caller frees ret.data. */
struct mangle_text mangle(enum mangle how, const char *text, size_t len);

struct mangle_result {
	size_t numbers, kept; /* of the whole text; still there and equal */
	bool ok;
	char why[256]; /* when not ok */
};

/* Where the reports of a cut text stand among those of the whole one. */
enum mangle_part { PART_WHOLE, PART_HEAD, PART_TAIL };

/*
 * Compare the numbers of both texts. PART_TAIL leaves out those whose key is a place in a list (the
 * first error, the second setting): it moves when the head is cut off.
 */
struct mangle_result mangle_compare(const char *whole, size_t len, const char *part,
				    size_t part_len, enum mangle_part which);
