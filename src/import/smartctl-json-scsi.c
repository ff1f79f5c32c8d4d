/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SCSI and SAS reports. */
#include <string.h>

#include "base/str.h"
#include "import/smartctl-json.h"
#include "import/smartctl.h"
#include "import/words.h"

static const struct json_row single[] = {
	{ "scsi_version", FACT_SCSI_VERSION },
	{ "device_type.name", FACT_SCSI_DEVICE_TYPE },
	{ "scsi_transport_protocol.name", FACT_SCSI_TRANSPORT },
	{ "scsi_lb_provisioning.name", FACT_SCSI_PROVISIONING },
	{ "scsi_protection_type", FACT_SCSI_PROTECTION },
	{ "scsi_percentage_used_endurance_indicator", FACT_LIFE_USED },
	{ "endurance_used.current_percent", FACT_LIFE_USED },
	{ "temperature.current", FACT_TEMPERATURE },
	{ "temperature.drive_trip", FACT_TEMPERATURE_TRIP },
	{ "power_on_time.hours", FACT_POWER_ON_HOURS },
	{ "scsi_start_stop_cycle_counter.specified_cycle_count_over_device_lifetime",
	  FACT_START_STOPS_RATED },
	{ "scsi_start_stop_cycle_counter.accumulated_start_stop_cycles",
	  FACT_START_STOPS },
	{ "scsi_start_stop_cycle_counter.specified_load_unload_count_over_device_"
	  "lifetime",
	  FACT_LOAD_CYCLES_RATED },
	{ "scsi_start_stop_cycle_counter.accumulated_load_unload_cycles",
	  FACT_LOAD_CYCLES },
	{ "scsi_grown_defect_list", FACT_GROWN_DEFECTS },
	{ "scsi_extended_self_test_seconds", FACT_EXTENDED_SECONDS },
	{ "scsi_background_scan.status.string", FACT_BMS_STATUS },
	{ "scsi_background_scan.status.number_scans_performed", FACT_BMS_SCANS },
	{ "scsi_background_scan.status.number_medium_scans_performed",
	  FACT_BMS_MEDIUM_SCANS },
	{ "scsi_format_status.grown_defects_during_cert", FACT_FORMAT_DEFECTS },
	{ "scsi_format_status.blocks_reassigned_during_format", FACT_FORMAT_REASSIGNED },
	{ "scsi_format_status.total_new_block_since_format", FACT_FORMAT_SINCE },
	{ "scsi_format_status.power_on_minutes_since_format", FACT_FORMAT_MINUTES },
	{ "format_status.grown_defects_during_cert", FACT_FORMAT_DEFECTS },
	{ "format_status.blocks_reassigned_during_format", FACT_FORMAT_REASSIGNED },
	{ "format_status.total_new_block_since_format", FACT_FORMAT_SINCE },
	{ "format_status.power_on_minutes_since_format", FACT_FORMAT_MINUTES },
	{ NULL, FACT_COUNT },
};

/* "12345.678" of a text, without a binary fraction between; PLACES digits behind the point */
static bool get_decimal(const char *text, unsigned int places, uint64_t *ret)
{
	struct word w = { text, text ? strlen(text) : 0 };

	return text && smart_get_decimal(w, places, ret);
}

static void read_made(struct json_report *r, struct json_node root)
{
	struct json_node n = sj_node_get(r, root, "scsi_start_stop_cycle_counter");
	const char *week = sj_node_text(sj_node_get(r, n, "week_of_manufacture"));
	const char *year = sj_node_text(sj_node_get(r, n, "year_of_manufacture"));
	struct buf b cleanup_buf = { 0 };
	uint64_t w, y;

	if (!week || !year || str_to_u64(week, &w) < 0 || str_to_u64(year, &y) < 0 ||
	    !w || w > 53 || y < 1981 || y > 9999)
		return;
	buf_printf(&b, "%04u-W%02u", (unsigned int)y, (unsigned int)w);
	sj_put_text(r, FACT_MANUFACTURED, 0, 0, buf_text(&b), n);
}

/* --- error counters: log pages 03h, 02h, 05h ----------------------------------------------------- */

static void read_counters(struct json_report *r, struct json_node root)
{
	static const struct {
		const char *name;
		uint32_t page;
	} operations[] = { { "read", 0x03 }, { "write", 0x02 }, { "verify", 0x05 } };
	static const struct json_row columns[] = {
		{ "errors_corrected_by_eccfast", FACT_SCSI_ERR_FAST },
		{ "errors_corrected_by_eccdelayed", FACT_SCSI_ERR_DELAYED },
		{ "errors_corrected_by_rereads_rewrites", FACT_SCSI_ERR_RETRIES },
		{ "total_errors_corrected", FACT_SCSI_ERR_CORRECTED },
		{ "correction_algorithm_invocations", FACT_SCSI_ERR_ALGORITHM },
		{ "total_uncorrected_errors", FACT_SCSI_ERR_UNCORRECTED },
		{ NULL, FACT_COUNT },
	};
	struct json_node log = sj_node_get(r, root, "scsi_error_counter_log");
	uint64_t milli;

	sj_post(r, "scsi-errors", log);
	for (size_t k = 0; k < array_size(operations); k++) {
		struct json_node n = sj_node_get(r, log, operations[k].name), bytes;

		sj_put_columns(r, columns, operations[k].page, 0, n);
		bytes = sj_node_get(r, n, "gigabytes_processed");
		if (get_decimal(sj_node_text(bytes), 3, &milli) &&
		    milli < UINT64_MAX / 1000000)
			sj_put_u64(r, FACT_SCSI_ERR_BYTES, operations[k].page, 0,
				   milli * 1000000, bytes);
	}
}

