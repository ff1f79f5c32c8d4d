/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Do the slow modes stand at whole multiples of one time: T, 2T, 3T ...? Equal steps mean a fixed
 * delay (a time-out, polling, a wake-up, waiting behind k others), not the medium.
 *
 * Rule: the centres m1 < m2 < ... above the fast mode fit k*T within 10 %, the first with k = 1,
 * none beyond k = 4 (from k = 5 on the 10 % cover everything). T makes the worst misfit
 * |m/(kT) - 1| least: with r = m/k that is the middle of the largest and the smallest r.
 *
 * Two rungs alone prove little, so the chance is told: an upper bound on the probability that
 * centres put down evenly at random above the first fit as well. With T free by the misfit e, a
 * rung at k may lie anywhere in k(1-e)/(1+e) .. k(1+e)/(1-e), about 4ek wide, once in each unit.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attrs.h"

#define LADDER_MAX_RUNGS    4u
#define LADDER_MAX_MISFIT   0.10
#define LADDER_MAX_MULTIPLE 4u

struct ladder {
	double step_ns;			     /* T */
	unsigned multiple[LADDER_MAX_RUNGS]; /* k of each centre */
	size_t n_rungs;
	double misfit; /* worst |m/(kT) - 1| */
	double chance; /* 0..1, see above */
};

/*
 * CENTERS: the slow modes only, ascending. False with fewer than 2 (or more than
 * LADDER_MAX_RUNGS), or when they do not fit.
 */
bool ladder_fit(const uint64_t *centers_ns, size_t n, struct ladder *ret) must_check;
