/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists of the drive (attributes, logs, statistics ...): one row here is one key of the document.
 * A new list is a row of tables[] with its columns.
 */
#include <stdlib.h>

#include "render/json-tables.h"

static const struct json_column attribute_columns[] = {
	{ "name", FACT_ATTR_NAME },
	{ "flags", FACT_ATTR_FLAGS },
	{ "value", FACT_ATTR_VALUE },
	{ "worst", FACT_ATTR_WORST },
	{ "threshold", FACT_ATTR_THRESHOLD },
	{ "raw", FACT_ATTR_RAW },
	{ "raw_text", FACT_ATTR_RAW_TEXT },
	{ "when_failed", FACT_ATTR_WHEN_FAILED },
	{ "raw_signed", FACT_ATTR_RAW_SIGNED },
	{ "database_name", FACT_DB_ATTR_NAME },
	{ "means", FACT_DB_ATTR_MEANS },
	{ "doubt", FACT_ATTR_DOUBT },
};

static const struct json_column self_test_columns[] = {
	{ "number", FACT_SELFTEST_NUMBER },
	{ "type", FACT_SELFTEST_TYPE },
	{ "result", FACT_SELFTEST_RESULT },
	{ "remaining_percent", FACT_SELFTEST_REMAINING },
	{ "power_on_hours", FACT_SELFTEST_HOURS },
	{ "lba", FACT_SELFTEST_LBA },
	{ "segment", FACT_SELFTEST_SEGMENT },
	{ "sense", FACT_SELFTEST_SENSE },
	{ "namespace", FACT_SELFTEST_NAMESPACE },
};

static const struct json_column span_columns[] = {
	{ "min_lba", FACT_SELECTIVE_MIN },
	{ "max_lba", FACT_SELECTIVE_MAX },
	{ "status", FACT_SELECTIVE_STATUS },
};

static const struct json_column statistics_columns[] = {
	{ "name", FACT_STAT_NAME },
	{ "value", FACT_STAT_VALUE },
	{ "size", FACT_STAT_SIZE },
	{ "flags", FACT_STAT_FLAGS },
	{ "placeholder", FACT_DB_STAT_PLACEHOLDER },
	{ "doubt", FACT_STAT_DOUBT },
};

static const struct json_column defect_columns[] = {
	{ "lba", FACT_DEFECT_LBA },
	{ "power_on_hours", FACT_DEFECT_HOURS },
};

static const struct json_column temperature_columns[] = {
	{ "celsius", FACT_SCT_HIST_TEMP },
};

static const struct json_column log_columns[] = {
	{ "name", FACT_LOG_NAME },
	{ "access", FACT_LOG_ACCESS },
	{ "gpl_sectors", FACT_LOG_GPL },
	{ "smart_sectors", FACT_LOG_SMART },
};

static const struct json_column disk_columns[] = {
	{ "name", FACT_DISK_NAME },
	{ "batch", FACT_DISK_BATCH },
	{ "aggregate", FACT_DISK_AGGREGATE },
	{ "reads", FACT_DISK_READS },
	{ "writes", FACT_DISK_WRITES },
	{ "read_merges", FACT_DISK_READ_MERGES },
	{ "write_merges", FACT_DISK_WRITE_MERGES },
	{ "read_ms", FACT_DISK_READ_MS },
	{ "write_ms", FACT_DISK_WRITE_MS },
	{ "queue_ms", FACT_DISK_QUEUE_MS },
	{ "util_ppm", FACT_DISK_UTIL },
};

static const struct json_column setting_columns[] = { { "text", FACT_SETTING } };
static const struct json_column farm_columns[] = { { "text", FACT_FARM } };
static const struct json_column quirk_columns[] = { { "text", FACT_DB_QUIRK } };
static const struct json_column bug_columns[] = { { "text", FACT_DB_FIRMWARE_BUG } };
static const struct json_column section_columns[] = { { "text", FACT_POSTED_SECTION } };
static const struct json_column warning_columns[] = { { "text", FACT_POSTED_WARNING } };

