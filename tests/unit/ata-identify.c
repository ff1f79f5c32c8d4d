/* SPDX-License-Identifier: GPL-2.0-or-later */
/* IDENTIFY DEVICE data made word by word from ACS-4 7.13.6. */
#include "unit.h"

#include <string.h>

#include "page-fixture.h"

static struct page_test t;
static uint8_t page[512];

static void put(unsigned word, unsigned value)
{
	page_put(page, word * 2, 2, value);
}

/* Word 255: signature and checksum. */
static void seal(void)
{
	page[510] = 0xa5;
	page_seal(page);
}

static void run(void)
{
	seal();
	page_test_run(&t, "ata/identify", page, sizeof(page));
}

/* A disk of 1,953,525,168 sectors that has everything. */
static int make(void **state)
{
	(void)state;
	memset(page, 0, sizeof(page));
	put(0, 0x0040);
	page_put_string(page, 20, 20, "  TEST0000001");
	page_put_string(page, 46, 8, "FW000001");
	page_put_string(page, 54, 40, "TESTDISK 1TB");
	put(49, 0x2f00);
	page_put(page, 120, 4, 0x0fffffff);
	put(69, 0x4020);
	put(76, 0x850e); /* NCQ, phy event counters, all three speeds */
	put(77, 0x0004); /* 3.0 Gb/s now */
	put(80, 0x07f0);
	put(81, 0x006d);
	put(82, 0x0061); /* SMART, write cache, look-ahead */
	put(83, 0x4408); /* valid, 48-bit, APM */
	put(84, 0x4123); /* valid, WWN, GPL, self-test, error log */
	put(85, 0x0041); /* SMART and look-ahead on, write cache off */
	put(86, 0x8408); /* 119 and 120 count, APM on */
	put(87, 0x4123);
	put(91, 0x0080);
	page_put(page, 200, 6, 1953525168);
	put(106, 0x6003); /* 8 logical sectors in a physical one */
	put(108, 0x5000);
	put(109, 0xc500);
	put(110, 0x0000);
	put(111, 0x0001);
	put(119, 0x4208);
	put(120, 0x4008);
	put(128, 0x0029); /* supported, frozen, enhanced erase */
	put(168, 0x0003);
	put(169, 0x0001);
	put(206, 0x003d);
	put(217, 0x1c20);
	put(222, 0x1080);
	return 0;
}

static int clean(void **state)
{
	(void)state;
	page_test_done(&t);
	return 0;
}

static void who_it_is(void **state)
{
	(void)state;
	run();
	page_test_text(&t, FACT_MODEL, 0, 0, "TESTDISK 1TB");
	page_test_text(&t, FACT_SERIAL, 0, 0, "TEST0000001");
	page_test_text(&t, FACT_FIRMWARE, 0, 0, "FW000001");
	page_test_text(&t, FACT_WWN, 0, 0, "5000c50000000001");
	page_test_u64(&t, FACT_CAPACITY, 0, 0, 1000204886016);
	page_test_u64(&t, FACT_LOGICAL_SECTOR, 0, 0, 512);
	page_test_u64(&t, FACT_PHYSICAL_SECTOR, 0, 0, 4096);
	page_test_u64(&t, FACT_ROTATION, 0, 0, 7200);
	page_test_text(&t, FACT_FORM_FACTOR, 0, 0, "2.5 inches");
	page_test_text(&t, FACT_TRIM, 0, 0, "Available, deterministic, zeroed");
	page_test_text(&t, FACT_ATA_VERSION, 0, 0, "ACS-3 T13/2161-D revision 5");
	page_test_text(&t, FACT_SATA_VERSION, 0, 0, "SATA 3.2");
	page_test_text(&t, FACT_BUS, 0, 0, "sata");
	page_test_u64(&t, FACT_LINK_DEVICE_MAX, 0, 0, 6000);
	page_test_u64(&t, FACT_LINK_CURRENT, 0, 0, 3000);
	page_test_u64(&t, FACT_SMART_AVAILABLE, 0, 0, 1);
	page_test_u64(&t, FACT_SMART_ENABLED, 0, 0, 1);
	page_test_u64(&t, FACT_READ_LOOKAHEAD, 0, 0, 1);
	page_test_u64(&t, FACT_WRITE_CACHE, 0, 0, 0);
	page_test_u64(&t, FACT_SCT_CAPABILITY, 0, 0, 0x3d);
	page_test_text(&t, FACT_AAM, 0, 0, "Unavailable");
	page_test_text(&t, FACT_APM, 0, 0,
		       "128 (minimum power consumption without standby)");
	page_test_text(&t, FACT_DSN, 0, 0, "Disabled");
	page_test_text(&t, FACT_SECURITY, 0, 0, "Disabled, frozen [SEC2]");
	page_test_u64(&t, FACT_SECURITY_LOCKED, 0, 0, 0);
	page_test_u64(&t, FACT_SECURITY_FROZEN, 0, 0, 1);
	assert_int_equal(t.n_notes, 0);
}

