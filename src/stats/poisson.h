/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many events could there really be, when K were seen? Exact intervals (F. Garwood 1936) for
 * the mean of a Poisson count: the lower bound is the mean with which K or more would be seen in
 * only half of the remaining probability, the upper one that for K or fewer. They hold the truth
 * at least as often as stated. For rates divide by the time or the number of requests.
 */
#pragma once

#include <stdint.h>

/* CONFIDENCE in 0..1, as 0.95. K = 0 has the lower bound 0 (and 3.69 as the upper at 95 %). */
void poisson_interval(uint64_t k, double confidence, double *ret_low, double *ret_high);

/*
 * Has the rate changed between K1 events in T1 and K2 in T2 (any unit, above 0)? Exact: with one
 * rate, K2 of K1 + K2 is binomial. Two-sided p, twice the smaller tail; 1 when nothing happened.
 */
double poisson_change(uint64_t k1, double t1, uint64_t k2, double t2);
