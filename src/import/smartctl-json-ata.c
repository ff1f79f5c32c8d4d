/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ATA reports: capabilities, attributes, SCT. The logs are in smartctl-json-logs.c. */
#include <string.h>

#include "base/str.h"
#include "import/smartctl-json.h"
#include "import/smartctl.h"

static const struct json_row single[] = {
	{ "ata_smart_data.offline_data_collection.status.value", FACT_OFFLINE_STATUS },
	{ "ata_smart_data.offline_data_collection.completion_seconds",
	  FACT_OFFLINE_SECONDS },
	{ "ata_smart_data.self_test.status.value", FACT_SELFTEST_STATUS },
	{ "ata_smart_data.self_test.polling_minutes.short", FACT_SHORT_MINUTES },
	{ "ata_smart_data.self_test.polling_minutes.extended", FACT_EXTENDED_MINUTES },
	{ "ata_smart_data.self_test.polling_minutes.conveyance",
	  FACT_CONVEYANCE_MINUTES },
	{ "ata_sct_capabilities.value", FACT_SCT_CAPABILITY },
	{ "ata_smart_attributes.revision", FACT_ATTR_REVISION },
	{ "ata_sct_status.format_version", FACT_SCT_VERSION },
	{ "ata_sct_status.sct_version", FACT_SCT_SPEC },
	{ "ata_sct_status.temperature.current", FACT_SCT_TEMP },
	{ "ata_sct_status.temperature.power_cycle_min", FACT_SCT_CYCLE_MIN },
	{ "ata_sct_status.temperature.power_cycle_max", FACT_SCT_CYCLE_MAX },
	{ "ata_sct_status.temperature.lifetime_min", FACT_SCT_LIFE_MIN },
	{ "ata_sct_status.temperature.lifetime_max", FACT_SCT_LIFE_MAX },
	{ "ata_sct_status.temperature.op_limit_max", FACT_SCT_SPEC_MAX },
	{ "ata_sct_status.temperature.under_limit_count", FACT_SCT_UNDER },
	{ "ata_sct_status.temperature.over_limit_count", FACT_SCT_OVER },
	{ "ata_sct_temperature_history.version", FACT_SCT_HIST_VERSION },
	{ "ata_sct_temperature_history.sampling_period_minutes", FACT_SCT_HIST_SAMPLE },
	{ "ata_sct_temperature_history.logging_interval_minutes",
	  FACT_SCT_HIST_INTERVAL },
	{ "ata_sct_temperature_history.temperature.op_limit_min", FACT_SCT_REC_MIN },
	{ "ata_sct_temperature_history.temperature.op_limit_max", FACT_SCT_REC_MAX },
	{ "ata_sct_temperature_history.temperature.limit_min", FACT_SCT_LIMIT_MIN },
	{ "ata_sct_temperature_history.temperature.limit_max", FACT_SCT_LIMIT_MAX },
	{ "ata_sct_temperature_history.size", FACT_SCT_HIST_SIZE },
	{ "ata_sct_temperature_history.index", FACT_SCT_HIST_INDEX },
	{ NULL, FACT_COUNT },
};

/* What it stands in its own clock's words; the text has it with the number behind. */
static void read_state(struct json_report *r, struct json_node root)
{
	struct json_node n = sj_node_path(r, root, "ata_sct_status.device_state");
	const char *text = sj_node_text(sj_node_get(r, n, "string"));
	struct buf b cleanup_buf = { 0 };
	uint64_t value;

	if (!text || !sj_node_u64(sj_node_get(r, n, "value"), &value))
		return;
	buf_printf(&b, "%s (%llu)", text, (unsigned long long)value);
	sj_put_text(r, FACT_SCT_STATE, 0, 0, buf_text(&b), n);
}

/* The two words of which the text prints every bit. */
static void read_capabilities(struct json_report *r, struct json_node root)
{
	static const enum fact_id ids[] = { FACT_OFFLINE_CAPABILITY,
					    FACT_SMART_CAPABILITY };
	struct json_node values =
		sj_node_path(r, root, "ata_smart_data.capabilities.values");

	for (size_t k = 0; k < sj_node_count(values) && k < array_size(ids); k++) {
		struct json_node n = { json_object_array_get_idx(values.o, k),
				       values.at };

		sj_put_once(r, ids[k], n);
	}
}

/* --- attributes --------------------------------------------------------------------------------- */

