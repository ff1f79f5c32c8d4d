/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The drive database: records in hwdb(7) syntax, see drivewhy-db(5). A record is one or more
 * match lines ("ata:mnMODEL*:fwFIRMWARE*:") and properties (" KEY=VALUE"). All records that match
 * are overlaid, later ones win, so default, family, firmware is the natural order.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/span.h"

struct drivedb;

/* Always the whole identity, so that no pattern can be matched against the wrong part. */
struct drive_id {
	const char *bus;      /* "ata", "nvme", "scsi", "usb"; NULL counts as "ata" */
	const char *model;    /* NULL when unknown: only class defaults match */
	const char *firmware; /* NULL when unknown */
};

struct db_property {
	const char *key, *value;
	const char *file; /* of the record that won */
	uint32_t line;
};

struct db_match {
	struct arena arena;
	struct db_property *items; /* sorted by key */
	size_t n, cap;
	size_t n_records; /* that matched */
};

/* The built-in records. NULL when memory is out. Free with drivedb_free(). */
struct drivedb *drivedb_new(struct diag *d) must_check;
/*
 * Overlay records from a text. A bad record is skipped with a message naming FILE and line, the
 * rest is used. 0 or -ENOMEM.
 */
int drivedb_add(struct drivedb *db, struct span text, const char *file,
		struct diag *d) must_check;
void drivedb_free(struct drivedb *db);

/* All properties for this drive. Values are borrowed from DB. 0 or -ENOMEM. */
int drivedb_match(const struct drivedb *db, const struct drive_id *id,
		  struct db_match *ret) must_check;
const struct db_property *db_match_get(const struct db_match *m, const char *key);
void db_match_done(struct db_match *m);

/* "2026.12 sha256:..." with one digest per overlay. Borrowed. */
const char *drivedb_version(const struct drivedb *db);

/*
 * Check every record: unknown key, malformed value, record without a source, shadowed record.
 * Returns the number of faults, each also in D; or -ENOMEM.
 */
int drivedb_lint(const struct drivedb *db, struct diag *d) must_check;
