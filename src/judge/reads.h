/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all posted runs of a drive say together, for the rules on slow reads. */
#pragma once

#include "judge/context.h"

#define READS_MAX_STEPS 8u
#define READS_MAX_SLOW	8u

struct slow_run {
	const struct fact *fact;
	const char *title, *unit, *what;
	uint64_t got, floor;
};

struct reads_view {
	size_t n_runs;	   /* reading runs */
	size_t n_compared; /* of them, those that an expectation fits */

	/* the first random run with a gap, else the first of any kind; NULL when none has one */
	const struct fact *slow_fact;
	const char *title;
	bool slow_is_random;
	uint64_t slow_share, slow_time; /* ppm of the reads, of the latency summed */
	uint64_t slow_wall;		/* ppm of the run's wall time, 0 above depth 1 */
	/* all runs with a gap, in order */
	struct {
		bool random;
		uint64_t share; /* ppm */
	} slow_list[READS_MAX_SLOW];
	size_t n_slow_list;
	uint64_t slow_from, ladder_ns; /* ladder 0: none */
	struct {
		uint64_t ns, ppm;
	} steps[READS_MAX_STEPS];
	size_t n_steps;

	/* the run with the longest read, and its share (ppm) of reads above 2 s */
	const struct fact *longest_fact;
	uint64_t longest_ns, over_2s;

	/* other work on the disk, from the batch with the most */
	const struct fact *foreign;
	bool foreign_clear;
	uint64_t foreign_share, foreign_rate, foreign_wait,
		outstanding; /* ppm, milli, ns, milli */
	struct {
		uint64_t share, outstanding; /* ppm, milli */
	} foreign_list[READS_MAX_SLOW];
	size_t n_foreign_list;
	uint64_t
		demand_ppm; /* of the drive's random reads at depth 1; 0 when not known */

	/* mean wait of a read by the disk's statistics and by the benchmark, 0: unknown */
	const struct fact *disk_fact;
	uint64_t device_wait_ns, own_wait_ns;

	const struct fact *expect_fact; /* random reads at depth 1 */
	bool expect_is_class;
	uint64_t worst_ratio_milli; /* expected / measured x 1000, of the slowest run */

	uint64_t depth1_milli, depth32_milli; /* best random 4 KiB IOPS x 1000, 0: none */
	const struct fact *depth32_fact;

	struct slow_run slow_runs[READS_MAX_SLOW];
	size_t n_slow_runs;
};

struct reads_view reads_look(struct judge *j);

/*
 * Settings of the host that touch this drive: told for the drive itself, or for the host when the
 * case has no second drive they could belong to.
 */
const struct fact *reads_host_fact(const struct judge *j, enum fact_id id);
const char *reads_host_text(const struct judge *j, enum fact_id id);

/* What only the read probe can tell: rule-probe.c; before those on any run. */
extern const struct rule rules_probe[], rules_reads[];
