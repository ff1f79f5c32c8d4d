/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SCSI, SAS and NVMe reports: expected values are those that stand in the posted texts. */
#include "import-fixture.h"

#include "unit.h"

#include <errno.h>
#include <string.h>

#include "base/str.h"

static void read_whole(struct fixture *f, const char *name)
{
	fixture_read_file(f, name);
	assert_int_equal(f->st.reports, 1);
	assert_int_equal(f->st.damaged + f->st.unknown + f->st.open, 0);
}

static const char *const sas_facts[] = {
	"scsi_protection_type=2",
	"scsi_provisioning=\"fully provisioned\"",
	"capacity_bytes=8001563222016",
	"read_cache=1",
	"write_cache=0",
	"smart_passed=0",
	"scsi_exception_asc=93",
	"scsi_exception_ascq=50",
	"format_reassigned=5",
	"format_reassigned_since=12",
	"format_minutes_since=1234567",
	"temperature_celsius=44",
	"temperature_trip_celsius=60",
	"power_on_hours=43210",
	"manufactured=\"2016-W07\"",
	"start_stop_cycles=93",
	"start_stop_cycles_rated=50000",
	"load_cycles=2105",
	"load_cycles_rated=600000",
	"grown_defects=417",
	"scsi_blocks_sent=3400674574336",
	"scsi_commands_small=1104067037",
	"scsi_commands_large=98874",
	"scsi_next_test_minutes=41",
	"scsi_errors[03].corrected_fast=2242530123",
	"scsi_errors[03].corrected_delayed=24029",
	"scsi_errors[03].retries=1718309",
	"scsi_errors[03].corrected=2242554152",
	"scsi_errors[03].correction_invocations=30372",
	"scsi_errors[03].bytes=409777659000000",
	"scsi_errors[03].uncorrected=21",
	"scsi_errors[02].corrected_delayed=2629",
	"scsi_errors[02].uncorrected=0",
	"non_medium_errors=332",
	"pending_defects=2",
	"pending_defect[0].lba=1715004",
	"pending_defect[1].hours=43002",
	"scsi_log_save_disabled=1",
	"selftest[0].type=\"Background long\"",
	"selftest[0].result=\"Failed in segment\"",
	"selftest[0].segment=3",
	"selftest[0].hours=43123",
	"selftest[0].lba=1715004",
	"selftest[0].sense=\"0x3 0x11 0x0\"",
	"selftest[2].result=\"Aborted (by user command)\"",
	"selftest[2].hours=3",
	"selftest_extended_seconds=48600",
	"background_scan_status=\"waiting until BMS interval timer expires\"",
	"background_scans=311",
	"background_scan_progress_ppm=123400",
	"background_medium_scans=311",
	"background_result[1].minutes=2580067",
	"background_result[1].lba=1715004",
	"background_result[1].sense=\"3,11,0\"",
	"background_result[2].reassign=\"Recovered via rewrite in-place\"",
	"sas_port[1].phy[0].rate_mbps=6000",
	"sas_port[1].phy[0].invalid_dwords=3102",
	"sas_port[1].phy[0].disparity_errors=2988",
	"sas_port[1].phy[0].losses_of_sync=12",
	"sas_port[1].phy[0].reset_problems=1",
	"sas_port[1].phy[0].attached=\"expander device\"",
	"sas_port[1].phy[0].attached_phy=17",
	"sas_port[1].event[6]=7",
	"sas_port[1].event[66]=2",
	"sas_port[2].phy[1].state=\"phy enabled; unknown\"",
	"sas_port[2].phy[1].invalid_dwords=0",
};

static void a_sas_report(void **state)
{
	struct fixture f;

	(void)state;
	read_whole(&f, "smartctl-sas-x.txt");
	fixture_assert_facts(&f, sas_facts, array_size(sas_facts));
	/* not told is not 0 */
	fixture_assert_no_fact(&f, "temperature_warning_enabled");
	fixture_assert_no_fact(&f, "format_grown_defects");
	fixture_assert_no_fact(&f, "sas_port[2].phy[1].rate");
	fixture_assert_no_fact(&f, "selftest[1].lba");
	fixture_assert_no_fact(&f, "scsi_errors[05]");
	fixture_done(&f);
}

