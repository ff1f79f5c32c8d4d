/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Self-test logs and the selective one, made byte by byte from ATA8-ACS A.8 to A.10. */
#include "unit.h"

#include <string.h>

#include "page-fixture.h"

static struct page_test t;
static uint8_t log28[512], log48[2 * 512], selective[512];

static int make(void **state)
{
	(void)state;
	memset(log28, 0, sizeof(log28));
	memset(log48, 0, sizeof(log48));
	memset(selective, 0, sizeof(selective));
	log28[0] = log48[0] = selective[0] = 1;
	return 0;
}

static int clean(void **state)
{
	(void)state;
	page_test_done(&t);
	return 0;
}

static void put_28(size_t place, unsigned test, unsigned status, unsigned hours,
		   uint64_t lba)
{
	uint8_t *e = log28 + 2 + 24 * place;

	e[0] = (uint8_t)test;
	e[1] = (uint8_t)status;
	page_put(e, 2, 2, hours);
	page_put(e, 5, 4, lba);
}

static void run_28(unsigned index)
{
	log28[508] = (uint8_t)index;
	page_seal(log28);
	page_test_run(&t, "ata/smart-log/06", log28, sizeof(log28));
}

static void put_48(size_t place, unsigned test, unsigned status, unsigned hours,
		   uint64_t lba)
{
	uint8_t *e = log48 + place / 19 * 512 + 4 + 26 * (place % 19);

	e[0] = (uint8_t)test;
	e[1] = (uint8_t)status;
	page_put(e, 2, 2, hours);
	page_put(e, 5, 6, lba);
}

static void run_48(size_t pages, unsigned index)
{
	page_put(log48, 2, 2, index);
	for (size_t i = 0; i < pages; i++)
		page_seal(log48 + 512 * i);
	page_test_run(&t, "ata/log/07/00", log48, 512 * pages);
}

/* The words that the judge looks for. */
static void results(void **state)
{
	static const char *const words[] = {
		"Completed without error",	 "Aborted by host",
		"Interrupted (host reset)",	 "Fatal or unknown error",
		"Completed: unknown failure",	 "Completed: electrical failure",
		"Completed: servo/seek failure", "Completed: read failure",
		"Completed: handling damage??",	 "Unknown status (0x9)",
		"Unknown status (0xa)",		 "Unknown status (0xb)",
		"Unknown status (0xc)",		 "Unknown status (0xd)",
		"Unknown status (0xe)",		 "Self-test routine in progress",
	};

	(void)state;
	for (unsigned i = 0; i < 16; i++) {
		put_28(0, 1, i << 4 | 9, 7, 1000);
		run_28(1);
		page_test_text(&t, FACT_SELFTEST_RESULT, 0, 0, words[i]);
		page_test_u64(&t, FACT_SELFTEST_REMAINING, 0, 0, 90);
		/* only tests that failed have a place where they did */
		if (i >= 3 && i <= 8)
			page_test_u64(&t, FACT_SELFTEST_LBA, 0, 0, 1000);
		else
			page_test_absent(&t, FACT_SELFTEST_LBA, 0, 0);
	}
}

