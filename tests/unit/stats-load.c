/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <errno.h>
#include <math.h>

#include "base/attrs.h"
#include "stats-random.h"
#include "stats/ladder.h"
#include "stats/load.h"

#define near(a, b, by) assert_true(fabs((a) - (b)) <= (by))

/* A published case: fio 2.0.8 beside something else on the same disk, two runs. */
static const struct load_input seed_runs[] = {
	{ .runtime_ms = 60012 + 60009,
	  .own_reads = 15208 + 22117,
	  .own_wait_ms = 15208 * 3.94035 + 22117 * 2.70987,
	  .reads = 54013,
	  .writes = 1836,
	  .read_merges = 291,
	  .write_merges = 17,
	  .read_ms = 251660,
	  .write_ms = 11052,
	  .queue_ms = 262668,
	  .own_bytes = 4096 },
	{ .runtime_ms = 60001 + 60008,
	  .own_reads = 14024 + 24898,
	  .own_wait_ms = 14024 * 4.27270 + 24898 * 2.40701,
	  .reads = 55021,
	  .writes = 1637,
	  .read_merges = 72,
	  .write_merges = 39,
	  .read_ms = 240896,
	  .write_ms = 12080,
	  .queue_ms = 252912,
	  .own_bytes = 4096 },
};

static void seed_disk_was_not_alone(void **state)
{
	struct load l;

	(void)state;
	assert_int_equal(load_measure(&seed_runs[0], &l), 0);
	assert_int_equal(l.foreign_reads, 16688);
	assert_int_equal(l.foreign_reads_high, 16688 + 291);
	assert_int_equal(l.foreign_writes, 1836);
	near(l.read_share, 0.309, 0.0005);
	near(l.reads_per_s, 139, 0.5);
	near(l.outstanding, 2.19, 0.005);
	assert_true(l.has_own && l.has_foreign_wait && l.clear);
	near(l.outstanding_own, 1.00, 0.005);
	near(l.foreign_wait_ms, 7.9, 0.05);
	/* 139 a second are 2 % of what such a drive can do alone at depth 1 (7000 a second) */
	near(load_demand(l.reads_per_s, 1 / 7000.0), 0.02, 0.001);

	assert_int_equal(load_measure(&seed_runs[1], &l), 0);
	near(l.read_share, 0.293, 0.0005);
	near(l.outstanding, 2.11, 0.005);
}

static void alone_is_not_called_foreign(void **state)
{
	/* a run with nobody else: 17846 issued, 17140 counted; a few too many are no proof either */
	struct load_input in = { .runtime_ms = 1001,
				 .own_reads = 17846,
				 .reads = 17140,
				 .read_ms = 6386,
				 .queue_ms = 6386 };
	struct load l;

	(void)state;
	assert_int_equal(load_measure(&in, &l), 0);
	assert_int_equal(l.foreign_reads, 0);
	assert_false(l.clear || l.has_own || l.has_foreign_wait);
	in.reads = 18500;
	assert_int_equal(load_measure(&in, &l), 0);
	assert_int_equal(l.foreign_reads, 654);
	assert_false(l.clear); /* 3.5 % */
}

/* A second reader beside fio: issued 45591, counted 142329. */
static void second_reader_is_seen(void **state)
{
	struct load_input in = { .runtime_ms = 1000,
				 .own_reads = 45591,
				 .reads = 142329 };
	struct load l;

	(void)state;
	assert_int_equal(load_measure(&in, &l), 0);
	near(l.read_share, 0.68, 0.005);
	assert_true(l.clear);
}

static void split_requests_are_own(void **state)
{
	struct load_input in = {
		.runtime_ms = 1000, .own_reads = 100, .reads = 200, .own_bytes = 1 << 20
	};
	struct load l;

	(void)state;
	assert_int_equal(load_measure(&in, &l), 0);
	assert_int_equal(l.foreign_reads, 0); /* 1 MiB at 512 KiB each */
	in.limit_bytes = 1280u << 10;
	assert_int_equal(load_measure(&in, &l), 0);
	assert_int_equal(l.foreign_reads, 100);
	in.limit_bytes = 1;
	in.own_reads = UINT64_MAX;
	assert_int_equal(load_measure(&in, &l), 0);
	assert_int_equal(l.foreign_reads, 0);
}

