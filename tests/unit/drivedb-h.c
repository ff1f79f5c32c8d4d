/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/str.h"
#include "drivedb/drivedb-h.h"
#include "drivedb/smart-regex.h"

/* Entries of our own making in the form of smartmontools' table; the lines are counted below. */
static const char table[] =
	"/* a comment { \"x\" } */\n"					      /* 1 */
	"  { \"DEFAULT\", \"-\", \"-\", \"\",\n"			      /* 2 */
	"    \"-v 1,raw48,Read_Errors \" // { a comment\n"		      /* 3 */
	"    \"-v 5,raw16(raw16),Reallocated \"\n"			      /* 4 */
	"    \"-v 10,raw48,Spin_Retries,HDD \"\n"			      /* 5 */
	"    \"-v 177,raw48,Wear,SSD\"\n"				      /* 6 */
	"  },\n"							      /* 7 */
	"  { \"One\", \"TEST(DISK|FLASH) [12]000\", \"FW1\", \"\",\n"	      /* 8 */
	"    \"-F none -v 1,raw24/raw32:z54321 -v 9,minutes \"\n"	      /* 9 */
	"    \"-v 197,raw48+,Pending\" },\n"				      /* 10 */
	"  { \"Two\", \"TESTDISK \" \"1.*\", \"\", \"\", \"-v 5,raw48\" },\n" /* 11 */
	"  { \"Never reached\", \".*\", \"\", \"\", \"-v 5,raw8,Last\" }\n";  /* 12 */

static struct db_match look_up(const char *text, const char *model, const char *firmware,
			       int solid, struct diag *d)
{
	struct smart_file file = { "t.h", span_of_text(text) };
	struct drive_id id = { "ata", model, firmware };
	struct db_match m = { 0 };

	assert_int_equal(smart_files_match(&file, 1, &id, solid, d, &m), 0);
	return m;
}

static void expect(const struct db_match *m, const char *key, const char *value,
		   uint32_t line)
{
	const struct db_property *p = db_match_get(m, key);

	if (!p && !value)
		return;
	if (!p || !value || !str_equal(p->value, value) || p->line != line)
		fail_msg("%s is '%s' of line %u", key, p ? p->value : "absent",
			 p ? p->line : 0);
	assert_string_equal(p->file, "t.h");
}

static void entries(void **state)
{
	struct diag d = { 0 };
	struct db_match m = look_up(table, "TESTDISK 1000", "FW1", -1, &d);

	(void)state;
	assert_int_equal(d.n, 0);
	/* the first entry that matches, over the defaults */
	expect(&m, "ATTR_1_FORMAT", "raw24/raw32:z54321", 9);
	expect(&m, "ATTR_1_NAME", "Read_Errors", 3);
	expect(&m, "ATTR_5_FORMAT", "raw16(raw16)", 4);
	expect(&m, "ATTR_5_NAME", "Reallocated", 4);
	expect(&m, "ATTR_9_FORMAT", "min2hour", 9);
	expect(&m, "ATTR_9_NAME", "Power_On_Minutes", 9);
	expect(&m, "ATTR_197_FORMAT", "raw48", 10);
	expect(&m, "ATTR_197_NAME", "Pending", 10);
	/* neither kind, as long as it is not known which one this is */
	expect(&m, "ATTR_10_NAME", NULL, 0);
	expect(&m, "ATTR_177_NAME", NULL, 0);
	db_match_done(&m);
	m = look_up(table, "TESTDISK 1000", "FW2", 1, &d);
	/* other firmware: the second entry, its strings put together */
	expect(&m, "ATTR_5_FORMAT", "raw48", 11);
	expect(&m, "ATTR_1_FORMAT", "raw48", 3);
	expect(&m, "ATTR_10_NAME", NULL, 0);
	expect(&m, "ATTR_177_NAME", "Wear", 6);
	db_match_done(&m);
	/* the whole model must match */
	m = look_up(table, "TESTFLASH 10000", "FW1", 0, &d);
	expect(&m, "ATTR_5_FORMAT", "raw8", 12);
	expect(&m, "ATTR_5_NAME", "Last", 12);
	expect(&m, "ATTR_10_NAME", "Spin_Retries", 5);
	expect(&m, "ATTR_177_NAME", NULL, 0);
	db_match_done(&m);
	assert_int_equal(d.n, 0);
	diag_done(&d);
}

