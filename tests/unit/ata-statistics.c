/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Logs without a checksum: directories, device statistics, pending defects, IDENTIFY data, SCT; and
 * the NCQ error log. Made byte by byte from ACS-4 9.2, 9.5, 9.11, 9.14, 9.26 and ATA8-ACS 8.
 */
#include "unit.h"

#include <string.h>

#include "page-fixture.h"

static struct page_test t;
static uint8_t page[9 * 512];

static int make(void **state)
{
	(void)state;
	memset(page, 0, sizeof(page));
	return 0;
}

static int clean(void **state)
{
	(void)state;
	page_test_done(&t);
	return 0;
}

/* --- directories ---------------------------------------------------------------------------------- */

static void directories(void **state)
{
	(void)state;
	page[0] = 1;
	page_put(page, 2 * 0x03, 2, 16383);
	page_put(page, 2 * 0x11, 2, 1);
	page_put(page, 2 * 0xa6, 2, 65535);
	page_put(page, 2 * 0xff, 2, 256);
	page_test_run(&t, "ata/log/00/00", page, 512);
	page_test_u64(&t, FACT_LOG_GPL, 0x00, 0, 1);
	page_test_u64(&t, FACT_LOG_GPL, 0x03, 0, 16383);
	page_test_u64(&t, FACT_LOG_GPL, 0xa6, 0, 65535);
	page_test_u64(&t, FACT_LOG_GPL, 0xff, 0, 256);
	page_test_text(&t, FACT_LOG_NAME, 0x11, 0, "SATA Phy Event Counters log");
	page_test_text(&t, FACT_LOG_ACCESS, 0xa6, 0, "VS");
	page_test_text(&t, FACT_LOG_NAME, 0xff, 0, "Reserved");
	assert_int_equal(page_test_count(&t, FACT_LOG_GPL), 5);
	assert_int_equal(page_test_fact(&t, FACT_LOG_GPL, 3, 0)->trust, TRUST_UNCHECKED);
	/* of a SMART directory the low bytes alone */
	page_test_run(&t, "ata/smart-log/00", page, 512);
	page_test_u64(&t, FACT_LOG_SMART, 0x03, 0, 255);
	page_test_absent(&t, FACT_LOG_SMART, 0xff, 0);
	page[0] = 2;
	page_test_run(&t, "ata/log/00/00", page, 512);
	assert_int_equal(t.n, 0);
	assert_true(page_test_noted(&t, "version 2"));
}

/* --- device statistics -------------------------------------------------------------------------------- */

static uint8_t *head(size_t index, unsigned number)
{
	uint8_t *p = page + 512 * index;

	page_put(p, 0, 2, 1);
	p[2] = (uint8_t)number;
	return p;
}

static void put_statistic(uint8_t *p, size_t offset, uint64_t value, unsigned flags)
{
	page_put(p, offset, 7, value);
	p[offset + 7] = (uint8_t)flags;
}

