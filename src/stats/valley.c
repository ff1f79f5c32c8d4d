/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/valley.h"

#include <math.h>

/* Latencies of 1 ns .. 2^34 ns at up to 16 bins an octave. */
#define MAX_BINS (34u * 16u)

struct profile {
	double height[MAX_BINS]; /* requests seen through the window around a bin */
	double left[MAX_BINS], right[MAX_BINS]; /* highest up to here, and from here on */
	size_t left_at[MAX_BINS], right_at[MAX_BINS];
	size_t n;
};

void valley_counts_init(struct valley_counts *v, const struct histogram *h)
{
	v->histogram = h;
	v->below[0] = 0;
	for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++)
		v->below[i + 1] = v->below[i] + h->count[i];
}

double valley_count_below(const struct valley_counts *v, double ns)
{
	double low, width;
	size_t i;

	if (ns >= (double)histogram_index_low(HISTOGRAM_BUCKETS))
		return (double)v->below[HISTOGRAM_BUCKETS];
	if (ns <= 0)
		return 0;
	i = histogram_index((uint64_t)ns);
	low = (double)histogram_index_low(i);
	width = (double)histogram_index_low(i + 1) - low;
	return (double)v->below[i] +
	       (double)v->histogram->count[i] * fmin((ns - low) / width, 1);
}

/* Latency at a place counted in bins from 1 ns. */
static double bin_ns(const struct valley_rule *rule, double bin)
{
	return exp2(bin / rule->bins_per_octave);
}

static void profile_init(struct profile *p, const struct valley_counts *v,
			 const struct valley_rule *rule, struct valley_range range)
{
	double half = rule->window / 2.0;

	p->n = (size_t)34u * rule->bins_per_octave;
	for (size_t i = 0; i < p->n; i++) {
		double center = (double)i + 0.5;
		double from = fmax(bin_ns(rule, center - half), range.low_ns);
		double to = fmin(bin_ns(rule, center + half), range.high_ns);

		p->height[i] = to > from ? valley_count_below(v, to) -
						   valley_count_below(v, from)
					 : 0;
	}
	for (size_t i = 0; i < p->n; i++) {
		bool new_top = !i || p->height[i] > p->left[i - 1];

		p->left[i] = new_top ? p->height[i] : p->left[i - 1];
		p->left_at[i] = new_top ? i : p->left_at[i - 1];
	}
	for (size_t i = p->n; i-- > 0;) {
		bool new_top = i + 1 == p->n || p->height[i] > p->right[i + 1];

		p->right[i] = new_top ? p->height[i] : p->right[i + 1];
		p->right_at[i] = new_top ? i : p->right_at[i + 1];
	}
}

static bool above_noise(const struct valley_rule *rule, double peak, double valley)
{
	double related = fmax(rule->related, 1);

	peak /= related;
	valley /= related;
	return (peak - valley) / sqrt(peak + valley + 1) >= rule->noise;
}

static bool is_valley(const struct profile *p, const struct valley_counts *v,
		      const struct valley_rule *rule, struct valley_range range, size_t i)
{
	double peak = fmin(p->left[i], p->right[i]), valley = p->height[i];
	double apart =
		((double)p->right_at[i] - (double)p->left_at[i]) / rule->bins_per_octave;
	double at, below, above;
	double least = fmax(rule->least_share * range.total,
			    rule->least_count * fmax(rule->related, 1));

	if (apart < rule->apart_octaves || valley > rule->depth * peak ||
	    !above_noise(rule, peak, valley))
		return false;
	at = valley_count_below(v, bin_ns(rule, (double)i + 0.5));
	below = at - valley_count_below(v, range.low_ns);
	above = valley_count_below(v, range.high_ns) - at;
	return below >= least && above >= least;
}

bool valley_cut_counts(const struct valley_counts *v, const struct valley_rule *rule,
		       struct valley_range range, double *ret_ns)
{
	double best = HUGE_VAL;
	size_t first = 0, last = 0;
	struct profile p;

	profile_init(&p, v, rule, range);
	for (size_t i = 0; i < p.n; i++) {
		double ratio;

		if (!is_valley(&p, v, rule, range, i))
			continue;
		ratio = p.height[i] / fmin(p.left[i], p.right[i]);
		if (ratio < best) {
			best = ratio;
			first = i;
			last = i;
		} else if (ratio <= best && i == last + 1) {
			last = i; /* an empty stretch is cut in its middle */
		}
	}
	if (best > rule->depth)
		return false;
	*ret_ns = bin_ns(rule, ((double)first + (double)last + 1) / 2);
	return true;
}
