/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reader of the record syntax, see drivewhy-db(5): comment lines "#", match lines in column 0,
 * property lines " KEY=VALUE", a blank line ends a record. It follows hwdb(7), with one
 * difference: "#" begins a comment only at the start of a line, so that values may hold it.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/span.h"

struct hwdb_pattern {
	const char *glob;
	uint32_t line;
};

struct hwdb_property {
	const char *key, *value;
	uint32_t line;
};

struct hwdb_record {
	const char *file;
	const char *source; /* what stands behind "# Source:" above it, or NULL */
	struct hwdb_pattern *patterns;
	size_t n_patterns;
	struct hwdb_property *properties;
	size_t n_properties;
	uint32_t layer; /* 0 for the built-in records, then one an overlay */
};

struct hwdb {
	struct arena arena;
	struct hwdb_record *records;
	size_t n, cap;
};

#define HWDB_MAX_BYTES	    (16u << 20)
#define HWDB_MAX_LINE	    4096u
#define HWDB_MAX_PATTERN    256u
#define HWDB_MAX_PATTERNS   1000u /* of one record */
#define HWDB_MAX_PROPERTIES 1000u

/*
 * Append the records of TEXT. A bad record is left out, with one message that names FILE and the
 * line of its first fault. 0 or -ENOMEM.
 */
int hwdb_parse(struct hwdb *h, struct span text, const char *file, uint32_t layer,
	       struct diag *d) must_check;
/*
 * The same for LEN bytes that stand in h->arena already and are cut up in place, with room for
 * one more behind them; FILE lives as long as H.
 */
int hwdb_parse_owned(struct hwdb *h, char *text, size_t len, const char *file,
		     uint32_t layer, struct diag *d) must_check;
void hwdb_done(struct hwdb *h);
