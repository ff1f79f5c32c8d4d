/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SCT, device statistics, pending defects, phy event counters. */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "render/smartctl-json.h"

/* --- SCT ----------------------------------------------------------------------------------------- */

/* "Active (0)" */
static void put_state(struct sc *s, struct json_object *o)
{
	const char *text = drive_text(s->d, FACT_SCT_STATE, 0, 0);
	const char *open = text ? strrchr(text, '(') : NULL;
	struct buf word cleanup_buf = { 0 };
	uint64_t code;

	if (!open || open < text + 2 || !sc_number_after(open, "(", &code))
		return;
	buf_add(&word, text, (size_t)(open - 1 - text));
	sc_put_coded(s, o, "device_state", &code, buf_text(&word));
	json_check(s->w, &word);
}

/* "01 00 ..." as numbers */
static void put_vendor(struct sc *s, struct json_object *o)
{
	const char *text = drive_text(s->d, FACT_SCT_VENDOR, 0, 0);
	struct json_object *array;
	uint64_t byte;

	if (!text)
		return;
	array = sc_array(s, o, "vendor_specific");
	while (str_take_u64(&text, 16, &byte) == 0) {
		json_append(s->w, array, json_object_new_uint64(byte & 0xff));
		while (*text == ' ')
			text++;
	}
}

#define PASSED 0xc24fu
#define FAILED 0x2cf4u

static void put_status(struct sc *s)
{
	static const struct sc_key celsius[] = {
		{ "current", FACT_SCT_TEMP },
		{ "power_cycle_min", FACT_SCT_CYCLE_MIN },
		{ "power_cycle_max", FACT_SCT_CYCLE_MAX },
		{ "lifetime_min", FACT_SCT_LIFE_MIN },
		{ "lifetime_max", FACT_SCT_LIFE_MAX },
		{ "op_limit_max", FACT_SCT_SPEC_MAX },
		{ "under_limit_count", FACT_SCT_UNDER },
		{ "over_limit_count", FACT_SCT_OVER },
	};
	struct json_object *o;
	uint64_t word;

	if (!drive_fact(s->d, FACT_SCT_VERSION, 0, 0))
		return;
	o = sc_object(s, s->top, "ata_sct_status");
	sc_put(s, o, "format_version", FACT_SCT_VERSION, 0, 0);
	sc_put(s, o, "sct_version", FACT_SCT_SPEC, 0, 0);
	put_state(s, o);
	sc_put_keys(s, sc_object(s, o, "temperature"), celsius, array_size(celsius));
	if (drive_u64(s->d, FACT_SCT_SMART_STATUS, 0, 0, &word) &&
	    (word == PASSED || word == FAILED))
		json_put_bool(s->w, sc_object(s, o, "smart_status"), "passed",
			      word == PASSED);
	put_vendor(s, o);
}

/* A ring, its newest value at the index: told oldest first, null where none was taken. */
static void put_samples(struct sc *s, struct json_object *o)
{
	struct json_object *table;
	uint64_t size, index;

	if (!drive_u64(s->d, FACT_SCT_HIST_SIZE, 0, 0, &size) || !size || size > 478 ||
	    !drive_u64(s->d, FACT_SCT_HIST_INDEX, 0, 0, &index))
		return;
	table = sc_array(s, o, "table");
	for (uint64_t i = 1; i <= size; i++) {
		uint32_t at = (uint32_t)((index + i) % size);
		const struct fact *f = drive_fact(s->d, FACT_SCT_HIST_TEMP, at, 0);

		json_append(s->w, table, f ? json_object_new_int64(f->s) : NULL);
	}
}

static void put_history(struct sc *s)
{
	static const struct sc_key limits[] = {
		{ "op_limit_min", FACT_SCT_REC_MIN },
		{ "op_limit_max", FACT_SCT_REC_MAX },
		{ "limit_min", FACT_SCT_LIMIT_MIN },
		{ "limit_max", FACT_SCT_LIMIT_MAX },
	};
	struct json_object *o;

	if (!drive_fact(s->d, FACT_SCT_HIST_VERSION, 0, 0))
		return;
	o = sc_object(s, s->top, "ata_sct_temperature_history");
	sc_put(s, o, "version", FACT_SCT_HIST_VERSION, 0, 0);
	sc_put(s, o, "sampling_period_minutes", FACT_SCT_HIST_SAMPLE, 0, 0);
	sc_put(s, o, "logging_interval_minutes", FACT_SCT_HIST_INTERVAL, 0, 0);
	sc_put_keys(s, sc_object(s, o, "temperature"), limits, array_size(limits));
	sc_put(s, o, "size", FACT_SCT_HIST_SIZE, 0, 0);
	sc_put(s, o, "index", FACT_SCT_HIST_INDEX, 0, 0);
	put_samples(s, o);
}

