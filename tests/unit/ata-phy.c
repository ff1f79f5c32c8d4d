/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SATA phy event counters, made byte by byte from Serial ATA 3.x 13.2.2.6. */
#include "unit.h"

#include <string.h>

#include "page-fixture.h"

static struct page_test t;
static uint8_t page[512];
static size_t at;

static int make(void **state)
{
	(void)state;
	memset(page, 0, sizeof(page));
	at = 4;
	return 0;
}

static int clean(void **state)
{
	(void)state;
	page_test_done(&t);
	return 0;
}

static void put(unsigned id, unsigned bytes, uint64_t value)
{
	page_put(page, at, 2, (id & 0x8fffu) | bytes / 2 << 12);
	page_put(page, at + 2, bytes, value);
	at += 2 + bytes;
}

static void run(void)
{
	page_seal(page);
	page_test_run(&t, "ata/log/11/00", page, sizeof(page));
}

static void sizes(void **state)
{
	const struct fact *f;

	(void)state;
	put(0x00a, 2, 25);
	put(0x001, 4, 70000);
	put(0x009, 6, UINT64_C(0x123456789abc));
	put(0x002, 8, UINT64_C(0xfffffffffffffffe));
	put(0x8e11, 2, 7);
	run();
	page_test_u64(&t, FACT_PHY_VALUE, 0x00a, 0, 25);
	page_test_u64(&t, FACT_PHY_SIZE, 0x00a, 0, 2);
	page_test_u64(&t, FACT_PHY_VALUE, 0x001, 0, 70000);
	page_test_u64(&t, FACT_PHY_SIZE, 0x001, 0, 4);
	page_test_u64(&t, FACT_PHY_VALUE, 0x009, 0, UINT64_C(20015998343868));
	page_test_u64(&t, FACT_PHY_SIZE, 0x009, 0, 6);
	page_test_u64(&t, FACT_PHY_VALUE, 0x002, 0, UINT64_C(18446744073709551614));
	page_test_u64(&t, FACT_PHY_VALUE, 0x8e11, 0, 7);
	assert_int_equal(page_test_count(&t, FACT_PHY_VALUE), 5);
	assert_int_equal(page_test_count(&t, FACT_PHY_SATURATED), 0);
	assert_int_equal(page_test_count(&t, FACT_PHY_PAGE_DOUBT), 0);
	assert_int_equal(t.n_notes, 0);
	f = page_test_fact(&t, FACT_PHY_VALUE, 0x001, 0);
	assert_int_equal(f->origin.offset, 10); /* 4, 2 + 2, 2 */
	assert_int_equal(f->origin.width, 4);
	assert_int_equal(f->trust, TRUST_BYTES);
}

/* A counter stops when all bits of its width are ones. */
static void saturation(void **state)
{
	(void)state;
	put(0x001, 2, 0xffff);
	put(0x002, 4, 0xffff);
	put(0x003, 4, 0xffffffff);
	put(0x004, 6, UINT64_C(0xffffffffffff));
	put(0x005, 8, UINT64_MAX);
	put(0x006, 8, UINT64_C(0xffffffff));
	run();
	page_test_u64(&t, FACT_PHY_SATURATED, 0x001, 0, 1);
	page_test_absent(&t, FACT_PHY_SATURATED, 0x002, 0);
	page_test_u64(&t, FACT_PHY_SATURATED, 0x003, 0, 1);
	page_test_u64(&t, FACT_PHY_SATURATED, 0x004, 0, 1);
	page_test_u64(&t, FACT_PHY_SATURATED, 0x005, 0, 1);
	page_test_absent(&t, FACT_PHY_SATURATED, 0x006, 0);
	page_test_u64(&t, FACT_PHY_VALUE, 0x005, 0, UINT64_MAX);
}

/* Bits 14:12 = 0, 5, 6, 7 are no size: what was read before it stands, and the page is doubtful. */
static void bad_sizes(void **state)
{
	static const unsigned codes[] = { 0, 5, 6, 7 };

	(void)state;
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		make(NULL);
		put(0x001, 2, 3);
		page_put(page, at, 2, 0x002 | codes[i] << 12);
		run();
		page_test_u64(&t, FACT_PHY_VALUE, 0x001, 0, 3);
		assert_int_equal(page_test_count(&t, FACT_PHY_VALUE), 1);
		page_test_text(&t, FACT_PHY_PAGE_DOUBT, 0, 0,
			       "a counter of a size that cannot be: what stands behind "
			       "it is not read");
		assert_int_equal(t.n_notes, 1);
	}
}

