/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Is run B slower than run A? Single latencies must not be compared as if they were independent:
 * latency drifts, and the usual tests then find a difference in two of three pairs of equal
 * runs. So each run is cut into blocks of time, and block medians are compared. The block length
 * is doubled from 50 ms until neighbouring medians are nearly unrelated (lag-1 autocorrelation
 * below 0.2).
 *
 * Test: Mann and Whitney's U (exact for up to 25 blocks a side without ties, else the normal
 * limit with the correction for ties). Effect: Hodges and Lehmann's estimate on logarithms, the
 * median of all ratios b/a, with the 95 % interval that belongs to U (Bauer 1972). A difference
 * is significant when p < 0.01 and it is more than 5 %. No random numbers are used.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attrs.h"

#define COMPARE_MAX_BLOCKS   512u
#define COMPARE_LEAST_BLOCKS 5u /* a side: with fewer p < 0.01 cannot be reached */

struct compare_sample {
	uint64_t at_ns; /* time of completion, any clock, not falling */
	uint64_t latency_ns;
};

struct compare {
	size_t n_a, n_b; /* blocks */
	uint64_t block_ns;
	double ratio; /* b / a */
	double low,
		high; /* 95 % interval; 0 and HUGE_VAL when there are too few blocks */
	double p;     /* two-sided */
	bool significant;
};

/*
 * Any figure of a block (median, 99th percentile, requests a second), positive, one a block.
 * 0; -ENODATA with fewer than COMPARE_LEAST_BLOCKS on a side; -EINVAL for a figure that is not
 * a positive number; -E2BIG.
 */
int compare_blocks(const double *a, size_t n_a, const double *b, size_t n_b,
		   struct compare *ret) must_check;

/*
 * Medians of blocks of BLOCK_NS. Blocks without a request are left out, and so is the last one
 * when it is not full. SCRATCH: room for N values. Number of blocks, at most COMPARE_MAX_BLOCKS
 * (the rest of the run is not used then).
 */
size_t compare_block_medians(const struct compare_sample *s, size_t n, uint64_t block_ns,
			     double *scratch, double ret[COMPARE_MAX_BLOCKS]);

/* Correlation of each value with the next; 0 for fewer than 3 or when all are equal. */
double compare_autocorrelation(const double *values, size_t n);

/*
 * Everything: choose the block length for both runs, then compare. SCRATCH: room for the larger
 * of N_A and N_B. 0; -ENODATA when the runs are too short for blocks that are unrelated.
 */
int compare_runs(const struct compare_sample *a, size_t n_a,
		 const struct compare_sample *b, size_t n_b, double *scratch,
		 struct compare *ret) must_check;

/* Two-sided p of Mann and Whitney's U; sorts both arrays. Up to COMPARE_MAX_BLOCKS each. */
double compare_mann_whitney(double *a, size_t n_a, double *b, size_t n_b);
