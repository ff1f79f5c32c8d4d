/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dump-facts FILE: what the importers read from a posted text, one fact a line without its place,
 * subjects one after another with a line "--" between them. A helper of the scripts in
 * tests/import, not a test.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/attrs.h"
#include "base/str.h"
#include "import/import.h"

static int read_all(const char *path, struct buf *ret)
{
	FILE *f cleanup_file = fopen(path, "rb");
	char block[65536];
	size_t n;

	if (!f)
		return -errno;
	while ((n = fread(block, 1, sizeof(block), f)) > 0)
		buf_add(ret, block, n);
	return ferror(f) ? -EIO : buf_error(ret);
}

static int print_line(struct arena *a, const char *line, size_t len)
{
	struct fact f = { 0 };
	struct buf text cleanup_buf = { 0 };
	int r = fact_parse_line(a, line, len, &f);

	if (r < 0) {
		fprintf(stderr, "dump-facts: not a fact: %.*s\n", (int)len, line);
		return r;
	}
	f.origin.line = 0;
	fact_add_line(&text, &f);
	fputs(buf_text(&text), stdout);
	return buf_error(&text);
}

static int print_item(struct arena *a, const struct cap_item *item)
{
	const char *s = (const char *)item->body.data;
	const char *end = s + item->body.len;
	int r = 0;

	if (!str_starts(item->id, "facts/"))
		return 0;
	while (r == 0 && s < end) {
		const char *newline = memchr(s, '\n', (size_t)(end - s));
		size_t len = (size_t)((newline ? newline : end) - s);

		if (len)
			r = print_line(a, s, len);
		s += len + 1;
	}
	return r;
}

static int print_subject(struct arena *a, const struct cap_subject *subject)
{
	int r = 0;

	for (size_t i = 0; i < subject->n_snapshots; i++)
		for (size_t j = 0; r == 0 && j < subject->snapshots[i].n_items; j++)
			r = print_item(a, &subject->snapshots[i].items[j]);
	return r;
}

int main(int argc, char **argv)
{
	struct capture c = { 0 };
	struct diag d = { 0 };
	struct import_stats stats;
	struct arena a = { 0 };
	struct buf text cleanup_buf = { 0 };
	int r;

	if (argc != 2)
		return 64;
	r = read_all(argv[1], &text);
	if (r == 0)
		r = import_read(buf_span(&text), argv[1], &c, &d, &stats);
	for (size_t i = 0; r == 0 && i < c.n_subjects; i++) {
		if (i)
			puts("--");
		r = print_subject(&a, &c.subjects[i]);
	}
	if (r < 0)
		fprintf(stderr, "dump-facts: %s: %s\n", argv[1], strerror(-r));
	arena_done(&a);
	diag_done(&d);
	capture_done(&c);
	return r < 0 || fflush(stdout) == EOF;
}
