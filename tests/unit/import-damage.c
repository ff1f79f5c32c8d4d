/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is cut, torn, repeated or hostile. */
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "import-fixture.h"

#define TABLE  "ID# ATTRIBUTE_NAME          FLAGS    VALUE WORST THRESH FAIL RAW_VALUE\n"

#define IOSTAT "Device tps kB_read/s kB_wrtn/s kB_read kB_wrtn\n"

/* Small texts, a fact that must be there (or NULL) and the start of one that must not (or NULL). */
static const struct {
	const char *text, *want, *never;
	unsigned damaged;
} damages[] = {
	/* the text ends inside the raw value, or may do so */
	{ TABLE "  5 Reallocated_Sector_Ct   PO--CK   100   100   010    -    12",
	  "attr[5].value=100", "attr[5].raw", 1 },
	{ TABLE "  5 Reallocated_Sector_Ct   PO--CK   100   100   010    -",
	  "attr[5].value=100", "attr[5].raw", 1 },
	{ TABLE "  5 Reallocated_Sector_Ct   PO--CK   100   100   0", NULL, "attr[", 1 },
	/* something behind it shows that it is whole */
	{ TABLE "194 Temperature_Celsius     -O---K   109   100   000    -    41 (Min",
	  "attr[194].raw=41", NULL, 0 },
	{ "SATA Phy Event Counters (GP Log 0x11)\n"
	  "0x0001  2           14  Com",
	  "phy[001].value=14", NULL, 0 },
	{ "SATA Phy Event Counters (GP Log 0x11)\n"
	  "0x0001  2           14",
	  NULL, "phy[", 1 },
	/* the first line may have lost its head: this was attribute 199 */
	{ "99 UDMA_CRC_Error_Count    -O--CK   200   200   000    -    7\n" TABLE
	  "200 Multi_Zone_Error_Rate   ---R--   200   200   000    -    2\n",
	  "attr[200].raw=2", "attr[99]", 0 },
	/* further down a row needs no heading */
	{ "I see this:\n  199 UDMA_CRC_Error_Count    -O--CK   200   200   000   "
	  " -    7\n",
	  "attr[199].raw=7", NULL, 0 },
	{ "I see this:\n  199 UDMA_CRC_Error_Count    is 7\n", NULL, "attr[", 0 },
	/* a terminal cut the number in two */
	{ TABLE "  1 Raw_Read_Error_Rate     POSR--   083   064   044    -    2211\n"
		"56408\n",
	  "attr[1].worst=64", "attr[1].raw", 2 },
	/* control characters in a number */
	{ TABLE "  5 Reallocated_Sector_Ct   PO--CK   100   100   010    -    1\x01"
		"2\n",
	  "attr[5].raw_text", "attr[5].raw=", 0 },
	{ TABLE "300 Reallocated_Sector_Ct   PO--CK   100   100   010    -    12\n", NULL,
	  "attr[", 0 },
	{ TABLE "  5 Reallocated_Sector_Ct   PO--CK   100   900   010    -    12\n", NULL,
	  "attr[", 1 },
	/* the same attribute twice: the first stands */
	{ TABLE "  5 Reallocated_Sector_Ct   PO--CK   100   100   010    -    1\n"
		"  5 Reallocated_Sector_Ct   PO--CK   100   100   010    -    2\n",
	  "attr[5].raw=1", "attr[5].raw=2", 1 },
	{ TABLE "  5 Some_Attribute          PO--CK   100   100   010    -    23.4\n",
	  "attr[5].raw_text=\"23.4\"", "attr[5].raw=", 0 },
	{ "=== START OF INFORMATION SECTION ===\n"
	  "User Capacity:    512,110,190,59",
	  NULL, "capacity", 1 },
	{ "=== START OF INFORMATION SECTION ===\n"
	  "User Capacity:    512,1101,90,592 bytes\n",
	  NULL, "capacity", 1 },
	{ "=== START OF INFORMATION SECTION ===\nDevice Model:     EXAMPLE DI", NULL,
	  "model", 1 },
	{ "=== START OF INFORMATION SECTION ===\nDevice Model:     EXAMPLE\n"
	  "LU WWN Device Id: 5 00dead ...\nSerial Number:    --\n",
	  "model=\"EXAMPLE\"", "wwn", 0 },
	{ "Device Statistics (GP Log 0x04)\n"
	  "0x01  0x008  4              66  ---",
	  NULL, "stat[", 1 },
	{ "Device Statistics (GP Log 0x04)\n"
	  "0x01  0x009  4              66  ---  Lifetime Power-On Resets\n",
	  NULL, "stat[", 1 },
	/* the registers and the tool's words must agree */
	{ "SMART Error Log Version: 1\nATA Error Count: 1\n"
	  "Error 1 occurred at disk power-on lifetime: 5 hours (0 days + 5 "
	  "hours)\n"
	  "40 51 00 c2 b5 23 40  Error: UNC at LBA = 0x0023b5c3 = 2340291\n",
	  "error[0].error=64", "error[0].lba", 1 },
	{ "SMART Self-test log structure revision number 1\n"
	  "# 1  Short offline  Completed: read failure  90%  4957  229796",
	  "selftest[0].hours=4957", "selftest[0].lba", 1 },
	{ "SMART Self-test log structure revision number 1\n"
	  "# 1  Short offline  Completed: read failure  90%  4957\n22979632\n",
	  "selftest[0].lba=22979632", NULL, 0 },
	{ "SMART Self-test log structure revision number 1\n"
	  "# 1  Short offline  Completed without error  00%  49\n57   -\n",
	  NULL, "selftest[0].hours", 1 },
	/* the table may be longer than the text */
	{ "Pending Defects log (GP Log 0x0c)\nIndex                LBA    Hours\n"
	  "    0          273827456    28341\n",
	  "pending_defect[0].hours=28341", "pending_defects", 0 },
	{ "SMART overall-health self-assessment test result: PASS", NULL, "smart_passed",
	  1 },
	/* amounts of iostat have no places: a row that may go on in the next line is not taken */
	{ IOSTAT "sda 2.00 8.00 0.00 8 49385\nsdb 1.00 4.00 0.00 4 7\n",
	  "comparison_row[0].micro[4]=49385000000", NULL, 0 },
	{ IOSTAT "sda 2.00 8.00 0.00 8 493\n85\nsdb 1.00 4.00 0.00 4 7\n",
	  "comparison_row[0].name=\"sdb\"", "comparison_row[1]", 2 },
	{ IOSTAT "sda 2.00 8.00 0.00 8 493\n\n85\nsdb 1.00 4.00 0.00 4 7\n", NULL,
	  "comparison_row[0].micro[4]=493000000", 1 },
	{ IOSTAT "sda 2.00 8.00 0.00 8 493", NULL, "comparison_row[", 1 },
	{ IOSTAT "sda 2.00 8.0\n0 0.00 8 493\nsdb 1.00 4.00 0.00 4 7\n",
	  "comparison_row[0].micro[1]=8000000", NULL, 0 },
	/* "SMART capabilities" must not be taken for those of the off-line collection */
	{ "General SMART Values:\ncapabilities:            (0x0003)\n", NULL,
	  "offline_cap", 0 },
};