/* --- self-tests: members scsi_self_test_0 to _19 ---------------------------------------------------- */

static void put_sense(struct json_report *r, enum fact_id id, uint32_t key,
		      const char *format, struct json_node n)
{
	struct buf b cleanup_buf = { 0 };
	uint64_t sense, asc, ascq;

	if (!sj_node_u64(sj_node_path(r, n, "sense_key.value"), &sense) ||
	    !sj_node_u64(sj_node_get(r, n, "asc"), &asc) ||
	    !sj_node_u64(sj_node_get(r, n, "ascq"), &ascq))
		return;
	if (str_equal(format, ","))
		buf_printf(&b, "%x,%x,%x", (unsigned int)sense, (unsigned int)asc,
			   (unsigned int)ascq);
	else
		buf_printf(&b, "0x%x 0x%x 0x%x", (unsigned int)sense, (unsigned int)asc,
			   (unsigned int)ascq);
	sj_put_text(r, id, key, 0, buf_text(&b), n);
}

/* "Failed in segment -->": the mark points at a column of the text */
static void put_result(struct json_report *r, uint32_t key, struct json_node n)
{
	const char *text = sj_node_text(n);
	struct buf b cleanup_buf = { 0 };

	if (!text)
		return;
	buf_add(&b, text, strlen(text) - (str_ends(text, "-->") ? 3 : 0));
	sj_put_text(r, FACT_SELFTEST_RESULT, key, 0, buf_text(&b), n);
}

static void read_tests(struct json_report *r, struct json_node root)
{
	static const struct json_row columns[] = {
		{ "code.string", FACT_SELFTEST_TYPE },
		{ "failed_segment.value", FACT_SELFTEST_SEGMENT },
		{ "power_on_time.hours", FACT_SELFTEST_HOURS },
		{ "lba_first_failure.value", FACT_SELFTEST_LBA },
		{ NULL, FACT_COUNT },
	};
	char key[32];

	for (uint32_t k = 0; k < 20; k++) {
		struct json_node n;

		(void)snprintf(key, sizeof(key), "scsi_self_test_%u", (unsigned int)k);
		n = sj_node_get(r, root, key);
		if (!n.o)
			continue;
		if (sj_is_new(r, FACT_SELFTEST_LOG_READ)) {
			sj_post(r, "selftest", n);
			sj_put_text(r, FACT_SELFTEST_LOG_READ, 0, 0,
				    "SCSI self-test results log", n);
		}
		sj_put_u64(r, FACT_SELFTEST_NUMBER, r->tests, 0, k + 1u, n);
		sj_put_columns(r, columns, r->tests, 0, n);
		put_result(r, r->tests, sj_node_path(r, n, "result.string"));
		put_sense(r, FACT_SELFTEST_SENSE, r->tests, " ", n);
		r->tests++;
	}
}

/* --- background scans ------------------------------------------------------------------------------ */

static void put_scan_result(struct json_report *r, uint32_t k, struct json_node n)
{
	static const struct json_row columns[] = {
		{ "accumulated_power_on.minutes", FACT_BMS_MINUTES },
		{ "lba", FACT_BMS_LBA },
		{ "reassign_status.string", FACT_BMS_REASSIGN },
		{ NULL, FACT_COUNT },
	};

	sj_put_columns(r, columns, k, 0, n);
	put_sense(r, FACT_BMS_SENSE, k, ",", n);
}

static void read_scans(struct json_report *r, struct json_node root)
{
	struct json_node log = sj_node_get(r, root, "scsi_background_scan");
	struct json_node progress = sj_node_path(r, log, "status.scan_progress");
	const char *text = sj_node_text(progress);
	struct buf b cleanup_buf = { 0 };
	char key[32];
	uint64_t hundredths;

	sj_post(r, "background-scan", log);
	if (text && str_ends(text, "%")) {
		buf_add(&b, text, strlen(text) - 1);
		if (get_decimal(buf_text(&b), 2, &hundredths) && hundredths <= 10000)
			sj_put_u64(r, FACT_BMS_PROGRESS, 0, 0, hundredths * 100,
				   progress);
	}
	for (uint32_t k = 0; log.o && k <= 2048; k++) {
		struct json_node n;

		(void)snprintf(key, sizeof(key), "result_%u", (unsigned int)k);
		n = sj_node_get(r, log, key);
		if (n.o)
			put_scan_result(r, k, n);
	}
}