static void statistics(void **state)
{
	const struct fact *f;
	uint8_t *p;

	(void)state;
	head(0, 0);
	p = head(1, 1);
	put_statistic(p, 0x008, 0xffffffff, 0xc0);
	put_statistic(p, 0x018, UINT64_C(0xffffffffffff), 0xd0);
	put_statistic(p, 0x048, 0xffff, 0xc8);
	put_statistic(p, 0x058, UINT64_C(0xffffffffffffff), 0xc4);
	put_statistic(p, 0x060, 0xff, 0x80); /* supported, not valid */
	put_statistic(p, 0x010, 5, 0x40);    /* not supported */
	p = head(5, 5);
	put_statistic(p, 0x008, 0xd8, 0xc0); /* -40 */
	put_statistic(p, 0x020, 0x80, 0xc0); /* -128 */
	put_statistic(p, 0x028, 0x7f, 0xc0);
	p = head(7, 7);
	put_statistic(p, 0x008, 255, 0xe0);
	page_test_run(&t, "ata/log/04/00", page, 8 * 512);
	page_test_s64(&t, FACT_STAT_VALUE, 1, 0x008, 4294967295);
	page_test_s64(&t, FACT_STAT_VALUE, 1, 0x018, 281474976710655);
	page_test_s64(&t, FACT_STAT_VALUE, 1, 0x048, 65535);
	page_test_s64(&t, FACT_STAT_VALUE, 1, 0x058, 72057594037927935);
	page_test_absent(&t, FACT_STAT_VALUE, 1, 0x060);
	page_test_text(&t, FACT_STAT_NAME, 1, 0x060, "Random Write Resources Used");
	page_test_absent(&t, FACT_STAT_NAME, 1, 0x010);
	page_test_text(&t, FACT_STAT_FLAGS, 1, 0x008, "---");
	page_test_text(&t, FACT_STAT_FLAGS, 1, 0x018, "-D-");
	page_test_text(&t, FACT_STAT_FLAGS, 1, 0x048, "--C");
	page_test_text(&t, FACT_STAT_FLAGS, 1, 0x058, "---+");
	page_test_s64(&t, FACT_STAT_VALUE, 5, 0x008, -40);
	page_test_s64(&t, FACT_STAT_VALUE, 5, 0x020, -128);
	page_test_s64(&t, FACT_STAT_VALUE, 5, 0x028, 127);
	page_test_u64(&t, FACT_STAT_SIZE, 5, 0x028, 1);
	page_test_s64(&t, FACT_STAT_VALUE, 7, 0x008, 255);
	page_test_text(&t, FACT_STAT_FLAGS, 7, 0x008, "N--");
	assert_int_equal(t.n_notes, 0);
	f = page_test_fact(&t, FACT_STAT_VALUE, 5, 0x008);
	assert_int_equal(f->origin.offset, 5 * 512 + 8);
	assert_int_equal(f->trust, TRUST_UNCHECKED);
}

/* A value uses the bytes of its own width: what stands above it is not part of it. */
static void statistics_widths(void **state)
{
	uint8_t *p = head(0, 6);

	(void)state;
	put_statistic(p, 0x018, UINT64_C(0x00010200000007), 0xc0);
	page_test_run(&t, "ata/log/04/06", page, 512);
	page_test_s64(&t, FACT_STAT_VALUE, 6, 0x018, 7);
	page_test_u64(&t, FACT_STAT_SIZE, 6, 0x018, 4);
	p[2] = 7;
	put_statistic(p, 0x008, 0x0163, 0xc0);
	page_test_run(&t, "ata/log/04/07", page, 512);
	page_test_s64(&t, FACT_STAT_VALUE, 7, 0x008, 0x63);
}

static void statistics_dirt(void **state)
{
	uint8_t *p = head(0, 2);

	(void)state;
	put_statistic(p, 0x018, 77, 0xc0); /* a newer statistic */
	put_statistic(p, 0x020, UINT64_C(0x01000000000000), 0xc0);
	put_statistic(p, 0x028, 78, 0xc0);
	page_test_run(&t, "ata/log/04/02", page, 512);
	page_test_s64(&t, FACT_STAT_VALUE, 2, 0x018, 77);
	page_test_text(&t, FACT_STAT_NAME, 2, 0x018, "Unknown");
	page_test_absent(&t, FACT_STAT_VALUE, 2, 0x020);
	page_test_absent(&t, FACT_STAT_VALUE, 2, 0x028);
	assert_true(page_test_noted(&t, "page 02h: what stands from byte 32 on"));
}

static void statistics_heads(void **state)
{
	uint8_t *p = head(0, 6);

	(void)state;
	put_statistic(p, 0x018, 7, 0xc0);
	page_test_run(&t, "ata/log/04/05", page, 512); /* another page than asked for */
	assert_int_equal(t.n, 0);
	assert_true(page_test_noted(&t, "page 05h: the head says page 06h"));
	page_put(p, 0, 2, 0); /* revision 0: not there */
	page_test_run(&t, "ata/log/04/06", page, 512);
	assert_int_equal(t.n, 0);
	head(0, 0xff);
	page_test_run(&t, "ata/log/04/ff", page, 512);
	assert_int_equal(t.n, 0);
	assert_true(page_test_noted(&t, "maker"));
	/* a SMART log holds them from page 0 on */
	make(NULL);
	put_statistic(head(1, 1), 0x008, 12, 0xc0);
	page_test_run(&t, "ata/smart-log/04", page, 1024);
	page_test_s64(&t, FACT_STAT_VALUE, 1, 0x008, 12);
}

