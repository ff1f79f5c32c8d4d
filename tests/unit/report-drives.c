/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report-build.h"

#include <stdlib.h>

static void add_media_facts(struct fixture *f, struct drive *facts)
{
	fx_u64(f, facts, FACT_PENDING, 24);
	fx_u64(f, facts, FACT_REALLOCATED, 1456);
	fx_u64(f, facts, FACT_REPORTED_UNCORR, 12);
	fx_s64_at(f, facts, FACT_TEMPERATURE, 0, 0, 41);
	fx_u64(f, facts, FACT_ERROR_COUNT, 12);
	fx_text(f, facts, FACT_ERRORLOG_READ, "extended comprehensive");
	fx_u64_at(f, facts, FACT_ERROR_NUMBER, 0, 0, 12);
	fx_u64_at(f, facts, FACT_ERROR_HOURS, 0, 0, 31330);
	fx_u64_at(f, facts, FACT_ERROR_LBA, 0, 0, 123456789);
	fx_text_at(f, facts, FACT_ERROR_TEXT, 0, 0, "Error: UNC at LBA = 0x075bcd15");
	fx_text_at(f, facts, FACT_ERROR_COMMAND, 0, 0, "60 00 08 READ FPDMA QUEUED");
	fx_text_at(f, facts, FACT_ERROR_COMMAND, 0, 1, "ef 10 02 SET FEATURES");
	fx_text_at(f, facts, FACT_SELFTEST_TYPE, 0, 0, "Extended offline");
	fx_text_at(f, facts, FACT_SELFTEST_RESULT, 0, 0, "Completed: read failure");
	fx_u64_at(f, facts, FACT_SELFTEST_HOURS, 0, 0, 31320);
	fx_u64_at(f, facts, FACT_SELFTEST_LBA, 0, 0, 123456789);
	fx_u64_at(f, facts, FACT_STAT_SIZE, 1, 0x10, 4);
	fx_text_at(f, facts, FACT_STAT_NAME, 1, 0x10, "Power-on Hours");
	fx_s64_at(f, facts, FACT_STAT_VALUE, 1, 0x10, 31337);
	fx_u64_at(f, facts, FACT_DEFECT_LBA, 0, 0, 123456789);
	fx_text_at(f, facts, FACT_LOG_NAME, 0x11, 0, "SATA Phy Event Counters log");
	fx_u64_at(f, facts, FACT_LOG_GPL, 0x11, 0, 1);
	fx_u64_at(f, facts, FACT_SELECTIVE_MIN, 1, 0, 0);
	fx_u64_at(f, facts, FACT_SELECTIVE_MAX, 1, 0, 65535);
	fx_text_at(f, facts, FACT_SELECTIVE_STATUS, 1, 0, "Not_testing");
	fx_s64_at(f, facts, FACT_SCT_HIST_TEMP, 5, 0, -1);
	fx_text_at(f, facts, FACT_SETTING, 0, 0, "Write cache is: Enabled");
}

/* What a kernel log has of such a drive, and a line that would like to steer the terminal. */
static void add_events(struct fixture *f, struct drive *d)
{
	const struct event events[] = {
		{ .class = EVENT_MEDIA,
		  .has = EVENT_HAS_EMASK | EVENT_HAS_SERR | EVENT_HAS_COMMAND |
			 EVENT_HAS_RESULT | EVENT_HAS_LBA,
		  .time = { .has_monotonic = true, .monotonic_us = 614263599 },
		  .order = 1,
		  .ata_port = 2,
		  .emask = EMASK_DEV | EMASK_MEDIA,
		  .command = 0x60,
		  .status = 0x41,
		  .error = 0x40,
		  .has_direction = true,
		  .lba = 123456789,
		  .commands = 3,
		  .culprit_known = true,
		  .text = "ata2.00: exception Emask 0x0 SAct 0x7 SErr 0x0 action 0x0",
		  .origin = { .item = "kernel-log", .file = "report.txt", .line = 90 } },
		{ .class = EVENT_IO_ERROR,
		  .has = EVENT_HAS_SCSI | EVENT_HAS_LBA,
		  .time = { .has_wall = true, .wall_us = 976474729000000 },
		  .boots_ago = 1,
		  .order = 2,
		  .ata_device = -1,
		  .scsi = { 1, 0, 0, 0 },
		  .device = "sdb",
		  .lba = 123456789,
		  .together = true,
		  .text = "I/O error, dev sdb, sector 123456789\033[2J",
		  .origin = { .item = "kernel-log", .file = "report.txt", .line = 120 } },
	};

	for (size_t i = 0; i < array_size(events); i++)
		if (drive_add_event(&f->the_case, d, &events[i]) < 0)
			abort();
	d->events_left_out = 7;
	fx_u64(f, d, FACT_KLOG_FAULTS, 9);
	fx_u64(f, d, FACT_KLOG_MEDIA, 9);
	fx_u64(f, d, FACT_KLOG_EARLIER, 1);
	fx_text(f, d, FACT_KLOG_FIRST, "614.263599 s");
	fx_text(f, d, FACT_KLOG_LAST, "700.100000 s");
}

