/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/sequential.h"

#include <errno.h>
#include <math.h>

#define MS 1000000ull

const struct sequential_rule sequential_flash = {
	.p0 = 0.01,
	.p1 = 0.05,
	.alpha = 0.001,
	.beta = 0.001,
	.least_n = 200,
	.least_ns = 300 * MS,
	.most_n = 20000,
	.most_ns = 3000 * MS,
};

const struct sequential_rule sequential_rotating = {
	.p0 = 0.01,
	.p1 = 0.05,
	.alpha = 0.001,
	.beta = 0.001,
	.least_n = 200,
	.least_ns = 300 * MS,
	.most_n = 20000,
	.most_ns = 15000 * MS,
};

uint64_t sequential_limit_ns(bool rotating, uint64_t expected_median_ns)
{
	if (rotating)
		return 60 * MS;
	if (expected_median_ns > UINT64_MAX / 5)
		return UINT64_MAX;
	return 5 * expected_median_ns > MS ? 5 * expected_median_ns : MS;
}

int sequential_init(struct sequential *s, const struct sequential_rule *rule,
		    uint64_t limit_ns)
{
	if (!(rule->p0 > 0 && rule->p0 < rule->p1 && rule->p1 < 1) ||
	    !(rule->alpha > 0 && rule->alpha < 0.5) ||
	    !(rule->beta > 0 && rule->beta < 0.5))
		return -EINVAL;
	*s = (struct sequential){ .rule = *rule, .limit_ns = limit_ns };
	return 0;
}

static void count(struct sequential *s, uint64_t latency_ns)
{
	const struct sequential_rule *r = &s->rule;
	bool slow = latency_ns > s->limit_ns;

	s->n++;
	s->n_slow += slow;
	s->n_runs += slow && !s->in_run;
	if (!slow)
		s->sum += log((1 - r->p1) / (1 - r->p0));
	else if (!s->in_run || r->plain)
		s->sum += log(r->p1 / r->p0);
	s->in_run = slow;
}

enum sequential_verdict sequential_add(struct sequential *s, uint64_t latency_ns,
				       uint64_t elapsed_ns)
{
	const struct sequential_rule *r = &s->rule;

	if (s->verdict != SEQUENTIAL_OPEN)
		return s->verdict;
	count(s, latency_ns);
	if (s->n >= r->least_n && elapsed_ns >= r->least_ns) {
		if (s->sum >= log((1 - r->beta) / r->alpha))
			s->verdict = SEQUENTIAL_SLOW;
		else if (s->sum <= log(r->beta / (1 - r->alpha)))
			s->verdict = SEQUENTIAL_OK;
	}
	if (s->verdict == SEQUENTIAL_OPEN &&
	    (s->n >= r->most_n || elapsed_ns >= r->most_ns))
		s->verdict = SEQUENTIAL_UNDECIDED;
	return s->verdict;
}
