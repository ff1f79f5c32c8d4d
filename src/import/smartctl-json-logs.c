/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Logs of ATA reports: directory, errors, self-tests, statistics, defects, phy counters, FARM. */
#include <string.h>

#include "base/str.h"
#include "import/smartctl-json.h"
#include "import/smartctl.h"

/* Rows of one log: hostile ones may hold millions. */
#define ROWS_MAX 4096u

/* --- log directory ------------------------------------------------------------------------------- */

static void read_directory(struct json_report *r, struct json_node root)
{
	static const struct json_row columns[] = {
		{ "name", FACT_LOG_NAME },
		{ "gp_sectors", FACT_LOG_GPL },
		{ "smart_sectors", FACT_LOG_SMART },
		{ NULL, FACT_COUNT },
	};
	struct json_node table = sj_node_path(r, root, "ata_log_directory.table");
	size_t cursor = table.at;
	uint32_t seen[256 / 32] = { 0 };
	uint64_t address;
	bool can_read, can_write;

	if (table.o)
		sj_post(r, "log-directory", table);
	for (size_t k = 0; k < sj_node_count(table) && k < 512; k++) {
		struct json_node n = sj_node_item(r, table, k, &cursor);

		if (!sj_node_u64(sj_node_get(r, n, "address"), &address) ||
		    address > 255 || !smart_bit(seen, (uint32_t)address))
			continue;
		sj_put_columns(r, columns, (uint32_t)address, 0, n);
		if (sj_node_flag(sj_node_get(r, n, "read"), &can_read) && can_read &&
		    sj_node_flag(sj_node_get(r, n, "write"), &can_write))
			sj_put_text(r, FACT_LOG_ACCESS, (uint32_t)address, 0,
				    can_write ? "R/W" : "R/O", n);
	}
}

/* --- errors ------------------------------------------------------------------------------------ */

/*
 * smartctl's own LBA is the one that the command had; the registers of a summary log hold 24 bits and
 * four more in Device, if that says LBA at all.
 */
static void put_lba(struct json_report *r, uint32_t key, struct json_node registers,
		    const char *text, bool summary)
{
	const char *p = text ? strstr(text, " at LBA = 0x") : NULL;
	struct json_node n = sj_node_get(r, registers, "lba");
	uint64_t lba, device, error;

	if (p) {
		p = strrchr(p, '=');
		p += strspn(p, "= ");
		if (str_take_u64(&p, 10, &lba) == 0)
			sj_put_u64(r, FACT_ERROR_LBA, key, 0, lba, n);
		return;
	}
	if (!sj_node_u64(n, &lba) ||
	    !sj_node_u64(sj_node_get(r, registers, "device"), &device) ||
	    !sj_node_u64(sj_node_get(r, registers, "error"), &error) || !error ||
	    !(device & 0x40) || (!summary && (device & 0x0f)))
		return;
	if (summary && lba < 1u << 24)
		lba |= (device & 0x0f) << 24;
	sj_put_u64(r, FACT_ERROR_LBA, key, 0, lba, n);
}

static void put_commands(struct json_report *r, uint32_t key, struct json_node list)
{
	static const struct {
		const char *path, *title;
	} parts[] = {
		{ "registers.command", "CR" },	  { "registers.features", "FEATR" },
		{ "registers.count", "COUNT" },	  { "registers.lba", "LBA" },
		{ "registers.device", "DEV" },	  { "registers.device_control", "DC" },
		{ "powerup_milliseconds", "ms" },
	};
	size_t cursor = list.at;

	for (size_t k = 0; k < sj_node_count(list) && k < 16; k++) {
		struct json_node n = sj_node_item(r, list, k, &cursor);
		const char *name = sj_node_text(sj_node_get(r, n, "command_name"));
		struct buf b cleanup_buf = { 0 };
		uint64_t value;

		for (size_t p = 0; p < array_size(parts); p++) {
			if (!sj_node_u64(sj_node_path(r, n, parts[p].path), &value))
				continue;
			buf_printf(&b, "%s=%llu ", parts[p].title,
				   (unsigned long long)value);
		}
		buf_puts(&b, name ? name : "");
		sj_put_text(r, FACT_ERROR_COMMAND, key, (uint32_t)k, buf_text(&b), n);
	}
}

static void put_error(struct json_report *r, uint32_t key, struct json_node n,
		      bool summary)
{
	static const struct json_row columns[] = {
		{ "error_number", FACT_ERROR_NUMBER },
		{ "lifetime_hours", FACT_ERROR_HOURS },
		{ "device_state.string", FACT_ERROR_STATE },
		{ "completion_registers.error", FACT_ERROR_ERROR },
		{ "completion_registers.status", FACT_ERROR_STATUS },
		{ "completion_registers.count", FACT_ERROR_COUNTREG },
		{ "completion_registers.device", FACT_ERROR_DEVICE },
		{ "error_description", FACT_ERROR_TEXT },
		{ NULL, FACT_COUNT },
	};
	const char *text = sj_node_text(sj_node_get(r, n, "error_description"));

	sj_put_columns(r, columns, key, 0, n);
	put_lba(r, key, sj_node_get(r, n, "completion_registers"), text, summary);
	put_commands(r, key, sj_node_get(r, n, "previous_commands"));
}

