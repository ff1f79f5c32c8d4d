/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * percentiles PERCENT...: reads latencies, a whole number of nanoseconds a line, and prints what the
 * probe's histogram makes of them: number, least, most, mean, deviation, and each percentile.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "stats/histogram.h"

static struct histogram histogram;

int main(int argc, char **argv)
{
	double mean, deviation;
	uint64_t ns;

	while (scanf("%" SCNu64, &ns) == 1)
		histogram_add(&histogram, ns);
	if (!feof(stdin) || !histogram_mean(&histogram, &mean, &deviation))
		return EXIT_FAILURE;
	printf("N %" PRIu64 "\nmin %" PRIu64 "\nmax %" PRIu64
	       "\nmean %.3f\nstddev %.3f\n",
	       histogram.n_total, histogram.min_ns, histogram.max_ns, mean, deviation);
	for (int i = 1; i < argc; i++) {
		uint32_t ppm = (uint32_t)lround(strtod(argv[i], NULL) * 10000);

		if (!histogram_quantile(&histogram, ppm, &ns))
			return EXIT_FAILURE;
		printf("%s %" PRIu64 "\n", argv[i], ns);
	}
	return EXIT_SUCCESS;
}
