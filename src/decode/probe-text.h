/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of a probe/... item, drivewhy-capture(5), as numbers. */
#pragma once

#include "base/span.h"
#include "stats/fisher.h"
#include "stats/histogram.h"

#define PROBE_SERIES 4096u
#define PROBE_ZONES  128u
#define PROBE_ROUNDS 32u
#define PROBE_BAD    16u
#define PROBE_TEXTS  16u
#define PROBE_WORD   208u

struct probe_level {
	uint64_t above_ns, ios, events, time_ns, longest_ns;
};

struct probe_disk {
	bool set;
	char name[PROBE_WORD];
	uint64_t reads, read_merges, read_sectors, read_ms;
	uint64_t writes, write_merges, write_sectors, write_ms;
	uint64_t busy_ms, queue_ms, took_ns;
};

/* What a line did not tell is 0, "" or false. */
struct probe_text {
	char target[PROBE_WORD], pattern[PROBE_WORD], engine[PROBE_WORD];
	char cache[PROBE_WORD], end[PROBE_WORD], from[PROBE_WORD];
	char refused[PROBE_WORD], resync[PROBE_WORD], title[PROBE_WORD];
	char users[PROBE_TEXTS][PROBE_WORD], layers[PROBE_TEXTS][PROBE_WORD];
	uint64_t n_users, n_layers;
	uint64_t group, jobs, block_max, pieces;
	uint64_t block, depth, start, size, gap_ns, direct, compressed, all_seen, forced;
	uint64_t error, ios, bytes, n_short, runtime_ns, n_bad, link_errors;
	bool has_link_errors;
	struct {
		uint64_t user_us, system_us, switches, major, minor;
	} cpu;
	struct {
		uint64_t min_ns, max_ns, mean_ns, stddev_ns;
	} latency;
	struct {
		uint64_t offset, bytes, error;
	} bad[PROBE_BAD];
	uint64_t n_bad_at;
	bool hangs;
	uint64_t hang_offset, hang_ns;
	char decision[PROBE_WORD];
	uint64_t limit_ns, n_slow;
	struct probe_level stalls, slow;
	struct histogram histogram, blank;
	uint64_t series[PROBE_SERIES];
	uint64_t n_series;
	double zone_ns[PROBE_ZONES][PROBE_ROUNDS]; /* 0: blank, or none */
	uint64_t n_zones;
	struct fisher_table windows; /* of those with link errors counted */
	bool has_windows;
	struct probe_disk disk;
	uint64_t lines_left_out;
};

/* Never fails: what is no such line is counted and left out. */
void probe_text_read(struct span body, struct probe_text *ret);
