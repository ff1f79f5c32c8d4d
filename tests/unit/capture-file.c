/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "capture/file.h"

/* ---- helpers ---- */

static struct capture read_text(const char *text, size_t len)
{
	struct capture c = { 0 };
	struct diag d = { 0 };
	int k = capture_file_read(span_of(text, len), "t.cap", &d, &c);

	if (d.n)
		print_message("# line %u: %s\n", (unsigned)d.items[0].line,
			      d.items[0].text);
	assert_int_equal(k, 0);
	assert_int_equal(d.n, 0);
	diag_done(&d);
	return c;
}

static void assert_written(const struct capture *c, const char *comment, const char *want)
{
	struct buf out = { 0 };

	assert_int_equal(capture_file_write(c, comment, &out), 0);
	assert_string_equal(buf_text(&out), want);
	buf_done(&out);
}

/* Read IN, and expect WANT when it is written. */
static void assert_rewritten(const char *in, const char *want)
{
	struct capture c = read_text(in, strlen(in));

	assert_written(&c, NULL, want);
	capture_done(&c);
}

static struct cap_item *add_item(struct capture *c, const char *id, const void *data,
				 size_t len)
{
	struct cap_item *item;

	if (!c->n_subjects) {
		struct cap_subject *s = capture_add_subject(c, CAP_DRIVE);

		assert_non_null(s);
		assert_non_null(capture_add_snapshot(c, s, CAP_IMPORT, NULL));
	}
	item = capture_add_item(c, &c->subjects[0].snapshots[0], id, CAP_OK,
				span_of(data, len));
	assert_non_null(item);
	return item;
}

/* ---- what is written ---- */

#define HEAD "capture 1\nsubject drive 1\nsnapshot 1 role=import\n"

