/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Exact tests against published tables, 40-digit values and brute force. */
#include "unit.h"

#include <errno.h>
#include <math.h>

#include "base/attrs.h"
#include "stats-random.h"
#include "stats/fisher.h"
#include "stats/noise.h"
#include "stats/poisson.h"
#include "stats/special.h"

#define near(a, b, by)	    assert_true(fabs((a) - (b)) <= (by))
#define near_part(a, b, by) assert_true(fabs((a) - (b)) <= (by)*fabs(b))

static void gamma_and_beta(void **state)
{
	/* computed with 40 digits (mpmath) */
	static const struct {
		double a, x, p, q;
	} gamma[] = {
		{ 0.5, 0.1, 0.34527915398142298, 0.65472084601857702 },
		{ 1, 1, 0.63212055882855768, 0.36787944117144232 },
		{ 5, 5, 0.55950671493478759, 0.44049328506521241 },
		{ 10, 3, 0.0011024881301154797, 0.99889751186988452 },
		{ 30, 25, 0.18210391597745511, 0.81789608402254489 },
		{ 100, 120, 0.97213626010947934, 0.027863739890520661 },
		{ 1000, 1000, 0.50420524418021551, 0.49579475581978449 },
		{ 1e6, 1001000, 0.84134478636834029, 0.15865521363165971 },
		{ 20, 60, 0.99999999936480817, 6.3519183403789761e-10 },
	};
	static const struct {
		double a, b, x, p;
	} beta[] = {
		{ 2, 3, 0.4, 0.5248 },
		{ 0.5, 0.5, 0.3, 0.36901011956554538 },
		{ 5, 0.5, 0.9, 0.31664291502001231 },
		{ 50, 60, 0.45, 0.46423529143060363 },
		{ 1000, 2000, 0.32, 0.059911027855426423 },
	};

	(void)state;
	for (size_t i = 0; i < array_size(gamma); i++) {
		near_part(special_gamma_p(gamma[i].a, gamma[i].x), gamma[i].p, 1e-10);
		near_part(special_gamma_q(gamma[i].a, gamma[i].x), gamma[i].q, 1e-10);
	}
	for (size_t i = 0; i < array_size(beta); i++)
		near_part(special_beta(beta[i].a, beta[i].b, beta[i].x), beta[i].p,
			  1e-10);
	near(special_gamma_p(3, 0), 0, 0);
	near(special_gamma_q(3, 0), 1, 0);
	near(special_beta(3, 4, 0), 0, 0);
	near(special_beta(3, 4, 1), 1, 0);
}

/* The usual printed tables of critical values. */
static void tabulated_tails(void **state)
{
	(void)state;
	near(special_normal_above(1.959964), 0.025, 1e-7);
	near(special_student_above(12.7062, 1), 0.025, 1e-7);
	near(special_student_above(2.2281, 10), 0.025, 2e-6);
	near(special_student_above(2.7500, 30), 0.005, 1e-6);
	near(special_student_above(-2.2281, 10), 0.975, 2e-6);
	near(special_student_above(0, 7), 0.5, 1e-15);
	near(special_f_above(6.3882, 4, 4), 0.05, 1e-6);
	near(special_f_above(4.9646, 1, 10), 0.05, 1e-6);
	near(special_f_above(0, 3, 3), 1, 0);
}

static void selection(void **state)
{
	uint64_t random = 7;

	(void)state;
	for (int round = 0; round < 500; round++) {
		double values[40], sorted[40], median;
		size_t n = 1 + (size_t)(random_next(&random) % 40), k;

		for (size_t i = 0; i < n; i++) {
			size_t at = i;

			values[i] = (double)(random_next(&random) % 20);
			for (; at > 0 && sorted[at - 1] > values[i]; at--)
				sorted[at] = sorted[at - 1];
			sorted[at] = values[i];
		}
		k = (size_t)(random_next(&random) % n);
		near(special_select(values, n, k), sorted[k], 0);
		median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
		near(special_median(values, n), median, 0);
	}
}

