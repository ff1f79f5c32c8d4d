/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/attrs.h"
#include "import/text.h"

struct fixture {
	struct text t;
	struct diag d;
};

static int open_text(struct fixture *f, const char *bytes, size_t len)
{
	*f = (struct fixture){ 0 };
	return text_read(&f->t, "posted.txt", span_of(bytes, len), &f->d);
}

static void close_text(struct fixture *f)
{
	text_done(&f->t);
	diag_done(&f->d);
}

static void characters_are_cleaned(void **state)
{
	static const struct {
		const char *in, *out;
		unsigned indent, quote;
	} rows[] = {
		{ "plain", "plain", 0, 0 },
		{ "  two  spaces  ", "two  spaces", 2, 0 },
		{ "\ttab\tinside", "tab inside", 8, 0 },
		{ "  \tmixed", "mixed", 8, 0 },
		{ "> quoted", "quoted", 0, 1 },
		{ "> >   deeper", "deeper", 2, 2 },
		{ ">>> >\ttight", "tight", 8, 4 },
		{ "1\xc2\xa0"
		  "000\xe2\x80\xaf"
		  "204\xe2\x80\x89"
		  "886",
		  "1 000 204 886", 0, 0 },
		{ "12\xa0kB latin \xe4", "12 kB latin \xc3\xa4", 0, 0 },
		{ "\x1b[1;31mFAILED\x1b[0m!", "FAILED!", 0, 0 },
		{ "zero\xe2\x80\x8bwidth", "zerowidth", 0, 0 },
		/* a damaged number must not become another number */
		{ "number 12\x01.34", "number 12\xef\xbf\xbd.34", 0, 0 },
		{ "||||||_ K auto-keep", "||||||_ K auto-keep", 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct fixture f;

		assert_int_equal(open_text(&f, rows[i].in, strlen(rows[i].in)), 0);
		assert_int_equal(f.t.n, 1);
		assert_string_equal(f.t.lines[0].s, rows[i].out);
		assert_int_equal(f.t.lines[0].len, strlen(rows[i].out));
		assert_int_equal(f.t.lines[0].indent, rows[i].indent);
		assert_int_equal(f.t.lines[0].quote, rows[i].quote);
		close_text(&f);
	}
}

static void line_ends_and_numbers(void **state)
{
	static const char text[] = "one\r\ntwo\r\r\n\nfour a\rfour b\nfive";
	static const struct {
		const char *s;
		unsigned number;
		bool cut;
	} rows[] = {
		{ "one", 1, false },	{ "two", 2, false },	{ "", 3, false },
		{ "four a", 4, false }, { "four b", 4, false }, { "five", 5, true }
	};
	struct fixture f;

	(void)state;
	assert_int_equal(open_text(&f, text, strlen(text)), 0);
	assert_int_equal(f.t.n, array_size(rows));
	for (size_t i = 0; i < array_size(rows); i++) {
		assert_string_equal(f.t.lines[i].s, rows[i].s);
		assert_int_equal(f.t.lines[i].number, rows[i].number);
		assert_int_equal(f.t.lines[i].cut, rows[i].cut);
	}
	close_text(&f);
}

static void only_cr_ends_lines(void **state)
{
	struct fixture f;

	(void)state;
	assert_int_equal(open_text(&f, "a\rb\r", 4), 0);
	assert_int_equal(f.t.n, 2);
	assert_int_equal(f.t.lines[1].number, 2);
	assert_false(f.t.lines[1].cut);
	close_text(&f);
}

static void utf16_is_read(void **state)
{
	static const char little[] = "\xff\xfe"
				     "a\0b\0\r\0\n\0\xe4\0";
	static const char big[] = "\xfe\xff"
				  "\0a\0b\0\n\0\xe4";
	struct fixture f;

	(void)state;
	assert_int_equal(open_text(&f, little, 12), 0);
	assert_string_equal(f.t.lines[0].s, "ab");
	assert_string_equal(f.t.lines[1].s, "\xc3\xa4");
	close_text(&f);
	assert_int_equal(open_text(&f, big, 10), 0);
	assert_string_equal(f.t.lines[0].s, "ab");
	assert_string_equal(f.t.lines[1].s, "\xc3\xa4");
	close_text(&f);
}

static void assert_lines(const char *in, const char *out)
{
	char got[1024] = "";
	struct fixture f;

	assert_int_equal(open_text(&f, in, strlen(in)), 0);
	for (size_t i = 0; i < f.t.n; i++) {
		strcat(got, f.t.lines[i].s);
		strcat(got, "\n");
	}
	close_text(&f);
	assert_string_equal(got, out);
}

static void bars_are_quotes_only_in_a_run(void **state)
{
	(void)state;
	assert_lines("| a\n|   b\n|\n| d\ne\n", "a\nb\n\nd\ne\n");
	assert_lines("| a\n| b\n", "| a\n| b\n");
	/* fio's own bars */
	assert_lines("  | 1.00th=[ 41],\n  | 5.00th=[ 46],\n  | 10.00th=[ 51],\n"
		     "  | 20.00th=[ 66],\n",
		     "| 1.00th=[ 41],\n| 5.00th=[ 46],\n| 10.00th=[ 51],\n"
		     "| 20.00th=[ 66],\n");
}

static void line_numbers_are_cut_only_in_a_run(void **state)
{
	(void)state;
	assert_lines("12: a\n13:  1 b\n14:\n15: d\n", "a\n1 b\n\nd\n");
	assert_lines("1. a\n2. b\nno number\n3. c\n", "a\nb\nno number\nc\n");
	assert_lines("12: a\n13: b\n", "12: a\n13: b\n");
	assert_lines(
		"     1\tsmartctl 7.1\n     2\t\n     3\tx\n     4\tID# A\n"
		"     5\t  1 Raw 0x0 1\n     6\t  2 Thr 0x0 1\n     7\ty\n     8\tz\n",
		"smartctl 7.1\n\nx\nID# A\n1 Raw 0x0 1\n2 Thr 0x0 1\ny\nz\n");
	/* rows of a table that count on */
	assert_lines("1 A PO--CK 1\n2 B PO--CK 2\n3 C PO--CK 3\n4 D PO--CK 4\n"
		     "5 E PO--CK 5\n6 F PO--CK 6\n7 G PO--CK 7\n8 H PO--CK 8\n",
		     "1 A PO--CK 1\n2 B PO--CK 2\n3 C PO--CK 3\n4 D PO--CK 4\n"
		     "5 E PO--CK 5\n6 F PO--CK 6\n7 G PO--CK 7\n8 H PO--CK 8\n");
}

static void encoded_mail_is_decoded(void **state)
{
	static const char text[] = "Subject: =3D not here\n"
				   "Content-Transfer-Encoding: quoted-printable\n"
				   "\n"
				   "=3D=3D=3D caf=C3=A9\n"
				   "to a COMRESE=\n"
				   "T\n"
				   "bad =ZZ =3\n"
				   "last=\n";
	static const struct {
		const char *s;
		unsigned number;
	} rows[] = {
		{ "Subject: =3D not here", 1 },
		{ "Content-Transfer-Encoding: quoted-printable", 2 },
		{ "", 3 },
		{ "=== caf\xc3\xa9", 4 },
		{ "to a COMRESET", 5 },
		{ "bad =ZZ =3", 7 },
		{ "last", 8 },
	};
	struct fixture f;

	(void)state;
	assert_int_equal(open_text(&f, text, strlen(text)), 0);
	for (size_t i = 0; i < array_size(rows); i++) {
		assert_string_equal(f.t.lines[i].s, rows[i].s);
		assert_int_equal(f.t.lines[i].number, rows[i].number);
	}
	close_text(&f);
	/* without the headers */
	assert_lines("=3D=3D=3D START OF INFORMATION SECTION =3D=3D=3D\n",
		     "=== START OF INFORMATION SECTION ===\n");
	assert_lines("iodepth=16\n", "iodepth=16\n");
}

static void what_is_no_text_is_refused(void **state)
{
	struct fixture f;
	char *big = calloc(1, TEXT_MAX_BYTES + 1);

	(void)state;
	assert_non_null(big);
	assert_int_equal(open_text(&f, "", 0), -ENODATA);
	close_text(&f);
	assert_int_equal(open_text(&f, " \n\t\r\n", 5), -ENODATA);
	close_text(&f);
	assert_int_equal(open_text(&f, "ab\0cd", 5), -EBADMSG);
	assert_int_equal(f.d.n, 1);
	assert_true(f.d.items[0].has_byte);
	assert_int_equal(f.d.items[0].byte, 2);
	close_text(&f);
	assert_int_equal(open_text(&f, "a\x01\x02\x03\x04z", 6), -EBADMSG);
	assert_int_equal(f.d.items[0].byte, 1);
	close_text(&f);
	assert_int_equal(open_text(&f, big, TEXT_MAX_BYTES + 1), -EBADMSG);
	close_text(&f);
	memset(big, 'x', TEXT_MAX_BYTES + 1);
	assert_int_equal(open_text(&f, big, TEXT_MAX_BYTES + 1), -E2BIG);
	close_text(&f);
	memset(big, '\n', 1u << 20);
	assert_int_equal(open_text(&f, big, (1u << 20) + 1), -E2BIG);
	close_text(&f);
	free(big);
}

static void long_lines_are_cut_and_reported(void **state)
{
	size_t len = 10u << 20;
	char *line = malloc(len);
	struct fixture f;

	(void)state;
	assert_non_null(line);
	memset(line, '7', len);
	memcpy(line, "first\n", 6);
	memcpy(line + len - 6, "\nlast\n", 6);
	assert_int_equal(open_text(&f, line, len), 0);
	assert_int_equal(f.t.n, 3);
	assert_int_equal(f.t.lines[1].len, TEXT_MAX_LINE);
	assert_true(f.t.lines[1].too_long);
	assert_false(f.t.lines[0].too_long);
	assert_string_equal(f.t.lines[2].s, "last");
	assert_int_equal(f.d.n, 1);
	assert_int_equal(f.d.items[0].line, 2);
	close_text(&f);
	free(line);
}

static void claims_are_kept(void **state)
{
	struct fixture f;

	(void)state;
	assert_int_equal(open_text(&f, "a\nb\n", 4), 0);
	assert_int_equal(f.t.lines[0].state, LINE_OPEN);
	text_claim(&f.t, 1, LINE_DAMAGED, "phy");
	text_claim(&f.t, 2, LINE_DAMAGED, "phy"); /* behind the end: nothing happens */
	assert_int_equal(f.t.lines[1].state, LINE_DAMAGED);
	assert_string_equal(f.t.lines[1].section, "phy");
	close_text(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(characters_are_cleaned),
		cmocka_unit_test(line_ends_and_numbers),
		cmocka_unit_test(only_cr_ends_lines),
		cmocka_unit_test(utf16_is_read),
		cmocka_unit_test(bars_are_quotes_only_in_a_run),
		cmocka_unit_test(line_numbers_are_cut_only_in_a_run),
		cmocka_unit_test(encoded_mail_is_decoded),
		cmocka_unit_test(what_is_no_text_is_refused),
		cmocka_unit_test(long_lines_are_cut_and_reported),
		cmocka_unit_test(claims_are_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
