/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside decode/: one snapshot of one subject, with its facts, before it is known which drive it
 * belongs to.
 */
#pragma once

#include "base/diag.h"
#include "capture/capture.h"
#include "model/case.h"

#define PAGE_ROWS  64u /* room for ata_pages[] */
#define PAGE_LIMIT 64u /* of a log; what begins behind it tells nothing */

/* Pages of bytes in one snapshot: which were read, and those that others need. */
struct part_pages {
	uint64_t read[PAGE_ROWS]; /* a bit for each page that an item began with */
	bool looked;
	struct span identify, smart_data, directory;
};

struct part {
	const struct cap_subject *subject;
	const struct cap_snapshot *source; /* its items */
	uint32_t order;			   /* place in the capture */
	struct snapshot snapshot;
	struct fact *facts;
	size_t n_facts, cap_facts;
	struct part_pages pages;
	uint32_t index; /* of its snapshot in the drive or the host, once that is known */
};

struct part_list {
	struct part *items;
	size_t n, cap;
};

/* Can a drive have this temperature? 0 and -128 are what one without a sensor says; nothing works beyond. */
static inline bool is_celsius(int64_t celsius)
{
	return celsius > -60 && celsius != 0 && celsius <= 120;
}

/* A kernel log, kept until it is known which drives there are. */
struct decode_log {
	uint32_t part;
	const struct cap_item *item;
};

struct decode {
	struct arena *arena; /* the case's */
	struct diag *diag;
	struct case_file *the_case;
	struct part_list parts;
	struct decode_log *logs;
	size_t n_logs, cap_logs;
	uint32_t
		*drive_of_part; /* index into the_case->drives; UINT32_MAX for the host */
};

/* All return 0 or -ENOMEM. */
int part_add_fact(struct decode *d, struct part *p, struct fact f) must_check;
const struct fact *part_fact(const struct part *p, enum fact_id id, uint32_t i);
const char *part_text(const struct part *p, enum fact_id id);

/* facts/... : lines of text */
int decode_facts(struct decode *d, struct part *p,
		 const struct cap_item *item) must_check;

/* ata/... : pages of bytes, and commands that are told by registers */
int decode_page(struct decode *d, struct part *p, const struct cap_item *item) must_check;

/* sysfs/... : one file of /sys */
int decode_sysfs(struct decode *d, struct part *p,
		 const struct cap_item *item) must_check;

/* host/... : files of the host, one item each */
int decode_host(struct decode *d, struct part *p, const struct cap_item *item) must_check;
/* probe/... : what the read probe counted */
int decode_probe(struct decode *d, struct part *p,
		 const struct cap_item *item) must_check;
/* An item that became read[n], n counting such items of a snapshot. */
bool probe_item_is_run(const char *id);
/* Modes, pauses and windows of what the probe counted; needs the expectations. */
int probe_derive(struct decode *d, struct drive *drive) must_check;

/* kernel-log: remembered by decode_log_item(), read by klog_decode() when the drives are known */
int decode_log_item(struct decode *d, struct part *p,
		    const struct cap_item *item) must_check;
int klog_decode(struct decode *d) must_check;

/* A case that names no drive still has one: whatever was measured ran on something. */
int merge_add_nameless(struct decode *d) must_check;

/* Which parts are the same drive: makes the_case->drives, their snapshots and facts. */
int merge_parts(struct decode *d) must_check;

/* Joins the scraps of a text about one drive: LEADER is the group of each part, its first one. */
void merge_lone(const struct decode *d, uint32_t *leader);

/* What is numbered within a text; merge-places.c. */
enum merge_list {
	MERGE_READS,
	MERGE_DISKS,
	MERGE_BATCHES,
	MERGE_TABLES,
	MERGE_ROWS,
	MERGE_STALLS,
	MERGE_LISTS,
};

struct merge_places {
	uint32_t next[MERGE_LISTS]; /* the first number that is free */
};

/* Number the lists of P on behind those of the parts of its drive before it. */
void merge_renumber(struct merge_places *places, struct part *p);

/* "/dev/sda", "sda" and "sda3" all name the drive "sda"; copies into RET, at most SIZE bytes. */
void merge_device_name(const char *name, char *ret, size_t size);
/* A serial number or WWN that says something: not empty, not only X, 0, '-', '.', '*'. */
bool merge_is_identity(const char *text);

/* Facts from the database for one drive, on its newest snapshot. */
struct drivedb;
int expect_drive(struct decode *d, struct drive *drive,
		 const struct drivedb *db) must_check;
/* The same for the bridge, controller and host adapter that a drive or the host names. */
int expect_path(struct decode *d, struct drive *drive,
		const struct drivedb *db) must_check;

/* Quantities under one name (power-on hours, pending sectors ...) from all their sources. */
int quantities_derive(struct decode *d, struct drive *drive) must_check;
int quantities_derive_other(struct decode *d, struct drive *drive) must_check;

/* What a count is held against; 0 when unknown. */
struct count_limits {
	uint64_t capacity_sectors, hours_on;
};

/* NULL, or why U cannot be a count of this kind: a sentence for people. */
const char *doubt_count(const struct count_limits *l, enum fact_id id, uint64_t u);

/*
 * Texts of raw values that are known as bytes only, in the format of the database; names and
 * formats that our records leave open, from an installed smartmontools. After everything that
 * counts: nothing of it is judged.
 */
int attributes_describe(struct decode *d, struct drive *drive,
			const struct drivedb *db) must_check;

/* Modes, slow share and foreign load of posted runs; needs the expectations. */
int reads_derive(struct decode *d, struct drive *drive) must_check;

/* "Thu Aug  2 14:42:08 2012 PDT" as ms, zone ignored; false when it is something else. */
bool local_time_parse(const char *text, int64_t *ret_ms);
