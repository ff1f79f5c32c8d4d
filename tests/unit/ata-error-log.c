/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Error logs made byte by byte from ATA/ATAPI-5 tables 39 to 42 and ATA8-ACS A.7. */
#include "unit.h"

#include <string.h>

#include "ata/command-names.h"
#include "page-fixture.h"

static struct page_test t;
static uint8_t log28[512], log48[4 * 512];

static int make(void **state)
{
	(void)state;
	memset(log28, 0, sizeof(log28));
	memset(log48, 0, sizeof(log48));
	log28[0] = log48[0] = 1;
	return 0;
}

static int clean(void **state)
{
	(void)state;
	page_test_done(&t);
	return 0;
}

/* READ DMA at 00B8DDF91h, of which a sector could not be read. */
static void put_28(size_t place, unsigned hours)
{
	uint8_t *e = log28 + 2 + 90 * place;

	memcpy(e + 48, "\x08\x00\x08\x8f\xdf\x8d\xeb\xc8\x10\x27\x00\x00", 12);
	memcpy(e + 60, "\x00\x40\x02\x91\xdf\x8d\xeb\x51", 8);
	e[87] = 3;
	page_put(e, 88, 2, hours);
}

static void run_28(unsigned index, unsigned count)
{
	log28[1] = (uint8_t)index;
	page_put(log28, 452, 2, count);
	page_seal(log28);
	page_test_run(&t, "ata/smart-log/01", log28, sizeof(log28));
}

/*
 * WRITE FPDMA QUEUED at 060504030201h that met a CRC error, in the entry at PLACE of the ring. An LBA
 * stands as 7:0 31:24 15:8 39:32 23:16 47:40.
 */
static uint8_t *put_48(size_t place, unsigned hours)
{
	uint8_t *e = log48 + place / 4 * 512 + 4 + 124 * (place % 4);

	memcpy(e + 72, "\x08\x20\x00\x50\x01\x01\x04\x02\x05\x03\x06\x40\x61\x00", 14);
	page_put(e, 86, 4, 95588123); /* a day and 2:33:08.123 */
	memcpy(e + 90, "\x08\x84\x50\x01\x01\x04\x02\x05\x03\x06\x40\x51", 12);
	e[90 + 31] = 3;
	page_put(e, 90 + 32, 2, hours);
	return e;
}

static void run_48(size_t pages, unsigned index, unsigned count)
{
	page_put(log48, 2, 2, index);
	page_put(log48, 500, 2, count);
	for (size_t i = 0; i < pages; i++)
		page_seal(log48 + 512 * i);
	page_test_run(&t, "ata/log/03/00", log48, 512 * pages);
}

static void summary(void **state)
{
	const struct fact *f;

	(void)state;
	put_28(0, 65535);
	run_28(1, 1);
	page_test_u64(&t, FACT_ERROR_COUNT, 0, 0, 1);
	page_test_u64(&t, FACT_ERROR_NUMBER, 0, 0, 1);
	page_test_u64(&t, FACT_ERROR_HOURS, 0, 0, 65535);
	page_test_text(&t, FACT_ERROR_STATE, 0, 0, "active or idle");
	page_test_u64(&t, FACT_ERROR_ERROR, 0, 0, 0x40);
	page_test_u64(&t, FACT_ERROR_STATUS, 0, 0, 0x51);
	page_test_u64(&t, FACT_ERROR_COUNTREG, 0, 0, 2);
	page_test_u64(&t, FACT_ERROR_DEVICE, 0, 0, 0xeb);
	page_test_u64(&t, FACT_ERROR_LBA, 0, 0, 0xb8ddf91);
	page_test_text(&t, FACT_ERROR_TEXT, 0, 0,
		       "Error: UNC 2 sectors at LBA = 0x0b8ddf91 = 193847185");
	page_test_text(&t, FACT_ERROR_COMMAND, 0, 0,
		       "c8 00 08 8f df 8d eb 08 00:00:10.000 READ DMA");
	assert_int_equal(page_test_count(&t, FACT_ERROR_COMMAND), 1);
	assert_int_equal(t.n_notes, 0);
	f = page_test_fact(&t, FACT_ERROR_HOURS, 0, 0);
	assert_int_equal(f->origin.offset, 90); /* 2 + 60 + 28 */
	assert_int_equal(f->trust, TRUST_BYTES);
}

