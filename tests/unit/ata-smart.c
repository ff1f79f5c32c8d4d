/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SMART data, thresholds and answers in registers, made byte by byte from ATA8-ACS table 62. */
#include "unit.h"

#include <string.h>

#include "page-fixture.h"

static struct page_test t;
static uint8_t data[512], thresholds[512];

static void put_attribute(size_t slot, unsigned id, unsigned flags, unsigned value,
			  unsigned worst, uint64_t raw)
{
	uint8_t *a = data + 2 + slot * 12;

	a[0] = (uint8_t)id;
	page_put(a, 1, 2, flags);
	a[3] = (uint8_t)value;
	a[4] = (uint8_t)worst;
	page_put(a, 5, 6, raw);
}

static void put_threshold(size_t slot, unsigned id, unsigned threshold)
{
	thresholds[2 + slot * 12] = (uint8_t)id;
	thresholds[3 + slot * 12] = (uint8_t)threshold;
}

static int make(void **state)
{
	(void)state;
	memset(data, 0, sizeof(data));
	memset(thresholds, 0, sizeof(thresholds));
	data[0] = 16;
	put_attribute(0, 1, 0x000f, 100, 99, 0);
	put_attribute(2, 5, 0x0033, 80, 80, UINT64_C(0xffffffffffff));
	put_attribute(29, 199, 0x003e, 200, 200, 25491);
	data[362] = 0x82;
	data[363] = 0x79; /* the read element failed, 90 % were left */
	page_put(data, 364, 2, 65535);
	data[367] = 0x7b;
	page_put(data, 368, 2, 3);
	data[370] = 1;
	data[372] = 2;
	data[373] = 167;
	data[374] = 5;
	thresholds[0] = 16;
	put_threshold(0, 1, 51);
	put_threshold(2, 5, 36);
	put_threshold(29, 199, 0);
	return 0;
}

static int clean(void **state)
{
	(void)state;
	page_test_done(&t);
	return 0;
}

static void run_data(void)
{
	page_seal(data);
	page_test_run(&t, "ata/smart/data", data, sizeof(data));
}

static void run_thresholds(void)
{
	page_seal(data);
	page_seal(thresholds);
	t.sink.smart_data = span_of(data, sizeof(data));
	page_test_run(&t, "ata/smart/thresholds", thresholds, sizeof(thresholds));
}

static void values(void **state)
{
	const struct fact *f;

	(void)state;
	run_data();
	page_test_u64(&t, FACT_ATTR_REVISION, 0, 0, 16);
	page_test_u64(&t, FACT_ATTR_FLAGS, 1, 0, 0x000f);
	page_test_u64(&t, FACT_ATTR_VALUE, 1, 0, 100);
	page_test_u64(&t, FACT_ATTR_WORST, 1, 0, 99);
	page_test_u64(&t, FACT_ATTR_RAW, 1, 0, 0);
	page_test_u64(&t, FACT_ATTR_RAW, 5, 0, UINT64_C(281474976710655));
	page_test_u64(&t, FACT_ATTR_RAW, 199, 0, 25491);
	page_test_u64(&t, FACT_OFFLINE_STATUS, 0, 0, 0x82);
	page_test_u64(&t, FACT_SELFTEST_STATUS, 0, 0, 0x79);
	page_test_u64(&t, FACT_OFFLINE_SECONDS, 0, 0, 65535);
	page_test_u64(&t, FACT_OFFLINE_CAPABILITY, 0, 0, 0x7b);
	page_test_u64(&t, FACT_SMART_CAPABILITY, 0, 0, 3);
	page_test_u64(&t, FACT_ERRORLOG_CAPABILITY, 0, 0, 1);
	page_test_u64(&t, FACT_SHORT_MINUTES, 0, 0, 2);
	page_test_u64(&t, FACT_EXTENDED_MINUTES, 0, 0, 167);
	page_test_u64(&t, FACT_CONVEYANCE_MINUTES, 0, 0, 5);
	assert_int_equal(page_test_count(&t, FACT_ATTR_VALUE), 3);
	assert_int_equal(t.n_notes, 0);
	/* the raw value of slot 29: byte 2 + 29 * 12 + 5 */
	f = page_test_fact(&t, FACT_ATTR_RAW, 199, 0);
	assert_int_equal(f->origin.offset, 355);
	assert_int_equal(f->origin.width, 6);
	assert_int_equal(f->trust, TRUST_BYTES);
}

