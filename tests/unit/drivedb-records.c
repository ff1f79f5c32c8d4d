/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The built-in records say of well-known drives what their sources say, after all overlays; the texts
 * in the program are those in db/; and the short way to a record finds what the long one finds.
 */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/sha256.h"
#include "base/str.h"
#include "drivedb/builtin.h"
#include "drivedb/drivedb.h"
#include "drivedb/hwdb-parse.h"
#include "drivedb/match.h"
#include "files.h"

/* VALUE NULL: the key must be absent. */
static const struct {
	const char *model, *firmware, *class, *key, *value;
} expected[] = {
	/* identical counters on 14 drives of this family */
	{ "SAMSUNG SSD 830 Series", "CXM03B1Q", NULL, "PHY_CONSTANT",
	  "002 003 004 005 006 007 008 009 00b 00d 00f 010 012 013" },
	{ "SAMSUNG SSD PM830 2.5\" 7mm 256GB", "CXM02D1Q", NULL, "PHY_CONSTANT",
	  "002 003 004 005 006 007 008 009 00b 00d 00f 010 012 013" },
	{ "SAMSUNG SSD 830 Series", "CXM03B1Q", NULL, "EXPECT_RAND4K_QD1_IOPS", "7000" },
	{ "SAMSUNG SSD 830 Series", "CXM03B1Q", NULL, "PHY_SWAP_006_007", NULL },
	{ "SAMSUNG SSD 830 Series", "CXM03B1Q", NULL, "ATTR_199_MEANS",
	  "interface_crc_errors" },
	/* 006 and 007 swapped on Samsung SSDs, not on Kingston */
	{ "Samsung SSD 860 EVO 1TB", "RVT04B6Q", NULL, "PHY_SWAP_006_007", "1" },
	{ "SAMSUNG MZ7LH960HAJR-00005", "HXT7404Q", NULL, "PHY_SWAP_006_007", "1" },
	{ "KINGSTON SEDC500M960G", "SCEKJ2.7", NULL, "PHY_SWAP_006_007", NULL },
	{ "Samsung SSD 860 EVO 1TB", "RVT04B6Q", NULL, "NO_NCQ_TRIM", "1" },
	/* attribute 199 does not count */
	{ "KINGSTON SA400S37240G", "SBFKB1D1", NULL, "CRC_ATTRIBUTE_DEAD", "1" },
	{ "KINGSTON SA400S37240G", "SBFKB1D1", NULL, "ATTR_199_MEANS", "ignore" },
	{ "KINGSTON SA400S37240G", "SBFKB1D1", NULL, "ATTR_218_MEANS",
	  "interface_crc_errors" },
	{ "CT480BX500SSD1", "M6CR030", NULL, "CRC_ATTRIBUTE_DEAD", "1" },
	{ "Apacer AS340 240GB", "AP612PE0", NULL, "CRC_ATTRIBUTE_DEAD", "1" },
	{ "HGST HUS722T1TALA604", "RAGNWA07", NULL, "CRC_ATTRIBUTE_DEAD", "1" },
	{ "HGST HUS726060ALE614", "APGNW7J0", NULL, "CRC_ATTRIBUTE_DEAD", "1" },
	{ "WDC WD2004FBYZ-01YCBB1", "RR04", NULL, "CRC_ATTRIBUTE_DEAD", "1" },
	{ "WDC WD40EFRX-68N32N0", "82.00A82", NULL, "CRC_ATTRIBUTE_DEAD", NULL },
	/* placeholders of device statistics */
	{ "INTEL SSDSC2CW120A3", "400i", NULL, "STAT_PLACEHOLDER_07_008", "any" },
	{ "INTEL SSDSC2BW120A4", "DC32", NULL, "STAT_PLACEHOLDER_07_008", "255" },
	{ "HUA722010CLA330", "JP4OA3EA", NULL, "STAT_PLACEHOLDER_03_030", "4294967295" },
	{ "Hitachi HDS722020ALA330", "JKAOA3EA", NULL, "STAT_PLACEHOLDER_03_030",
	  "4294967295" },
	{ "ST8000NM0055-1RM112", "SN04", NULL, "STAT_PLACEHOLDER_05_020", "-128" },
	{ "ST10000NM0016-1TT101", "SNE0", NULL, "STAT_PLACEHOLDER_03_010", "any" },
	{ "TOSHIBA MG03ACA300", "FL1A", NULL, "STAT_PLACEHOLDER_07_008", "any" },
	/* the false alarm of attribute 197 */
	{ "CT500MX500SSD1", "M3CR023", NULL, "PENDING_FLICKERS", "1" },
	{ "WDC WD10EZEX-08WN4A0", "02.01A02", NULL, "PENDING_FLICKERS", NULL },
	/* life: raw or value, left or used, by family and firmware */
	{ "CT500MX500SSD1", "M3CR023", NULL, "ATTR_202_MEANS", "life_used_percent" },
	{ "CT500MX500SSD1", "M3CR023", NULL, "ATTR_202_FROM", NULL },
	{ "CT480BX500SSD1", "M6CR013", NULL, "ATTR_202_MEANS", "life_left_percent" },
	{ "CT480BX500SSD1", "M6CR041", NULL, "ATTR_202_MEANS", "life_used_percent" },
	{ "Micron_5300_MTFDDAK960TDS", "D3MU001", NULL, "ATTR_202_FROM", "100-value" },
	{ "MTFDDAK960TDS", "D3DJ004", NULL, "ATTR_202_MEANS", "ignore" },
	{ "MTFDDAK960TDS", "D3DJ004", NULL, "ATTR_245_MEANS", "life_left_percent" },
	{ "INTEL SSDSC2KB960G8", "XCV10132", NULL, "ATTR_233_MEANS",
	  "life_left_percent" },
	{ "INTEL SSDSC2KB960G8", "XCV10132", NULL, "ATTR_233_FROM", "value" },
	{ "SSDSC2KB960G8R", "XCV1DL67", NULL, "ATTR_233_MEANS", "host_written_bytes" },
	{ "SSDSC2KB960G8R", "XCV1DL67", NULL, "ATTR_233_FROM", "raw" },
	{ "SSDSC2KB960G8R", "XCV1DL67", NULL, "ATTR_245_FROM", "value" },
	{ "SuperMicro SSD", "SOB20R", NULL, "ATTR_232_MEANS", "life_left_percent" },
	{ "TOSHIBA THNSNJ256GCSU", "JURA0101", NULL, "ATTR_174_FROM", "200-value" },
	{ "WDC WDS100T2B0A-00SM50", "401000WD", NULL, "ATTR_230_BITS", "24-31" },
	/* units of data written */
	{ "Samsung SSD 860 EVO 1TB", "RVT04B6Q", NULL, "ATTR_241_UNIT_BYTES", "512" },
	{ "SAMSUNG MZ7LN256HCHP-00000", "EMT01B6Q", NULL, "ATTR_241_UNIT_BYTES", NULL },
	{ "INTEL SSDSC2BB480G4", "D2012370", NULL, "ATTR_241_UNIT_BYTES", "33554432" },
	{ "KINGSTON SA400S37240G", "SBFKB1D1", NULL, "ATTR_241_UNIT_BYTES",
	  "1073741824" },
	{ "SHGS31-1000GS-2", "90000Q00", NULL, "ATTR_241_UNIT_BYTES", "1000000000" },
	{ "ST16000NM001G-2KK103", "SN03", NULL, "ATTR_241_UNIT_BYTES", "sector" },
	/* an exact class, a wide one that gives way, one from the caller only */
	{ "WDC WD10EZEX-08WN4A0", "01.01A01", "hdd-5400", "CLASS", "hdd-7200" },
	{ "ST4000VN008-2DR166", "SC60", "hdd-5400", "FLOOR_RAND4K_QD1_IOPS", "38" },
	{ "ST4000VN008-2DR166", "SC60", "hdd-7200", "FLOOR_RAND4K_QD1_IOPS", "50" },
	{ "NOBODY KNOWS THIS", "1.0", "ssd", "FLOOR_RAND4K_QD1_IOPS", "1500" },
	{ NULL, NULL, NULL, "ATTR_5_MEANS", "reallocated_sectors" },
	{ NULL, NULL, NULL, "FAMILY", NULL },
	/* packed numbers */
	{ "ST4000DM000-1F2168", "CC54", NULL, "ATTR_188_BITS", "0-15" },
	{ "ST4000DM000-1F2168", "CC54", NULL, "ATTR_1_MEANS", "ignore" },
	{ "ST1000LM024 HN-M101MBB", "2BA30001", NULL, "ATTR_1_MEANS", NULL },
	{ "ST1000LM024 HN-M101MBB", "2BA30001", NULL, "NOLPM", "1" },
	{ "HGST HUH721212ALE604", "LEGNW925", NULL, "ATTR_10_BITS", "16-31" },
	{ "HGST HUS722T1TALA604", "RAGNWA07", NULL, "ATTR_10_BITS", NULL },
	{ "TOSHIBA DT01ACA300", "MX6OABB0", NULL, "ATTR_10_BITS", "16-31" },
	{ "TOSHIBA MG04ACA400E", "FP1A", NULL, "ATTR_10_BITS", NULL },
	{ "INTEL SSDSC2CW120A3", "400i", NULL, "ATTR_9_STARTS", "894794" },
	{ "INTEL SSDSC2BB480G4", "D2012370", NULL, "ATTR_9_MEANS", "power_on_hours" },
	/* two blanks in a name, and no maker in it */
	{ "WDC  WUH721414ALE604", "LDGNW240", NULL, "FAMILY",
	  "WD Ultrastar DC HC530 14 TB" },
	{ "WUH721414ALE604", "LDGNW240", NULL, "FAMILY", "WD Ultrastar DC HC530 14 TB" },
	{ "WD40EFRX-68N32N0", "82.00A82", NULL, "FAMILY", "WD Red" },
	{ "WDC WD40EFAX-68JH4N0", "82.00A82", NULL, "SMR", "1" },
	{ "WDC WD80EFAX-68LHPN0", "83.H0A83", NULL, "SMR", NULL },
	{ "SATADOM-ML 3ME V2", "S15B11", NULL, "NO_LOG_DIRECTORY", "1" },
	{ "INTEL SSDSA2CW160G3", "4PC10362", NULL, "NO_LOG_DIRECTORY", "1" },
	{ "INTEL SSDSA2M160G2GC", "2CV102HD", NULL, "NO_LOG", "06 07" },
	{ "INTEL SSDSA2M160G2GC", "2CV102J8", NULL, "NO_LOG", NULL },
	{ "INTEL SSDSA2M160G2GC", "2CV102M3", NULL, "NO_LOG", NULL },
};