/* Data at risk: the first step is the first thing that a person reads below the verdict. */
void build_media(struct fixture *f)
{
	struct drive_report *d = fx_add_drive(f);
	struct drive *facts;
	struct finding *v;

	fx_name_drive(f, "ACME ST4000TEST", "SC60", "TEST0000003", 4000787030016, 5980,
		      31337);
	facts = fx_last_drive(f);
	fx_text(f, facts, FACT_DEVICE, "/dev/sdb");
	add_media_facts(f, facts);
	add_events(f, facts);
	v = fx_add_finding(
		f, d, CODE_M01, SEVERITY_CRITICAL, CONFIDENCE_CERTAIN,
		"24 sectors cannot be read now, and a self-test stopped at one.");
	v->where = "the surface of the disk";
	v->where_confidence = CONFIDENCE_CERTAIN;
	fx_add_evidence(f, &v->evidence, "24 pending sectors", "report.txt:7", SIDE_DRIVE,
			CLOCK_NOW);
	fx_add_evidence(f, &v->evidence, "extended self-test failed at LBA 123,456,789",
			"self-test log", SIDE_DRIVE, CLOCK_LIFETIME);
	fx_add_text(f, &v->next, "Back up now, the most important files first.");
	fx_add_text(f, &v->next, "Then replace the drive.");
	fx_add_finding(f, d, CODE_M02, SEVERITY_WARNING, CONFIDENCE_STRONG,
		       "1,456 sectors have been replaced by spares");
	fx_add_untested(f, d);
	d->coverage_percent = 90;
}

static void add_link_counters(struct fixture *f, struct phy_page *p)
{
	fx_add_counter(f, p,
		       (struct phy_counter){ .id = 1,
					     .name = "Command failed due to ICRC error",
					     .direction = DIRECTION_BOTH,
					     .value = 39,
					     .size_bytes = 4,
					     .is_error = true,
					     .has_delta = true,
					     .delta = 37 });
	fx_add_counter(f, p,
		       (struct phy_counter){
			       .id = 3,
			       .name = "R_ERR response for device-to-host data FIS",
			       .direction = DIRECTION_TO_HOST,
			       .trust = PHY_SATURATED,
			       .saturated = true,
			       .value = 65535,
			       .size_bytes = 2,
			       .is_error = true });
	fx_add_counter(f, p,
		       (struct phy_counter){
			       .id = 4,
			       .name = "R_ERR response for host-to-device data FIS",
			       .direction = DIRECTION_TO_DRIVE,
			       .size_bytes = 4,
			       .is_error = true });
	fx_add_counter(f, p,
		       (struct phy_counter){
			       .id = 6,
			       .name = "R_ERR response for device-to-host non-data FIS",
			       .direction = DIRECTION_TO_DRIVE,
			       .trust = PHY_SWAPPED,
			       .value = 2,
			       .size_bytes = 4,
			       .is_error = true });
	fx_add_counter(
		f, p,
		(struct phy_counter){ .id = 0x00b,
				      .name = "CRC errors within host-to-device FIS",
				      .trust = PHY_DOUBTFUL,
				      .value = 7,
				      .is_error = true,
				      .reason = "larger than the sum it is part of" });
	fx_add_counter(f, p,
		       (struct phy_counter){ .id = 0x8000,
					     .name = "Vendor specific",
					     .trust = PHY_VENDOR,
					     .value = 33000000,
					     .size_bytes = 4 });
}

