/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SMART data: status, capabilities, attributes; and the numbers that programs read first. */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "render/smart-words.h"
#include "render/smartctl-json.h"

/* --- status and capabilities ------------------------------------------------------------------- */

static void put_offline(struct sc *s, struct json_object *data)
{
	struct json_object *o;
	uint64_t status;

	if (!drive_u64(s->d, FACT_OFFLINE_STATUS, 0, 0, &status))
		return;
	o = sc_object(s, data, "offline_data_collection");
	sc_put_coded(s, o, "status", &status, smart_offline_words(status));
	if ((status & 0x7f) == 2 || (status & 0x7f) == 6)
		json_put_bool(s->w, json_object_object_get(o, "status"), "passed",
			      (status & 0x7f) == 2);
	sc_put(s, o, "completion_seconds", FACT_OFFLINE_SECONDS, 0, 0);
}

static void put_execution(struct sc *s, struct json_object *o)
{
	struct json_object *made;
	uint64_t status, code;
	char text[40];

	if (!drive_u64(s->d, FACT_SELFTEST_STATUS, 0, 0, &status))
		return;
	code = status >> 4;
	sc_put_coded(s, o, "status", &status, smart_selftest_words(status, text));
	made = json_object_object_get(o, "status");
	if (code == 15)
		json_put_u64(s->w, made, "remaining_percent", (status & 15) * 10);
	else if (code == 0 || (code >= 4 && code <= 8))
		json_put_bool(s->w, made, "passed", code == 0);
}

static void put_selftest(struct sc *s, struct json_object *data)
{
	struct json_object *o, *minutes;

	if (!drive_fact(s->d, FACT_SELFTEST_STATUS, 0, 0) &&
	    !drive_fact(s->d, FACT_SHORT_MINUTES, 0, 0))
		return;
	o = sc_object(s, data, "self_test");
	put_execution(s, o);
	if (!drive_fact(s->d, FACT_SHORT_MINUTES, 0, 0))
		return;
	minutes = sc_object(s, o, "polling_minutes");
	sc_put(s, minutes, "short", FACT_SHORT_MINUTES, 0, 0);
	sc_put(s, minutes, "extended", FACT_EXTENDED_MINUTES, 0, 0);
	sc_put(s, minutes, "conveyance", FACT_CONVEYANCE_MINUTES, 0, 0);
}

/* Off-line capability, byte 367, and error logging capability, byte 370 (ATA8-ACS table 62). */
static void put_capabilities(struct sc *s, struct json_object *data)
{
	static const struct sc_bit bits[] = {
		{ 0, "exec_offline_immediate_supported" },
		{ 2, "offline_is_aborted_upon_new_cmd" },
		{ 3, "offline_surface_scan_supported" },
		{ 4, "self_tests_supported" },
		{ 5, "conveyance_self_test_supported" },
		{ 6, "selective_self_test_supported" },
	};
	uint64_t offline, smart = 0, logging = 0;
	struct json_object *o, *values;

	if (!drive_u64(s->d, FACT_OFFLINE_CAPABILITY, 0, 0, &offline))
		return;
	(void)drive_u64(s->d, FACT_SMART_CAPABILITY, 0, 0, &smart);
	(void)drive_u64(s->d, FACT_ERRORLOG_CAPABILITY, 0, 0, &logging);
	o = sc_object(s, data, "capabilities");
	values = sc_array(s, o, "values");
	json_append(s->w, values, json_object_new_uint64(offline));
	json_append(s->w, values, json_object_new_uint64(smart));
	if (offline)
		sc_put_bits(s, o, bits, array_size(bits), offline);
	if (smart & 3)
		json_put_bool(s->w, o, "attribute_autosave_enabled", (smart >> 1) & 1);
	if (drive_fact(s->d, FACT_ERRORLOG_CAPABILITY, 0, 0))
		json_put_bool(s->w, o, "error_logging_supported",
			      (logging & 1) || drive_flag(s->d, FACT_ERROR_LOGGING, 0));
	sc_put(s, o, "gp_logging_supported", FACT_GP_LOGGING, 0, 0);
}

