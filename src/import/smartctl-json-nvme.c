/* SPDX-License-Identifier: GPL-2.0-or-later */
/* NVMe reports. */
#include <string.h>

#include "base/str.h"
#include "import/smartctl-json.h"

#define HEALTH "nvme_smart_health_information_log."

static const struct json_row single[] = {
	{ "nvme_pci_vendor.id", FACT_NVME_PCI_VENDOR },
	{ "nvme_pci_vendor.subsystem_id", FACT_NVME_PCI_SUBSYSTEM },
	{ "nvme_ieee_oui_identifier", FACT_NVME_OUI },
	{ "nvme_total_capacity", FACT_NVME_TOTAL },
	{ "nvme_unallocated_capacity", FACT_NVME_UNALLOCATED },
	{ "nvme_controller_id", FACT_NVME_CONTROLLER },
	{ "nvme_version.string", FACT_NVME_VERSION },
	{ "nvme_number_of_namespaces", FACT_NVME_NAMESPACES },
	{ "nvme_firmware_update_capabilities.value", FACT_NVME_FIRMWARE_UPDATE },
	{ "nvme_optional_admin_commands.value", FACT_NVME_ADMIN_COMMANDS },
	{ "nvme_optional_nvm_commands.value", FACT_NVME_NVM_COMMANDS },
	{ "nvme_log_page_attributes.value", FACT_NVME_LOG_ATTRIBUTES },
	{ "nvme_maximum_data_transfer_pages", FACT_NVME_TRANSFER_PAGES },
	{ "nvme_composite_temperature_threshold.warning", FACT_NVME_WARM_LIMIT },
	{ "nvme_composite_temperature_threshold.critical", FACT_NVME_HOT_LIMIT },
	{ HEALTH "critical_warning", FACT_NVME_WARNING },
	{ HEALTH "temperature", FACT_TEMPERATURE },
	{ HEALTH "available_spare", FACT_NVME_SPARE },
	{ HEALTH "available_spare_threshold", FACT_NVME_SPARE_LIMIT },
	{ HEALTH "percentage_used", FACT_LIFE_USED },
	{ HEALTH "data_units_read", FACT_NVME_UNITS_READ },
	{ HEALTH "data_units_written", FACT_NVME_UNITS_WRITTEN },
	{ HEALTH "host_reads", FACT_NVME_READS },
	{ HEALTH "host_writes", FACT_NVME_WRITES },
	{ HEALTH "controller_busy_time", FACT_NVME_BUSY },
	{ HEALTH "power_cycles", FACT_POWER_CYCLES },
	{ HEALTH "power_on_hours", FACT_POWER_ON_HOURS },
	{ HEALTH "unsafe_shutdowns", FACT_NVME_UNSAFE },
	{ HEALTH "media_errors", FACT_NVME_MEDIA_ERRORS },
	{ HEALTH "num_err_log_entries", FACT_NVME_ERROR_ENTRIES },
	{ HEALTH "warning_temp_time", FACT_NVME_WARM_MINUTES },
	{ HEALTH "critical_comp_time", FACT_NVME_HOT_MINUTES },
	{ HEALTH "thermal_mgmt_temperature_1_transition_count", FACT_NVME_THROTTLE1 },
	{ HEALTH "thermal_mgmt_temperature_1_total_time", FACT_NVME_THROTTLE1_TIME },
	{ HEALTH "thermal_mgmt_temperature_2_transition_count", FACT_NVME_THROTTLE2 },
	{ HEALTH "thermal_mgmt_temperature_2_total_time", FACT_NVME_THROTTLE2_TIME },
	{ "nvme_error_information_log.read", FACT_NVME_ERRORS_READ },
	{ "nvme_error_information_log.size", FACT_NVME_ERRORS_SIZE },
	/* where only the summary of the health log was printed */
	{ "temperature.current", FACT_TEMPERATURE },
	{ "power_on_time.hours", FACT_POWER_ON_HOURS },
	{ "power_cycle_count", FACT_POWER_CYCLES },
	{ "endurance_used.current_percent", FACT_LIFE_USED },
	{ "spare_available.current_percent", FACT_NVME_SPARE },
	{ "spare_available.threshold_percent", FACT_NVME_SPARE_LIMIT },
	{ NULL, FACT_COUNT },
};

/* --- namespaces and their formats --------------------------------------------------------------------- */

static void put_eui(struct json_report *r, uint32_t id, struct json_node n)
{
	struct buf b cleanup_buf = { 0 };
	uint64_t oui, ext;

	if (!sj_node_u64(sj_node_get(r, n, "oui"), &oui) || oui >= 1u << 24 ||
	    !sj_node_u64(sj_node_get(r, n, "ext_id"), &ext) || ext >= (uint64_t)1 << 40)
		return;
	buf_printf(&b, "%06x%010llx", (unsigned int)oui, (unsigned long long)ext);
	sj_put_text(r, FACT_NVME_NS_EUI, id, 0, buf_text(&b), n);
}

