/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sequential test, stalls, quantile bounds, and what the order of requests is worth. */
#include "unit.h"

#include <errno.h>
#include <math.h>

#include "stats-random.h"
#include "stats/modes.h"
#include "stats/quantile-bound.h"
#include "stats/sequential.h"
#include "stats/stalls.h"
#include "stats/zones.h"

#define near(a, b, by) assert_true(fabs((a) - (b)) <= (by))
#define US	       1000ull
#define MS	       1000000ull

/* ---- sequential test ---- */

static struct sequential fresh(uint64_t least_n, uint64_t least_ns)
{
	struct sequential_rule rule = sequential_flash;
	struct sequential s;

	rule.least_n = least_n;
	rule.least_ns = least_ns;
	assert_int_equal(sequential_init(&s, &rule, MS), 0);
	return s;
}

/* The bounds by hand: 6.907 / 0.0412 = 167.5, 6.907 / 1.6094 = 4.3. */
static void counts_to_a_decision(void **state)
{
	struct sequential s = fresh(0, 0);

	(void)state;
	for (int i = 1; i < 168; i++)
		assert_int_equal(sequential_add(&s, MS, 0), SEQUENTIAL_OPEN);
	assert_int_equal(sequential_add(&s, MS, 0), SEQUENTIAL_OK);
	assert_int_equal(sequential_add(&s, 2 * MS, 0), SEQUENTIAL_OK); /* final */

	s = fresh(0, 0);
	for (int i = 1; i < 5; i++) {
		assert_int_equal(sequential_add(&s, MS + 1, 0), SEQUENTIAL_OPEN);
		assert_int_equal(sequential_add(&s, MS, 0), SEQUENTIAL_OPEN);
	}
	assert_int_equal(sequential_add(&s, MS + 1, 0), SEQUENTIAL_SLOW);
	assert_int_equal(s.n, 9);
	assert_int_equal(s.n_slow, 5);
}

static void a_run_counts_once(void **state)
{
	struct sequential s = fresh(0, 0);

	(void)state;
	for (int i = 0; i < 1000; i++)
		assert_int_equal(sequential_add(&s, 2 * MS, 0), SEQUENTIAL_OPEN);
	assert_int_equal(s.n_runs, 1);
	near(s.sum, 1.6094, 0.0001);
	assert_int_equal(sequential_add(&s, MS, 0), SEQUENTIAL_OPEN);
	near(s.sum, 1.6094 - 0.0412, 0.0001);
}

static void no_verdict_below_the_floor(void **state)
{
	struct sequential s = fresh(200, 300 * MS);

	(void)state;
	for (unsigned i = 0; i < 199; i++)
		assert_int_equal(sequential_add(&s, i % 2 ? 9 * MS : US, 400 * MS),
				 SEQUENTIAL_OPEN);
	assert_int_equal(sequential_add(&s, 9 * MS, 299 * MS), SEQUENTIAL_OPEN);
	assert_int_equal(sequential_add(&s, US, 300 * MS), SEQUENTIAL_SLOW);
}

static void cap_is_undecided(void **state)
{
	struct sequential s = fresh(200, 300 * MS);
	enum sequential_verdict v = SEQUENTIAL_OPEN;
	unsigned i;

	(void)state;
	/* one in 40 keeps the sum where it is: 1.6094 / 0.0412 = 39 */
	for (i = 0; v == SEQUENTIAL_OPEN; i++)
		v = sequential_add(&s, i % 40 == 39 ? 9 * MS : US, 400 * MS);
	assert_int_equal(v, SEQUENTIAL_UNDECIDED);
	assert_int_equal(i, 20000);
	s = fresh(200, 300 * MS);
	assert_int_equal(sequential_add(&s, US, 3000 * MS), SEQUENTIAL_UNDECIDED);
}

static void limits_of_slow(void **state)
{
	(void)state;
	assert_int_equal(sequential_limit_ns(false, 0), MS);
	assert_int_equal(sequential_limit_ns(false, 100 * US), MS);
	assert_int_equal(sequential_limit_ns(false, 300 * US), 1500 * US);
	assert_int_equal(sequential_limit_ns(false, UINT64_MAX), UINT64_MAX);
	assert_int_equal(sequential_limit_ns(true, 12 * MS), 60 * MS);
}

static void senseless_rules(void **state)
{
	struct sequential_rule rule = sequential_flash;
	struct sequential s;

	(void)state;
	rule.p0 = rule.p1;
	assert_int_equal(sequential_init(&s, &rule, MS), -EINVAL);
	rule = sequential_flash;
	rule.alpha = 0;
	assert_int_equal(sequential_init(&s, &rule, MS), -EINVAL);
}

/* ---- stalls ---- */

/* N requests of LATENCY one after the other; returns the time after them. */
static uint64_t requests(struct stalls *s, uint64_t at, int n, uint64_t latency)
{
	for (int i = 0; i < n; i++, at += latency)
		stalls_add(s, at, latency);
	return at;
}