static void nothing_to_say(void **state)
{
	struct load l = { .reads_per_s = 7 };

	(void)state;
	assert_int_equal(load_measure(&(struct load_input){ .reads = 5 }, &l), -EINVAL);
	assert_int_equal(load_measure(&(struct load_input){ .runtime_ms = 5 }, &l),
			 -EINVAL);
	near(l.reads_per_s, 7, 0);
}

static void littles_law(void **state)
{
	(void)state;
	near(load_outstanding(250, 0.004), 1, 1e-12);
	near(load_wait(2.19, 465.3), 0.004707, 1e-6); /* the seed's mean, in seconds */
	near(load_wait(1, 0), 0, 0);
}

static void ladder_of_the_seed(void **state)
{
	/* middles of 5.0-5.9, 11.6-12.6, 17.3-18.8 and 22.9 ms */
	static const uint64_t four[] = { 5450000, 12100000, 18050000, 22900000 };
	struct ladder l;

	(void)state;
	assert_true(ladder_fit(four, 4, &l));
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(l.multiple[i], i + 1);
	/* least 5450/1, largest 12100/2 = 6050 */
	near(l.step_ns, 5.75e6, 1);
	near(l.misfit, 0.3 / 5.75, 1e-9);
}

static void ladder_with_a_missing_rung(void **state)
{
	static const uint64_t rungs[] = { 1000, 3000, 4000 };
	static const uint64_t none[] = { 1000, 1500, 2000 };
	static const uint64_t far[] = { 1000, 9000 };
	static const uint64_t same[] = { 1000, 1040 };
	struct ladder l;

	(void)state;
	assert_true(ladder_fit(rungs, 3, &l));
	assert_int_equal(l.multiple[1], 3);
	assert_int_equal(l.multiple[2], 4);
	near(l.misfit, 0, 1e-12);
	near(l.chance, 0, 1e-12);
	assert_false(ladder_fit(none, 3, &l));
	assert_false(ladder_fit(far, 2, &l));
	assert_false(ladder_fit(same, 2, &l));
	assert_false(ladder_fit(rungs, 1, &l));
	assert_false(ladder_fit(rungs, 0, &l));
}

/* The stated chance is an upper bound: random centres fit no more often than that. */
static void ladder_chance_is_a_bound(void **state)
{
	uint64_t random = 99;
	int fits[2] = { 0 };
	const int n = 40000;

	(void)state;
	for (int i = 0; i < n; i++) {
		/* evenly within one unit around the second and third multiple */
		uint64_t m2 = (uint64_t)(1e6 * (1.5 + random_unit(&random)));
		uint64_t m3 = (uint64_t)(1e6 * (2.5 + random_unit(&random)));
		const uint64_t two[] = { 1000000, m2 }, three[] = { 1000000, m2, m3 };
		struct ladder l;

		fits[0] += ladder_fit(two, 2, &l) && l.misfit <= 0.045;
		fits[1] += m3 > m2 && ladder_fit(three, 3, &l) && l.misfit <= 0.045;
	}
	/* 4 * 0.045 * 2 = 0.36; times 4 * 0.045 * 3 = 0.54 */
	near((double)fits[0] / n, 0.36, 0.01);
	assert_true((double)fits[1] / n < 0.36 * 0.54);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(seed_disk_was_not_alone),
		cmocka_unit_test(alone_is_not_called_foreign),
		cmocka_unit_test(second_reader_is_seen),
		cmocka_unit_test(split_requests_are_own),
		cmocka_unit_test(nothing_to_say),
		cmocka_unit_test(littles_law),
		cmocka_unit_test(ladder_of_the_seed),
		cmocka_unit_test(ladder_with_a_missing_rung),
		cmocka_unit_test(ladder_chance_is_a_bound),
	};

	return cmocka_run_group_tests_name("stats-load", tests, NULL, NULL);
}