static void put_sct_capability(struct sc *s)
{
	static const struct sc_bit bits[] = {
		{ 3, "error_recovery_control_supported" },
		{ 4, "feature_control_supported" },
		{ 5, "data_table_supported" },
	};
	struct json_object *o;
	uint64_t word;

	if (!drive_u64(s->d, FACT_SCT_CAPABILITY, 0, 0, &word) || !(word & 1))
		return;
	o = sc_object(s, s->top, "ata_sct_capabilities");
	json_put_u64(s->w, o, "value", word);
	sc_put_bits(s, o, bits, array_size(bits), word);
}

void sc_smart_data(struct sc *s)
{
	struct json_object *o;

	if (drive_fact(s->d, FACT_SMART_PASSED, 0, 0))
		sc_put(s, sc_object(s, s->top, "smart_status"), "passed",
		       FACT_SMART_PASSED, 0, 0);
	if (drive_fact(s->d, FACT_OFFLINE_STATUS, 0, 0)) {
		o = sc_object(s, s->top, "ata_smart_data");
		put_offline(s, o);
		put_selftest(s, o);
		put_capabilities(s, o);
	}
	put_sct_capability(s);
}

/* --- attributes ------------------------------------------------------------------------------------ */

static const struct sc_bit flag_bits[] = {
	{ 0, "prefailure" }, { 1, "updated_online" }, { 2, "performance" },
	{ 3, "error_rate" }, { 4, "event_count" },    { 5, "auto_keep" },
};

#define FLAGS_KNOWN 0x3fu

static void put_flags(struct sc *s, struct json_object *in, uint32_t id)
{
	struct json_object *o;
	char text[8];
	uint64_t flags;

	if (!drive_u64(s->d, FACT_ATTR_FLAGS, id, 0, &flags))
		return;
	smart_flag_letters(flags, text);
	o = sc_object(s, in, "flags");
	json_put_u64(s->w, o, "value", flags);
	json_put_text(s->w, o, "string", text);
	sc_put_bits(s, o, flag_bits, array_size(flag_bits), flags);
	if (flags & ~(uint64_t)FLAGS_KNOWN)
		json_put_u64(s->w, o, "other", flags & ~(uint64_t)FLAGS_KNOWN);
}

static uint64_t byte_of(const struct sc *s, enum fact_id id, uint32_t attr)
{
	uint64_t u;

	return drive_u64(s->d, id, attr, 0, &u) ? u & 0xff : 0;
}

/* Some formats take bytes beside the six raw ones into the number, see smartctl(8), -v. */
static uint64_t wide_value(const struct sc *s, uint32_t attr, uint64_t raw)
{
	static const struct {
		const char *format;
		bool three; /* value and worst as well */
	} rows[] = { { "raw56", false },       { "hex56", false },
		     { "raw24/raw32", false }, { "msec24hour32", false },
		     { "raw64", true },	       { "hex64", true } };
	const char *format = drive_text(s->d, FACT_DB_ATTR_FORMAT, attr, 0);

	if (!drive_fact(s->d, FACT_ATTR_RESERVED, attr, 0))
		return raw;
	for (size_t i = 0; i < array_size(rows); i++) {
		if (!str_equal(rows[i].format, format))
			continue;
		return rows[i].three
			       ? raw << 16 | byte_of(s, FACT_ATTR_WORST, attr) << 8 |
					 byte_of(s, FACT_ATTR_VALUE, attr)
			       : raw | byte_of(s, FACT_ATTR_RESERVED, attr) << 48;
	}
	return raw;
}

static void put_raw(struct sc *s, struct json_object *in, uint32_t id)
{
	const struct fact *negative = drive_fact(s->d, FACT_ATTR_RAW_SIGNED, id, 0);
	struct json_object *o;
	uint64_t raw;

	if (!drive_u64(s->d, FACT_ATTR_RAW, id, 0, &raw) && !negative &&
	    !drive_fact(s->d, FACT_ATTR_RAW_TEXT, id, 0))
		return;
	o = sc_object(s, in, "raw");
	if (drive_u64(s->d, FACT_ATTR_RAW, id, 0, &raw))
		json_put_u64(s->w, o, "value", wide_value(s, id, raw));
	else if (negative)
		json_put_s64(s->w, o, "value", negative->s);
	sc_put(s, o, "string",
	       drive_fact(s->d, FACT_SMARTCTL_TEXT, id, 0) ? FACT_SMARTCTL_TEXT
							   : FACT_ATTR_RAW_TEXT,
	       id, 0);
}

