/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/attrs.h"
#include "stats-random.h"
#include "stats-seed.h"
#include "stats/modes.h"
#include "stats/slow.h"

static struct coarse seed_coarse(size_t job)
{
	struct coarse_input in = seed_input(&seed_jobs[job]);
	struct coarse c;

	assert_int_equal(coarse_init(&c, &in), 0);
	return c;
}

static void fio_row_edges(void **state)
{
	static const struct {
		uint64_t end, low;
	} rows[] = {
		{ 2, 0 },
		{ US(2), 1000 },
		{ US(4), US(2) },
		{ US(50), US(20) },
		{ US(1000), US(750) },
		{ MS(2), MS(1) },
		{ MS(10), MS(4) },
		{ MS(1000), MS(750) },
		{ MS(2000), MS(1000) },
		{ COARSE_OPEN_NS, MS(2000) },
		{ UINT64_MAX, MS(2000) },
		{ 12345, 0 },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++)
		assert_int_equal(coarse_bucket_low(rows[i].end), rows[i].low);
}

/*
 * The published text says: about 58/42 % of the random reads, 42 % of them at 5..6 and 11.6..12.6
 * ms, both equally frequent; sequential 29 and 26 %. The shares are sums of the posted rows.
 */
static void seed_has_two_modes_and_equal_steps(void **state)
{
	static const double slow[] = { 42.31, 28.83, 45.22, 25.81 };
	static const double first_step[] = { 20.75, 13.95, 21.99, 12.55 };
	static const double second_step[] = { 21.56, 14.88, 23.23, 13.26 };

	(void)state;
	for (size_t job = 0; job < 4; job++) {
		struct coarse c = seed_coarse(job);
		struct slow s;
		const struct mode *step = s.steps.mode;

		slow_measure_coarse(&c, 0, seed_jobs[job].clat_mean_us * 1000, &s);
		assert_true(s.found);
		assert_int_equal(s.modes.n, 2);
		assert_int_equal(s.from_ns, MS(4));
		assert_true(fabs(s.requests.best * 100 - slow[job]) < 0.02);
		assert_true(s.requests.low * 100 < slow[job] + 0.005 &&
			    s.requests.high * 100 > slow[job] - 0.005);
		assert_true(s.requests.high - s.requests.low < 0.001);
		assert_true(s.modes.mode[0].center_ns < US(205));

		assert_int_equal(s.steps.n, 2);
		assert_int_equal(step[1].low_ns, MS(10));
		assert_in_range(step[0].center_ns, MS(5), MS(6));
		assert_in_range(step[1].center_ns, US(11600), US(12600));
		assert_true(fabs(step[0].share * 100 - first_step[job]) < 0.03);
		assert_true(fabs(step[1].share * 100 - second_step[job]) < 0.03);

		assert_true(s.is_ladder);
		assert_int_equal(s.ladder.multiple[0], 1);
		assert_int_equal(s.ladder.multiple[1], 2);
		assert_true(s.ladder.step_ns > 5.5e6 && s.ladder.step_ns < 6.2e6);
		assert_true(s.ladder.misfit < 0.07);
	}
}

/*
 * By hand for the first job: a fast read takes at most its row's edge, 8.07 % * 50 us + 19.94 % *
 * 100 us + ... = 112 us a request of 3915 us, and at least the lower edges, 50 us: so the slow
 * ones hold 97.1..98.7 %; percentiles narrow it further, never beyond.
 */
static void seed_slow_reads_hold_the_time(void **state)
{
	struct coarse c = seed_coarse(0);
	struct slow s;

	(void)state;
	slow_measure_coarse(&c, 0, 3915390, &s);
	assert_true(s.mean_used);
	assert_true(s.time.low >= 0.971 && s.time.high <= 0.988);
	assert_true(s.time.low < s.time.best && s.time.best < s.time.high);
	/* without the mean: rows alone give 2.99 / (2.99 + 0.112) .. 6.4 / (6.4 + 0.05) ms */
	slow_measure_coarse(&c, 0, 0, &s);
	assert_false(s.mean_used);
	assert_true(s.time.low >= 0.963 && s.time.high <= 0.9925);
	/* a mean that cannot belong to this table is not believed */
	slow_measure_coarse(&c, 0, 39153900, &s);
	assert_false(s.mean_used);
}