static void put_raw(struct json_report *r, uint32_t id, struct json_node raw)
{
	struct json_node string = sj_node_get(r, raw, "string");
	const char *text = sj_node_text(string);
	struct smart_raw number = { 0 };

	if (!text)
		return; /* 48 bits, which only the text says how to read */
	number = smart_get_raw(text);
	sj_put_text(r, FACT_ATTR_RAW_TEXT, id, 0, text, string);
	if (!number.known)
		return;
	if (!number.negative)
		sj_put_u64(r, FACT_ATTR_RAW, id, 0, number.number, string);
	else if (number.number <= INT64_MAX)
		emit_s64(&r->e, FACT_ATTR_RAW_SIGNED, id, 0, -(int64_t)number.number,
			 sj_node_line(r, string));
}

static void put_attribute(struct json_report *r, struct json_node n, uint32_t *seen)
{
	static const struct json_row columns[] = {
		{ "name", FACT_ATTR_NAME },
		{ "flags.value", FACT_ATTR_FLAGS },
		{ "value", FACT_ATTR_VALUE },
		{ "worst", FACT_ATTR_WORST },
		{ "thresh", FACT_ATTR_THRESHOLD },
		{ "when_failed", FACT_ATTR_WHEN_FAILED },
		{ NULL, FACT_COUNT },
	};
	uint64_t id;

	if (!sj_node_u64(sj_node_get(r, n, "id"), &id) || id < 1 || id > 255 ||
	    !smart_bit(seen, (uint32_t)id))
		return;
	sj_put_columns(r, columns, (uint32_t)id, 0, n);
	put_raw(r, (uint32_t)id, sj_node_get(r, n, "raw"));
}

static bool read_attributes(struct json_report *r, struct json_node root)
{
	struct json_node table = sj_node_path(r, root, "ata_smart_attributes.table");
	uint32_t seen[256 / 32] = { 0 };
	size_t cursor = table.at, n = sj_node_count(table);

	if (n)
		sj_post(r, "attributes", table);
	for (size_t k = 0; k < n && k < 512; k++)
		put_attribute(r, sj_node_item(r, table, k, &cursor), seen);
	return n > 0;
}

/* Without the table, what smartctl made of its rows is all there is. */
static void read_derived(struct json_report *r, struct json_node root)
{
	static const struct json_row rows[] = {
		{ "power_on_time.hours", FACT_POWER_ON_HOURS },
		{ "power_cycle_count", FACT_POWER_CYCLES },
		{ "temperature.current", FACT_TEMPERATURE },
		{ "endurance_used.current_percent", FACT_LIFE_USED },
		{ NULL, FACT_COUNT },
	};

	sj_put_rows(r, rows, root);
}

/* --- SCT ---------------------------------------------------------------------------------------- */

static void read_history(struct json_report *r, struct json_node root)
{
	struct json_node table =
		sj_node_path(r, root, "ata_sct_temperature_history.table");
	size_t n = sj_node_count(table);
	int64_t celsius;

	if (n)
		sj_post(r, "sct", table);
	/* null where there was no reading */
	for (size_t k = 0; k < n && k < 1024; k++) {
		struct json_node item = { json_object_array_get_idx(table.o, k),
					  table.at };

		if (sj_node_s64(item, &celsius))
			emit_s64(&r->e, FACT_SCT_HIST_TEMP, (uint32_t)k, 0, celsius,
				 sj_node_line(r, item));
	}
}

static void read_limit(struct json_report *r, struct json_node n, enum fact_id id)
{
	uint64_t value;
	bool enabled;

	if (!sj_node_flag(sj_node_get(r, n, "enabled"), &enabled))
		return;
	if (!enabled)
		sj_put_u64(r, id, 0, 0, 0, n);
	else if (sj_node_u64(sj_node_get(r, n, "deciseconds"), &value))
		sj_put_u64(r, id, 0, 0, value, n);
}

void sj_read_ata(struct json_report *r, struct json_node root)
{
	sj_post(r, "general", sj_node_get(r, root, "ata_smart_data"));
	sj_put_rows(r, single, root);
	read_capabilities(r, root);
	if (!read_attributes(r, root) && r->is_ata)
		read_derived(r, root);
	sj_post(r, "sct", sj_node_get(r, root, "ata_sct_status"));
	read_state(r, root);
	read_history(r, root);
	sj_post(r, "erc", sj_node_get(r, root, "ata_sct_erc"));
	read_limit(r, sj_node_path(r, root, "ata_sct_erc.read"), FACT_SCT_ERC_READ);
	read_limit(r, sj_node_path(r, root, "ata_sct_erc.write"), FACT_SCT_ERC_WRITE);
}
