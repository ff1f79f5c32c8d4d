/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often is each method of src/stats wrong? "bench-stats-rates --full" prints the tables that
 * drivewhy-statistics(7) states, in a few minutes ("--full modes": one section). Without it, a few repetitions with loose
 * limits, as TAP: a method that has become much worse is seen by make check. The numbers are made
 * by a fixed generator, so every run prints the same.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/stats-random.h"
#include "base/attrs.h"
#include "stats-families.h"
#include "stats-rates.h"
#include "stats/ladder.h"
#include "stats/noise.h"
#include "stats/poisson.h"
#include "stats/slow.h"

static int tap, failed;

void rates_check(bool ok, const char *format, ...)
{
	va_list ap;

	if (rates_full)
		return;
	failed += !ok;
	(void)printf("%sok %d - ", ok ? "" : "not ", ++tap);
	va_start(ap, format);
	(void)vprintf(format, ap);
	va_end(ap);
	(void)printf("\n");
}

void rates_print(const char *format, ...)
{
	va_list ap;

	if (!rates_full)
		return;
	va_start(ap, format);
	(void)vprintf(format, ap);
	va_end(ap);
}

bool rates_full;

int rates_repeat(int full, int smoke)
{
	return rates_full ? full : smoke;
}

/* ---- modes ---- */

#define MAX_SERIES 10000u

/* A sample of N: as a histogram, and in its order. */
static void draw(const struct family *f, uint64_t *random, size_t n,
		 struct histogram *ret, uint64_t ret_ns[MAX_SERIES])
{
	*ret = (struct histogram){ 0 };
	for (size_t i = 0; i < n; i++) {
		ret_ns[i] = (uint64_t)f->draw_ns(random);
		histogram_add(ret, ret_ns[i]);
	}
}

enum way { COUNTED, IN_ORDER, POSTED, PERCENTILES, WAYS };

static size_t modes_found(const struct histogram *h, const uint64_t *ns, size_t n,
			  enum way way)
{
	struct modes m = { .n = 0 };
	struct job j;
	struct coarse c;

	if (way == COUNTED) {
		modes_find(h, &m);
	} else if (way == IN_ORDER) {
		modes_find_series(h, (struct modes_series){ ns, n }, &m);
	} else {
		job_post(h, way == POSTED, &j);
		if (coarse_init(&c, &j.in) == 0)
			modes_find_coarse(&c, &m);
	}
	return m.n;
}

/* Share of samples of N in which more than one mode is found. */
static double modes_rate(const struct family *f, size_t n, enum way way, int repeat)
{
	static uint64_t ns[MAX_SERIES];
	uint64_t random = 20120802 + n;
	int found = 0;

	for (int i = 0; i < repeat; i++) {
		struct histogram h;

		draw(f, &random, n, &h, ns);
		found += modes_found(&h, ns, n, way) > 1;
	}
	return (double)found / repeat;
}

static void modes_table(const struct family *families, size_t n_families, bool is_false)
{
	static const size_t sizes[] = { 100, 200, 500, 1000 };
	static const char *const ways[] = { "counted", "in order", "posted",
					    "percentiles only" };

	for (size_t i = 0; i < n_families; i++) {
		double worst = 0, most = 0;

		for (enum way way = COUNTED; way < WAYS; way++) {
			rates_print("%-24s %-17s", families[i].name, ways[way]);
			for (size_t k = 0; k < array_size(sizes); k++) {
				double rate = modes_rate(&families[i], sizes[k], way,
							 rates_repeat(1000, 40));

				rates_print(" %6.3f", rate);
				worst = fmax(worst, rate);
				most = way == COUNTED ? fmax(most, rate) : most;
			}
			rates_print("\n");
		}
		if (is_false || i == 0) /* page types are harmless too */
			rates_check(worst <= 0.01, "%s: several modes in %.3f",
				    families[i].name, worst);
		else
			rates_check(most >= 0.5, "%s: several modes in %.3f",
				    families[i].name, most);
	}
}

static void drifting_modes(void)
{
	static const double rho[] = { 0, 0.9, 0.99, 0.999 };
	static const size_t sizes[] = { 100, 200, 500, 1000, 10000 };
	uint64_t random = 4;
	double worst = 0;

	rates_print("\nDrifting latency, lognormal 0.3, AR(1) a request; counted; n = "
		    "100 200 "
		    "500 1000 10000\n");
	for (size_t i = 0; i < array_size(rho); i++) {
		rates_print("rho %-20.3f", rho[i]);
		for (size_t k = 0; k < array_size(sizes); k++) {
			int found = 0, repeat = rates_repeat(400, 10);

			for (int r = 0; r < repeat; r++) {
				struct drift d = drift_start(rho[i], &random);
				struct histogram h = { 0 };
				struct modes m;

				for (size_t t = 0; t < sizes[k]; t++)
					histogram_add(&h, (uint64_t)drift_next_ns(&d));
				modes_find(&h, &m);
				found += m.n > 1;
			}
			rates_print(" %6.3f", (double)found / repeat);
			worst = fmax(worst, (double)found / repeat);
		}
		rates_print("\n");
	}
	rates_check(worst <= 0.01, "drift: several modes in %.3f", worst);
}

