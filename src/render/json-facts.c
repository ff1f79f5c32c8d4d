/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Single facts with their unit, clock, trust and source, and how counts moved. */
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "render/json-parts.h"
#include "render/units.h"

static int compare_instance(const void *pa, const void *pb)
{
	const struct instance *a = pa, *b = pb;

	if (a->i != b->i)
		return a->i < b->i ? -1 : 1;
	return a->j < b->j ? -1 : a->j > b->j;
}

static size_t unique(struct instance *items, size_t n)
{
	size_t kept = 0;

	for (size_t k = 0; k < n; k++)
		if (!kept || compare_instance(&items[kept - 1], &items[k]) != 0)
			items[kept++] = items[k];
	return kept;
}

int json_instances(const struct drive *d, enum fact_id first, enum fact_id last,
		   bool second, struct instance **ret, size_t *ret_n)
{
	struct instance *items = NULL;
	size_t total = 0, n;

	for (int id = (int)first; id <= (int)last; id++) {
		const struct fact *f = drive_facts(d, (enum fact_id)id, &n);
		struct instance *more;

		if (!n)
			continue;
		more = reallocarray(items, total + n, sizeof(*items));
		if (!more) {
			free(items);
			return -ENOMEM;
		}
		items = more;
		for (size_t k = 0; k < n; k++)
			items[total++] = (struct instance){
				.i = f[k].key.i,
				.j = second ? f[k].key.j : 0,
			};
		/* many facts share an instance: keep the list short while it grows */
		qsort(items, total, sizeof(*items), compare_instance);
		total = unique(items, total);
	}
	*ret = items;
	*ret_n = total;
	return 0;
}

/* First fact whose quantity and first key are not below these. */
static size_t lower_bound(const struct drive *d, enum fact_id id, uint64_t i)
{
	size_t low = 0, high = d->n_facts;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		struct fact_key key = d->facts[middle].key;

		if (key.id < id || (key.id == id && key.i < i))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct json_range json_range(const struct drive *d, enum fact_id id, uint32_t i)
{
	size_t first = lower_bound(d, id, i), end = lower_bound(d, id, (uint64_t)i + 1);

	return (struct json_range){ .facts = d->facts + first, .n = end - first };
}

static struct json_object *one_fact(struct json_writer *w, const struct fact *f)
{
	const struct fact_info *info = fact_get_info(f->key.id);
	struct json_object *o = json_new_object(w);
	struct buf source cleanup_buf = { 0 };
	const char *unit = fact_unit_name(info->unit),
		   *clock = fact_clock_name(info->clock);

	units_add_origin(&source, f);
	json_check(w, &source);
	json_put_fact(w, o, "value", f);
	json_put_text(w, o, "unit", unit[0] ? unit : NULL);
	json_put_text(w, o, "clock", clock[0] ? clock : NULL);
	json_put_text(w, o, "trust", fact_trust_name(f->trust));
	json_put_text(w, o, "source", buf_text(&source));
	return o;
}

struct json_object *json_facts(struct json_writer *w, const struct drive *d)
{
	struct json_object *o = json_new_object(w);

	for (int id = 0; id < FACT_COUNT; id++) {
		const struct fact_info *info = fact_get_info((enum fact_id)id);
		const struct fact *f = info->keys == KEYS_NONE
					       ? drive_fact(d, (enum fact_id)id, 0, 0)
					       : NULL;

		if (f)
			json_put(w, o, info->name, one_fact(w, f));
	}
	return o;
}

static bool can_move(const struct fact *f)
{
	const struct fact_info *info = fact_get_info(f->key.id);

	return info->type == FACT_U64 && info->clock != CLOCK_NO_CLOCK &&
	       info->behaviour != BEHAVES_CONSTANT;
}

static struct json_object *one_move(struct json_writer *w, const struct drive *d,
				    struct fact_key key, int64_t delta)
{
	const struct fact_info *info = fact_get_info(key.id);
	const struct fact *last = drive_fact(d, key.id, key.i, key.j);
	struct json_object *o = json_new_object(w);
	struct buf name cleanup_buf = { 0 };

	fact_add_name(&name, key);
	json_check(w, &name);
	json_put_text(w, o, "name", buf_text(&name));
	json_put_u64(w, o, "first", last->u - (uint64_t)delta);
	json_put_u64(w, o, "last", last->u);
	json_put_s64(w, o, "delta", delta);
	json_put_text(w, o, "unit",
		      info->unit == UNIT_NONE_U ? NULL : fact_unit_name(info->unit));
	json_put_text(w, o, "clock", fact_clock_name(info->clock));
	return o;
}

/* Every number that is not the same in the first and the last snapshot that have it. */
struct json_object *json_trend(struct json_writer *w, const struct drive *d)
{
	struct json_object *array = json_new_array(w);

	for (size_t k = 0; d->n_snapshots > 1 && k < d->n_facts; k++) {
		struct fact_key key = d->facts[k].key, before;
		int64_t delta;

		if (k) {
			before = d->facts[k - 1].key;
			if (before.id == key.id && before.i == key.i && before.j == key.j)
				continue;
		}
		if (can_move(&d->facts[k]) &&
		    drive_delta(d, key.id, key.i, key.j, &delta) && delta)
			json_append(w, array, one_move(w, d, key, delta));
	}
	return array;
}

static const char *role_name(enum snapshot_role role)
{
	static const char *const names[] = {
		[ROLE_BEFORE] = "before",     [ROLE_DURING] = "during",
		[ROLE_AFTER] = "after",	      [ROLE_IMPORT] = "import",
		[ROLE_BASELINE] = "baseline",
	};

	return names[role];
}

/* RFC 3339 in UTC with milliseconds. */
static void put_time(struct json_writer *w, struct json_object *o,
		     const struct snapshot *s)
{
	int64_t seconds = s->taken_ms / 1000, ms = s->taken_ms % 1000;
	char date[64], text[80];
	struct tm tm;
	time_t t;

	if (ms < 0) {
		ms += 1000;
		seconds--;
	}
	t = (time_t)seconds;
	if (!s->has_time || !gmtime_r(&t, &tm) ||
	    !strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm)) {
		json_put(w, o, "taken", NULL);
		return;
	}
	(void)snprintf(text, sizeof(text), "%s.%03dZ", date, (int)ms);
	json_put_text(w, o, "taken", text);
}

struct json_object *json_snapshots(struct json_writer *w, const struct drive *d)
{
	struct json_object *array = json_new_array(w);

	for (size_t k = 0; k < d->n_snapshots; k++) {
		const struct snapshot *s = &d->snapshots[k];
		struct json_object *o = json_new_object(w);

		json_put_text(w, o, "role", role_name(s->role));
		put_time(w, o, s);
		json_put_text(w, o, "file", s->file);
		if (s->line)
			json_put_u64(w, o, "line", s->line);
		else
			json_put(w, o, "line", NULL);
		json_append(w, array, o);
	}
	return array;
}
