/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report-build.h"

#include <string.h>

#include "base/attrs.h"

/* Fourteen counters that are a table in the firmware, two that live. */
static void add_constants(struct fixture *f, struct phy_page *p)
{
	static const struct {
		uint32_t id;
		uint64_t value;
		const char *name;
	} rows[] = {
		{ 0x002, 49152, "R_ERR response for data FIS" },
		{ 0x003, 53248, "R_ERR response for device-to-host data FIS" },
		{ 0x004, 57344, "R_ERR response for host-to-device data FIS" },
		{ 0x005, 7952, "R_ERR response for non-data FIS" },
		{ 0x006, 2562, "R_ERR response for device-to-host non-data FIS" },
		{ 0x007, 4096, "R_ERR response for host-to-device non-data FIS" },
		{ 0x008, 7952, "Device-to-host non-data FIS retries" },
		{ 0x009, 7953, "Transition from drive PhyRdy to drive PhyNRdy" },
		{ 0x00b, 6145, "CRC errors within host-to-device FIS" },
		{ 0x00d, 7953, "Non-CRC errors within host-to-device FIS" },
		{ 0x00f, 8176, "R_ERR response for host-to-device data FIS, CRC" },
		{ 0x010, 15, "R_ERR response for host-to-device data FIS, non-CRC" },
		{ 0x012, 49153, "R_ERR response for host-to-device non-data FIS, CRC" },
		{ 0x013, 12112,
		  "R_ERR response for host-to-device non-data FIS, non-CRC" },
	};

	fx_add_counter(f, p,
		       (struct phy_counter){ .id = 1,
					     .name = "Command failed due to ICRC error",
					     .is_error = true,
					     .direction = DIRECTION_BOTH,
					     .size_bytes = 2 });
	for (size_t i = 0; i < array_size(rows); i++)
		fx_add_counter(f, p,
			       (struct phy_counter){
				       .id = rows[i].id,
				       .name = rows[i].name,
				       .value = rows[i].value,
				       .size_bytes = 2,
				       .is_error = rows[i].id != 9,
				       .trust = PHY_CONSTANT,
				       .reason = "never moves on this drive family" });
	fx_add_counter(
		f, p,
		(struct phy_counter){
			.id = 10,
			.name = "Device-to-host register FISes sent due to a COMRESET",
			.value = 25,
			.size_bytes = 2 });
	p->has_trust = true;
	p->trust_percent = 12;
	fx_add_text(f, &p->reasons, "fourteen counters never move on this drive family");
	p->direction = "No link error since the drive got power: 001 is 0.";
}

