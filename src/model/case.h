/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A case: all that is known of a host and its drives, as facts. decode/ makes it from a capture,
 * judge/ and render/ read it, nobody else. (The C keyword takes the short name.)
 */
#pragma once

#include "base/arena.h"
#include "model/event.h"
#include "model/fact.h"

enum snapshot_role { ROLE_BEFORE, ROLE_DURING, ROLE_AFTER, ROLE_IMPORT, ROLE_BASELINE };

struct snapshot {
	enum snapshot_role role;
	bool has_time;
	int64_t taken_ms; /* Unix time, valid when has_time */
	const char *file; /* file or device it came from, or NULL */
	uint32_t line;	  /* first line of a posted report, 0 = none */
	uint32_t order;	  /* rank among all snapshots of the case: later is larger */
};

/* A drive, or the host (the same shape). Snapshots stand in time order, oldest first. */
struct drive {
	struct snapshot *snapshots;
	size_t n_snapshots, cap_snapshots;
	struct fact *
		facts; /* sorted by key, then snapshot, then trust once the case is sealed */
	size_t n_facts, cap_facts;
	/* From kernel logs, in their order; what was too much stands in the middle, not here. */
	struct event *events;
	size_t n_events, cap_events;
	size_t events_left_out;
};

struct case_file {
	struct arena arena;
	struct drive host;
	struct drive **drives;
	size_t n_drives, cap_drives;
	const char *database; /* version and digest of the database used */
};

/* Everything below returns 0 or -ENOMEM, or the object or NULL when memory is out. */
struct drive *case_add_drive(struct case_file *c) must_check;
int drive_add_snapshot(struct case_file *c, struct drive *d, struct snapshot s,
		       uint32_t *ret_index) must_check;
/* The text of a fact is borrowed: put it into c->arena first. */
int drive_add_fact(struct case_file *c, struct drive *d, struct fact f) must_check;
/* The texts of an event are borrowed in the same way. */
int drive_add_event(struct case_file *c, struct drive *d,
		    const struct event *e) must_check;
/* Sort all facts; the fact_... lookups below need it. May be called again after adding. */
void case_seal(struct case_file *c);
/* The same for one drive. */
void drive_seal(struct drive *d);
void case_done(struct case_file *c);

/* ---- looking things up in a sealed case; all are O(log n) and return NULL when absent ---- */

/* The best fact (best trust) of the latest snapshot that has one. */
const struct fact *drive_fact(const struct drive *d, enum fact_id id, uint32_t i,
			      uint32_t j);
/* The same in one snapshot only. */
const struct fact *drive_fact_at(const struct drive *d, enum fact_id id, uint32_t i,
				 uint32_t j, uint32_t snapshot);
/* All facts of one quantity (any instance, snapshot, source), in order of their keys. */
const struct fact *drive_facts(const struct drive *d, enum fact_id id, size_t *ret_n);
/* As drive_fact(), for numbers: false when absent. */
bool drive_u64(const struct drive *d, enum fact_id id, uint32_t i, uint32_t j,
	       uint64_t *ret);
bool drive_flag(const struct drive *d, enum fact_id id,
		uint32_t i); /* absent counts as false */
/* As drive_fact(), for text: NULL when absent. */
const char *drive_text(const struct drive *d, enum fact_id id, uint32_t i, uint32_t j);

/*
 * Change of a growing count between the first and the last snapshot that have it. False when
 * fewer than two have it. *ret is negative when it fell (reset, or another clock), and stays
 * at INT64_MAX or its negative when it changed by more.
 */
bool drive_delta(const struct drive *d, enum fact_id id, uint32_t i, uint32_t j,
		 int64_t *ret);
