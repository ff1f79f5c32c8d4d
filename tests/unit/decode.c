/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <string.h>

#include "case-fixture.h"
#include "decode/part.h"

static void device_names(void **state)
{
	static const char *const rows[][2] = {
		{ "/dev/sda", "sda" },
		{ "sda", "sda" },
		{ "sda3", "sda" },
		{ "sdaa12", "sdaa" },
		{ "nvme0n1", "nvme0n1" },
		{ "/dev/md0", "md0" },
		{ "", "" },
	};
	char name[8];

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		merge_device_name(rows[i][0], name, sizeof(name));
		assert_string_equal(name, rows[i][1]);
	}
	merge_device_name("mapper/very-long", name, sizeof(name));
	assert_string_equal(name, "mapper/");
}

static void identities(void **state)
{
	(void)state;
	assert_true(merge_is_identity("TEST0000001"));
	assert_false(merge_is_identity("--"));
	assert_false(merge_is_identity("XXXXXXXX"));
	assert_false(merge_is_identity("0000000"));
	assert_false(merge_is_identity(""));
	assert_false(merge_is_identity("[REDACTED]"));
	assert_false(merge_is_identity("hidden"));
	assert_true(merge_is_identity("hidden7"));
	assert_false(merge_is_identity(NULL));
}

static void counts_that_cannot_be(void **state)
{
	/* the drive of 120 GB whose page says 282,013,244 pending sectors, and around it */
	static const struct count_limits l = { .capacity_sectors = 234441648,
					       .hours_on = 3533 };
	static const struct {
		enum fact_id id;
		uint64_t u;
		bool doubt;
	} rows[] = {
		{ FACT_PENDING, 282013244, true },
		{ FACT_PENDING, 234441649, true },
		{ FACT_REALLOCATED, 234441649, true },
		{ FACT_REALLOCATED, 234441648, false },
		{ FACT_OFFLINE_UNCORR, 23498636, true },
		{ FACT_OFFLINE_UNCORR, UINT64_C(3534) * 3600, true },
		{ FACT_OFFLINE_UNCORR, UINT64_C(3533) * 3600, false },
		{ FACT_OFFLINE_UNCORR, 65529, false },
		{ FACT_CRC_ERRORS, UINT32_MAX, true },
		{ FACT_CRC_ERRORS, 0xffffffffffff, true },
		{ FACT_CRC_ERRORS, 42899987, false },
		{ FACT_POWER_ON_HOURS, 598640, true },
		{ FACT_POWER_ON_HOURS, 90000, false },
		{ FACT_COMMAND_TIMEOUTS, 4295032833, true },
		{ FACT_SPIN_RETRIES, 65536, true },
		{ FACT_SPIN_RETRIES, 7, false },
	};
	static const struct count_limits none = { 0 };

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++)
		if (!!doubt_count(&l, rows[i].id, rows[i].u) != rows[i].doubt)
			fail_msg("row %zu", i);
	/* nothing is known of the drive: nothing is held against it */
	assert_null(doubt_count(&none, FACT_PENDING, 282013244));
	assert_non_null(doubt_count(&none, FACT_PENDING, UINT32_MAX));
}

/* Expected: date -u -d '...' +%s000 */
static void times(void **state)
{
	int64_t ms = 1;

	(void)state;
	assert_true(local_time_parse("Thu Aug  2 14:42:08 2012 PDT", &ms));
	assert_true(ms == 1343918528000);
	assert_true(local_time_parse("Tue Feb 29 00:00:00 2000 UTC", &ms));
	assert_true(ms == 951782400000);
	assert_true(local_time_parse("Fri Mar  1 23:59:59 2024 CET", &ms));
	assert_true(ms == 1709337599000);
	assert_false(local_time_parse("Tue May ... 2022 SAST", &ms));
	assert_false(local_time_parse("", &ms));
	assert_false(local_time_parse("Thu Foo  2 14:42:08 2012", &ms));
	assert_true(ms == 1709337599000);
}

static size_t drives_of(const char *a, const char *b)
{
	const char *drives[] = { a, b, NULL };
	struct fixture f;
	size_t n;

	fixture_judge(&f, drives);
	n = f.the_case.n_drives;
	fixture_done(&f);
	return n;
}

