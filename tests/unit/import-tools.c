/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every tests/import/tool-*.txt is mangled and cut in many ways. What stands in a list (the third
 * run, the second row) gets another place when its head is cut off, so values are compared by name
 * without that place: each number of the mangled text must be one of the whole text. Speaks TAP.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/attrs.h"
#include "base/buf.h"
#include "base/str.h"
#include "import-mangle.h"
#include "import/import.h"

#define CUTS 200u

static char text[1u << 20];
static size_t len;
static bool good;

struct set {
	char **items;
	size_t n, cap;
};

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* What is said by name or by place, and not measured. */
static bool is_count_of_places(const char *s)
{
	return str_starts(s, "read[].batch=") || str_starts(s, "disk[].batch=") ||
	       str_starts(s, "comparison_row[].table=");
}

/* "read[12].bytes=3 @7" as "read[].bytes=3"; a text is none. */
static void add_line(struct set *set, const char *line, size_t n)
{
	static const char *const lists[] = { "read[", "disk[", "comparison_row[" };
	const char *equal = memchr(line, '=', n), *place;
	struct buf b = { 0 };

	if (!equal || equal[1] == '"')
		return;
	place = memchr(equal, ' ', n - (size_t)(equal - line));
	n = place ? (size_t)(place - line) : n;
	for (size_t i = 0; i < array_size(lists); i++) {
		const char *shut = memchr(line, ']', n);

		if (strncmp(line, lists[i], strlen(lists[i])) != 0 || !shut)
			continue;
		buf_puts(&b, lists[i]);
		n -= (size_t)(shut - line);
		line = shut;
	}
	buf_add(&b, line, n);
	if (is_count_of_places(buf_text(&b))) {
		buf_done(&b);
		return;
	}
	if (set->n == set->cap) {
		set->cap = set->cap ? 2 * set->cap : 256;
		set->items = realloc(set->items, set->cap * sizeof(*set->items));
		if (!set->items)
			abort();
	}
	set->items[set->n++] = b.data;
}

/* Pages of bytes count as one number each. */
static void add_item(struct set *set, const struct cap_item *item)
{
	const char *p = (const char *)item->body.data, *end = p + item->body.len;
	struct buf b = { 0 };

	if (str_starts(item->id, "facts/")) {
		while (p < end) {
			const char *stop = memchr(p, '\n', (size_t)(end - p));

			add_line(set, p, (size_t)(stop - p));
			p = stop + 1;
		}
		return;
	}
	for (; p < end; p++)
		buf_printf(&b, "%02x", (uint8_t)*p);
	buf_printf(&b, "=%s", "0");
	add_line(set, buf_text(&b), b.len);
	buf_done(&b);
}

static struct set read_set(const char *data, size_t n)
{
	struct capture c = { 0 };
	struct diag d = { 0 };
	struct import_stats st = { 0 };
	struct set set = { 0 };
	/* on the heap and exact, so that a read beyond its end is seen */
	char *copy = malloc(n ? n : 1);

	if (!copy)
		abort();
	memcpy(copy, data, n);
	(void)!import_read(span_of(copy, n), "tool.txt", &c, &d, &st);
	for (size_t i = 0; i < c.n_subjects; i++)
		for (size_t k = 0; k < c.subjects[i].snapshots[0].n_items; k++)
			add_item(&set, &c.subjects[i].snapshots[0].items[k]);
	free(copy);
	capture_done(&c);
	diag_done(&d);
	if (set.n)
		qsort(set.items, set.n, sizeof(*set.items), compare);
	return set;
}

static void free_set(struct set *set)
{
	for (size_t i = 0; i < set->n; i++)
		free(set->items[i]);
	free(set->items);
}

static void check(const struct set *whole, const char *data, size_t n, size_t at_least,
		  const char *what, size_t at)
{
	struct set part = read_set(data, n);

	for (size_t i = 0; i < part.n; i++) {
		if (whole->n && bsearch(&part.items[i], whole->items, whole->n,
					sizeof(*whole->items), compare))
			continue;
		good = false;
		(void)printf("# %s at %zu: %.120s is not in the whole text\n", what, at,
			     part.items[i]);
		break;
	}
	if (part.n < at_least) {
		good = false;
		(void)printf("# %s at %zu: %zu of %zu numbers\n", what, at, part.n,
			     whole->n);
	}
	free_set(&part);
}

/* Line numbers and words alone on their line can be told from a text only when there are many. */
static bool is_short(void)
{
	size_t lines = 0;

	for (size_t i = 0; i < len; i++)
		lines += text[i] == '\n';
	return lines < 12;
}

/* A table with empty cells is nothing without its columns. */
static bool needs_columns(enum mangle how)
{
	return memmem(text, len, "\xe2\x94\x80sda1 ", 8) &&
	       (how == MANGLE_COLLAPSE || how == MANGLE_QUOTE_WRAP || how == MANGLE_WRAP);
}

static size_t floor_of(enum mangle how, size_t n)
{
	if (needs_columns(how))
		return 0;
	if (is_short() && (how == MANGLE_NUMBERS || how == MANGLE_BARE_NUMBERS))
		return 0;
	if (how < MANGLE_LOSSLESS_COUNT)
		return n;
	return how == MANGLE_WRAP || how == MANGLE_QUOTE_WRAP ? n / 2 : 0;
}

static void mangle_text(const struct set *whole)
{
	for (unsigned how = 0; how < MANGLE_COUNT; how++) {
		struct mangle_text m;

		if (how == MANGLE_LOG)
			continue; /* nothing says where such a text begins */
		m = mangle((enum mangle)how, text, len);
		check(whole, m.data, m.len, floor_of((enum mangle)how, whole->n),
		      mangle_name((enum mangle)how), 0);
		free(m.data);
	}
}

static void cut_text(const struct set *whole, size_t at)
{
	check(whole, text, at, 0, "cut", at);
	check(whole, text + at, len - at, 0, "head cut off", at);
}

static void cut_everywhere(const struct set *whole)
{
	unsigned random = 20120802;

	for (size_t i = 0; i < len; i++)
		if (text[i] == '\n')
			cut_text(whole, i + 1);
	for (unsigned i = 0; i < CUTS; i++) {
		random = random * 1664525u + 1013904223u;
		cut_text(whole, (random >> 8) % len);
	}
}

static bool read_text(const char *folder, const char *name)
{
	char path[8192];
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	f = fopen(path, "rb");
	len = f ? fread(text, 1, sizeof(text), f) : 0;
	if (f)
		(void)fclose(f);
	return len > 0;
}

int main(void)
{
	const char *src = getenv("top_srcdir");
	char folder[4096];
	unsigned n = 0, bad = 0;
	DIR *d;

	(void)snprintf(folder, sizeof(folder), "%s/tests/import", src ? src : ".");
	d = opendir(folder);
	for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
		struct set whole;

		if (!str_starts(e->d_name, "tool-"))
			continue;
		good = read_text(folder, e->d_name);
		whole = read_set(text, len);
		if (!whole.n)
			(void)printf("# no number was found in it\n");
		good &= whole.n > 0;
		if (good) {
			mangle_text(&whole);
			cut_everywhere(&whole);
		}
		free_set(&whole);
		bad += !good;
		(void)printf("%sok %u - %s keeps its numbers\n", good ? "" : "not ", ++n,
			     e->d_name);
	}
	if (d)
		(void)closedir(d);
	(void)printf("1..%u\n", n);
	return bad || !n;
}
