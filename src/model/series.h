/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A count of a drive over time, from history/ to render/. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/fact.h"

/* A row where something changed; VALUE is the total for what only grows. Seconds since 1970. */
struct point {
	int64_t at, span,
		value; /* span: it changed within so many seconds before; 0 unknown */
};

struct series {
	struct fact_key key;
	struct point *points;
	size_t n;
	bool has_before;
	int64_t before; /* value when the time asked for begins */
	int64_t now;	/* newest value, as the drive tells it */
};

/* A time cut into N equal slots, as a graph of N marks shows it. */
struct time_slots {
	int64_t from, to; /* seconds since 1970 */
	size_t n;
};

/* Which slot a time falls into: the first or the last one for what is outside. */
size_t time_slot(const struct time_slots *s, int64_t at);