/* A damaged link, read twice: counts with their rise and direction. */
void build_link(struct fixture *f)
{
	struct drive_report *d = fx_add_drive(f);
	struct finding *v;
	uint32_t second;

	fx_name_drive(f, "ACME HUS7TEST", "A7J0", "TEST0000004", 6001175126016, 7200,
		      9000);
	fx_text(f, fx_last_drive(f), FACT_DEVICE, "/dev/sdc");
	fx_u64(f, fx_last_drive(f), FACT_LINK_CURRENT, 1500);
	fx_u64(f, fx_last_drive(f), FACT_LINK_DEVICE_MAX, 6000);
	fx_u64(f, fx_last_drive(f), FACT_LINK_PORT_MAX, 6000);
	fx_u64(f, fx_last_drive(f), FACT_CRC_ERRORS, 4700);
	if (drive_add_snapshot(&f->the_case, fx_last_drive(f),
			       (struct snapshot){ .role = ROLE_AFTER,
						  .has_time = true,
						  .taken_ms = 1764525076120 },
			       &second) < 0)
		fx_need(NULL);
	fx_put(f, fx_last_drive(f),
	       (struct fact){
		       .key = { .id = FACT_CRC_ERRORS },
		       .snapshot = second,
		       .u = 4739,
		       .origin = { .item = "ata/log/04/06", .offset = 24, .width = 4 } });
	add_link_counters(f, &d->phy);
	d->phy.direction = "Damage goes from drive to host: 003 counts, 004 does not.";
	d->phy.has_trust = true;
	d->phy.trust_percent = 80;
	fx_add_ignored(f, d, "counter 00B", "larger than the sum it is part of");
	v = fx_add_finding(
		f, d, CODE_L01, SEVERITY_WARNING, CONFIDENCE_STRONG,
		"Frames are damaged on the way from the drive, 37 more since the "
		"first reading.");
	v->where = "cable, connector or port";
	v->where_confidence = CONFIDENCE_MODERATE;
	fx_add_evidence(f, &v->evidence, "001 rose by 37 during the read test", "log 11h",
			SIDE_DRIVE, CLOCK_POWER_ON);
	fx_add_evidence(f, &v->evidence, "the kernel lowered the link to 1.5 Gb/s",
			"kernel log", SIDE_HOST, CLOCK_HOST_BOOT);
	fx_add_text(f, &v->next, "Power off, replace the SATA cable of this drive.");
	fx_add_text(f, &v->next, "Read again: 001 must not rise.");
	d->coverage_percent = 100;
}

/* No drive at all: two kernels compared, and what their tasks waited for. */
void build_host(struct fixture *f)
{
	struct drive *h = &f->the_case.host;
	struct finding *v;

	fx_text_at(f, h, FACT_CMP_TITLE, 0, 0, "iostat");
	fx_text_at(f, h, FACT_CMP_COLUMN, 0, 0, "3.9.0-rc6 vanilla");
	fx_text_at(f, h, FACT_CMP_COLUMN, 0, 1, "3.9.0-rc6 ext4tag");
	fx_u64_at(f, h, FACT_CMP_ROW_TABLE, 0, 0, 0);
	fx_text_at(f, h, FACT_CMP_ROW_NAME, 0, 0, "Mean sda-w_await");
	fx_text_at(f, h, FACT_CMP_ROW_TEXT, 0, 0, "11228.80");
	fx_text_at(f, h, FACT_CMP_ROW_TEXT, 0, 1, "11120.64");
	fx_s64_at(f, h, FACT_CMP_ROW_MICRO, 0, 0, 11228800000);
	fx_s64_at(f, h, FACT_CMP_ROW_MICRO, 0, 1, 11120640000);
	fx_s64_at(f, h, FACT_CMP_ROW_CHANGE, 0, 1, -9632);
	fx_u64_at(f, h, FACT_CMP_ROW_TABLE, 1, 0, 0);
	fx_text_at(f, h, FACT_CMP_ROW_NAME, 1, 0, "User mean");
	fx_text_at(f, h, FACT_CMP_ROW_TEXT, 1, 0, "nan");
	fx_text_at(f, h, FACT_CMP_ROW_TEXT, 1, 1, "nan");
	fx_text_at(f, h, FACT_STALL_LABEL, 0, 0, "Vanilla kernel");
	fx_text_at(f, h, FACT_STALL_WHERE, 0, 0, "sleep_on_buffer");
	fx_u64_at(f, h, FACT_STALL_MS, 0, 0, 3325677);
	fx_u64_at(f, h, FACT_STALL_EVENTS, 0, 0, 57);
	v = fx_add_finding(f, NULL, CODE_P02, SEVERITY_NOTE, CONFIDENCE_MODERATE,
			   "Writes wait 11 s on sda while reads wait 30 ms.");
	fx_add_evidence(f, &v->evidence, "w_await 11,228.80 ms against r_await 30.01 ms",
			"report.txt, line 37", SIDE_HOST, CLOCK_NOW);
	fx_add_text(f, &v->next,
		    "Post smartctl -x of sda: the drive itself is not in the text.");
	diag_add(&f->diag, DIAG_NOTE, "report.txt", 48, "graph words are not read");
}
