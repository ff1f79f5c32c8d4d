/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/modes.h"

#include <math.h>

#include "stats/valley.h"

/* log2(3) */
#define OCTAVES_OF_3 1.5849625007211562

static const struct valley_rule modes_rule = {
	.bins_per_octave = 8,
	.window = 5,
	.apart_octaves = OCTAVES_OF_3,
	.least_share = 0.03,
	.least_count = 20,
	.depth = 0.5,
	.noise = 3,
};

/* Posted: a nearly empty gap, and a peak must hold 5 %, so no side needs its own condition. */
static const struct valley_rule modes_coarse_rule = {
	.apart_octaves = OCTAVES_OF_3,
	.least_share = 0.05,
	.least_count = 20,
	.depth = 0.25,
	.noise = 3,
};

static const struct valley_rule steps_rule = {
	.bins_per_octave = 16,
	.window = 3,
	.apart_octaves = 0.4,
	.least_share = 0.03,
	.least_count = 20,
	.depth = 0.5,
	.noise = 3.5,
};

/* One kind of data behind the common way of cutting. */
struct source {
	const struct valley_counts *counts; /* or */
	const struct coarse *coarse;
	const struct valley_rule *rule;
	double total;
};

static bool cut_range(const struct source *s, double low_ns, double high_ns,
		      double *ret_ns)
{
	struct valley_range range = { low_ns, high_ns, s->total };

	return s->counts ? valley_cut_counts(s->counts, s->rule, range, ret_ns)
			 : valley_cut_coarse(s->coarse, s->rule, range, ret_ns);
}

/* Cut the range, then the parts, until none can be cut. edge[0..n] are the borders of n parts. */
static size_t cut_all(const struct source *s, double edge[MODES_MAX + 1])
{
	size_t n = 1, at = 0;

	while (at < n && n < MODES_MAX) {
		double cut;

		if (!cut_range(s, edge[at], edge[at + 1], &cut) || cut <= edge[at] ||
		    cut >= edge[at + 1]) {
			at++;
			continue;
		}
		for (size_t i = ++n; i > at + 1; i--)
			edge[i] = edge[i - 1];
		edge[at + 1] = cut;
	}
	return n;
}

static uint64_t whole_ns(double ns)
{
	if (!(ns > 0))
		return 0;
	return ns >= 18446744073709549568.0 ? UINT64_MAX : (uint64_t)(ns + 0.5);
}

static struct mode mode_of_counts(const struct valley_counts *v, double low, double high)
{
	double before = valley_count_below(v, low);
	double count = valley_count_below(v, high) - before;
	double share = count / (double)v->histogram->n_total;
	struct mode m = { .low_ns = whole_ns(low),
			  .high_ns = whole_ns(high),
			  .share = share,
			  .share_low = share,
			  .share_high = share };
	uint64_t rank = (uint64_t)ceil(before + count / 2);

	/* the rank lies inside by construction; rounding may push it to the edge of all */
	if (!histogram_rank(v->histogram, rank ? rank : 1, &m.center_ns))
		m.center_ns = v->histogram->max_ns;
	return m;
}

static struct mode mode_of_coarse(const struct coarse *c, double low, double high)
{
	double below[2] = { 0, 0 }, above[2] = { 1, 1 }, from, to;
	struct mode m = { .low_ns = whole_ns(low), .high_ns = whole_ns(high) };

	if (low > 0)
		coarse_share_below(c, low, &below[0], &below[1]);
	if (high < HUGE_VAL)
		coarse_share_below(c, high, &above[0], &above[1]);
	from = low > 0 ? coarse_share_estimate(c, low) : 0;
	to = high < HUGE_VAL ? coarse_share_estimate(c, high) : 1;
	m.share = fmax(to - from, 0);
	m.share_low = fmax(above[0] - below[1], 0);
	m.share_high = fmin(above[1] - below[0], 1);
	m.center_ns = whole_ns(coarse_quantile_estimate(c, (from + to) / 2));
	return m;
}

static void find(const struct source *s, double low_ns, struct modes *ret)
{
	double edge[MODES_MAX + 1] = { low_ns, HUGE_VAL };

	*ret = (struct modes){ .n = 0 };
	if (!(s->total > 0))
		return;
	ret->n = cut_all(s, edge);
	for (size_t i = 0; i < ret->n; i++) {
		ret->mode[i] = s->counts
				       ? mode_of_counts(s->counts, edge[i], edge[i + 1])
				       : mode_of_coarse(s->coarse, edge[i], edge[i + 1]);
	}
}

double modes_related(struct modes_series s, uint64_t from_ns, uint64_t cut_ns)
{
	double n = 0, above = 0, runs = 0, expected;
	bool in_run = false;

	for (size_t i = 0; i < s.n; i++) {
		bool is_above = s.latency_ns[i] >= cut_ns;

		if (s.latency_ns[i] < from_ns)
			continue;
		n++;
		above += is_above;
		runs += is_above && !in_run;
		in_run = is_above;
	}
	if (!(runs > 0))
		return 1;
	expected = above * (n - above) / n;
	return fmax(2 * expected / runs - 1, 1);
}

/* Once as if independent; where that finds cuts, again with what the order says about them. */
static void find_counts(const struct histogram *h, struct modes_series series,
			const struct valley_rule *rule, uint64_t from_ns,
			struct modes *ret)
{
	double low_ns = (double)from_ns;
	struct valley_rule careful = *rule;
	struct valley_counts v;
	struct source s = { .counts = &v, .rule = rule };

	valley_counts_init(&v, h);
	s.total = (double)h->n_total - valley_count_below(&v, low_ns);
	find(&s, low_ns, ret);
	careful.related = 1;
	for (size_t i = 1; i < ret->n; i++)
		careful.related =
			fmax(careful.related,
			     modes_related(series, from_ns, ret->mode[i].low_ns));
	if (careful.related > 1) {
		s.rule = &careful;
		find(&s, low_ns, ret);
	}
}

static void find_coarse(const struct coarse *c, const struct valley_rule *rule,
			double low_ns, struct modes *ret)
{
	struct source s = { .coarse = c, .rule = rule };
	double low, high;

	coarse_share_below(c, low_ns, &low, &high);
	s.total = low_ns > 0 ? 1 - high : 1;
	find(&s, low_ns, ret);
}

void modes_find(const struct histogram *h, struct modes *ret)
{
	modes_find_series(h, (struct modes_series){ 0 }, ret);
}

void modes_find_series(const struct histogram *h, struct modes_series s,
		       struct modes *ret)
{
	find_counts(h, s, &modes_rule, 0, ret);
}

void modes_find_coarse(const struct coarse *c, struct modes *ret)
{
	find_coarse(c, &modes_coarse_rule, 0, ret);
}

void modes_find_steps(const struct histogram *h, uint64_t from_ns, struct modes *ret)
{
	modes_find_steps_series(h, (struct modes_series){ 0 }, from_ns, ret);
}

void modes_find_steps_series(const struct histogram *h, struct modes_series s,
			     uint64_t from_ns, struct modes *ret)
{
	find_counts(h, s, &steps_rule, from_ns, ret);
}

void modes_find_steps_coarse(const struct coarse *c, uint64_t from_ns, struct modes *ret)
{
	find_coarse(c, &steps_rule, (double)from_ns, ret);
}