static void fisher_known_tables(void **state)
{
	static const struct {
		struct fisher_table t;
		double greater, two;
	} rows[] = {
		{ { 4, 0, 0, 4 }, 1 / 70.0, 2 / 70.0 },	  /* Fisher's tea, all right */
		{ { 3, 1, 1, 3 }, 17 / 70.0, 34 / 70.0 }, /* and with one mistake */
		/* Fisher's convicted twins: 0.0004652 and 0.0005367 in R's manual */
		{ { 10, 2, 3, 15 }, 0.000465180943363, 0.000536724119143 },
		{ { 2, 10, 15, 3 }, 0.999984519019, 0.000536724119143 },
		{ { 8, 2, 1, 5 }, 0.0244755244755, 0.034965034965 },
		{ { 5, 30, 4, 200 }, 0.00417766662744, 0.00417766662744 },
		{ { 60, 40, 50, 50 }, 0.100353800068, 0.200707600136 },
		{ { 3000, 1000, 2900, 1100 }, 0.00593611273288, 0.0118722254658 },
		{ { 0, 0, 0, 0 }, 1, 1 },
		{ { 0, 9, 0, 9 }, 1, 1 },
		{ { 7, 0, 9, 0 }, 1, 1 },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		near_part(fisher_greater(rows[i].t), rows[i].greater, 1e-9);
		near_part(fisher_two_sided(rows[i].t), rows[i].two, 1e-9);
	}
}

/* Every table with up to 7 in each corner against sums of whole binomials. */
static void fisher_brute_force(void **state)
{
	double binomial[29][29] = { { 0 } };

	(void)state;
	for (size_t n = 0; n < 29; n++) {
		for (size_t k = 0; k <= n; k++)
			binomial[n][k] =
				k && k < n ? binomial[n - 1][k - 1] + binomial[n - 1][k]
					   : 1;
	}
	for (uint32_t code = 0; code < 8 * 8 * 8 * 8; code++) {
		struct fisher_table t = { code & 7, code >> 3 & 7, code >> 6 & 7,
					  code >> 9 };
		uint32_t row = t.a + t.b, other = t.c + t.d, column = t.a + t.c;
		double all = binomial[row + other][column], greater = 0, two = 0;
		double seen = binomial[row][t.a] * binomial[other][t.c];

		for (uint32_t a = 0; a <= row && a <= column; a++) {
			double ways;

			if (column - a > other)
				continue;
			ways = binomial[row][a] * binomial[other][column - a];
			greater += a >= t.a ? ways : 0;
			two += ways <= seen ? ways : 0;
		}
		near(fisher_greater(t), greater / all, 1e-10);
		near(fisher_two_sided(t), two / all, 1e-10);
	}
}

static void fisher_of_huge_counts_ends(void **state)
{
	const uint32_t m = UINT32_MAX;

	(void)state;
	/* from mpmath */
	near_part(fisher_greater(
			  (struct fisher_table){ 1001500, 1000000, 1000000, 1000000 }),
		  0.227055614660237, 1e-7);
	near(fisher_greater((struct fisher_table){ m, m, m, m }), 0.5, 0.001);
	near(fisher_greater((struct fisher_table){ m, 0, 0, m }), 0, 1e-300);
	near(fisher_greater((struct fisher_table){ 0, m, m, 0 }), 1, 1e-12);
	near(fisher_two_sided((struct fisher_table){ m, m, m, m }), 1, 0.01);
	near(fisher_two_sided((struct fisher_table){ m, 0, 0, m }), 0, 1e-300);
}

/* Garwood's table, as in every textbook of epidemiology; more digits from mpmath. */
static void poisson_published_intervals(void **state)
{
	static const struct {
		uint64_t k;
		double low, high;
	} rows[] = {
		{ 0, 0, 3.68887945411 },
		{ 1, 0.0253178079843, 5.57164339094 },
		{ 2, 0.242209278544, 7.22468766772 },
		{ 3, 0.618672122896, 8.76727306974 },
		{ 4, 1.08986537363, 10.2415886754 },
		{ 5, 1.62348639012, 11.6683320793 },
		{ 10, 4.79538869613, 18.390356042 },
		{ 20, 12.2165195854, 30.8883779027 },
		{ 100, 81.3639912509, 121.626793792 },
		{ 10000, 9804.95246726, 10197.9516247 },
		{ 1000000, 998040.98334, 1001961.91195 },
	};
	double low, high, other_low, other_high;

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		poisson_interval(rows[i].k, 0.95, &low, &high);
		near(low, rows[i].low, 1e-9 * (1 + rows[i].low));
		near(high, rows[i].high, 1e-9 * rows[i].high);
	}
	poisson_interval(10, 0.99, &low, &high);
	near(low, 3.71692213147, 1e-9);
	near(high, 21.3978274997, 1e-9);
	/* where the method changes there is no jump */
	poisson_interval(10000000, 0.95, &low, &high);
	poisson_interval(10000001, 0.95, &other_low, &other_high);
	near(other_low - low, 1, 0.01);
	near(other_high - high, 1, 0.01);
	poisson_interval(UINT64_MAX, 0.95, &low, &high);
	assert_true(low < 18446744073709551615.0 && high > low);
}