/* --- pending defects --------------------------------------------------------------------------------- */

static void put_defect(size_t i, uint64_t lba, uint64_t hours)
{
	page_put(page, 16 + 16 * i, 4, hours);
	page_put(page, 24 + 16 * i, 8, lba);
}

static void defects(void **state)
{
	(void)state;
	for (size_t i = 0; i < 63; i++)
		put_defect(i, 1000 + i, i ? i : 0xffffffff);
	put_defect(1, UINT64_MAX, 0xfffffffe);
	page_put(page, 0, 4, 33);
	page_test_run(&t, "ata/log/0c/00", page, 1024);
	page_test_u64(&t, FACT_DEFECT_COUNT, 0, 0, 33);
	assert_int_equal(page_test_count(&t, FACT_DEFECT_LBA), 33);
	page_test_u64(&t, FACT_DEFECT_LBA, 0, 0, 1000);
	page_test_absent(&t, FACT_DEFECT_HOURS, 0, 0);
	page_test_u64(&t, FACT_DEFECT_LBA, 1, 0, UINT64_MAX);
	page_test_u64(&t, FACT_DEFECT_HOURS, 1, 0, 4294967294);
	page_test_u64(&t, FACT_DEFECT_LBA, 32, 0, 1032);
	assert_int_equal(t.n_notes, 0);
	/* one page holds 31 of them */
	page_test_run(&t, "ata/log/0c/00", page, 512);
	page_test_u64(&t, FACT_DEFECT_COUNT, 0, 0, 33);
	assert_int_equal(page_test_count(&t, FACT_DEFECT_LBA), 31);
	assert_true(page_test_noted(&t, "first 31 of 33"));
	/* more than the log has room for is no count */
	t.sink.log_pages = 1;
	page_test_run(&t, "ata/log/0c/00", page, 512);
	assert_int_equal(t.n, 0);
	page_put(page, 0, 4, 0xffffffff);
	page_test_run(&t, "ata/log/0c/00", page, 512);
	assert_int_equal(t.n, 0);
	assert_int_equal(t.n_notes, 1);
}

static void no_defect(void **state)
{
	(void)state;
	page_test_run(&t, "ata/log/0c/00", page, 512);
	page_test_u64(&t, FACT_DEFECT_COUNT, 0, 0, 0);
	assert_int_equal(t.n, 1);
	assert_int_equal(t.n_notes, 0);
}

/* --- NCQ error ------------------------------------------------------------------------------------------- */

static void ncq(void **state)
{
	(void)state;
	page[0] = 0x1f;
	page[2] = 0x41;
	page[3] = 0x40;
	memcpy(page + 4, "\x01\x02\x03\x40\x04\x05\x06", 7);
	page_put(page, 12, 2, 0x0108);
	memcpy(page + 14, "\x03\x11\x04", 3);
	page_seal(page);
	page_test_run(&t, "ata/log/10/00", page, 512);
	page_test_u64(&t, FACT_NCQ_TAG, 0, 0, 31);
	page_test_u64(&t, FACT_NCQ_STATUS, 0, 0, 0x41);
	page_test_u64(&t, FACT_NCQ_ERROR, 0, 0, 0x40);
	page_test_u64(&t, FACT_NCQ_LBA, 0, 0, UINT64_C(0x060504030201));
	page_test_u64(&t, FACT_NCQ_COUNT, 0, 0, 264);
	page_test_u64(&t, FACT_NCQ_DEVICE, 0, 0, 0x40);
	page_test_text(&t, FACT_NCQ_SENSE, 0, 0, "3/11/04");
	page[0] = 0xc0; /* not a queued command, but an unload: LBA is its outcome */
	page_seal(page);
	page_test_run(&t, "ata/log/10/00", page, 512);
	page_test_absent(&t, FACT_NCQ_TAG, 0, 0);
	page_test_absent(&t, FACT_NCQ_LBA, 0, 0);
	page[2] = 0x50; /* no error: stale, or nothing ever failed */
	page_seal(page);
	page_test_run(&t, "ata/log/10/00", page, 512);
	assert_int_equal(t.n, 0);
}

