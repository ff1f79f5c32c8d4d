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
#include "base/buf.h"
#include "base/diag.h"
#include "base/span.h"

struct drivedb;

/*
 * Always the whole identity, so that no pattern can be matched against the wrong part. A USB
 * bridge is bus "usb", model "VVVV-PPPP" (ids in lower-case hex), firmware the bcdDevice; a drive
 * seen through it is bus "ata". A controller is bus "pci" with model "VVVV-DDDD", the driver of a
 * host adapter bus "hba" with its name as model. A class is bus "class", model its name. "sata" and NULL are read
 * as "ata", "sas" as "scsi".
 */
struct drive_id {
	const char *bus;      /* "ata", "nvme", "scsi", "usb", "pci", "hba", "class" */
	const char *model;    /* NULL when unknown: only class defaults match */
	const char *firmware; /* NULL when unknown */
};

struct db_property {
	const char *key, *value;
	const char *file; /* of the record that won */
	uint32_t line;
	const char
		*source; /* where the maintainers of the record have it from, or NULL */
};

struct db_match {
	struct arena arena;
	struct db_property
		*items; /* sorted by key; a key that is a list stands there repeatedly */
	size_t n, cap;
	size_t n_records; /* that matched */
};

/* The built-in records. NULL when memory is out. Free with drivedb_free(). */
struct drivedb *drivedb_new(struct diag *d) must_check;
/* A database without any record, for tests and for looking at one file alone. */
struct drivedb *drivedb_new_empty(void) must_check;
/*
 * Overlay records from a text, which is emptied: the database keeps its memory. A bad record is
 * skipped with a message naming FILE and line, the rest is used. 0 or -ENOMEM.
 */
int drivedb_take(struct drivedb *db, struct buf *text, const char *file,
		 struct diag *d) must_check;
/* The same for a text that is copied. */
int drivedb_add(struct drivedb *db, struct span text, const char *file,
		struct diag *d) must_check;
void drivedb_free(struct drivedb *db);

/*
 * All properties for this drive. When they name a CLASS, its record fills in the keys they leave
 * open. Values are borrowed from DB. 0 or -ENOMEM, RET untouched on failure. Threads may look up
 * different drives at the same time, while nothing is added.
 */
int drivedb_match(const struct drivedb *db, const struct drive_id *id,
		  struct db_match *ret) must_check;
/*
 * The same for a drive whose class the caller knows otherwise (rotation rate, form factor): used
 * where no record names one, or only a wide one without a "-" ("hdd"). CLASS may be NULL.
 */
int drivedb_match_class(const struct drivedb *db, const struct drive_id *id,
			const char *class, struct db_match *ret) must_check;
/* The property, or NULL. Of a list the last. */
const struct db_property *db_match_get(const struct db_match *m, const char *key);
/* All values of a list, in the order of their records: the first of *ret_n, or NULL. */
const struct db_property *db_match_list(const struct db_match *m, const char *key,
					size_t *ret_n);
void db_match_done(struct db_match *m);

/* ---- below our own records: the database of an installed smartmontools ---- */

struct db_installed;

/*
 * LOAD is called once, when a drive is first looked up: reading 200 KiB costs more than everything
 * else, and few drives need it. It adds files with db_installed_add(), the first to ask first.
 */
void drivedb_set_installed(struct drivedb *db,
			   void (*load)(struct db_installed *files, void *context),
			   void *context);
/* Copies both. 0 or -ENOMEM. */
int db_installed_add(struct db_installed *files, struct span text,
		     const char *name) must_check;
/* The same at once, before any that LOAD adds: for a file that the user names. */
int drivedb_add_installed(struct drivedb *db, struct span text,
			  const char *name) must_check;
/*
 * ATTR_#_NAME and ATTR_#_FORMAT of these files, with file and line, for a drive on bus "ata"; and
 * SMARTCTL_FAMILY, when there is an entry for it.
 * SOLID: 1 for a solid state drive, 0 for a disk, -1 unknown. Nothing in there is used to judge.
 * 0 or -ENOMEM, RET untouched on failure.
 */
int drivedb_match_installed(const struct drivedb *db, const struct drive_id *id,
			    int solid, struct diag *d, struct db_match *ret) must_check;

/*
 * Ask these files for every attribute, not only for those that our own records leave open: for
 * output in smartctl's words.
 */
void drivedb_want_installed(struct drivedb *db);
bool drivedb_wants_installed(const struct drivedb *db);

/* "2026.12 sha256:..." with one digest per overlay. Borrowed. */
const char *drivedb_version(const struct drivedb *db);
/* How many records there are. */
size_t drivedb_count(const struct drivedb *db);

/*
 * Check every record: unknown key, malformed value, record without a source, shadowed record,
 * pattern that can never match. Returns the number of faults, each also in D; or -ENOMEM.
 */
int drivedb_lint(const struct drivedb *db, struct diag *d) must_check;