static void damage_takes_nothing_wrong(void **state)
{

	(void)state;
	for (size_t i = 0; i < array_size(damages); i++) {
		struct fixture f;

		fixture_read_bytes(&f, damages[i].text, strlen(damages[i].text));
		if (damages[i].want && strchr(damages[i].want, '='))
			fixture_assert_facts(&f, &damages[i].want, 1);
		if (damages[i].never)
			fixture_assert_no_fact(&f, damages[i].never);
		if (f.st.damaged != damages[i].damaged)
			fail_msg("row %zu: %zu damaged", i, f.st.damaged);
		fixture_done(&f);
	}
}

static void reports_begin_where_they_should(void **state)
{
	static const struct {
		const char *text;
		size_t reports;
	} rows[] = {
		{ TABLE "  5 A PO--CK 100 100 010 - 1\n" TABLE
			"  5 A PO--CK 100 100 010 - 2\n",
		  2 },
		{ "Model Family: F\nDevice Model: A\nModel Family: F\nDevice Model: B\n",
		  2 },
		/* tables without headings, one below the other */
		{ "Here:\n5 A PO--CK 100 100 010 - 1\n9 B PO--CK 100 100 010 - 2\n\nand\n"
		  "5 A PO--CK 100 100 010 - 3\n9 B PO--CK 100 100 010 - 4\n",
		  2 },
		/* a row of the table again, in the answer below */
		{ TABLE
		  "5 A PO--CK 100 100 010 - 1\n9 B PO--CK 100 100 010 - 2\n\n"
		  "SMART Error Log Version: 1\nNo Errors Logged\n\nLook at this:\n\n"
		  "5 A PO--CK 100 100 010 - 1\n\nIt was\n\n5 A PO--CK 100 100 010 - 0\n",
		  1 },
		{ "$ smartctl -A /dev/sda\n" TABLE "  5 A PO--CK 100 100 010 - 1\n"
		  "$ smartctl -A /dev/sdb\n" TABLE "  5 A PO--CK 100 100 010 - 2\n",
		  2 },
		/* sentences are no commands */
		{ TABLE
		  "  5 A PO--CK 100 100 010 - 1\n\nsmartctl -x says more.\n"
		  "smartctl -a /dev/sda shows nothing.\n\n  9 B PO--CK 100 100 010 - 2\n",
		  1 },
		/* a command without a report */
		{ "# smartctl -x /dev/sda\n\nthat was it\n", 0 },
		{ "nothing of the kind\n", 0 },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct fixture f;

		fixture_read_bytes(&f, rows[i].text, strlen(rows[i].text));
		if (f.c.n_subjects != rows[i].reports)
			fail_msg("row %zu: %zu reports in%s", i, f.c.n_subjects,
				 f.facts ? f.facts : "");
		assert_int_equal(f.r, rows[i].reports ? 0 : -ENOMSG);
		fixture_done(&f);
	}
}