static const struct json_table tables[] = {
	{ .key = "attributes",
	  .first_key = "id",
	  .first = FACT_ATTR_NAME,
	  .last = FACT_ATTR_WHEN_FAILED,
	  COLUMNS(attribute_columns) },
	{ .key = "self_tests",
	  .first = FACT_SELFTEST_NUMBER,
	  .last = FACT_SELFTEST_LBA,
	  COLUMNS(self_test_columns) },
	{ .key = "selective_spans",
	  .first_key = "span",
	  .first = FACT_SELECTIVE_MIN,
	  .last = FACT_SELECTIVE_STATUS,
	  COLUMNS(span_columns) },
	{ .key = "statistics",
	  .first_key = "page",
	  .second_key = "offset",
	  .first = FACT_STAT_VALUE,
	  .last = FACT_STAT_SIZE,
	  COLUMNS(statistics_columns) },
	{ .key = "pending_defects",
	  .first = FACT_DEFECT_HOURS,
	  .last = FACT_DEFECT_LBA,
	  COLUMNS(defect_columns) },
	{ .key = "temperature_history",
	  .first_key = "index",
	  ONE_FACT(SCT_HIST_TEMP),
	  COLUMNS(temperature_columns) },
	{ .key = "log_directory",
	  .first_key = "address",
	  .hex = true,
	  .first = FACT_LOG_GPL,
	  .last = FACT_LOG_NAME,
	  COLUMNS(log_columns) },
	{ .key = "disks",
	  .first = FACT_DISK_NAME,
	  .last = FACT_DISK_UTIL,
	  COLUMNS(disk_columns) },
	{ .key = "settings", ONE_FACT(SETTING), COLUMNS(setting_columns) },
	{ .key = "farm", ONE_FACT(FARM), COLUMNS(farm_columns) },
	{ .key = "quirks", ONE_FACT(DB_QUIRK), COLUMNS(quirk_columns) },
	{ .key = "firmware_bugs", ONE_FACT(DB_FIRMWARE_BUG), COLUMNS(bug_columns) },
	{ .key = "posted_sections", ONE_FACT(POSTED_SECTION), COLUMNS(section_columns) },
	{ .key = "posted_warnings", ONE_FACT(POSTED_WARNING), COLUMNS(warning_columns) },
};

static struct json_object *one_row(struct json_writer *w, const struct drive *d,
				   const struct json_table *t, struct instance at)
{
	struct json_object *o = json_new_object(w);
	char text[24];

	if (t->first_key)
		json_put_u64(w, o, t->first_key, at.i);
	if (t->hex) {
		(void)snprintf(text, sizeof(text), "0x%02x", at.i);
		json_put_text(w, o, "hex", text);
	}
	if (t->second_key)
		json_put_u64(w, o, t->second_key, at.j);
	for (size_t k = 0; k < t->n_columns; k++)
		json_put_drive_fact(w, o, t->columns[k].key, d, t->columns[k].id, at.i,
				    at.j);
	return o;
}

/* A list of single texts is a list of strings. */
static struct json_object *one_item(struct json_writer *w, const struct drive *d,
				    const struct json_table *t, struct instance at)
{
	if (t->n_columns == 1 && !t->first_key)
		return json_new_text(w, drive_text(d, t->columns[0].id, at.i, at.j));
	return one_row(w, d, t, at);
}

static struct json_object *table_array(struct json_writer *w, const struct drive *d,
				       const struct json_table *t)
{
	struct json_object *array = json_new_array(w);
	struct instance *rows = NULL;
	size_t n = 0;

	if (json_instances(d, t->first, t->last, t->second_key != NULL, &rows, &n) < 0)
		w->failed = true;
	for (size_t k = 0; k < n; k++)
		json_append(w, array, one_item(w, d, t, rows[k]));
	free(rows);
	return array;
}

static const struct json_column error_columns[] = {
	{ "number", FACT_ERROR_NUMBER }, { "power_on_hours", FACT_ERROR_HOURS },
	{ "state", FACT_ERROR_STATE },	 { "error", FACT_ERROR_ERROR },
	{ "status", FACT_ERROR_STATUS }, { "count", FACT_ERROR_COUNTREG },
	{ "lba", FACT_ERROR_LBA },	 { "device", FACT_ERROR_DEVICE },
	{ "text", FACT_ERROR_TEXT },
};

static const struct json_table error_table = {
	.first = FACT_ERROR_NUMBER,
	.last = FACT_ERROR_COMMAND,
	COLUMNS(error_columns),
};

static struct json_object *commands_of(struct json_writer *w, const struct drive *d,
				       uint32_t i)
{
	struct json_object *array = json_new_array(w);
	struct json_range r = json_range(d, FACT_ERROR_COMMAND, i);

	for (size_t k = 0; k < r.n; k++)
		if (!k || r.facts[k].key.j != r.facts[k - 1].key.j)
			json_append(w, array, json_new_text(w, r.facts[k].text));
	return array;
}

static struct json_object *error_log(struct json_writer *w, const struct drive *d)
{
	struct json_object *o = json_new_object(w), *array = json_new_array(w);
	struct instance *rows = NULL;
	size_t n = 0;

	if (json_instances(d, error_table.first, error_table.last, false, &rows, &n) < 0)
		w->failed = true;
	json_put_drive_fact(w, o, "log", d, FACT_ERRORLOG_READ, 0, 0);
	json_put_drive_fact(w, o, "count", d, FACT_ERROR_COUNT, 0, 0);
	for (size_t k = 0; k < n; k++) {
		struct json_object *row = one_row(w, d, &error_table, rows[k]);

		json_put(w, row, "commands", commands_of(w, d, rows[k].i));
		json_append(w, array, row);
	}
	json_put(w, o, "entries", array);
	free(rows);
	return o;
}

void json_put_tables(struct json_writer *w, struct json_object *o, const struct drive *d)
{
	for (size_t k = 0; k < array_size(tables); k++)
		json_put(w, o, tables[k].key, table_array(w, d, &tables[k]));
	for (size_t k = 0; k < json_other_count; k++)
		json_put(w, o, json_other_tables[k].key,
			 table_array(w, d, &json_other_tables[k]));
	json_put(w, o, "error_log", error_log(w, d));
}