/* Newest at 2: its place is 1, then 0, 4, 3, 2. */
static void summary_ring(void **state)
{
	static const uint64_t order[] = { 101, 100, 104, 103, 102 };

	(void)state;
	for (unsigned i = 0; i < 5; i++)
		put_28(i, 100 + i);
	run_28(2, 7);
	for (uint32_t i = 0; i < 5; i++) {
		page_test_u64(&t, FACT_ERROR_HOURS, i, 0, order[i]);
		page_test_u64(&t, FACT_ERROR_NUMBER, i, 0, 7 - i);
	}
	assert_int_equal(page_test_count(&t, FACT_ERROR_HOURS), 5);
	run_28(2, 3); /* five errors of three */
	assert_int_equal(page_test_count(&t, FACT_ERROR_NUMBER), 3);
	assert_int_equal(page_test_count(&t, FACT_ERROR_HOURS), 5);
	assert_true(page_test_noted(&t, "more errors than the count"));
}

static void summary_refused(void **state)
{
	(void)state;
	put_28(0, 100);
	run_28(6, 1);
	assert_int_equal(t.n, 0);
	assert_true(page_test_noted(&t, "index 6"));
	run_28(0, 3);
	assert_int_equal(t.n, 0);
	assert_true(page_test_noted(&t, "index 0"));
	run_28(0, 0);
	page_test_u64(&t, FACT_ERROR_COUNT, 0, 0, 0);
	page_test_text(&t, FACT_ERRORLOG_READ, 0, 0, "SMART Error Log Version: 1");
	assert_int_equal(t.n, 2);
}

static void extended(void **state)
{
	const struct fact *f;

	(void)state;
	put_48(0, 36219);
	run_48(1, 1, 1);
	page_test_u64(&t, FACT_ERROR_COUNT, 0, 0, 1);
	page_test_u64(&t, FACT_ERROR_HOURS, 0, 0, 36219);
	page_test_u64(&t, FACT_ERROR_ERROR, 0, 0, 0x84);
	page_test_u64(&t, FACT_ERROR_COUNTREG, 0, 0, 0x150);
	page_test_u64(&t, FACT_ERROR_LBA, 0, 0, UINT64_C(0x060504030201));
	page_test_text(&t, FACT_ERROR_TEXT, 0, 0,
		       "Error: ICRC, ABRT at LBA = 0x60504030201 = 6618611909121");
	page_test_text(&t, FACT_ERROR_COMMAND, 0, 0,
		       "61 00 20 01 50 06 05 04 03 02 01 40 08 1d+02:33:08.123 WRITE "
		       "FPDMA QUEUED");
	page_test_text(&t, FACT_ERRORLOG_READ, 0, 0,
		       "SMART Extended Comprehensive Error Log Version: 1 (1 sectors)");
	f = page_test_fact(&t, FACT_ERROR_LBA, 0, 0);
	assert_int_equal(f->origin.offset, 98); /* 4 + 90 + 4 */
	assert_int_equal(f->origin.width, 6);
	assert_int_equal(t.n_notes, 0);
}

/* Over three pages: newest at 6 (place 5), older ones behind the end of the log. */
static void ring_over_pages(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 12; i++)
		put_48(i, 1000 + i);
	run_48(3, 6, 65535);
	for (uint32_t i = 0; i < 12; i++) {
		page_test_u64(&t, FACT_ERROR_HOURS, i, 0, 1000 + (5 + 12 - i) % 12);
		page_test_u64(&t, FACT_ERROR_NUMBER, i, 0, 65535 - i);
	}
	assert_int_equal(page_test_count(&t, FACT_ERROR_HOURS), 12);
	assert_int_equal(t.n_notes, 0);
	/* the last entry of the second page: 512 + 4 + 3 * 124 + 90 + 32 */
	assert_int_equal(page_test_fact(&t, FACT_ERROR_HOURS, 10, 0)->origin.offset,
			 1010);
}

