/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#include "base/attrs.h"
#include "stats-random.h"
#include "stats/histogram.h"

/* Latencies spread evenly over the powers of two, up to LIMIT bits. */
static uint64_t random_ns(uint64_t *state, unsigned limit)
{
	return random_next(state) >> (64u - limit + random_next(state) % limit);
}

/* The scheme computed the long way round: go through the powers of two one by one. */
static size_t slow_index(uint64_t ns)
{
	uint64_t low = 128;
	size_t first = 128;

	if (ns < 128)
		return (size_t)ns;
	while (first < 29u * 64u) {
		if (ns < 2 * low)
			return first + (size_t)((ns - low) * 64u / low);
		low *= 2;
		first += 64;
	}
	return 29u * 64u - 1u;
}

/* Percentiles that fio 2.0.8 printed (us, the same 64 an octave) are middles of buckets. */
static void posted_percentiles_are_bucket_values(void **state)
{
	static const uint64_t posted[] = { 41,	  113,	 163,	205,   4960,  5856,
					   11584, 12480, 12608, 14272, 17280, 18816,
					   21120, 22912, 17536, 19584, 37632, 16768 };

	(void)state;
	for (size_t i = 0; i < array_size(posted); i++)
		assert_int_equal(histogram_index_value(histogram_index(posted[i])),
				 posted[i]);
}

static void index_agrees_with_long_way(void **state)
{
	uint64_t r = 88172645463325252u;

	(void)state;
	for (uint64_t ns = 0; ns < 70000; ns++)
		assert_int_equal(histogram_index(ns), slow_index(ns));
	for (int i = 0; i < 200000; i++) {
		uint64_t ns = random_ns(&r, 64);

		assert_int_equal(histogram_index(ns), slow_index(ns));
	}
	assert_int_equal(histogram_index(UINT64_MAX), HISTOGRAM_BUCKETS - 1);
	assert_int_equal(histogram_index((1ull << 34) - 1), HISTOGRAM_BUCKETS - 1);
	assert_int_equal(histogram_index((1ull << 34) - (1ull << 27) - 1),
			 HISTOGRAM_BUCKETS - 2);
}

static void buckets_join_without_gap(void **state)
{
	(void)state;
	for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
		uint64_t low = histogram_index_low(i), end = histogram_index_low(i + 1);
		uint64_t value = histogram_index_value(i);

		assert_true(low < end);
		assert_int_equal(histogram_index(low), i);
		assert_int_equal(histogram_index(end - 1), i);
		/* at most half a bucket and 1/2^7 of the value off, in integers */
		assert_true((value - low) * 128 <= low);
		assert_true((end - 1 - value) * 128 <= end - 1);
	}
	assert_true(histogram_index_low(HISTOGRAM_BUCKETS) == 1ull << 34);
	assert_true(sizeof(struct histogram) <= 7500);
}

static int compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Quantiles against the sorted values themselves, on random sets of random sizes. */
static void quantiles_are_within_their_error(void **state)
{
	static const uint32_t ppm[] = { 0,	1,	10000,	100000, 500000, 900000,
					950000, 990000, 999000, 999900, 1000000 };
	static uint64_t values[3000];
	uint64_t r = 2463534242u;

	(void)state;
	for (int round = 0; round < 200; round++) {
		struct histogram h = { 0 };
		size_t n = 1 + (size_t)(random_next(&r) % array_size(values));

		for (size_t i = 0; i < n; i++) {
			values[i] = random_ns(&r, 34);
			histogram_add(&h, values[i]);
		}
		qsort(values, n, sizeof(values[0]), compare_u64);
		for (size_t i = 0; i < array_size(ppm); i++) {
			uint64_t rank = (n * (uint64_t)ppm[i] + 999999u) / 1000000u;
			uint64_t want = values[rank ? rank - 1 : 0], got = 0;

			assert_true(histogram_quantile(&h, ppm[i], &got));
			assert_true((got > want ? got - want : want - got) * 128 <= want);
		}
		assert_int_equal(h.min_ns, values[0]);
		assert_int_equal(h.max_ns, values[n - 1]);
	}
}

