/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON of smartctl: the same facts as the text of the same report, however it is laid out or cut. */
#include "files.h"
#include "import-fixture.h"

#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

static const char *const ata_facts[] = {
	"posted_tool=\"smartctl 7.1\"",
	"posted_command=\"smartctl -x --json /dev/sdc\"",
	"posted_exit_status=64",
	"posted_warning[0]=\"Read SCT Status failed: example\"",
	"device=\"sdc\"",
	"posted_device_type=\"sat\"",
	"model=\"EXAMPLE ATA500\"",
	"wwn=\"500dead00000000a\"",
	"bus=\"sata\"",
	"trim=\"Available, deterministic\"",
	"link_device_max_mbps=6000",
	"link_current_mbps=1500",
	"offline_status=130",
	"offline_capability=91",
	"smart_capability=3",
	"selftest_status=121",
	"selftest_conveyance_minutes=2",
	"attr_revision=16",
	"attr[5].raw=1411",
	"attr[5].flags=51",
	"attr[9].raw=12345",
	"attr[9].raw_text=\"12345h+21m+36.806s\"",
	"attr[190].when_failed=\"now\"",
	"attr[190].raw=60",
	"attr[194].raw_signed=-11",
	"attr[199].raw=25493",
	"log[11].access=\"R/O\"",
	"log[11].gpl_sectors=1",
	"error_count=299",
	"error[0].hours=12300",
	"error[0].error=64",
	"error[0].lba=3750019496",
	"selftest[0].result=\"Completed: read failure\"",
	"selftest[0].remaining_percent=90",
	"selftest[0].lba=3750019496",
	"selective[1].max_lba=99",
	"selective_resume_minutes=5",
	"sct_history[0].celsius=39",
	"sct_history[2].celsius=41",
	"sct_limit_min_celsius=-10",
	"erc_read_ds=0",
	"erc_write_ds=70",
	"stat[01/008].value=13",
	"stat[01/008].flags=\"---\"",
	"stat[01/018].size=6",
	"pending_defects=1",
	"pending_defect[0].lba=3750019496",
	"phy[001].value=65535",
	"phy[001].saturated=1",
	"phy[00a].value=5",
	"farm[2]=\"farm.page_0.pages_supported: 6\"",
};

static void an_ata_report(void **state)
{
	struct fixture f;

	(void)state;
	fixture_read_file(&f, "smartctl-ata-x.json");
	fixture_assert_facts(&f, ata_facts, array_size(ata_facts));
	assert_int_equal(f.d.n, 0);
	/* attributes tell these, and no reading is not 0 */
	fixture_assert_no_fact(&f, "power_on_hours");
	fixture_assert_no_fact(&f, "temperature_celsius");
	fixture_assert_no_fact(&f, "sct_history[1]");
	fixture_assert_no_fact(&f, "stat[01/018].value");
	fixture_assert_no_fact(&f, "phy[00a].saturated");
	fixture_done(&f);
}

/* Facts that only one of the two has; all others must be in both. */
static bool is_of_one(const char *line)
{
	static const char *const starts[] = {
		"posted_",
		"device=",
		"scsi_blocks_",
		"scsi_commands_",
		"scsi_next_test",
		"non_medium",
		"scsi_log_save",
		"read_cache",
		"write_cache",
		"sas_port[1].event",
		"smart_available",
		"smart_enabled",
		"nvme_error[0].phase",
	};

	for (size_t i = 0; i < array_size(starts); i++)
		if (str_starts(line, starts[i]))
			return true;
	return strncmp(line, "facts/", 6) == 0;
}