static void seed_gap_as_a_person_sees_it(void **state)
{
	struct coarse_input in = seed_input(&seed_jobs[0]);
	struct coarse c = seed_coarse(0);
	struct coarse_gap gap;

	(void)state;
	assert_true(coarse_find_gap(&c, &in, &gap));
	assert_int_equal(gap.below.ppm, 500000);
	assert_int_equal(gap.above.ppm, 600000);
	assert_true(fabs(gap.ratio - 24.195) < 0.001); /* 4960 / 205 */
	assert_true(gap.confirmed);
	in.n_buckets = 0;
	assert_int_equal(coarse_init(&c, &in), 0);
	assert_true(coarse_find_gap(&c, &in, &gap));
	assert_false(gap.confirmed);
}

/* The tail at 17..19 ms: the 99th percentile is 14272 us (16512, 16768, 12992 in the others). */
static void seed_tail_is_below_one_percent(void **state)
{
	(void)state;
	for (size_t job = 0; job < 4; job++) {
		struct coarse c = seed_coarse(job);
		double low, high;

		coarse_share_below(&c, 17e6, &low, &high);
		assert_true(1 - low < 0.01 + 1e-9);
		assert_true(1 - high >= 0.001);
	}
}

static void damaged_rows_are_not_used(void **state)
{
	struct coarse_bucket bucket[16];
	struct coarse_input in = seed_input(&seed_jobs[0]);
	struct coarse c;
	struct slow s;

	(void)state;
	for (size_t i = 0; i < in.n_buckets; i++)
		bucket[i] = in.buckets[i];
	bucket[4] =
		bucket[--in.n_buckets]; /* "100=1iiiiiiii9.94%" left out, not restored */
	in.buckets = bucket;
	assert_int_equal(coarse_init(&c, &in), 0);
	assert_false(c.buckets_used);
	slow_measure_coarse(&c, 0, 3915390, &s);
	assert_true(
		s.found); /* by the percentiles: the gap lies between the 50th and 60th */
	assert_true(s.requests.low >= 0.399 && s.requests.high <= 0.501);
	assert_in_range(s.from_ns, US(205), US(4960));
}

static void impossible_tables_are_refused(void **state)
{
	static const struct coarse_quantile falling[] = { { 500000, 2000 },
							  { 900000, 1000 } };
	static const struct coarse_quantile fast[] = { { 500000, 2000 },
						       { 900000, 3000 } };
	static const struct coarse_bucket slow[] = { { MS(10), 1000000 } };
	struct coarse_input in = { .quantiles = falling, .n_quantiles = 2 };
	struct coarse c;

	(void)state;
	assert_int_equal(coarse_init(&c, &in), -EBADMSG);
	in.quantiles = fast;
	in.buckets = slow;
	in.n_buckets = 1;
	assert_int_equal(coarse_init(&c, &in), -EBADMSG);
	assert_int_equal(coarse_init(&c, &(struct coarse_input){ 0 }), -ENODATA);
	in.n_quantiles = COARSE_MAX_INPUT + 1;
	assert_int_equal(coarse_init(&c, &in), -E2BIG);
}

/* ---- counted data ---- */

static void seed_like_samples(struct histogram *h, uint64_t *random, int n)
{
	for (int i = 0; i < n; i++) {
		double u = random_unit(random), ms;

		if (u < 0.575)
			ms = 0.1 * exp(0.35 * random_normal(random));
		else if (u < 0.785)
			ms = 5.5 * exp(0.05 * random_normal(random));
		else if (u < 0.995)
			ms = 12.1 * exp(0.03 * random_normal(random));
		else
			ms = 17.8 * exp(0.03 * random_normal(random));
		histogram_add(h, (uint64_t)(ms * 1e6));
	}
}

static void counted_two_modes_with_steps(void **state)
{
	struct histogram h = { 0 };
	uint64_t random = 42;
	struct slow s;

	(void)state;
	seed_like_samples(&h, &random, 2000);
	slow_measure(&h, 0, &s);
	assert_true(s.found);
	assert_int_equal(s.modes.n, 2);
	assert_in_range(s.from_ns, US(400), MS(5));
	assert_true(fabs(s.requests.best - 0.425) < 0.035); /* 3 sigma of 2000 */
	assert_int_equal(s.steps.n, 2);
	assert_true(fabs((double)s.steps.mode[0].center_ns / 5.5e6 - 1) < 0.03);
	assert_true(fabs((double)s.steps.mode[1].center_ns / 12.1e6 - 1) < 0.03);
	assert_true(s.is_ladder && s.ladder.multiple[1] == 2);
	/* 0.575 * 0.106 + 0.21 * 5.5 + 0.21 * 12.1 + 0.005 * 17.8: the first part is 1.6 % */
	assert_true(fabs(s.time.best - 0.984) < 0.005);
}