/* Steps among the slow, beside 60 % fast requests; and whether they make a ladder. */
static void steps_table(const struct family *families, size_t n_families, bool is_false)
{
	static const size_t sizes[] = { 250, 500, 1000, 5000 };

	for (size_t i = 0; i < n_families; i++) {
		double worst = 0, most = 0;

		rates_print("%-24s", families[i].name);
		for (size_t k = 0; k < array_size(sizes); k++) {
			uint64_t random = 99 + k;
			int steps = 0, ladders = 0, repeat = rates_repeat(1000, 40);

			for (int r = 0; r < repeat; r++) {
				struct histogram h = { 0 };
				struct slow s;

				for (size_t t = 0; t < sizes[k]; t++)
					histogram_add(
						&h,
						(uint64_t)(random_unit(&random) < 0.6
								   ? 1e5
								   : families[i].draw_ns(
									     &random)));
				slow_measure(&h, 0, &s);
				steps += s.steps.n > 1;
				ladders += s.is_ladder;
			}
			rates_print("  %5.3f/%5.3f", (double)steps / repeat,
				    (double)ladders / repeat);
			worst = fmax(worst, (double)steps / repeat);
			most = fmax(most, (double)ladders / repeat);
		}
		rates_print("\n");
		if (is_false)
			rates_check(worst <= 0.03, "%s: steps in %.3f", families[i].name,
				    worst);
		else
			rates_check(most >= 0.9, "%s: ladders in %.3f", families[i].name,
				    most);
	}
}

/* ---- posted jobs ---- */

/* A sample of N from a posted job, in runs of LENGTH near the same quantile. */
static void resample(const struct coarse *c, uint64_t *random, size_t length, size_t n,
		     struct histogram *h, uint64_t *ret_ns)
{
	double share = 0;

	*h = (struct histogram){ 0 };
	for (size_t i = 0; i < n; i++) {
		if (i % length == 0)
			share = random_unit(random);
		share = fabs(share + 0.02 * (random_unit(random) - 0.5));
		share = share > 1 ? 2 - share : share;
		ret_ns[i] = (uint64_t)job_value_ns(c, share);
		histogram_add(h, ret_ns[i]);
	}
}

static size_t read_jobs(struct job *jobs, size_t max)
{
	const char *shared = getenv("DRIVEWHY_SHARED"), *top = getenv("top_srcdir");
	char folder[4096];

	(void)snprintf(folder, sizeof(folder), "%s/%scorpus/fio-output",
		       shared ? shared : (top ? top : "."), shared ? "" : "../shared/");
	return jobs_read(folder, jobs, max);
}

/* One mode or several, as 100,000 independent requests of the job have it. */
static bool is_one_mode(const struct coarse *c, uint64_t *random)
{
	struct histogram h = { 0 };
	struct modes m;

	for (int i = 0; i < 100000; i++)
		histogram_add(&h, (uint64_t)job_value_ns(c, random_unit(random)));
	modes_find(&h, &m);
	return m.n == 1;
}

static double real_rate(const struct coarse *c, size_t length, size_t n, enum way way,
			uint64_t *random)
{
	static uint64_t ns[MAX_SERIES];
	int found = 0, repeat = rates_repeat(100, 4);

	for (int r = 0; r < repeat; r++) {
		struct histogram h;

		resample(c, random, length, n, &h, ns);
		found += modes_found(&h, ns, n, way) > 1;
	}
	return (double)found / repeat;
}

static void real_jobs(void)
{
	static struct job jobs[256];
	static const size_t sizes[] = { 100, 200, 500, 1000 }, lengths[] = { 1, 3, 10 };
	static double rate[2][array_size(lengths)][array_size(sizes)];
	size_t n = read_jobs(jobs, array_size(jobs)), one = 0;
	uint64_t random = 31;

	if (!n) {
		rates_check(true, "real jobs # SKIP corpus not there");
		rates_print("corpus not there\n");
		return;
	}
	for (size_t i = 0; i < n; i++) {
		struct coarse c;

		if (coarse_init(&c, &jobs[i].in) < 0 || !is_one_mode(&c, &random))
			continue;
		one++;
		for (enum way way = COUNTED; way <= IN_ORDER; way++) {
			for (size_t l = 0; l < array_size(lengths); l++) {
				for (size_t k = 0; k < array_size(sizes); k++)
					rate[way][l][k] += real_rate(
						&c, lengths[l], sizes[k], way, &random);
			}
		}
	}
	rates_print(
		"\nPublished jobs: %zu, %zu of them with one mode; these resampled, in "
		"runs near one quantile: several found; n = 100 200 500 1000\n",
		n, one);
	for (enum way way = COUNTED; way <= IN_ORDER; way++) {
		for (size_t l = 0; l < array_size(lengths); l++) {
			rates_print("runs of %2zu %-10s", lengths[l],
				    way == COUNTED ? "counted" : "in order");
			for (size_t k = 0; k < array_size(sizes); k++)
				rates_print(" %6.3f", rate[way][l][k] / (double)one);
			rates_print("\n");
		}
	}
	for (size_t k = 0; k < array_size(sizes); k++)
		rates_check(rate[IN_ORDER][2][k] / (double)one <= 0.02,
			    "real jobs in runs of ten: several modes in %.3f",
			    rate[IN_ORDER][2][k] / (double)one);
}