static void assert_contains(const struct fixture *all, const struct fixture *part)
{
	char *copy = strdup(part->facts), *save = NULL;

	assert_non_null(copy);
	for (char *line = strtok_r(copy, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		char *at = strstr(line, " @"), name[512];
		const char *want = name;

		if (at)
			*at = '\0';
		(void)snprintf(name, sizeof(name), "%s", line);
		if (!is_of_one(line))
			fixture_assert_facts(all, &want, 1);
	}
	free(copy);
}

static void text_and_json_say_the_same(void **state)
{
	static const char *const names[] = { "smartctl-sas-x", "smartctl-nvme-x" };

	(void)state;
	for (size_t i = 0; i < array_size(names); i++) {
		struct fixture text, json;
		char name[64];

		(void)snprintf(name, sizeof(name), "%s.txt", names[i]);
		fixture_read_file(&text, name);
		(void)snprintf(name, sizeof(name), "%s.json", names[i]);
		fixture_read_file(&json, name);
		assert_contains(&json, &text);
		assert_contains(&text, &json);
		fixture_done(&text);
		fixture_done(&json);
	}
}

/* -j=g and -j=y: other dresses of the same report */
static void however_it_is_dressed(void **state)
{
	static const char *const names[] = { "json-flat-sas-x.txt",
					     "json-yaml-sas-x.txt" };
	struct fixture json;

	(void)state;
	fixture_read_file(&json, "smartctl-sas-x.json");
	for (size_t i = 0; i < array_size(names); i++) {
		struct fixture other;

		fixture_read_file(&other, names[i]);
		assert_int_equal(other.st.reports, 1);
		assert_int_equal(other.d.n, 0);
		assert_contains(&json, &other);
		assert_contains(&other, &json);
		fixture_done(&other);
	}
	fixture_done(&json);
}

static void what_nobody_knows_is_kept(void **state)
{
	static const char *const want[] = {
		"posted_line[0]=\"nvme_example_member.left[0]: 1\"",
		"posted_line[2]=\"nvme_example_member.right: as it is\"",
	};
	struct fixture f;

	(void)state;
	fixture_read_file(&f, "smartctl-nvme-x.json");
	fixture_assert_facts(&f, want, array_size(want));
	fixture_done(&f);
}

#define ONE                                                                              \
	"{\"smartctl\":{\"version\":[7,3]},\"device\":{\"name\":\"/dev/sda\"},"          \
	"\"model_name\":\"EXAMPLE A\",\"rotation_rate\":7200}"
#define TWO                                                                              \
	"{\"smartctl\":{\"version\":[7,3]},\"device\":{\"name\":\"/dev/sdb\"},"          \
	"\"model_name\":\"EXAMPLE B\",\"rotation_rate\":5400}"

static void however_it_is_laid_out(void **state)
{
	static const struct {
		const char *text;
		size_t subjects;
	} rows[] = {
		{ ONE, 1 },
		{ "[" ONE "," TWO "]", 2 },
		{ ONE "\n" TWO "\n", 2 },
		{ "{\"reports\":{\"sda\":" ONE ",\"sdb\":" TWO "}}", 2 },
		{ "Here it is:\n\n" ONE "\nAnd the other one:\n" TWO "\nBye\n", 2 },
		{ "> " ONE "\n> said somebody\n", 1 },
		{ "[{\"a\":1},{\"b\":[2,{\"c\":\"}\"}]}," TWO "]", 1 },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct fixture f;

		fixture_read_bytes(&f, rows[i].text, strlen(rows[i].text));
		assert_int_equal(f.r, 0);
		assert_int_equal(f.c.n_subjects, rows[i].subjects);
		assert_non_null(strstr(f.facts, rows[i].subjects == 2
							? "model=\"EXAMPLE B\""
							: "model=\"EXAMPLE "));
		fixture_done(&f);
	}
}

static void a_line_longer_than_those_of_a_text(void **state)
{
	struct buf b = { 0 };
	struct fixture f;

	(void)state;
	buf_putc(&b, '[');
	for (int i = 0; i < 1000; i++)
		buf_printf(&b, "%s%s", i ? "," : "", i % 2 ? ONE : TWO);
	buf_putc(&b, ']');
	fixture_read_bytes(&f, buf_text(&b), b.len);
	assert_int_equal(f.r, 0);
	assert_true(f.c.n_subjects >= 900);
	fixture_done(&f);
	buf_done(&b);
}

static void cut_reports_give_what_is_whole(void **state)
{
	static const struct {
		const char *text, *want, *not_want;
	} rows[] = {
		{ "{\"smartctl\":{\"version\":[7,3]},\"device\":{\"name\":\"/dev/sda\"},"
		  "\"model_name\":\"EXAMPLE A\",\"rotation_rate\":72",
		  "model=\"EXAMPLE A\"", "rotation_rpm" },
		{ "{\"smartctl\":{\"version\":[7,3]},\"device\":{\"name\":\"/dev/sda\"},"
		  "\"model_name\":\"EXAM",
		  "device=\"sda\"", "model=" },
		{ "{\"smartctl\":{\"version\":[7,3]},\"model_name\":\"EXAMPLE A\","
		  "\"ata_smart_attributes\":{\"table\":[{\"id\":5,\"value\":100,"
		  "\"raw\":{\"value\":12,\"string\":\"12\"}},{\"id\":9,\"value\":1",
		  "attr[5].raw=12", "attr[9].value" },
		{ "{\"smartctl\":{\"version\":[7,3]},\"model_name\":\"EXAMPLE A\","
		  "\"rotation_rate\":7200,!\"logical_block_size\":512}",
		  "model=\"EXAMPLE A\"", "logical_sector" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct fixture f;

		fixture_read_bytes(&f, rows[i].text, strlen(rows[i].text));
		fixture_assert_facts(&f, &rows[i].want, 1);
		fixture_assert_no_fact(&f, rows[i].not_want);
		assert_int_equal(f.d.n, 1);
		assert_non_null(strstr(f.d.items[0].text, "cut or damaged"));
		fixture_done(&f);
	}
}

/* Every number that a cut report gives stands in the whole one, too. */
static void cut_everywhere(const char *name)
{
	struct buf b cleanup_buf = { 0 };
	char file[256], path[FILES_PATH];
	struct fixture whole;
	const char *bytes;
	size_t n;

	(void)snprintf(file, sizeof(file), "tests/import/%s", name);
	assert_true(files_read(files_source(file, path), &b));
	bytes = buf_text(&b);
	n = b.len;
	fixture_read_bytes(&whole, bytes, n);
	for (size_t cut = 1; cut < n; cut += 37) {
		struct fixture f;

		fixture_read_bytes(&f, bytes, cut);
		if (f.facts)
			assert_contains(&whole, &f);
		fixture_done(&f);
	}
	fixture_done(&whole);
}

static void cut_anywhere(void **state)
{
	(void)state;
	cut_everywhere("smartctl-sas-x.json");
	cut_everywhere("json-flat-sas-x.txt");
	cut_everywhere("json-yaml-sas-x.txt");
}

static void numbers_too_large_are_none(void **state)
{
	static const char text[] =
		"{\"smartctl\":{\"version\":[7,3]},\"device\":{\"protocol\":\"NVMe\"},"
		"\"nvme_smart_health_information_log\":{\"data_units_read\":"
		"340282366920938463463374607431768211455,\"media_errors\":-1,"
		"\"unsafe_shutdowns\":1.5,\"power_cycles\":\"7\",\"power_on_hours\":8}}";
	static const char *const want[] = { "power_on_hours=8" };
	static const char *const not_want[] = { "nvme_data_units_read",
						"nvme_media_errors",
						"nvme_unsafe_shutdowns", "power_cycles" };
	struct fixture f;

	(void)state;
	fixture_read_bytes(&f, text, strlen(text));
	fixture_assert_facts(&f, want, 1);
	for (size_t i = 0; i < array_size(not_want); i++)
		fixture_assert_no_fact(&f, not_want[i]);
	fixture_done(&f);
}

static void a_scan_names_drives(void **state)
{
	static const char text[] =
		"{\"json_format_version\":[1,0],\"smartctl\":{\"version\":[7,1]},"
		"\"devices\":[{\"name\":\"/dev/bus/0\",\"type\":\"megaraid,0\"},"
		"{\"name\":\"/dev/nvme0\",\"type\":\"nvme\",\"protocol\":\"NVMe\"}]}";
	static const char *const want[] = { "device=\"bus/0 [megaraid,0]\"",
					    "device=\"nvme0\"", "bus=\"nvme\"" };
	struct fixture f;

	(void)state;
	fixture_read_bytes(&f, text, strlen(text));
	assert_int_equal(f.c.n_subjects, 2);
	fixture_assert_facts(&f, want, array_size(want));
	fixture_done(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_ata_report),
		cmocka_unit_test(text_and_json_say_the_same),
		cmocka_unit_test(however_it_is_dressed),
		cmocka_unit_test(what_nobody_knows_is_kept),
		cmocka_unit_test(however_it_is_laid_out),
		cmocka_unit_test(a_line_longer_than_those_of_a_text),
		cmocka_unit_test(cut_reports_give_what_is_whole),
		cmocka_unit_test(cut_anywhere),
		cmocka_unit_test(numbers_too_large_are_none),
		cmocka_unit_test(a_scan_names_drives),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
