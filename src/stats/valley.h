/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside of stats/modes.h: the conditions of the valley test as numbers, and one cut of one range
 * of latencies, for counted and for posted data. Ranges are low_ns <= x < high_ns.
 */
#pragma once

#include <stdbool.h>

#include "stats/coarse.h"
#include "stats/histogram.h"

struct valley_rule {
	unsigned bins_per_octave, window; /* counted data only */
	double apart_octaves;		  /* between the two peaks */
	double least_share, least_count;  /* each side; posted data: each peak too */
	double depth;			  /* valley / smaller peak at most */
	double noise; /* (peak - valley) / sqrt(peak + valley + 1) at least */
	double related; /* counted data: requests that say the same thing; below 1 means 1 */
};

struct valley_range {
	double low_ns, high_ns;
	double total; /* what least_share refers to: requests, or share of them */
};

/* Requests below each bucket, so that any range is counted by one subtraction. */
struct valley_counts {
	const struct histogram *histogram;
	uint64_t below[HISTOGRAM_BUCKETS + 1];
};

void valley_counts_init(struct valley_counts *v, const struct histogram *h);
/* Requests faster than NS; within a bucket they count as evenly spread. */
double valley_count_below(const struct valley_counts *v, double ns);

/* Where to cut the range in two; false when it has one mode. */
bool valley_cut_counts(const struct valley_counts *v, const struct valley_rule *rule,
		       struct valley_range range, double *ret_ns) must_check;
bool valley_cut_coarse(const struct coarse *c, const struct valley_rule *rule,
		       struct valley_range range, double *ret_ns) must_check;
