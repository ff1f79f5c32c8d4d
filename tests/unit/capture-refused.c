/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Capture files with one fault each: where it is found, and what is said about it. */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "capture/file.h"

#define HEAD  "capture 1\nsubject drive 1\nsnapshot 1 role=import\n"
#define ITEM  HEAD "item x ok\n"
#define ZEROS "0000 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n"
#define CUT   "the capture ends before its 'end' line: cut?"

static const struct {
	const char *text;
	int error;
	unsigned line;
	const char *message;
} refused[] = {
	/* the first line */
	{ "", -EBADMSG, 0, "'capture 1' expected, got nothing" },
	{ "\n\n", -EBADMSG, 2, "'capture 1' expected, got nothing" },
	{ "hello\n", -EBADMSG, 1, "'capture 1' expected, got 'hello'" },
	{ "capture 2\nend\n", -EBADMSG, 1, "version 1 of the format expected, got '2'" },
	{ "capture 2", -EBADMSG, 1, "version 1 of the format expected, got '2'" },
	{ "capture 1 x\n", -EBADMSG, 1, "'capture 1' expected, got 'capture 1 x'" },
	/* keywords */
	{ "capture 1\nzz\nend\n", -EBADMSG, 2,
	  "'subject', 'snapshot', 'item', 'end' or a line of a body expected, got 'zz'" },
	{ "capture 1\n0000 00\nend\n", -EBADMSG, 2, "a line of a body before any item" },
	{ "capture 1\nend now\n", -EBADMSG, 2,
	  "the end of the line expected, got 'now'" },
	{ "capture 1\nend\nend\n", -EBADMSG, 3,
	  "nothing more expected behind 'end', got 'end'" },
	{ "capture 1\nend\ncapture 1", -EBADMSG, 3,
	  "nothing more expected behind 'end', got 'capture 1'" },
	/* subjects */
	{ "capture 1\nsubject\nend\n", -EBADMSG, 2,
	  "'host' or 'drive' expected, got nothing" },
	{ "capture 1\nsubject cdrom 1\nend\n", -EBADMSG, 2,
	  "'host' or 'drive' expected, got 'cdrom'" },
	{ "capture 1\nsubject host 1\nend\n", -EBADMSG, 2,
	  "the end of the line expected, got '1'" },
	{ "capture 1\nsubject host\nsubject host\nend\n", -EBADMSG, 3,
	  "a second 'subject host'" },
	{ "capture 1\nsubject drive\nend\n", -EBADMSG, 2,
	  "a drive number from 1 to 65535 expected, got nothing" },
	{ "capture 1\nsubject drive 0\nend\n", -EBADMSG, 2,
	  "a drive number from 1 to 65535 expected, got '0'" },
	{ "capture 1\nsubject drive 2\nsubject drive 2\nend\n", -EBADMSG, 3,
	  "a drive number from 3 to 65535 expected, got '2'" },
	{ "capture 1\nsubject drive 65536\nend\n", -EBADMSG, 2,
	  "a drive number from 1 to 65535 expected, got '65536'" },
	{ "capture 1\nsubject drive 99999999999999999999\nend\n", -EBADMSG, 2,
	  "a drive number from 1 to 65535 expected, got '99999999999999999999'" },
	/* snapshots */
	{ "capture 1\nsnapshot 1 role=before\nend\n", -EBADMSG, 2,
	  "a snapshot before any subject" },
	{ HEAD "snapshot 1 role=after\nend\n", -EBADMSG, 4,
	  "snapshot number 2 expected, got '1'" },
	{ HEAD "subject drive 2\nsnapshot 2 role=after\nend\n", -EBADMSG, 5,
	  "snapshot number 1 expected, got '2'" },
	{ HEAD "snapshot 2\nend\n", -EBADMSG, 4, "a snapshot without role=" },
	{ HEAD "snapshot 2 role=later\nend\n", -EBADMSG, 4,
	  "role before, during, after, import or baseline expected, got 'later'" },
	{ HEAD "snapshot 2 role=after role=after\nend\n", -EBADMSG, 4,
	  "role=, taken= and source= once each expected, got 'role=after'" },
	{ HEAD "snapshot 2 role=after drive=1\nend\n", -EBADMSG, 4,
	  "role=, taken= and source= once each expected, got 'drive=1'" },
	{ HEAD "snapshot 2 role=after now\nend\n", -EBADMSG, 4,
	  "name=value expected, got 'now'" },
	{ HEAD "snapshot 2 role=after taken=1.5\nend\n", -EBADMSG, 4,
	  "seconds since 1970, as 1764525076.120, expected, got '1.5'" },
	{ HEAD "snapshot 2 role=after taken=\nend\n", -EBADMSG, 4,
	  "seconds since 1970, as 1764525076.120, expected, got nothing" },
	{ HEAD "snapshot 2 role=after taken=1e9\nend\n", -EBADMSG, 4,
	  "seconds since 1970, as 1764525076.120, expected, got '1e9'" },
	{ HEAD "snapshot 2 role=after taken=9223372036854775.000\nend\n", -EBADMSG, 4,
	  "seconds since 1970, as 1764525076.120, expected, got '9223372036854775.000'" },
	{ HEAD "snapshot 2 role=after source=a\\n\nend\n", -EBADMSG, 4,
	  "only the escapes \\\\ and \\xNN (not \\x00) expected, got 'a\\\\n'" },
	{ HEAD "snapshot 2 role=after source=a\\x00\nend\n", -EBADMSG, 4,
	  "only the escapes \\\\ and \\xNN (not \\x00) expected, got 'a\\\\x00'" },
	/* items */
	{ "capture 1\nitem x ok\nend\n", -EBADMSG, 2,
	  "an item before any snapshot of its subject" },
	{ HEAD "subject drive 2\nitem x ok\nend\n", -EBADMSG, 5,
	  "an item before any snapshot of its subject" },
	{ HEAD "item\nend\n", -EBADMSG, 4, "item id expected, got nothing" },
	{ HEAD "item x\nend\n", -EBADMSG, 4,
	  "status ok, unsupported, failed or skipped expected, got nothing" },
	{ HEAD "item x bad\nend\n", -EBADMSG, 4,
	  "status ok, unsupported, failed or skipped expected, got 'bad'" },
	{ HEAD "item x ok a\nend\n", -EBADMSG, 4, "name=value expected, got 'a'" },
	{ HEAD "item x ok A=1\nend\n", -EBADMSG, 4, "name=value expected, got 'A=1'" },
	{ HEAD "item x ok a=1 b=2 a=3\nend\n", -EBADMSG, 4,
	  "each attribute once expected, got 'a=3'" },
	{ HEAD "item \\ ok\nend\n", -EBADMSG, 4,
	  "only the escapes \\\\ and \\xNN (not \\x00) expected, got '\\\\'" },
	/* hex bodies */
	{ ITEM "0000 00 zz\nend\n", -EBADMSG, 5, "hex byte expected, got 'zz'" },
	{ ITEM "0000 000\nend\n", -EBADMSG, 5, "hex byte expected, got '000'" },
	{ ITEM "0000 00 a-long-word-that-is-\x1b[31m-no-byte\nend\n", -EBADMSG, 5,
	  "hex byte expected, got 'a-long-word-that-is-\\x1b[31...'" },
	{ ITEM "0000 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01\nend\n", -EBADMSG,
	  5, "at most 16 bytes a line expected, got '01'" },
	{ ITEM "000 00\nend\n", -EBADMSG, 5,
	  "an offset of 4 to 8 hex digits expected, got '000'" },
	{ ITEM "0010 00\nend\n", -EBADMSG, 5, "offset 0000 expected, got '0010'" },
	{ ITEM ZEROS "0011 00\nend\n", -EBADMSG, 6, "offset 0010 expected, got '0011'" },
	{ ITEM ZEROS "*\n0011\nend\n", -EBADMSG, 7,
	  "an offset beyond 0010 by a multiple of 10h expected after '*', got '0011'" },
	{ ITEM ZEROS "*\n0010\nend\n", -EBADMSG, 7,
	  "an offset beyond 0010 by a multiple of 10h expected after '*', got '0010'" },
	{ ITEM ZEROS "*\nend\n", -EBADMSG, 7, "an offset expected after '*', got 'end'" },
	{ ITEM ZEROS "*\n*\nend\n", -EBADMSG, 7,
	  "'*' without a line of 16 bytes before it" },
	{ ITEM ZEROS "**\nend\n", -EBADMSG, 6, "'*' alone expected, got '**'" },
	{ ITEM "*\nend\n", -EBADMSG, 5, "'*' without a line of 16 bytes before it" },
	{ ITEM "0000 00\n*\nend\n", -EBADMSG, 6,
	  "'*' without a line of 16 bytes before it" },
	{ ITEM ZEROS "0010\n0010 00\nend\n", -EBADMSG, 7,
	  "no more of the body expected behind its length, got '0010 00'" },
	{ ITEM ZEROS "| text\nend\n", -EBADMSG, 6,
	  "a hex line expected in a hex body, got '| text'" },
	/* text bodies */
	{ ITEM "|text\nend\n", -EBADMSG, 5, "a space expected behind '|', got '|text'" },
	{ ITEM "| text\n0005 00\nend\n", -EBADMSG, 6,
	  "a text line expected in a text body, got '0005 00'" },
	{ ITEM "| text\n*\nend\n", -EBADMSG, 6,
	  "a text line expected in a text body, got '*'" },
	{ ITEM "\\ a\\x00\nend\n", -EBADMSG, 5,
	  "only the escapes \\\\ and \\xNN (not \\x00) expected, got 'a\\\\x00'" },
	{ ITEM "\\ a\\tb\nend\n", -EBADMSG, 5,
	  "only the escapes \\\\ and \\xNN (not \\x00) expected, got 'a\\\\tb'" },
	/* cut files: at a line, and within one */
	{ "capture 1\n", -EBADMSG, 1, CUT },
	{ ITEM, -EBADMSG, 4, CUT },
	{ ITEM "0000 00 01\n", -EBADMSG, 5, CUT },
	{ ITEM ZEROS "*\n", -EBADMSG, 6, CUT },
	{ ITEM "0000 00 0", -EBADMSG, 5, CUT },
	{ ITEM "| text\nite", -EBADMSG, 6, CUT },
	{ ITEM "| text\nen", -EBADMSG, 6, CUT },
	/* limits */
	{ ITEM ZEROS "*\n1000010\nend\n", -E2BIG, 7,
	  "an item larger than 16777216 bytes" },
	{ ITEM ZEROS "*\n1000000\nitem x ok\n" ZEROS "*\n1000000\nitem x ok\n" ZEROS
		     "*\n1000000\nitem x ok\n0000 00\nend\n",
	  -E2BIG, 17, "items larger than 50331648 bytes in all" },
};

