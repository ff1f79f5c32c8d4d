/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sequential rates of a drive in both directions, whoever measured them. */
#pragma once

#include "judge/context.h"

struct rate {
	const struct fact *fact; /* the run's bandwidth; NULL: none */
	uint64_t bytes_s;
	const char *title;
};

struct speed_view {
	struct rate read_best, read_worst, write_best, write_worst;
	size_t n_reads, n_writes;
	/* a flush after each write: the slowest run's 99th percentile or mean, 0: unknown */
	const struct fact *flush;
	uint64_t flush_ns;
};

/* Runs of the drive, and those that name none when it is the only one. */
struct speed_view speed_look(const struct judge *j);
/* Whether A is at least FACTOR times B, and both are there. */
bool speed_is_times(const struct rate *a, const struct rate *b, unsigned factor);
/* "31.2 MB/s", "311 KB/s" */
const char *speed_text(struct judge *j, uint64_t bytes_s);
/* "reads at ...", "writes at ..." as evidence. */
void speed_for(struct judge *j, struct finding *f, const struct rate *r,
	       const char *what);
