/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Items of posted numbers: one fact a line, see fact_parse_line(). */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/calendar.h"
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

/* Posted as the temperature, but none: kept under another name, so that nobody takes it for one. */
static void set_placeholder_aside(struct fact *f)
{
	if (f->key.id == FACT_TEMPERATURE && !is_celsius(f->s))
		f->key.id = FACT_TEMPERATURE_NONE;
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
		if (r == 0) {
			set_placeholder_aside(&f);
			r = part_add_fact(d, p, f);
		} else if (len) {
			diag_add(d->diag, DIAG_WARNING, p->snapshot.file, 0,
				 "line %u of item %s is no fact and was left out", line,
				 item->id);
		}
		if (r == -ENOMEM)
			return r;
		s += len + 1;
	}
	return 0;
}

bool local_time_parse(const char *text, int64_t *ret_ms)
{
	char weekday[4], month[4];
	int day, hour, minute, second, year;
	struct calendar_date d;

	if (sscanf(text, "%3s %3s %2d %2d:%2d:%2d %4d", weekday, month, &day, &hour,
		   &minute, &second, &year) != 7)
		return false;
	d = (struct calendar_date){ year, calendar_month(month), (unsigned)day };
	if (day < 1 || !calendar_is_date(d) || year < 1990 || hour < 0 || hour > 23 ||
	    minute < 0 || minute > 59 || second < 0 || second > 60)
		return false;
	*ret_ms = (((calendar_days(d) * 24 + hour) * 60 + minute) * 60 + second) * 1000;
	return true;
}
