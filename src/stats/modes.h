/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Has the latency one mode or several, where, and how much lies in each?
 *
 * Valley test V. The density over log2(latency), in 8 bins an octave seen through a window of
 * five, has two modes when a valley lies between two peaks and
 *   - the peaks are at least log2(3) octaves apart (flash page types, within a factor of 2, are
 *     no finding),
 *   - each side holds at least 3 % of all requests and at least 20,
 *   - the valley is at most half the smaller peak,
 *   - (peak - valley) / sqrt(peak + valley + 1) >= 3 in requests counted: not just noise.
 * Source: this project; measured against Hartigan's dip, Sarle's coefficient and Gregg's mvalue,
 * which flag harmless shapes (drivewhy-statistics(7) has the rates).
 *
 * Bursts. When latency changes by fits and starts, ten requests in a row say the same thing and
 * counts are worth a tenth of what the noise term takes them for. Where the order is known, runs
 * above a cut are counted: for independent requests n p (1 - p) are expected; with fewer, R, the
 * requests are taken to be worth 1 / (2 n p (1 - p) / R - 1) each, as in a two-state chain.
 *
 * Posted text (stats/coarse.h). The same conditions on intervals: for two places with known
 * bounds of F, the mean density between them has a lower and an upper bound. If two intervals
 * have a lower bound above the upper bound of one between them, every distribution that fits the
 * text has that valley, since a density reaches its mean. The valley must be nearly empty: at
 * most a quarter of the smaller peak. Each peak interval must hold 5 % of the requests, so that
 * a single rare latency is no mode.
 *
 * Steps. Above a gap the slow requests are looked at again, more finely (16 bins an octave, a
 * window of three, peaks 0.4 octaves = a factor of 1.32 apart, at least 3.5 in the noise term):
 * equal steps are the mark of a fixed delay. This is not done for a distribution with one mode:
 * there it would flag page types.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "stats/coarse.h"
#include "stats/histogram.h"

#define MODES_MAX 16u

struct mode {
	uint64_t center_ns;	  /* median of the requests in it */
	uint64_t low_ns, high_ns; /* where it is cut off; 0 and UINT64_MAX at the ends */
	double share;		  /* of all requests */
	double share_low, share_high; /* bounds; equal to share when it was counted */
};

struct modes {
	struct mode mode[MODES_MAX]; /* fastest first */
	size_t n; /* 0 only when there is no data (or none from from_ns on) */
};

/* Requests in their order, as far as it was kept (the last 4096, say). */
struct modes_series {
	const uint64_t *latency_ns;
	size_t n;
};

void modes_find(const struct histogram *h, struct modes *ret);
/* The same with the order known: fewer false modes for a drive that is slow in bursts. */
void modes_find_series(const struct histogram *h, struct modes_series s,
		       struct modes *ret);
void modes_find_coarse(const struct coarse *c, struct modes *ret);

/* The steps among the requests of FROM_NS and more; shares are of all requests. */
void modes_find_steps(const struct histogram *h, uint64_t from_ns, struct modes *ret);
void modes_find_steps_series(const struct histogram *h, struct modes_series s,
			     uint64_t from_ns, struct modes *ret);
void modes_find_steps_coarse(const struct coarse *c, uint64_t from_ns, struct modes *ret);

/*
 * How many requests in a row say the same thing about CUT_NS, among those of FROM_NS and more;
 * 1 for independent ones, and when there is nothing to tell from.
 */
double modes_related(struct modes_series s, uint64_t from_ns, uint64_t cut_ns);
