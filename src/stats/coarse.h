/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The distribution of latencies as far as posted text tells it: a few percentiles and fio's
 * coarse latency buckets ("lat (usec) : 50=8.07%, ..."). What is known of F(x), the share of
 * requests faster than x, is kept as an interval at each place where something is known (a knot):
 *
 *   - a bucket edge: the sum of the shares below it, within the rounding of the printed shares
 *     (0.005 % a row; a row of 0.01 % may be anything down to 0), cross-checked from above;
 *   - a percentile: fio prints the middle of one of its own buckets (stats/histogram.h), so the
 *     true quantile lies within 1/128 of it, plus the last printed digit;
 *   - the least and the largest value.
 *
 * Between knots nothing is assumed but that F does not fall. Every bound derived from this holds
 * for the real data behind the text, whatever its shape. Unit: ns; shares 0..1.
 *
 * fio leaves out rows of 0 %, so the lower edge of a row comes from fio's fixed list of edges
 * (stat.c: 2 4 10 20 50 100 250 500 750 1000 of each unit, then 2000 ms): the row "10" of msec
 * holds 4 ms <= x < 10 ms.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attrs.h"

/* The end of fio's last row, ">=2000" ms, as the facts write it; anything above means the same. */
#define COARSE_OPEN_NS	 4294967295u
#define COARSE_MAX_INPUT 40u /* percentiles, and rows, that are taken */
#define COARSE_MAX_KNOTS (4u * COARSE_MAX_INPUT + 4u)

struct coarse_quantile {
	uint32_t ppm; /* 500000 = median */
	uint64_t ns;
};

struct coarse_bucket {
	uint64_t end_ns; /* the label of the row, as ns */
	uint32_t share_ppm;
};

/* Rows in any order; what is not known is NULL or 0. */
struct coarse_input {
	const struct coarse_quantile *quantiles;
	size_t n_quantiles;
	const struct coarse_bucket *buckets;
	size_t n_buckets;
	uint64_t n_total;	 /* requests, 0 = unknown */
	uint64_t min_ns, max_ns; /* 0 = unknown */
};

struct coarse_knot {
	double ns;
	double low, high; /* F(ns) lies between them */
};

struct coarse_point {
	double ns, share; /* best single value of F, for showing */
};

struct coarse {
	struct coarse_knot knot[COARSE_MAX_KNOTS]; /* ns grows strictly */
	size_t n_knots;
	struct coarse_point point[COARSE_MAX_KNOTS];
	size_t n_points;
	uint64_t n_total;
	bool buckets_used; /* false: none, or their sum was not near 100 % */
	double conflict; /* by how much percentiles and buckets contradict each other (share) */
};

/*
 * 0; -ENODATA when there is neither a percentile nor a usable set of buckets; -EBADMSG when
 * percentiles fall while they should grow, or contradict the buckets by more than 2 % of the
 * requests (then they speak of different runs or quantities); -E2BIG.
 */
int coarse_init(struct coarse *c, const struct coarse_input *in) must_check;

/* Lower edge of the fio row whose label is END_NS; 0 for a label that fio does not have. */
uint64_t coarse_bucket_low(uint64_t end_ns);

/* Bounds of the share of requests faster than NS. */
void coarse_share_below(const struct coarse *c, double ns, double *ret_low,
			double *ret_high);

/* Where the share SHARE is reached, straight lines in log(ns) between the points. For showing. */
double coarse_quantile_estimate(const struct coarse *c, double share);
/* The same the other way round. */
double coarse_share_estimate(const struct coarse *c, double ns);

/*
 * The widest jump between neighbouring percentiles, in ratio: what a person sees in the table
 * ("50th 205 us, 60th 4960 us"). Counted when the ratio is at least 3 and 5 % of the requests lie
 * on each side. between_low..high: how much lies inside by the buckets.
 */
struct coarse_gap {
	struct coarse_quantile below, above;
	double ratio;
	double between_low, between_high;
	bool confirmed; /* some factor of 2 inside it holds under 1/10 of the smaller side */
};

/* False when there is none. */
bool coarse_find_gap(const struct coarse *c, const struct coarse_input *in,
		     struct coarse_gap *ret) must_check;

/*
 * Bounds of the mean and of the part of it that requests of at least FROM_NS hold, in ns a
 * request. The upper ones are HUGE_VAL when the largest value is not known.
 */
struct coarse_time {
	double fast_low, fast_high, slow_low, slow_high;
};

void coarse_time_split(const struct coarse *c, double from_ns, struct coarse_time *ret);