static void put_formats(struct json_report *r, struct json_node table)
{
	static const struct json_row columns[] = {
		{ "formatted", FACT_NVME_LBAF_USED },
		{ "data_bytes", FACT_NVME_LBAF_DATA },
		{ "metadata_bytes", FACT_NVME_LBAF_METADATA },
		{ "relative_performance", FACT_NVME_LBAF_RANK },
		{ NULL, FACT_COUNT },
	};
	size_t cursor = table.at;

	for (size_t k = 0; k < sj_node_count(table) && k < 32; k++)
		sj_put_columns(r, columns, (uint32_t)k, 0,
			       sj_node_item(r, table, k, &cursor));
}

static void read_namespaces(struct json_report *r, struct json_node root)
{
	static const struct json_row columns[] = {
		{ "size.bytes", FACT_NVME_NS_SIZE },
		{ "capacity.bytes", FACT_NVME_NS_CAPACITY },
		{ "utilization.bytes", FACT_NVME_NS_USED },
		{ "formatted_lba_size", FACT_NVME_NS_LBA },
		{ "features.value", FACT_NVME_NS_FEATURES },
		{ NULL, FACT_COUNT },
	};
	struct json_node table = sj_node_get(r, root, "nvme_namespaces");
	size_t cursor = table.at;
	uint64_t id;

	for (size_t k = 0; k < sj_node_count(table) && k < 1024; k++) {
		struct json_node n = sj_node_item(r, table, k, &cursor);
		struct json_node formats = sj_node_get(r, n, "lba_formats");

		if (!sj_node_u64(sj_node_get(r, n, "id"), &id) || id > 8000)
			continue;
		sj_put_columns(r, columns, (uint32_t)id, 0, n);
		put_eui(r, (uint32_t)id, sj_node_get(r, n, "eui64"));
		if (!k && formats.o) {
			sj_post(r, "nvme-lba-formats", formats);
			put_formats(r, formats);
		}
	}
}

/* --- power states ------------------------------------------------------------------------------------- */

static void put_power(struct json_report *r, enum fact_id id, uint32_t k,
		      struct json_node n)
{
	uint64_t value, units;

	if (sj_node_u64(sj_node_get(r, n, "value"), &value) && value <= UINT16_MAX &&
	    sj_node_u64(sj_node_get(r, n, "units_per_watt"), &units) && units &&
	    1000000 % units == 0)
		sj_put_u64(r, id, k, 0, value * (1000000 / units), n);
}

static void put_ranks(struct json_report *r, uint32_t k, struct json_node n)
{
	static const char *const keys[] = {
		"relative_read_latency",
		"relative_read_throughput",
		"relative_write_latency",
		"relative_write_throughput",
	};
	struct buf b cleanup_buf = { 0 };
	uint64_t rank;

	for (size_t m = 0; m < array_size(keys); m++) {
		if (!sj_node_u64(sj_node_get(r, n, keys[m]), &rank))
			return;
		buf_printf(&b, "%s%llu", m ? " " : "", (unsigned long long)rank);
	}
	sj_put_text(r, FACT_NVME_PS_RANKS, k, 0, buf_text(&b), n);
}

static void read_power(struct json_report *r, struct json_node root)
{
	static const struct json_row columns[] = {
		{ "entry_latency_us", FACT_NVME_PS_ENTRY },
		{ "exit_latency_us", FACT_NVME_PS_EXIT },
		{ NULL, FACT_COUNT },
	};
	struct json_node table = sj_node_get(r, root, "nvme_power_states");
	size_t cursor = table.at;
	bool idle;

	sj_post(r, "nvme-power-states", table);
	for (uint32_t k = 0; k < sj_node_count(table) && k < 32; k++) {
		struct json_node n = sj_node_item(r, table, k, &cursor);

		if (sj_node_flag(sj_node_get(r, n, "non_operational_state"), &idle))
			emit_flag(&r->e, FACT_NVME_PS_OPERATES, k, !idle,
				  sj_node_line(r, n));
		put_power(r, FACT_NVME_PS_MAX, k, sj_node_get(r, n, "max_power"));
		put_power(r, FACT_NVME_PS_ACTIVE, k, sj_node_get(r, n, "active_power"));
		put_power(r, FACT_NVME_PS_IDLE, k, sj_node_get(r, n, "idle_power"));
		put_ranks(r, k, n);
		sj_put_columns(r, columns, k, 0, n);
	}
}

/* --- logs --------------------------------------------------------------------------------------------- */

static void read_sensors(struct json_report *r, struct json_node root)
{
	struct json_node list = sj_node_path(r, root, HEALTH "temperature_sensors");

	for (size_t k = 0; k < sj_node_count(list) && k < 8; k++) {
		struct json_node n = { json_object_array_get_idx(list.o, k), list.at };

		/* null where the drive has none */
		sj_put(r, FACT_NVME_SENSOR, (uint32_t)k + 1, 0, n);
	}
}

