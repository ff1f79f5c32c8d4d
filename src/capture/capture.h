/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A capture is one case as it was found: the only thing that crosses from outside to inside.
 * Whatever can produce facts (drive, kernel, probe, posted text) makes a capture; whatever
 * understands (decode/ and behind it the judge) takes one and the drive database, nothing else.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/span.h"

enum cap_kind { CAP_HOST, CAP_DRIVE };

enum cap_role { CAP_BEFORE, CAP_DURING, CAP_AFTER, CAP_IMPORT, CAP_BASELINE };

/* A refused command is evidence too: it is recorded, with its registers as attributes. */
enum cap_status { CAP_OK, CAP_UNSUPPORTED, CAP_FAILED, CAP_SKIPPED };

struct cap_attribute {
	const char *name;  /* [a-z0-9_]+ */
	const char *value; /* any text without NUL; the file form escapes what it must */
};

struct cap_item {
	const char
		*id; /* "ata/identify", "ata/log/11/00", "kernel-log", "facts/smartctl" */
	enum cap_status status;
	struct cap_attribute *attributes;
	size_t n_attributes, cap_attributes;
	struct span body; /* bytes; facts/... and logs hold lines of text */
};

struct cap_snapshot {
	enum cap_role role;
	bool has_time;
	int64_t taken_ms;   /* Unix time in ms */
	const char *source; /* file or device it came from, or NULL */
	struct cap_item *items;
	size_t n_items, cap_items;
};

struct cap_subject {
	enum cap_kind kind;
	uint32_t number; /* drives: 1, 2, ...; host: 0 */
	struct cap_snapshot *snapshots;
	size_t n_snapshots, cap_snapshots;
};

struct capture {
	struct arena arena;
	struct cap_subject *subjects;
	size_t n_subjects, cap_subjects;
	/* sums over all subjects, for the limits below */
	size_t body_bytes, n_snapshots, n_items;
};

/* Limits for hostile files; a writer that passes them gets -E2BIG. */
#define CAP_MAX_ITEMS	   65536u
#define CAP_MAX_ITEM_BYTES (16u << 20)
#define CAP_MAX_BYTES	   (48u << 20)
#define CAP_MAX_SUBJECTS   4096u
#define CAP_MAX_SNAPSHOTS  65536u
#define CAP_MAX_ATTRIBUTES 64u	  /* of one item */
#define CAP_MAX_HEAD	   16000u /* bytes of an item's id, names and values; of a source */

/*
 * Building. Strings and bytes are copied into the capture's arena. The returned objects stay
 * where they are only until the next one of their kind is added. NULL when memory is out, a
 * limit is passed or an id is empty. There is one host: adding it again returns it.
 */
struct cap_subject *capture_add_subject(struct capture *c, enum cap_kind kind) must_check;
struct cap_snapshot *capture_add_snapshot(struct capture *c, struct cap_subject *s,
					  enum cap_role role,
					  const char *source) must_check;
struct cap_item *capture_add_item(struct capture *c, struct cap_snapshot *s,
				  const char *id, enum cap_status status,
				  struct span body) must_check;
/* Set or replace. 0, -EINVAL for a name that is none, -E2BIG, -ENOMEM. */
int cap_item_set(struct capture *c, struct cap_item *item, const char *name,
		 const char *value) must_check;
/* The value of an attribute, or NULL. */
const char *cap_item_get(const struct cap_item *item, const char *name);

bool cap_is_attribute_name(const char *name, size_t len);

const char *cap_role_name(enum cap_role role);
const char *cap_status_name(enum cap_status status);

void capture_done(struct capture *c);