static void add_reads(struct fixture *f, struct drive *d)
{
	fx_text_at(f, d, FACT_READ_SOURCE, 0, 0, "fio 2.0.8");
	fx_text_at(f, d, FACT_READ_TITLE, 0, 0, "zuf\xc3\xa4lliglesen");
	fx_text_at(f, d, FACT_READ_PATTERN, 0, 0, "randread");
	fx_u64_at(f, d, FACT_READ_BATCH, 0, 0, 1);
	fx_u64_at(f, d, FACT_READ_BLOCK, 0, 0, 4096);
	fx_u64_at(f, d, FACT_READ_DEPTH, 0, 0, 1);
	fx_u64_at(f, d, FACT_READ_JOBS, 0, 0, 1);
	fx_u64_at(f, d, FACT_READ_IOS, 0, 0, 15208);
	fx_u64_at(f, d, FACT_READ_RUNTIME, 0, 0, 60012);
	fx_u64_at(f, d, FACT_READ_IOPS, 0, 0, 253416);
	fx_u64_at(f, d, FACT_READ_BANDWIDTH, 0, 0, 1037992);
	fx_u64_at(f, d, FACT_READ_CLAT_MEAN, 0, 0, 3915390);
	fx_u64_at(f, d, FACT_READ_LAT_MIN, 0, 0, 44000);
	fx_u64_at(f, d, FACT_READ_LAT_MEAN, 0, 0, 3940350);
	fx_u64_at(f, d, FACT_READ_LAT_MAX, 0, 0, 27591000);
	fx_u64_at(f, d, FACT_READ_LAT_STDDEV, 0, 0, 4991990);
	fx_text_at(f, d, FACT_READ_PCT_KIND, 0, 0, "clat");
	fx_u64_at(f, d, FACT_READ_PERCENTILE, 0, 50000, 205000);
	fx_u64_at(f, d, FACT_READ_PERCENTILE, 0, 99000, 14272000);
	fx_u64_at(f, d, FACT_READ_PERCENTILE, 0, 99990, 22912000);
	fx_u64_at(f, d, FACT_READ_BUCKET, 0, 50000, 80700);
	fx_u64_at(f, d, FACT_READ_BUCKET, 0, UINT32_MAX, 100);
	fx_u64_at(f, d, FACT_READ_SLOW_SHARE, 0, 0, 423300);
	fx_u64_at(f, d, FACT_READ_SLOW_TIME, 0, 0, 987000);
	fx_u64_at(f, d, FACT_READ_CPU_USER, 0, 0, 3100);
	fx_u64_at(f, d, FACT_READ_DEPTH_LEVEL, 0, 1, 1000000);
	fx_u64_at(f, d, FACT_READ_STEP_CENTER, 0, 0, 5800000);
	fx_u64_at(f, d, FACT_READ_STEP_SHARE, 0, 0, 211000);
	fx_u64_at(f, d, FACT_READ_MODE_CENTER, 0, 0, 60000);
	fx_u64_at(f, d, FACT_READ_MODE_SHARE, 0, 0, 577000);
	fx_u64_at(f, d, FACT_READ_MODE_CENTER, 0, 1, 5800000);
	fx_u64_at(f, d, FACT_READ_MODE_SHARE, 0, 1, 423000);
	fx_text_at(f, d, FACT_DISK_NAME, 0, 0, "dm-0");
	fx_u64_at(f, d, FACT_DISK_BATCH, 0, 0, 1);
	fx_u64_at(f, d, FACT_DISK_AGGREGATE, 0, 0, 1);
	fx_u64_at(f, d, FACT_FOREIGN_SHARE, 0, 0, 1);
	fx_text_at(f, d, FACT_DISK_NAME, 1, 0, "sda");
	fx_u64_at(f, d, FACT_DISK_BATCH, 1, 0, 1);
	fx_u64_at(f, d, FACT_DISK_READS, 1, 0, 54013);
	fx_u64_at(f, d, FACT_DISK_WRITES, 1, 0, 1836);
	fx_u64_at(f, d, FACT_FOREIGN_READS, 1, 0, 16688);
	fx_u64_at(f, d, FACT_FOREIGN_WRITES, 1, 0, 1836);
	fx_u64_at(f, d, FACT_FOREIGN_SHARE, 1, 0, 308963);
	fx_u64_at(f, d, FACT_FOREIGN_RATE, 1, 0, 139000);
	fx_u64_at(f, d, FACT_OUTSTANDING, 1, 0, 2190);
	fx_u64_at(f, d, FACT_OUTSTANDING_OWN, 1, 0, 1000);
}

/* A slow new SSD whose link counters are mostly no counters. */
static void build_constant(struct fixture *f)
{
	struct drive_report *d = fx_add_drive(f);
	struct finding *v;

	fx_name_drive(f, "ACME SSD 830 Series", "CXM03B1Q", "TEST0000001", 512110190592,
		      0, 36);
	fx_text(f, fx_last_drive(f), FACT_DEVICE, "/dev/sda");
	fx_u64(f, fx_last_drive(f), FACT_LINK_CURRENT, 6000);
	fx_u64(f, fx_last_drive(f), FACT_LINK_DEVICE_MAX, 6000);
	fx_u64(f, fx_last_drive(f), FACT_REALLOCATED, 0);
	fx_u64(f, fx_last_drive(f), FACT_CRC_ERRORS, 0);
	fx_add_attribute(f, fx_last_drive(f), 5, "Reallocated_Sector_Ct", 100, 0, "0");
	fx_add_attribute(f, fx_last_drive(f), 199, "CRC_Error_Count", 253, 0, "0");
	add_reads(f, fx_last_drive(f));
	add_constants(f, &d->phy);
	v = fx_add_finding(
		f, d, CODE_D11, SEVERITY_WARNING, CONFIDENCE_MODERATE,
		"Two reads of five wait 5 to 14 ms in fixed steps, with nothing "
		"wrong on the link.");
	v->where = "inside the drive";
	v->where_confidence = CONFIDENCE_STRONG;
	fx_add_evidence(
		f, &v->evidence,
		"42.3 % of 15,208 random reads fall in slow modes at 5.8 and 11.6 ms",
		"report.txt, line 28", SIDE_MEASURED, CLOCK_NOW);
	fx_add_evidence(f, &v->evidence, "no command failed for a bad CRC (001 is 0)",
			"report.txt, line 61", SIDE_DRIVE, CLOCK_POWER_ON);
	fx_add_evidence(f, &v->evidence, "interface CRC errors: 0", "report.txt, line 48",
			SIDE_DRIVE, CLOCK_LIFETIME);
	fx_add_evidence(
		f, &v->against,
		"139 reads a second were not the benchmark's; 2 % of what the drive "
		"can do",
		"report.txt, line 54", SIDE_HOST, CLOCK_NOW);
	fx_add_text(f, &v->next, "Look for a firmware update for this drive.");
	fx_add_text(f, &v->next,
		    "Run fstrim on the file systems, leave the drive idle with power for "
		    "some "
		    "hours, and measure again: reads that got faster point to garbage "
		    "collection.");
	v = fx_add_finding(f, d, CODE_L01, SEVERITY_NOTE, CONFIDENCE_WEAK,
			   "a rising 001 during a read test would be needed");
	v->runner_up = true;
	fx_add_text(f, &v->next, "read 10 GB, then look whether 001 rose");
	fx_add_ignored(f, d, "phy counters 002-009, 00b, 00d, 00f-013",
		       "the same to the digit on every drive of this family");
	fx_add_untested(f, d);
	d->coverage_percent = 60;
	fx_add_text(f, &d->missing, "kernel log");
	fx_add_text(f, &d->missing, "device statistics");
}