static void one_short_stall_is_no_finding(void **state)
{
	struct stalls s;
	uint64_t at;

	(void)state;
	stalls_init(&s, 100 * US);
	at = requests(&s, 0, 10000, 100 * US);
	at = requests(&s, at, 1, 400 * MS);
	(void)requests(&s, at, 10000, 100 * US);
	assert_int_equal(s.stall.n_events, 1);
	assert_int_equal(s.stall.longest_ns, 400 * MS);
	near(stalls_time_share(&s, &s.slow), 400 / 2400.0, 1e-9);
	assert_int_equal(stalls_found(&s), 0);
}

static void two_stalls_or_a_long_one(void **state)
{
	struct stalls s;
	uint64_t at;

	(void)state;
	stalls_init(&s, 100 * US);
	at = requests(&s, 0, 5000, 100 * US);
	at = requests(&s, at, 3, 101 * MS); /* consecutive: one event */
	assert_int_equal(s.stall.n_events, 1);
	assert_int_equal(s.stall.longest_ns, 303 * MS);
	at = requests(&s, at, 5000, 100 * US);
	(void)requests(&s, at, 1, 101 * MS);
	assert_int_equal(stalls_found(&s), STALLS_EVENTS);

	stalls_init(&s, 100 * US);
	at = requests(&s, 0, 50000, 100 * US);
	(void)requests(&s, at, 5, 200 * MS);
	assert_int_equal(stalls_found(&s), STALLS_LONG);
}

static void slow_median_raises_the_limit(void **state)
{
	struct stalls s;

	(void)state;
	stalls_init(&s, 12 * MS); /* a rotating drive: 50 times is 600 ms */
	(void)requests(&s, 0, 3, 500 * MS);
	assert_int_equal(s.stall.n_events, 0);
	stalls_init(&s, UINT64_MAX);
	(void)requests(&s, 0, 3, 500 * MS);
	assert_int_equal(stalls_found(&s), 0);
}

static void time_inside_slow_requests(void **state)
{
	struct stalls s;
	uint64_t at = 0;

	(void)state;
	stalls_init(&s, 100 * US);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(stalls_found(&s), 0);
		at = requests(&s, at, 900, 100 * US); /* 90 ms */
		at = requests(&s, at, 1, 30 * MS);
	}
	near(stalls_time_share(&s, &s.slow), 0.25, 1e-9);
	assert_int_equal(stalls_found(&s), STALLS_TIME);
}

/* Eight outstanding requests that wait together for 150 ms waited 150 ms, not 1.2 s. */
static void shared_time_counts_once(void **state)
{
	struct stalls s;

	(void)state;
	stalls_init(&s, 100 * US);
	for (uint64_t i = 0; i < 8; i++)
		stalls_add(&s, i * US, 150 * MS);
	assert_int_equal(s.stall.n_events, 1);
	assert_int_equal(s.stall.time_ns, 150 * MS + 7 * US);
	stalls_add(&s, UINT64_MAX - 5, UINT64_MAX); /* ends at the end of the clock */
	assert_int_equal(s.stall.time_ns, 150 * MS + 7 * US + 5);
}

/* ---- quantile bounds ---- */

static void published_bounds(void **state)
{
	(void)state;
	/* the paper's closed form: t = 100, 200, 500, 1000, 5000 at alpha = 1 % */
	near(quantile_radius(0.5, 100, 0.01), 0.30, 0.005);
	near(quantile_radius(0.5, 200, 0.01), 0.20, 0.005);
	near(quantile_radius(0.5, 500, 0.01), 0.12, 0.005);
	near(quantile_radius(0.5, 1000, 0.01), 0.082, 0.0005);
	near(quantile_radius(0.5, 5000, 0.01), 0.035, 0.0005);
	/* values of its authors' program (confseq), as counts */
	near(1000 * quantile_radius_all(0.5, 1000, 0.05, 100), 68.62803, 1e-5);
	near(1000 * quantile_radius_all(0.9, 1000, 0.05, 100), 43.72119, 1e-5);
	/* theirs for the whole distribution is wider than one quantile needs */
	assert_true(quantile_radius(0.5, 1000, 0.05) < 0.08204769);
	/* and no bound for all times beats the one for a single time: sqrt(ln(2/a) / 2t) */
	assert_true(quantile_radius(0.5, 1000, 0.05) > 0.04294694);
}

/* The 99th percentile is bounded from above from about 3,700 requests on. */
static void high_quantiles_need_many_requests(void **state)
{
	struct histogram h = { 0 };
	uint64_t n = 0;

	(void)state;
	while (!quantile_bound(&h, 990000, 0.01, 1).has_high) {
		histogram_add(&h, 100 * US);
		n++;
	}
	assert_in_range(n, 3500, 3900);
	assert_false(quantile_bound(&(struct histogram){ 0 }, 500000, 0.01, 1).has_low);
	assert_false(quantile_bound(&(struct histogram){ 0 }, 500000, 0.01, 1).has_high);
}