static void put_error(struct json_report *r, uint32_t k, struct json_node n)
{
	static const struct json_row columns[] = {
		{ "error_count", FACT_NVME_ERR_COUNT },
		{ "submission_queue_id", FACT_NVME_ERR_QUEUE },
		{ "command_id", FACT_NVME_ERR_COMMAND },
		{ "parm_error_location", FACT_NVME_ERR_LOCATION },
		{ "lba.value", FACT_NVME_ERR_LBA },
		{ "nsid", FACT_NVME_ERR_NAMESPACE },
		{ "vendor_specific", FACT_NVME_ERR_VENDOR },
		{ "status_field.string", FACT_NVME_ERR_MESSAGE },
		{ NULL, FACT_COUNT },
	};
	struct json_node field = sj_node_get(r, n, "status_field");
	uint64_t status;
	bool phase = false;

	sj_put_columns(r, columns, k, 0, n);
	if (!sj_node_u64(sj_node_get(r, field, "value"), &status) || status > 0x7fff)
		return;
	(void)sj_node_flag(sj_node_get(r, n, "phase_tag"), &phase);
	sj_put_u64(r, FACT_NVME_ERR_STATUS, k, 0, status << 1 | phase, field);
}

static void read_errors(struct json_report *r, struct json_node root)
{
	struct json_node log = sj_node_get(r, root, "nvme_error_information_log");
	struct json_node table = sj_node_get(r, log, "table");
	size_t cursor = table.at;

	sj_post(r, "errorlog", log);
	for (size_t k = 0; k < sj_node_count(table) && k < 256; k++) {
		struct json_node n = sj_node_item(r, table, k, &cursor);

		if (n.o)
			put_error(r, (uint32_t)k, n);
	}
}

static void put_test(struct json_report *r, uint32_t k, struct json_node n)
{
	static const struct json_row columns[] = {
		{ "self_test_code.string", FACT_SELFTEST_TYPE },
		{ "self_test_result.string", FACT_SELFTEST_RESULT },
		{ "power_on_hours", FACT_SELFTEST_HOURS },
		{ "lba", FACT_SELFTEST_LBA },
		{ "segment", FACT_SELFTEST_SEGMENT },
		{ NULL, FACT_COUNT },
	};
	struct buf b cleanup_buf = { 0 };
	struct json_node nsid = sj_node_get(r, n, "nsid");
	uint64_t type, code;
	int64_t id;
	bool has_type, has_code;

	sj_put_u64(r, FACT_SELFTEST_NUMBER, r->tests, 0, k, n);
	sj_put_columns(r, columns, r->tests, 0, n);
	if (sj_node_s64(nsid, &id)) {
		if (id < 0)
			buf_putc(&b, '*');
		else
			buf_printf(&b, "%lld", (long long)id);
		sj_put_text(r, FACT_SELFTEST_NAMESPACE, r->tests, 0, buf_text(&b), nsid);
		buf_clear(&b);
	}
	has_type = sj_node_u64(sj_node_get(r, n, "status_code_type"), &type);
	has_code = sj_node_u64(sj_node_get(r, n, "status_code"), &code);
	if (has_type)
		buf_printf(&b, "0x%x ", (unsigned int)type);
	else
		buf_puts(&b, "- ");
	if (has_code)
		buf_printf(&b, "0x%02x", (unsigned int)code);
	else
		buf_puts(&b, "-");
	if (has_type || has_code)
		sj_put_text(r, FACT_SELFTEST_SENSE, r->tests, 0, buf_text(&b), n);
	r->tests++;
}

static void read_tests(struct json_report *r, struct json_node root)
{
	struct json_node log = sj_node_get(r, root, "nvme_self_test_log");
	struct json_node table = sj_node_get(r, log, "table");
	struct json_node now = sj_node_get(r, log, "current_self_test_operation");
	const char *text = sj_node_text(sj_node_get(r, now, "string"));
	struct buf b cleanup_buf = { 0 };
	size_t cursor = table.at;
	uint64_t done;

	if (!log.o)
		return;
	sj_post(r, "selftest", log);
	sj_put_text(r, FACT_SELFTEST_LOG_READ, 0, 0, "NVMe self-test log", log);
	buf_puts(&b, text ? text : "");
	if (sj_node_u64(sj_node_get(r, log, "current_self_test_completion_percent"),
			&done))
		buf_printf(&b, " (%llu%% completed)", (unsigned long long)done);
	sj_put_text(r, FACT_SELFTEST_NOW, 0, 0, buf_text(&b), now);
	for (uint32_t k = 0; k < sj_node_count(table) && k < 20; k++) {
		struct json_node n = sj_node_item(r, table, k, &cursor);

		if (n.o)
			put_test(r, k, n);
	}
}

void sj_read_nvme(struct json_report *r, struct json_node root)
{
	struct json_node health = sj_node_get(r, root,
					      "nvme_smart_health_information_"
					      "log");

	sj_post(r, "nvme-health", health);
	sj_put_rows(r, single, root);
	read_namespaces(r, root);
	read_power(r, root);
	read_sensors(r, root);
	read_errors(r, root);
	read_tests(r, root);
}
