/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "../unit/stats-random.h"
#include "base/attrs.h"
#include "stats-families.h"
#include "stats-rates.h"
#include "stats/quantile-bound.h"
#include "stats/sequential.h"
#include "stats/stalls.h"

#define US 1000ull
#define MS 1000000ull

static const double rhos[] = { 0, 0.9, 0.99, 0.999 };

/* ---- sequential test ---- */

enum way { INDEPENDENT, BURSTS, DRIFT_0_9, DRIFT_0_99 };

/* Whether request I is slow, SHARE of all being so: each for itself, in bursts of 10, drifting. */
struct slow_source {
	enum way way;
	double share, limit;
	unsigned left;
	struct drift drift;
	uint64_t *random;
};

/* The value of the standard normal with SHARE above it. */
static double normal_limit(double share)
{
	double low = -10, high = 10;

	for (int i = 0; i < 100; i++) {
		double half = (low + high) / 2;

		if (0.5 * erfc(half / sqrt(2)) > share)
			low = half;
		else
			high = half;
	}
	return high;
}

static bool next_is_slow(struct slow_source *s)
{
	if (s->way == INDEPENDENT)
		return random_unit(s->random) < s->share;
	if (s->way >= DRIFT_0_9)
		return drift_next(&s->drift) > s->limit;
	if (s->left) {
		s->left--;
		return true;
	}
	/* a burst of 10 begins so often that the share is right */
	if (random_unit(s->random) < s->share / (10 * (1 - s->share) + s->share)) {
		s->left = 9;
		return true;
	}
	return false;
}

static double sequential_rate(enum way way, double share, bool plain, bool floor,
			      double *ret_mean_n)
{
	struct sequential_rule rule = sequential_flash;
	uint64_t random = 1 + (uint64_t)(share * 1e4);
	int slow = 0, repeat = rates_repeat(20000, 300);
	double n = 0;

	rule.plain = plain;
	rule.least_n = floor ? rule.least_n : 0;
	rule.least_ns = 0;
	for (int i = 0; i < repeat; i++) {
		struct slow_source source = {
			way,
			share,
			normal_limit(share),
			0,
			drift_start(way == DRIFT_0_9 ? 0.9 : 0.99, &random),
			&random,
		};
		struct sequential s;

		if (sequential_init(&s, &rule, MS) < 0)
			abort();
		while (sequential_add(&s, next_is_slow(&source) ? 2 * MS : US, 0) ==
		       SEQUENTIAL_OPEN)
			;
		slow += s.verdict == SEQUENTIAL_SLOW;
		n += (double)s.n / repeat;
	}
	*ret_mean_n = n;
	return (double)slow / repeat;
}

static void sequential_table(void)
{
	static const double shares[] = { 0.001, 0.005, 0.01, 0.03, 0.05, 0.1, 0.425 };
	double worst = 0, n;

	rates_print(
		"\nSequential test, P(slow) and mean requests: share; independent plain, "
		"collapsed; bursts of 10 plain, collapsed; AR(1) 0.9, 0.99 collapsed; "
		"independent collapsed with the floor of 200\n");
	for (size_t i = 0; i < array_size(shares); i++) {
		static const struct {
			enum way way;
			bool plain, floor;
		} columns[] = {
			{ INDEPENDENT, true, false }, { INDEPENDENT, false, false },
			{ BURSTS, true, false },      { BURSTS, false, false },
			{ DRIFT_0_9, false, false },  { DRIFT_0_99, false, false },
			{ INDEPENDENT, false, true },
		};

		rates_print("%6.3f", shares[i]);
		for (size_t k = 0; k < array_size(columns); k++) {
			double rate =
				sequential_rate(columns[k].way, shares[i],
						columns[k].plain, columns[k].floor, &n);

			rates_print("  %6.4f %5.0f", rate, n);
			if (!columns[k].plain && shares[i] <= 0.005)
				worst = fmax(worst, rate);
			if (columns[k].way == INDEPENDENT && shares[i] >= 0.05)
				rates_check(rate > 0.98, "%.3f slow: slow in %.4f",
					    shares[i], rate);
		}
		rates_print("\n");
	}
	rates_check(worst <= 0.01, "0.5 %% slow or less: called slow in %.4f", worst);
}

/* ---- quantile bounds ---- */

#define MANY 20000u

/* Looked at every 20 requests: does the bound ever miss the true quantile? */
static bool bound_misses(double rho, uint32_t ppm, bool in_order, uint64_t *random)
{
	double truth = 1e5 * exp(0.3 * normal_limit(1 - ppm / 1e6)), related = 1;
	struct drift d = drift_start(rho, random);
	static uint64_t ns[MANY];
	struct histogram h = { 0 };

	for (size_t t = 1; t <= MANY; t++) {
		struct quantile_bound b;
		uint64_t median;

		ns[t - 1] = (uint64_t)drift_next_ns(&d);
		histogram_add(&h, ns[t - 1]);
		if (t % 20)
			continue;
		/* the order is looked at less often, as a probe would */
		if (in_order && (t % 200 == 0 || t < 200) &&
		    histogram_quantile(&h, 500000, &median))
			related = quantile_related(ns, t, median);
		b = quantile_bound(&h, ppm, 0.01, related);
		if ((b.has_low && truth < (double)b.low_ns) ||
		    (b.has_high && truth > (double)b.high_ns))
			return true;
	}
	return false;
}

