/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rated life used. Drives tell it in up to three places, which do not always agree: one may be a
 * placeholder, stop at 100 or measure another part of the flash (tests/cases/families.tsv).
 */
#pragma once

#include "judge/context.h"

struct wear {
	const struct fact *fact; /* life used or life left; NULL: not told */
	uint64_t used_percent;	 /* 100 for less than 2 percent left, where scales end */
};

struct wear_view {
	struct wear most,
		least;	    /* of the latest snapshot that tells any; the same for one */
	unsigned n, n_near; /* places that tell it, and those that see the end near */
};

/* Without a saturated 255 percent on a drive too young for it, of which a note is made. */
struct wear_view wear_look(struct judge *j);
/* Near the end of the rated life, or past it. */
bool wear_is_near(const struct wear *w);
