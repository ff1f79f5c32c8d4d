/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/quantile-bound.h"

#include <math.h>

#define ALPHA 0.01

double quantile_radius(double p, uint64_t t, double alpha)
{
	double n = (double)t, l;

	if (!t)
		return 1;
	/* ln ln(2.1) would be negative infinity's neighbour at t = 1: from t = 2 on it is sound */
	l = (1.4 * log(fmax(log(2.1 * n), 1)) + log(10 / alpha)) / n;
	return fmin(1.5 * sqrt(p * (1 - p) * l) + 0.8 * l, 1);
}

/*
 * The paper's theorem 4 with its own choice of constants: epochs of the factor eta = 2, weights
 * k^-s with s = 1.4 (zeta(1.4) = 3.105547...), quantiles spaced by delta = 0.5 in log-odds.
 */
double quantile_radius_all(double p, uint64_t t, double alpha, uint64_t t_min)
{
	const double eta = 2, s = 1.4, zeta_s = 3.1055472779775804, delta = 0.5;
	const double k1 = (pow(eta, 0.25) + pow(eta, -0.25)) / sqrt(2);
	const double k2 = (sqrt(eta) + 1) / 2;
	double m = (double)(t_min ? t_min : 1), n = fmax((double)t, m), epochs = n / m;
	double odds, r, variance, log_weight, skew;

	if (!t || !(p > 0 && p < 1))
		return 1;
	odds = log(p / (1 - p));
	/* the next grid quantile upwards, at most the median: there the variance is largest */
	r = p >= 0.5 ? p
		     : fmin(0.5, 1 / (1 + exp(-odds - 2 * delta * sqrt(eta / epochs))));
	variance = r * (1 - r) * n;
	log_weight = s * log(log(eta * epochs)) +
		     s * log(sqrt(epochs) * fabs(odds) / (2 * delta) + 1) +
		     log(2 * zeta_s * (2 * zeta_s + 1) / (alpha * pow(log(eta), s)));
	skew = k2 * (1 - 2 * p) / 3 * log_weight;
	return fmin((delta * sqrt(eta * variance / m) +
		     sqrt(k1 * k1 * variance * log_weight + skew * skew) + skew) /
			    (double)t,
		    1);
}

struct quantile_bound quantile_bound(const struct histogram *h, uint32_t ppm,
				     double alpha)
{
	double n = (double)h->n_total, p = ppm / 1e6;
	double f = quantile_radius(p, h->n_total, alpha);
	double low = ceil(n * (p - f)), high = floor(n * (p + f)) + 1;
	struct quantile_bound b = { 0 };
	uint64_t ns;

	if (low >= 1 && histogram_rank(h, (uint64_t)low, &ns)) {
		b.has_low = true;
		b.low_ns = histogram_index_low(histogram_index(ns));
	}
	if (high <= n && histogram_rank(h, (uint64_t)high, &ns)) {
		b.has_high = true;
		b.high_ns = histogram_index_low(histogram_index(ns) + 1);
		/* the last bucket has no end but the largest value */
		if (b.high_ns < h->max_ns && histogram_index(ns) == HISTOGRAM_BUCKETS - 1)
			b.high_ns = h->max_ns;
	}
	return b;
}

enum quantile_verdict quantile_judge(const struct histogram *h,
				     uint64_t expected_median_ns)
{
	struct quantile_bound b = quantile_bound(h, 500000, ALPHA);
	double expected = (double)expected_median_ns;

	if (!expected_median_ns)
		return QUANTILE_OPEN;
	if (b.has_low && (double)b.low_ns > 2 * expected)
		return QUANTILE_SLOW;
	if (b.has_high && (double)b.high_ns < 1.5 * expected)
		return QUANTILE_OK;
	return QUANTILE_OPEN;
}