static void read_errors(struct json_report *r, struct json_node root)
{
	struct json_node both = sj_node_get(r, root, "ata_smart_error_log");
	struct json_node log = sj_node_get(r, both, "extended"), table;
	bool summary = !log.o;
	size_t cursor;

	if (summary)
		log = sj_node_get(r, both, "summary");
	if (!log.o)
		return;
	sj_post(r, "errorlog", log);
	sj_put_text(r, FACT_ERRORLOG_READ, 0, 0,
		    summary ? "SMART Error Log"
			    : "SMART Extended Comprehensive Error Log",
		    log);
	sj_put_once(r, FACT_ERROR_COUNT, sj_node_get(r, log, "count"));
	table = sj_node_get(r, log, "table");
	cursor = table.at;
	for (size_t k = 0; k < sj_node_count(table) && k < ROWS_MAX; k++)
		put_error(r, (uint32_t)k, sj_node_item(r, table, k, &cursor), summary);
}

/* --- self-tests ------------------------------------------------------------------------------------ */

static void put_test(struct json_report *r, uint32_t key, struct json_node n)
{
	static const struct json_row columns[] = {
		{ "type.string", FACT_SELFTEST_TYPE },
		{ "status.string", FACT_SELFTEST_RESULT },
		{ "lifetime_hours", FACT_SELFTEST_HOURS },
		{ "lba", FACT_SELFTEST_LBA },
		{ NULL, FACT_COUNT },
	};
	struct json_node status = sj_node_path(r, n, "status.value");
	uint64_t value;

	sj_put_u64(r, FACT_SELFTEST_NUMBER, key, 0, key + 1u, n);
	sj_put_columns(r, columns, key, 0, n);
	/* the low half of the status byte is what was left, in tenths */
	if (sj_node_u64(status, &value) && value < 256 && (value & 15) <= 10)
		sj_put_u64(r, FACT_SELFTEST_REMAINING, key, 0, (value & 15) * 10, status);
}

static void read_tests(struct json_report *r, struct json_node root)
{
	struct json_node both = sj_node_get(r, root, "ata_smart_self_test_log");
	struct json_node log = sj_node_get(r, both, "extended"), table;
	bool standard = !log.o;
	size_t cursor;

	if (standard)
		log = sj_node_get(r, both, "standard");
	if (!log.o)
		return;
	sj_post(r, "selftest", log);
	sj_put_text(r, FACT_SELFTEST_LOG_READ, 0, 0,
		    standard ? "SMART Self-test log" : "SMART Extended Self-test Log",
		    log);
	table = sj_node_get(r, log, "table");
	cursor = table.at;
	for (size_t k = 0; k < sj_node_count(table) && k < ROWS_MAX; k++)
		put_test(r, (uint32_t)k, sj_node_item(r, table, k, &cursor));
}

static void read_selective(struct json_report *r, struct json_node root)
{
	static const struct json_row columns[] = {
		{ "lba_min", FACT_SELECTIVE_MIN },
		{ "lba_max", FACT_SELECTIVE_MAX },
		{ "status.string", FACT_SELECTIVE_STATUS },
		{ NULL, FACT_COUNT },
	};
	static const struct json_row single[] = {
		{ "flags.value", FACT_SELECTIVE_FLAGS },
		{ "power_up_scan_resume_minutes", FACT_SELECTIVE_RESUME },
		{ NULL, FACT_COUNT },
	};
	struct json_node log = sj_node_get(r, root, "ata_smart_selective_self_test_log");
	struct json_node table = sj_node_get(r, log, "table");
	size_t cursor = table.at;

	sj_post(r, "selective", log);
	for (size_t k = 0; k < sj_node_count(table) && k < 5; k++)
		sj_put_columns(r, columns, (uint32_t)k + 1, 0,
			       sj_node_item(r, table, k, &cursor));
	sj_put_rows(r, single, log);
}

/* --- device statistics ----------------------------------------------------------------------------- */

/* "V--- ": valid, normalised, supports notification, condition met; the text has no V. */
static void put_flags(struct json_report *r, uint32_t page, uint32_t offset,
		      struct json_node n)
{
	const char *text = sj_node_text(n);
	char flags[4] = { 0 };

	if (!text || strlen(text) < 4)
		return;
	memcpy(flags, text + 1, 3);
	sj_put_text(r, FACT_STAT_FLAGS, page, offset, flags, n);
}