/* Of a log of ten pages three were read: the ring goes on where nobody looked. */
static void part_of_a_ring(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 12; i++)
		put_48(i, 1000 + i);
	t.sink.log_pages = 10;
	run_48(3, 6, 65535);
	assert_int_equal(page_test_count(&t, FACT_ERROR_HOURS), 6);
	page_test_u64(&t, FACT_ERROR_HOURS, 5, 0, 1000);
	assert_true(page_test_noted(&t, "3 of 10 pages"));
	/* not yet once around: all errors there are */
	t.sink.log_pages = 10;
	run_48(3, 6, 6);
	assert_int_equal(page_test_count(&t, FACT_ERROR_HOURS), 6);
	assert_int_equal(t.n_notes, 0);
	/* the newest one is not among the pages */
	t.sink.log_pages = 10;
	run_48(3, 13, 13);
	assert_int_equal(t.n, 0);
	assert_true(page_test_noted(&t, "index 13"));
	page_test_run(&t, "ata/log/03/01", log48, 512);
	assert_int_equal(t.n, 0);
}

/* An entry is worth what its own page is. */
static void page_with_wrong_checksum(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 8; i++)
		put_48(i, 1000 + i);
	run_48(2, 8, 8);
	log48[1023]++;
	page_test_run(&t, "ata/log/03/00", log48, 1024);
	assert_true(page_test_noted(&t, "checksum of 1 of 2 pages"));
	assert_int_equal(page_test_fact(&t, FACT_ERROR_COUNT, 0, 0)->trust, TRUST_BYTES);
	assert_int_equal(page_test_fact(&t, FACT_ERROR_HOURS, 0, 0)->trust,
			 TRUST_UNCHECKED);
	assert_int_equal(page_test_fact(&t, FACT_ERROR_HOURS, 4, 0)->trust, TRUST_BYTES);
}

/* Old Samsung disks: the index in byte 1, 0 where it belongs. */
static void samsung_index(void **state)
{
	(void)state;
	put_48(1, 5);
	log48[1] = 2;
	run_48(1, 0, 1);
	page_test_u64(&t, FACT_ERROR_HOURS, 0, 0, 5);
}

static void lba_of_short_commands(void **state)
{
	uint8_t *e;

	(void)state;
	/* READ DMA has 28 bits: four in Device, the upper halves are left from another command */
	e = put_48(0, 1);
	e[84] = 0xc8;
	e[100] = 0xe7;
	run_48(1, 1, 1);
	page_test_u64(&t, FACT_ERROR_LBA, 0, 0, 0x7030201);
	/* a command of which nobody knows: which registers count cannot be told */
	e[84] = 0xc1;
	run_48(1, 1, 1);
	page_test_absent(&t, FACT_ERROR_LBA, 0, 0);
	page_test_absent(&t, FACT_ERROR_TEXT, 0, 0);
}

/* The six bytes in plain order: as the others they would be behind the end of the drive. */
static void plain_order(void **state)
{
	uint8_t *e = put_48(0, 1);

	(void)state;
	page_put(e, 94, 6, 0x12345678);
	e[91] = 0x40;
	t.sink.sectors = 1953525168;
	run_48(1, 1, 1);
	page_test_absent(&t, FACT_ERROR_LBA, 0, 0);
	page_test_text(&t, FACT_ERROR_TEXT, 0, 0, "Error: WP");
	assert_true(page_test_noted(&t, "305419896"));
	e[91] = 0x10; /* IDNF: the request may have been behind the end */
	t.sink.sectors = 1953525168;
	run_48(1, 1, 1);
	page_test_u64(&t, FACT_ERROR_LBA, 0, 0, UINT64_C(0x1256003478));
	assert_int_equal(t.n_notes, 0);
}