static void bounds_include_the_bucket(void **state)
{
	struct histogram h = { 0 };
	struct quantile_bound b;

	(void)state;
	histogram_add_many(&h, 100000, 1000);
	b = quantile_bound(&h, 500000, 0.01, 1);
	assert_true(b.has_low && b.has_high);
	assert_true(b.low_ns <= 100000 && b.high_ns >= 100000);
	assert_true((double)b.high_ns / (double)b.low_ns < 1.02);
	near(quantile_radius(0.5, 0, 0.01), 1, 0);
	near(quantile_radius(0.5, 1, 0.01), 1, 0);
}

static void slow_for_its_model(void **state)
{
	struct histogram h = { 0 };

	(void)state;
	histogram_add_many(&h, 300 * US, 90);
	assert_int_equal(quantile_judge(&h, 1, 140 * US), QUANTILE_SLOW);
	assert_int_equal(quantile_judge(&h, 1, 155 * US), QUANTILE_OPEN);
	assert_int_equal(quantile_judge(&h, 1, 210 * US), QUANTILE_OK);
	assert_int_equal(quantile_judge(&h, 1, 0), QUANTILE_OPEN);
	histogram_add_many(&h, 50 * US, 60); /* 60 % slow, but too few to be sure */
	assert_int_equal(quantile_judge(&h, 1, 140 * US), QUANTILE_OPEN);
}

/* ---- what the order of requests is worth ---- */

/* LENGTH requests at 100 us, LENGTH at 3 ms, and so on. */
static void alternating(uint64_t *ns, size_t n, size_t length, struct histogram *ret)
{
	*ret = (struct histogram){ 0 };
	for (size_t i = 0; i < n; i++) {
		ns[i] = i / length % 2 ? 3 * MS : 100 * US;
		histogram_add(ret, ns[i]);
	}
}

static void bursts_are_worth_less(void **state)
{
	static uint64_t ns[1000];
	struct modes_series s = { ns, 1000 };
	struct histogram h;
	struct modes m;

	(void)state;
	alternating(ns, 1000, 10, &h);
	/* 2 * 1000 * 0.5 * 0.5 / 50 runs - 1 */
	near(modes_related(s, 0, MS), 9, 1e-12);
	near(modes_related(s, MS, 2 * MS), 1, 0); /* only slow ones are left */
	near(modes_related(s, 0, 1), 1, 0);
	modes_find_series(&h, s, &m);
	assert_int_equal(m.n, 2);
	/* two bursts a side are no two modes, though the counts look so */
	alternating(ns, 1000, 250, &h);
	near(modes_related(s, 0, MS), 249, 1e-12);
	modes_find(&h, &m);
	assert_int_equal(m.n, 2);
	modes_find_series(&h, s, &m);
	assert_int_equal(m.n, 1);
	modes_find_series(&h, (struct modes_series){ 0 }, &m);
	assert_int_equal(m.n, 2);
}

static void related_requests_tell_less(void **state)
{
	static uint64_t ns[10000];
	struct histogram h;
	uint64_t random = 21;
	double related;

	(void)state;
	for (size_t i = 0; i < 10000; i++)
		ns[i] = (uint64_t)(100000 * exp(0.3 * random_normal(&random)));
	near(quantile_related(ns, 10000, 100 * US), 1, 0.45); /* 3 sigma of 100 blocks */
	/*
	 * Ten of a kind, then ten of the other sort, at random: variance of a block of 100 is that
	 * of 10 independent pieces, ten times that of 100.
	 */
	for (size_t i = 0; i < 10000; i++)
		ns[i] = i % 10 ? ns[i - 1] : random_next(&random) % 2 ? 3 * MS : 100 * US;
	related = quantile_related(ns, 10000, MS);
	near(related, 10, 4.5);
	near(quantile_related(ns, 63, MS), 1, 0);
	near(quantile_related(ns, 10000, 10 * MS), 1, 0); /* nothing above it */
	near(quantile_related(ns, 0, MS), 1, 0);

	h = (struct histogram){ 0 };
	histogram_add_many(&h, 300 * US, 100);
	assert_int_equal(quantile_judge(&h, 1, 140 * US), QUANTILE_SLOW);
	assert_int_equal(quantile_judge(&h, 10, 140 * US), QUANTILE_OPEN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_to_a_decision),
		cmocka_unit_test(a_run_counts_once),
		cmocka_unit_test(no_verdict_below_the_floor),
		cmocka_unit_test(cap_is_undecided),
		cmocka_unit_test(limits_of_slow),
		cmocka_unit_test(senseless_rules),
		cmocka_unit_test(one_short_stall_is_no_finding),
		cmocka_unit_test(two_stalls_or_a_long_one),
		cmocka_unit_test(slow_median_raises_the_limit),
		cmocka_unit_test(time_inside_slow_requests),
		cmocka_unit_test(shared_time_counts_once),
		cmocka_unit_test(published_bounds),
		cmocka_unit_test(high_quantiles_need_many_requests),
		cmocka_unit_test(bounds_include_the_bucket),
		cmocka_unit_test(slow_for_its_model),
		cmocka_unit_test(bursts_are_worth_less),
		cmocka_unit_test(related_requests_tell_less),
	};

	return cmocka_run_group_tests_name("stats-decide", tests, NULL, NULL);
}