static void counted_single_mode(void **state)
{
	struct histogram h = { 0 };
	uint64_t random = 43;
	struct slow s;

	(void)state;
	for (int i = 0; i < 5000; i++)
		histogram_add(&h, (uint64_t)(1e5 * exp(0.5 * random_normal(&random))));
	slow_measure(&h, 0, &s);
	assert_false(s.found);
	assert_int_equal(s.modes.n, 1);
	assert_true(s.modes.mode[0].share == 1);
	assert_true(fabs((double)s.modes.mode[0].center_ns / 1e5 - 1) < 0.05);
}

static void counted_page_types_are_no_finding(void **state)
{
	static const double us[] = { 50, 70, 95 };
	struct histogram h = { 0 };
	uint64_t random = 44;
	struct modes m;

	(void)state;
	for (int i = 0; i < 6000; i++)
		histogram_add(&h, (uint64_t)(us[i % 3] * 1e3 *
					     exp(0.03 * random_normal(&random))));
	modes_find(&h, &m);
	assert_int_equal(m.n, 1);
}

/* Cache, flash and stalls: with the usual latency known the first gap is not the fault. */
static void usual_latency_chooses_the_gap(void **state)
{
	struct histogram h = { 0 };
	struct slow s;

	(void)state;
	histogram_add_many(&h, US(10), 300);
	histogram_add_many(&h, US(300), 600);
	histogram_add_many(&h, MS(4), 100);
	slow_measure(&h, 0, &s);
	assert_int_equal(s.modes.n, 3);
	assert_int_equal(s.first_slow, 1); /* x30 is the widest jump */
	slow_measure(&h, US(200), &s);
	assert_int_equal(s.first_slow, 2);
	assert_true(fabs(s.requests.best - 0.1) < 1e-9);
	slow_measure(&h, MS(3), &s);
	assert_false(s.found);
}

static void no_data_and_extremes(void **state)
{
	struct histogram h = { 0 };
	struct modes m;
	struct slow s;

	(void)state;
	modes_find(&h, &m);
	assert_int_equal(m.n, 0);
	slow_measure(&h, 0, &s);
	assert_false(s.found);
	histogram_add_many(&h, 0, 500);
	histogram_add_many(&h, UINT64_MAX, 500);
	modes_find(&h, &m);
	assert_int_equal(m.n, 2);
	modes_find_steps(&h, UINT64_MAX, &m);
	assert_int_equal(m.n, 0);
}

/* ---- posted against counted: whatever was printed, the bounds hold the truth ---- */

static const uint32_t fio_ppm[] = { 10000,  50000,  100000, 200000, 300000, 400000,
				    500000, 600000, 700000, 800000, 900000, 950000,
				    990000, 995000, 999000, 999500, 999900 };

struct posted {
	struct coarse_quantile quantile[array_size(fio_ppm)];
	struct coarse_bucket bucket[32];
	struct coarse_input in;
	double mean_ns;
};

static int compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Print as fio does: bucket middles rounded up to us or ms, rows to 0.01 %, at least 0.01. */
static void post(const uint64_t *sorted, size_t n, bool rows, struct posted *ret)
{
	static const uint64_t ends[] = { 2,	  4,	    10,	      20,
					 50,	  100,	    250,      500,
					 750,	  1000,	    US(2),    US(4),
					 US(10),  US(20),   US(50),   US(100),
					 US(250), US(500),  US(750),  MS(1),
					 MS(2),	  MS(4),    MS(10),   MS(20),
					 MS(50),  MS(100),  MS(250),  MS(500),
					 MS(750), MS(1000), MS(2000), COARSE_OPEN_NS };
	/* from 2 to 100 ms on, by version and table, fio changes to ms */
	const uint64_t unit = sorted[n / 100] > MS(10) ? MS(1) : US(1);
	struct histogram h = { 0 };
	double deviation;
	size_t at = 0;

	for (size_t i = 0; i < n; i++)
		histogram_add(&h, sorted[i]);
	*ret = (struct posted){ .in = { .quantiles = ret->quantile,
					.n_quantiles = array_size(fio_ppm),
					.buckets = ret->bucket,
					.n_total = n,
					.min_ns = sorted[0] / unit * unit,
					.max_ns = sorted[n - 1] / unit * unit } };
	assert_true(histogram_mean(&h, &ret->mean_ns, &deviation));
	for (size_t i = 0; i < array_size(fio_ppm); i++) {
		uint64_t ns = 0;

		assert_true(histogram_quantile(&h, fio_ppm[i], &ns));
		ret->quantile[i] =
			(struct coarse_quantile){ fio_ppm[i],
						  (ns + unit - 1) / unit * unit };
	}
	for (size_t e = 0; rows && e < array_size(ends); e++) {
		size_t from = at;
		double share;

		while (at < n && (sorted[at] < ends[e] || ends[e] == COARSE_OPEN_NS))
			at++;
		share = 100.0 * (double)(at - from) / (double)n;
		if (at > from)
			ret->bucket[ret->in.n_buckets++] = (struct coarse_bucket){
				ends[e],
				share < 0.01 ? 100 : (uint32_t)lrint(share * 100) * 100
			};
	}
}

