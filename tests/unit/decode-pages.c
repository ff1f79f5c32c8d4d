/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages of a drive in a capture: their facts, what they become together, and what is judged. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "capture/capture.h"
#include "decode/decode.h"
#include "judge/judge.h"
#include "page-fixture.h"

static struct capture c;
static struct cap_snapshot *snapshot;
static struct case_file made;
static struct report report;
static struct diag d;

static int make(void **state)
{
	(void)state;
	snapshot = capture_add_snapshot(&c, capture_add_subject(&c, CAP_DRIVE),
					CAP_BEFORE, "/dev/sdx");
	assert_non_null(snapshot);
	return 0;
}

static int clean(void **state)
{
	(void)state;
	report_done(&report);
	case_done(&made);
	capture_done(&c);
	diag_done(&d);
	memset(&report, 0, sizeof(report));
	memset(&made, 0, sizeof(made));
	memset(&c, 0, sizeof(c));
	memset(&d, 0, sizeof(d));
	return 0;
}

static struct cap_item *add(const char *id, const uint8_t *bytes, size_t len)
{
	struct cap_item *item =
		capture_add_item(&c, snapshot, id, CAP_OK, span_of(bytes, len));

	assert_non_null(item);
	return item;
}

static void add_status(const char *status, const char *lba)
{
	struct cap_item *item = add("ata/smart/status", (const uint8_t *)"", 0);

	if (status)
		assert_int_equal(cap_item_set(&c, item, "ata_status", status), 0);
	if (lba)
		assert_int_equal(cap_item_set(&c, item, "ata_lba", lba), 0);
}

static const struct drive *run(void)
{
	struct drivedb *db = drivedb_new(&d);

	assert_non_null(db);
	assert_int_equal(decode_case(&c, db, &d, &made), 0);
	drivedb_free(db);
	assert_int_equal(judge_case(&made, &report), 0);
	assert_int_equal(made.n_drives, 1);
	return made.drives[0];
}

static bool said(const char *part)
{
	for (size_t i = 0; i < d.n; i++)
		if (strstr(d.items[i].text, part))
			return true;
	return false;
}

static bool found(enum code code)
{
	for (size_t i = 0; i < report.drives[0].n_findings; i++)
		if (report.drives[0].findings[i].code == code)
			return true;
	return false;
}

/* --- registers -------------------------------------------------------------------------------- */