/* --- SAS phys: members scsi_sas_port_0 with phy_0 ---------------------------------------------------- */

/* "phy enabled; 12 Gbps" */
static void put_rate(struct json_report *r, uint32_t port, uint32_t phy,
		     struct json_node n)
{
	const char *p = sj_node_text(n);
	uint64_t whole, tenth = 0;

	sj_put_text(r, FACT_SAS_STATE, port, phy, p, n);
	p = p ? words_after(p, "phy enabled; ") : NULL;
	if (!p || str_take_u64(&p, 10, &whole) < 0 || whole > 1000)
		return;
	if (*p == '.' && (p++, str_take_u64(&p, 10, &tenth) < 0 || tenth > 9))
		return;
	if (words_after(p, " Gbps"))
		sj_put_u64(r, FACT_SAS_PORT_RATE, port, phy, whole * 1000 + tenth * 100,
			   n);
}

/* "001": SSP, STP, SMP; the text names them */
static void put_protocols(struct json_report *r, enum fact_id id, uint32_t port,
			  uint32_t phy, struct json_node n)
{
	const char *text = sj_node_text(sj_node_get(r, n, "ssp_stp_smp"));
	struct buf b cleanup_buf = { 0 };

	if (!text || strlen(text) != 3)
		return;
	buf_printf(&b, "ssp=%c stp=%c smp=%c", text[0], text[1], text[2]);
	sj_put_text(r, id, port, phy, buf_text(&b), n);
}

static void put_address(struct json_report *r, enum fact_id id, uint32_t port,
			uint32_t phy, struct json_node n)
{
	const char *text = sj_node_text(n);

	if (text && str_starts(text, "0x"))
		sj_put_text(r, id, port, phy, text + 2, n);
}

static void put_phy(struct json_report *r, uint32_t port, struct json_node n)
{
	static const struct json_row columns[] = {
		{ "attached_device_type", FACT_SAS_ATTACHED },
		{ "attached_reason", FACT_SAS_ATTACH_REASON },
		{ "reason", FACT_SAS_REASON },
		{ "attached_phy_identifier", FACT_SAS_PEER_PHY },
		{ "invalid_dword_count", FACT_SAS_PORT_INVALID_DWORDS },
		{ "running_disparity_error_count", FACT_SAS_PORT_DISPARITY },
		{ "loss_of_dword_synchronization_count", FACT_SAS_PORT_LOSS_OF_SYNC },
		{ "phy_reset_problem_count", FACT_SAS_PORT_RESET_PROBLEMS },
		{ NULL, FACT_COUNT },
	};
	uint64_t id;

	if (!sj_node_u64(sj_node_get(r, n, "identifier"), &id) || id > 255)
		return;
	sj_put_columns(r, columns, port, (uint32_t)id, n);
	put_rate(r, port, (uint32_t)id,
		 sj_node_get(r, n, "negotiated_logical_link_rate"));
	put_protocols(r, FACT_SAS_INITIATORS, port, (uint32_t)id,
		      sj_node_get(r, n, "attached_initiator_port"));
	put_protocols(r, FACT_SAS_TARGETS, port, (uint32_t)id,
		      sj_node_get(r, n, "attached_target_port"));
	put_address(r, FACT_SAS_ADDRESS, port, (uint32_t)id,
		    sj_node_get(r, n, "sas_address"));
	put_address(r, FACT_SAS_PEER_ADDRESS, port, (uint32_t)id,
		    sj_node_get(r, n, "attached_sas_address"));
}

static void read_ports(struct json_report *r, struct json_node root)
{
	char key[32];
	uint32_t seen[65536 / 32] = { 0 };
	uint64_t port;

	for (unsigned int k = 0; k < 8; k++) {
		struct json_node n;

		(void)snprintf(key, sizeof(key), "scsi_sas_port_%u", k);
		n = sj_node_get(r, root, key);
		if (!sj_node_u64(sj_node_get(r, n, "relative_target_port_id"), &port) ||
		    port > UINT16_MAX || !smart_bit(seen, (uint32_t)port))
			continue;
		if (!k)
			sj_post(r, "sas-phy", n);
		for (unsigned int m = 0; m < 16; m++) {
			(void)snprintf(key, sizeof(key), "phy_%u", m);
			put_phy(r, (uint32_t)port, sj_node_get(r, n, key));
		}
	}
}

void sj_read_scsi(struct json_report *r, struct json_node root)
{
	struct json_node transport =
		sj_node_path(r, root, "scsi_transport_protocol.name");

	if (sj_node_text(transport) && str_starts(sj_node_text(transport), "SAS"))
		sj_put_text(r, FACT_BUS, 0, 0, "sas", transport);
	sj_put_rows(r, single, root);
	read_made(r, root);
	read_counters(r, root);
	read_tests(r, root);
	read_scans(r, root);
	read_ports(r, root);
}
