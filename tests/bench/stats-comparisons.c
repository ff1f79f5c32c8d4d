/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "../unit/stats-random.h"
#include "base/attrs.h"
#include "stats-families.h"
#include "stats-rates.h"
#include "stats/compare.h"
#include "stats/fisher.h"
#include "stats/zones.h"

#define US 1000ull

static const double rhos[] = { 0, 0.9, 0.99, 0.999 };

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* ---- zones ---- */

static double zones_rate(const struct family *f, double rho, int n_ios, double factor,
			 int repeat)
{
	uint64_t random = 64 + (uint64_t)n_ios;
	int maps = 0, hits = 0;

	for (int r = 0; r < repeat; r++) {
		struct drift d = drift_start(rho, &random);
		double median[64], value[32];
		struct zones z;

		for (size_t i = 0; i < 64; i++) {
			double slow = i == 20 && factor > 1 ? factor : 1;

			for (int k = 0; k < n_ios; k++)
				value[k] = slow *
					   (f ? f->draw_ns(&random) : drift_next_ns(&d));
			qsort(value, (size_t)n_ios, sizeof(value[0]), compare_doubles);
			median[i] = (value[(n_ios - 1) / 2] + value[n_ios / 2]) / 2;
		}
		if (zones_measure(median, 64, f == &one_mode[5], &z) < 0)
			abort();
		hits += z.flagged[20];
		maps += z.n_flagged > 0;
	}
	return (double)(factor > 1 ? hits : maps) / repeat;
}

static void zones_table(void)
{
	static const int n_ios[] = { 8, 16, 32 };
	static const struct {
		const char *name;
		size_t family;
		double rho;
	} rows[] = {
		{ "lognormal, sigma 0.15", 0, 0 },
		{ "lognormal, sigma 0.4", 1, 0 },
		{ "exponential", 4, 0 },
		{ "rotating", 5, 0 },
		{ "0.5 % at x50", 6, 0 },
		{ "drift, rho 0.9", SIZE_MAX, 0.9 },
		{ "drift, rho 0.99", SIZE_MAX, 0.99 },
		{ "drift, rho 0.999", SIZE_MAX, 0.999 },
	};
	int repeat = rates_repeat(1000, 25);

	rates_print("\nZone map of 64, requests a zone 8, 16, 32: any false zone; then "
		    "found: "
		    "one zone at x1.5, x2, x3\n");
	for (size_t i = 0; i < array_size(rows); i++) {
		const struct family *f =
			rows[i].family < n_one_mode ? &one_mode[rows[i].family] : NULL;

		for (size_t k = 0; k < array_size(n_ios); k++) {
			double wrong = zones_rate(f, rows[i].rho, n_ios[k], 1, repeat);

			rates_print("%-22s %2d  %6.3f  %6.3f %6.3f %6.3f\n", rows[i].name,
				    n_ios[k], wrong,
				    zones_rate(f, rows[i].rho, n_ios[k], 1.5, repeat),
				    zones_rate(f, rows[i].rho, n_ios[k], 2, repeat),
				    zones_rate(f, rows[i].rho, n_ios[k], 3, repeat));
			if (n_ios[k] == 16 && f)
				rates_check(wrong <= 0.05,
					    "%s: a false zone in %.3f of the "
					    "maps",
					    rows[i].name, wrong);
		}
	}
}

/* ---- comparison ---- */

#define RUN (12u * 10000u) /* 12 s of a request every 100 us */

static void run_of(double rho, double factor, uint64_t *random,
		   struct compare_sample *ret)
{
	struct drift d = drift_start(rho, random);

	for (size_t i = 0; i < RUN; i++)
		ret[i] =
			(struct compare_sample){ i * 100 * US,
						 (uint64_t)(factor * drift_next_ns(&d)) };
}

struct compare_rates {
	double raw, p5, significant, covered, open;
};