/* Byte 373 = FFh: the word at 375, unless that says nothing. */
static void long_test_times(void **state)
{
	(void)state;
	data[373] = 0xff;
	page_put(data, 375, 2, 1440);
	run_data();
	page_test_u64(&t, FACT_EXTENDED_MINUTES, 0, 0, 1440);
	page_put(data, 375, 2, 0xffff);
	run_data();
	page_test_u64(&t, FACT_EXTENDED_MINUTES, 0, 0, 255);
	data[367] = 0x2b; /* no self-test, but conveyance */
	run_data();
	page_test_absent(&t, FACT_EXTENDED_MINUTES, 0, 0);
	page_test_absent(&t, FACT_SHORT_MINUTES, 0, 0);
	page_test_absent(&t, FACT_SELFTEST_STATUS, 0, 0);
	page_test_u64(&t, FACT_CONVEYANCE_MINUTES, 0, 0, 5);
}

static void wrong_checksum(void **state)
{
	(void)state;
	page_seal(data);
	data[511]++;
	page_test_run(&t, "ata/smart/data", data, sizeof(data));
	assert_int_equal(page_test_fact(&t, FACT_ATTR_RAW, 199, 0)->trust,
			 TRUST_UNCHECKED);
	assert_true(page_test_noted(&t, "checksum"));
}

static void twice(void **state)
{
	(void)state;
	put_attribute(7, 199, 0, 1, 1, 7);
	run_data();
	/* slot 7 stands before slot 29 */
	page_test_u64(&t, FACT_ATTR_RAW, 199, 0, 7);
	assert_int_equal(page_test_count(&t, FACT_ATTR_RAW), 3);
	assert_true(page_test_noted(&t, "attribute 199 stands twice"));
}