/* Where a value stood: word 217 is byte 434. */
static void origin_and_trust(void **state)
{
	const struct fact *f;

	(void)state;
	run();
	f = page_test_fact(&t, FACT_ROTATION, 0, 0);
	assert_non_null(f);
	assert_string_equal(f->origin.item, "ata/identify");
	assert_int_equal(f->origin.offset, 434);
	assert_int_equal(f->origin.width, 2);
	assert_int_equal(f->trust, TRUST_BYTES);
	page[20] ^= 1; /* signature, and a checksum that is wrong */
	page_test_run(&t, "ata/identify", page, sizeof(page));
	assert_int_equal(page_test_fact(&t, FACT_ROTATION, 0, 0)->trust, TRUST_UNCHECKED);
	assert_true(page_test_noted(&t, "checksum"));
	put(255, 0); /* no signature: no checksum, which is no fault */
	page_test_run(&t, "ata/identify", page, sizeof(page));
	assert_int_equal(page_test_fact(&t, FACT_ROTATION, 0, 0)->trust, TRUST_UNCHECKED);
	assert_int_equal(t.n_notes, 0);
}

/* Groups of words that do not say 01b in bits 15:14 are not there. */
static void words_that_do_not_count(void **state)
{
	(void)state;
	put(83, 0x8408);
	put(87, 0xc123);
	put(106, 0xe003);
	run();
	page_test_absent(&t, FACT_SMART_AVAILABLE, 0, 0);
	page_test_absent(&t, FACT_SMART_ENABLED, 0, 0);
	page_test_absent(&t, FACT_WRITE_CACHE, 0, 0);
	page_test_absent(&t, FACT_APM, 0, 0);
	page_test_absent(&t, FACT_WWN, 0, 0);
	page_test_u64(&t, FACT_PHYSICAL_SECTOR, 0, 0, 512);
	/* 48-bit addresses are not there either: what 28 bits can hold */
	page_test_u64(&t, FACT_CAPACITY, 0, 0, UINT64_C(0x0fffffff) * 512);
}

static void not_reported(void **state)
{
	static const unsigned words[] = {
		69, 76, 77, 80, 81, 128, 168, 169, 206, 217, 222
	};

	(void)state;
	for (unsigned value = 0; value <= 0xffff; value += 0xffff) {
		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			put(words[i], value);
		run();
		page_test_absent(&t, FACT_LINK_DEVICE_MAX, 0, 0);
		page_test_absent(&t, FACT_LINK_CURRENT, 0, 0);
		page_test_absent(&t, FACT_ROTATION, 0, 0);
		page_test_absent(&t, FACT_FORM_FACTOR, 0, 0);
		page_test_absent(&t, FACT_SATA_VERSION, 0, 0);
		page_test_absent(&t, FACT_BUS, 0, 0);
		page_test_absent(&t, FACT_SECURITY_LOCKED, 0, 0);
		page_test_absent(&t, FACT_ATA_VERSION, 0, 0);
		page_test_absent(&t, FACT_SCT_CAPABILITY, 0, 0);
		page_test_absent(&t, FACT_TRIM, 0, 0);
	}
}