/* What everybody calls these; all others are known to the database of smartctl only. */
static const struct {
	uint32_t id;
	const char *name;
} usual_names[] = {
	{ 1, "Raw_Read_Error_Rate" },	    { 3, "Spin_Up_Time" },
	{ 4, "Start_Stop_Count" },	    { 5, "Reallocated_Sector_Ct" },
	{ 7, "Seek_Error_Rate" },	    { 9, "Power_On_Hours" },
	{ 10, "Spin_Retry_Count" },	    { 12, "Power_Cycle_Count" },
	{ 187, "Reported_Uncorrect" },	    { 188, "Command_Timeout" },
	{ 190, "Airflow_Temperature_Cel" }, { 193, "Load_Cycle_Count" },
	{ 194, "Temperature_Celsius" },	    { 196, "Reallocated_Event_Count" },
	{ 197, "Current_Pending_Sector" },  { 198, "Offline_Uncorrectable" },
	{ 199, "UDMA_CRC_Error_Count" },    { 241, "Total_LBAs_Written" },
	{ 242, "Total_LBAs_Read" },
};

static const char *attribute_name(const struct sc *s, uint32_t id)
{
	static const enum fact_id names[] = { FACT_ATTR_NAME, FACT_SMARTCTL_NAME };
	/* by now its database was asked, or there is none */
	bool asked = drive_fact(s->d, FACT_IN_SMARTCTL_DB, 0, 0) != NULL;

	for (size_t i = 0; i < array_size(names); i++)
		if (drive_fact(s->d, names[i], id, 0))
			return drive_text(s->d, names[i], id, 0);
	for (size_t i = 0; !asked && i < array_size(usual_names); i++)
		if (usual_names[i].id == id)
			return usual_names[i].name;
	return "Unknown_Attribute";
}

static struct json_object *attribute(struct sc *s, uint32_t id)
{
	struct json_object *o = json_new_object(s->w);

	json_put_u64(s->w, o, "id", id);
	json_put_text(s->w, o, "name", attribute_name(s, id));
	sc_put(s, o, "value", FACT_ATTR_VALUE, id, 0);
	sc_put(s, o, "worst", FACT_ATTR_WORST, id, 0);
	sc_put(s, o, "thresh", FACT_ATTR_THRESHOLD, id, 0);
	sc_put(s, o, "when_failed", FACT_ATTR_WHEN_FAILED, id, 0);
	put_flags(s, o, id);
	put_raw(s, o, id);
	return o;
}

void sc_attributes(struct sc *s)
{
	struct sc_rows rows = { 0 };
	struct json_object *o, *table;

	if (sc_rows_new(s->d, FACT_ATTR_VALUE, &rows) < 0) {
		s->w->failed = true;
		return;
	}
	if (rows.n) {
		o = sc_object(s, s->top, "ata_smart_attributes");
		sc_put(s, o, "revision", FACT_ATTR_REVISION, 0, 0);
		table = sc_array(s, o, "table");
		for (size_t i = 0; i < rows.n; i++)
			json_append(s->w, table, attribute(s, rows.items[i]->key.i));
	}
	free(rows.items);
}

/* --- what programs read first ------------------------------------------------------------------------ */

/* A statistic that is none of those which cannot be counts. */
static const struct fact *statistic(const struct sc *s, uint32_t page, uint32_t offset)
{
	const struct fact *f = drive_fact(s->d, FACT_STAT_VALUE, page, offset);

	return drive_fact(s->d, FACT_STAT_DOUBT, page, offset) ? NULL : f;
}

/* 0 and what no drive survives is what one without a sensor says. */
static bool is_temperature(int64_t celsius)
{
	return celsius > -60 && celsius != 0 && celsius <= 120;
}