static void put_limits(struct sc *s)
{
	static const struct sc_key sides[] = { { "read", FACT_SCT_ERC_READ },
					       { "write", FACT_SCT_ERC_WRITE } };
	struct json_object *o = NULL;
	uint64_t limit;

	for (size_t i = 0; i < array_size(sides); i++) {
		struct json_object *side;

		if (!drive_u64(s->d, sides[i].id, 0, 0, &limit))
			continue;
		if (!o)
			o = sc_object(s, s->top, "ata_sct_erc");
		side = sc_object(s, o, sides[i].name);
		json_put_bool(s->w, side, "enabled", limit != 0);
		if (limit)
			json_put_u64(s->w, side, "deciseconds", limit);
	}
}

void sc_sct(struct sc *s)
{
	put_status(s);
	put_history(s);
	put_limits(s);
}

/* --- device statistics ------------------------------------------------------------------------------ */

#define STAT_VALID	0x40u
#define STAT_NORMALIZED 0x20u
#define STAT_DSN	0x10u
#define STAT_CONDITION	0x08u
#define STAT_OTHER	0x07u
#define STAT_SUPPORTED	0x80u

/* "N--": what a text had tells all but the bits that nobody knows. */
static uint64_t flags_of(const struct sc *s, uint32_t page, uint32_t offset)
{
	const char *text = drive_text(s->d, FACT_STAT_FLAGS, page, offset);
	uint64_t bits;

	if (drive_u64(s->d, FACT_STAT_FLAG_BITS, page, offset, &bits))
		return bits;
	return STAT_SUPPORTED |
	       (drive_fact(s->d, FACT_STAT_VALUE, page, offset) ? STAT_VALID : 0u) |
	       (text && strchr(text, 'N') ? STAT_NORMALIZED : 0u) |
	       (text && strchr(text, 'D') ? STAT_DSN : 0u) |
	       (text && strchr(text, 'C') ? STAT_CONDITION : 0u);
}

static void put_stat_flags(struct sc *s, struct json_object *in, uint64_t bits)
{
	struct json_object *o = sc_object(s, in, "flags");
	char text[] = { bits & STAT_VALID ? 'V' : '-', bits & STAT_NORMALIZED ? 'N' : '-',
			bits & STAT_DSN ? 'D' : '-',   bits & STAT_CONDITION ? 'C' : '-',
			bits & STAT_OTHER ? '+' : ' ', '\0' };

	json_put_u64(s->w, o, "value", bits);
	json_put_text(s->w, o, "string", text);
	json_put_bool(s->w, o, "valid", bits & STAT_VALID);
	json_put_bool(s->w, o, "normalized", bits & STAT_NORMALIZED);
	json_put_bool(s->w, o, "supports_dsn", bits & STAT_DSN);
	json_put_bool(s->w, o, "monitored_condition_met", bits & STAT_CONDITION);
	if (bits & STAT_OTHER)
		json_put_u64(s->w, o, "other", bits & STAT_OTHER);
}

static struct json_object *statistic(struct sc *s, struct fact_key key)
{
	struct json_object *o = json_new_object(s->w);

	json_put_u64(s->w, o, "offset", key.j);
	sc_put(s, o, "name", FACT_STAT_NAME, key.i, key.j);
	sc_put(s, o, "size", FACT_STAT_SIZE, key.i, key.j);
	sc_put(s, o, "value", FACT_STAT_VALUE, key.i, key.j);
	put_stat_flags(s, o, flags_of(s, key.i, key.j));
	return o;
}

/* ACS-4 table 206 */
static const char *page_name(uint32_t page)
{
	static const char *const names[] = {
		NULL,
		"General Statistics",
		"Free-Fall Statistics",
		"Rotating Media Statistics",
		"General Errors Statistics",
		"Temperature Statistics",
		"Transport Statistics",
		"Solid State Device Statistics",
	};

	return page < array_size(names) ? names[page] : NULL;
}