static void states(void **state)
{
	static const struct {
		uint8_t state;
		const char *text;
	} rows[] = {
		{ 0x00, "in an unknown state" },
		{ 0x21, "sleeping" },
		{ 0x02, "in standby mode" },
		{ 0xf3, "active or idle" },
		{ 0x04, "doing SMART Offline or Self-test" },
		{ 0x05, "in a reserved state" },
		{ 0x0a, "in a reserved state" },
		{ 0x0b, "in a vendor specific state" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		put_48(0, 1)[121] = rows[i].state;
		run_48(1, 1, 1);
		page_test_text(&t, FACT_ERROR_STATE, 0, 0, rows[i].text);
	}
}

/* Bits of the Error register by command: ATA/ATAPI-7 and ACS-4, "Error outputs". */
static void words(void **state)
{
	static const struct {
		struct ata_failure f;
		const char *text; /* NULL: nothing can be said */
	} rows[] = {
		{ { .command = 0x25,
		    .status = 0x51,
		    .error = 0x40,
		    .count = 8,
		    .lba = 0x10,
		    .has_lba = true },
		  "Error: UNC 8 sectors at LBA = 0x00000010 = 16" },
		{ { .command = 0x35, .status = 0x51, .error = 0x40 }, "Error: WP" },
		{ { .command = 0x60,
		    .status = 0x41,
		    .error = 0x84,
		    .count = 8,
		    .lba = 1,
		    .has_lba = true },
		  "Error: ICRC, ABRT at LBA = 0x00000001 = 1" },
		{ { .command = 0xb0, .feature = 0xd5, .status = 0x51, .error = 0x05 },
		  "Error: ABRT, obs" },
		{ { .command = 0xef, .status = 0x51, .error = 0xff }, "Error: ABRT" },
		{ { .command = 0xec, .status = 0x51, .error = 0x04 }, NULL },
		{ { .command = 0xb0, .feature = 0xe0, .status = 0x51, .error = 0x04 },
		  NULL },
		{ { .command = 0x30,
		    .status = 0x71,
		    .error = 0x04,
		    .lba = 5,
		    .has_lba = true },
		  "Device Fault; Error: ABRT at LBA = 0x00000005 = 5" },
		{ { .command = 0x30, .status = 0x60, .error = 0x04 }, "Device Fault" },
		{ { .command = 0x2b, .status = 0x51, .error = 0x81 }, "Error: CCTO" },
		{ { .command = 0xef, .status = 0x50, .error = 0x04 }, NULL },
	};
	char text[160];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bool any = ata_failure_text(&rows[i].f, text, sizeof(text));

		assert_int_equal(any, rows[i].text != NULL);
		if (any)
			assert_string_equal(text, rows[i].text);
	}
}

static void names(void **state)
{
	bool known;

	(void)state;
	assert_string_equal(ata_command_name(0xef, 0x10),
			    "SET FEATURES [Enable SATA feature]");
	assert_string_equal(ata_command_name(0xb0, 0xda), "SMART RETURN STATUS");
	assert_string_equal(ata_command_name(0x60, 0x77), "READ FPDMA QUEUED");
	assert_string_equal(ata_command_name(0xfa, 0), "[VENDOR SPECIFIC]");
	assert_string_equal(ata_command_name(0x0a, 0), "[RESERVED]");
	assert_true(ata_command_is_ext(0x60, &known) && known);
	assert_true(!ata_command_is_ext(0xc8, &known) && known);
	assert_true(!ata_command_is_ext(0xec, &known) && !known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(summary, make, clean),
		cmocka_unit_test_setup_teardown(summary_ring, make, clean),
		cmocka_unit_test_setup_teardown(summary_refused, make, clean),
		cmocka_unit_test_setup_teardown(extended, make, clean),
		cmocka_unit_test_setup_teardown(ring_over_pages, make, clean),
		cmocka_unit_test_setup_teardown(part_of_a_ring, make, clean),
		cmocka_unit_test_setup_teardown(page_with_wrong_checksum, make, clean),
		cmocka_unit_test_setup_teardown(samsung_index, make, clean),
		cmocka_unit_test_setup_teardown(lba_of_short_commands, make, clean),
		cmocka_unit_test_setup_teardown(plain_order, make, clean),
		cmocka_unit_test_setup_teardown(states, make, clean),
		cmocka_unit_test(words),
		cmocka_unit_test(names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
