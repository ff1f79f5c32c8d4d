/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The vocabulary of the records: which keys there are and how their values are written. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum db_syntax {
	DB_TEXT,   /* any text */
	DB_FLAG,   /* 1 */
	DB_NUMBER, /* decimal, above 0 */
	DB_UNIT,   /* the same, or "sector" */
	DB_CLASS,  /* small letters, digits and "-" */
	DB_PHYIDS, /* three-digit hex identifiers in rising order, a space between */
	DB_LOGS,   /* two-digit hex addresses, the same way */
	DB_STAT,   /* a decimal number, maybe negative, or "any" */
	DB_FORMAT, /* one of db_formats */
	DB_MEANS,  /* name of a fact without keys that is a number, or "ignore" */
	DB_FROM,   /* one of db_froms */
	DB_BITS,   /* LOW-HIGH, 0..47, bit 0 is the lowest bit of byte 5 of the entry */
	DB_WAYS,   /* words of db_ways, a space between */
	DB_SYNTAX_COUNT
};

struct db_key {
	const char *name; /* "#" and "%" as in keys.def */
	enum db_syntax syntax;
	bool many; /* values of all matching records are kept */
	const char *words;
};

/* Words a value may be; NULL ends them. */
extern const char *const db_formats[];
extern const char *const db_froms[];
extern const char *const db_ways[];

/* The whole table, in its order. */
const struct db_key *db_keys(size_t *ret_n);
/* The row for a key as it stands in a record ("ATTR_197_MEANS"), or NULL. */
const struct db_key *db_key_find(const char *key);
/* NULL when VALUE is well formed, else what is wrong with it. Empty (unset) is always right. */
const char *db_key_fault(const struct db_key *k, const char *value);
