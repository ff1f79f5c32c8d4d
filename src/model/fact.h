/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A fact is one number or text about a drive or the host: what, of which instance, from where,
 * and how far it can be trusted. A fact that is not there is absent; it is never 0.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/attrs.h"
#include "base/buf.h"

enum fact_id {
#define FACT(id, name, type, unit, keys, behaviour, clock, words) FACT_##id,
#include "model/fact.def"
#undef FACT
	FACT_COUNT
};

enum fact_type { FACT_U64, FACT_S64, FACT_TEXT, FACT_FLAG };

enum fact_unit {
	UNIT_NONE,   /* text or flag */
	UNIT_NONE_U, /* a number without a unit */
	UNIT_COUNT,
	UNIT_BYTES,
	UNIT_RPM,
	UNIT_LBA,
	UNIT_HOURS,
	UNIT_MINUTES,
	UNIT_SECONDS,
	UNIT_DECISECONDS,
	UNIT_MS,
	UNIT_NS,
	UNIT_CELSIUS,
	UNIT_PERCENT,
	UNIT_PPM,
	UNIT_MICRO,
	UNIT_MILLI,
	UNIT_MBIT_S,
	UNIT_MB_S,
	UNIT_BYTES_S,
	UNIT_IOPS,
	UNIT_MILLI_IOPS,
	UNIT_COUNT_
};

/* How the "[]" of a name are written: attr[197], phy[003], log[04], stat[06/018], read[0]..[50000] */
enum fact_keys { KEYS_NONE, KEYS_DEC, KEYS_HEX, KEYS_PAGE, KEYS_PAGEOFF, KEYS_DECDEC };

enum fact_behaviour { BEHAVES_GROWS, BEHAVES_GAUGE, BEHAVES_CONSTANT };

/* Which clock a count belongs to; two clocks are never mixed in one argument. */
enum fact_clock {
	CLOCK_LIFETIME,
	CLOCK_POWER_ON,
	CLOCK_HOST_BOOT,
	CLOCK_NOW,
	CLOCK_NO_CLOCK
};

/* Where a fact came from, best first: on the same quantity bytes win over posted text. */
enum fact_trust {
	TRUST_BYTES,	 /* decoded from a page whose checksum is right */
	TRUST_UNCHECKED, /* decoded from bytes without a checksum */
	TRUST_HOST,	 /* told by the kernel */
	TRUST_TEXT,	 /* a number that a person posted */
	TRUST_DATABASE,	 /* the drive database */
	TRUST_DERIVED,	 /* computed here from other facts */
};

struct fact_info {
	const char *name; /* with "[]" for each key */
	const char *words;
	enum fact_type type;
	enum fact_unit unit;
	enum fact_keys keys;
	enum fact_behaviour behaviour;
	enum fact_clock clock;
};

/*
 * One quantity, one instance. i and j hold the keys in the order of the "[]"; KEYS_PAGEOFF has
 * the page in i and the offset in j. Unused keys are 0.
 */
struct fact_key {
	enum fact_id id;
	uint32_t i, j;
};

/* Where the value stood. item: "facts/smartctl", "ata/log/11/00", "db"; file NULL if unknown. */
struct fact_origin {
	const char *item, *file;
	uint32_t line;		/* posted text or database record: 1-based, 0 = none */
	uint32_t offset, width; /* bytes of a page; width 0 = none */
};

struct fact {
	struct fact_key key;
	enum fact_trust trust;
	uint32_t snapshot; /* index into drive.snapshots */
	union {
		uint64_t u;	  /* FACT_U64, FACT_FLAG (0 or 1) */
		int64_t s;	  /* FACT_S64 */
		const char *text; /* FACT_TEXT; hostile, escape before printing */
	};
	struct fact_origin origin;
};

const struct fact_info *fact_get_info(enum fact_id id);
const char *fact_unit_name(enum fact_unit unit); /* "hours", "" for none */
const char *fact_clock_name(
	enum fact_clock clock); /* "lifetime", "drive power-on", "host boot", "now", "" */
const char *fact_trust_name(enum fact_trust trust);

/* Append the name with its keys filled in: attr[197].raw, phy[003].value, stat[06/018].value */
void fact_add_name(struct buf *b, struct fact_key key);
/* Read such a name back. 0, or -EINVAL when there is no such fact or key. */
int fact_parse_name(const char *name, size_t len, struct fact_key *ret) must_check;

/*
 * One line of a facts/... capture item, without newline: NAME '=' VALUE [' @' LINE]. Numbers in
 * decimal, text between double quotes and escaped. fact_add_line() writes fact.key, the value and
 * origin.line. fact_parse_line() sets the same and leaves the rest alone; text lands in the arena.
 * 0, -EINVAL, -ENOMEM.
 */
void fact_add_line(struct buf *b, const struct fact *f);
int fact_parse_line(struct arena *a, const char *line, size_t len,
		    struct fact *ret) must_check;
