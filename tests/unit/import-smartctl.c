/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "import-fixture.h"

static const char *const brief_report[] = {
	"posted_tool=\"smartctl 6.6\"",
	"posted_section[0]=\"identity\"",
	"posted_section[1]=\"health\"",
	"posted_section[2]=\"attributes\"",
	"posted_section[3]=\"phy\"",
	"model=\"EXAMPLE DISK 2000\"",
	"serial=\"TEST0000001\"",
	"wwn=\"500dead000000001\"",
	"capacity_bytes=2000398934016",
	"logical_sector_bytes=512",
	"physical_sector_bytes=4096",
	"rotation_rpm=7200",
	"in_smartctl_database=0",
	"link_device_max_mbps=6000",
	"link_current_mbps=3000",
	"write_cache=0",
	"security_frozen=1",
	"setting[0]=\"Wt Cache Reorder: Enabled\"",
	"smart_passed=1",
	"attr_revision=16",
	"attr[1].flags=47",
	"attr[1].worst=199",
	"attr[5].when_failed=\"now\"",
	"attr[9].raw=5185",
	"attr[190].when_failed=\"past\"",
	"attr[194].raw=33",
	"attr[194].raw_text=\"33 (Min/Max -10/60)\"",
	"attr[195].raw=0",
	"attr[196].raw_signed=-11",
	"attr[232].raw=30004641529881",
	"phy[001].value=7",
	"phy[002].value=65535",
	"phy[002].saturated=1",
	"phy[00a].size=4",
	"phy[8000].value=98765432109",
};

static void brief_report_is_read(void **state)
{
	struct fixture f;

	(void)state;
	fixture_read_file(&f, "smartctl-x-brief.txt");
	assert_int_equal(f.r, 0);
	assert_int_equal(f.st.reports, 1);
	assert_int_equal(f.st.damaged + f.st.unknown + f.st.open, 0);
	fixture_assert_facts(&f, brief_report, array_size(brief_report));
	fixture_assert_no_fact(&f, "attr[195].value");
	fixture_assert_no_fact(&f, "attr[196].raw=");
	fixture_assert_no_fact(&f, "phy[001].saturated");
	fixture_done(&f);
}

static const char *const full_report[] = {
	"additional_product_id=\"EXAMPLE(tm)\"",
	"in_smartctl_database=1",
	"link_current_mbps=1500",
	"smart_passed=0",
	"offline_status=132",
	"selftest_status=121",
	"offline_seconds=41580",
	"offline_capability=123",
	"smart_capability=3",
	"errorlog_capability=1",
	"selftest_short_minutes=2",
	"selftest_extended_minutes=442",
	"selftest_conveyance_minutes=5",
	"sct_capability=28733",
	"attr[188].raw=4295032837", /* 0001h 0001h 0005h */
	"attr[188].raw_text=\"1 1 5\"",
	"log[01].smart_sectors=1",
	"log[04].gpl_sectors=256",
	"log[04].smart_sectors=8",
	"log[83].gpl_sectors=16",
	"log[83].name=\"Host vendor specific log\"",
	"log[c1].access=\"VS\"",
	"log[e2].access=\"-\"",
	"error_count=530",
	"error[0].number=530",
	"error[0].hours=44858",
	"error[0].state=\"active or idle\"",
	"error[0].error=64",
	"error[0].status=81",
	"error[0].count=264",
	"error[0].device=64",
	"error[0].lba=5077899949",
	"error[0].text=\"Error: UNC at LBA = 0x12eaa9aad = 5077899949\"",
	("error[0].command[1]=\"ef 00 10 00 02 00 00 00 00 00 00 a0 08 "
	 "3d+04:05:05.700 SET FEATURES [Enable SATA feature]\""),
	/* a 28-bit command in the extended log: four bits stand in Device */
	"error[1].lba=76516469",
	"error[1].device=228",
	"selftest[0].type=\"Extended offline\"",
	"selftest[0].result=\"Completed: read failure\"",
	"selftest[0].remaining_percent=90",
	"selftest[0].hours=44901",
	"selftest[0].lba=5077899949",
	"selftest[1].remaining_percent=0",
	"selftest[2].number=10",
	"selftest[2].type=\"Vendor (0xdf)\"",
	"selective[1].max_lba=15993",
	"selective[1].status=\"Completed [00% left] (0-65535)\"",
	"selective_flags=8",
	"selective_resume_minutes=7",
	"sct_status_version=3",
	"sct_version=258",
	"sct_temperature_celsius=41",
	"sct_cycle_max_celsius=45",
	"sct_lifetime_min_celsius=-4",
	"sct_lifetime_average_celsius=36",
	"sct_specified_max_celsius=60",
	"sct_under_limit_count=3",
	"sct_over_limit_count=4",
	"sct_smart_status=49743",
	"sct_min_erc_ds=65",
	"sct_history_interval_minutes=59",
	"sct_recommended_min_celsius=5",
	"sct_recommended_max_celsius=60",
	"sct_limit_min_celsius=-41",
	"sct_history_size=478",
	"sct_history_index=469",
	"sct_history[30].celsius=41",
	"erc_read_ds=70",
	"erc_write_ds=0",
	"stat[01/008].value=66",
	"stat[01/018].value=953964530123",
	"stat[01/038].name=\"Date and Time TimeStamp\"",
	"stat[04/010].name=\"Resets Between Cmd Acceptance and Completion\"",
	"stat[05/028].value=-4",
	"stat[05/020].flags=\"-DC+\"",
	"stat[07/008].flags=\"N--\"",
	"pending_defects=2",
	"pending_defect[0].hours=28341",
	"pending_defect[1].lba=273827457",
	"phy[009].saturated=1",
	"phy[00f].value=3",
	"farm[2]=\"1: Head Load Events: 2027\"",
};

