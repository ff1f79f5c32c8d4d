/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/case.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SIGN_BIT ((uint64_t)1 << 63)

struct drive *case_add_drive(struct case_file *c)
{
	struct drive **slot = arena_push(&c->arena, &c->drives, &c->n_drives,
					 &c->cap_drives, sizeof(*slot));

	if (!slot)
		return NULL;
	*slot = arena_alloc(&c->arena, sizeof(**slot));
	if (!*slot)
		c->n_drives--;
	return *slot;
}

int drive_add_snapshot(struct case_file *c, struct drive *d, struct snapshot s,
		       uint32_t *ret_index)
{
	struct snapshot *slot = arena_push(&c->arena, &d->snapshots, &d->n_snapshots,
					   &d->cap_snapshots, sizeof(*slot));

	if (!slot)
		return -ENOMEM;
	*slot = s;
	*ret_index = (uint32_t)(d->n_snapshots - 1);
	return 0;
}

int drive_add_fact(struct case_file *c, struct drive *d, struct fact f)
{
	struct fact *slot = arena_push(&c->arena, &d->facts, &d->n_facts, &d->cap_facts,
				       sizeof(*slot));

	if (!slot)
		return -ENOMEM;
	*slot = f;
	return 0;
}

int drive_add_event(struct case_file *c, struct drive *d, const struct event *e)
{
	struct event *slot = arena_push(&c->arena, &d->events, &d->n_events,
					&d->cap_events, sizeof(*slot));

	if (!slot)
		return -ENOMEM;
	*slot = *e;
	return 0;
}

static int compare_u32(uint32_t a, uint32_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_key(const struct fact_key *a, const struct fact_key *b)
{
	int r = compare_u32((uint32_t)a->id, (uint32_t)b->id);

	if (r == 0)
		r = compare_u32(a->i, b->i);
	if (r == 0)
		r = compare_u32(a->j, b->j);
	return r;
}

static int compare_u64(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_value(const struct fact *a, const struct fact *b)
{
	return fact_get_info(a->key.id)->type == FACT_TEXT ? strcmp(a->text, b->text)
							   : compare_u64(a->u, b->u);
}

/*
 * The place and the value decide last, so that facts stand in one order whatever order they came
 * in and whatever qsort() does with equal ones.
 */
static int compare_fact(const void *pa, const void *pb)
{
	const struct fact *a = pa, *b = pb;
	int r = compare_key(&a->key, &b->key);

	if (r == 0)
		r = compare_u32(a->snapshot, b->snapshot);
	if (r == 0)
		r = compare_u32((uint32_t)a->trust, (uint32_t)b->trust);
	if (r == 0)
		r = compare_u32(a->origin.line, b->origin.line);
	if (r == 0)
		r = compare_u32(a->origin.offset, b->origin.offset);
	if (r == 0)
		r = compare_value(a, b);
	return r;
}

void drive_seal(struct drive *d)
{
	if (d->n_facts)
		qsort(d->facts, d->n_facts, sizeof(*d->facts), compare_fact);
}

void case_seal(struct case_file *c)
{
	drive_seal(&c->host);
	for (size_t i = 0; i < c->n_drives; i++)
		drive_seal(c->drives[i]);
}

void case_done(struct case_file *c)
{
	arena_done(&c->arena);
	*c = (struct case_file){ 0 };
}

/* First fact whose key is not below KEY. */
static size_t lower_bound(const struct drive *d, struct fact_key key)
{
	size_t low = 0, high = d->n_facts;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_key(&d->facts[middle].key, &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool same_key(const struct drive *d, size_t at, struct fact_key key)
{
	return at < d->n_facts && compare_key(&d->facts[at].key, &key) == 0;
}

const struct fact *drive_fact(const struct drive *d, enum fact_id id, uint32_t i,
			      uint32_t j)
{
	struct fact_key key = { .id = id, .i = i, .j = j };
	const struct fact *best = NULL;

	/* within one key: snapshots ascend, and in each the best trust comes first */
	for (size_t at = lower_bound(d, key); same_key(d, at, key); at++)
		if (!best || d->facts[at].snapshot > best->snapshot)
			best = &d->facts[at];
	return best;
}

const struct fact *drive_fact_at(const struct drive *d, enum fact_id id, uint32_t i,
				 uint32_t j, uint32_t snapshot)
{
	struct fact_key key = { .id = id, .i = i, .j = j };

	for (size_t at = lower_bound(d, key); same_key(d, at, key); at++)
		if (d->facts[at].snapshot == snapshot)
			return &d->facts[at];
	return NULL;
}

const struct fact *drive_facts(const struct drive *d, enum fact_id id, size_t *ret_n)
{
	size_t first = lower_bound(d, (struct fact_key){ .id = id }), end = first;

	while (end < d->n_facts && d->facts[end].key.id == id)
		end++;
	*ret_n = end - first;
	return end > first ? &d->facts[first] : NULL;
}

bool drive_u64(const struct drive *d, enum fact_id id, uint32_t i, uint32_t j,
	       uint64_t *ret)
{
	const struct fact *f = drive_fact(d, id, i, j);

	if (f)
		*ret = f->u;
	return f != NULL;
}

bool drive_flag(const struct drive *d, enum fact_id id, uint32_t i)
{
	const struct fact *f = drive_fact(d, id, i, 0);

	return f && f->u;
}

const char *drive_text(const struct drive *d, enum fact_id id, uint32_t i, uint32_t j)
{
	const struct fact *f = drive_fact(d, id, i, j);

	return f ? f->text : NULL;
}

static int64_t difference(uint64_t from, uint64_t to)
{
	uint64_t d = to > from ? to - from : from - to;

	if (d > INT64_MAX)
		d = INT64_MAX;
	return to > from ? (int64_t)d : -(int64_t)d;
}

bool drive_delta(const struct drive *d, enum fact_id id, uint32_t i, uint32_t j,
		 int64_t *ret)
{
	struct fact_key key = { .id = id, .i = i, .j = j };
	const struct fact *last = drive_fact(d, id, i, j);
	size_t at = lower_bound(d, key);

	if (!last || d->facts[at].snapshot == last->snapshot)
		return false;
	if (fact_get_info(id)->type == FACT_S64) /* in the same order, beginning at 0 */
		*ret = difference((uint64_t)d->facts[at].s ^ SIGN_BIT,
				  (uint64_t)last->s ^ SIGN_BIT);
	else
		*ret = difference(d->facts[at].u, last->u);
	return true;
}