/* ---- ladder, Poisson, Welch ---- */

static void ladder_by_chance(void)
{
	uint64_t random = 17;
	int repeat = rates_repeat(100000, 2000);

	rates_print(
		"\nLadder: random centres (each 1.3 to 3 times the one before) that fit "
		"within 10 %% and 5 %%\n");
	for (size_t n = 2; n <= 4; n++) {
		int fits = 0, close = 0;

		for (int r = 0; r < repeat; r++) {
			uint64_t center[4] = { 1000000 };
			struct ladder l;

			for (size_t i = 1; i < n; i++)
				center[i] =
					(uint64_t)((double)center[i - 1] *
						   exp(log(1.3) + random_unit(&random) *
									  log(3 / 1.3)));
			if (!ladder_fit(center, n, &l))
				continue;
			fits++;
			close += l.misfit <= 0.05;
		}
		rates_print("%zu rungs %6.3f %6.3f\n", n, (double)fits / repeat,
			    (double)close / repeat);
	}
}

static void poisson_coverage(void)
{
	double least = 1, low, high;

	/* exact: probability over all counts, for means on a fine grid */
	for (double mean = 0.01; mean < 60; mean += rates_full ? 0.01 : 0.2) {
		double covered = 0, p = exp(-mean);

		for (uint64_t k = 0; k < 160; p *= mean / (double)++k) {
			poisson_interval(k, 0.95, &low, &high);
			if (low <= mean && mean <= high)
				covered += p;
		}
		least = fmin(least, covered);
	}
	rates_print("\nPoisson 95 %% interval: least coverage for means of 0.01 .. 60: "
		    "%.4f\n",
		    least);
	rates_check(least >= 0.95 - 1e-9, "Poisson interval covers %.4f", least);
}

static double noise_rate(double factor, bool skewed, uint64_t n, int repeat)
{
	uint64_t random = 23;
	int found = 0;

	for (int r = 0; r < repeat; r++) {
		struct noise_row row[2];
		struct noise result;

		for (size_t i = 0; i < 2; i++) {
			double sum = 0, square = 0;

			for (uint64_t k = 0; k < n; k++) {
				double z = random_normal(&random);
				double x = (skewed ? exp(0.3 * z) : 1 + 0.1 * z) *
					   (i ? factor : 1);

				sum += x;
				square += x * x;
			}
			row[i].mean = sum / (double)n;
			row[i].stddev =
				sqrt((square - sum * sum / (double)n) / (double)(n - 1));
			row[i].n = n;
		}
		found += noise_means(&row[0], &row[1], &result) == 0 && !result.is_noise;
	}
	return (double)found / repeat;
}

static void noise_table(void)
{
	static const uint64_t runs[] = { 3, 5, 10, 30 };
	int repeat = rates_repeat(20000, 1000);
	double worst = 0;

	rates_print(
		"\nWelch on summary rows, p < 0.01 and above 5 %%: runs a side, equal "
		"(normal 10 %%, lognormal 0.3), +10 %%, +20 %% (normal)\n");
	for (size_t i = 0; i < array_size(runs); i++) {
		double normal = noise_rate(1, false, runs[i], repeat);
		double skewed = noise_rate(1, true, runs[i], repeat);

		rates_print("%4u %8.4f %8.4f %8.3f %8.3f\n", (unsigned)runs[i], normal,
			    skewed, noise_rate(1.1, false, runs[i], repeat),
			    noise_rate(1.2, false, runs[i], repeat));
		worst = fmax(worst, fmax(normal, skewed));
	}
	rates_check(worst <= 0.02, "equal rows called different in %.4f", worst);
}

static void rates_of_modes(void)
{
	rates_print("Modes: share of samples in which several are found; n = 100 200 500 "
		    "1000\n");
	modes_table(one_mode, n_one_mode, true);
	rates_print("\n");
	modes_table(several_modes, n_several_modes, false);
	drifting_modes();
	real_jobs();
}

static void rates_of_steps(void)
{
	rates_print("\nSteps/ladders found among 40 %% slow requests; n = 250 500 1000 "
		    "5000\n");
	steps_table(one_step, n_one_step, true);
	steps_table(several_steps, n_several_steps, false);
	ladder_by_chance();
}

static void rates_of_counts(void)
{
	poisson_coverage();
	noise_table();
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} sections[] = {
		{ "modes", rates_of_modes },
		{ "steps", rates_of_steps },
		{ "counts", rates_of_counts },
		{ "decisions", rates_of_decisions },
		{ "comparisons", rates_of_comparisons },
	};

	rates_full = argc > 1 && !strcmp(argv[1], "--full");
	for (size_t i = 0; i < array_size(sections); i++) {
		if (argc < 3 || !strcmp(argv[2], sections[i].name))
			sections[i].run();
	}
	if (!rates_full)
		(void)printf("1..%d\n", tap);
	return failed > 0;
}