static void build_fine(struct fixture *f)
{
	struct drive_report *d = fx_add_drive(f);
	struct finding *v;

	fx_name_drive(f, "ACME WD40TEST", "80.00A80", "TEST0000002", 4000787030016, 5400,
		      25491);
	fx_u64(f, fx_last_drive(f), FACT_PENDING, 0);
	fx_u64(f, fx_last_drive(f), FACT_REALLOCATED, 0);
	fx_s64_at(f, fx_last_drive(f), FACT_TEMPERATURE, 0, 0, -4);
	v = fx_add_finding(f, d, CODE_Z00, SEVERITY_OK, CONFIDENCE_MODERATE,
			   "Nothing that was looked at points to a fault.");
	fx_add_evidence(f, &v->evidence, "no pending and no reallocated sectors", NULL,
			SIDE_DRIVE, CLOCK_NOW);
	fx_add_text(f, &v->next, "Nothing to do.");
	fx_add_finding(f, d, CODE_L09, SEVERITY_NOTE, CONFIDENCE_STRONG,
		       "20 in the drive's life");
	fx_add_untested(f, d);
	d->coverage_percent = 80;
}

static void build_cannot_tell(struct fixture *f)
{
	struct drive_report *d = fx_add_drive(f);
	struct finding *v;

	fx_text(f, fx_last_drive(f), FACT_MODEL, "ACME QUIET");
	v = fx_add_finding(f, d, CODE_Z01, SEVERITY_UNKNOWN, CONFIDENCE_CANNOT_TELL,
			   "The text holds no attribute table and no counters.");
	fx_add_text(f, &v->next, "Post the output of: smartctl -x /dev/sdX");
	fx_add_text(f, &v->next, "Look for it: grep 'a\\|b' log");
	fx_add_text(f, &d->missing, "SMART attributes (smartctl -A /dev/sdX)");
	fx_add_text(f, &d->missing, "a log");
	diag_add(
		&f->diag, DIAG_NOTE, "a/dir/report.txt", 2,
		"a note that is cut, because it would need more than one line for all of "
		"its words");
	diag_add(&f->diag, DIAG_ERROR, "a/dir/report.txt", 9, "cannot be read");
	fx_add_untested(f, d);
}

static void build_several(struct fixture *f)
{
	build_fine(f);
	fx_last_drive(f)->snapshots[0].file = "a/first.txt";
	build_media(f);
	build_cannot_tell(f);
}

/* The drive is silent, the host is not. */
static void build_stalled(struct fixture *f)
{
	struct finding *v;

	build_cannot_tell(f);
	v = fx_add_finding(f, NULL, CODE_P03, SEVERITY_WARNING, CONFIDENCE_MODERATE,
			   "Tasks stood still for 55 minutes together.");
	fx_add_text(f, &v->next, "Catch where they wait.");
}