static void every_section_is_read(void **state)
{
	struct fixture f;

	(void)state;
	fixture_read_file(&f, "smartctl-x-full.txt");
	assert_int_equal(f.r, 0);
	assert_int_equal(f.st.reports, 1);
	assert_int_equal(f.st.damaged + f.st.unknown + f.st.open, 0);
	assert_int_equal(f.d.n, 0);
	fixture_assert_facts(&f, full_report, array_size(full_report));
	fixture_assert_no_fact(&f, "stat[01/038].value");    /* "-" */
	fixture_assert_no_fact(&f, "sct_cycle_min_celsius"); /* "--" */
	fixture_assert_no_fact(&f, "sct_history[470]");	     /* "?" */
	fixture_assert_no_fact(&f, "selftest[1].lba");
	fixture_assert_no_fact(&f, "pending_defect[1].hours");
	fixture_done(&f);
}

/* The line below the last test begins with a number, and is none of its. */
static void a_summary_below_the_tests(void **state)
{
	static const char text[] =
		"smartctl 7.3 2022-02-28 r5338 [x86_64-linux-6.1.0] (local build)\n"
		"SMART Self-test log structure revision number 1\n"
		"Num  Test_Description    Status                  Remaining  "
		"LifeTime(hours)  LBA_of_first_error\n"
		"# 1  Extended offline    Completed without error       00%       900    "
		"     "
		"-\n"
		"# 2  Short offline       Completed: read failure       90%       800    "
		"     "
		"617623248\n"
		"1 of 1 failed self-tests are outdated by newer successful extended "
		"offline "
		"self-test # 1\n\n";
	static const char *const want[] = { "selftest[1].hours=800",
					    "selftest[1].lba=617623248" };
	struct fixture f;

	(void)state;
	fixture_read_bytes(&f, text, strlen(text));
	assert_int_equal(f.st.damaged + f.st.unknown + f.st.open, 0);
	fixture_assert_facts(&f, want, array_size(want));
	fixture_done(&f);
}

