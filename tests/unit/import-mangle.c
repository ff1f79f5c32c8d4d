/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import-mangle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/attrs.h"
#include "base/buf.h"
#include "base/str.h"
#include "import/import.h"

const char *mangle_name(enum mangle how)
{
	static const char *const names[MANGLE_COUNT] = {
		[MANGLE_CRLF] = "CR LF",
		[MANGLE_CR] = "CR only",
		[MANGLE_QUOTE] = "quoted",
		[MANGLE_QUOTE_4] = "quoted four deep",
		[MANGLE_TABS] = "tabs",
		[MANGLE_HARD_SPACES] = "hard spaces",
		[MANGLE_COLLAPSE] = "spaces collapsed",
		[MANGLE_NUMBERS] = "line numbers",
		[MANGLE_BARE_NUMBERS] = "bare line numbers",
		[MANGLE_UTF16] = "UTF-16",
		[MANGLE_LOG] = "in a log",
		[MANGLE_WRAP] = "wrapped",
		[MANGLE_QUOTE_WRAP] = "quoted and wrapped",
		[MANGLE_HARD_WRAP] = "wrapped through words",
		[MANGLE_DOUBLE_SPACED] = "double spaced",
	};

	return names[how];
}

bool mangle_applies(enum mangle how, const char *text, size_t len)
{
	return how != MANGLE_LOG || memmem(text, len, "=== START OF ", 13);
}

size_t mangle_floor(enum mangle how, size_t numbers)
{
	if (how < MANGLE_LOSSLESS_COUNT)
		return numbers;
	/* rows that were wrapped before are not put together over blank lines */
	if (how == MANGLE_DOUBLE_SPACED)
		return 0;
	return how == MANGLE_HARD_WRAP ? numbers / 2 : numbers - numbers / 20;
}

#define COLUMNS 72u

/* --- one line after the other --------------------------------------------------------------- */

static void add_tabs(struct buf *b, const char *s, size_t n)
{
	size_t i = 0;

	while (i + 8 <= n && strncmp(s + i, "        ", 8) == 0) {
		buf_putc(b, '\t');
		i += 8;
	}
	buf_add(b, s + i, n - i);
}

static void add_hard_spaces(struct buf *b, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (s[i] == ' ' && i % 2)
			buf_puts(b, i % 3 ? "\xc2\xa0" : "\xe2\x80\xaf");
		else
			buf_putc(b, s[i]);
	}
}

static void add_collapsed(struct buf *b, const char *s, size_t n)
{
	bool space = true;

	for (size_t i = 0; i < n; i++) {
		bool is = s[i] == ' ' || s[i] == '\t';

		if (!is)
			buf_putc(b, s[i]);
		else if (!space)
			buf_putc(b, ' ');
		space = is;
	}
}

static void add_wrapped(struct buf *b, const char *s, size_t n, const char *prefix,
			bool through)
{
	size_t room = COLUMNS - strlen(prefix);

	buf_puts(b, prefix);
	while (n > room) {
		size_t cut = room;

		while (!through && cut && s[cut] != ' ')
			cut--;
		if (!cut)
			break;
		buf_add(b, s, cut);
		buf_putc(b, '\n');
		cut += !through;
		s += cut;
		n -= cut;
		room = COLUMNS;
	}
	buf_add(b, s, n);
}

/* ENDED: a newline follows; without one the last line stays as it is. */
static void add_line(struct buf *b, enum mangle how, const char *s, size_t n,
		     unsigned number, bool ended)
{
	switch (how) {
	case MANGLE_CRLF:
		buf_add(b, s, n);
		if (ended)
			buf_putc(b, '\r');
		break;
	case MANGLE_QUOTE:
		buf_puts(b, "> ");
		buf_add(b, s, n);
		break;
	case MANGLE_QUOTE_4:
		buf_puts(b, number % 2 ? "> > > > " : ">>>> ");
		buf_add(b, s, n);
		break;
	case MANGLE_TABS:
		add_tabs(b, s, n);
		break;
	case MANGLE_HARD_SPACES:
		add_hard_spaces(b, s, n);
		break;
	case MANGLE_COLLAPSE:
		add_collapsed(b, s, n);
		break;
	case MANGLE_NUMBERS:
		buf_printf(b, "%4u: ", number);
		buf_add(b, s, n);
		break;
	case MANGLE_BARE_NUMBERS:
		buf_printf(b, "%6u\t", number);
		buf_add(b, s, n);
		break;
	case MANGLE_LOG:
		buf_printf(b, "Aug  2 14:42:%02u host cron[%u]: ", number % 60,
			   10 + number % 80);
		buf_add(b, s, n);
		break;
	case MANGLE_WRAP:
		add_wrapped(b, s, n, "", false);
		break;
	case MANGLE_QUOTE_WRAP:
		add_wrapped(b, s, n, "> > > > ", false);
		break;
	case MANGLE_HARD_WRAP:
		add_wrapped(b, s, n, "", true);
		break;
	case MANGLE_DOUBLE_SPACED:
		buf_add(b, s, n);
		if (ended)
			buf_putc(b, '\n');
		break;
	case MANGLE_CR:
	case MANGLE_UTF16:
	case MANGLE_COUNT:
		buf_add(b, s, n);
		break;
	}
}

