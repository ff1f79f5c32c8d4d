/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/str.h"
#include "drivedb/drivedb.h"
#include "drivedb/keys.h"
#include "drivedb/match.h"

/* ---- matcher ------------------------------------------------------------------------------ */

static void globs(void **state)
{
	static const struct {
		const char *glob, *text;
		bool match;
	} rows[] = {
		{ "", "", true },
		{ "", "a", false },
		{ "a", "", false },
		{ "abc", "abc", true },
		{ "abc", "abcd", false },
		{ "abc", "ABC", false },
		{ "*", "", true },
		{ "*", "anything", true },
		{ "a*c", "ac", true },
		{ "a*c", "abbbc", true },
		{ "a*c", "abbbcd", false },
		{ "a*b*c", "a-b-b-c", true },
		{ "*ab", "aab", true },
		{ "*aab*", "aaaab", true },
		{ "**a", "a", true },
		{ "a**", "a", true },
		{ "?", "", false },
		{ "?", "a", true },
		{ "a?c", "abc", true },
		{ "a?c", "ac", false },
		{ "[abc]", "b", true },
		{ "[abc]", "d", false },
		{ "[a-c]x", "cx", true },
		{ "[a-c]x", "dx", false },
		{ "[!a-c]x", "dx", true },
		{ "[^a-c]x", "ax", false },
		{ "[]]", "]", true },
		{ "[!]]", "]", false },
		{ "[!]]", "a", true },
		{ "[a-]", "-", true },
		{ "[-a]", "-", true },
		{ "[*]", "*", true },
		{ "[*]", "x", false },
		{ "[a-cx-z]", "y", true },
		{ "[a-cx-z]", "d", false },
		{ "*[0-9]", "MG04ACA400E7", true },
		{ "ST[1-4]000*", "ST4000DM000-1F2168", true },
		{ "ST[1-4]000*", "ST6000DM003-2CY186", false },
		{ "\xe9*", "\xe9t\xe9", true },
		{ "[\xe0-\xef]", "\xe9", true },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++)
		if (glob_match(rows[i].glob, rows[i].text) != rows[i].match)
			fail_msg("'%s' on '%s'", rows[i].glob, rows[i].text);
}

static void globs_that_are_none(void **state)
{
	static const struct {
		const char *glob;
		bool valid;
	} rows[] = {
		{ "a", true },	   { "[a]", true },   { "[", false },
		{ "a[", false },   { "[]", false },   { "[!]", false },
		{ "[]a]", true },  { "[!]a]", true }, { "[z-a]", false },
		{ "[a-a]", true }, { "[a-]", true },  { "a]", true },
		{ "[a", false },   { "[a][", false }, { "[a][b]", true },
		{ "", true },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++)
		if (glob_is_valid(rows[i].glob) != rows[i].valid)
			fail_msg("'%s'", rows[i].glob);
}

static void a_hard_glob_ends_soon(void **state)
{
	/* a recursive matcher needs 2^30 steps or more for these */
	char text[257], glob[129];

	(void)state;
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	for (size_t i = 0; i + 1 < sizeof(glob); i++)
		glob[i] = i % 2 ? '*' : 'a';
	glob[sizeof(glob) - 2] = 'b';
	glob[sizeof(glob) - 1] = '\0';
	assert_false(glob_match(glob, text));
	glob[sizeof(glob) - 2] = 'a';
	assert_true(glob_match(glob, text));
}

