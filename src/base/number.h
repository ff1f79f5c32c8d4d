/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From what was computed to what is kept. */
#pragma once

#include <stdint.h>

/*
 * The nearest whole number. Below 0 and for what is no number it is 0, above UINT64_MAX that: a
 * plain conversion is undefined there (C11 6.3.1.4), and hostile counts get there.
 */
static inline uint64_t number_round(double x)
{
	if (!(x > 0))
		return 0;
	return x >= 18446744073709549568.0 ? UINT64_MAX : (uint64_t)(x + 0.5);
}
