/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reader of the record syntax, see drivewhy-db(5): comment lines "#", match lines in column 0,
 * property lines " KEY=VALUE", a blank line ends a record. It follows hwdb(7), with one
 * difference: "#" begins a comment only at the start of a line, so that values may hold it.
 */
#pragma once

#include <stdbool.h>
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

/* A text with records, borrowed. */
struct hwdb_file {
	const char *name;
	const char *text;
	uint32_t layer;
};

/*
 * A good record, where it stands. Of the thousands there may be one drive needs a handful: all are
 * checked, but only these are read. Small, because a page of memory costs as much as ten of them.
 */
struct hwdb_entry {
	uint32_t offset, len; /* in its file, from behind the last blank line */
	uint32_t line;
	uint32_t read;	/* 1 + its place among the records read, or 0 */
	uint32_t key;	/* hwdb_key() of all its globs, 0 when they differ */
	uint16_t first; /* offset of the first match line, 0 when it is too far away */
	uint16_t file;
};

/*
 * The four bytes behind "ata:mn" of a glob, as a number; 0 for one that is not such, or shorter, or has
 * a special character among them. A match string with other bytes there is not taken by it: most
 * records are told from the drive's by this number alone.
 */
uint32_t hwdb_key(const char *glob, size_t len);

struct hwdb {
	struct arena arena;
	struct hwdb_file *files;
	size_t n_files, cap_files;
	struct hwdb_entry *entries;
	size_t n, cap;
	struct hwdb_record **records; /* those that were read */
	size_t n_records, cap_records;
};

#define HWDB_MAX_BYTES	    (16u << 20)
#define HWDB_MAX_FILES	    UINT16_MAX
#define HWDB_MAX_LINE	    4096u
#define HWDB_MAX_PATTERN    256u
#define HWDB_MAX_PATTERNS   1000u /* of one record */
#define HWDB_MAX_PROPERTIES 1000u

/*
 * Append the records of TEXT, which is borrowed, as is FILE, for the life of H. A bad record is
 * left out, with one message that names FILE and the line of its first fault. 0, -ENOMEM, or
 * -EMFILE for too many files.
 */
int hwdb_add(struct hwdb *h, struct span text, const char *file, uint32_t layer,
	     struct diag *d) must_check;
/* Does one of the globs of entry I take this match string (match.h), whose hwdb_key() is KEY? */
bool hwdb_matches(const struct hwdb *h, size_t i, const char *match, uint32_t key);
/* The record of entry I, owned by H; NULL when memory is out. */
const struct hwdb_record *hwdb_record(struct hwdb *h, size_t i) must_check;
void hwdb_done(struct hwdb *h);