/* A fault costs one entry, and is told with its line. */
static void faults(void **state)
{
	static const struct {
		const char *text;
		uint32_t line;
		const char *why;
	} rows[] = {
		{ "  { \"a\", \"X\", \"\", \"\" },\n", 1, "fewer than five" },
		{ "  { \"a\", \"X\", \"\", \"\", \"\", \"\" },\n", 1, "more than five" },
		{ "  { \"a\", \"X\", \"\",\n   \"\", \"-v\n },\n", 2, "does not end" },
		{ "  { \"a\", \"X\\d\", \"\", \"\", \"\" },\n", 1, "escape" },
		{ "  { \"a\", X, \"\", \"\", \"\" },\n", 1, "missing" },
		{ "junk\n", 1, "brace" },
		{ "  { \"a\", \"GOOD\", \"\", \"\", \"-v 1,nothing,X\" },\n", 1,
		  "not understood" },
		{ "  { \"a\", \"GOOD\", \"\", \"\", \"-v 300,raw48,X\" },\n", 1,
		  "not understood" },
		{ "  { \"a\", \"GOOD\", \"\", \"\", \"-v 3,raw48,\x1b[31m\" },\n", 1,
		  "not understood" },
		{ "  { \"a\", \"(GOOD){1,30000}\", \"\", \"\", \"\" },\n", 1,
		  "repetitions" },
		{ "  { \"a\", \"GOOD++++++++++++++++++++\", \"\", \"\", \"\" },\n", 1,
		  "repetitions" },
		{ "  { \"a\", \"((((((((((((GOOD)+)+)+)+)+)+)+)+)+)+)+)+\", \"\", \"\", "
		  "\"\" },\n",
		  1, "repetitions" },
		{ "  { \"a\", \"(GO)OD\\\\1\", \"\", \"\", \"\" },\n", 1,
		  "back references" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct buf text = { 0 };
		struct diag d = { 0 };
		struct db_match m;
		bool taken = strstr(rows[i].why, "not understood") != NULL;

		buf_printf(&text,
			   "%s  { \"g\", \"GOOD\", \"\", \"\", \"-v 2,raw48,Y\" }\n",
			   rows[i].text);
		m = look_up(buf_text(&text), "GOOD", NULL, -1, &d);
		if (d.n != 1 || !strstr(d.items[0].text, rows[i].why) ||
		    d.items[0].line != rows[i].line || !str_equal(d.items[0].file, "t.h"))
			fail_msg("row %zu: %zu messages, %u: %s", i, d.n,
				 d.n ? (unsigned)d.items[0].line : 0,
				 d.n ? d.items[0].text : "-");
		/* a bad argument costs no entry: that one is the first; else family, name, format */
		assert_int_equal(m.n, taken ? 1 : 3);
		db_match_done(&m);
		diag_done(&d);
		buf_done(&text);
	}
}

/* The shortcut may never refuse what the C library would match. */
static void beginnings(void **state)
{
	static const struct {
		const char *re, *text;
		bool may, match;
	} rows[] = {
		{ "ABC", "ABC", true, true },
		{ "ABC", "ABD", false, false },
		{ "ABC", "ABCD", true, false },
		{ "AB?C", "AC", true, true },
		{ "AB*C", "AC", true, true },
		{ "AB{0,2}C", "AC", true, true },
		{ "A+BC", "AAABC", true, true },
		{ "A+BC", "XBC", false, false },
		{ "X|ABC", "ABC", true, true },
		{ "X|Y", "ABC", false, false },
		{ "(X|A)BC", "ABC", true, true },
		{ "(X|Y)BC", "ABC", false, false },
		{ "(X)?ABC", "ABC", true, true },
		{ "(X)*ABC", "ABC", true, true },
		{ "((W|(V|A))B)C", "ABC", true, true },
		{ "((W|(V|U))B)C", "ABC", false, false },
		{ "(|X)ABC", "ABC", true, true },
		{ "[A-C]BC", "ABC", true, true },
		{ "[^A]BC", "ABC", false, false },
		{ "[]A]BC", "ABC", true, true },
		{ "[^]X]BC", "ABC", true, true },
		{ "[[:upper:]]BC", "ABC", true, true },
		{ "[-A]BC", "ABC", true, true },
		{ "[-A]BC", "-BC", true, true },
		{ ".BC", "ABC", true, true },
		{ "\\.BC", "ABC", false, false },
		{ "\\.BC", ".BC", true, true },
		{ "\\w+", "ABC", true, true },
		{ "", "", true, true },
		{ "A", "", false, false },
		{ ".*", "", true, true },
		{ "[", "A", true, false },
		{ "(", "A", true, false },
		/* not to be completed by the brackets that are put around it */
		{ "A)|(B", "A", true, false },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++)
		if (smart_regex_may_begin(rows[i].re, rows[i].text) != rows[i].may ||
		    smart_regex_matches(rows[i].re, rows[i].text) != rows[i].match)
			fail_msg("'%s' and '%s'", rows[i].re, rows[i].text);
}

static uint32_t random_of(uint32_t *seed, uint32_t n)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % n;
}