static void add_utf16(struct buf *b, const char *s, size_t n)
{
	buf_puts(b, "\xff\xfe");
	for (size_t i = 0; i < n; i++) {
		uint8_t c = (uint8_t)s[i];
		size_t more = str_utf8_len(s + i, n - i);
		unsigned wide = c;

		if (more == 2)
			wide = (unsigned)(c & 0x1f) << 6 | (s[i + 1] & 0x3f);
		else if (more == 3)
			wide = (unsigned)(c & 0x0f) << 12 |
			       (unsigned)(s[i + 1] & 0x3f) << 6 | (s[i + 2] & 0x3f);
		if (more > 1)
			i += more - 1;
		buf_putc(b, (char)(wide & 0xff));
		buf_putc(b, (char)(wide >> 8));
	}
}

struct mangle_text mangle(enum mangle how, const char *text, size_t len)
{
	struct buf b = { 0 };
	unsigned number = 1;

	if (how == MANGLE_UTF16) {
		add_utf16(&b, text, len);
		return (struct mangle_text){ b.data, b.len };
	}
	for (size_t at = 0; at < len; number++) {
		const char *end = memchr(text + at, '\n', len - at);
		size_t n = end ? (size_t)(end - (text + at)) : len - at;

		add_line(&b, how, text + at, n, number, end != NULL);
		at += n;
		if (end) {
			buf_putc(&b, how == MANGLE_CR ? '\r' : '\n');
			at++;
		}
	}
	return (struct mangle_text){ b.data, b.len };
}

/* --- numbers of a text ---------------------------------------------------------------------- */

struct number {
	size_t report;
	const char *name;
	size_t name_len;
	const char *value;
	size_t value_len;
};

struct numbers {
	struct capture c;
	struct diag d;
	struct number *items;
	size_t n, cap, reports;
};

static int compare_numbers(const void *a, const void *b)
{
	const struct number *x = a, *y = b;
	size_t n = x->name_len < y->name_len ? x->name_len : y->name_len;
	int r;

	if (x->report != y->report)
		return x->report < y->report ? -1 : 1;
	r = memcmp(x->name, y->name, n);
	if (r || x->name_len == y->name_len)
		return r;
	return x->name_len < y->name_len ? -1 : 1;
}

static void add_numbers(struct numbers *all, struct span body, size_t report)
{
	const char *p = (const char *)body.data, *end = p + body.len;

	while (p < end) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		const char *equal = memchr(p, '=', (size_t)(stop - p));
		const char *place =
			equal ? memchr(equal, ' ', (size_t)(stop - equal)) : NULL;
		struct number n = { .report = report, .name = p, .value = equal + 1 };

		n.name_len = (size_t)(equal - p);
		n.value_len = (size_t)((place ? place : stop) - n.value);
		p = stop + 1;
		if (*n.value == '"')
			continue; /* a text, not a number */
		if (all->n == all->cap) {
			all->cap = all->cap ? all->cap * 2 : 512;
			all->items = realloc(all->items, all->cap * sizeof(n));
			if (!all->items)
				abort();
		}
		all->items[all->n++] = n;
	}
}

static void read_numbers(struct numbers *all, const char *text, size_t len)
{
	struct import_stats st;
	/* on the heap and exact, so that a read beyond its end is seen */
	char *copy = malloc(len ? len : 1);

	*all = (struct numbers){ 0 };
	if (!copy)
		abort();
	memcpy(copy, text, len);
	(void)!import_read(span_of(copy, len), "mangled", &all->c, &all->d, &st);
	free(copy);
	for (size_t i = 0; i < all->c.n_subjects; i++)
		add_numbers(all, all->c.subjects[i].snapshots[0].items[0].body, i);
	all->reports = all->c.n_subjects;
	if (all->n)
		qsort(all->items, all->n, sizeof(*all->items), compare_numbers);
}

static void numbers_done(struct numbers *all)
{
	capture_done(&all->c);
	diag_done(&all->d);
	free(all->items);
}

static bool is_place_in_list(const struct number *n)
{
	static const char *const lists[] = { "error[", "selftest[", "setting[", "farm[" };

	for (size_t i = 0; i < array_size(lists); i++)
		if (n->name_len > strlen(lists[i]) && str_starts(n->name, lists[i]))
			return true;
	return false;
}

static void compare_one(const struct numbers *whole, struct number n,
			struct mangle_result *ret)
{
	const struct number *found =
		whole->n ? bsearch(&n, whole->items, whole->n, sizeof(n), compare_numbers)
			 : NULL;

	if (found && found->value_len == n.value_len &&
	    memcmp(found->value, n.value, n.value_len) == 0) {
		ret->kept++;
		return;
	}
	ret->ok = false;
	(void)snprintf(ret->why, sizeof(ret->why), "report %zu: %.*s is %.*s, not %.*s",
		       n.report, (int)n.name_len, n.name, (int)n.value_len, n.value,
		       found ? (int)found->value_len : 6,
		       found ? found->value : "absent");
}

struct mangle_result mangle_compare(const char *whole, size_t len, const char *part,
				    size_t part_len, enum mangle_part which)
{
	struct mangle_result result = { .ok = true };
	struct numbers a, b;

	read_numbers(&a, whole, len);
	read_numbers(&b, part, part_len);
	result.numbers = a.n;
	if (!a.reports)
		b.n = 0; /* nothing to compare with */
	else if (b.reports > a.reports ||
		 (which == PART_WHOLE && b.reports < a.reports)) {
		result.ok = false;
		(void)snprintf(result.why, sizeof(result.why), "%zu reports, not %zu",
			       b.reports, a.reports);
	}
	for (size_t i = 0; i < b.n && result.ok; i++) {
		struct number n = b.items[i];

		if (which == PART_TAIL && is_place_in_list(&n))
			continue;
		if (which == PART_TAIL)
			n.report += a.reports - b.reports;
		compare_one(&a, n, &result);
	}
	numbers_done(&a);
	numbers_done(&b);
	return result;
}