#define EVIL "\x1b[31mEVIL\x1b]0;t\x07 \"<b>|`*_[x](y)\\ \xff\xc2\x9b\xe2\x80\xae\x7f"

/* Everything that comes from a drive or a file is hostile. */
static void build_hostile(struct fixture *f)
{
	struct drive_report *d = fx_add_drive(f);
	struct finding *v;

	fx_name_drive(f, EVIL, EVIL, "TEST*000<5", 1, 0, 1);
	fx_text(f, fx_last_drive(f), FACT_DEVICE, EVIL);
	fx_add_attribute(f, fx_last_drive(f), 1, EVIL, 1, 1, EVIL);
	fx_text_at(f, fx_last_drive(f), FACT_SETTING, 0, 0, EVIL);
	fx_text_at(f, fx_last_drive(f), FACT_READ_PATTERN, 0, 0, EVIL);
	fx_add_counter(f, &d->phy,
		       (struct phy_counter){ .id = 1,
					     .name = EVIL,
					     .reason = EVIL,
					     .value = 1,
					     .is_error = true });
	fx_add_counter(f, &d->phy,
		       (struct phy_counter){ .id = 2,
					     .name = EVIL,
					     .reason = EVIL,
					     .value = 2,
					     .trust = PHY_DOUBTFUL });
	v = fx_add_finding(f, d, CODE_P01, SEVERITY_WARNING, CONFIDENCE_WEAK, EVIL);
	v->where = EVIL;
	fx_add_evidence(f, &v->evidence, "serial TEST*000<5, wwn 5000000012345678 " EVIL,
			EVIL, SIDE_DRIVE, CLOCK_NOW);
	fx_add_evidence(f, &v->against, EVIL, EVIL, SIDE_DRIVE, CLOCK_NOW);
	fx_add_text(f, &v->next, EVIL);
	fx_add_ignored(f, d, EVIL, EVIL);
	fx_add_text(f, &d->missing, EVIL);
	diag_add(&f->diag, DIAG_ERROR, EVIL, 1, "%s", EVIL);
}

/* A report in which everything is absent. */
static void build_absent(struct fixture *f)
{
	(void)fx_add_drive(f);
}

static void build_nothing(struct fixture *f)
{
	(void)f;
}

static void build_large(struct fixture *f)
{
	struct drive_report *d = fx_add_drive(f);

	fx_u64(f, fx_last_drive(f), FACT_CAPACITY, UINT64_MAX);
	fx_u64(f, fx_last_drive(f), FACT_LBA_WRITTEN, ((uint64_t)1 << 53) + 1);
	fx_u64(f, fx_last_drive(f), FACT_LBA_READ, (uint64_t)1 << 53);
	fx_s64_at(f, fx_last_drive(f), FACT_STAT_VALUE, 1, 8, INT64_MIN);
	fx_add_counter(f, &d->phy,
		       (struct phy_counter){ .id = 1,
					     .name = "ICRC",
					     .value = UINT64_MAX,
					     .size_bytes = 8,
					     .is_error = true });
	(void)fx_add_finding(f, d, CODE_Z01, SEVERITY_UNKNOWN, CONFIDENCE_CANNOT_TELL,
			     NULL);
	for (unsigned i = 0; i < 9; i++)
		diag_add_byte(&f->diag, DIAG_WARNING, "blob.bin", 512 + i,
			      "checksum is wrong");
	f->diag.dropped = 3;
}

const struct fixture_row fixtures[] = {
	{ "constant", build_constant },
	{ "fine", build_fine },
	{ "cannot-tell", build_cannot_tell },
	{ "media", build_media },
	{ "link", build_link },
	{ "several", build_several },
	{ "host", build_host },
	{ "stalled", build_stalled },
	{ "other", build_other },
	{ "hostile", build_hostile },
	{ "absent", build_absent },
	{ "nothing", build_nothing },
	{ "large", build_large },
	{ NULL, NULL },
};

void fixture_init(struct fixture *f, const char *name)
{
	const struct fixture_row *row = fixtures;

	*f = (struct fixture){ .report.the_case = NULL };
	f->report.the_case = &f->the_case;
	f->the_case.database = "test.1";
	while (row->name && strcmp(row->name, name) != 0)
		row++;
	fx_need(row->name ? f : NULL);
	row->build(f);
	case_seal(&f->the_case);
}

void fixture_done(struct fixture *f)
{
	report_done(&f->report);
	case_done(&f->the_case);
	diag_done(&f->diag);
}
