/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "history/query.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "history/changes.h"
#include "history/sql.h"

/*
 * Times are kept once, in run. A series of a year has a row an hour: looking each of their times up
 * costs more than reading all the rows, so the times are read once for all series.
 */
struct run_time {
	int64_t run, at;
};

struct reader {
	struct history *h;
	struct arena *arena;
	int64_t subject, from_run;
	struct run_time *runs; /* by run, from FROM_RUN on */
	size_t n, cap;
	int64_t *ends; /* the last run of each slot; by run */
	size_t n_ends, cap_ends;
	struct point *scratch; /* as long as RUNS: a series has a row a run at most */
};

static void read_runs(struct reader *r)
{
	sql_start(r->h, SQL_RUNS, "i", r->from_run);
	while (sql_next(r->h, SQL_RUNS)) {
		struct run_time *t =
			arena_push(r->arena, &r->runs, &r->n, &r->cap, sizeof(*t));

		if (!t) {
			sql_out_of_memory(r->h);
			return;
		}
		*t = (struct run_time){ .run = sql_int(r->h, SQL_RUNS, 0),
					.at = sql_int(r->h, SQL_RUNS, 1) };
	}
}

/* A clock that was set back makes a slot begin again: it has several ends then. */
static void find_ends(struct reader *r, const struct time_slots *slots)
{
	for (size_t i = 0; i < r->n; i++) {
		int64_t *end;

		if (i + 1 < r->n && time_slot(slots, r->runs[i].at) ==
					    time_slot(slots, r->runs[i + 1].at))
			continue;
		end = arena_push(r->arena, &r->ends, &r->n_ends, &r->cap_ends,
				 sizeof(*end));
		if (!end) {
			sql_out_of_memory(r->h);
			return;
		}
		*end = r->runs[i].run;
	}
}

/*
 * The row that a statement stands at. *AT is the place of the row before in RUNS; false when nothing
 * is known of the row's run.
 */
static bool take_point(struct reader *r, enum sql_id q, size_t *at, struct point *ret)
{
	int64_t run = sql_int(r->h, q, 0);

	while (*at < r->n && r->runs[*at].run < run)
		++*at;
	if (*at == r->n || r->runs[*at].run != run)
		return false;
	*ret = (struct point){ .at = r->runs[*at].at,
			       .span = sql_int(r->h, q, 1),
			       .value = sql_int(r->h, q, 2) };
	return true;
}

static size_t read_all(struct reader *r, int64_t row)
{
	size_t n = 0, at = 0;

	sql_start(r->h, SQL_SAMPLES, "iii", r->subject, row, r->from_run);
	while (sql_next(r->h, SQL_SAMPLES))
		if (n < r->n && take_point(r, SQL_SAMPLES, &at, &r->scratch[n]))
			n++;
	return n;
}

/* No more than one row of each is read, however long the series is. */
static size_t read_outline(struct reader *r, int64_t row)
{
	size_t n = 0, at = 0;
	int64_t last;

	sql_start(r->h, SQL_SAMPLE_FIRST, "iii", r->subject, row, r->from_run);
	while (sql_next(r->h, SQL_SAMPLE_FIRST))
		if (n < r->n && take_point(r, SQL_SAMPLE_FIRST, &at, &r->scratch[n]))
			n++;
	for (size_t i = 0; i < r->n_ends && n > 0; i++) {
		last = r->runs[at].run;
		if (r->ends[i] <= last)
			continue;
		sql_start(r->h, SQL_SAMPLE_LAST, "iiii", r->subject, row, last,
			  r->ends[i]);
		while (sql_next(r->h, SQL_SAMPLE_LAST))
			if (n < r->n &&
			    take_point(r, SQL_SAMPLE_LAST, &at, &r->scratch[n]))
				n++;
	}
	return n;
}

static void read_series(struct reader *r, int64_t row, struct series *s)
{
	const int64_t none = INT64_MIN;

	s->n = r->ends ? read_outline(r, row) : read_all(r, row);
	s->points = arena_alloc(r->arena, (s->n + 1) * sizeof(*s->points));
	if (!s->points) {
		sql_out_of_memory(r->h);
		return;
	}
	if (s->n)
		memcpy(s->points, r->scratch, s->n * sizeof(*s->points));
	s->before = sql_get(r->h, SQL_SAMPLE_BEFORE, none, "iii", r->subject, row,
			    r->from_run);
	s->has_before = s->before != none;
}

static struct reader begin_reading(struct history *h, struct arena *a, int64_t subject,
				   int64_t from, const struct time_slots *slots)
{
	struct reader r = { .h = h, .arena = a, .subject = subject };

	r.from_run = sql_get(h, SQL_RUN_FROM, INT64_MAX, "i", from);
	read_runs(&r);
	if (slots)
		find_ends(&r, slots);
	r.scratch = arena_alloc(a, (r.n + 1) * sizeof(*r.scratch));
	if (!r.scratch)
		sql_out_of_memory(h);
	return r;
}

static int by_key(const void *a, const void *b)
{
	const struct series *x = a, *y = b;

	if (x->key.id != y->key.id)
		return x->key.id < y->key.id ? -1 : 1;
	return x->key.i < y->key.i ? -1 : x->key.i > y->key.i;
}

void query_series(struct history *h, struct arena *a, int64_t subject, int64_t from,
		  const struct time_slots *slots, struct series_list *ret)
{
	const enum sql_id q = SQL_NOW_ALL;
	struct {
		int64_t row, value;
	} rows[512];
	struct reader r = begin_reading(h, a, subject, from, slots);
	size_t n = 0;

	(void)fact_row_key(h, 0, &(struct fact_key){ 0 });
	sql_start(h, q, "i", subject);
	while (sql_next(h, q))
		if (n < array_size(rows)) {
			rows[n].row = sql_int(h, q, 0);
			rows[n++].value = sql_int(h, q, 1);
		}
	for (size_t i = 0; i < n && !h->error; i++) {
		struct fact_key key;
		struct series *s;

		if (!fact_row_key(h, rows[i].row, &key))
			continue;
		s = arena_push(a, &ret->items, &ret->n, &ret->cap, sizeof(*s));
		if (!s) {
			sql_out_of_memory(h);
			return;
		}
		*s = (struct series){ .key = key, .now = rows[i].value };
		read_series(&r, rows[i].row, s);
	}
	if (ret->n)
		qsort(ret->items, ret->n, sizeof(*ret->items), by_key);
}

void query_changes(struct history *h, struct arena *a, int64_t subject, int64_t from,
		   struct change_list *ret)
{
	const enum sql_id q = SQL_MESSAGES;

	sql_start(h, q, "ii", subject, from);
	while (sql_next(h, q)) {
		struct change *c =
			arena_push(a, &ret->items, &ret->n, &ret->cap, sizeof(*c));

		if (!c) {
			sql_out_of_memory(h);
			return;
		}
		*c = change_of_row(h, a, q);
	}
}

int64_t query_bay(struct history *h, const char *port)
{
	return sql_get(h, SQL_BAY_GET, 0, "t", port);
}

int64_t query_bay_first(struct history *h, int64_t bay)
{
	return sql_get(h, SQL_BAY_FIRST, 0, "i", bay);
}

int64_t query_last_run(struct history *h)
{
	return sql_get(h, SQL_RUN_LAST, 0, "");
}
