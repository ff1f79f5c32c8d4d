/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random numbers for tests and benchmarks: xorshift64* (Vigna 2016), the same on every machine. */
#pragma once

#include <math.h>
#include <stdint.h>

static inline uint64_t random_next(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 2685821657736338717u;
}

/* Evenly in 0 < u < 1. */
static inline double random_unit(uint64_t *state)
{
	return ((double)(random_next(state) >> 11) + 0.5) / 9007199254740992.0;
}

/* Standard normal (Box and Muller). */
static inline double random_normal(uint64_t *state)
{
	double r = sqrt(-2 * log(random_unit(state)));

	return r * cos(6.283185307179586 * random_unit(state));
}
