/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What mail does to a text must not change a number: cut, quoted, wrapped, damaged or with other
 * ends of line, each fact is that of the whole text, or absent.
 */
#include "import-facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const files[] = {
	"fio-2.0.8.txt",      "fio-2.1.11-mixed-dm.txt", "fio-2.2.10-slow.txt",
	"fio-2.16-bytes.txt", "fio-2.20-kib.txt",	 "fio-3.1-carry.txt",
	"fio-3.33-fsync.txt", "comparison.txt",
};

/* Facts of the variant in parts of a thousand of those of the whole. */
static size_t check(const struct imported *whole, const char *text, size_t len,
		    const char *what, bool numbers)
{
	struct imported f;
	size_t n, all = 0;

	imported_read(&f, text, len);
	n = imported_assert_within(whole, &f, what, numbers);
	for (const char *p = buf_text(&whole->facts) + 1; *p; p = strchr(p, '\n') + 1)
		all++;
	imported_done(&f);
	return all ? n * 1000 / all : 1000;
}

typedef void line_change(struct buf *to, const char *line, size_t len);

static void change_nothing(struct buf *to, const char *line, size_t len)
{
	buf_add(to, line, len);
	buf_putc(to, '\n');
}

static void change_crlf(struct buf *to, const char *line, size_t len)
{
	buf_add(to, line, len);
	buf_puts(to, "\r\n");
}

static void change_quoted(struct buf *to, const char *line, size_t len)
{
	buf_puts(to, ">>> > ");
	change_nothing(to, line, len);
}

/* As a mail program breaks long lines: at the last blank before the column. */
static void wrap(struct buf *to, const char *line, size_t len, size_t column, bool hard,
		 const char *quote)
{
	while (len > column) {
		size_t at = column;

		while (!hard && at && line[at] != ' ')
			at--;
		if (!hard && strspn(line, " ") >= at)
			break; /* one word */
		buf_puts(to, quote);
		buf_add(to, line, at);
		buf_putc(to, '\n');
		at += !hard;
		line += at;
		len -= at;
	}
	buf_puts(to, quote);
	change_nothing(to, line, len);
}

static void change_soft(struct buf *to, const char *line, size_t len)
{
	wrap(to, line, len, 76, false, "");
}

static void change_hard(struct buf *to, const char *line, size_t len)
{
	wrap(to, line, len, 76, true, "");
}

static void change_soft_quoted(struct buf *to, const char *line, size_t len)
{
	wrap(to, line, len, 70, false, "> ");
}

/* Quoted first, wrapped then: the rest of a line has no mark. */
static void change_quoted_hard(struct buf *to, const char *line, size_t len)
{
	struct buf b = { 0 };

	buf_puts(&b, "> > > > ");
	buf_add(&b, line, len);
	wrap(to, buf_text(&b), b.len, 76, true, "");
	buf_done(&b);
}

static void change_flush(struct buf *to, const char *line, size_t len)
{
	size_t blanks = 0;

	while (blanks < len && line[blanks] == ' ')
		blanks++;
	change_nothing(to, line + blanks, len - blanks);
}

static void change_squeezed(struct buf *to, const char *line, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (line[i] != ' ' || (i && line[i - 1] != ' '))
			buf_putc(to, line[i]);
	buf_putc(to, '\n');
}

/* Texts that differ from the whole in blanks alone: names with blanks in them are left aside. */
static const struct {
	const char *name;
	line_change *change;
	size_t least; /* parts of a thousand of the facts that must be found again */
	bool blanks;
} changes[] = {
	{ "nothing", change_nothing, 1000, false },
	{ "CR LF", change_crlf, 1000, false },
	{ "quoted 4 deep", change_quoted, 1000, false },
	{ "no indentation", change_flush, 1000, false },
	{ "blanks made one", change_squeezed, 950, true },
	{ "wrapped at 76", change_soft, 950, false },
	{ "wrapped at 70 and quoted", change_soft_quoted, 950, false },
	{ "cut into 76", change_hard, 900, false },
	{ "quoted, cut into 76", change_quoted_hard, 900, false },
};

static void each_line(struct buf *to, const char *text, size_t len, line_change *make)
{
	for (size_t at = 0; at < len;) {
		const char *stop = memchr(text + at, '\n', len - at);
		size_t n = stop ? (size_t)(stop - text) - at : len - at;

		make(to, text + at, n);
		at += n + 1;
	}
}

static void changes_harm_no_number(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(files); i++) {
		size_t len;
		char *text = imported_load(files[i], &len);

		for (size_t k = 0; k < array_size(changes); k++) {
			struct imported whole;
			struct buf base = { 0 }, b = { 0 };
			char what[128];
			size_t found;

			each_line(&base, text, len,
				  changes[k].blanks ? change_squeezed : change_nothing);
			imported_read(&whole, base.data, base.len);
			each_line(&b, text, len, changes[k].change);
			(void)snprintf(what, sizeof(what), "%s, %s", files[i],
				       changes[k].name);
			found = check(&whole, b.data, b.len, what, false);
			if (found < changes[k].least)
				fail_msg("%s: only %zu of 1000 facts", what, found);
			buf_done(&base);
			buf_done(&b);
			imported_done(&whole);
		}
		free(text);
	}
}

static void cuts_harm_no_number(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(files); i++) {
		struct imported whole;
		size_t len;
		char *text = imported_load(files[i], &len);

		imported_read(&whole, text, len);
		for (size_t k = 1; k <= 200; k++) {
			size_t at = len * k / 201;
			char what[128];

			/* a job file's line tells nothing of its own cut, and an end of
			 * line makes a cut text a whole one: see the importer's notes */
			(void)snprintf(what, sizeof(what), "%s cut at %zu", files[i], at);
			if (text[at - 1] != '\n')
				(void)check(&whole, text, at, what, false);
		}
		imported_done(&whole);
		free(text);
	}
}

/* One letter put over each 7th character of a number in turn: the value is gone, or unharmed. */
static void damage_harms_no_other_number(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(files); i++) {
		struct imported whole;
		size_t len;
		char *text = imported_load(files[i], &len);

		imported_read(&whole, text, len);
		for (size_t at = 7; at < len; at += 7) {
			char old = text[at], what[128];

			if (old < '0' || old > '9')
				continue;
			text[at] = 'i';
			(void)snprintf(what, sizeof(what), "%s damaged at %zu", files[i],
				       at);
			(void)check(&whole, text, len, what, true);
			text[at] = old;
		}
		imported_done(&whole);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(changes_harm_no_number),
		cmocka_unit_test(cuts_harm_no_number),
		cmocka_unit_test(damage_harms_no_other_number),
	};

	return cmocka_run_group_tests_name("import-mail", tests, NULL, NULL);
}
