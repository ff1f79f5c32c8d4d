/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Is the difference between two summary rows more than noise? For tables that give only a mean,
 * a standard deviation and a number of runs (mmtests, iostat summaries), where the single values
 * are gone. Means: Welch's t test (B.L. Welch 1947), which does not ask for equal deviations.
 * Deviations: the F test; it takes bell-shaped values for granted, so a small p there is a hint
 * only. A table of many rows needs p times the number of rows (Bonferroni).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/attrs.h"

struct noise_row {
	double mean, stddev; /* of single runs, divisor n - 1 */
	uint64_t n;	     /* runs */
};

struct noise {
	double difference; /* b - a */
	double low, high;  /* 95 % interval of it */
	double t, df;
	double p;      /* two-sided */
	bool is_noise; /* p >= 0.01 or less than 5 % of the first mean */
};

/*
 * 0; -EINVAL when a row has fewer than 2 runs or a figure that is none; -EDOM when neither row
 * has a deviation: then nothing is known about the noise.
 */
int noise_means(const struct noise_row *a, const struct noise_row *b,
		struct noise *ret) must_check;

/* Two-sided p that the deviations differ by chance. 0, -EINVAL, -EDOM as above. */
int noise_deviations(const struct noise_row *a, const struct noise_row *b,
		     double *ret_p) must_check;

/*
 * When the table does not tell the number of runs: the least number of runs on each side with
 * which the difference would have p < 0.01; 0 when not even NOISE_MAX_RUNS would do.
 */
#define NOISE_MAX_RUNS 1000u
unsigned noise_runs_needed(const struct noise_row *a, const struct noise_row *b);