/* --- IDENTIFY DEVICE data log ------------------------------------------------------------------------------ */

#define COUNTS (UINT64_C(1) << 63)

static uint8_t *identify_head(size_t index)
{
	uint8_t *p = page + 512 * index;

	page_put(p, 0, 8, COUNTS | index << 16 | 1);
	return p;
}

static void identify_log(void **state)
{
	uint8_t *p;

	(void)state;
	p = identify_head(2);
	page_put(p, 8, 8, COUNTS | 1953525168);
	page_put(p, 16, 8, COUNTS | UINT64_C(3) << 61 | 3 << 16);
	page_put(p, 24, 8, COUNTS | 256);
	p = identify_head(3);
	page_put(p, 24, 8, COUNTS | 5400);
	page_put(p, 32, 8, COUNTS | 2);
	page_put(p, 56, 8, UINT64_C(0x5000c50000000001));
	page_put(p, 64, 8, COUNTS);
	p = identify_head(5);
	page_put_string(p, 8, 20, "TEST0000001");
	page_put_string(p, 32, 8, "FW000001");
	page_put_string(p, 48, 40, "TESTDISK 1TB");
	p = identify_head(8);
	page_put(p, 8, 8, COUNTS | 7);
	page_put(p, 16, 8, COUNTS | 2);
	page_test_run(&t, "ata/log/30/00", page, 9 * 512);
	page_test_u64(&t, FACT_CAPACITY, 0, 0, 1000204886016);
	page_test_u64(&t, FACT_LOGICAL_SECTOR, 0, 0, 512);
	page_test_u64(&t, FACT_PHYSICAL_SECTOR, 0, 0, 4096);
	page_test_u64(&t, FACT_ROTATION, 0, 0, 5400);
	page_test_text(&t, FACT_FORM_FACTOR, 0, 0, "3.5 inches");
	page_test_text(&t, FACT_WWN, 0, 0, "5000c50000000001");
	page_test_text(&t, FACT_SERIAL, 0, 0, "TEST0000001");
	page_test_text(&t, FACT_FIRMWARE, 0, 0, "FW000001");
	page_test_text(&t, FACT_MODEL, 0, 0, "TESTDISK 1TB");
	page_test_absent(&t, FACT_ADD_PRODUCT_ID, 0, 0);
	page_test_u64(&t, FACT_LINK_DEVICE_MAX, 0, 0, 6000);
	page_test_u64(&t, FACT_LINK_CURRENT, 0, 0, 3000);
	assert_int_equal(t.n_notes, 0);
	/* fields that do not count, and a page of revision 0 */
	page[512 * 3 + 31] = 0;
	page[512 * 8] = 0;
	page_test_run(&t, "ata/log/30/00", page, 9 * 512);
	page_test_absent(&t, FACT_ROTATION, 0, 0);
	page_test_absent(&t, FACT_LINK_CURRENT, 0, 0);
	assert_true(page_test_noted(&t, "page 08h"));
}

/* --- SCT ------------------------------------------------------------------------------------------------- */

static void put_sct(void)
{
	page_put(page, 0, 2, 3);
	page_put(page, 2, 2, 522);
	page_put(page, 4, 2, 1);
	page[10] = 4;
	memcpy(page + 200, "\x1f\xfb\x28\xec\x7f\x3c", 6); /* 31 -5 40 -20 127 60 */
	page_put(page, 206, 4, 0xffffffff);
	page_put(page, 210, 4, 7);
	page_put(page, 214, 2, 0xc24f);
	page_put(page, 216, 2, 65);
}