static void registers(void **state)
{
	static const struct {
		const char *status, *lba;
		int passed; /* -1: nothing is said */
	} rows[] = {
		{ "50", "c24f00", 1 },	{ "50", "2cf400", 0 },	{ "50", "000000", -1 },
		{ "50", NULL, -1 },	{ "50", "c24f0x", -1 }, { "150", "c24f00", -1 },
		{ "51", "c24f00", -1 }, { NULL, "c24f00", 1 },	{ NULL, "2cf400", 0 },
		{ NULL, NULL, -1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct fact *f;

		clean(NULL);
		make(NULL);
		add_status(rows[i].status, rows[i].lba);
		f = drive_fact(run(), FACT_SMART_PASSED, 0, 0);
		assert_true(rows[i].passed < 0 ? !f : f && (int)f->u == rows[i].passed);
		assert_int_equal(d.n, rows[i].passed < 0);
	}
}

static void registers_unknown(void **state)
{
	struct cap_item *item;

	(void)state;
	add_status("50", "c24f00");
	item = &snapshot->items[0];
	assert_int_equal(cap_item_set(&c, item, "registers", "unknown"), 0);
	assert_null(drive_fact(run(), FACT_SMART_PASSED, 0, 0));
	assert_true(said("registers are not known"));
}

/* Without COUNT there is no power mode, least of all 00h, which would be standby. */
static void power_mode_without_count(void **state)
{
	struct cap_item *item = add("ata/power-mode", (const uint8_t *)"", 0);

	(void)state;
	assert_int_equal(cap_item_set(&c, item, "ata_status", "50"), 0);
	assert_null(drive_fact(run(), FACT_POWER_MODE, 0, 0));
	assert_true(said("registers are not known"));
}

/* --- attributes --------------------------------------------------------------------------------- */

static void put_attribute(uint8_t *page, size_t slot, unsigned id, unsigned value,
			  uint64_t raw)
{
	uint8_t *a = page + 2 + slot * 12;

	a[0] = (uint8_t)id;
	a[1] = 1;
	a[3] = a[4] = (uint8_t)value;
	page_put(a, 5, 6, raw);
}

/* Six bytes that nobody has unpacked yet: the low half is the count on these attributes. */
static void packed_raw_values(void **state)
{
	uint8_t page[512] = { 16 };
	const struct drive *drive;
	uint64_t u;

	(void)state;
	put_attribute(page, 0, 5, 100, UINT64_C(0x0000002b002b));
	put_attribute(page, 1, 9, 99, UINT64_C(0x910056001f77));
	put_attribute(page, 2, 194, 70, UINT64_C(0x00250013001e));
	page_seal(page);
	add("ata/smart/data", page, sizeof(page));
	drive = run();
	assert_true(drive_u64(drive, FACT_ATTR_RAW, 5, 0, &u) && u == 0x2b002b);
	assert_true(drive_u64(drive, FACT_REALLOCATED, 0, 0, &u) && u == 43);
	assert_true(drive_u64(drive, FACT_POWER_ON_HOURS, 0, 0, &u) && u == 8055);
	assert_int_equal(drive_fact(drive, FACT_TEMPERATURE, 0, 0)->s, 30);
	assert_int_equal(drive_fact(drive, FACT_REALLOCATED, 0, 0)->trust, TRUST_BYTES);
}

/* The states of attributes need both pages, in whatever order they stand. */
static void states_of_attributes(void **state)
{
	uint8_t data[512] = { 16 }, thresholds[512] = { 16 };

	(void)state;
	put_attribute(data, 0, 5, 10, 0);
	thresholds[2] = 5;
	thresholds[3] = 36;
	page_seal(data);
	page_seal(thresholds);
	add("ata/smart/thresholds", thresholds, sizeof(thresholds));
	add("ata/smart/data", data, sizeof(data));
	assert_string_equal(drive_text(run(), FACT_ATTR_WHEN_FAILED, 5, 0), "now");
	assert_true(found(CODE_M04));
}

/* --- phy event counters --------------------------------------------------------------------------- */

static void put_phy(uint8_t *page, unsigned errors)
{
	static const unsigned ids[] = { 0x001, 0x002, 0x003, 0x00a };

	memset(page, 0, 512);
	for (size_t i = 0; i < 4; i++) {
		page_put(page, 4 + 4 * i, 2, 0x1000 | ids[i]);
		page_put(page, 6 + 4 * i, 2, i == 3 ? 5 : errors);
	}
	page_seal(page);
}

static void add_phy(unsigned errors, bool good)
{
	uint8_t page[512];

	put_phy(page, errors);
	if (!good)
		page[511]++;
	add("ata/log/11/00", page, sizeof(page));
}

static void next_snapshot(void)
{
	snapshot = capture_add_snapshot(&c, &c.subjects[0], CAP_AFTER, "/dev/sdx");
	assert_non_null(snapshot);
}

static void good_phy_pages(void **state)
{
	(void)state;
	add_phy(20, true);
	next_snapshot();
	add_phy(60, true);
	(void)run();
	assert_true(found(CODE_L01));
	assert_int_equal(report.drives[0].phy.trust_percent, 100);
	assert_true(report.drives[0].phy.counters[0].has_delta);
	assert_true(report.drives[0].phy.counters[0].delta == 40);
}

/* A page with a wrong checksum raises nothing, whatever stands in it; it is shown, and why. */
static void doubtful_phy_page(void **state)
{
	const struct phy_page *phy;

	(void)state;
	add_phy(20, true);
	next_snapshot();
	add_phy(60000, false);
	(void)run();
	phy = &report.drives[0].phy;
	assert_false(found(CODE_L01));
	assert_int_equal(phy->n, 4);
	assert_int_equal(phy->trust_percent, 0);
	for (size_t i = 0; i < phy->n; i++) {
		assert_int_equal(phy->counters[i].trust, PHY_DOUBTFUL);
		assert_string_equal(phy->counters[i].reason,
				    "the checksum of the page is wrong");
		assert_false(phy->counters[i].has_delta);
	}
	assert_int_equal(phy->reasons.n, 1);
	assert_true(said("ata/log/11/00: the checksum"));
}

/* What rose from a bad page to a good one did perhaps not rise. */
static void rise_from_a_doubtful_page(void **state)
{
	(void)state;
	add_phy(1, false);
	next_snapshot();
	add_phy(3, true);
	(void)run();
	assert_int_equal(report.drives[0].phy.trust_percent, 100);
	for (size_t i = 0; i < report.drives[0].phy.n; i++)
		assert_false(report.drives[0].phy.counters[i].has_delta);
}

/* --- logs that tell the same ------------------------------------------------------------------------- */

static void put_errors_28(uint8_t *page)
{
	memset(page, 0, 512);
	page[0] = page[1] = 1;
	memcpy(page + 2 + 60, "\0\x40\x08\x01\0\0\xe0\x51", 8);
	page_put(page, 2 + 88, 2, 28);
	page_put(page, 452, 2, 1);
	page_seal(page);
}

static void put_errors_48(uint8_t *page)
{
	memset(page, 0, 512);
	page[0] = page[2] = 1;
	memcpy(page + 4 + 90, "\x08\x40\x08\0\x01\0\0\0\0\0\x40\x51", 12);
	page_put(page, 4 + 122, 2, 48);
	page_put(page, 500, 2, 1);
	page_seal(page);
}

/* The long log counts, wherever it stands, unless it says nothing. */
static void long_log_first(void **state)
{
	uint8_t page[512];
	uint64_t hours;
	size_t n;

	(void)state;
	put_errors_28(page);
	add("ata/smart-log/01", page, sizeof(page));
	put_errors_48(page);
	add("ata/log/03/00", page, sizeof(page));
	assert_true(drive_u64(run(), FACT_ERROR_HOURS, 0, 0, &hours) && hours == 48);
	(void)drive_facts(made.drives[0], FACT_ERROR_HOURS, &n);
	assert_int_equal(n, 1);
	clean(NULL);
	make(NULL);
	put_errors_28(page);
	add("ata/smart-log/01", page, sizeof(page));
	memset(page, 0xff, sizeof(page));
	add("ata/log/03/00", page, sizeof(page));
	assert_true(drive_u64(run(), FACT_ERROR_HOURS, 0, 0, &hours) && hours == 28);
}

/* By the directory the log has ten pages, of which one was read; IDENTIFY tells the last LBA. */
static void what_else_was_read(void **state)
{
	uint8_t page[512], directory[512] = { 1 }, identify[512] = { 0x40 };
	size_t n;

	(void)state;
	put_errors_48(page);
	page[2] = 2;
	memcpy(page + 4 + 124, page + 4, 124);
	page_put(page, 4 + 124 + 94, 6, 0x12345678); /* in plain order */
	page_put(page, 500, 2, 1000);
	page_seal(page);
	directory[6] = 10;
	page_put(identify, 2 * 49, 2, 0x0200);
	page_put(identify, 2 * 83, 2, 0x4400);
	page_put(identify, 200, 6, 1953525168);
	add("ata/log/03/00", page, sizeof(page));
	add("ata/log/00/00", directory, sizeof(directory));
	add("ata/identify", identify, sizeof(identify));
	(void)drive_facts(run(), FACT_ERROR_HOURS, &n);
	assert_int_equal(n, 2);
	assert_true(said("1 of 10 pages"));
	assert_null(drive_fact(made.drives[0], FACT_ERROR_LBA, 0, 0));
	assert_non_null(drive_fact(made.drives[0], FACT_ERROR_LBA, 1, 0));
}

/* Empty logs are an answer: nothing failed, and nobody need ask again. */
static void empty_logs_are_looked_at(void **state)
{
	uint8_t errors[512] = { 1 }, tests[512] = { 1 };
	const struct text_list *missing;

	(void)state;
	page_seal(errors);
	page_seal(tests);
	add("ata/log/03/00", errors, sizeof(errors));
	add("ata/log/07/00", tests, sizeof(tests));
	(void)run();
	missing = &report.drives[0].missing;
	for (size_t i = 0; i < missing->n; i++) {
		assert_null(strstr(missing->items[i], "error log"));
		assert_null(strstr(missing->items[i], "self-test"));
	}
	assert_true(missing->n > 0);
}

/* As many items as a file may hold: each page counts once, and all is done in a moment. */
static void flood(void **state)
{
	uint8_t directory[512] = { 1 }, tests[512] = { 1 };
	char id[32];
	const struct drive *drive;

	(void)state;
	memset(directory + 2, 1, sizeof(directory) - 2);
	page_seal(tests);
	for (unsigned i = 0; i < 20000; i++) {
		(void)snprintf(id, sizeof(id), "ata/log/%s%u", i % 2 ? "00/000" : "04/1",
			       i % 10000);
		add(i % 3 ? id : "ata/log/00/00", directory, sizeof(directory));
		add("ata/smart-log/06", tests, sizeof(tests));
	}
	drive = run();
	/* 255 logs and the directory itself: number, access and name of each */
	assert_in_range(drive->n_facts, 3 * 256, 4 * 256);
	assert_true(said("a page that was read already"));
}

/* Rings as long as a log can be: the newest entries are enough. */
static void long_ring(void **state)
{
	static uint8_t log[16383 * 512];
	size_t n;

	(void)state;
	for (size_t i = 0; i < 16383; i++)
		for (size_t k = 0; k < 4; k++)
			log[512 * i + 4 + 124 * k + 91] = 0x40;
	log[0] = 1;
	log[2] = 5;
	page_put(log, 500, 2, 65535);
	page_seal(log);
	add("ata/log/03/00", log, sizeof(log));
	(void)drive_facts(run(), FACT_ERROR_ERROR, &n);
	assert_int_equal(n, 256);
	assert_true(said("newest 256 of 65532"));
}

static void unknown_items(void **state)
{
	(void)state;
	add("ata/log/99/00", (const uint8_t *)"abc", 3);
	(void)run();
	assert_int_equal(d.n, 1);
	assert_true(said("ata/log/99/00: not known"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(registers, make, clean),
		cmocka_unit_test_setup_teardown(registers_unknown, make, clean),
		cmocka_unit_test_setup_teardown(power_mode_without_count, make, clean),
		cmocka_unit_test_setup_teardown(packed_raw_values, make, clean),
		cmocka_unit_test_setup_teardown(states_of_attributes, make, clean),
		cmocka_unit_test_setup_teardown(good_phy_pages, make, clean),
		cmocka_unit_test_setup_teardown(doubtful_phy_page, make, clean),
		cmocka_unit_test_setup_teardown(rise_from_a_doubtful_page, make, clean),
		cmocka_unit_test_setup_teardown(long_log_first, make, clean),
		cmocka_unit_test_setup_teardown(what_else_was_read, make, clean),
		cmocka_unit_test_setup_teardown(empty_logs_are_looked_at, make, clean),
		cmocka_unit_test_setup_teardown(flood, make, clean),
		cmocka_unit_test_setup_teardown(long_ring, make, clean),
		cmocka_unit_test_setup_teardown(unknown_items, make, clean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
