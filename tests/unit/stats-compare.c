/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Zones of a drive, and comparison of two runs. */
#include "unit.h"

#include <errno.h>
#include <math.h>

#include "base/attrs.h"
#include "stats-random.h"
#include "stats/compare.h"
#include "stats/zones.h"

#define near(a, b, by) assert_true(fabs((a) - (b)) <= (by))
#define US	       1000ull
#define MS	       1000000ull

/* ---- zones ---- */

static void a_slow_zone_is_found(void **state)
{
	double ns[64];
	uint64_t random = 5;
	struct zones z;

	(void)state;
	for (size_t i = 0; i < 64; i++)
		ns[i] = 1e5 * exp(0.05 * random_normal(&random));
	assert_int_equal(zones_measure(ns, 64, false, &z), 0);
	assert_int_equal(z.n_flagged, 0);
	near(z.spread, 0.05, 0.025);
	ns[17] *= 2;
	ns[18] = 0; /* not measured */
	ns[19] = (double)NAN;
	assert_int_equal(zones_measure(ns, 64, false, &z), 0);
	assert_int_equal(z.n_measured, 62);
	assert_int_equal(z.n_flagged, 1);
	assert_true(z.flagged[17]);
	near(z.ratio[17], 2, 0.3);
	near(z.ratio[18], 0, 0);
}

/* Outer to inner a piece takes twice as long; only a weak zone on top of that counts. */
static void inner_zones_are_slower_by_nature(void **state)
{
	double ns[64];
	uint64_t random = 6;
	struct zones z;

	(void)state;
	for (size_t i = 0; i < 64; i++)
		ns[i] = 1e6 * exp2((double)i / 63) * exp(0.03 * random_normal(&random));
	assert_int_equal(zones_measure(ns, 64, true, &z), 0);
	assert_int_equal(z.n_flagged, 0);
	near(z.last_to_first, 2, 0.1);
	ns[5] *= 1.8; /* still no slower than the innermost ones */
	assert_int_equal(zones_measure(ns, 64, true, &z), 0);
	assert_int_equal(z.n_flagged, 1);
	assert_true(z.flagged[5]);
}

static void a_drive_like_a_clock(void **state)
{
	double ns[64];
	struct zones z;

	(void)state;
	for (size_t i = 0; i < 64; i++)
		ns[i] = 1e5;
	ns[3] = 1.4e5; /* forty deviations, but not 1.5 times */
	ns[4] = 1.6e5;
	assert_int_equal(zones_measure(ns, 64, true, &z), 0);
	assert_int_equal(z.n_flagged, 1);
	assert_true(z.flagged[4] && !z.flagged[3]);
	assert_int_equal(zones_measure(ns, 7, false, &z), -ENODATA);
	assert_int_equal(zones_measure(ns, ZONES_MAX + 1, false, &z), -E2BIG);
}

/* ---- comparison ---- */

/* All ways to choose 5 of 10 places, U counted pair by pair. */
static void mann_whitney_brute_force(void **state)
{
	(void)state;
	for (unsigned u_seen = 0; u_seen <= 12; u_seen++) {
		double a[5], b[5], extreme = 0, all = 0;
		size_t n_a = 0, n_b = 0;
		unsigned found = 0;

		for (unsigned set = 0; set < 1024; set++) {
			unsigned u = 0;

			if (__builtin_popcount(set) != 5)
				continue;
			for (unsigned i = 0; i < 10; i++) {
				for (unsigned k = 0; k < i; k++)
					u += (set >> i & 1) && !(set >> k & 1);
			}
			all++;
			extreme += u <= u_seen || u >= 25 - u_seen;
			if (u == u_seen)
				found = set;
		}
		for (unsigned i = 0; i < 10; i++)
			*(found >> i & 1 ? &a[n_a++] : &b[n_b++]) = i;
		near(compare_mann_whitney(a, 5, b, 5), extreme / all, 1e-12);
	}
}

/* Published: n = m = 8 has the critical value 13 at 5 %; n = m = 20 has 127, normal from 26 on. */
static void mann_whitney_critical_values(void **state)
{
	double a[8], b[8];

	(void)state;
	/* a: 1..8, b shifted so that 13, then 14 pairs are the wrong way round */
	for (size_t i = 0; i < 8; i++) {
		a[i] = (double)i;
		b[i] = (double)i + 100;
	}
	b[0] = -1;  /* 8 pairs */
	b[1] = 2.5; /* and the 5 above it */
	assert_true(compare_mann_whitney(a, 8, b, 8) <= 0.05);
	for (size_t i = 0; i < 8; i++) {
		a[i] = (double)i;
		b[i] = (double)i + 100;
	}
	b[0] = -1;
	b[1] = 1.5; /* 14 */
	assert_true(compare_mann_whitney(a, 8, b, 8) > 0.05);
}

static void mann_whitney_ties(void **state)
{
	double a[6] = { 1, 1, 1, 2, 2, 2 }, b[6] = { 2, 2, 2, 3, 3, 3 };
	double same[6] = { 4, 4, 4, 4, 4, 4 }, other[6] = { 4, 4, 4, 4, 4, 4 };

	(void)state;
	near(compare_mann_whitney(same, 6, other, 6), 1, 0);
	/*
	 * U = 9/2, expected 18; groups of 3, 6, 3: 24 + 210 + 24 = 258; variance 36/12 (13 -
	 * 258/132) = 33.136; z = (13.5 - 0.5) / 5.7564 = 2.2583: p = 0.02393
	 */
	near(compare_mann_whitney(a, 6, b, 6), 0.02393, 0.00005);
}

