/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the database knows of a drive becomes facts, with the record as their origin. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "decode/part.h"
#include "drivedb/drivedb.h"

struct expect {
	struct decode *d;
	struct drive *drive;
	const struct db_property *property;
	uint32_t snapshot;
	uint32_t n_quirks, n_bugs;
};

static int add(struct expect *e, struct fact f)
{
	f.trust = TRUST_DATABASE;
	f.snapshot = e->snapshot;
	f.origin = (struct fact_origin){ .item = "db",
					 .file = e->property->file,
					 .line = e->property->line };
	return drive_add_fact(e->d->the_case, e->drive, f);
}

static int add_text(struct expect *e, enum fact_id id, uint32_t i, uint32_t j)
{
	const char *text = arena_strdup(e->d->arena, e->property->value);

	if (!text)
		return -ENOMEM;
	return add(e, (struct fact){ .key = { id, i, j }, .text = text });
}

/* A malformed number is the linter's business; here the property is left out. */
static int add_number(struct expect *e, enum fact_id id, uint32_t i)
{
	uint64_t u;

	if (str_to_u64(e->property->value, &u) < 0)
		return 0;
	if (fact_get_info(id)->type == FACT_FLAG && u != 1)
		return 0;
	return add(e, (struct fact){ .key = { id, i, 0 }, .u = u });
}

/* "002 003 00b" */
static int add_hex_list(struct expect *e, enum fact_id id)
{
	for (const char *s = e->property->value; *s;) {
		uint64_t u;
		int r;

		if (*s == ' ') {
			s++;
			continue;
		}
		if (str_take_u64(&s, 16, &u) < 0 || u > 0xffff)
			return 0;
		r = add(e, (struct fact){ .key = { id, (uint32_t)u, 0 }, .u = 1 });
		if (r < 0)
			return r;
	}
	return 0;
}

/* Properties without a number in their name. */
static const struct {
	const char *key;
	enum fact_id id;
} plain[] = {
	{ "FAMILY", FACT_DB_FAMILY },
	{ "CLASS", FACT_DB_CLASS },
	{ "PHY_SWAP_006_007", FACT_DB_PHY_SWAP },
	{ "CRC_ATTRIBUTE_DEAD", FACT_DB_CRC_DEAD },
	{ "PENDING_FLICKERS", FACT_DB_PENDING_FLICKERS },
	{ "SMR", FACT_DB_SMR },
	{ "DRAMLESS", FACT_DB_DRAMLESS },
	{ "NOLPM", FACT_DB_NO_LPM },
	{ "NO_NCQ_TRIM", FACT_DB_NO_NCQ_TRIM },
	{ "NO_NCQ", FACT_DB_NO_NCQ },
	{ "ROTATION_RPM", FACT_DB_ROTATION },
	{ "INTERFACE_MBPS", FACT_DB_INTERFACE },
	{ "EXPECT_SEQ_MB_S", FACT_EXPECT_SEQ },
	{ "EXPECT_RAND4K_QD1_IOPS", FACT_EXPECT_RAND1 },
	{ "EXPECT_RAND4K_QD32_IOPS", FACT_EXPECT_RAND32 },
};

/* ATTR_197_MEANS and its like. */
static int add_attribute(struct expect *e, const char *rest)
{
	uint64_t id;

	if (str_take_u64(&rest, 10, &id) < 0 || id > 255)
		return 0;
	if (str_equal(rest, "_NAME"))
		return add_text(e, FACT_DB_ATTR_NAME, (uint32_t)id, 0);
	if (str_equal(rest, "_FORMAT"))
		return add_text(e, FACT_DB_ATTR_FORMAT, (uint32_t)id, 0);
	if (str_equal(rest, "_MEANS"))
		return add_text(e, FACT_DB_ATTR_MEANS, (uint32_t)id, 0);
	if (str_equal(rest, "_UNIT_BYTES"))
		return add_number(e, FACT_DB_ATTR_UNIT, (uint32_t)id);
	return 0;
}

/* STAT_PLACEHOLDER_06_018 */
static int add_placeholder(struct expect *e, const char *rest)
{
	uint64_t page, offset;

	if (str_take_u64(&rest, 16, &page) < 0 || *rest++ != '_' ||
	    str_take_u64(&rest, 16, &offset) < 0 || *rest || page > 255 || offset > 511)
		return 0;
	return add_text(e, FACT_DB_STAT_PLACEHOLDER, (uint32_t)page, (uint32_t)offset);
}

static int add_property(struct expect *e)
{
	const char *key = e->property->key, *rest;

	for (size_t i = 0; i < array_size(plain); i++) {
		if (!str_equal(plain[i].key, key))
			continue;
		return fact_get_info(plain[i].id)->type == FACT_TEXT
			       ? add_text(e, plain[i].id, 0, 0)
			       : add_number(e, plain[i].id, 0);
	}
	if (str_equal(key, "PHY_CONSTANT"))
		return add_hex_list(e, FACT_DB_PHY_CONSTANT);
	rest = str_after(key, "ATTR_");
	if (rest)
		return add_attribute(e, rest);
	rest = str_after(key, "STAT_PLACEHOLDER_");
	if (rest)
		return add_placeholder(e, rest);
	if (str_starts(key, "QUIRK"))
		return add_text(e, FACT_DB_QUIRK, e->n_quirks++, 0);
	if (str_starts(key, "FIRMWARE_BUG"))
		return add_text(e, FACT_DB_FIRMWARE_BUG, e->n_bugs++, 0);
	return 0;
}

static int add_match(struct expect *e, const struct drivedb *db, struct drive_id id)
{
	struct db_match match = { 0 };
	int r = drivedb_match(db, &id, &match);

	for (size_t i = 0; r == 0 && i < match.n; i++) {
		e->property = &match.items[i];
		r = add_property(e);
	}
	db_match_done(&match);
	return r;
}

int expect_drive(struct decode *d, struct drive *drive, const struct drivedb *db)
{
	struct expect e = { .d = d, .drive = drive };
	const char *bus = drive_text(drive, FACT_BUS, 0, 0);

	if (!drive->n_snapshots)
		return 0;
	e.snapshot = (uint32_t)(drive->n_snapshots - 1);
	return add_match(
		&e, db,
		(struct drive_id){ .bus = bus && !str_equal(bus, "sata") ? bus : "ata",
				   .model = drive_text(drive, FACT_MODEL, 0, 0),
				   .firmware = drive_text(drive, FACT_FIRMWARE, 0, 0) });
}
