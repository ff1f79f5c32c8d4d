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
	{ "OLD_DATA_SLOWS", FACT_DB_OLD_SLOW },
	{ "NO_NCQ_ON_ATI", FACT_DB_NO_NCQ_ATI },
	{ "FIRMWARE_BUG_HOURS", FACT_DB_BUG_HOURS },
	{ "FIRMWARE_BUG_MEDIA", FACT_DB_BUG_MEDIA },
	{ "DRAMLESS", FACT_DB_DRAMLESS },
	{ "NOLPM", FACT_DB_NO_LPM },
	{ "NO_NCQ_TRIM", FACT_DB_NO_NCQ_TRIM },
	{ "NO_NCQ", FACT_DB_NO_NCQ },
	{ "ROTATION_RPM", FACT_DB_ROTATION },
	{ "INTERFACE_MBPS", FACT_DB_INTERFACE },
	{ "EXPECT_SEQ_MB_S", FACT_EXPECT_SEQ },
	{ "EXPECT_OUTER_MB_S", FACT_EXPECT_OUTER },
	{ "EXPECT_RAND4K_QD1_IOPS", FACT_EXPECT_RAND1 },
	{ "EXPECT_RAND4K_QD32_IOPS", FACT_EXPECT_RAND32 },
	{ "HINT_SEQ_MB_S", FACT_HINT_SEQ },
	{ "HINT_OUTER_MB_S", FACT_HINT_OUTER },
	{ "HINT_RAND4K_QD1_IOPS", FACT_HINT_RAND1 },
	{ "HINT_RAND4K_QD32_IOPS", FACT_HINT_RAND32 },
	{ "HINT_MEDIA", FACT_HINT_MEDIA },
	{ "FLOOR_SEQ_MB_S", FACT_FLOOR_SEQ },
	{ "FLOOR_RAND4K_QD1_IOPS", FACT_FLOOR_RAND1 },
	{ "FLOOR_RAND4K_QD32_IOPS", FACT_FLOOR_RAND32 },
};

