/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/ladder.h"

#include <math.h>

/* Multiples for a first guess of the step, then the best step for them. */
static bool try_step(const uint64_t *centers_ns, size_t n, double step_ns,
		     struct ladder *ret)
{
	struct ladder l = { .n_rungs = n, .chance = 1 };
	double low = HUGE_VAL, high = 0;

	for (size_t i = 0; i < n; i++) {
		double k = floor((double)centers_ns[i] / step_ns + 0.5), r;

		if (k < 1 || k > LADDER_MAX_MULTIPLE)
			return false;
		l.multiple[i] = (unsigned)k;
		if (i ? l.multiple[i] <= l.multiple[i - 1] : l.multiple[i] != 1)
			return false;
		r = (double)centers_ns[i] / k;
		low = fmin(low, r);
		high = fmax(high, r);
	}
	l.step_ns = (low + high) / 2;
	l.misfit = (high - low) / (high + low);
	for (size_t i = 1; i < n; i++)
		l.chance *=
			fmin(1, 4 * l.misfit * l.multiple[i] / (1 - l.misfit * l.misfit));
	*ret = l;
	return true;
}

bool ladder_fit(const uint64_t *centers_ns, size_t n, struct ladder *ret)
{
	struct ladder best = { .misfit = HUGE_VAL };

	if (n < 2 || n > LADDER_MAX_RUNGS || !centers_ns[0])
		return false;
	for (size_t i = 0; i < n; i++) {
		for (unsigned k = 1; k <= LADDER_MAX_MULTIPLE; k++) {
			struct ladder l;

			if (try_step(centers_ns, n, (double)centers_ns[i] / k, &l) &&
			    l.misfit < best.misfit)
				best = l;
		}
	}
	if (!(best.misfit <= LADDER_MAX_MISFIT))
		return false;
	*ret = best;
	return true;
}