static struct compare_rates compare_rate(double rho, double factor)
{
	static struct compare_sample a[RUN], b[RUN];
	static double scratch[RUN], x[RUN], y[RUN];
	int repeat = rates_repeat(200, 2);
	uint64_t random = 77;
	struct compare_rates rates = { 0 };

	for (int r = 0; r < repeat; r++) {
		struct compare c;

		run_of(rho, 1, &random, a);
		run_of(rho, factor, &random, b);
		for (size_t i = 0; i < RUN / 4; i++) {
			x[i] = (double)a[i].latency_ns;
			y[i] = (double)b[i].latency_ns;
		}
		rates.raw += compare_mann_whitney(x, RUN / 4, y, RUN / 4) < 0.05;
		if (compare_runs(a, RUN, b, RUN, scratch, &c) < 0) {
			rates.open++;
			continue;
		}
		rates.p5 += c.p < 0.05;
		rates.significant += c.significant;
		rates.covered += c.low <= factor && factor <= c.high;
	}
	rates.covered /= repeat - rates.open > 0 ? repeat - rates.open : 1;
	rates.raw /= repeat;
	rates.p5 /= repeat;
	rates.significant /= repeat;
	rates.open /= repeat;
	return rates;
}

static void compare_table(void)
{
	rates_print("\nComparing two runs of 12 s, 10000 requests a second: equal runs "
		    "called "
		    "different: every request by Mann and Whitney p < 5 %% (first 3 s), "
		    "blocks p "
		    "< 5 %%, blocks significant; 95 %% interval covers; no answer; "
		    "significant at "
		    "+5, +10, +20 %%\n");
	for (size_t i = 0; i < array_size(rhos); i++) {
		struct compare_rates equal = compare_rate(rhos[i], 1);

		rates_print("rho %5.3f %6.3f %6.3f %6.3f %6.3f %6.3f", rhos[i], equal.raw,
			    equal.p5, equal.significant, equal.covered, equal.open);
		if (rates_full)
			rates_print("  %6.3f %6.3f %6.3f\n",
				    compare_rate(rhos[i], 1.05).significant,
				    compare_rate(rhos[i], 1.1).significant,
				    compare_rate(rhos[i], 1.2).significant);
		rates_check(equal.significant <= 0,
			    "rho %.3f: equal runs called different", rhos[i]);
	}
}

/* ---- Fisher ---- */

static double fisher_rate(double slow, double moved, double together, uint32_t windows)
{
	uint64_t random = 1000 + windows;
	int found = 0, repeat = rates_repeat(20000, 500);

	for (int r = 0; r < repeat; r++) {
		struct fisher_table t = { 0 };

		for (uint32_t i = 0; i < windows; i++) {
			bool is_slow = random_unit(&random) < slow;
			bool is_moved = random_unit(&random) <
					(is_slow && together > 0 ? together : moved);

			*(is_slow ? (is_moved ? &t.a : &t.b)
				  : (is_moved ? &t.c : &t.d)) += 1;
		}
		/* at least three windows of each kind */
		found += t.a + t.b >= 3 && t.c + t.d >= 3 && t.a + t.c >= 3 &&
			 t.b + t.d >= 3 && fisher_greater(t) < 0.01;
	}
	return (double)found / repeat;
}

static void fisher_table_of_rates(void)
{
	static const uint32_t windows[] = { 12, 30, 100 };

	rates_print("\nFisher, p < 0.01, slow and moved windows 20 %% each: windows, "
		    "unrelated, "
		    "80 %% of the slow moved (5 %% of the others)\n");
	for (size_t i = 0; i < array_size(windows); i++) {
		double wrong = fisher_rate(0.2, 0.2, 0, windows[i]);

		rates_print("%4u %7.4f %7.3f\n", windows[i], wrong,
			    fisher_rate(0.2, 0.05, 0.8, windows[i]));
		rates_check(wrong <= 0.012, "Fisher: unrelated called related in %.4f",
			    wrong);
	}
}

void rates_of_comparisons(void)
{
	zones_table();
	compare_table();
	fisher_table_of_rates();
}