static void put_statistic(struct json_report *r, uint32_t page, struct json_node n)
{
	static const struct json_row columns[] = {
		{ "name", FACT_STAT_NAME },
		{ "size", FACT_STAT_SIZE },
		{ NULL, FACT_COUNT },
	};
	struct json_node flags = sj_node_get(r, n, "flags");
	bool valid = false;
	uint64_t offset;

	if (!sj_node_u64(sj_node_get(r, n, "offset"), &offset) || offset > 0xfff)
		return;
	sj_put_columns(r, columns, page, (uint32_t)offset, n);
	(void)sj_node_flag(sj_node_get(r, flags, "valid"), &valid);
	if (valid)
		sj_put(r, FACT_STAT_VALUE, page, (uint32_t)offset,
		       sj_node_get(r, n, "value"));
	put_flags(r, page, (uint32_t)offset, sj_node_get(r, flags, "string"));
}

static void read_statistics(struct json_report *r, struct json_node root)
{
	struct json_node pages = sj_node_path(r, root, "ata_device_statistics.pages");
	size_t page_cursor = pages.at;
	uint64_t number;

	sj_post(r, "statistics", pages);
	for (size_t k = 0; k < sj_node_count(pages) && k < 256; k++) {
		struct json_node page = sj_node_item(r, pages, k, &page_cursor);
		struct json_node table = sj_node_get(r, page, "table");
		size_t cursor = table.at;

		if (!sj_node_u64(sj_node_get(r, page, "number"), &number) || number > 255)
			continue;
		for (size_t m = 0; m < sj_node_count(table) && m < 64; m++)
			put_statistic(r, (uint32_t)number,
				      sj_node_item(r, table, m, &cursor));
	}
}

/* --- pending defects, phy event counters, FARM ------------------------------------------------------ */

static void read_defects(struct json_report *r, struct json_node root)
{
	static const struct json_row columns[] = {
		{ "lba", FACT_DEFECT_LBA },
		{ "power_on_hours", FACT_DEFECT_HOURS },
		{ "accum_power_on_hours", FACT_DEFECT_HOURS },
		{ NULL, FACT_COUNT },
	};
	struct json_node log = sj_node_get(r, root, "ata_pending_defects_log"), table;
	size_t cursor, defects = 0;

	if (!log.o)
		log = sj_node_get(r, root, "scsi_pending_defects");
	if (!log.o)
		return;
	sj_post(r, "pending-defects", log);
	sj_put_once(r, FACT_DEFECT_COUNT, sj_node_get(r, log, "count"));
	table = sj_node_get(r, log, "table");
	cursor = table.at;
	/* places of SCSI's table may be empty */
	for (size_t k = 0; k < sj_node_count(table) && k < ROWS_MAX; k++) {
		struct json_node n = sj_node_item(r, table, k, &cursor);

		if (n.o)
			sj_put_columns(r, columns, (uint32_t)defects++, 0, n);
	}
}

static void read_phy(struct json_report *r, struct json_node root)
{
	static const struct json_row columns[] = {
		{ "value", FACT_PHY_VALUE },
		{ "size", FACT_PHY_SIZE },
		{ "name", FACT_PHY_NAME },
		{ NULL, FACT_COUNT },
	};
	struct json_node log = sj_node_get(r, root, "sata_phy_event_counters");
	struct json_node table = sj_node_get(r, log, "table");
	size_t cursor = table.at;
	uint32_t seen[65536 / 32] = { 0 };
	uint64_t id;
	bool full;

	sj_post(r, "phy", log);
	for (size_t k = 0; k < sj_node_count(table) && k < 256; k++) {
		struct json_node n = sj_node_item(r, table, k, &cursor);

		if (!sj_node_u64(sj_node_get(r, n, "id"), &id) || id > 0xffff ||
		    !smart_bit(seen, (uint32_t)id))
			continue;
		sj_put_columns(r, columns, (uint32_t)id, 0, n);
		if (sj_node_flag(sj_node_get(r, n, "overflow"), &full) && full)
			emit_flag(&r->e, FACT_PHY_SATURATED, (uint32_t)id, true,
				  sj_node_line(r, n));
	}
	if (sj_node_flag(sj_node_get(r, log, "reset"), &full) && full)
		sj_put_text(r, FACT_POSTED_WARNING, r->warnings++, 0,
			    "All counters reset", log);
}

void sj_read_ata_logs(struct json_report *r, struct json_node root)
{
	struct json_node farm = sj_node_get(r, root, "seagate_farm_log");

	read_directory(r, root);
	read_errors(r, root);
	read_tests(r, root);
	read_selective(r, root);
	read_statistics(r, root);
	read_defects(r, root);
	read_phy(r, root);
	if (farm.o) {
		sj_post(r, "farm", farm);
		sj_put_lines(r, FACT_FARM, &r->farm, "farm", farm);
	}
}