static void states(void **state)
{
	static const struct {
		unsigned value, worst, threshold;
		const char *text;
	} rows[] = {
		{ 36, 36, 36, "now" }, { 37, 36, 36, "past" }, { 37, 37, 36, "" },
		{ 0, 0, 0, "" },       { 1, 1, 253, "now" },   { 100, 1, 1, "past" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		put_attribute(2, 5, 0x33, rows[i].value, rows[i].worst, 0);
		put_threshold(2, 5, rows[i].threshold);
		run_thresholds();
		page_test_u64(&t, FACT_ATTR_THRESHOLD, 5, 0, rows[i].threshold);
		page_test_text(&t, FACT_ATTR_WHEN_FAILED, 5, 0, rows[i].text);
	}
	assert_int_equal(t.n_notes, 0);
}

/* The threshold of the same slot counts, then the first one of the same id. */
static void matching(void **state)
{
	(void)state;
	put_threshold(0, 5, 90);
	put_threshold(1, 1, 100);
	run_thresholds();
	page_test_u64(&t, FACT_ATTR_THRESHOLD, 5, 0, 36);
	page_test_u64(&t, FACT_ATTR_THRESHOLD, 1, 0, 100);
	page_test_text(&t, FACT_ATTR_WHEN_FAILED, 1, 0, "now");
	put_threshold(2, 0, 0);
	run_thresholds();
	page_test_u64(&t, FACT_ATTR_THRESHOLD, 5, 0, 90);
	page_test_text(&t, FACT_ATTR_WHEN_FAILED, 5, 0, "now");
	/* no threshold at all: then nobody can say whether it failed */
	put_threshold(0, 0, 0);
	run_thresholds();
	page_test_absent(&t, FACT_ATTR_THRESHOLD, 5, 0);
	page_test_absent(&t, FACT_ATTR_WHEN_FAILED, 5, 0);
	assert_true(page_test_noted(&t, "1 attributes have no threshold"));
}

static void thresholds_alone(void **state)
{
	(void)state;
	page_seal(thresholds);
	page_test_run(&t, "ata/smart/thresholds", thresholds, sizeof(thresholds));
	page_test_u64(&t, FACT_ATTR_THRESHOLD, 5, 0, 36);
	page_test_u64(&t, FACT_ATTR_THRESHOLD, 199, 0, 0);
	assert_int_equal(page_test_count(&t, FACT_ATTR_WHEN_FAILED), 0);
}

/* A state needs both pages; it is worth what the worse of them is. */
static void states_of_a_bad_page(void **state)
{
	(void)state;
	page_seal(data);
	data[511]++;
	page_seal(thresholds);
	t.sink.smart_data = span_of(data, sizeof(data));
	page_test_run(&t, "ata/smart/thresholds", thresholds, sizeof(thresholds));
	assert_int_equal(page_test_fact(&t, FACT_ATTR_WHEN_FAILED, 5, 0)->trust,
			 TRUST_UNCHECKED);
}

/* --- registers ------------------------------------------------------------------------------- */

static void run_status(uint8_t status, unsigned mid, unsigned high)
{
	struct ata_registers r = { .known = true,
				   .status = status,
				   .lba = (uint64_t)high << 16 | (uint64_t)mid << 8 };

	page_test_registers(&t, "ata/smart/status", &r);
}

/* All 65,536 answers: two say passed, two halves too; everything else is no "passed". */
static void every_signature(void **state)
{
	unsigned passed = 0, failed = 0;

	(void)state;
	for (unsigned lba = 0; lba < 0x10000; lba++) {
		const struct fact *f;

		run_status(0x50, lba & 0xff, lba >> 8);
		f = page_test_fact(&t, FACT_SMART_PASSED, 0, 0);
		passed += f && f->u;
		failed += f && !f->u;
		if (!f)
			assert_int_equal(t.n_notes, 1);
	}
	assert_int_equal(passed, 3);
	assert_int_equal(failed, 3);
	run_status(0x50, 0x4f, 0xc2);
	page_test_u64(&t, FACT_SMART_PASSED, 0, 0, 1);
	assert_int_equal(t.n_notes, 0);
	run_status(0x50, 0xf4, 0x2c);
	page_test_u64(&t, FACT_SMART_PASSED, 0, 0, 0);
	assert_int_equal(t.n_notes, 0);
	run_status(0x50, 0x4f, 0x00);
	page_test_u64(&t, FACT_SMART_PASSED, 0, 0, 1);
	assert_true(page_test_noted(&t, "half"));
	run_status(0x50, 0x00, 0x2c);
	page_test_u64(&t, FACT_SMART_PASSED, 0, 0, 0);
	run_status(0x50, 0x4f, 0x2c);
	page_test_absent(&t, FACT_SMART_PASSED, 0, 0);
}

static void no_answer(void **state)
{
	struct ata_registers unknown = { .status = 0x50, .lba = 0xc24f00 };
	static const uint8_t statuses[] = { 0x00, 0x10, 0x51, 0x70, 0xd0, 0xff };

	(void)state;
	page_test_registers(&t, "ata/smart/status", &unknown);
	assert_int_equal(t.n, 0);
	assert_true(page_test_noted(&t, "registers are not known"));
	page_test_registers(&t, "ata/smart/status", NULL);
	assert_int_equal(t.n, 0);
	page_test_registers(&t, "ata/power-mode", NULL);
	assert_int_equal(t.n, 0);
	/* not ready, aborted, device fault, busy: no answer whatever LBA holds */
	for (size_t i = 0; i < sizeof(statuses); i++) {
		run_status(statuses[i], 0x4f, 0xc2);
		assert_int_equal(t.n, 0);
		assert_int_equal(t.n_notes, 1);
	}
}

static void power_modes(void **state)
{
	static const struct {
		uint16_t count;
		const char *name;
	} rows[] = { { 0x00, "STANDBY" }, { 0x01, "STANDBY_Y" },      { 0x80, "IDLE" },
		     { 0x83, "IDLE_C" },  { 0xff, "ACTIVE or IDLE" }, { 0xfe, NULL } };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ata_registers r = { .known = true,
					   .status = 0x50,
					   .count = rows[i].count };

		page_test_registers(&t, "ata/power-mode", &r);
		if (rows[i].name)
			page_test_text(&t, FACT_POWER_MODE, 0, 0, rows[i].name);
		else
			assert_int_equal(t.n, 0);
	}
	/* what a bridge returns that drops registers: not "standby" */
	page_test_registers(&t, "ata/power-mode",
			    &(struct ata_registers){ .known = true });
	assert_int_equal(t.n, 0);
	assert_int_equal(t.n_notes, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(values, make, clean),
		cmocka_unit_test_setup_teardown(long_test_times, make, clean),
		cmocka_unit_test_setup_teardown(wrong_checksum, make, clean),
		cmocka_unit_test_setup_teardown(twice, make, clean),
		cmocka_unit_test_setup_teardown(states, make, clean),
		cmocka_unit_test_setup_teardown(matching, make, clean),
		cmocka_unit_test_setup_teardown(thresholds_alone, make, clean),
		cmocka_unit_test_setup_teardown(states_of_a_bad_page, make, clean),
		cmocka_unit_test_setup_teardown(every_signature, make, clean),
		cmocka_unit_test_setup_teardown(no_answer, make, clean),
		cmocka_unit_test_setup_teardown(power_modes, make, clean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
