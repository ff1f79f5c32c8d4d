/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/slow.h"

#include <math.h>

static struct slow_share exactly(double share)
{
	return (struct slow_share){ share, share, share };
}

struct slow_share slow_time_share(const struct histogram *h, uint64_t from_ns)
{
	double fast = 0, slow = 0;

	for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
		double time = (double)h->count[i] * (double)histogram_index_value(i);

		/* the gap lies between two buckets or in a nearly empty one */
		if (histogram_index_value(i) < from_ns)
			fast += time;
		else
			slow += time;
	}
	/* the exact sum replaces that of the bucket middles: they differ in the open bucket */
	if (h->sum_ns > fast)
		slow = h->sum_ns - fast;
	return exactly(fast + slow > 0 ? slow / (fast + slow) : 0);
}

struct slow_share slow_time_share_coarse(const struct coarse *c, uint64_t from_ns,
					 double mean_ns, bool *ret_mean_used)
{
	struct coarse_time t;
	struct slow_share s;

	coarse_time_split(c, (double)from_ns, &t);
	/* a posted mean outside of what the table allows belongs to something else */
	*ret_mean_used = mean_ns > 0 && mean_ns >= t.fast_low + t.slow_low &&
			 mean_ns <= t.fast_high + t.slow_high;
	s.low = t.slow_low / (t.slow_low + t.fast_high);
	s.high = t.slow_high < HUGE_VAL ? t.slow_high / (t.slow_high + t.fast_low) : 1;
	if (!(t.slow_low + t.fast_high > 0))
		s.low = 0;
	if (!(t.slow_high + t.fast_low > 0))
		s.high = 0;
	if (*ret_mean_used) {
		s.low = fmax(s.low, 1 - t.fast_high / mean_ns);
		s.high = fmin(s.high, 1 - t.fast_low / mean_ns);
	}
	s.best = (s.low + s.high) / 2;
	return s;
}

/* The steps of the slow part, and whether they are equal. */
static void find_ladder(struct slow *s)
{
	uint64_t centers[MODES_MAX];

	for (size_t i = 0; i < s->steps.n; i++)
		centers[i] = s->steps.mode[i].center_ns;
	s->is_ladder = ladder_fit(centers, s->steps.n, &s->ladder);
}

/* The first slow mode, 0 when there is no gap above the usual latency. */
static size_t choose_gap(const struct modes *m, uint64_t usual_ns)
{
	double widest = 0;
	size_t first = 0;

	for (size_t i = 1; i < m->n; i++) {
		double center = (double)m->mode[i].center_ns;
		double jump = center / fmax((double)m->mode[i - 1].center_ns, 1);

		if (usual_ns && center > 3 * (double)usual_ns)
			return i;
		if (!usual_ns && jump > widest) {
			widest = jump;
			first = i;
		}
	}
	return first;
}

void slow_measure(const struct histogram *h, uint64_t usual_ns, struct slow *ret)
{
	slow_measure_series(h, (struct modes_series){ 0 }, usual_ns, ret);
}

void slow_measure_series(const struct histogram *h, struct modes_series series,
			 uint64_t usual_ns, struct slow *ret)
{
	struct slow s = { .found = false };

	modes_find_series(h, series, &s.modes);
	s.first_slow = choose_gap(&s.modes, usual_ns);
	s.found = s.first_slow > 0;
	if (s.found) {
		double share = 0;

		for (size_t i = s.first_slow; i < s.modes.n; i++)
			share += s.modes.mode[i].share;
		s.from_ns = s.modes.mode[s.first_slow].low_ns;
		s.requests = exactly(share);
		s.time = slow_time_share(h, s.from_ns);
		modes_find_steps_series(h, series, s.from_ns, &s.steps);
		find_ladder(&s);
	}
	*ret = s;
}

void slow_measure_coarse(const struct coarse *c, uint64_t usual_ns, double mean_ns,
			 struct slow *ret)
{
	struct slow s = { .found = false };

	modes_find_coarse(c, &s.modes);
	s.first_slow = choose_gap(&s.modes, usual_ns);
	s.found = s.first_slow > 0;
	if (s.found) {
		double low, high;

		s.from_ns = s.modes.mode[s.first_slow].low_ns;
		coarse_share_below(c, (double)s.from_ns, &low, &high);
		s.requests.low = 1 - high;
		s.requests.high = 1 - low;
		s.requests.best = 1 - coarse_share_estimate(c, (double)s.from_ns);
		s.time = slow_time_share_coarse(c, s.from_ns, mean_ns, &s.mean_used);
		modes_find_steps_coarse(c, s.from_ns, &s.steps);
		find_ladder(&s);
	}
	*ret = s;
}
