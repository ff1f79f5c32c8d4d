/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Was the drive alone while it was measured? The kernel's counts of the disk (fio's "Disk
 * stats", /sys/block/X/stat; Documentation/block/stat.rst) less the measurer's own requests.
 *
 * The kernel counts completed requests: what was merged on the way is counted once and adds to
 * "merges", a request above the device's limit is counted once per piece. So own requests appear
 * as anything from own - merges to own, and the foreign count is an interval: ios - own when all
 * merges were foreign .. ios - own + merges when all were own. Counts are sampled, and were seen
 * 4 % off with nobody else there: below 5 % nothing is claimed.
 *
 * Mean requests outstanding = time waited, summed over requests / run time (Little's law).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/attrs.h"

#define LOAD_CLEAR_SHARE 0.05

struct load_input {
	uint64_t runtime_ms; /* of all groups that the disk counts cover, summed */
	uint64_t own_reads;  /* issued by the measurer in that time */
	uint64_t own_writes;
	double own_wait_ms;	/* its latencies summed: requests * mean; 0 = unknown */
	uint64_t reads, writes; /* completed, from the kernel */
	uint64_t read_merges, write_merges;
	uint64_t read_ms, write_ms; /* ticks: waited, summed over requests */
	uint64_t queue_ms;	    /* in_queue: the same for all kinds */
	/*
	 * Own request size and the device's limit (max_sectors_kb), 0 = unknown. A larger request
	 * is split; with an unknown limit 512 KiB is taken, the least that Linux has used.
	 */
	uint64_t own_bytes, limit_bytes;
};

struct load {
	uint64_t foreign_reads;	     /* at least */
	uint64_t foreign_reads_high; /* at most, by the merges */
	uint64_t foreign_writes;
	double read_share;  /* foreign_reads of all reads */
	double reads_per_s; /* foreign */
	double outstanding; /* mean, everybody's */
	bool has_own;	    /* own_wait_ms was known: the next three are set */
	double outstanding_own;
	bool has_foreign_wait;	/* and there were foreign reads that waited */
	double foreign_wait_ms; /* mean of a foreign read */
	bool clear;		/* more than the counting could be off by */
};

/* 0; -EINVAL when there is no run time or no kernel count at all. */
int load_measure(const struct load_input *in, struct load *ret) must_check;

/* Little's law, N = X * R: mean outstanding from requests a second and seconds a request. */
double load_outstanding(double per_s, double wait_s);
/* R = N / X, seconds; 0 when nothing arrives. */
double load_wait(double outstanding, double per_s);
/*
 * Utilisation law, U = X * S: the part of its time that the drive needs for PER_S requests of
 * SERVICE_S each when it works alone. Up to about 0.2 this cannot make others wait much.
 */
double load_demand(double per_s, double service_s);
