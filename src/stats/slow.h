/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many requests are slow, and how much of the time do they hold? ("42 % of the reads hold
 * 97 % of the time".) Slow means: above a gap between two modes, so this is for distributions
 * with at least two; a drive that is slow as a whole has no gap. With more than two modes the
 * usual latency of such a drive decides, where it is known (slow begins with the first mode
 * above 3 times that), else the widest jump from one centre to the next: reads from a drive's
 * cache beside reads from flash are two modes and no fault.
 *
 * Time is latency summed over requests; at depth 1 that is the wall time but for the caller's own
 * share. From posted text all shares are bounds that hold whatever the data between the printed
 * figures were; the posted mean makes them much tighter, since the fast part is known well.
 */
#pragma once

#include <stdbool.h>

#include "stats/coarse.h"
#include "stats/histogram.h"
#include "stats/ladder.h"
#include "stats/modes.h"

/* A share 0..1 with bounds; all three are equal when it was counted. */
struct slow_share {
	double low, best, high;
};

struct slow {
	struct modes modes;
	bool found;	   /* a gap; else nothing below is set */
	size_t first_slow; /* modes before this one are fast */
	uint64_t from_ns;  /* the gap: requests of at least this are slow */
	struct slow_share requests, time;
	bool mean_used;	    /* the posted mean agreed with the rest and narrowed .time */
	struct modes steps; /* of the slow requests */
	bool is_ladder;
	struct ladder ladder; /* of the steps, when is_ladder */
};

/* USUAL_NS: median expected of such a drive, 0 when unknown. */
void slow_measure(const struct histogram *h, uint64_t usual_ns, struct slow *ret);
/* The same with the order of the requests known (stats/modes.h, bursts). */
void slow_measure_series(const struct histogram *h, struct modes_series series,
			 uint64_t usual_ns, struct slow *ret);

/* MEAN_NS: posted mean of the same latency, 0 when unknown. */
void slow_measure_coarse(const struct coarse *c, uint64_t usual_ns, double mean_ns,
			 struct slow *ret);

/* Share of time that requests of FROM_NS and more hold, when the border is given from outside. */
struct slow_share slow_time_share(const struct histogram *h, uint64_t from_ns);
struct slow_share slow_time_share_coarse(const struct coarse *c, uint64_t from_ns,
					 double mean_ns, bool *ret_mean_used);
