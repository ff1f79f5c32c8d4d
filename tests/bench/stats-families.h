/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Latencies to measure the error rates of statistical methods on: made up, drifting, and real. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/coarse.h"
#include "stats/histogram.h"

struct family {
	const char *name;
	double (*draw_ns)(uint64_t *random);
};

/* One mode each: whatever calls them several is wrong. */
extern const struct family one_mode[];
extern const size_t n_one_mode;
/* More than one; the first is harmless (flash page types) and no finding either. */
extern const struct family several_modes[];
extern const size_t n_several_modes;
/* What the slow part of a distribution may look like: one step, then two or more. */
extern const struct family one_step[];
extern const size_t n_one_step;
extern const struct family several_steps[];
extern const size_t n_several_steps;

/* Lognormal around 100 us, deviation 0.3, each value tied to the one before by RHO. */
struct drift {
	double rho, state;
	uint64_t *random;
};

struct drift drift_start(double rho, uint64_t *random);
/* Standard normal, correlated; and as a latency. */
double drift_next(struct drift *d);
double drift_next_ns(struct drift *d);

/* A posted job: percentiles and rows as printed. */
struct job {
	struct coarse_quantile quantile[COARSE_MAX_INPUT];
	struct coarse_bucket bucket[COARSE_MAX_INPUT];
	struct coarse_input in;
	char name[64];
};

/* How fio would print N counted values (with rows or without). */
void job_post(const struct histogram *h, bool rows, struct job *ret);
/* A value of the posted distribution at SHARE, straight in logarithms between the figures. */
double job_value_ns(const struct coarse *c, double share);

/*
 * All jobs with percentiles in the text files of a folder, at most MAX; 0 when it is not there.
 * Reads only what fio prints in one piece; no more than a benchmark needs.
 */
size_t jobs_read(const char *folder, struct job *ret, size_t max);