static void sct_status(void **state)
{
	(void)state;
	put_sct();
	page[480] = 0xab;
	page_test_run(&t, "ata/smart-log/e0", page, 512);
	page_test_u64(&t, FACT_SCT_VERSION, 0, 0, 3);
	page_test_u64(&t, FACT_SCT_SPEC, 0, 0, 522);
	page_test_text(&t, FACT_SCT_STATE, 0, 0,
		       "SMART Off-line Data Collection executing in background (4)");
	page_test_s64(&t, FACT_SCT_TEMP, 0, 0, 31);
	page_test_s64(&t, FACT_SCT_CYCLE_MIN, 0, 0, -5);
	page_test_s64(&t, FACT_SCT_CYCLE_MAX, 0, 0, 40);
	page_test_s64(&t, FACT_SCT_LIFE_MIN, 0, 0, -20);
	page_test_s64(&t, FACT_SCT_LIFE_MAX, 0, 0, 127);
	page_test_s64(&t, FACT_SCT_SPEC_MAX, 0, 0, 60);
	page_test_u64(&t, FACT_SCT_OVER, 0, 0, 4294967295);
	page_test_u64(&t, FACT_SCT_UNDER, 0, 0, 7);
	page_test_u64(&t, FACT_SCT_SMART_STATUS, 0, 0, 0xc24f);
	page_test_u64(&t, FACT_SCT_MIN_ERC, 0, 0, 65);
	page_test_text(&t, FACT_SCT_VENDOR, 0, 0,
		       "ab 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
		       "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00");
	/* what it says of SMART is not SMART RETURN STATUS */
	page_test_absent(&t, FACT_SMART_PASSED, 0, 0);
	memset(page + 200, 0x80, 6);
	page_test_run(&t, "ata/smart-log/e0", page, 512);
	page_test_absent(&t, FACT_SCT_TEMP, 0, 0);
	page_test_absent(&t, FACT_SCT_SPEC_MAX, 0, 0);
	page[0] = 4;
	page_test_run(&t, "ata/smart-log/e0", page, 512);
	assert_int_equal(t.n, 0);
	assert_true(page_test_noted(&t, "format 4"));
}

static void sct_history(void **state)
{
	(void)state;
	page_put(page, 0, 2, 2);
	page_put(page, 2, 2, 1);
	page_put(page, 4, 2, 10);
	memcpy(page + 6, "\x3c\x46\xf6\x80", 4); /* 60 70 -10 none */
	page_put(page, 30, 2, 478);
	page_put(page, 32, 2, 477);
	memset(page + 34, 0x80, 478);
	page[34] = 0xff;
	page[34 + 477] = 0x1e;
	page_test_run(&t, "ata/sct/history", page, 512);
	page_test_u64(&t, FACT_SCT_HIST_SAMPLE, 0, 0, 1);
	page_test_u64(&t, FACT_SCT_HIST_INTERVAL, 0, 0, 10);
	page_test_s64(&t, FACT_SCT_REC_MAX, 0, 0, 60);
	page_test_s64(&t, FACT_SCT_LIMIT_MAX, 0, 0, 70);
	page_test_s64(&t, FACT_SCT_REC_MIN, 0, 0, -10);
	page_test_absent(&t, FACT_SCT_LIMIT_MIN, 0, 0);
	page_test_u64(&t, FACT_SCT_HIST_SIZE, 0, 0, 478);
	page_test_u64(&t, FACT_SCT_HIST_INDEX, 0, 0, 477);
	page_test_s64(&t, FACT_SCT_HIST_TEMP, 0, 0, -1);
	page_test_s64(&t, FACT_SCT_HIST_TEMP, 477, 0, 30);
	assert_int_equal(page_test_count(&t, FACT_SCT_HIST_TEMP), 2);
	page_put(page, 30, 2, 479);
	page_test_run(&t, "ata/sct/history", page, 512);
	assert_int_equal(page_test_count(&t, FACT_SCT_HIST_TEMP), 0);
	page_put(page, 30, 2, 128);
	page_test_run(&t, "ata/sct/history", page, 512);
	assert_int_equal(page_test_count(&t, FACT_SCT_HIST_TEMP), 0);
	assert_true(page_test_noted(&t, "newest at 477"));
}