static void which_reports_are_one_drive(void **state)
{
	(void)state;
	assert_int_equal(
		drives_of("model=\"A\"\nserial=\"S1\"\n", "model=\"A\"\nserial=\"S1\"\n"),
		1);
	assert_int_equal(
		drives_of("model=\"A\"\nserial=\"S1\"\n", "model=\"A\"\nserial=\"S2\"\n"),
		2);
	/* tools write the same name in ways of their own */
	assert_int_equal(drives_of("model=\"TEST DISK\"\nwwn=\"5000c5005a7a0001\"\n",
				   "model=\"TEST_DISK\"\nwwn=\"0x5000C5005A7A0001\"\n"),
			 1);
	/* the port of the host, and what a model alone can belong to */
	assert_int_equal(drives_of("port=\"ata3\"\n", "port=\"ata3\"\nserial=\"S1\"\n"),
			 1);
	assert_int_equal(drives_of("port=\"ata3\"\n", "port=\"ata4\"\nserial=\"S1\"\n"),
			 2);
	assert_int_equal(drives_of("model=\"A\"\n", "model=\"A\"\nserial=\"S1\"\n"), 1);
	/* the health of a controller, and its namespace */
	assert_int_equal(drives_of("device=\"nvme0\"\n", "device=\"nvme0n1\"\n"), 1);
	/* nothing but the model in common: two equal drives are common */
	assert_int_equal(drives_of("model=\"A\"\n", "model=\"A\"\n"), 2);
	assert_int_equal(
		drives_of("model=\"A\"\nserial=\"--\"\n", "model=\"A\"\nserial=\"--\"\n"),
		2);
	/* a snippet without identity, by the device that the command named */
	assert_int_equal(
		drives_of("device=\"/dev/sda\"\n", "model=\"A\"\ndevice=\"sda\"\n"), 1);
	assert_int_equal(drives_of("device=\"sda\"\n", "model=\"A\"\ndevice=\"sdb\"\n"),
			 2);
	assert_int_equal(drives_of("model=\"B\"\ndevice=\"sda\"\n",
				   "model=\"A\"\ndevice=\"sda\"\n"),
			 2);
	/* names change over a boot: the serial number decides */
	assert_int_equal(drives_of("serial=\"S1\"\ndevice=\"sda\"\n",
				   "serial=\"S1\"\ndevice=\"sdb\"\n"),
			 1);
}

static void older_report_stands_first(void **state)
{
	const char *drives[] = { "serial=\"S1\"\nlocal_time=\"Thu Aug  2 14:42:08 2012 "
				 "PDT\"\nattr[241].raw=20\n",
				 "serial=\"S1\"\nlocal_time=\"Thu Aug  2 14:00:00 2012 "
				 "PDT\"\nattr[241].raw=10\n",
				 NULL };
	struct fixture f;
	int64_t delta;

	(void)state;
	fixture_judge(&f, drives);
	assert_true(drive_delta(f.the_case.drives[0], FACT_ATTR_RAW, 241, 0, &delta));
	assert_int_equal(delta, 10);
	fixture_done(&f);
}

struct quantity_row {
	const char *facts;
	enum fact_id id;
	bool there;
	int64_t value;
};

/* Packing and units are those of the makers, as their families' reports show them. */
static const struct quantity_row quantities[] = {
	{ "attr[9].raw=36\n", FACT_POWER_ON_HOURS, true, 36 },
	{ "attr[199].raw=4739\n", FACT_CRC_ERRORS, true, 4739 },
	{ "attr[194].raw=31\nattr[194].raw_text=\"31 (Min/Max 5/48)\"\n",
	  FACT_TEMPERATURE, true, 31 },
	{ "attr[194].raw=158915493919\nattr[194].raw_text=\"158915493919\"\n",
	  FACT_TEMPERATURE, true, 31 }, /* 25001A001Fh: low byte 1Fh */
	{ "attr[197].raw=281474976710655\n", FACT_PENDING, false, 0 },
	{ "attr[9].raw=4294967295\n", FACT_POWER_ON_HOURS, false, 0 },
	{ "attr[5].name=\"Something_Else\"\nattr[5].raw=7\n", FACT_REALLOCATED, false,
	  0 },
	{ "attr[5].name=\"Reallocated_Sector_Ct\"\nattr[5].raw=7\n", FACT_REALLOCATED,
	  true, 7 },
	{ "attr[5].name=\"Unknown_Attribute\"\nattr[5].raw=7\n", FACT_REALLOCATED, true,
	  7 },
	{ "attr[197].name=\"Bogus_Current_Pend_Sect\"\nattr[197].raw=1\n", FACT_PENDING,
	  false, 0 },
	{ "stat[06/018].value=12\n", FACT_CRC_ERRORS, true, 12 },
	{ "stat[06/018].value=199\nstat[06/018].flags=\"N--\"\n", FACT_CRC_ERRORS, false,
	  0 },
	{ "stat[05/020].value=-128\n", FACT_TEMPERATURE_MAX, false, 0 },
	{ "stat[01/018].value=1000\nlogical_sector_bytes=4096\n", FACT_LBA_WRITTEN, true,
	  4096000 },
	{ "stat[01/018].value=1000\n", FACT_LBA_WRITTEN, false, 0 },
	{ "rotation_rpm=7200\nattr[241].raw=1000\nlogical_sector_bytes=512\n",
	  FACT_LBA_WRITTEN, true, 512000 },
};

