/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/zones.h"

#include <errno.h>
#include <math.h>

#include "stats/special.h"

#define LEAST_Z	     4.5
#define LEAST_RATIO  1.5
#define LEAST_SPREAD 0.01
/* makes the median absolute deviation of a normal distribution its standard deviation */
#define MAD_TO_SIGMA 1.4826

/* Measured zones only: place and logarithm. */
struct map {
	size_t n, zone[ZONES_MAX];
	double value[ZONES_MAX];
};

static void take(struct map *m, const double *median_ns, size_t n)
{
	m->n = 0;
	for (size_t i = 0; i < n; i++) {
		if (!(median_ns[i] > 0) || !isfinite(median_ns[i]))
			continue;
		m->zone[m->n] = i;
		m->value[m->n++] = log(median_ns[i]);
	}
}

/* Median over all zones of the median slope to the other zones. */
static double slope(const struct map *m)
{
	double of_zone[ZONES_MAX], to_others[ZONES_MAX];

	for (size_t i = 0; i < m->n; i++) {
		size_t n = 0;

		for (size_t k = 0; k < m->n; k++) {
			if (k != i)
				to_others[n++] =
					(m->value[k] - m->value[i]) /
					((double)m->zone[k] - (double)m->zone[i]);
		}
		of_zone[i] = special_median(to_others, n);
	}
	return special_median(of_zone, m->n);
}

static double center_of(const double *values, size_t n)
{
	double copy[ZONES_MAX];

	for (size_t i = 0; i < n; i++)
		copy[i] = values[i];
	return special_median(copy, n);
}

static double spread_of(const double *values, size_t n)
{
	double copy[ZONES_MAX];

	for (size_t i = 0; i < n; i++)
		copy[i] = fabs(values[i]);
	return fmax(MAD_TO_SIGMA * special_median(copy, n), LEAST_SPREAD);
}

int zones_measure(const double *median_ns, size_t n, bool rotating, struct zones *ret)
{
	struct zones z = { .n = n, .last_to_first = 1 };
	double tilt, center;
	struct map m;

	if (n > ZONES_MAX)
		return -E2BIG;
	take(&m, median_ns, n);
	if (m.n < ZONES_LEAST)
		return -ENODATA;
	tilt = rotating ? slope(&m) : 0;
	for (size_t i = 0; i < m.n; i++)
		m.value[i] -= tilt * (double)m.zone[i];
	center = center_of(m.value, m.n);
	for (size_t i = 0; i < m.n; i++)
		m.value[i] -= center;
	z.n_measured = m.n;
	z.spread = spread_of(m.value, m.n);
	z.last_to_first = exp(tilt * (double)(n - 1));
	for (size_t i = 0; i < m.n; i++) {
		size_t at = m.zone[i];

		z.ratio[at] = exp(m.value[i]);
		z.z[at] = m.value[i] / z.spread;
		z.flagged[at] = z.z[at] > LEAST_Z && z.ratio[at] > LEAST_RATIO;
		z.n_flagged += z.flagged[at];
	}
	*ret = z;
	return 0;
}

/* The median of what is above 0, 0 with fewer than LEAST of them. */
static double median_of(const double *ns, size_t n, size_t step, size_t least)
{
	double values[ZONES_MAX];
	size_t k = 0;

	for (size_t i = 0; i < n && k < ZONES_MAX; i++)
		if (ns[i * step] > 0)
			values[k++] = ns[i * step];
	return k < least || !k ? 0 : special_median(values, k);
}

void zones_by_rounds(const double *ns, size_t n, size_t n_rounds, double *ret)
{
	double round[ZONES_MAX_ROUNDS], middle;
	size_t rounds = n_rounds > ZONES_MAX_ROUNDS ? ZONES_MAX_ROUNDS : n_rounds;

	if (n > ZONES_MAX)
		n = ZONES_MAX;
	for (size_t r = 0; r < rounds; r++)
		round[r] = median_of(ns + r, n, n_rounds, ZONES_LEAST);
	middle = median_of(round, rounds, 1, 1);
	for (size_t z = 0; z < n; z++) {
		double ratio[ZONES_MAX_ROUNDS];

		for (size_t r = 0; r < rounds; r++)
			ratio[r] = round[r] > 0 ? ns[z * n_rounds + r] / round[r] : 0;
		ret[z] = middle * median_of(ratio, rounds, 1, ZONES_LEAST_ROUNDS);
	}
}