void sc_statistics(struct sc *s)
{
	struct json_object *pages = NULL, *page = NULL, *table = NULL;
	size_t n;
	const struct fact *rows = drive_facts(s->d, FACT_STAT_NAME, &n);

	for (size_t i = 0; i < n; i++) {
		struct fact_key key = rows[i].key;

		if (i && key.i == rows[i - 1].key.i && key.j == rows[i - 1].key.j)
			continue;
		if (!pages)
			pages = sc_array(s, sc_object(s, s->top, "ata_device_statistics"),
					 "pages");
		if (!page || key.i != rows[i - 1].key.i) {
			page = json_new_object(s->w);
			json_append(s->w, pages, page);
			json_put_u64(s->w, page, "number", key.i);
			if (page_name(key.i))
				json_put_text(s->w, page, "name", page_name(key.i));
			sc_put(s, page, "revision", FACT_STAT_REVISION, key.i, 0);
			table = sc_array(s, page, "table");
		}
		json_append(s->w, table, statistic(s, key));
	}
}

/* --- pending defects ----------------------------------------------------------------------------------- */

void sc_defects(struct sc *s)
{
	struct json_object *o, *table;
	uint64_t count, pages;

	if (!drive_u64(s->d, FACT_DEFECT_COUNT, 0, 0, &count))
		return;
	o = sc_object(s, s->top, "ata_pending_defects_log");
	/* 16 bytes each, one of them is the head */
	if (drive_u64(s->d, FACT_LOG_GPL, 0x0c, 0, &pages) && pages)
		json_put_u64(s->w, o, "size", pages * 32 - 1);
	json_put_u64(s->w, o, "count", count);
	if (!drive_fact(s->d, FACT_DEFECT_LBA, 0, 0))
		return;
	table = sc_array(s, o, "table");
	for (uint32_t i = 0; drive_fact(s->d, FACT_DEFECT_LBA, i, 0); i++) {
		struct json_object *row = json_new_object(s->w);

		sc_put(s, row, "lba", FACT_DEFECT_LBA, i, 0);
		sc_put(s, row, "power_on_hours", FACT_DEFECT_HOURS, i, 0);
		json_append(s->w, table, row);
	}
}

/* --- phy event counters ---------------------------------------------------------------------------------- */

/* Serial ATA 3.x 13.8.2 */
static const char *counter_name(uint32_t id)
{
	static const char *const names[] = {
		[0x01] = "Command failed due to ICRC error",
		[0x02] = "R_ERR response for data FIS",
		[0x03] = "R_ERR response for device-to-host data FIS",
		[0x04] = "R_ERR response for host-to-device data FIS",
		[0x05] = "R_ERR response for non-data FIS",
		[0x06] = "R_ERR response for device-to-host non-data FIS",
		[0x07] = "R_ERR response for host-to-device non-data FIS",
		[0x08] = "Device-to-host non-data FIS retries",
		[0x09] = "Transition from drive PhyRdy to drive PhyNRdy",
		[0x0a] = "Device-to-host register FISes sent due to a COMRESET",
		[0x0b] = "CRC errors within host-to-device FIS",
		[0x0d] = "Non-CRC errors within host-to-device FIS",
		[0x0f] = "R_ERR response for host-to-device data FIS, CRC",
		[0x10] = "R_ERR response for host-to-device data FIS, non-CRC",
		[0x12] = "R_ERR response for host-to-device non-data FIS, CRC",
		[0x13] = "R_ERR response for host-to-device non-data FIS, non-CRC",
	};

	if (id < array_size(names) && names[id])
		return names[id];
	return id & 0x8000 ? "Vendor specific" : "Unknown";
}

static struct json_object *counter(struct sc *s, uint32_t id)
{
	const char *name = drive_text(s->d, FACT_PHY_NAME, id, 0);
	struct json_object *o = json_new_object(s->w);

	json_put_u64(s->w, o, "id", id);
	json_put_text(s->w, o, "name", name ? name : counter_name(id));
	sc_put(s, o, "size", FACT_PHY_SIZE, id, 0);
	sc_put(s, o, "value", FACT_PHY_VALUE, id, 0);
	json_put_bool(s->w, o, "overflow", drive_flag(s->d, FACT_PHY_SATURATED, id));
	return o;
}

void sc_phy(struct sc *s)
{
	struct sc_rows rows = { 0 };
	struct json_object *o, *table;

	if (sc_rows_new(s->d, FACT_PHY_VALUE, &rows) < 0) {
		s->w->failed = true;
		return;
	}
	if (rows.n) {
		o = sc_object(s, s->top, "sata_phy_event_counters");
		table = sc_array(s, o, "table");
		for (size_t i = 0; i < rows.n; i++)
			json_append(s->w, table, counter(s, rows.items[i]->key.i));
		json_put_bool(s->w, o, "reset", false);
	}
	free(rows.items);
}