/* Word 77 bits 3:1; word 76 bits 3:1, of which the highest is the maximum. */
static void link_speeds(void **state)
{
	static const struct {
		unsigned can, now;
		uint64_t max, current; /* 0: not told */
	} rows[] = {
		{ 0x0002, 0x0002, 1500, 1500 }, { 0x0006, 0x0004, 3000, 3000 },
		{ 0x000e, 0x0006, 6000, 6000 }, { 0x000e, 0x0000, 6000, 0 },
		{ 0x000e, 0x0008, 6000, 0 },	{ 0x001e, 0x0006, 0, 6000 },
		{ 0x000f, 0x0006, 0, 0 },	{ 0x0100, 0x0007, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		put(76, rows[i].can);
		put(77, rows[i].now);
		run();
		if (rows[i].max)
			page_test_u64(&t, FACT_LINK_DEVICE_MAX, 0, 0, rows[i].max);
		else
			page_test_absent(&t, FACT_LINK_DEVICE_MAX, 0, 0);
		if (rows[i].current)
			page_test_u64(&t, FACT_LINK_CURRENT, 0, 0, rows[i].current);
		else
			page_test_absent(&t, FACT_LINK_CURRENT, 0, 0);
	}
}

static void sizes(void **state)
{
	(void)state;
	/* 4096-byte logical sectors: words 117-118 count words */
	put(106, 0x5000);
	page_put(page, 234, 4, 2048);
	run();
	page_test_u64(&t, FACT_LOGICAL_SECTOR, 0, 0, 4096);
	page_test_u64(&t, FACT_PHYSICAL_SECTOR, 0, 0, 4096);
	page_test_u64(&t, FACT_CAPACITY, 0, 0, UINT64_C(1953525168) * 4096);
	/* no sector has 0 words: then nothing is told of sizes */
	page_put(page, 234, 4, 0);
	run();
	page_test_absent(&t, FACT_LOGICAL_SECTOR, 0, 0);
	page_test_absent(&t, FACT_CAPACITY, 0, 0);
	assert_true(page_test_noted(&t, "117"));
	/* words 230-233, when word 69 bit 3 says so */
	put(106, 0x6003);
	put(69, 0x0008);
	page_put(page, 460, 8, UINT64_C(0x200000000));
	run();
	page_test_u64(&t, FACT_CAPACITY, 0, 0, UINT64_C(0x40000000000));
	page_put(page, 460, 8, UINT64_MAX);
	run();
	page_test_u64(&t, FACT_CAPACITY, 0, 0, 1000204886016);
}

static void rotation(void **state)
{
	(void)state;
	put(217, 1);
	put(169, 0);
	run();
	page_test_u64(&t, FACT_ROTATION, 0, 0, 0);
	page_test_text(&t, FACT_TRIM, 0, 0, "Unavailable");
	put(217, 0x0400); /* reserved */
	run();
	page_test_absent(&t, FACT_ROTATION, 0, 0);
	assert_true(page_test_noted(&t, "0400"));
	put(217, 0xfffe);
	run();
	page_test_u64(&t, FACT_ROTATION, 0, 0, 65534);
}

static void security(void **state)
{
	static const struct {
		unsigned word;
		const char *text;
		bool enabled, locked, frozen;
	} rows[] = {
		{ 0x0001, "Disabled, NOT FROZEN [SEC1]", false, false, false },
		{ 0x0107, "ENABLED, PW level MAX, **LOCKED** [SEC4]", true, true, false },
		{ 0x0017,
		  "ENABLED, PW level HIGH, **LOCKED** [SEC4], PW ATTEMPTS EXCEEDED", true,
		  true, false },
		{ 0x0003, "ENABLED, PW level HIGH, not locked, not frozen [SEC5]", true,
		  false, false },
		{ 0x000b, "ENABLED, PW level HIGH, not locked, frozen [SEC6]", true,
		  false, true },
		{ 0x0005, "Disabled, NOT FROZEN [SEC1]", false, false, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		put(128, rows[i].word);
		run();
		page_test_text(&t, FACT_SECURITY, 0, 0, rows[i].text);
		page_test_u64(&t, FACT_SECURITY_ENABLED, 0, 0, rows[i].enabled);
		page_test_u64(&t, FACT_SECURITY_LOCKED, 0, 0, rows[i].locked);
		page_test_u64(&t, FACT_SECURITY_FROZEN, 0, 0, rows[i].frozen);
	}
}

/* What a drive calls itself is passed on; nothing of it can leave its 40 bytes. */
static void hostile_strings(void **state)
{
	(void)state;
	page_put_string(page, 54, 40, "\x1b[2J\xff\x01 model\n");
	memset(page + 20, 'Z', 20);
	memset(page + 46, 0, 8);
	run();
	page_test_text(&t, FACT_MODEL, 0, 0, "\x1b[2J\xff\x01 model\n");
	page_test_text(&t, FACT_SERIAL, 0, 0, "ZZZZZZZZZZZZZZZZZZZZ");
	page_test_absent(&t, FACT_FIRMWARE, 0, 0);
	page_put_string(page, 46, 8, "A");
	page[46] = 0; /* a NUL behind the A, then spaces */
	page[49] = 'B';
	run();
	page_test_text(&t, FACT_FIRMWARE, 0, 0, "A B");
}

static void versions(void **state)
{
	static const struct {
		unsigned major, minor;
		const char *text; /* NULL: nothing is said */
	} rows[] = {
		{ 0x01f0, 0x0029, "ATA8-ACS T13/1699-D revision 4" },
		{ 0x03f0, 0x0029, "ACS-2, ATA8-ACS T13/1699-D revision 4" },
		{ 0x0ff0, 0xffff, "ACS-4 (minor revision not indicated)" },
		{ 0x0ff0, 0x1234, "ACS-4 (unknown minor revision code: 0x1234)" },
		{ 0x2000, 0x0000, "Unknown(0x2000) (minor revision not indicated)" },
		{ 0x0000, 0x006d, "Unknown(0x0000), ACS-3 T13/2161-D revision 5" },
		{ 0xffff, 0x0000, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		put(80, rows[i].major);
		put(81, rows[i].minor);
		run();
		if (rows[i].text)
			page_test_text(&t, FACT_ATA_VERSION, 0, 0, rows[i].text);
		else
			page_test_absent(&t, FACT_ATA_VERSION, 0, 0);
	}
}

static void no_page(void **state)
{
	uint8_t filled[512];

	(void)state;
	memset(filled, 0xff, sizeof(filled));
	page_test_run(&t, "ata/identify", filled, sizeof(filled));
	assert_int_equal(t.n, 0);
	assert_true(page_test_noted(&t, "FFh"));
	memset(filled, 0, sizeof(filled));
	page_test_run(&t, "ata/identify", filled, sizeof(filled));
	assert_int_equal(t.n, 0);
	seal();
	page_test_run(&t, "ata/identify", page, 511);
	assert_int_equal(t.n, 0);
	assert_true(page_test_noted(&t, "too short"));
}

static void profile(void **state)
{
	struct page_profile p = { 0 };
	uint8_t directory[512] = { 1 };

	(void)state;
	seal();
	page_profile_identify(&p, span_of(page, sizeof(page)));
	assert_true(p.smart && p.smart_enabled && p.gpl && p.log_dma && p.sata && p.phy);
	assert_true(p.sct && p.sct_erc && p.sct_tables && p.error_logging && p.selftest);
	assert_true(p.extended48 && !p.locked);
	put(85, 0);	 /* SMART off */
	put(76, 0x010e); /* no phy event counters */
	put(120, 0x4000);
	put(128, 0x0007);
	put(206, 0x003c); /* bit 0 clear: no SCT whatever the others say */
	page_profile_identify(&p, span_of(page, sizeof(page)));
	assert_true(p.smart && !p.smart_enabled && !p.phy && !p.log_dma && p.locked);
	assert_true(!p.sct && !p.sct_erc && !p.sct_tables);
	page_put(directory, 2 * 0x11, 2, 1);
	page_put(directory, 2 * 0x04, 2, 256);
	page_profile_directory(&p, span_of(directory, sizeof(directory)), true);
	assert_true(p.gpl_directory && !p.smart_directory);
	assert_int_equal(p.gpl_pages[0x11], 1);
	assert_int_equal(p.gpl_pages[0x04], 256);
	/* of a SMART directory only the low bytes are page counts */
	page_profile_directory(&p, span_of(directory, sizeof(directory)), false);
	assert_int_equal(p.smart_pages[0x04], 0);
	directory[0] = 2; /* no version that is known */
	p = (struct page_profile){ 0 };
	page_profile_directory(&p, span_of(directory, sizeof(directory)), true);
	assert_false(p.gpl_directory);
	assert_int_equal(p.gpl_pages[0x11], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(who_it_is, make, clean),
		cmocka_unit_test_setup_teardown(origin_and_trust, make, clean),
		cmocka_unit_test_setup_teardown(words_that_do_not_count, make, clean),
		cmocka_unit_test_setup_teardown(not_reported, make, clean),
		cmocka_unit_test_setup_teardown(link_speeds, make, clean),
		cmocka_unit_test_setup_teardown(sizes, make, clean),
		cmocka_unit_test_setup_teardown(rotation, make, clean),
		cmocka_unit_test_setup_teardown(security, make, clean),
		cmocka_unit_test_setup_teardown(hostile_strings, make, clean),
		cmocka_unit_test_setup_teardown(versions, make, clean),
		cmocka_unit_test_setup_teardown(no_page, make, clean),
		cmocka_unit_test_setup_teardown(profile, make, clean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