static void old_reports_are_read(void **state)
{
	static const char *const want[] = {
		"posted_command=\"smartctl -a -d ata /dev/hdc\"",
		"device=\"hdc\"",
		"posted_tool=\"smartctl 5.38\"",
		"capacity_bytes=80026361856",
		"attr[1].raw=215555632",
		"attr[5].flags=51",
		"attr[5].when_failed=\"now\"",
		"attr[9].raw=1335",
		"attr[190].when_failed=\"past\"",
		"attr[194].raw_text=\"(Lifetime Min/Max 23/39)\"",
		"error_count=7731",
		"error[0].hours=4955",
		"error[0].count=9",
		"error[0].lba=19117506", /* four bits of it in Device */
		("error[0].command[1]=\"b0 00 01 01 4f c2 e0 1f 284.485 [Reserved SMART "
		 "command]\""),
		"error[1].state=\"in an unknown state\"",
		"error[1].error=4",
		"selftest[0].lba=19117506",
		"selftest[1].type=\"Extended captive\"",
		"selftest[1].result=\"Interrupted (host reset)\"",
	};
	struct fixture f;

	(void)state;
	fixture_read_file(&f, "smartctl-a-old.txt");
	assert_int_equal(f.st.damaged + f.st.unknown + f.st.open, 0);
	fixture_assert_facts(&f, want, array_size(want));
	fixture_assert_no_fact(&f, "attr[194].raw=");
	fixture_assert_no_fact(&f, "error[1].lba"); /* cylinder, head, sector */
	fixture_done(&f);
}

static void oldest_reports_are_read(void **state)
{
	static const char *const want[] = {
		"posted_tool=\"smartctl 5.0-24\"",
		"model=\"EXAMPLE OLDEST 20\"",
		"selftest_status=112",
		"offline_seconds=3399",
		"attr[7].when_failed=\"now\"",
		"attr[7].raw=13",
		"attr[194].raw=30",
		"attr[240].name=\"Head flying hours\"",
		"attr[240].raw=159",
		"error[0].error=64",
		"error[0].status=89",
		"error[0].lba=793939",
		"error[0].command[1]=\"0c 00 08 47 1d 0c e0 c8 510.677\"",
		"selftest[0].hours=492",
		"selftest[1].lba=264635",
	};
	struct fixture f;

	(void)state;
	fixture_read_file(&f, "smartctl-a-oldest.txt");
	assert_int_equal(f.st.damaged + f.st.unknown + f.st.open, 0);
	fixture_assert_facts(&f, want, array_size(want));
	fixture_done(&f);
}

static void what_is_not_supported_is_known(void **state)
{
	static const char *const want[] = {
		"capacity_bytes=128035676160", /* dots between the digits */
		"smart_enabled=0",
		("smart_status_source=\"SMART Status not supported: Incomplete response, "
		 "ATA "
		 "output registers missing\""),
		("posted_warning[1]=\"Warning: This result is based on an Attribute "
		 "check.\""),
		("posted_warning[2]=\"SMART Extended Comprehensive Error Log (GP Log "
		 "0x03) not "
		 "supported\""),
		"posted_section[6]=\"sct\"",
		"log[00].gpl_sectors=1",
		"log[00].smart_sectors=1",
		"log[11].gpl_sectors=2",
		"log[11].name=\"SATA Phy Event Counters\"",
		"errorlog_read=\"SMART Error Log Version: 1\"",
		"error_count=0",
		"stat[01/010].value=12345",
		"stat[07/008].value=3",
		"stat[07/008].flags=\"N--\"",
	};
	struct fixture f;

	(void)state;
	fixture_read_file(&f, "smartctl-x-541.txt");
	assert_int_equal(f.st.damaged + f.st.unknown + f.st.open, 0);
	fixture_assert_facts(&f, want, array_size(want));
	fixture_assert_no_fact(&f, "log[11].smart_sectors");
	fixture_done(&f);
}

static void refusals_of_a_bridge_are_kept(void **state)
{
	static const char *const want[] = {
		"capacity_bytes=1000204886016", /* spaces between the digits */
		"link_device_max_mbps=3000",
		("posted_warning[1]=\"ATA_READ_LOG_EXT (addr=0x00:0x00, page=0, n=1) "
		 "failed: "
		 "48-bit ATA commands not implemented [JMicron]\""),
		("erc_text=\"Write SCT (Get) Error Recovery Control Command failed: Read "
		 "of ATA "
		 "output registers not implemented [JMicron]\""),
		"posted_section[6]=\"phy\"",
		"posted_warning[8]=\"Read SATA Phy Event Counters failed\"",
	};
	struct fixture f;

	(void)state;
	fixture_read_file(&f, "smartctl-x-usb.txt");
	assert_int_equal(f.st.reports, 1);
	assert_int_equal(f.st.damaged + f.st.unknown + f.st.open, 0);
	fixture_assert_facts(&f, want, array_size(want));
	fixture_assert_no_fact(&f, "link_current");
	fixture_done(&f);
}

