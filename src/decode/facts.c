/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Items of posted numbers: one fact a line, see fact_parse_line(). */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "decode/part.h"

int part_add_fact(struct decode *d, struct part *p, struct fact f)
{
	struct fact *slot = arena_push(d->arena, &p->facts, &p->n_facts, &p->cap_facts,
				       sizeof(*slot));

	if (!slot)
		return -ENOMEM;
	*slot = f;
	return 0;
}

const struct fact *part_fact(const struct part *p, enum fact_id id, uint32_t i)
{
	for (size_t k = 0; k < p->n_facts; k++)
		if (p->facts[k].key.id == id && p->facts[k].key.i == i)
			return &p->facts[k];
	return NULL;
}

const char *part_text(const struct part *p, enum fact_id id)
{
	const struct fact *f = part_fact(p, id, 0);

	return f ? f->text : NULL;
}

int decode_facts(struct decode *d, struct part *p, const struct cap_item *item)
{
	const char *s = (const char *)item->body.data, *end = s + item->body.len;
	struct fact_origin origin = { .item = arena_strdup(d->arena, item->id),
				      .file = p->snapshot.file };

	if (!origin.item)
		return -ENOMEM;
	for (uint32_t line = 1; s < end; line++) {
		const char *stop = memchr(s, '\n', (size_t)(end - s));
		size_t len = (size_t)((stop ? stop : end) - s);
		struct fact f = { .trust = TRUST_TEXT, .origin = origin };
		int r = len ? fact_parse_line(d->arena, s, len, &f) : -EINVAL;

		if (r == -ENOMEM)
			return r;
		if (r == 0)
			r = part_add_fact(d, p, f);
		else if (len)
			diag_add(d->diag, DIAG_WARNING, p->snapshot.file, 0,
				 "line %u of item %s is no fact and was left out", line,
				 item->id);
		if (r == -ENOMEM)
			return r;
		s += len + 1;
	}
	return 0;
}

static int month_of(const char *name)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	const char *at = strlen(name) == 3 ? strstr(months, name) : NULL;

	return at && (at - months) % 3 == 0 ? (int)((at - months) / 3) : -1;
}

/* Days since 1970-01-01 of the proleptic Gregorian calendar. */
static int64_t days_of(int year, int month, int day)
{
	static const int before[] = { 0,   31,	59,  90,  120, 151,
				      181, 212, 243, 273, 304, 334 };
	int64_t y = year - (month < 2); /* leap days up to the end of the last February */

	return (int64_t)(year - 1970) * 365 + (y / 4 - y / 100 + y / 400) - 477 +
	       before[month] + day - 1;
}

bool local_time_parse(const char *text, int64_t *ret_ms)
{
	char weekday[4], month[4];
	int day, hour, minute, second, year, m;

	if (sscanf(text, "%3s %3s %2d %2d:%2d:%2d %4d", weekday, month, &day, &hour,
		   &minute, &second, &year) != 7)
		return false;
	m = month_of(month);
	if (m < 0 || year < 1990 || year > 9999 || day < 1 || day > 31 || hour < 0 ||
	    hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60)
		return false;
	*ret_ms = (((days_of(year, m, day) * 24 + hour) * 60 + minute) * 60 + second) *
		  1000;
	return true;
}