static void quantile_table(void)
{
	static const uint32_t ppm[] = { 500000, 900000, 990000 };
	int repeat = rates_repeat(400, 20);
	uint64_t random = 3;

	rates_print("\nQuantile bounds at alpha 1 %%, looked at every 20 requests up to "
		    "20000: "
		    "share of runs in which they ever miss: median, 90th, 99th as if "
		    "independent; in order\n");
	for (size_t i = 0; i < array_size(rhos); i++) {
		rates_print("rho %5.3f", rhos[i]);
		for (size_t k = 0; k < 2 * array_size(ppm); k++) {
			int missed = 0;

			for (int r = 0; r < repeat; r++)
				missed += bound_misses(rhos[i], ppm[k % 3], k >= 3,
						       &random);
			rates_print(" %6.3f", (double)missed / repeat);
			rates_check(i || !missed,
				    "independent: bounds missed %d of %d times", missed,
				    repeat);
		}
		rates_print("\n");
	}
}

/* One probe of at most MANY requests; verdict and how many it took. */
static enum quantile_verdict judge(double factor, double rho, bool in_order,
				   uint64_t *random, double *ret_n)
{
	enum quantile_verdict v = QUANTILE_OPEN;
	struct drift d = drift_start(rho, random);
	static uint64_t ns[MANY];
	struct histogram h = { 0 };
	double related = 1;
	size_t t;

	for (t = 0; t < MANY && v == QUANTILE_OPEN; t++) {
		uint64_t median;

		ns[t] = (uint64_t)(factor * drift_next_ns(&d));
		histogram_add(&h, ns[t]);
		if (t % 20 != 19)
			continue;
		if (in_order && (t % 200 == 199 || t < 200) &&
		    histogram_quantile(&h, 500000, &median))
			related = quantile_related(ns, t, median);
		/* the floor of a probe: 200 requests */
		if (t >= 200)
			v = quantile_judge(&h, related, 100 * US);
	}
	*ret_n = (double)t;
	return v;
}

/* How long until a drive that is FACTOR times slower than expected is called so. */
static void quantile_power(bool in_order)
{
	static const double factors[] = { 1, 1.4, 1.6, 1.9, 2.2, 3, 5 };
	int repeat = rates_repeat(400, 10);
	uint64_t random = 8;

	rates_print("\nMedian against what is expected, 200 to 20000 requests, %s: true "
		    "factor; "
		    "P(slow), P(ok), mean requests for rho 0, 0.9, 0.99, 0.999\n",
		    in_order ? "in order" : "as if independent");
	for (size_t i = 0; i < array_size(factors); i++) {
		rates_print("%4.1f", factors[i]);
		for (size_t k = 0; k < array_size(rhos); k++) {
			double count[3] = { 0 }, n, mean = 0;

			for (int r = 0; r < repeat; r++) {
				count[judge(factors[i], rhos[k], in_order, &random,
					    &n)]++;
				mean += n / repeat;
			}
			rates_print("  %6.3f %6.3f %6.0f", count[QUANTILE_SLOW] / repeat,
				    count[QUANTILE_OK] / repeat, mean);
			rates_check(factors[i] > 1.5 || rhos[k] > 0.99 || !in_order ||
					    count[QUANTILE_SLOW] <= 0,
				    "factor %.1f, rho %.3f: called slow %.0f times",
				    factors[i], rhos[k], count[QUANTILE_SLOW]);
		}
		rates_print("\n");
	}
}

/* ---- stalls ---- */

static void stalls_table(void)
{
	static const double every_s[] = { 0, 1, 2, 5, 10 };
	static const double run_s[] = { 3, 15, 60 };
	int repeat = rates_repeat(400, 5);
	uint64_t random = 12;

	rates_print(
		"\nStalls of 0.3 s at random times, mean distance (0 = none, 0.5 %% at "
		"x50); found within 3, 15, 60 s at depth 1\n");
	for (size_t i = 0; i < array_size(every_s); i++) {
		int found[3] = { 0 };

		for (int r = 0; r < repeat; r++) {
			double next = every_s[i] > 0
					      ? -every_s[i] * log(random_unit(&random))
					      : HUGE_VAL;
			struct stalls s;
			double t = 0;
			bool seen[3] = { false };

			stalls_init(&s, 100 * US);
			while (t < run_s[2]) {
				/* 20 requests at once in between keep this fast */
				double ns = 1e6;

				if (t >= next) {
					ns = 300e6;
					next = t - every_s[i] * log(random_unit(&random));
				} else if (random_unit(&random) < 0.05) {
					ns = 5e6;
				}
				stalls_add(&s, (uint64_t)(t * 1e9), (uint64_t)ns);
				t += ns / 1e9 + 1e-3;
				for (size_t k = 0; k < 3; k++)
					seen[k] |= t < run_s[k] &&
						   (stalls_found(&s) & STALLS_EVENTS);
			}
			for (size_t k = 0; k < 3; k++)
				found[k] += seen[k];
		}
		rates_print("%4.0f s", every_s[i]);
		for (size_t k = 0; k < 3; k++)
			rates_print(" %6.3f", (double)found[k] / repeat);
		rates_print("\n");
		if (i == 0)
			rates_check(found[2] == 0, "stalls where there are none: %d",
				    found[2]);
	}
}

void rates_of_decisions(void)
{
	sequential_table();
	quantile_table();
	quantile_power(false);
	quantile_power(true);
	stalls_table();
}
