/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fisher's exact test of a 2 x 2 table of counts
 *
 *                  moved   stood still
 *        slow        a          b
 *        not slow    c          d
 *
 * Do the two go together more often than chance would have it? Used for "slow windows and windows
 * in which the link's error counter moved are the same windows". The sum of hypergeometric
 * probabilities is cut when the rest is below 1e-17 of it. The two-sided value adds all tables
 * that are no more probable than the one seen (R.A. Fisher 1935; as R does it). Relative error
 * below 1e-9 for small counts, 1e-7 at 10^6; it grows to 1 % for counts that fill 32 bits, where
 * the logarithms of factorials lose their digits.
 */
#pragma once

#include <stdint.h>

struct fisher_table {
	uint32_t a, b, c, d;
};

/* P(at least a in that corner), given the margins. 1 for an empty table. */
double fisher_greater(struct fisher_table t);
double fisher_two_sided(struct fisher_table t);