static void merging_is_adding(void **state)
{
	struct histogram a = { 0 }, b = { 0 }, all = { 0 }, none = { 0 };
	uint64_t r = 1234567;

	(void)state;
	for (int i = 0; i < 5000; i++) {
		uint64_t ns = random_ns(&r, 36);

		histogram_add(i % 3 ? &a : &b, ns);
		histogram_add(&all, ns);
	}
	histogram_merge(&none, &a);
	histogram_merge(&none, &b);
	histogram_merge(&none, &(struct histogram){ 0 });
	assert_memory_equal(none.count, all.count, sizeof(all.count));
	assert_int_equal(none.n_total, 5000);
	assert_int_equal(none.min_ns, all.min_ns);
	assert_int_equal(none.max_ns, all.max_ns);
	assert_true(fabs(none.sum_ns / all.sum_ns - 1) < 1e-12);
}

static void counts_stop_instead_of_wrapping(void **state)
{
	struct histogram a = { 0 }, b = { 0 };
	uint64_t ns = 0;

	(void)state;
	histogram_add_many(&a, 1000, UINT64_MAX);
	histogram_add(&a, 1000);
	histogram_add(&b, 2000);
	histogram_merge(&b, &a);
	histogram_merge(&b, &a);
	assert_int_equal(a.n_total, UINT32_MAX);
	assert_int_equal(b.n_total, (uint64_t)UINT32_MAX + 1);
	assert_true(histogram_quantile(&b, 1000000, &ns));
	assert_int_equal(ns, 2008); /* its bucket is 2000 .. 2015 */
}

static void empty_and_edges(void **state)
{
	struct histogram h = { 0 };
	uint64_t ns = 77;
	double mean = 7, deviation = 7;

	(void)state;
	assert_false(histogram_quantile(&h, 500000, &ns));
	assert_false(histogram_rank(&h, 1, &ns));
	assert_false(histogram_mean(&h, &mean, &deviation));
	assert_int_equal(ns, 77);
	histogram_add(&h, 30000000000u); /* 30 s: beyond the last bucket */
	histogram_add(&h, 0);
	assert_true(histogram_rank(&h, 2, &ns));
	assert_int_equal(ns, 30000000000u);
	assert_false(histogram_rank(&h, 3, &ns));
	assert_false(histogram_rank(&h, 0, &ns));
	assert_true(histogram_rank(&h, 1, &ns));
	assert_int_equal(ns, 0);
	assert_int_equal(histogram_count_below(&h, 1), 1);
	assert_int_equal(histogram_count_below(&h, 0), 0);
}

/* 2, 4, 4, 4, 5, 5, 7, 9: mean 5, squares 32 about it; fio takes the root of 32 / 7. One has none. */
static void mean_and_deviation(void **state)
{
	static const uint64_t values[] = { 2, 4, 4, 4, 5, 5, 7, 9 };
	struct histogram h = { 0 };
	double mean, deviation;

	(void)state;
	histogram_add(&h, 5);
	assert_true(histogram_mean(&h, &mean, &deviation));
	assert_true(mean > 4.999999 && mean < 5.000001 && deviation <= 0 &&
		    deviation >= 0);
	h = (struct histogram){ 0 };
	for (size_t i = 0; i < array_size(values); i++)
		histogram_add(&h, values[i] * 1000000u);
	assert_true(histogram_mean(&h, &mean, &deviation));
	assert_true(fabs(mean - 5e6) < 1e-6);
	assert_true(fabs(deviation - 1e6 * sqrt(32.0 / 7)) < 1e-3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(posted_percentiles_are_bucket_values),
		cmocka_unit_test(index_agrees_with_long_way),
		cmocka_unit_test(buckets_join_without_gap),
		cmocka_unit_test(quantiles_are_within_their_error),
		cmocka_unit_test(merging_is_adding),
		cmocka_unit_test(counts_stop_instead_of_wrapping),
		cmocka_unit_test(empty_and_edges),
		cmocka_unit_test(mean_and_deviation),
	};

	return cmocka_run_group_tests_name("stats-histogram", tests, NULL, NULL);
}