static const char *const nvme_facts[] = {
	"bus=\"nvme\"",
	"nvme_pci_vendor=4660",
	"nvme_pci_subsystem_vendor=22136",
	"nvme_oui=57005",
	"nvme_total_bytes=1024209543168",
	"capacity_bytes=1024209543168",
	"nvme_namespace[1].used_bytes=512110190592",
	"nvme_namespace[1].eui64=\"00dead0000000009\"",
	"nvme_namespace[1].features=8",
	"nvme_firmware_updates=22",
	"nvme_optional_admin_commands=23",
	"nvme_max_transfer_pages=64",
	"nvme_warning_temperature_celsius=83",
	"nvme_critical_temperature_celsius=85",
	"nvme_power_state[0].max_microwatts=8490000",
	"nvme_power_state[3].max_microwatts=50000",
	"nvme_power_state[4].max_microwatts=5000",
	"nvme_power_state[4].operational=0",
	"nvme_power_state[4].exit_us=9500",
	"nvme_power_state[1].ranks=\"1 1 1 1\"",
	"nvme_lba_format[1].metadata_bytes=8",
	"nvme_lba_format[1].in_use=0",
	"smart_passed=0",
	"posted_warning[0]=\"- available spare has fallen below threshold\"",
	"nvme_critical_warning=5",
	"temperature_celsius=41",
	"nvme_spare_percent=4",
	"nvme_spare_threshold_percent=10",
	"life_used_percent=117",
	"nvme_data_units_read=156861833",
	"nvme_data_units_written=2047575001",
	"nvme_read_commands=611503328",
	"nvme_busy_minutes=3346",
	"power_cycles=24",
	"power_on_hours=10042",
	"nvme_unsafe_shutdowns=18",
	"nvme_media_errors=7",
	"nvme_error_log_entries=1204",
	"nvme_warning_temperature_minutes=12",
	"nvme_critical_temperature_minutes=3",
	"nvme_sensor[2].celsius=67",
	"nvme_thermal_1_transitions=31",
	"nvme_thermal_1_seconds=4242",
	"nvme_thermal_2_seconds=17",
	"nvme_error_log_read=16",
	"nvme_error_log_size=64",
	"nvme_error[0].count=1204",
	"nvme_error[0].status=16388",
	"nvme_error[0].location=44",
	"nvme_error[0].message=\"Invalid Field in Command\"",
	"nvme_error[1].lba=71503328",
	"nvme_error[1].vendor=128",
	("selftest_in_progress="
	 "\"Extended self-test in progress (37% completed)\""),
	"selftest[1].type=\"Extended\"",
	"selftest[1].result=\"Completed: failed segments\"",
	"selftest[1].hours=9980",
	"selftest[1].lba=71503328",
	"selftest[1].segment=7",
	"selftest[1].namespace=\"1\"",
	"selftest[1].sense=\"0x2 0x81\"",
	"selftest[2].namespace=\"*\"",
};

static void an_nvme_report(void **state)
{
	struct fixture f;

	(void)state;
	read_whole(&f, "smartctl-nvme-x.txt");
	fixture_assert_facts(&f, nvme_facts, array_size(nvme_facts));
	fixture_assert_no_fact(&f, "nvme_error[0].namespace");
	fixture_assert_no_fact(&f, "nvme_error[1].location");
	fixture_assert_no_fact(&f, "nvme_power_state[0].active");
	fixture_assert_no_fact(&f, "selftest[0].lba");
	fixture_done(&f);
}