static void faults_are_named_with_their_line(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(refused); i++) {
		struct capture c = { 0 };
		struct diag d = { 0 };
		int k = capture_file_read(span_of_text(refused[i].text), "t.cap", &d, &c);

		if (d.n != 1 || !str_equal(d.items[0].text, refused[i].message) ||
		    d.items[0].line != refused[i].line)
			print_message("# row %zu, line %u: %s\n", i,
				      d.n ? (unsigned)d.items[0].line : 0,
				      d.n ? d.items[0].text : "no message");
		assert_int_equal(k, refused[i].error);
		assert_int_equal(d.n, 1);
		assert_string_equal(d.items[0].text, refused[i].message);
		assert_int_equal(d.items[0].line, refused[i].line);
		assert_int_equal(d.items[0].severity, DIAG_ERROR);
		assert_string_equal(d.items[0].file, "t.cap");
		assert_int_equal(c.n_subjects, 0);
		assert_int_equal(c.arena.used_bytes, 0);
		diag_done(&d);
		capture_done(&c);
	}
}

/* One row a limit that needs a long text: PIECE repeated N times behind START. */
static void long_files_meet_their_limits(void **state)
{
	static const struct {
		const char *start, *piece;
		unsigned n;
		const char *end, *message; /* or NULL when it is read */
	} rows[] = {
		{ "capture 1\n#", "x", 70000, "\nend\n", NULL },
		{ "capture 1\nend", " ", 70000, "\n", "line longer than 65536 bytes" },
		{ HEAD "item ", "x", CAP_MAX_HEAD, " ok\nend\n", NULL },
		{ HEAD "item ", "x", CAP_MAX_HEAD + 1, " ok\nend\n",
		  "more than 16000 bytes of id and attributes" },
		{ HEAD "item x ok a=", "x", CAP_MAX_HEAD - 3, "\nend\n",
		  "more than 16000 bytes of id and attributes" },
		{ HEAD "snapshot 2 role=after source=", "x", CAP_MAX_HEAD + 1, "\nend\n",
		  "a source longer than 16000 bytes" },
		{ HEAD, "item x ok\n", CAP_MAX_ITEMS, "end\n", NULL },
		{ HEAD, "item x ok\n", CAP_MAX_ITEMS + 1, "end\n",
		  "more than 65536 items" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct capture c = { 0 };
		struct diag d = { 0 };
		struct buf text = { 0 };

		buf_puts(&text, rows[i].start);
		for (unsigned k = 0; k < rows[i].n; k++)
			buf_puts(&text, rows[i].piece);
		buf_puts(&text, rows[i].end);
		assert_int_equal(capture_file_read(buf_span(&text), "t", &d, &c),
				 rows[i].message ? -E2BIG : 0);
		assert_int_equal(d.n, rows[i].message != NULL);
		if (d.n)
			assert_string_equal(d.items[0].text, rows[i].message);
		buf_done(&text);
		diag_done(&d);
		capture_done(&c);
	}
}

static void counts_meet_their_limits(void **state)
{
	static const struct {
		const char *start, *before, *behind; /* of the number */
		unsigned first, last;
		const char *message;
	} rows[] = {
		{ "capture 1\n", "subject drive ", "\n", 1, CAP_MAX_SUBJECTS, NULL },
		{ "capture 1\n", "subject drive ", "\n", 1, CAP_MAX_SUBJECTS + 1,
		  "more than 4096 subjects" },
		{ HEAD, "snapshot ", " role=after\n", 2, CAP_MAX_SNAPSHOTS, NULL },
		{ HEAD, "snapshot ", " role=after\n", 2, CAP_MAX_SNAPSHOTS + 1,
		  "more than 65536 snapshots" },
		{ HEAD "item x ok", " a", "=1", 1, CAP_MAX_ATTRIBUTES, NULL },
		{ HEAD "item x ok", " a", "=1", 1, CAP_MAX_ATTRIBUTES + 1,
		  "more than 64 attributes" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct capture c = { 0 };
		struct diag d = { 0 };
		struct buf text = { 0 };

		buf_puts(&text, rows[i].start);
		for (unsigned k = rows[i].first; k <= rows[i].last; k++)
			buf_printf(&text, "%s%u%s", rows[i].before, k, rows[i].behind);
		buf_puts(&text, "\nend\n");
		assert_int_equal(capture_file_read(buf_span(&text), "t", &d, &c),
				 rows[i].message ? -E2BIG : 0);
		if (rows[i].message)
			assert_string_equal(d.items[0].text, rows[i].message);
		buf_done(&text);
		diag_done(&d);
		capture_done(&c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(faults_are_named_with_their_line),
		cmocka_unit_test(long_files_meet_their_limits),
		cmocka_unit_test(counts_meet_their_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
