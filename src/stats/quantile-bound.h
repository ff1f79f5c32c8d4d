/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bounds for a quantile of the true distribution that may be looked at after every request: with
 * probability 1 - alpha they hold at all times at once, so a measurement may stop as soon as they
 * say enough. S.R. Howard, A. Ramdas, Sequential estimation of quantiles with applications to A/B
 * testing and best-arm identification, Bernoulli 28 (2022) 1704-1728, doi 10.3150/21-BEJ1388,
 * arXiv 1906.09712: the closed form of its introduction, for one quantile p,
 *
 *     f = 1.5 sqrt(p (1 - p) l) + 0.8 l,  l = (1.4 ln ln(2.1 t) + ln(10 / alpha)) / t,
 *
 * and its double stitching for all quantiles at once. The true quantile p then lies between the
 * sample's quantiles p - f and p + f.
 *
 * That holds for independent requests of one distribution. Latency drifts, and then the bounds
 * are too narrow, so t is divided by the number of requests that tell as much as one independent
 * one. This RELATED is estimated from the order of the requests by batch means: in blocks of
 * sqrt(n), the variance of the share of requests below the median against the 0.25 / sqrt(n) of
 * independent ones. A drift much slower than the block is underestimated
 * (drivewhy-statistics(7) has the rates).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attrs.h"
#include "stats/histogram.h"

/* f for the quantile P (0..1) after T independent requests; 1 (nothing known) below one. */
double quantile_radius(double p, double t, double alpha);

/*
 * f that holds for all quantiles at once, upwards (true share below minus the sample's), for
 * sample sizes of T_MIN and more; below T_MIN it is wider than needed.
 */
double quantile_radius_all(double p, uint64_t t, double alpha, uint64_t t_min);

struct quantile_bound {
	bool has_low, has_high; /* false: too few requests to bound this side */
	uint64_t low_ns, high_ns;
};

/*
 * Bounds of the quantile at PPM; half a bucket of the histogram is added on each side. RELATED:
 * 1 for independent requests (less counts as 1).
 */
struct quantile_bound quantile_bound(const struct histogram *h, uint32_t ppm,
				     double alpha, double related);

/*
 * RELATED from N requests in their order (all or the last of them), at least 1. MEDIAN_NS: of
 * the same requests. 1 with fewer than 64: the bounds say nothing then anyway.
 */
double quantile_related(const uint64_t *latency_ns, size_t n, uint64_t median_ns);

enum quantile_verdict { QUANTILE_OPEN, QUANTILE_OK, QUANTILE_SLOW };

/*
 * Is the median what is expected of the drive? SLOW when it is surely above twice that, OK when
 * it is surely below 1.5 times, else OPEN; alpha = 1 %. OPEN when nothing is expected (0).
 */
enum quantile_verdict quantile_judge(const struct histogram *h, double related,
				     uint64_t expected_median_ns);
