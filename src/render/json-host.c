/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables that compare, and stalled tasks: facts of the host. */
#include <stdlib.h>

#include "render/json-parts.h"

#define COLUMNS_MAX 256u

/* The columns of a row go up to the last that any of the three facts has. */
static uint32_t width_of(const struct drive *host, uint32_t row)
{
	static const enum fact_id ids[] = { FACT_CMP_ROW_TEXT, FACT_CMP_ROW_MICRO,
					    FACT_CMP_ROW_CHANGE };
	uint32_t width = 0;

	for (size_t k = 0; k < array_size(ids); k++) {
		struct json_range r = json_range(host, ids[k], row);

		if (r.n && r.facts[r.n - 1].key.j >= width)
			width = r.facts[r.n - 1].key.j + 1;
	}
	return width < COLUMNS_MAX ? width : COLUMNS_MAX;
}

static void put_cells(struct json_writer *w, struct json_object *o,
		      const struct drive *host, uint32_t row)
{
	struct json_object *values = json_new_array(w), *changes = json_new_array(w),
			   *texts = json_new_array(w);
	uint32_t width = width_of(host, row);

	for (uint32_t j = 0; j < width; j++) {
		const struct fact *value = drive_fact(host, FACT_CMP_ROW_MICRO, row, j);
		const struct fact *change = drive_fact(host, FACT_CMP_ROW_CHANGE, row, j);

		json_append(w, values, value ? json_new_decimal(w, value->s, 6) : NULL);
		json_append(w, changes,
			    change ? json_new_decimal(w, change->s, 4) : NULL);
		json_append(
			w, texts,
			json_new_text(w, drive_text(host, FACT_CMP_ROW_TEXT, row, j)));
	}
	json_put(w, o, "values", values);
	json_put(w, o, "change_percent", changes);
	json_put(w, o, "texts", texts);
}

static struct json_object *columns_of(struct json_writer *w, const struct drive *host,
				      uint32_t table)
{
	struct json_object *array = json_new_array(w);
	const char *name;

	for (uint32_t j = 0; j < COLUMNS_MAX; j++) {
		name = drive_text(host, FACT_CMP_COLUMN, table, j);
		if (!name)
			break;
		json_append(w, array, json_new_text(w, name));
	}
	return array;
}

static int compare_row(const void *pa, const void *pb)
{
	const struct instance *a = pa, *b = pb;

	if (a->i != b->i)
		return a->i < b->i ? -1 : 1;
	return a->j < b->j ? -1 : a->j > b->j;
}

/* All rows as (table, row), sorted, so that each table finds its own next to each other. */
static struct instance *rows_by_table(struct json_writer *w, const struct drive *host,
				      size_t *ret_n)
{
	size_t n, kept = 0;
	const struct fact *f = drive_facts(host, FACT_CMP_ROW_TABLE, &n);
	struct instance *rows = n ? reallocarray(NULL, n, sizeof(*rows)) : NULL;

	if (n && !rows) {
		w->failed = true;
		n = 0;
	}
	for (size_t k = 0; k < n; k++) {
		if ((k && f[k].key.i == f[k - 1].key.i) || f[k].u > UINT32_MAX)
			continue;
		rows[kept++] =
			(struct instance){ .i = (uint32_t)f[k].u, .j = f[k].key.i };
	}
	if (kept)
		qsort(rows, kept, sizeof(*rows), compare_row);
	*ret_n = kept;
	return rows;
}

static struct json_object *one_row(struct json_writer *w, const struct drive *host,
				   uint32_t row)
{
	struct json_object *o = json_new_object(w);

	json_put_drive_fact(w, o, "name", host, FACT_CMP_ROW_NAME, row, 0);
	put_cells(w, o, host, row);
	return o;
}

static struct json_object *comparisons(struct json_writer *w, const struct drive *host)
{
	struct json_object *array = json_new_array(w);
	struct instance *tables = NULL, *rows;
	size_t n = 0, n_rows, at = 0;

	if (json_instances(host, FACT_CMP_COLUMN, FACT_CMP_TITLE, false, &tables, &n) < 0)
		w->failed = true;
	rows = rows_by_table(w, host, &n_rows);
	for (size_t k = 0; k < n; k++) {
		struct json_object *o = json_new_object(w), *list = json_new_array(w);

		json_put_drive_fact(w, o, "title", host, FACT_CMP_TITLE, tables[k].i, 0);
		json_put(w, o, "columns", columns_of(w, host, tables[k].i));
		while (at < n_rows && rows[at].i < tables[k].i)
			at++;
		for (; at < n_rows && rows[at].i == tables[k].i; at++)
			json_append(w, list, one_row(w, host, rows[at].j));
		json_put(w, o, "rows", list);
		json_append(w, array, o);
	}
	free(rows);
	free(tables);
	return array;
}

static struct json_object *stalls(struct json_writer *w, const struct drive *host)
{
	struct json_object *array = json_new_array(w);
	struct instance *items = NULL;
	size_t n = 0;

	if (json_instances(host, FACT_STALL_LABEL, FACT_STALL_EVENTS, false, &items, &n) <
	    0)
		w->failed = true;
	for (size_t k = 0; k < n; k++) {
		struct json_object *o = json_new_object(w);

		json_put_drive_fact(w, o, "label", host, FACT_STALL_LABEL, items[k].i, 0);
		json_put_drive_fact(w, o, "where", host, FACT_STALL_WHERE, items[k].i, 0);
		json_put_drive_fact(w, o, "total_ms", host, FACT_STALL_MS, items[k].i, 0);
		json_put_drive_fact(w, o, "events", host, FACT_STALL_EVENTS, items[k].i,
				    0);
		json_append(w, array, o);
	}
	free(items);
	return array;
}

void json_put_host_tables(struct json_writer *w, struct json_object *o,
			  const struct drive *host)
{
	json_put(w, o, "comparisons", comparisons(w, host));
	json_put(w, o, "stalled_tasks", stalls(w, host));
}