static void sct_recovery(void **state)
{
	struct ata_registers r = {
		.known = true, .status = 0x50, .count = 0xff46, .lba = 0x00c24f01
	};

	(void)state;
	/* COUNT 7:0 and LBA 7:0: 0146h = 326, in 100 ms */
	page_test_registers(&t, "ata/sct/erc-read", &r);
	page_test_u64(&t, FACT_SCT_ERC_READ, 0, 0, 326);
	r.count = 0;
	r.lba = 0;
	page_test_registers(&t, "ata/sct/erc-write", &r);
	page_test_u64(&t, FACT_SCT_ERC_WRITE, 0, 0, 0);
	page_test_registers(&t, "ata/sct/erc-write", NULL);
	assert_int_equal(t.n, 0);
	assert_int_equal(t.n_notes, 1);
}

/* With SCT status behind it: it must be that of this command, and say that it went well. */
static void sct_recovery_checked(void **state)
{
	struct ata_registers r = { .known = true, .status = 0x50, .count = 70 };
	static const struct {
		size_t at;
		unsigned right, wrong;
	} rows[] = {
		{ 0, 2, 9 }, { 14, 0, 1 }, { 15, 0, 0xff }, { 16, 3, 5 }, { 18, 2, 1 }
	};

	(void)state;
	put_sct();
	page[16] = 3;
	page[18] = 2;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		page[rows[i].at] = (uint8_t)rows[i].wrong;
		page_test_both(&t, "ata/sct/erc-read", page, 512, &r);
		assert_int_equal(t.n, 0);
		assert_int_equal(t.n_notes, 1);
		page[rows[i].at] = (uint8_t)rows[i].right;
		page_test_both(&t, "ata/sct/erc-read", page, 512, &r);
		page_test_u64(&t, FACT_SCT_ERC_READ, 0, 0, 70);
		assert_int_equal(t.n_notes, 0);
	}
}

/* --- FARM --------------------------------------------------------------------------------------------------- */

static void farm(void **state)
{
	static uint8_t log[192 * 512];

	(void)state;
	page_put(log, 0, 8, UINT64_C(0xc0004641524d4552));
	page_put(log, 16384, 8, UINT64_C(0xc000000000000001));
	page_put(log, 16384 + 152, 8, UINT64_C(0xc0ffffffffffffff));
	page_put(log, 16384 + 184, 8, UINT64_C(0x8000000000000007)); /* not valid */
	page_put(log, 3 * 16384, 8, UINT64_C(0xc000000000000003));
	page_put(log, 3 * 16384 + 72, 8, UINT64_C(0xc000000000000005));
	page_put(log, 2 * 16384 + 64, 8, UINT64_C(0xc000000000000009)); /* no page 2 */
	page_test_run(&t, "ata/log/a6/00", log, sizeof(log));
	page_test_text(&t, FACT_FARM, 0, 0, "1: Power on Hours: 72057594037927935");
	page_test_text(&t, FACT_FARM, 1, 0, "3: Number of Interface CRC Errors: 5");
	assert_int_equal(t.n, 2);
	page_test_run(&t, "ata/log/a6/00", log, 512);
	assert_int_equal(t.n, 0);
	assert_true(page_test_noted(&t, "not in what was read"));
	log[1] = 0; /* another maker's log at the same address */
	page_test_run(&t, "ata/log/a6/00", log, sizeof(log));
	assert_int_equal(t.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(directories, make, clean),
		cmocka_unit_test_setup_teardown(statistics, make, clean),
		cmocka_unit_test_setup_teardown(statistics_widths, make, clean),
		cmocka_unit_test_setup_teardown(statistics_dirt, make, clean),
		cmocka_unit_test_setup_teardown(statistics_heads, make, clean),
		cmocka_unit_test_setup_teardown(defects, make, clean),
		cmocka_unit_test_setup_teardown(no_defect, make, clean),
		cmocka_unit_test_setup_teardown(ncq, make, clean),
		cmocka_unit_test_setup_teardown(identify_log, make, clean),
		cmocka_unit_test_setup_teardown(sct_status, make, clean),
		cmocka_unit_test_setup_teardown(sct_history, make, clean),
		cmocka_unit_test_setup_teardown(sct_recovery, make, clean),
		cmocka_unit_test_setup_teardown(sct_recovery_checked, make, clean),
		cmocka_unit_test_setup_teardown(farm, make, clean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