/* Expressions of random bricks, the C library as judge. */
static void beginnings_at_random(void **state)
{
	static const char *const bricks[] = { "A",    "B", "C", "(",	 ")",
					      "|",    "?", "*", "+",	 ".",
					      "[",    "]", "^", "-",	 "[AB]",
					      "[^C]", "A", "B", "(A|B)", "{1,2}" };
	uint32_t seed = 1, matched = 0;

	(void)state;
	for (unsigned i = 0; i < 20000; i++) {
		struct buf re = { 0 }, whole = { 0 }, text = { 0 };
		unsigned n = 1 + random_of(&seed, 7);
		regex_t compiled;
		bool found = false;

		for (unsigned k = 0; k < n; k++)
			buf_puts(&re, bricks[random_of(&seed, array_size(bricks))]);
		for (unsigned k = random_of(&seed, 5); k; k--)
			buf_putc(&text, "ABC"[random_of(&seed, 3)]);
		buf_printf(&whole, "^(%s)$", buf_text(&re));
		/* what is refused is put into brackets by nobody */
		if (!smart_regex_fault(buf_text(&re)) &&
		    regcomp(&compiled, buf_text(&whole), REG_EXTENDED | REG_NOSUB) == 0) {
			found = regexec(&compiled, buf_text(&text), 0, NULL, 0) == 0;
			regfree(&compiled);
		}
		matched += found;
		if (found && !smart_regex_may_begin(buf_text(&re), buf_text(&text)))
			fail_msg("'%s' matches '%s'", buf_text(&re), buf_text(&text));
		buf_done(&re);
		buf_done(&whole);
		buf_done(&text);
	}
	assert_true(matched > 500);
}

/* A megabyte without an end, and a flood of entries: an answer, soon, with a message. */
static void floods(void **state)
{
	static const char *const units[] = {
		"x",
		"{",
		"\"",
		"/*",
		"  { \"",
		"  { \"a\", \"T.*(\", \"\", \"\", \"\" },\n",
		"  { \"a\", \"(T|T|T)E*S*T*x\", \"\", \"\", \"\" },\n",
	};
	clock_t start = clock();

	(void)state;
	for (size_t i = 0; i < array_size(units); i++) {
		struct buf text = { 0 };
		struct diag d = { 0 };
		struct db_match m;

		while (text.len < 1u << 20)
			buf_puts(&text, units[i]);
		m = look_up(buf_text(&text), "TESTDISK 1000", NULL, -1, &d);
		assert_int_equal(m.n, 0);
		/* an open comment is the one that is no fault */
		assert_true(d.n > 0 || str_equal(units[i], "/*") || i == 5);
		db_match_done(&m);
		diag_done(&d);
		buf_done(&text);
	}
	assert_true(clock() - start < 20 * CLOCKS_PER_SEC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entries),    cmocka_unit_test(faults),
		cmocka_unit_test(beginnings), cmocka_unit_test(beginnings_at_random),
		cmocka_unit_test(floods),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