static void records_say_what_their_sources_say(void **state)
{
	struct diag d = { 0 };
	struct drivedb *db = drivedb_new(&d);

	(void)state;
	assert_non_null(db);
	for (size_t i = 0; i < array_size(expected); i++) {
		struct drive_id id = { NULL, expected[i].model, expected[i].firmware };
		const struct db_property *p;
		struct db_match m;

		assert_int_equal(drivedb_match_class(db, &id, expected[i].class, &m), 0);
		p = db_match_get(&m, expected[i].key);
		if (!str_equal(p ? p->value : NULL, expected[i].value))
			fail_msg("%s (%s): %s is %s, not %s", expected[i].model,
				 expected[i].firmware, expected[i].key,
				 p ? p->value : "absent",
				 expected[i].value ? expected[i].value : "absent");
		db_match_done(&m);
	}
	drivedb_free(db);
	diag_done(&d);
}

static void firmware_faults_name_the_firmware(void **state)
{
	static const struct {
		const char *model, *firmware, *word; /* NULL: no fault */
	} rows[] = {
		{ "M4-CT256M4SSD2", "0009", "5184" },
		{ "M4-CT256M4SSD2", "070H", NULL },
		{ "ST3500320AS", "SD15", "SD1A" },
		{ "ST3500320AS", "SD1A", NULL },
		{ "ST31500341AS", "SD17", "SD1B" },
		{ "MAXTOR STM3500320AS", "MX15", "MX1A" },
		{ "Samsung SSD 870 EVO 2TB", "SVT01B6Q", "SVT02B6Q" },
		{ "Samsung SSD 870 EVO 2TB", "SVT02B6Q", NULL },
		{ "Samsung SSD 840 EVO 250GB", "EXT0BB6Q", "EXT0DB6Q" },
		{ "Samsung SSD 840 EVO 250GB", "EXT0DB6Q", NULL },
		{ "ST3000DM001-9YN166", "CC4C", "CC4H" },
		{ "ST3000DM001-1CH166", "CC24", NULL },
	};
	struct diag d = { 0 };
	struct drivedb *db = drivedb_new(&d);

	(void)state;
	assert_non_null(db);
	for (size_t i = 0; i < array_size(rows); i++) {
		struct drive_id id = { NULL, rows[i].model, rows[i].firmware };
		const struct db_property *p;
		struct db_match m;

		assert_int_equal(drivedb_match(db, &id, &m), 0);
		p = db_match_get(&m, "FIRMWARE_BUG");
		if (!p != !rows[i].word || (p && !strstr(p->value, rows[i].word)))
			fail_msg("%s %s: %s", rows[i].model, rows[i].firmware,
				 p ? p->value : "no fault");
		db_match_done(&m);
	}
	drivedb_free(db);
	diag_done(&d);
}

