/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Places of the drive that are slower than the rest: weak heads and surfaces, old flash that is
 * read with retries. One median latency (or time for a piece) a zone, evenly spaced over the
 * drive. In logarithms, a zone is flagged when it is more than 4.5 robust standard deviations
 * (1.4826 times the median absolute deviation) above the middle of all zones and more than 1.5
 * times it. A rotating drive reads its inner zones slower as it should: a straight line is
 * fitted first (repeated medians, A.F. Siegel 1982; up to half the zones may be wild) and what
 * is left is tested. The deviation is taken as at least 1 %, for a drive that answers like a
 * clock.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/attrs.h"

#define ZONES_MAX   128u
#define ZONES_LEAST 8u /* with fewer there is no "rest" to compare with */

struct zones {
	size_t n, n_measured, n_flagged;
	double ratio
		[ZONES_MAX]; /* to what the other zones let expect here; 0 = not measured */
	double z[ZONES_MAX]; /* robust z */
	bool flagged[ZONES_MAX];
	double spread;	      /* robust standard deviation of the logarithms */
	double last_to_first; /* rotating: fitted last zone / first zone, else 1 */
};

#define ZONES_MAX_ROUNDS   64u
#define ZONES_LEAST_ROUNDS 4u /* with fewer a zone is not measured */

/*
 * From single reads to one latency a zone. The zones are read in rounds, each once in a round: what
 * changes with time (other work, a processor that comes and goes) changes a round as a whole, so
 * each read is held against the median of its round. Without that the medians of zones fall to
 * either side by chance when latency has two levels, and a third of all zones looks slow.
 *
 * NS[zone * N_ROUNDS + round], 0 where there is none. RET[zone]: the median of the ratios times the
 * median of all, 0 for too few rounds. At most ZONES_MAX and ZONES_MAX_ROUNDS; more are left out.
 */
void zones_by_rounds(const double *ns, size_t n, size_t n_rounds, double *ret);

/*
 * MEDIAN_NS: by zone, 0 (or no number) = not measured. 0; -ENODATA with fewer than ZONES_LEAST
 * measured zones; -E2BIG.
 */
int zones_measure(const double *median_ns, size_t n, bool rotating,
		  struct zones *ret) must_check;