static void poisson_changes(void **state)
{
	(void)state;
	/* 12 or more of 15 with 1/2: 2 * 576 / 32768; 6 or 7 of 7 with 1/3: 2 * 15 / 2187 */
	near(poisson_change(3, 10, 12, 10), 2 * 576 / 32768.0, 1e-12);
	near(poisson_change(1, 2, 6, 1), 2 * 15 / 2187.0, 1e-12);
	near(poisson_change(0, 1, 0, 1), 1, 0);
	near(poisson_change(0, 5, 1, 5), 1, 1e-12);
	near(poisson_change(5, 1, 5, 1), 1, 1e-12);
	near(poisson_change(12, 10, 3, 10), poisson_change(3, 10, 12, 10), 1e-12);
}

static void welch(void **state)
{
	/* t, df and p from mpmath */
	struct noise_row a = { 20.6, 3, 10 }, b = { 22.1, sqrt(0.9), 20 };
	struct noise_row c = { 100, 4, 5 }, d = { 110, 9, 5 };
	struct noise n;

	(void)state;
	assert_int_equal(noise_means(&a, &b, &n), 0);
	near(n.t, 1.5430335, 1e-7);
	near(n.df, 9.910763569, 1e-8);
	near(n.p, 0.1541255196, 1e-9);
	assert_true(n.is_noise && n.low < 0 && n.high > 1.5);
	assert_int_equal(noise_means(&c, &d, &n), 0);
	near(n.t, 2.270383046, 1e-8);
	near(n.p, 0.06742688926, 1e-9);
	assert_true(n.is_noise);
	/* the ends of the 95 % interval are where p would be 5 % */
	near(2 * special_student_above((n.high - n.difference) / (10 / n.t), n.df), 0.05,
	     1e-9);
	d.n = 50;
	c.n = 50;
	assert_int_equal(noise_means(&c, &d, &n), 0);
	assert_false(n.is_noise);
	d.mean = 103; /* certain, but small */
	d.n = 5000;
	c.n = 5000;
	assert_int_equal(noise_means(&c, &d, &n), 0);
	assert_true(n.p < 1e-9 && n.is_noise);
}

/* A published table of five runs: the deviation grew by 142 %. That is noise. */
static void deviations_of_five_runs(void **state)
{
	struct noise_row a = { 100, 1, 5 }, b = { 100, 2.42, 5 };
	double p = 7;

	(void)state;
	assert_int_equal(noise_deviations(&a, &b, &p), 0);
	near(p, 0.1152218253, 1e-9);
	assert_int_equal(noise_deviations(&b, &a, &p), 0);
	near(p, 0.1152218253, 1e-9);
	a.stddev = 0;
	assert_int_equal(noise_deviations(&a, &b, &p), -EDOM);
	near(p, 0.1152218253, 1e-9);
}

static void rows_that_tell_nothing(void **state)
{
	struct noise_row one = { 5, 1, 1 }, two = { 5, 1, 2 }, flat = { 5, 0, 9 };
	struct noise_row broken = { (double)NAN, 1, 9 };
	struct noise n = { .p = 7 };

	(void)state;
	assert_int_equal(noise_means(&one, &two, &n), -EINVAL);
	assert_int_equal(noise_means(&two, &broken, &n), -EINVAL);
	assert_int_equal(noise_means(&flat, &flat, &n), -EDOM);
	near(n.p, 7, 0);
}

static void runs_needed(void **state)
{
	struct noise_row a = { 100, 10, 0 }, b = { 110, 10, 0 }, same = { 100, 10, 0 };
	unsigned n = noise_runs_needed(&a, &b);
	struct noise r;

	(void)state;
	/* about 2 (2.58 / 1)^2 = 13 and a little more for the t distribution */
	assert_in_range(n, 14, 17);
	a.n = n;
	b.n = n;
	assert_int_equal(noise_means(&a, &b, &r), 0);
	assert_true(r.p < 0.01);
	a.n--;
	b.n--;
	assert_int_equal(noise_means(&a, &b, &r), 0);
	assert_true(r.p >= 0.01);
	assert_int_equal(noise_runs_needed(&a, &same), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gamma_and_beta),
		cmocka_unit_test(tabulated_tails),
		cmocka_unit_test(selection),
		cmocka_unit_test(fisher_known_tables),
		cmocka_unit_test(fisher_brute_force),
		cmocka_unit_test(fisher_of_huge_counts_ends),
		cmocka_unit_test(poisson_published_intervals),
		cmocka_unit_test(poisson_changes),
		cmocka_unit_test(welch),
		cmocka_unit_test(deviations_of_five_runs),
		cmocka_unit_test(rows_that_tell_nothing),
		cmocka_unit_test(runs_needed),
	};

	return cmocka_run_group_tests_name("stats-exact", tests, NULL, NULL);
}