static void other_drives_give_their_identity(void **state)
{
	static const char *const scsi[] = {
		"model=\"EXAMPLE SAS4000\"",
		"firmware=\"EX06\"",
		"serial=\"TEST0000006\"",
		"wwn=\"5000dead00000006\"",
		"bus=\"sas\"",
		"capacity_bytes=4000787030016",
		"smart_passed=1",
		"posted_section[2]=\"scsi\"",
	};
	static const char *const nvme[] = {
		"model=\"EXAMPLE NVME 512\"",
		"serial=\"TEST0000007\"",
		"capacity_bytes=512110190592",
		"bus=\"nvme\"",
		"smart_passed=0",
		"posted_section[2]=\"nvme-health\"",
	};
	struct fixture f;

	(void)state;
	fixture_read_file(&f, "smartctl-scsi.txt");
	fixture_assert_facts(&f, scsi, array_size(scsi));
	assert_int_equal(f.d.n, 0);
	fixture_assert_no_fact(&f, "attr[");
	fixture_done(&f);
	fixture_read_file(&f, "smartctl-nvme.txt");
	fixture_assert_facts(&f, nvme, array_size(nvme));
	assert_int_equal(f.d.n, 0);
	fixture_assert_no_fact(&f, "error_count");
	fixture_done(&f);
}

static void reports_in_a_mail_are_kept_apart(void **state)
{
	static const char *const want[] = {
		"device=\"sdb\"",   "attr[5].raw=8",
		"attr[199].raw=41", "device=\"sdc\"",
		"attr[5].raw=0",    "attr[194].raw=30",
		"attr[199].raw=7",  "attr[194].raw_text=\"30 (Min/Max 25/49)\"",
	};
	struct fixture f;

	(void)state;
	fixture_read_file(&f, "mail-two-reports.txt");
	assert_int_equal(f.st.reports, 2);
	assert_int_equal(f.c.n_subjects, 2);
	assert_int_equal(f.st.damaged + f.st.unknown, 0);
	fixture_assert_facts(&f, want, array_size(want));
	fixture_assert_no_fact(&f, "attr[197]");
	fixture_done(&f);
}

static void what_smartctl_seldom_says(void **state)
{
	static const char *const want[] = {
		"sata_version=\"SATA >3.5\"",
		"link_current_mbps=6000",
		"setting[0]=\"Transport Type: Parallel, ATA8-APT\"",
		"posted_warning[0]=\"==> WARNING: A firmware update for this drive may "
		"be available, see the following Example web pages: "
		"http://example.org/a\"",
		"smart_status_source=\"UNKNOWN!\"",
		"attr[1].value=83", /* -f hex */
		"attr[199].threshold=0",
		"attr[199].raw=3",
		"posted_warning[3]=\"ATA Error Count: 700 (possibly also invalid)\"",
		"posted_section[4]=\"selftest\"",
		"stat[01/008].value=5",
		"pending_defects=28", /* 2 and "26 entries not shown" */
		"phy[001].value=7",
		"posted_warning[5]=\"All counters reset\"",
	};
	struct fixture f;

	(void)state;
	fixture_read_file(&f, "smartctl-x-oddities.txt");
	assert_int_equal(f.st.damaged + f.st.unknown + f.st.open, 0);
	fixture_assert_facts(&f, want, array_size(want));
	fixture_assert_no_fact(&f, "link_device_max"); /* ">6.0 Gb/s" */
	fixture_assert_no_fact(&f, "smart_passed");
	fixture_assert_no_fact(&f, "error_count");
	fixture_assert_no_fact(&f, "attr[1].threshold"); /* "----" */
	fixture_assert_no_fact(&f, "phy[002]");
	fixture_done(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(brief_report_is_read),
		cmocka_unit_test(every_section_is_read),
		cmocka_unit_test(a_summary_below_the_tests),
		cmocka_unit_test(old_reports_are_read),
		cmocka_unit_test(oldest_reports_are_read),
		cmocka_unit_test(what_is_not_supported_is_known),
		cmocka_unit_test(refusals_of_a_bridge_are_kept),
		cmocka_unit_test(what_smartctl_seldom_says),
		cmocka_unit_test(other_drives_give_their_identity),
		cmocka_unit_test(reports_in_a_mail_are_kept_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