static size_t random_sample(uint64_t *random, uint64_t *values, size_t max)
{
	size_t n = 50 + (size_t)(random_next(random) % (max - 50));
	size_t parts = 1 + (size_t)(random_next(random) % 4);
	double center[4], width[4];

	for (size_t i = 0; i < parts; i++) {
		center[i] = exp(log(2e3) + random_unit(random) * log(1e6));
		width[i] = 0.02 + random_unit(random);
	}
	for (size_t i = 0; i < n; i++) {
		size_t part = (size_t)(random_next(random) % parts);

		values[i] = (uint64_t)(center[part] *
				       exp(width[part] * random_normal(random)));
	}
	qsort(values, n, sizeof(values[0]), compare_u64);
	return n;
}

static void bounds_hold_the_truth(void **state)
{
	static uint64_t values[4000];
	uint64_t random = 20121104;

	(void)state;
	for (int round = 0; round < 1500; round++) {
		size_t n = random_sample(&random, values, array_size(values)), below = 0;
		double from = (double)values[random_next(&random) % n] * 1.01, fast = 0,
		       slow = 0, low, high;
		struct slow_share share;
		struct posted p;
		struct coarse c;
		bool used;

		post(values, n, round % 4 != 0, &p);
		assert_int_equal(coarse_init(&c, &p.in), 0);
		assert_true(c.conflict == 0);
		for (size_t i = 0; i < n; i++) {
			below += (double)values[i] < from;
			*((double)values[i] < from ? &fast : &slow) += (double)values[i];
		}
		coarse_share_below(&c, from, &low, &high);
		assert_true(low * (double)n <= (double)below + 1e-6);
		assert_true(high * (double)n >= (double)below - 1e-6);
		/* the border is a whole number of ns for the caller */
		from = floor(from);
		share = slow_time_share_coarse(&c, (uint64_t)from, p.mean_ns, &used);
		assert_true(used);
		assert_true(share.low <= slow / (fast + slow) + 1e-9);
		assert_true(share.high >= slow / (fast + slow) - 1e-9);
	}
}

/* A gap found in the text is there in the data: nearly nothing at its emptiest octave. */
static void posted_modes_are_real(void **state)
{
	static uint64_t values[4000];
	uint64_t random = 777;
	size_t found = 0;

	(void)state;
	for (int round = 0; round < 600; round++) {
		size_t n = random_sample(&random, values, array_size(values));
		struct posted p;
		struct coarse c;
		struct modes m;

		post(values, n, round % 2 != 0, &p);
		assert_int_equal(coarse_init(&c, &p.in), 0);
		modes_find_coarse(&c, &m);
		assert_true(m.n >= 1);
		for (size_t i = 0; i < m.n; i++) {
			size_t inside = 0;

			for (size_t k = 0; k < n; k++)
				inside += values[k] >= m.mode[i].low_ns &&
					  values[k] < m.mode[i].high_ns;
			assert_true((double)inside >= 0.05 * (double)n - 1);
			assert_true((double)inside >=
				    m.mode[i].share_low * (double)n - 1);
			assert_true((double)inside <=
				    m.mode[i].share_high * (double)n + 1);
		}
		found += m.n > 1;
	}
	assert_true(found > 200); /* three of four samples have parts, most far apart */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fio_row_edges),
		cmocka_unit_test(seed_has_two_modes_and_equal_steps),
		cmocka_unit_test(seed_slow_reads_hold_the_time),
		cmocka_unit_test(seed_gap_as_a_person_sees_it),
		cmocka_unit_test(seed_tail_is_below_one_percent),
		cmocka_unit_test(damaged_rows_are_not_used),
		cmocka_unit_test(impossible_tables_are_refused),
		cmocka_unit_test(counted_two_modes_with_steps),
		cmocka_unit_test(counted_single_mode),
		cmocka_unit_test(counted_page_types_are_no_finding),
		cmocka_unit_test(usual_latency_chooses_the_gap),
		cmocka_unit_test(no_data_and_extremes),
		cmocka_unit_test(bounds_hold_the_truth),
		cmocka_unit_test(posted_modes_are_real),
	};

	return cmocka_run_group_tests_name("stats-modes", tests, NULL, NULL);
}