static void commands_name_the_device(void **state)
{
	static const struct {
		const char *line, *command, *device;
	} rows[] = {
		{ "host:~# smartctl -x /dev/sda", "smartctl -x /dev/sda", "sda" },
		{ "[root@host ~]# sudo smartctl -A /dev/sda  ", "smartctl -A /dev/sda",
		  "sda" },
		{ "$ /usr/sbin/smartctl --all /dev/disk/by-id/ata-X | less",
		  "smartctl --all /dev/disk/by-id/ata-X", "disk/by-id/ata-X" },
		{ "smartctl -a /dev/sda -d sat+megaraid,5",
		  "smartctl -a /dev/sda -d sat+megaraid,5", "sda [sat+megaraid,5]" },
		{ "C:\\> smartctl.exe -i sdb", "smartctl.exe -i sdb", "sdb" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		char text[256], command[128], device[128];
		const char *want[] = { command, device };
		struct fixture f;

		(void)snprintf(text, sizeof(text), "%s\nDevice Model: X\n", rows[i].line);
		(void)snprintf(command, sizeof(command), "posted_command=\"%s\"",
			       rows[i].command);
		(void)snprintf(device, sizeof(device), "device=\"%s\"", rows[i].device);
		fixture_read_bytes(&f, text, strlen(text));
		fixture_assert_facts(&f, want, 2);
		fixture_done(&f);
	}
}

static void lines_not_understood_are_reported(void **state)
{
	static const char text[] =
		"SATA Phy Event Counters (GP Log 0x11)\n"
		"ID      Size     Value  Description\n"
		"0x0001  2            0  Command failed due to ICRC error\n"
		"what is this\n"
		"0x0002  2           12x Something\n"
		"\n"
		"and this is prose.\n";
	struct fixture f;

	(void)state;
	fixture_read_bytes(&f, text, strlen(text));
	assert_int_equal(f.st.unknown, 2);
	assert_int_equal(f.st.open, 1);
	assert_int_equal(f.d.n, 2);
	assert_int_equal(f.d.items[0].line, 4);
	assert_string_equal(f.d.items[0].text,
			    "not understood in section phy: \"what is this\"");
	fixture_done(&f);
}

/* Far more than any report has: it must end, in bounded memory. */
static void floods_are_bounded(void **state)
{
	static const char *const rows[] = {
		"  5 A PO--CK 100 100 010 - 1\n",
		"Device Model: A\n",
		"0x0001 2 0 Command failed due to ICRC error\n",
		"Warning: w\n",
		"0x00-0xff GPL,SL R/W 16 Host vendor specific log\n",
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct buf text = { 0 };
		struct fixture f;

		buf_puts(&text, TABLE "\nGeneral Purpose Log Directory Version 1\n");
		for (size_t k = 0; k < 100000; k++)
			buf_puts(&text, rows[i]);
		fixture_read_bytes(&f, buf_text(&text), text.len);
		if (f.r != 0 && f.r != -ENOMSG)
			fail_msg("row %zu: %d", i, f.r);
		assert_true(f.c.body_bytes < 10u << 20);
		fixture_done(&f);
		buf_done(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(damage_takes_nothing_wrong),
		cmocka_unit_test(reports_begin_where_they_should),
		cmocka_unit_test(commands_name_the_device),
		cmocka_unit_test(lines_not_understood_are_reported),
		cmocka_unit_test(floods_are_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