static void twice(void **state)
{
	(void)state;
	put(0x001, 2, 3);
	put(0x001, 4, 4);
	put(0x003, 2, 5);
	run();
	page_test_u64(&t, FACT_PHY_VALUE, 0x001, 0, 3);
	page_test_u64(&t, FACT_PHY_VALUE, 0x003, 0, 5);
	assert_int_equal(page_test_count(&t, FACT_PHY_VALUE), 2);
	page_test_text(&t, FACT_PHY_PAGE_DOUBT, 0, 0, "a counter stands twice");
}

static void checksum_and_head(void **state)
{
	(void)state;
	put(0x001, 2, 3);
	page_seal(page);
	page[511]++;
	page_test_run(&t, "ata/log/11/00", page, sizeof(page));
	page_test_text(&t, FACT_PHY_PAGE_DOUBT, 0, 0,
		       "the checksum of the page is wrong");
	assert_int_equal(page_test_fact(&t, FACT_PHY_VALUE, 0x001, 0)->trust,
			 TRUST_UNCHECKED);
	page[3] = 1;
	run();
	page_test_text(&t, FACT_PHY_PAGE_DOUBT, 0, 0,
		       "reserved bytes at the start of the page are not 0");
}

/* Filled to the last byte; a value may not reach the checksum. */
static void full_page(void **state)
{
	(void)state;
	/* 126 counters of 2 bytes, 4..507, leave 508..510 */
	for (unsigned i = 0; i < 126; i++)
		put(1 + i, 2, i);
	run();
	assert_int_equal(page_test_count(&t, FACT_PHY_VALUE), 126);
	assert_int_equal(t.n_notes, 0);
	make(NULL);
	for (unsigned i = 0; i < 125; i++)
		put(1 + i, 2, i);
	/* at 504 a counter of 8 bytes: 506..513 */
	page_put(page, at, 2, 0x4fff);
	run();
	assert_int_equal(page_test_count(&t, FACT_PHY_VALUE), 125);
	assert_int_equal(page_test_count(&t, FACT_PHY_PAGE_DOUBT), 1);
	make(NULL);
	for (unsigned i = 0; i < 62; i++)
		put(1 + i, 6, i);
	/* at 500 a counter of 8 bytes ends with byte 509 */
	put(0xfff, 8, 1);
	run();
	assert_int_equal(page_test_count(&t, FACT_PHY_VALUE), 63);
	assert_int_equal(page_test_count(&t, FACT_PHY_PAGE_DOUBT), 0);
}

static void other_pages(void **state)
{
	(void)state;
	put(0x001, 2, 3);
	page_seal(page);
	page_test_run(&t, "ata/log/11/01", page, sizeof(page));
	assert_int_equal(t.n, 0);
	make(NULL);
	page[4] = 0;
	page[100] = 1; /* no counter at all */
	run();
	assert_int_equal(t.n, 0);
	assert_true(page_test_noted(&t, "no counter"));
}

static void ids_of_items(void **state)
{
	uint16_t number = 77;

	(void)state;
	assert_non_null(page_find("ata/log/11/0a", &number));
	assert_int_equal(number, 10);
	assert_non_null(page_find("ata/log/11/1234", &number));
	assert_int_equal(number, 0x1234);
	assert_null(page_find("ata/log/11", &number));
	assert_null(page_find("ata/log/11/", &number));
	assert_null(page_find("ata/log/11/0", &number));
	assert_null(page_find("ata/log/11/0g", &number));
	assert_null(page_find("ata/log/11/00/", &number));
	assert_null(page_find("ata/log/11/10000", &number));
	assert_null(page_find("ata/identify/00", &number));
	assert_null(page_find("ata/log/99/00", &number));
	assert_int_equal(number, 0x1234);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(sizes, make, clean),
		cmocka_unit_test_setup_teardown(saturation, make, clean),
		cmocka_unit_test_setup_teardown(bad_sizes, make, clean),
		cmocka_unit_test_setup_teardown(twice, make, clean),
		cmocka_unit_test_setup_teardown(checksum_and_head, make, clean),
		cmocka_unit_test_setup_teardown(full_page, make, clean),
		cmocka_unit_test_setup_teardown(other_pages, make, clean),
		cmocka_unit_test_setup_teardown(ids_of_items, make, clean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
