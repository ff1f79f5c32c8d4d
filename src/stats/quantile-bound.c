/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/quantile-bound.h"

#include <math.h>

#define ALPHA 0.01

double quantile_radius(double p, double t, double alpha)
{
	double l;

	if (!(t >= 1))
		return 1;
	/* ln ln(2.1 t) makes sense from t = 2 on; before, the radius is 1 anyway */
	l = (1.4 * log(fmax(log(2.1 * t), 1)) + log(10 / alpha)) / t;
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

double quantile_related(const uint64_t *latency_ns, size_t n, uint64_t median_ns)
{
	size_t block = (size_t)sqrt((double)n), blocks = block ? n / block : 0;
	double sum = 0, square = 0, mean, variance;

	if (n < 64)
		return 1;
	for (size_t b = 0; b < blocks; b++) {
		double share = 0;

		for (size_t i = b * block; i < (b + 1) * block; i++)
			share += latency_ns[i] <= median_ns ? 1.0 / (double)block : 0;
		sum += share;
		square += share * share;
	}
	mean = sum / (double)blocks;
	variance = (square - sum * mean) / (double)(blocks - 1);
	if (!(mean > 0 && mean < 1))
		return 1;
	return fmax((double)block * variance / (mean * (1 - mean)), 1);
}

struct quantile_bound quantile_bound(const struct histogram *h, uint32_t ppm,
				     double alpha, double related)
{
	double n = (double)h->n_total, p = ppm / 1e6;
	double f = quantile_radius(p, n / fmax(related, 1), alpha);
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

enum quantile_verdict quantile_judge(const struct histogram *h, double related,
				     uint64_t expected_median_ns)
{
	struct quantile_bound b = quantile_bound(h, 500000, ALPHA, related);
	double expected = (double)expected_median_ns;

	if (!expected_median_ns)
		return QUANTILE_OPEN;
	if (b.has_low && (double)b.low_ns > 2 * expected)
		return QUANTILE_SLOW;
	if (b.has_high && (double)b.high_ns < 1.5 * expected)
		return QUANTILE_OK;
	return QUANTILE_OPEN;
}