static void types(void **state)
{
	static const struct {
		unsigned test;
		const char *text;
	} rows[] = {
		{ 0x00, "Offline" },	       { 0x01, "Short offline" },
		{ 0x02, "Extended offline" },  { 0x03, "Conveyance offline" },
		{ 0x04, "Selective offline" }, { 0x81, "Short captive" },
		{ 0x84, "Selective captive" }, { 0x05, "Reserved (0x05)" },
		{ 0x40, "Vendor (0x40)" },     { 0x7f, "Abort offline test" },
		{ 0x80, "Reserved (0x80)" },   { 0x8f, "Reserved (0x8f)" },
		{ 0x90, "Vendor (0x90)" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		put_28(0, rows[i].test, 0x10, 7, 0);
		run_28(1);
		page_test_text(&t, FACT_SELFTEST_TYPE, 0, 0, rows[i].text);
	}
}

static void short_ring(void **state)
{
	const struct fact *f;

	(void)state;
	for (unsigned i = 0; i < 21; i++)
		put_28(i, 2, 0x73, 60000 + i, UINT64_C(0xffffffff) - i);
	run_28(3);
	for (uint32_t i = 0; i < 21; i++) {
		page_test_u64(&t, FACT_SELFTEST_NUMBER, i, 0, i + 1);
		page_test_u64(&t, FACT_SELFTEST_HOURS, i, 0, 60000 + (2 + 21 - i) % 21);
	}
	/* place 0 has no failing address: FFFFFFFFh */
	page_test_absent(&t, FACT_SELFTEST_LBA, 2, 0);
	page_test_u64(&t, FACT_SELFTEST_LBA, 1, 0, 0xfffffffe);
	assert_int_equal(t.n_notes, 0);
	f = page_test_fact(&t, FACT_SELFTEST_LBA, 1, 0);
	assert_int_equal(f->origin.offset, 2 + 24 + 5);
	assert_int_equal(f->origin.width, 4);
}

static void empty_and_refused(void **state)
{
	(void)state;
	run_28(0);
	page_test_text(&t, FACT_SELFTEST_LOG_READ, 0, 0,
		       "SMART Self-test log structure revision number 1");
	assert_int_equal(t.n, 1);
	run_28(22);
	assert_int_equal(t.n, 0);
	assert_true(page_test_noted(&t, "index 22"));
	run_48(1, 0);
	page_test_text(&t, FACT_SELFTEST_LOG_READ, 0, 0,
		       "SMART Extended Self-test Log Version: 1 (1 sectors)");
	assert_int_equal(t.n, 1);
	run_48(1, 20);
	assert_int_equal(t.n, 0);
	assert_true(page_test_noted(&t, "index 20"));
}

static void extended_ring(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 38; i++)
		put_48(i, 2, 0x7a, 100 + i, UINT64_C(0x0102030405) + i);
	put_48(37, 2, 0x7a, 137, UINT64_C(0xffffffffffff));
	put_48(36, 2, 0x7a, 136, UINT64_C(0xfffffffffffe));
	run_48(2, 20);
	for (uint32_t i = 0; i < 38; i++)
		page_test_u64(&t, FACT_SELFTEST_HOURS, i, 0, 100 + (19 + 38 - i) % 38);
	page_test_u64(&t, FACT_SELFTEST_LBA, 0, 0, UINT64_C(0x0102030405) + 19);
	page_test_absent(&t, FACT_SELFTEST_LBA, 20, 0);
	page_test_u64(&t, FACT_SELFTEST_LBA, 21, 0, UINT64_C(281474976710654));
	page_test_u64(&t, FACT_SELFTEST_REMAINING, 0, 0, 100);
	assert_int_equal(t.n_notes, 0);
	t.sink.log_pages = 16;
	run_48(2, 20);
	assert_int_equal(page_test_count(&t, FACT_SELFTEST_HOURS), 20);
	assert_true(page_test_noted(&t, "2 of 16 pages"));
}

static void gaps(void **state)
{
	(void)state;
	put_48(0, 1, 0, 1, 0);
	put_48(4, 1, 0, 5, 0);
	run_48(1, 5);
	assert_int_equal(page_test_count(&t, FACT_SELFTEST_HOURS), 2);
	page_test_u64(&t, FACT_SELFTEST_NUMBER, 0, 0, 1);
	page_test_u64(&t, FACT_SELFTEST_NUMBER, 1, 0, 5);
	page_test_u64(&t, FACT_SELFTEST_HOURS, 1, 0, 1);
}

static void selective_log(void **state)
{
	uint8_t data[512] = { 0 };

	(void)state;
	page_put(selective, 2, 8, UINT64_MAX - 1);
	page_put(selective, 10, 8, UINT64_MAX);
	page_put(selective, 2 + 16, 8, 100);
	page_put(selective, 10 + 16, 8, 200);
	page_put(selective, 492, 8, 150);
	selective[500] = 2;
	selective[502] = 0x1a;
	page_put(selective, 508, 2, 65535);
	page_seal(selective);
	data[363] = 0xf4;
	t.sink.smart_data = span_of(data, sizeof(data));
	page_test_run(&t, "ata/smart-log/09", selective, sizeof(selective));
	page_test_u64(&t, FACT_SELECTIVE_MIN, 1, 0, UINT64_MAX - 1);
	page_test_u64(&t, FACT_SELECTIVE_MAX, 1, 0, UINT64_MAX);
	page_test_text(&t, FACT_SELECTIVE_STATUS, 1, 0, "Not_testing");
	page_test_text(&t, FACT_SELECTIVE_STATUS, 2, 0,
		       "Self_test_in_progress [40% left] (150-65685)");
	page_test_u64(&t, FACT_SELECTIVE_MIN, 5, 0, 0);
	page_test_u64(&t, FACT_SELECTIVE_FLAGS, 0, 0, 0x1a);
	page_test_u64(&t, FACT_SELECTIVE_RESUME, 0, 0, 65535);
	/* without SMART data nobody knows how the current span stands */
	page_test_done(&t);
	page_test_run(&t, "ata/smart-log/09", selective, sizeof(selective));
	page_test_absent(&t, FACT_SELECTIVE_STATUS, 2, 0);
	selective[0] = 0;
	page_seal(selective);
	page_test_run(&t, "ata/smart-log/09", selective, sizeof(selective));
	assert_int_equal(t.n, 0);
	assert_true(page_test_noted(&t, "version 0"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(results, make, clean),
		cmocka_unit_test_setup_teardown(types, make, clean),
		cmocka_unit_test_setup_teardown(short_ring, make, clean),
		cmocka_unit_test_setup_teardown(empty_and_refused, make, clean),
		cmocka_unit_test_setup_teardown(extended_ring, make, clean),
		cmocka_unit_test_setup_teardown(gaps, make, clean),
		cmocka_unit_test_setup_teardown(selective_log, make, clean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