static void the_program_holds_the_files(void **state)
{
	struct buf built = { 0 }, file = { 0 };

	(void)state;
	assert_true(drivedb_builtin_n > 20);
	for (size_t i = 0; i < drivedb_builtin_n; i++) {
		const struct builtin_part *p = &drivedb_builtin[i];
		char path[FILES_PATH];

		/* C11 5.2.4.1: the longest string literal every compiler takes */
		assert_true(p->len < 4095);
		buf_add(&built, p->text, p->len);
		if (i + 1 < drivedb_builtin_n && str_equal(p->file, p[1].file))
			continue;
		assert_true(files_read(files_source(p->file, path), &file));
		assert_string_equal(buf_text(&built), buf_text(&file));
		buf_clear(&built);
		buf_clear(&file);
	}
	buf_done(&built);
	buf_done(&file);
}

/* What a flood of records, a line without an end and a record without an end cost: a message. */
static void floods_end_in_a_message(void **state)
{
	static const char *const units[] = {
		"x", " A=b\n", "ata:mnX*:fw*:\n",
		"[", "*",      "# Source: x\nata:mnX:fw*:\n A=b\n"
	};

	(void)state;
	for (size_t i = 0; i < array_size(units); i++) {
		struct buf text = { 0 };
		struct diag d = { 0 };
		struct drivedb *db;
		struct db_match m;

		buf_puts(&text, "ata:mnX:fw*:\n FAMILY=x\n\n");
		while (text.len < 1u << 20)
			buf_puts(&text, units[i]);
		buf_puts(&text, "\n\nata:mnGOOD:fw*:\n FAMILY=good\n");
		db = drivedb_new_empty();
		assert_non_null(db);
		assert_int_equal(drivedb_add(db, buf_span(&text), "t.hwdb", &d), 0);
		assert_int_equal(drivedb_count(db), 2);
		assert_int_equal(d.n, 1);
		assert_int_equal(
			drivedb_match(db, &(struct drive_id){ "ata", "GOOD", "" }, &m),
			0);
		assert_int_equal(m.n, 1);
		db_match_done(&m);
		drivedb_free(db);
		diag_done(&d);
		buf_done(&text);
	}
}