static void ratio_and_its_interval_brute_force(void **state)
{
	static const double a[] = { 10, 11, 12, 13, 15, 19 },
			    b[] = { 14, 16, 17, 21, 30 };
	double ratio[30];
	struct compare c;

	(void)state;
	for (size_t i = 0; i < 30; i++) {
		double r = b[i % 5] / a[i / 5];
		size_t at = i;

		for (; at > 0 && ratio[at - 1] > r; at--)
			ratio[at] = ratio[at - 1];
		ratio[at] = r;
	}
	assert_int_equal(compare_blocks(a, 6, b, 5, &c), 0);
	near(c.ratio, sqrt(ratio[14] * ratio[15]), 1e-9);
	/* published: the critical value of U for 6 and 5 is 3, so 3 ratios are left out */
	near(c.low, ratio[3], 1e-9);
	near(c.high, ratio[26], 1e-9);
	assert_false(c.significant);
}

static void blocks_are_cut_by_time(void **state)
{
	struct compare_sample s[40];
	double scratch[40], median[COMPARE_MAX_BLOCKS];

	(void)state;
	for (size_t i = 0; i < 40; i++)
		s[i] = (struct compare_sample){ 5 + i * 10, i };
	s[39].at_ns = 10000; /* after a long pause */
	/* blocks of ten, the one of the last request is not full */
	assert_int_equal(compare_block_medians(s, 40, 100, scratch, median), 4);
	near(median[0], 4.5, 0);
	near(median[2], 24.5, 0);
	near(median[3], 34, 0); /* 30..38 */
	assert_int_equal(compare_block_medians(s, 0, 100, scratch, median), 0);
}

static void autocorrelation(void **state)
{
	static const double up_down[] = { 1, -1, 1, -1, 1, -1 };
	static const double steps[] = { 0, 0, 0, 1, 1, 1 };
	static const double flat[] = { 3, 3, 3, 3 };

	(void)state;
	near(compare_autocorrelation(up_down, 6), -5 / 6.0, 1e-12);
	near(compare_autocorrelation(steps, 6), 0.5, 1e-12); /* (4 - 1) * 0.25 / 1.5 */
	near(compare_autocorrelation(flat, 4), 0, 0);
	near(compare_autocorrelation(flat, 2), 0, 0);
}

static void equal_and_unequal_runs(void **state)
{
	static struct compare_sample a[6000], b[6000], c[6000];
	static double scratch[6000];
	uint64_t random = 11;
	struct compare r;

	(void)state;
	for (size_t i = 0; i < 6000; i++) {
		a[i] = (struct compare_sample){
			i * 500 * US, (uint64_t)(1e5 * exp(0.3 * random_normal(&random)))
		};
		b[i] = (struct compare_sample){
			i * 500 * US, (uint64_t)(1e5 * exp(0.3 * random_normal(&random)))
		};
		c[i] = (struct compare_sample){ i * 500 * US, b[i].latency_ns * 12 / 10 };
	}
	assert_int_equal(compare_runs(a, 6000, b, 6000, scratch, &r), 0);
	assert_int_equal(r.block_ns, 50 * MS);
	assert_false(r.significant);
	near(r.ratio, 1, 0.03);
	assert_true(r.low < 1 && r.high > 1);
	assert_int_equal(compare_runs(a, 6000, c, 6000, scratch, &r), 0);
	assert_true(r.significant);
	near(r.ratio, 1.2, 0.03);
	assert_true(r.low < 1.2 && r.high > 1.2);
	assert_int_equal(compare_runs(a, 300, b, 300, scratch, &r), -ENODATA);
	assert_int_equal(compare_runs(a, 0, b, 0, scratch, &r), -ENODATA);
}

static void a_run_that_drifts_is_no_proof(void **state)
{
	static struct compare_sample a[6000], b[6000];
	static double scratch[6000];
	struct compare r = { .p = 7 };

	(void)state;
	for (size_t i = 0; i < 6000; i++) {
		a[i] = (struct compare_sample){ i * 500 * US, 100000 + i };
		b[i] = (struct compare_sample){ i * 500 * US, 100000 + i * 2 };
	}
	/* however long the blocks, neighbours are alike */
	assert_int_equal(compare_runs(a, 6000, b, 6000, scratch, &r), -ENODATA);
	near(r.p, 7, 0);
}

static void figures_that_are_none(void **state)
{
	static const double good[] = { 1, 2, 3, 4, 5 }, bad[] = { 1, 2, 0, 4, 5 };
	struct compare c;

	(void)state;
	assert_int_equal(compare_blocks(good, 5, bad, 5, &c), -EINVAL);
	assert_int_equal(compare_blocks(good, 4, good, 5, &c), -ENODATA);
	assert_int_equal(compare_blocks(good, COMPARE_MAX_BLOCKS + 1, good, 5, &c),
			 -E2BIG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_slow_zone_is_found),
		cmocka_unit_test(inner_zones_are_slower_by_nature),
		cmocka_unit_test(a_drive_like_a_clock),
		cmocka_unit_test(mann_whitney_brute_force),
		cmocka_unit_test(mann_whitney_critical_values),
		cmocka_unit_test(mann_whitney_ties),
		cmocka_unit_test(ratio_and_its_interval_brute_force),
		cmocka_unit_test(blocks_are_cut_by_time),
		cmocka_unit_test(autocorrelation),
		cmocka_unit_test(equal_and_unequal_runs),
		cmocka_unit_test(a_run_that_drifts_is_no_proof),
		cmocka_unit_test(figures_that_are_none),
	};

	return cmocka_run_group_tests_name("stats-compare", tests, NULL, NULL);
}
