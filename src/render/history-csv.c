/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of all points: a year has tens of thousands of rows, so no row goes through printf. */
#include <errno.h>
#include <time.h>

#include "render/history.h"

#define DAY 86400

/* The day that the row before stood in: its text is that of most rows. */
struct day {
	bool known;
	int64_t number; /* of days since 1970 */
	char text[32];	/* "2026-01-31T" */
	size_t len;	/* 0: the calendar does not have it */
};

static void find_day(struct day *d, int64_t number)
{
	time_t t = (time_t)(number * DAY);
	struct tm tm = { 0 };

	if (d->known && d->number == number)
		return;
	d->known = true;
	d->number = number;
	d->len = gmtime_r(&t, &tm) ? strftime(d->text, sizeof(d->text), "%Y-%m-%dT", &tm)
				   : 0;
}

static void put_two(char *to, int64_t n)
{
	to[0] = (char)('0' + n / 10);
	to[1] = (char)('0' + n % 10);
}

/* 2026-01-31T03:00:00Z: times in files are UTC. */
static void add_time(struct buf *b, struct day *d, int64_t at)
{
	char clock[] = "00:00:00Z";
	int64_t number = at / DAY - (at % DAY < 0), second = at - number * DAY;

	find_day(d, number);
	if (!d->len)
		return;
	put_two(clock, second / 3600);
	put_two(clock + 3, second / 60 % 60);
	put_two(clock + 6, second % 60);
	buf_add(b, d->text, d->len);
	buf_add(b, clock, sizeof(clock) - 1);
}

int render_history_csv(const struct past_view *v, struct buf *ret)
{
	struct day day = { 0 };

	buf_puts(ret, "time,name,value,seconds\n");
	for (size_t i = 0; i < v->n; i++) {
		struct buf name cleanup_buf = { 0 };

		buf_putc(&name, ',');
		fact_add_name(&name, v->series[i].key);
		buf_putc(&name, ',');
		for (size_t k = 0; k < v->series[i].n; k++) {
			const struct point *p = &v->series[i].points[k];

			add_time(ret, &day, p->at);
			buf_add(ret, buf_text(&name), name.len);
			buf_put_s64(ret, p->value);
			buf_putc(ret, ',');
			if (p->span)
				buf_put_s64(ret, p->span);
			buf_putc(ret, '\n');
		}
		if (buf_error(&name) < 0)
			return -ENOMEM;
	}
	return buf_error(ret);
}