/* ATTR_197_MEANS and its like. */
static int add_attribute(struct expect *e, const char *rest)
{
	static const struct {
		const char *suffix;
		enum fact_id id;
	} rows[] = {
		{ "_NAME", FACT_DB_ATTR_NAME },	    { "_FORMAT", FACT_DB_ATTR_FORMAT },
		{ "_MEANS", FACT_DB_ATTR_MEANS },   { "_FROM", FACT_DB_ATTR_FROM },
		{ "_BITS", FACT_DB_ATTR_BITS },	    { "_UNIT_BYTES", FACT_DB_ATTR_UNIT },
		{ "_STARTS", FACT_DB_ATTR_STARTS },
	};
	uint64_t id;

	if (str_take_u64(&rest, 10, &id) < 0 || id > 255)
		return 0;
	for (size_t i = 0; i < array_size(rows); i++)
		if (str_equal(rest, rows[i].suffix))
			return fact_get_info(rows[i].id)->type == FACT_TEXT
				       ? add_text(e, rows[i].id, (uint32_t)id, 0)
				       : add_number(e, rows[i].id, (uint32_t)id);
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

/* What stands between drive and host: its own records, and a few of their properties count. */
static int add_path_property(struct expect *e, enum fact_id family, enum fact_id quirk)
{
	static const struct {
		const char *key;
		enum fact_id id;
	} flags[] = {
		{ "UAS_TROUBLE", FACT_DB_UAS_TROUBLE },
		{ "CORRUPTS", FACT_DB_CORRUPTS },
	};
	const char *key = e->property->key;

	if (str_equal(key, "FAMILY"))
		return add_text(e, family, 0, 0);
	if (str_starts(key, "QUIRK"))
		return add_text(e, quirk, e->n_quirks++, 0);
	for (size_t i = 0; i < array_size(flags); i++)
		if (str_equal(flags[i].key, key))
			return add_number(e, flags[i].id, 0);
	return 0;
}

/* "152d:0578" is written "152d-0578" in a record, since ":" ends a part of a match line. */
static const char *record_id(struct arena *a, const char *id)
{
	char *copy = arena_strdup(a, id);

	for (char *p = copy; p && *p; p++)
		*p = *p == ':' ? '-' : *p >= 'A' && *p <= 'F' ? (char)(*p + 32) : *p;
	return copy;
}

static const struct {
	const char *bus;
	enum fact_id from, family, quirk;
} paths[] = {
	{ "usb", FACT_USB_ID, FACT_DB_BRIDGE, FACT_DB_BRIDGE_QUIRK },
	{ "pci", FACT_CONTROLLER_ID, FACT_DB_CONTROLLER, FACT_DB_CONTROLLER_QUIRK },
	{ "hba", FACT_DRIVER, FACT_DB_CONTROLLER, FACT_DB_CONTROLLER_QUIRK },
};

int expect_path(struct decode *d, struct drive *drive, const struct drivedb *db)
{
	struct expect e = { .d = d, .drive = drive };
	int r = 0;

	if (!drive->n_snapshots)
		return 0;
	e.snapshot = (uint32_t)(drive->n_snapshots - 1);
	for (size_t i = 0; r == 0 && i < array_size(paths); i++) {
		const char *text = drive_text(drive, paths[i].from, 0, 0);
		struct db_match match = { 0 };
		struct drive_id id = { .bus = paths[i].bus, .firmware = "" };

		if (!text)
			continue;
		id.model = record_id(d->arena, text);
		if (!id.model)
			return -ENOMEM;
		r = drivedb_match(db, &id, &match);
		for (size_t k = 0; r == 0 && k < match.n; k++) {
			e.property = &match.items[k];
			r = add_path_property(&e, paths[i].family, paths[i].quirk);
		}
		db_match_done(&match);
	}
	return r;
}

/*
 * Class of a drive whose model nobody knows, from what it says of itself. Solid state drives
 * differ too much to guess more than the class of all of them.
 */
static const char *class_of(const struct drive *drive)
{
	const char *form = drive_text(drive, FACT_FORM_FACTOR, 0, 0);
	bool small = form && (str_starts(form, "2.5") || str_starts(form, "1.8"));
	uint64_t rpm;

	if (!drive_u64(drive, FACT_ROTATION, 0, 0, &rpm))
		return NULL;
	if (rpm == 0)
		return "ssd";
	if (rpm >= 9000)
		return rpm >= 14000 ? "hdd-15k" : "hdd-10k";
	if (small)
		return rpm >= 7000 ? "hdd-25-7200" : "hdd-25-5400";
	return rpm >= 7000 ? "hdd-7200" : "hdd-5400";
}

static int expect_on(struct expect *e, const struct drivedb *db, const char *bus)
{
	struct db_match match = { 0 };
	struct drive_id id = { .bus = bus,
			       .model = drive_text(e->drive, FACT_MODEL, 0, 0),
			       .firmware = drive_text(e->drive, FACT_FIRMWARE, 0, 0) };
	int r = drivedb_match_class(db, &id, class_of(e->drive), &match);

	for (size_t i = 0; r == 0 && i < match.n; i++) {
		e->property = &match.items[i];
		r = add_property(e);
	}
	db_match_done(&match);
	return r;
}

/* A SATA drive stays one behind a bridge or a SAS controller. */
static bool is_other_bus(const char *bus)
{
	return bus && (str_equal(bus, "nvme") || str_equal(bus, "scsi") ||
		       str_equal(bus, "sas"));
}

int expect_drive(struct decode *d, struct drive *drive, const struct drivedb *db)
{
	struct expect e = { .d = d, .drive = drive };
	const char *bus = drive_text(drive, FACT_BUS, 0, 0);
	int r;

	if (!drive->n_snapshots)
		return 0;
	e.snapshot = (uint32_t)(drive->n_snapshots - 1);
	r = expect_on(&e, db, is_other_bus(bus) ? bus : "ata");
	/* an excerpt of a SAS report names no transport: its model is on no list of the other */
	if (r == 0 && !bus && !drive_text(drive, FACT_ATA_VERSION, 0, 0))
		r = expect_on(&e, db, "scsi");
	return r < 0 ? r : expect_path(d, drive, db);
}