/* Statistics before SCT before the attribute: the last one that smartctl reads wins there. */
static void put_temperature(struct sc *s)
{
	static const struct {
		const char *key;
		uint32_t offset; /* of page 05h, ACS-4 table 211; 0: none */
		enum fact_id sct, other;
		bool minutes;
	} rows[] = {
		{ "current", 0x08, FACT_SCT_TEMP, FACT_TEMPERATURE, false },
		{ "power_cycle_min", 0, FACT_SCT_CYCLE_MIN, FACT_COUNT, false },
		{ "power_cycle_max", 0, FACT_SCT_CYCLE_MAX, FACT_COUNT, false },
		{ "lifetime_min", 0x28, FACT_SCT_LIFE_MIN, FACT_COUNT, false },
		{ "lifetime_max", 0x20, FACT_SCT_LIFE_MAX, FACT_COUNT, false },
		{ "op_limit_min", 0x68, FACT_SCT_REC_MIN, FACT_COUNT, false },
		{ "op_limit_max", 0x58, FACT_SCT_REC_MAX, FACT_SCT_SPEC_MAX, false },
		{ "limit_min", 0, FACT_SCT_LIMIT_MIN, FACT_COUNT, false },
		{ "limit_max", 0, FACT_SCT_LIMIT_MAX, FACT_COUNT, false },
		{ "lifetime_over_limit_minutes", 0x50, FACT_COUNT, FACT_COUNT, true },
		{ "lifetime_under_limit_minutes", 0x60, FACT_COUNT, FACT_COUNT, true },
	};
	struct json_object *o = NULL;

	for (size_t i = 0; i < array_size(rows); i++) {
		const struct fact *f =
			rows[i].offset ? statistic(s, 5, rows[i].offset) : NULL;

		if (f && !rows[i].minutes && !is_temperature(f->s))
			f = NULL;
		if (!f && rows[i].sct != FACT_COUNT)
			f = drive_fact(s->d, rows[i].sct, 0, 0);
		if (!f && rows[i].other != FACT_COUNT)
			f = drive_fact(s->d, rows[i].other, 0, 0);
		if (!f || (!rows[i].minutes && !is_temperature(f->s)))
			continue;
		if (!o)
			o = sc_object(s, s->top, "temperature");
		json_put_s64(s->w, o, rows[i].key, f->s);
	}
}

/* Nobody has had a drive for longer. */
#define MOST_HOURS 200000u

/* "26035h+17m+34.562s": smartctl's database may know how this attribute counts. */
static bool hours_of_text(const struct sc *s, uint64_t *ret_hours, uint64_t *ret_minutes)
{
	const char *name = drive_text(s->d, FACT_SMARTCTL_NAME, 9, 0);
	const char *text = drive_text(s->d, FACT_SMARTCTL_TEXT, 9, 0);

	if (!text)
		text = drive_text(s->d, FACT_ATTR_RAW_TEXT, 9, 0);
	if (!text || (name && !str_starts(name, "Power_On_")) || !strstr(text, "h+"))
		return false;
	return sc_number_after(text, "h+", ret_minutes) && *ret_minutes < 60 &&
	       str_take_u64(&text, 10, ret_hours) == 0 && *ret_hours <= MOST_HOURS;
}

static void put_hours(struct sc *s)
{
	const struct fact *f = statistic(s, 1, 0x10);
	struct json_object *o;
	uint64_t hours = 0, minutes = 60;
	bool has_text = hours_of_text(s, &hours, &minutes);

	if (!f || f->s < 0)
		f = has_text ? NULL : drive_fact(s->d, FACT_POWER_ON_HOURS, 0, 0);
	if (!f && !has_text)
		return;
	o = sc_object(s, s->top, "power_on_time");
	json_put_u64(s->w, o, "hours", f ? f->u : hours);
	if (has_text)
		json_put_u64(s->w, o, "minutes", minutes);
}

void sc_summary(struct sc *s)
{
	const struct fact *cycles = statistic(s, 1, 0x08);

	put_temperature(s);
	if (!cycles || cycles->s < 0)
		cycles = drive_fact(s->d, FACT_POWER_CYCLES, 0, 0);
	if (cycles)
		json_put_u64(s->w, s->top, "power_cycle_count", cycles->u);
	put_hours(s);
}
