/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A histogram of latencies in fixed memory (7.4 kB), cut exactly as fio's, so that percentiles
 * can be compared digit for digit and the "bins" of fio's json+ output can be read back.
 *
 * Unit: nanoseconds. Below 128 every value has its own bucket. From there on each power of two
 * is cut into 64 equal buckets: a value v with 2^k <= v < 2^(k+1), k >= 7, lies in the bucket
 * that its 7 highest bits name, 2^(k-6) wide. A bucket is represented by its middle, so the
 * error of a value, and of every quantile, is at most half a bucket: 2^(k-7)/2^k = 1/2^7 = 0.78 %
 * of it. 29 groups of 64 reach 2^34 ns = 17.2 s; what is longer counts in the last bucket
 * (max_ns still tells it). fio before 2.99 has 19 such groups in microseconds.
 *
 * Source of the scheme: fio's stat.h (FIO_IO_U_PLAT_BITS 6, FIO_IO_U_PLAT_GROUP_NR 29 since
 * 2.99); the same idea is published as HdrHistogram.
 *
 * Plain data without pointers: zeroed is empty, copied by assignment. Adding never allocates;
 * counts stop at 2^32 - 1 a bucket instead of wrapping, and n_total with them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attrs.h"

#define HISTOGRAM_GROUP	  64u
#define HISTOGRAM_GROUPS  29u
#define HISTOGRAM_BUCKETS (HISTOGRAM_GROUP * HISTOGRAM_GROUPS)

struct histogram {
	uint32_t count[HISTOGRAM_BUCKETS];
	uint64_t n_total;	      /* sum of all counts */
	uint64_t min_ns, max_ns;      /* exact; meaningful when n_total > 0 */
	double sum_ns, sum_square_ns; /* of the exact values: for mean and deviation */
};

/* Bucket of a value, 0 .. HISTOGRAM_BUCKETS - 1. */
size_t histogram_index(uint64_t ns);
/* First value of a bucket; that of HISTOGRAM_BUCKETS is the end of the last. */
uint64_t histogram_index_low(size_t index);
/* The value that stands for a bucket: its middle, rounded down (fio prints the same). */
uint64_t histogram_index_value(size_t index);

void histogram_add(struct histogram *h, uint64_t ns);
/* N values in the bucket of NS, all of size NS. For counts read back from fio's bins. */
void histogram_add_many(struct histogram *h, uint64_t ns, uint64_t n);
/* Everything of FROM into TO: the same as if all values had been added to TO. */
void histogram_merge(struct histogram *to, const struct histogram *from);

/*
 * The RANK-th smallest value (1 = least), as the middle of its bucket (so it may be up to 0.78 %
 * above max_ns, as in fio); the largest of all, when it passed the last bucket, as max_ns.
 * False when RANK is 0 or beyond n_total.
 */
bool histogram_rank(const struct histogram *h, uint64_t rank,
		    uint64_t *ret_ns) must_check;
/*
 * The quantile at PPM millionths (500000 = median, 999900 = 99.99th percentile): the least value
 * with at least that share of all values at or below it, as in fio. False when empty.
 */
bool histogram_quantile(const struct histogram *h, uint32_t ppm,
			uint64_t *ret_ns) must_check;
/* How many values lie in buckets below that of NS: exact at bucket edges. */
uint64_t histogram_count_below(const struct histogram *h, uint64_t ns);

/*
 * Mean and standard deviation (divisor n - 1, as fio's; 0 of one value) of the exact values. False if
 * empty.
 */
bool histogram_mean(const struct histogram *h, double *ret_mean_ns,
		    double *ret_stddev_ns) must_check;
