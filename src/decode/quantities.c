/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One name for each quantity, whoever tells it: SMART attributes (meaning and packing by family,
 * from the database), device statistics, SCT. A value that cannot be what its place says gets a
 * doubt instead, so that the judge can name it and nobody counts with it.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "decode/part.h"
#include "drivedb/raw-format.h"

struct quantities {
	struct decode *d;
	struct drive *drive;
	uint64_t capacity_sectors; /* 0 when unknown */
	uint64_t sector_bytes;
	/* what was found: added to the drive at the end, since lookups need its facts sorted */
	struct fact *found;
	size_t n_found, cap_found;
};

static int add_from(struct quantities *q, struct fact f, const struct fact *source)
{
	struct fact *slot;

	f.snapshot = source->snapshot;
	f.origin = source->origin;
	f.trust = source->trust;
	slot = arena_push(q->d->arena, &q->found, &q->n_found, &q->cap_found,
			  sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	*slot = f;
	return 0;
}

static int add_doubt(struct quantities *q, enum fact_id id, const struct fact *source,
		     const char *why)
{
	return add_from(
		q,
		(struct fact){ .key = { id, source->key.i, source->key.j }, .text = why },
		source);
}

/*
 * smartctl's own names say what smartctl's database took an attribute for. One of these names
 * overrules our default meaning; a strange name in their place makes the default meaningless.
 */
static const struct {
	uint32_t id;
	const char *name;
	const char *means; /* NULL: as the default says */
} posted_names[] = {
	{ 5, "Reallocated_Sector_Ct", NULL },
	{ 5, "Reallocate_NAND_Blk_Cnt", NULL },
	{ 5, "Retired_Block_Count", NULL },
	{ 5, "Later_Bad_Block", NULL },
	{ 5, "Reallocated_Block_Count", NULL },
	{ 9, "Power_On_Hours", NULL },
	{ 9, "Power_On_Hours_and_Msec", NULL },
	{ 9, "Power_On_Seconds", NULL },
	{ 9, "Power_On_Minutes", NULL },
	{ 9, "Power_On_Half_Minutes", NULL },
	{ 10, "Spin_Retry_Count", NULL },
	{ 12, "Power_Cycle_Count", NULL },
	{ 187, "Reported_Uncorrect", NULL },
	{ 187, "Uncorrectable_Error_Cnt", NULL },
	{ 187, "Uncorrectable_ECC_Ct", NULL },
	{ 187, "Reported_UE_Counts", NULL },
	{ 188, "Command_Timeout", NULL },
	{ 190, "Airflow_Temperature_Cel", NULL },
	{ 190, "Temperature_Celsius", NULL },
	{ 190, "Temperature_Case", NULL },
	{ 190, "Drive_Temperature", NULL },
	{ 193, "Load_Cycle_Count", NULL },
	{ 194, "Temperature_Celsius", NULL },
	{ 194, "Temperature_Centigrade", NULL },
	{ 194, "Temperature_Internal", NULL },
	{ 194, "Drive_Temperature", NULL },
	{ 196, "Reallocated_Event_Count", NULL },
	{ 196, "Reallocated_Event_Ct", NULL },
	{ 197, "Current_Pending_Sector", NULL },
	{ 197, "Pending_Sector_Count", NULL },
	{ 197, "Total_Pending_Sectors", NULL },
	{ 197, "Current_Pending_ECC_Cnt", NULL },
	{ 197, "Bogus_Current_Pend_Sect", "ignore" },
	{ 198, "Offline_Uncorrectable", NULL },
	{ 198, "Total_Offl_Uncorrectabl", NULL },
	{ 199, "UDMA_CRC_Error_Count", NULL },
	{ 199, "CRC_Error_Count", NULL },
	{ 199, "SATA_CRC_Error_Count", NULL },
	{ 199, "UDMA_CRC_Error", NULL },
	{ 199, "SATA_CRC_Error", NULL },
};

static bool is_nameless(const char *name)
{
	return !name || str_starts(name, "Unknown_");
}

/* The quantity that an attribute tells, or NULL when nobody can say. */
static const char *meaning_of(const struct drive *drive, const struct fact *raw,
			      const char *from_database)
{
	const struct fact *f =
		drive_fact_at(drive, FACT_ATTR_NAME, raw->key.i, 0, raw->snapshot);
	const char *name = f ? f->text : NULL;
	bool listed = false;

	if (drive_text(drive, FACT_DB_FAMILY, 0, 0) || is_nameless(name))
		return from_database;
	for (size_t i = 0; i < array_size(posted_names); i++) {
		if (posted_names[i].id != raw->key.i)
			continue;
		listed = true;
		if (str_equal(posted_names[i].name, name))
			return posted_names[i].means ? posted_names[i].means
						     : from_database;
	}
	return listed ? NULL : from_database;
}

/* Formats that pack several numbers, or another unit, into the six raw bytes. */
enum unpack {
	UNPACK_NONE,
	UNPACK_WORD,
	UNPACK_LOW24,
	UNPACK_LOW32,
	UNPACK_BYTE,
	UNPACK_DIVIDE
};

static const struct {
	const char *format;
	enum unpack how;
	uint64_t by;
} formats[] = {
	{ "raw16", UNPACK_WORD, 0 },
	{ "raw16(raw16)", UNPACK_WORD, 0 },
	{ "raw16(avg16)", UNPACK_WORD, 0 },
	{ "raw24(raw8)", UNPACK_LOW24, 0 },
	{ "raw24/raw32", UNPACK_NONE, 0 },
	{ "tempminmax", UNPACK_BYTE, 0 },
	{ "temp10x", UNPACK_DIVIDE, 10 },
	{ "min2hour", UNPACK_DIVIDE, 60 },
	{ "halfmin2hour", UNPACK_DIVIDE, 120 },
	{ "sec2hour", UNPACK_DIVIDE, 3600 },
	{ "msec24hour32", UNPACK_LOW32, 0 },
};

/*
 * A tool that prints them as hex (skdump), or word by word (raw16 of smartctl), has not unpacked
 * them either.
 */
static bool is_packed(const struct fact *raw, const char *text)
{
	if (raw->trust == TRUST_BYTES || raw->trust == TRUST_UNCHECKED)
		return true;
	return text && ((str_starts(text, "0x") && strlen(text) == 14) ||
			(strchr(text, ' ') && !text[strspn(text, "0123456789 ")]));
}

/*
 * How it is packed where the database says nothing. A tool that printed the value has undone that;
 * six raw bytes of a drive have not been unpacked by anybody.
 */
static const char *usual_format(const struct fact *raw, const char *text)
{
	return is_packed(raw, text) ? raw_format_usual(raw->key.i) : NULL;
}

/*
 * The number in a raw value. A tool that knows the format prints it unpacked already: then the
 * text holds more than the plain number, or a unit, and its first number is taken as it is.
 */
static uint64_t unpack(const struct fact *raw, const char *text, const char *format)
{
	char plain[24];

	(void)snprintf(plain, sizeof(plain), "%llu", (unsigned long long)raw->u);
	if (!format || (text && !str_equal(text, plain) && !is_packed(raw, text)))
		return raw->u;
	for (size_t i = 0; i < array_size(formats); i++) {
		if (!str_equal(formats[i].format, format))
			continue;
		switch (formats[i].how) {
		case UNPACK_WORD:
			return raw->u & 0xffff;
		case UNPACK_LOW24:
			return raw->u & 0xffffff;
		case UNPACK_LOW32:
			return raw->u & 0xffffffff;
		case UNPACK_BYTE:
			return raw->u & 0xff;
		case UNPACK_DIVIDE:
			return raw->u / formats[i].by;
		case UNPACK_NONE:
			return raw->u;
		}
	}
	return raw->u;
}

/* NULL, or why U cannot be a count of this kind. */
static const char *doubt_of(const struct quantities *q, enum fact_id id, uint64_t u)
{
	struct count_limits limits = { .capacity_sectors = q->capacity_sectors };

	/* as far as they were derived: attribute 9 stands before those of sectors */
	for (size_t i = 0; i < q->n_found; i++)
		if (q->found[i].key.id == FACT_POWER_ON_HOURS)
			limits.hours_on = q->found[i].u;
	return doubt_count(&limits, id, u);
}

static bool is_text_of_temperature(enum fact_id id)
{
	return id == FACT_TEMPERATURE || id == FACT_TEMPERATURE_MAX;
}

static int add_temperature(struct quantities *q, enum fact_id id,
			   const struct fact *source, int64_t celsius)
{
	if (!is_celsius(celsius))
		return 0;
	return add_from(q, (struct fact){ .key = { id, 0, 0 }, .s = celsius }, source);
}

/* "0-15": the bits of a plain raw value that hold the quantity. */
static uint64_t take_bits(uint64_t raw, const char *bits)
{
	uint64_t low, high;

	if (!bits || str_take_u64(&bits, 10, &low) < 0 || *bits++ != '-' ||
	    str_take_u64(&bits, 10, &high) < 0 || high < low || high > 63)
		return raw;
	raw >>= low;
	return high - low == 63 ? raw : raw & ((UINT64_C(1) << (high - low + 1)) - 1);
}

/*
 * Where a quantity stands in an attribute. False when it is not there: values above 100 are not
 * on a scale of percent.
 */
static bool take_value(const struct quantities *q, const struct fact *raw, uint64_t *ret)
{
	static const struct {
		const char *from;
		enum fact_id id;
		uint64_t minus_from; /* 0: the number itself */
	} rows[] = {
		{ "value", FACT_ATTR_VALUE, 0 },
		{ "100-value", FACT_ATTR_VALUE, 100 },
		{ "200-value", FACT_ATTR_VALUE, 200 },
		{ "100-raw", FACT_ATTR_RAW, 100 },
	};
	uint32_t attr = raw->key.i;
	const char *from = drive_text(q->drive, FACT_DB_ATTR_FROM, attr, 0);
	const char *format = drive_text(q->drive, FACT_DB_ATTR_FORMAT, attr, 0);
	const char *bits = drive_text(q->drive, FACT_DB_ATTR_BITS, attr, 0);
	const struct fact *f;
	uint64_t starts;

	for (size_t i = 0; from && i < array_size(rows); i++) {
		if (!str_equal(rows[i].from, from))
			continue;
		f = drive_fact_at(q->drive, rows[i].id, attr, 0, raw->snapshot);
		if (!f || (rows[i].minus_from ? f->u > rows[i].minus_from : f->u > 100))
			return false;
		*ret = rows[i].minus_from ? rows[i].minus_from - f->u : f->u;
		return true;
	}
	f = drive_fact_at(q->drive, FACT_ATTR_RAW_TEXT, attr, 0, raw->snapshot);
	*ret = unpack(raw, f ? f->text : NULL,
		      format || bits ? format : usual_format(raw, f ? f->text : NULL));
	if (*ret == raw->u)
		*ret = take_bits(raw->u, bits);
	/* below it, the count of later firmware, which begins at 0 */
	if (drive_u64(q->drive, FACT_DB_ATTR_STARTS, attr, 0, &starts) && *ret >= starts)
		*ret -= starts;
	return true;
}

/* Bytes that one count stands for; 0 when nobody knows: absent rather than wrong. */
static uint64_t unit_of(const struct quantities *q, uint32_t attr)
{
	const char *unit = drive_text(q->drive, FACT_DB_ATTR_UNIT, attr, 0);
	uint64_t bytes;

	if (unit && str_equal(unit, "sector"))
		return q->sector_bytes;
	return unit && str_to_u64(unit, &bytes) == 0 ? bytes : 0;
}

static int add_attribute(struct quantities *q, enum fact_id id, const struct fact *raw)
{
	uint64_t unit, u;
	const char *why;

	if (!take_value(q, raw, &u))
		return 0;
	if (is_text_of_temperature(id))
		return add_temperature(q, id, raw, (int64_t)(u > 255 ? u & 0xff : u));
	why = doubt_of(q, id, u);
	if (why)
		return add_doubt(q, FACT_ATTR_DOUBT, raw, why);
	/* some drives count on beyond the 255 of the statistics page; a percentage has an end */
	if ((id == FACT_LIFE_LEFT && u > 100) || (id == FACT_LIFE_USED && u > 1000))
		return add_doubt(q, FACT_ATTR_DOUBT, raw, "no percentage");
	if (id == FACT_LBA_WRITTEN || id == FACT_LBA_READ) {
		unit = unit_of(q, raw->key.i);
		if (!unit || u > UINT64_MAX / unit)
			return 0;
		u *= unit;
	}
	return add_from(q, (struct fact){ .key = { id, 0, 0 }, .u = u }, raw);
}

static bool is_quantity(enum fact_id id)
{
	return id >= FACT_POWER_ON_HOURS && id <= FACT_SPIN_RETRIES;
}

static int derive_attributes(struct quantities *q)
{
	size_t n;
	const struct fact *raws = drive_facts(q->drive, FACT_ATTR_RAW, &n);

	for (size_t i = 0; i < n; i++) {
		const char *means = meaning_of(
			q->drive, &raws[i],
			drive_text(q->drive, FACT_DB_ATTR_MEANS, raws[i].key.i, 0));
		struct fact_key key;
		int r;

		if (!means || fact_parse_name(means, strlen(means), &key) < 0 ||
		    !is_quantity(key.id))
			continue;
		r = add_attribute(q, key.id, &raws[i]);
		if (r < 0)
			return r;
	}
	return 0;
}

enum statistic_unit {
	STATISTIC_COUNT,
	STATISTIC_SECTORS, /* logical ones: times their size */
	STATISTIC_PERCENT, /* normalised by nature, so most drives set flag N with it */
	STATISTIC_CELSIUS,
};

/* Device statistics that are one of the quantities. ACS-4 9.5, pages 01h to 07h. */
static const struct {
	uint32_t page, offset;
	enum fact_id id;
	enum statistic_unit unit;
} statistics[] = {
	{ 0x01, 0x008, FACT_POWER_CYCLES, STATISTIC_COUNT },
	{ 0x01, 0x010, FACT_POWER_ON_HOURS, STATISTIC_COUNT },
	{ 0x01, 0x018, FACT_LBA_WRITTEN, STATISTIC_SECTORS },
	{ 0x01, 0x028, FACT_LBA_READ, STATISTIC_SECTORS },
	{ 0x03, 0x020, FACT_REALLOCATED, STATISTIC_COUNT },
	{ 0x03, 0x018, FACT_LOAD_CYCLES, STATISTIC_COUNT },
	{ 0x04, 0x008, FACT_REPORTED_UNCORR, STATISTIC_COUNT },
	{ 0x05, 0x008, FACT_TEMPERATURE, STATISTIC_CELSIUS },
	{ 0x05, 0x020, FACT_TEMPERATURE_MAX, STATISTIC_CELSIUS },
	{ 0x05, 0x058, FACT_TEMPERATURE_LIMIT, STATISTIC_CELSIUS },
	{ 0x06, 0x008, FACT_HARDWARE_RESETS, STATISTIC_COUNT },
	{ 0x06, 0x018, FACT_CRC_ERRORS, STATISTIC_COUNT },
	{ 0x07, 0x008, FACT_LIFE_USED, STATISTIC_PERCENT },
};

/* Flag N: a normalised value, not a count. */
static bool is_normalised(const struct drive *drive, const struct fact *f)
{
	const struct fact *flags =
		drive_fact_at(drive, FACT_STAT_FLAGS, f->key.i, f->key.j, f->snapshot);

	return flags && strchr(flags->text, 'N');
}

static bool is_placeholder(const struct drive *drive, const struct fact *f)
{
	const char *known =
		drive_text(drive, FACT_DB_STAT_PLACEHOLDER, f->key.i, f->key.j);
	int64_t s;

	return known &&
	       (str_equal(known, "any") || (str_to_s64(known, &s) == 0 && s == f->s));
}

static int add_statistic(struct quantities *q, size_t row, const struct fact *f)
{
	enum fact_id id = statistics[row].id;
	const char *why;
	uint64_t u;

	if (statistics[row].unit == STATISTIC_CELSIUS)
		return add_temperature(q, id, f, f->s);
	if (f->s < 0)
		return add_doubt(q, FACT_STAT_DOUBT, f, "a count cannot be negative");
	if (statistics[row].unit != STATISTIC_PERCENT && is_normalised(q->drive, f))
		return add_doubt(q, FACT_STAT_DOUBT, f,
				 "flag N: a normalised value, no count");
	u = (uint64_t)f->s;
	why = doubt_of(q, id, u);
	if (why)
		return add_doubt(q, FACT_STAT_DOUBT, f, why);
	if (statistics[row].unit == STATISTIC_SECTORS) {
		if (!q->sector_bytes || u > UINT64_MAX / q->sector_bytes)
			return 0;
		u *= q->sector_bytes;
	}
	return add_from(q, (struct fact){ .key = { id, 0, 0 }, .u = u }, f);
}

static int derive_statistics(struct quantities *q)
{
	size_t n;
	const struct fact *stats = drive_facts(q->drive, FACT_STAT_VALUE, &n);
	int r = 0;

	for (size_t i = 0; r == 0 && i < n; i++) {
		if (is_placeholder(q->drive, &stats[i])) {
			r = add_doubt(q, FACT_STAT_DOUBT, &stats[i],
				      "this family reports this value whatever happens");
			continue;
		}
		for (size_t row = 0; r == 0 && row < array_size(statistics); row++)
			if (statistics[row].page == stats[i].key.i &&
			    statistics[row].offset == stats[i].key.j)
				r = add_statistic(q, row, &stats[i]);
	}
	return r;
}

/* SCT says the temperature of now better than the attribute; both are kept. */
static int derive_sct(struct quantities *q)
{
	static const struct {
		enum fact_id from, to;
	} rows[] = {
		{ FACT_SCT_TEMP, FACT_TEMPERATURE },
		{ FACT_SCT_LIFE_MAX, FACT_TEMPERATURE_MAX },
		{ FACT_SCT_REC_MAX, FACT_TEMPERATURE_LIMIT },
	};

	for (size_t i = 0; i < array_size(rows); i++) {
		const struct fact *f = drive_fact(q->drive, rows[i].from, 0, 0);
		int r;

		if (!f)
			continue;
		r = add_temperature(q, rows[i].to, f, f->s);
		if (r < 0)
			return r;
	}
	return 0;
}

int quantities_derive(struct decode *d, struct drive *drive)
{
	struct quantities q = { .d = d, .drive = drive };
	uint64_t capacity;
	int r;

	if (!drive_u64(drive, FACT_LOGICAL_SECTOR, 0, 0, &q.sector_bytes))
		q.sector_bytes = 0;
	if (drive_u64(drive, FACT_CAPACITY, 0, 0, &capacity))
		q.capacity_sectors = capacity / (q.sector_bytes ? q.sector_bytes : 512);
	r = derive_attributes(&q);
	if (r == 0)
		r = derive_statistics(&q);
	if (r == 0)
		r = derive_sct(&q);
	for (size_t i = 0; r == 0 && i < q.n_found; i++)
		r = drive_add_fact(d->the_case, drive, q.found[i]);
	return r;
}
