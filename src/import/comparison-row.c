/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One row of a table, cut into its cells. */
#include "import/comparison.h"

#include <string.h>

#include "base/str.h"
#include "import/fio-scan.h"

static struct slice trim(const char *s, const char *end)
{
	while (s < end && str_is_space(*s))
		s++;
	while (end > s && str_is_space(end[-1]))
		end--;
	return (struct slice){ s, (size_t)(end - s) };
}

static struct slice last_word(struct slice s)
{
	const char *p = s.s + s.len;

	while (p > s.s && !str_is_space(p[-1]))
		p--;
	return (struct slice){ p, (size_t)(s.s + s.len - p) };
}

static bool slice_is(struct slice s, const char *text)
{
	return strlen(text) == s.len && !memcmp(s.s, text, s.len);
}

bool comparison_take_signed(struct slice s, uint64_t factor, int64_t *ret,
			    unsigned int *ret_places)
{
	char text[40];
	struct scan sc = { text };
	struct decimal d;
	bool minus;
	uint64_t v;

	if (!s.len || s.len >= sizeof(text))
		return false;
	memcpy(text, s.s, s.len);
	text[s.len] = '\0';
	minus = *sc.p == '-';
	sc.p += minus;
	if (!str_is_digit(*sc.p) || !scan_decimal(&sc, &d) || *sc.p ||
	    !decimal_scale(d, factor, &v) || v > INT64_MAX)
		return false;
	*ret = minus ? -(int64_t)v : (int64_t)v;
	*ret_places = d.places;
	return true;
}

bool comparison_is_number(struct slice s)
{
	unsigned int places;
	int64_t v;

	return comparison_take_signed(s, 1000000, &v, &places);
}

bool comparison_take_value(struct slice s, int64_t *ret, unsigned int *ret_places)
{
	return s.len && *s.s != '-' &&
	       comparison_take_signed(s, 1000000, ret, ret_places);
}

bool comparison_is_no_number(struct slice s)
{
	return slice_is(s, "nan") || slice_is(s, "-nan") || slice_is(s, "inf") ||
	       slice_is(s, "-inf");
}

/* ---- rows with changes --------------------------------------------------------------------- */

/* The bracket that ends "( 0.00%)" or "* 5.40%*", of this cell and no other. */
static const char *find_close(const char *open)
{
	char bracket = *open == '(' ? ')' : '*';

	for (const char *p = open + 1; *p && *p != '('; p++) {
		if (*p == bracket && p[-1] == '%')
			return p;
	}
	return NULL;
}

/*
 * "System min 9.14 ( 0.00%) 9.13 ( 0.11%)"; a change that mmtests thinks significant stands
 * between asterisks. Cells are split by their brackets, so that a damaged one harms no other.
 */
static bool split_changes(const char *s, struct row *ret)
{
	struct row row = { 0 };
	const char *open;
	bool sane = false; /* at least one change can be read */

	for (; (open = strpbrk(s, "(*")) != NULL && row.n < COMPARISON_COLUMNS;) {
		const char *close = find_close(open);
		struct slice before = trim(s, open), value = last_word(before), change;

		if (!close)
			break;
		change = trim(open + 1, close - 1);
		if (!row.n)
			row.name = trim(before.s, value.s);
		else if (value.len != before.len)
			return false; /* words between cells: prose */
		sane |= comparison_is_number(change) || comparison_is_no_number(change);
		row.cells[row.n++] = (struct cell){ value, change };
		s = close + 1;
	}
	while (str_is_space(*s))
		s++;
	row.rest = *s != '\0';
	*ret = row;
	return sane;
}

/* ---- rows of iostat -------------------------------------------------------------------------- */

/* "Mean sda-r_await" */
static bool is_iostat_name(const char *first, size_t len, const char *second,
			   size_t second_len)
{
	static const char *const rows[] = { "Mean", "Max", "Min", "Stddev" };
	static const char *const metrics[] = { "-avgqz", "-avgqusz", "-avgrqsz",
					       "-await", "-r_await", "-w_await",
					       "-svctm", "-util",    "-rrqm",
					       "-wrqm" };
	bool known = false;

	for (size_t i = 0; i < array_size(rows); i++)
		known |= slice_is((struct slice){ first, len }, rows[i]);
	if (!known)
		return false;
	for (size_t i = 0; i < array_size(metrics); i++) {
		size_t n = strlen(metrics[i]);

		if (second_len > n && !memcmp(second + second_len - n, metrics[i], n))
			return true;
	}
	return false;
}

bool comparison_same_places(const struct row *row)
{
	unsigned int places, first = 0;
	int64_t v;

	for (size_t i = 0; i < row->n; i++) {
		if (!comparison_take_value(row->cells[i].value, &v, &places))
			return false;
		if (!i)
			first = places;
		if (places != first)
			return false;
	}
	return true;
}

static bool split_values(const char *s, struct row *ret)
{
	size_t first = strcspn(s, " "), gap = strspn(s + first, " ");
	const char *second = s + first + gap;
	size_t second_len = strcspn(second, " ");
	struct row row = { .name = { s, (size_t)(second + second_len - s) } };

	if (!is_iostat_name(s, first, second, second_len))
		return false;
	for (s = second + second_len; row.n < COMPARISON_COLUMNS;) {
		s += strspn(s, " ");
		if (!*s)
			break;
		row.cells[row.n].value = (struct slice){ s, strcspn(s, " ") };
		s += row.cells[row.n++].value.len;
	}
	row.rest = *s != '\0';
	*ret = row;
	return true;
}

bool comparison_split(const char *s, struct row *ret, bool *ret_changes)
{
	*ret_changes = false;
	if (split_values(s, ret))
		return true;
	*ret_changes = true;
	return split_changes(s, ret);
}