static void bodies_choose_their_form(void **state)
{
	static const struct {
		const char *body;
		size_t len;
		const char *want;
	} rows[] = {
		{ "", 0, "" },
		{ "one\n", 4, "| one\n" },
		{ "  two\\x\n\n", 9, "|   two\\x\n|\n" },
		{ "zuf\xc3\xa4llig\n", 10, "| zuf\xc3\xa4llig\n" },
		/* an escape where mail or a terminal would do harm */
		{ "ends in space \n", 15, "\\ ends in space\\x20\n" },
		{ "tab\there\\0\n", 11, "\\ tab\\x09here\\\\0\n" },
		{ "latin \xe4 one\n", 12, "\\ latin \\xe4 one\n" },
		{ "turned \xe2\x80\xae round, and quite some text\n", 38,
		  "\\ turned \\xe2\\x80\\xae round, and quite some text\n" },
		/* no text: no newline at the end, NUL, too much to escape */
		{ "one", 3, "0000 6f 6e 65\n" },
		{ "a\0\n", 3, "0000 61 00 0a\n" },
		{ "\x01\n", 2, "0000 01 0a\n" },
		/* hexdump's star */
		{ "0123456789abcdef", 16,
		  "0000 30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66\n" },
		{ "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 32,
		  "0000 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61\n*\n0020\n" },
		{ "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 33,
		  "0000 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61\n*\n0020 61\n" },
		{ "aaaaaaaaaaaaaaaaaaaaaaaa", 24,
		  "0000 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61\n"
		  "0010 61 61 61 61 61 61 61 61\n" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct capture c = { 0 }, again;
		struct buf want = { 0 };
		const struct cap_item *item;

		(void)add_item(&c, "x", rows[i].body, rows[i].len);
		buf_printf(&want, HEAD "item x ok\n%send\n", rows[i].want);
		assert_written(&c, NULL, buf_text(&want));
		again = read_text(buf_text(&want), want.len);
		item = &again.subjects[0].snapshots[0].items[0];
		assert_int_equal(item->body.len, rows[i].len);
		assert_memory_equal(item->body.data, rows[i].body, rows[i].len);
		buf_done(&want);
		capture_done(&again);
		capture_done(&c);
	}
}

static void heads_are_escaped(void **state)
{
	struct capture c = { 0 };
	struct cap_item *item;

	(void)state;
	item = add_item(&c, "odd id", NULL, 0);
	item->status = CAP_FAILED;
	c.subjects[0].snapshots[0].source = "my drive\n.txt";
	c.subjects[0].snapshots[0].has_time = true;
	c.subjects[0].snapshots[0].taken_ms = 1764525076120;
	assert_int_equal(cap_item_set(&c, item, "error", "EIO"), 0);
	assert_int_equal(cap_item_set(&c, item, "empty", ""), 0);
	assert_int_equal(cap_item_set(&c, item, "text", " a\\b\x1b "), 0);
	assert_written(&c, "made by\nhand",
		       "capture 1\n# made by\\x0ahand\nsubject drive 1\n"
		       "snapshot 1 role=import taken=1764525076.120 "
		       "source=my\\x20drive\\x0a.txt\n"
		       "item odd\\x20id failed error=EIO empty= "
		       "text=\\x20a\\\\b\\x1b\\x20\nend\n");
	capture_done(&c);
}

static void the_largest_head_and_lines_are_read_back(void **state)
{
	struct capture c = { 0 }, again;
	struct cap_item *item = add_item(&c, "x", NULL, 0);
	char *value = arena_alloc(&c.arena, CAP_MAX_HEAD), *line;
	struct buf out = { 0 };

	(void)state;
	assert_non_null(value);
	memset(value, 1, CAP_MAX_HEAD - 4);
	assert_int_equal(cap_item_set(&c, item, "a", value), 0);
	line = arena_alloc(&c.arena, 65536);
	assert_non_null(line);
	memset(line, 'a', 65536);
	for (size_t n = 65532; n < 65536; n++) {
		line[n] = '\n'; /* 65,534 bytes of text fit beside the marker */
		(void)add_item(&c, "y", line, n + 1);
		line[n] = 'a';
	}
	assert_int_equal(capture_file_write(&c, NULL, &out), 0);
	again = read_text(buf_text(&out), out.len);
	assert_string_equal(cap_item_get(&again.subjects[0].snapshots[0].items[0], "a"),
			    value);
	assert_int_equal(again.body_bytes, c.body_bytes);
	buf_clear(&out);
	assert_int_equal(capture_file_write(&again, NULL, &out), 0);
	capture_done(&again);
	again = read_text(buf_text(&out), out.len);
	capture_done(&again);
	capture_done(&c);
	buf_done(&out);
}

/* ---- what is read ---- */

static void loose_forms_are_accepted(void **state)
{
	static const char loose[] =
		"\xef\xbb\xbf\r\n# from a mail\r\n  capture   1 \r\n\r\n"
		"subject host\r\nsubject drive 3 \t\r\n"
		"  snapshot 1 source=a\\x20b taken=12 role=before\r\n"
		"item x/y failed a=\\x41 b=\r\n"
		"# a comment between\r\n"
		"0000 AB cd\r\n0002 0E\r\n\r\n0003\r\n"
		"item t ok\r\n|\r\n| a  \r\n\\ b\\x63\t\r\n"
		"snapshot 2 role=after taken=-1.001\r\n"
		"item e ok\r\n0000\r\nend\r\n \r\n# signature\r\n";

	(void)state;
	assert_rewritten(loose, "capture 1\nsubject host\nsubject drive 3\n"
				"snapshot 1 role=before taken=12.000 source=a\\x20b\n"
				"item x/y failed a=A b=\n0000 ab cd 0e\n"
				"item t ok\n|\n| a\n| bc\n"
				"snapshot 2 role=after taken=-1.001\nitem e ok\nend\n");
	assert_rewritten("capture 1\nend", "capture 1\nend\n");
}

static size_t read_file(const char *name, char *text, size_t size)
{
	const char *src = getenv("top_srcdir");
	char path[4096];
	FILE *f;
	size_t n;

	(void)snprintf(path, sizeof(path), "%s/%s", src ? src : ".", name);
	f = fopen(path, "r");
	assert_non_null(f);
	n = fread(text, 1, size - 1, f);
	text[n] = '\0';
	(void)fclose(f);
	return n;
}

/* The samples are canonical: hand-made, and the writer leaves no byte of them different. */
static void canonical_files_come_back(void **state)
{
	static const char *const names[] = {
		"tests/captures/testdisk-link-errors.cap",
		"tests/captures/testdisk-posted.cap",
		"tests/captures/testdisk-refused.cap",
	};

	(void)state;
	for (size_t i = 0; i < array_size(names); i++) {
		char text[8192];
		size_t n = read_file(names[i], text, sizeof(text));
		struct capture c = read_text(text, n);

		assert_true(c.n_items > 1);
		assert_written(&c, "made by hand: no such drive exists", text);
		capture_done(&c);
	}
}

static void the_manual_shows_a_capture(void **state)
{
	char text[65536], *from, *to;
	struct capture c;

	(void)state;
	(void)read_file("man/drivewhy-capture.5", text, sizeof(text));
	from = strstr(text, "\ncapture 1\n");
	assert_non_null(from);
	to = strstr(from, "\nend\n");
	assert_non_null(to);
	to[5] = '\0';
	c = read_text(from + 1, strlen(from + 1));
	assert_int_equal(c.n_items, 3);
	assert_written(&c, "made by hand: no such drive exists", from + 1);
	capture_done(&c);
}

static void stars_repeat_up_to_the_next_offset(void **state)
{
	static const char text[] =
		HEAD "item x ok\n"
		     "0000 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n*\n"
		     "00a0 01\nend\n";
	struct capture c = read_text(text, strlen(text));
	struct span body = c.subjects[0].snapshots[0].items[0].body;

	(void)state;
	assert_int_equal(body.len, 0xa1);
	for (size_t i = 0; i < 0xa0; i++)
		assert_int_equal(body.data[i], 0);
	assert_int_equal(body.data[0xa0], 1);
	assert_written(&c, NULL, text);
	capture_done(&c);
}

static void files_add_up(void **state)
{
	static const char text[] =
		"capture 1\nsubject drive 1\nsnapshot 1 role=import\n"
		"item a ok\n| x\nsubject host\nsnapshot 1 role=during\n"
		"subject drive 4\nend\n";
	struct capture c = { 0 };
	struct diag d = { 0 };

	(void)state;
	for (int i = 0; i < 2; i++)
		assert_int_equal(capture_file_read(span_of_text(text), "a", &d, &c), 0);
	assert_written(&c, NULL,
		       "capture 1\nsubject drive 1\nsnapshot 1 role=import\nitem a ok\n"
		       "| x\nsubject host\nsnapshot 1 role=during\n"
		       "snapshot 2 role=during\nsubject drive 4\nsubject drive 5\n"
		       "snapshot 1 role=import\nitem a ok\n| x\nsubject drive 8\nend\n");
	assert_int_equal(c.n_items, 2);
	assert_int_equal(c.n_snapshots, 4);
	assert_int_equal(c.body_bytes, 4);
	capture_done(&c);
	diag_done(&d);
}

static void captures_are_recognised(void **state)
{
	static const struct {
		const char *text;
		bool is;
	} rows[] = {
		{ "capture 1\n", true },
		{ "capture 1", true },
		{ "\xef\xbb\xbf"
		  "capture 1\r\n",
		  true },
		{ "\n# comment\ncapture 12\n", true },
		{ "capture\n", false },
		{ "capture one\n", false },
		{ "capture 1 of the drive\n", false },
		{ "captures 1\n", false },
		{ "smartctl 7.3\ncapture 1\n", false },
		{ "", false },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++)
		assert_int_equal(capture_file_is(span_of_text(rows[i].text)), rows[i].is);
	assert_false(capture_file_is(span_of(NULL, 0)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bodies_choose_their_form),
		cmocka_unit_test(heads_are_escaped),
		cmocka_unit_test(the_largest_head_and_lines_are_read_back),
		cmocka_unit_test(loose_forms_are_accepted),
		cmocka_unit_test(canonical_files_come_back),
		cmocka_unit_test(the_manual_shows_a_capture),
		cmocka_unit_test(stars_repeat_up_to_the_next_offset),
		cmocka_unit_test(files_add_up),
		cmocka_unit_test(captures_are_recognised),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
