/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports that went through a log or ran on many hosts have something before every line: "Aug  2
 * 14:42:08 host cron[12]: ". It shows where "=== START OF" does not begin its line; the lines around
 * with the same shape, digits apart, lose it too.
 */
#include <string.h>

#include "base/str.h"
#include "import/smartctl.h"

#define PREFIX_MAX 120u
#define RUN_MIN	   4u

static bool is_like(const char *prefix, const struct text_line *line, size_t len)
{
	size_t n = line->len < len ? line->len : len;

	for (size_t i = 0; i < n; i++) {
		bool digits = str_is_digit(prefix[i]) && str_is_digit(line->s[i]);

		if (prefix[i] != line->s[i] && !digits)
			return false;
	}
	/* an empty line of the report: its spaces were cut */
	return n && !prefix[n + strspn(prefix + n, " ")] ? true : n == len;
}

static void cut(struct text_line *line, size_t len)
{
	size_t n = line->len < len ? line->len : len;
	size_t spaces;

	line->s += n;
	spaces = strspn(line->s, " ");
	line->s += spaces;
	line->len -= (uint32_t)(n + spaces);
	line->indent = (uint16_t)spaces;
}

static void cut_run(struct text *t, size_t at, size_t len)
{
	char prefix[PREFIX_MAX + 1];
	size_t first = at, end = at + 1;

	memcpy(prefix, t->lines[at].s, len);
	prefix[len] = '\0';
	while (first && is_like(prefix, &t->lines[first - 1], len))
		first--;
	while (end < t->n && is_like(prefix, &t->lines[end], len))
		end++;
	for (size_t i = first; i < end && end - first >= RUN_MIN; i++)
		if (t->lines[i].state == LINE_OPEN)
			cut(&t->lines[i], len);
}

void smart_cut_prefixes(struct text *t)
{
	for (size_t i = 0; i < t->n; i++) {
		const char *start = strstr(t->lines[i].s, "=== START OF ");
		size_t len = start ? (size_t)(start - t->lines[i].s) : 0;

		if (len && len <= PREFIX_MAX)
			cut_run(t, i, len);
	}
}
