/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "history/query.h"

#include <stdlib.h>

#include "base/str.h"
#include "history/sql.h"

static void add_point(struct history *h, struct arena *a, struct series *s)
{
	struct point *p = arena_push(a, &s->points, &s->n, &s->cap, sizeof(*p));

	if (!p) {
		sql_out_of_memory(h);
		return;
	}
	*p = (struct point){ .at = sql_int(h, SQL_SAMPLES, 0),
			     .span = sql_int(h, SQL_SAMPLES, 1),
			     .value = sql_int(h, SQL_SAMPLES, 2) };
}

static void read_series(struct history *h, struct arena *a, int64_t subject, int64_t run,
			int64_t row, struct series *s)
{
	int64_t none = INT64_MIN;

	sql_start(h, SQL_SAMPLES, "iii", subject, row, run);
	while (sql_next(h, SQL_SAMPLES))
		add_point(h, a, s);
	s->before = sql_get(h, SQL_SAMPLE_BEFORE, none, "iii", subject, row, run);
	s->has_before = s->before != none;
}

static int by_key(const void *a, const void *b)
{
	const struct series *x = a, *y = b;

	if (x->key.id != y->key.id)
		return x->key.id < y->key.id ? -1 : 1;
	return x->key.i < y->key.i ? -1 : x->key.i > y->key.i;
}

void query_series(struct history *h, struct arena *a, int64_t subject, int64_t from,
		  struct series_list *ret)
{
	const enum sql_id q = SQL_NOW_ALL;
	struct {
		int64_t row, value;
	} rows[512];
	int64_t run = sql_get(h, SQL_RUN_FROM, INT64_MAX, "i", from);
	size_t n = 0;

	ret->from = from;
	(void)fact_row_key(h, 0, &(struct fact_key){ 0 });
	sql_start(h, q, "i", subject);
	while (sql_next(h, q))
		if (n < array_size(rows)) {
			rows[n].row = sql_int(h, q, 0);
			rows[n++].value = sql_int(h, q, 1);
		}
	for (size_t i = 0; i < n; i++) {
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
		read_series(h, a, subject, run, rows[i].row, s);
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
		const char *code = sql_text(h, a, q, 2);
		int64_t kind = sql_int(h, q, 1), severity = sql_int(h, q, 3);

		if (!c) {
			sql_out_of_memory(h);
			return;
		}
		*c = (struct change){ .at = sql_int(h, q, 0),
				      .text = sql_text(h, a, q, 4),
				      .drive = SIZE_MAX };
		c->kind = kind >= 0 && kind < CHANGE_KINDS ? (enum change_kind)kind
							   : CHANGE_FOUND;
		c->severity = severity >= 0 && severity <= SEVERITY_CRITICAL
				      ? (enum severity)severity
				      : SEVERITY_NOTE;
		c->has_code = code && code_from_name(code, &c->code) == 0;
	}
}

int64_t query_bay(struct history *h, const char *port)
{
	return sql_get(h, SQL_BAY_GET, 0, "t", port);
}

int64_t query_last_run(struct history *h)
{
	return sql_get(h, SQL_RUN_LAST, 0, "");
}