/* The record for GOOD or BAD: 1 when there is one, with its lines where they belong. */
static size_t records_for(const struct drivedb *db, const char *model, uint32_t line)
{
	struct db_match m;
	size_t n;

	assert_int_equal(drivedb_match(db, &(struct drive_id){ "ata", model, "" }, &m),
			 0);
	n = m.n_records;
	for (size_t i = 0; i < m.n; i++)
		assert_int_equal(m.items[i].line, line);
	db_match_done(&m);
	return n;
}

/*
 * Text is looked through in runs of many bytes: a control character must be found at each place of
 * a run, name its own line, and cost its own record only.
 */
static void a_control_character_costs_its_record(void **state)
{
	static const char bytes[] = { 0x01, 0x0b, 0x1f, 0x7f };

	(void)state;
	for (size_t at = 0; at < 140; at++) {
		struct buf text = { 0 };
		struct diag d = { 0 };
		struct drivedb *db = drivedb_new_empty();

		assert_non_null(db);
		buf_puts(&text, "# Source: s\nata:mnGOOD:fw*:\n FAMILY=good\n\n"
				"ata:mnBAD:fw*:\n FAMILY=");
		for (size_t i = 0; i < 140; i++)
			buf_putc(&text, i == at ? bytes[at % 4] : 'x');
		buf_puts(&text, "\n\nata:mnGREAT:fw*:\n FAMILY=\xc3\xa9\n");
		assert_int_equal(drivedb_add(db, buf_span(&text), "t.hwdb", &d), 0);
		assert_int_equal(records_for(db, "GOOD", 3), 1);
		assert_int_equal(records_for(db, "BAD", 6), 0);
		assert_int_equal(records_for(db, "GREAT", 9), 1);
		assert_int_equal(d.n, 1);
		assert_int_equal(d.items[0].line, 6);
		drivedb_free(db);
		diag_done(&d);
		buf_done(&text);
	}
}

/* A match line so far behind its comments that its place is not remembered, but looked for. */
static void long_comments_hide_nothing(void **state)
{
	struct buf text = { 0 };
	struct diag d = { 0 };
	struct drivedb *db = drivedb_new_empty();

	(void)state;
	assert_non_null(db);
	for (size_t i = 0; i < 5000; i++)
		buf_puts(&text, "# ata:mnBAD:fw*:\n");
	buf_puts(&text, "ata:mnGOOD:fw*:\n# more\nata:mnGREAT:fw*:\n FAMILY=good\n");
	assert_int_equal(drivedb_add(db, buf_span(&text), "t.hwdb", &d), 0);
	assert_int_equal(records_for(db, "GOOD", 5004), 1);
	assert_int_equal(records_for(db, "GREAT", 5004), 1);
	assert_int_equal(records_for(db, "BAD", 5004), 0);
	assert_int_equal(d.n, 0);
	drivedb_free(db);
	diag_done(&d);
	buf_done(&text);
}

