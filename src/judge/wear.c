/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "judge/wear.h"

#include "judge/limits.h"

/* What wear is told as, and how much of it FACT says is used. */
static const enum fact_id tellers[] = { FACT_LIFE_USED, FACT_LIFE_LEFT };

static uint64_t used_by(const struct fact *fact)
{
	if (fact->key.id == FACT_LIFE_USED)
		return fact->u;
	return fact->u <= 1 ? 100 : fact->u < 100 ? 100 - fact->u : 0;
}

static uint32_t latest_snapshot(const struct drive *d)
{
	uint32_t latest = 0;

	for (size_t k = 0; k < array_size(tellers); k++) {
		const struct fact *f = drive_fact(d, tellers[k], 0, 0);

		if (f && f->snapshot > latest)
			latest = f->snapshot;
	}
	return latest;
}

static bool is_placeholder(const struct judge *j, uint64_t used)
{
	uint64_t hours;

	return used >= LIMIT_USED_SATURATED &&
	       drive_u64(j->d, FACT_POWER_ON_HOURS, 0, 0, &hours) &&
	       hours < LIMIT_YOUNG_HOURS;
}

static void add(struct judge *j, struct wear_view *v, const struct fact *fact)
{
	struct wear w = { fact, used_by(fact) };

	if (is_placeholder(j, w.used_percent)) {
		judge_ignore(j, "life used 255 %",
			     "at its end on a drive of few hours: a placeholder");
		return;
	}
	v->n++;
	v->n_near += wear_is_near(&w);
	if (!v->most.fact || w.used_percent > v->most.used_percent)
		v->most = w;
	if (!v->least.fact || w.used_percent < v->least.used_percent)
		v->least = w;
}

struct wear_view wear_look(struct judge *j)
{
	struct wear_view v = { 0 };
	uint32_t latest = latest_snapshot(j->d);

	for (size_t k = 0; k < array_size(tellers); k++) {
		size_t n;
		const struct fact *f = drive_facts(j->d, tellers[k], &n);

		for (size_t i = 0; i < n; i++)
			if (f[i].snapshot == latest)
				add(j, &v, &f[i]);
	}
	return v;
}

bool wear_is_near(const struct wear *w)
{
	return w->fact && w->used_percent >= LIMIT_USED_NEAR_PERCENT;
}