static void quantities_are_derived(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(quantities); i++) {
		const char *drives[] = { quantities[i].facts, NULL };
		const struct fact *found;
		struct fixture f;

		fixture_judge(&f, drives);
		found = drive_fact(f.the_case.drives[0], quantities[i].id, 0, 0);
		print_message("# row %zu\n", i);
		assert_int_equal(found != NULL, quantities[i].there);
		if (found)
			assert_true(found->s == quantities[i].value);
		fixture_done(&f);
	}
}

static void a_line_that_is_no_fact_is_reported(void **state)
{
	const char *drives[] = { "model=\"A\"\nnonsense\nattr[5].raw=1\n", NULL };
	struct fixture f;

	(void)state;
	fixture_judge(&f, drives);
	assert_int_equal(f.diag.n, 1);
	assert_non_null(strstr(f.diag.items[0].text, "line 2"));
	assert_non_null(drive_fact(f.the_case.drives[0], FACT_ATTR_RAW, 5, 0));
	fixture_done(&f);
}

static void database_facts_name_their_record(void **state)
{
	const char *drives[] = { "model=\"SAMSUNG SSD 830 Series\"\n", NULL };
	const struct fact *family;
	struct fixture f;

	(void)state;
	fixture_judge(&f, drives);
	family = drive_fact(f.the_case.drives[0], FACT_DB_FAMILY, 0, 0);
	assert_non_null(family);
	assert_int_equal(family->trust, TRUST_DATABASE);
	assert_non_null(strstr(family->origin.file, ".hwdb"));
	assert_true(family->origin.line > 0);
	fixture_done(&f);
}

/* The figures are those of the sources that stand above the records. */
static void expectations_and_hints_are_kept_apart(void **state)
{
	const char *drives[] = { "model=\"Samsung SSD 840 Series\"\n",
				 "model=\"ST20000NM007D-3DJ103\"\n", NULL };
	const struct drive *ssd, *disk;
	struct fixture f;
	uint64_t u;

	(void)state;
	fixture_judge(&f, drives);
	ssd = f.the_case.drives[0];
	disk = f.the_case.drives[1];
	assert_true(drive_u64(ssd, FACT_HINT_SEQ, 0, 0, &u) && u == 540);
	assert_true(drive_u64(ssd, FACT_HINT_RAND1, 0, 0, &u) && u == 7900);
	assert_true(drive_u64(ssd, FACT_HINT_RAND32, 0, 0, &u) && u == 86000);
	assert_string_equal(drive_text(ssd, FACT_HINT_MEDIA, 0, 0), "TLC");
	assert_true(drive_u64(disk, FACT_EXPECT_SEQ, 0, 0, &u) && u == 193);
	assert_true(drive_u64(disk, FACT_EXPECT_OUTER, 0, 0, &u) && u == 285);
	assert_null(drive_fact(disk, FACT_HINT_SEQ, 0, 0));
	fixture_done(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(device_names),
		cmocka_unit_test(identities),
		cmocka_unit_test(counts_that_cannot_be),
		cmocka_unit_test(times),
		cmocka_unit_test(which_reports_are_one_drive),
		cmocka_unit_test(older_report_stands_first),
		cmocka_unit_test(quantities_are_derived),
		cmocka_unit_test(a_line_that_is_no_fact_is_reported),
		cmocka_unit_test(database_facts_name_their_record),
		cmocka_unit_test(expectations_and_hints_are_kept_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