/* The digest was taken by sha256sum over the files; here it is taken over what was built in. */
static void the_digest_is_that_of_the_records(void **state)
{
	struct diag d = { 0 };
	struct drivedb *db = drivedb_new(&d);
	struct sha256 h;
	uint8_t digest[SHA256_BYTES];
	struct buf want = { 0 };

	(void)state;
	assert_non_null(db);
	sha256_init(&h);
	for (size_t i = 0; i < drivedb_builtin_n; i++)
		sha256_add(&h, span_of(drivedb_builtin[i].text, drivedb_builtin[i].len));
	sha256_finish(&h, digest);
	buf_puts(&want, " sha256:");
	for (size_t i = 0; i < 8; i++)
		buf_printf(&want, "%02x", digest[i]);
	assert_true(str_ends(drivedb_version(db), buf_text(&want)));
	buf_done(&want);
	drivedb_free(db);
	diag_done(&d);
}

/* Four bytes tell most records from a drive's: they must never tell one away that its globs would take. */
static void keys_lose_no_match(void **state)
{
	static const char text[] = "ata:mn*:fw*:\n A=1\n\n"
				   "ata:mnAB*:fw*:\n A=1\n\n"
				   "ata:mnABC:fw*:\n A=1\n\n"
				   "ata:mnABCD*\n A=1\n\n"
				   "ata:mnABCD:fw*:\nata:mnXBCD*\n A=1\n\n"
				   "ata:mnABCD:fw*:\nata:mnA*\n A=1\n\n"
				   "ata:mnX*\nata:mnABCD:fw1:\n A=1\n\n"
				   "ata:mnAB?D*\n A=1\n\n"
				   "ata:mn[A-C]BCD*\n A=1\n\n"
				   "ata:mnABC[*]*\n A=1\n\n"
				   "ata:mnABCD\n A=1\n\n"
				   "ata:mn\xc3\x89TAT*\n A=1\n\n"
				   "usb:mnABCD*\n A=1\n\n"
				   "at*ABCD*\n A=1\n\n"
				   "class:mnhdd*:fw:\n A=1\n\n"
				   "*\n A=1\n";
	static const char *const drives[] = {
		"ata:mnABCD:fw1:", "ata:mnABCDE:fw:",	   "ata:mnABC:fw1:",
		"ata:mnA:fw:",	   "ata:mn:fw:",	   "ata:mnABC*:fw:",
		"ata:mn*BCD:fw1:", "ata:mnXBCD:fw:",	   "ata:mn\xc3\x89TAT:fw:",
		"usb:mnABCD:fw1:", "class:mnhdd-7200:fw:", "ata:mnABCD",
	};
	struct hwdb h = { 0 };
	struct diag d = { 0 };
	size_t taken = 0;

	(void)state;
	assert_int_equal(hwdb_add(&h, span_of(text, strlen(text)), "test", 0, &d), 0);
	assert_int_equal(h.n, 16);
	for (size_t i = 0; i < h.n; i++) {
		const struct hwdb_record *r = hwdb_record(&h, i);

		assert_non_null(r);
		for (size_t k = 0; k < array_size(drives); k++) {
			uint32_t key = hwdb_key(drives[k], strlen(drives[k]));
			bool want = false;

			for (size_t g = 0; g < r->n_patterns; g++)
				want |= glob_match(r->patterns[g].glob, drives[k]);
			taken += want;
			if (hwdb_matches(&h, i, drives[k], key) != want)
				fail_msg("record %zu, %s: not %d", i, drives[k], want);
		}
	}
	assert_true(taken > 40);
	assert_int_not_equal(hwdb_key("ata:mnABCD", 10), 0);
	assert_int_equal(hwdb_key("ata:mnABC", 9), 0);
	diag_done(&d);
	hwdb_done(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_control_character_costs_its_record),
		cmocka_unit_test(floods_end_in_a_message),
		cmocka_unit_test(long_comments_hide_nothing),
		cmocka_unit_test(the_digest_is_that_of_the_records),
		cmocka_unit_test(records_say_what_their_sources_say),
		cmocka_unit_test(firmware_faults_name_the_firmware),
		cmocka_unit_test(the_program_holds_the_files),
		cmocka_unit_test(keys_lose_no_match),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
