/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of a drive's document: a row is one key with its columns. */
#pragma once

#include "base/str.h"
#include "render/json-parts.h"

struct json_column {
	const char *key;
	enum fact_id id;
};

struct json_table {
	const char *key;
	const char *first_key,
		*second_key; /* how the instance is called, NULL: not shown */
	bool hex;	     /* the first one is also written as "0x04", under "hex" */
	enum fact_id first, last; /* the facts whose instances are the rows */
	const struct json_column *columns;
	size_t n_columns;
};

#define COLUMNS(c)   .columns = (c), .n_columns = array_size(c)
#define ONE_FACT(id) .first = FACT_##id, .last = FACT_##id

/* json-other.c */
extern const struct json_table json_other_tables[];
extern const size_t json_other_count;