static void match_strings(void **state)
{
	static const struct {
		struct drive_id id;
		const char *text;
	} rows[] = {
		{ { "ata", "SAMSUNG SSD 830 Series", "CXM03B1Q" },
		  "ata:mnSAMSUNG SSD 830 Series:fwCXM03B1Q:" },
		{ { NULL, "WDC  WUH721414ALE604", NULL },
		  "ata:mnWDC WUH721414ALE604:fw:" },
		{ { "sata", "  A  B ", " 1.0 " }, "ata:mnA B:fw1.0:" },
		{ { "nvme", "a:b", "\t\x01" }, "nvme:mna-b:fw-:" },
		{ { "sas", "MZILT", "G" }, "scsi:mnMZILT:fwG:" },
		{ { "usb", "152d-0578", "0104" }, "usb:mn152d-0578:fw0104:" },
		{ { "ata", NULL, NULL }, "ata:mn:fw:" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct buf out = { 0 };

		match_add_string(&out, &rows[i].id);
		assert_string_equal(buf_text(&out), rows[i].text);
		buf_done(&out);
	}
}

/* ---- records ------------------------------------------------------------------------------ */

static struct drivedb *read_db(const char *text, struct diag *d)
{
	struct drivedb *db = drivedb_new_empty();

	assert_non_null(db);
	assert_int_equal(drivedb_add(db, span_of_text(text), "t.hwdb", d), 0);
	return db;
}

static const char *value_of(const struct db_match *m, const char *key)
{
	const struct db_property *p = db_match_get(m, key);

	return p ? p->value : NULL;
}

static void a_record_is_read(void **state)
{
	struct diag d = { 0 };
	struct db_match m;
	const struct db_property *p;
	struct drivedb *db = read_db("# about\n"
				     "# Source: a book, page 3\n"
				     "# Source: not this one\n"
				     "ata:mnFIRST*:fw*:\n"
				     "ata:mnSECOND*:fw1:\r\n"
				     " FAMILY=a # no comment = here\n"
				     "# a comment inside\n"
				     " SMR=1   \n"
				     "   \n"
				     "ata:mnTHIRD:fw*:\n"
				     " FAMILY=no source",
				     &d);

	(void)state;
	assert_int_equal(d.n, 0);
	assert_int_equal(drivedb_count(db), 2);
	assert_int_equal(
		drivedb_match(db, &(struct drive_id){ "ata", "SECOND X", "1" }, &m), 0);
	assert_int_equal(m.n, 2);
	assert_int_equal(m.n_records, 1);
	p = db_match_get(&m, "FAMILY");
	assert_non_null(p);
	assert_string_equal(p->value, "a # no comment = here");
	assert_string_equal(p->file, "t.hwdb");
	assert_int_equal(p->line, 6);
	assert_string_equal(p->source, "a book, page 3");
	assert_string_equal(value_of(&m, "SMR"), "1");
	assert_null(db_match_get(&m, "NOLPM"));
	db_match_done(&m);
	assert_int_equal(drivedb_match(db, &(struct drive_id){ "ata", "THIRD", "x" }, &m),
			 0);
	p = db_match_get(&m, "FAMILY");
	assert_string_equal(p->value, "no source");
	assert_null(p->source);
	db_match_done(&m);
	drivedb_free(db);
	diag_done(&d);
}

static void bad_records_are_left_out_and_named(void **state)
{
	static const struct {
		const char *text;
		uint64_t line;
	} rows[] = {
		{ " FAMILY=x\n", 1 },
		{ "ata:mnX:fw*:\n", 1 }, /* noticed at the end of the text */
		{ "ata:mnX:fw*:\n\n", 2 },
		{ "ata:mnX:fw*:\n FAMILY\n", 2 },
		{ "ata:mnX:fw*:\n =x\n", 2 },
		{ "ata:mnX:fw*:\n  FAMILY=x\n", 2 },
		{ "ata:mnX:fw*:\n fam-ily=x\n", 2 },
		{ "ata:mnX:fw*:\n\tFAMILY=x\n", 2 },
		{ "ata:mnX:fw*:\n FAMILY=\x1b[31m\n", 2 },
		{ "ata:mnX:fw*:\n FAMILY=x\nata:mnY:fw*:\n", 3 },
		{ "ata:mn[X:fw*:\n FAMILY=x\n", 1 },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct diag d = { 0 };
		struct buf text = { 0 };
		struct drivedb *db;

		buf_printf(&text, "%s\n\nata:mnGOOD:fw*:\n FAMILY=good\n", rows[i].text);
		db = read_db(buf_text(&text), &d);
		if (d.n != 1 || drivedb_count(db) != 1)
			fail_msg("row %zu: %zu messages, %zu records", i, d.n,
				 drivedb_count(db));
		assert_string_equal(d.items[0].file, "t.hwdb");
		if (i == 1)
			assert_int_equal(d.items[0].line, 2);
		else
			assert_int_equal(d.items[0].line, rows[i].line);
		drivedb_free(db);
		buf_done(&text);
		diag_done(&d);
	}
}

static void later_records_win(void **state)
{
	struct diag d = { 0 };
	struct db_match m;
	const struct db_property *list;
	size_t n;
	struct drivedb *db =
		read_db("ata:mn*:fw*:\n FAMILY=any\n ATTR_9_MEANS=power_on_hours\n"
			" QUIRK=first\n\n"
			"ata:mnX*:fw*:\n FAMILY=X\n QUIRK=second\n SMR=1\n\n"
			"ata:mnX*:fwOLD*:\n NOLPM=1\n QUIRK=third\n ATTR_9_MEANS=\n",
			&d);
	static const char over[] = "ata:mnX9:fw*:\n FAMILY=mine\n SMR=\n";
	static const char clear[] = "ata:mnX9:fw*:\n QUIRK=\n QUIRK=only this\n";

	(void)state;
	assert_int_equal(drivedb_add(db, span_of_text(over), "over", &d), 0);
	assert_int_equal(drivedb_match(db, &(struct drive_id){ "ata", "X9", "OLD1" }, &m),
			 0);
	assert_int_equal(m.n_records, 4);
	assert_string_equal(value_of(&m, "FAMILY"), "mine");
	assert_string_equal(db_match_get(&m, "FAMILY")->file, "over");
	assert_null(value_of(&m, "SMR"));
	assert_null(value_of(&m, "ATTR_9_MEANS"));
	assert_string_equal(value_of(&m, "NOLPM"), "1");
	list = db_match_list(&m, "QUIRK", &n);
	assert_int_equal(n, 3);
	assert_string_equal(list[0].value, "first");
	assert_string_equal(list[1].value, "second");
	assert_string_equal(list[2].value, "third");
	assert_string_equal(value_of(&m, "QUIRK"), "third");
	assert_int_equal(m.n, 5); /* FAMILY and NOLPM once */
	for (size_t i = 0; i + 1 < m.n; i++)
		assert_true(strcmp(m.items[i].key, m.items[i + 1].key) <= 0);
	db_match_done(&m);

	assert_int_equal(drivedb_add(db, span_of_text(clear), "clear", &d), 0);
	assert_int_equal(drivedb_match(db, &(struct drive_id){ "ata", "X9", "NEW" }, &m),
			 0);
	list = db_match_list(&m, "QUIRK", &n);
	assert_int_equal(n, 1);
	assert_string_equal(list[0].value, "only this");
	assert_string_equal(value_of(&m, "ATTR_9_MEANS"), "power_on_hours");
	db_match_done(&m);
	assert_int_equal(d.n, 0);
	drivedb_free(db);
	diag_done(&d);
}

static void a_class_fills_in_what_is_open(void **state)
{
	struct diag d = { 0 };
	struct db_match m;
	struct drivedb *db =
		read_db("ata:mnX*:fw*:\n CLASS=fast-x\n EXPECT_SEQ_MB_S=500\n\n"
			"class:mnfast-x:fw*:\n EXPECT_SEQ_MB_S=400\n"
			" FLOOR_SEQ_MB_S=300\n\n"
			"class:mnslow:fw*:\n FLOOR_SEQ_MB_S=50\n\n"
			"class:mnslow-25:fw*:\n FLOOR_SEQ_MB_S=20\n\n"
			"ata:mnZ:fw*:\n CLASS=slow\n\n"
			"ata:mnW:fw*:\n CLASS=slow-25\n",
			&d);
	struct drive_id x = { "ata", "X", NULL }, y = { "ata", "Y", NULL },
			z = { "ata", "Z", NULL }, w = { "ata", "W", NULL };

	(void)state;
	assert_int_equal(drivedb_match(db, &x, &m), 0);
	assert_string_equal(value_of(&m, "EXPECT_SEQ_MB_S"), "500");
	assert_string_equal(value_of(&m, "FLOOR_SEQ_MB_S"), "300");
	db_match_done(&m);
	assert_int_equal(drivedb_match_class(db, &x, "slow", &m), 0);
	assert_string_equal(value_of(&m, "FLOOR_SEQ_MB_S"), "300");
	db_match_done(&m);
	assert_int_equal(drivedb_match_class(db, &y, "slow", &m), 0);
	assert_string_equal(value_of(&m, "FLOOR_SEQ_MB_S"), "50");
	assert_null(value_of(&m, "EXPECT_SEQ_MB_S"));
	db_match_done(&m);
	/* a wide class gives way, an exact one does not */
	assert_int_equal(drivedb_match_class(db, &z, "slow-25", &m), 0);
	assert_string_equal(value_of(&m, "FLOOR_SEQ_MB_S"), "20");
	db_match_done(&m);
	assert_int_equal(drivedb_match(db, &z, &m), 0);
	assert_string_equal(value_of(&m, "FLOOR_SEQ_MB_S"), "50");
	db_match_done(&m);
	assert_int_equal(drivedb_match_class(db, &w, "slow", &m), 0);
	assert_string_equal(value_of(&m, "FLOOR_SEQ_MB_S"), "20");
	db_match_done(&m);
	assert_int_equal(drivedb_match(db, &y, &m), 0);
	assert_int_equal(m.n, 0);
	db_match_done(&m);
	drivedb_free(db);
	diag_done(&d);
}

static void versions_name_every_overlay(void **state)
{
	struct diag d = { 0 };
	struct drivedb *db = drivedb_new(&d);
	char *builtin;

	(void)state;
	assert_non_null(db);
	builtin = strdup(drivedb_version(db));
	assert_non_null(builtin);
	assert_true(
		glob_match("20[2-9][0-9].[01][0-9] sha256:????????????????", builtin));
	/* the digest of "abc" begins with these bytes (FIPS 180-4) */
	assert_int_equal(drivedb_add(db, span_of_text("abc"), "o", &d), 0);
	assert_true(str_starts(drivedb_version(db), builtin));
	assert_true(str_ends(drivedb_version(db), " + sha256:ba7816bf8f01cfea"));
	free(builtin);
	drivedb_free(db);
	diag_done(&d);
}

/* ---- lint --------------------------------------------------------------------------------- */

static void the_built_in_records_have_no_fault(void **state)
{
	struct diag d = { 0 };
	struct drivedb *db = drivedb_new(&d);
	int faults;

	(void)state;
	assert_non_null(db);
	assert_true(drivedb_count(db) > 10);
	faults = drivedb_lint(db, &d);
	for (size_t i = 0; i < d.n; i++)
		print_message("# %s:%u: %s\n", d.items[i].file, (unsigned)d.items[i].line,
			      d.items[i].text);
	assert_int_equal(d.n, 0);
	assert_int_equal(faults, 0);
	drivedb_free(db);
	diag_done(&d);
}

static void lint_names_each_fault(void **state)
{
	static const struct {
		const char *text;
		uint64_t line;
		const char *word; /* must stand in the message */
	} rows[] = {
		{ "ata:mnX:fw*:\n SMR=1\n", 1, "Source" },
		{ "# Source: x\nata:mnX:fw*:\n COLOUR=red\n", 3, "unknown key" },
		{ "# Source: x\nata:mnX:fw*:\n ATTR_0_NAME=x\n", 3, "unknown key" },
		{ "# Source: x\nata:mnX:fw*:\n ATTR_256_NAME=x\n", 3, "unknown key" },
		{ "# Source: x\nata:mnX:fw*:\n ATTR_09_NAME=x\n", 3, "unknown key" },
		{ "# Source: x\nata:mnX:fw*:\n STAT_PLACEHOLDER_6_018=0\n", 3,
		  "unknown key" },
		{ "# Source: x\nata:mnX:fw*:\n STAT_PLACEHOLDER_06_018=none\n", 3,
		  "number" },
		{ "# Source: x\nata:mnX:fw*:\n SMR=0\n", 3, "1" },
		{ "# Source: x\nata:mnX:fw*:\n ROTATION_RPM=fast\n", 3, "number" },
		{ "# Source: x\nata:mnX:fw*:\n PHY_CONSTANT=00B\n", 3, "lower case" },
		{ "# Source: x\nata:mnX:fw*:\n PHY_CONSTANT=003 002\n", 3, "rising" },
		{ "# Source: x\nata:mnX:fw*:\n ATTR_1_FORMAT=raw17\n", 3, "format" },
		{ "# Source: x\nata:mnX:fw*:\n ATTR_1_MEANS=luck\n", 3, "quantity" },
		{ "# Source: x\nata:mnX:fw*:\n ATTR_1_MEANS=model\n", 3, "number" },
		{ "# Source: x\nata:mnX:fw*:\n ATTR_1_MEANS=phy[003].value\n", 3,
		  "number" },
		{ "# Source: x\nata:mnX:fw*:\n ATTR_1_FROM=worst\n", 3, "value" },
		{ "# Source: x\nata:mnX:fw*:\n ATTR_1_BITS=8-48\n", 3, "0-47" },
		{ "# Source: x\nata:mnX:fw*:\n CLASS=nowhere\n", 3, "class" },
		{ "# Source: x\nusb:mnX:fw*:\n PASS_THROUGH=magic\n", 3, "words" },
		{ "# Source: x\nusb:mnX:fw*:\n PASS_THROUGH=sat  jmicron\n", 3, "words" },
		{ "# Source: x\nata:mnX:fw*:\n FAMILY=caf\xc3\xa9\n", 3, "ASCII" },
		{ "# Source: x\nata:X:fw*:\n SMR=1\n", 2, "never" },
		{ "# Source: x\nata:mnX*\n SMR=1\n", 2, "never" },
		{ "# Source: x\nsata:mnX:fw*:\n SMR=1\n", 2, "never" },
		{ "# Source: x\nata:mnWDC  X:fw*:\n SMR=1\n", 2, "blanks" },
		{ "# Source: x\nata:mnX :fw*:\n SMR=1\n", 2, "blanks" },
		{ "# Source: x\nata:mnX:fw123456789:\n SMR=1\n", 2, "longer" },
		{ "# Source: x\nata:mnX:fw*:\n SMR=1\n\n# Source: x\nata:mnX:fw*:\n "
		  "SMR=1\n",
		  3, "shadowed" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct diag d = { 0 };
		struct drivedb *db = read_db(rows[i].text, &d);
		int faults = drivedb_lint(db, &d);

		if (faults != 1 || d.n != 1)
			fail_msg("row %zu: %d faults", i, faults);
		assert_string_equal(d.items[0].file, "t.hwdb");
		assert_int_equal(d.items[0].line, rows[i].line);
		if (!strstr(d.items[0].text, rows[i].word))
			fail_msg("row %zu: %s", i, d.items[0].text);
		drivedb_free(db);
		diag_done(&d);
	}
}

static void lint_lets_good_records_pass(void **state)
{
	static const char good[] =
		"# Source: x\n"
		"ata:mnX[0-9][0-9]*:fw????????:\n"
		" FAMILY=\n ATTR_9_MEANS=power_on_hours\n"
		" ATTR_194_BITS=0-7\n ATTR_241_UNIT_BYTES=sector\n"
		" ATTR_255_FORMAT=raw24/raw32\n ATTR_1_MEANS=ignore\n"
		" ATTR_173_FROM=200-value\n PHY_CONSTANT=00a 00b\n"
		" STAT_PLACEHOLDER_05_020=-128\n STAT_PLACEHOLDER_07_008=any\n"
		" QUIRK=one\n QUIRK=two\n\n"
		"# Source: x\nusb:mn0000-0001:fw*:\n PASS_THROUGH=sat jmicron\n\n"
		"# Source: x\npci:mn0000-0001:fw:\nhba:mnmade_up:fw:\n QUIRK=x\n";
	static const char one[] = "# Source: x\nata:mnY:fw*:\n SMR=1\n";
	struct diag d = { 0 };
	struct drivedb *db = read_db(good, &d);

	(void)state;
	/* the same again in an overlay of its own is no fault: overlays are there to replace */
	assert_int_equal(drivedb_add(db, span_of_text(good), "u.hwdb", &d), 0);
	for (int i = 0; i < 2; i++)
		assert_int_equal(drivedb_add(db, span_of_text(one), "v.hwdb", &d), 0);
	assert_int_equal(drivedb_lint(db, &d), 0);
	assert_int_equal(d.n, 0);
	drivedb_free(db);
	diag_done(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(globs),
		cmocka_unit_test(globs_that_are_none),
		cmocka_unit_test(a_hard_glob_ends_soon),
		cmocka_unit_test(match_strings),
		cmocka_unit_test(a_record_is_read),
		cmocka_unit_test(bad_records_are_left_out_and_named),
		cmocka_unit_test(later_records_win),
		cmocka_unit_test(a_class_fills_in_what_is_open),
		cmocka_unit_test(versions_name_every_overlay),
		cmocka_unit_test(the_built_in_records_have_no_fault),
		cmocka_unit_test(lint_names_each_fault),
		cmocka_unit_test(lint_lets_good_records_pass),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