/* A value at the end of a text that was cut may lack digits; beside a unit it cannot. */
static void cut_values_are_left_out(void **state)
{
	static const struct {
		const char *text;
		const char *want, *not_want;
	} rows[] = {
		{ "SMART/Health Information (NVMe Log 0x02)\nPower On Hours:   10,0",
		  NULL, "power_on_hours" },
		{ "SMART/Health Information (NVMe Log 0x02)\n"
		  "Critical Warning:   0x00\nAvailable Spare:   10%",
		  "nvme_spare_percent=10", NULL },
		{ "SMART/Health Information (NVMe Log 0x02)\n"
		  "Critical Warning:   0x00\nAvailable Spare:   10",
		  "nvme_critical_warning=0", "nvme_spare" },
		{ "SMART/Health Information (NVMe Log 0x02)\nCritical Warning:   0x0",
		  NULL, "nvme_critical_warning" },
		{ "Error counter log:\nread:  1  2  3  4  5  6.789  1", NULL,
		  "scsi_errors" },
		{ "Elements in grown defect list: 12\n", "grown_defects=12", NULL },
		{ "Elements in grown defect list: 1", NULL, "grown_defects" },
		/* a terminal cut the number in two */
		{ "Error counter log:\nread:  1  2  3  4  5  6.789  1\n2\n", NULL,
		  "scsi_errors" },
		{ "Error counter log:\nread:  1  2  3  4  5\n  6.789  12\n\n",
		  "scsi_errors[03].uncorrected=12", NULL },
		/* whose phy it is stands above it */
		{ "Elements in grown defect list: 0\n"
		  "Protocol Specific port log page for SAS SSP\n"
		  "    Invalid DWORD count = 4\n",
		  "grown_defects=0", "sas_port" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct fixture f;

		fixture_read_bytes(&f, rows[i].text, strlen(rows[i].text));
		if (rows[i].want)
			fixture_assert_facts(&f, &rows[i].want, 1);
		if (rows[i].not_want)
			fixture_assert_no_fact(&f, rows[i].not_want);
		fixture_done(&f);
	}
}

/* The sectors of a trace are bytes of the drive, in the reading that the text around them is of. */
static void a_trace_holds_pages(void **state)
{
	static const char *const items[] = { "facts/smartctl", "ata/identify",
					     "ata/smart/data", "ata/smart-log/06" };
	const struct cap_snapshot *snapshot;
	struct fixture f;

	(void)state;
	read_whole(&f, "smartctl-trace.txt");
	assert_int_equal(f.c.n_subjects, 1);
	assert_int_equal(f.c.subjects[0].n_snapshots, 1);
	snapshot = &f.c.subjects[0].snapshots[0];
	assert_int_equal(snapshot->n_items, array_size(items));
	for (size_t i = 0; i < array_size(items); i++)
		assert_string_equal(snapshot->items[i].id, items[i]);
	for (size_t i = 1; i < array_size(items); i++)
		assert_int_equal(snapshot->items[i].body.len, 512);
	/* word 10 on: the serial number, two characters swapped in each */
	assert_memory_equal(snapshot->items[1].body.data + 20, "ETTS000010 2", 12);
	assert_int_equal(snapshot->items[2].body.data[2], 5);
	assert_int_equal(snapshot->items[3].body.data[511], 255);
	fixture_done(&f);
}

/* A sector of which a line is missing is none. */
static void half_a_sector_is_none(void **state)
{
	static const char text[] = "smartctl 7.3 2022-02-28 r5338 "
				   "[x86_64-linux-6.1.0-example] (local build)\n"
				   "Device Model:     EXAMPLE TRACE500\n"
				   "===== [IDENTIFY DEVICE] DATA START (BASE-16) =====\n"
				   "000-015: 40 00 00 00 00 00 00 00 00 00 00 00 00 00 "
				   "00 00 |@...............|\n"
				   "===== [IDENTIFY DEVICE] DATA END (512 Bytes) =====\n";
	struct fixture f;

	(void)state;
	fixture_read_bytes(&f, text, strlen(text));
	assert_int_equal(f.c.subjects[0].snapshots[0].n_items, 1);
	fixture_done(&f);
}

static void a_scan_names_drives(void **state)
{
	static const char text[] =
		"# smartctl --scan-open\n"
		"/dev/sda -d sat # /dev/sda [SAT], ATA device\n"
		"/dev/nvme0 -d nvme # /dev/nvme0, NVMe device\n"
		"/dev/bus/0 -d megaraid,4 # /dev/bus/0 [megaraid_disk_04], SCSI device\n"
		"# /dev/sdq -d scsi # /dev/sdq, SCSI device open failed: No such device\n"
		"/dev/sdr -d sat is what I use\n";
	static const char *const want[] = {
		"device=\"sda\"",
		"posted_device_type=\"sat\"",
		"device=\"nvme0\"",
		"bus=\"nvme\"",
		"device=\"bus/0 [megaraid,4]\"",
		"posted_device_type=\"megaraid,4\"",
		"posted_warning[0]=\"No such device\"",
	};
	struct fixture f;

	(void)state;
	fixture_read_bytes(&f, text, strlen(text));
	assert_int_equal(f.c.n_subjects, 4);
	fixture_assert_facts(&f, want, array_size(want));
	fixture_assert_no_fact(&f, "device=\"sdr");
	fixture_done(&f);
}

static void words_of_prose_are_none(void **state)
{
	static const char text[] =
		"I bought the drive in 2019.\nTemperature: 35 Celsius in the room.\n"
		"Available Spare: none, sadly.\nPower Cycles: 5\n"
		"Critical Warning: do not touch.\n";
	struct fixture f;

	(void)state;
	fixture_read_bytes(&f, text, strlen(text));
	assert_int_equal(f.r, -ENOMSG);
	fixture_done(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sas_report),
		cmocka_unit_test(an_nvme_report),
		cmocka_unit_test(cut_values_are_left_out),
		cmocka_unit_test(a_trace_holds_pages),
		cmocka_unit_test(half_a_sector_is_none),
		cmocka_unit_test(a_scan_names_drives),
		cmocka_unit_test(words_of_prose_are_none),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
