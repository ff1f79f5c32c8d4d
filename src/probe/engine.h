/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs jobs side by side. They run in a process of their own, each in a thread: a read that never
 * comes back cannot be cancelled, but its process can be left behind. Results stand in memory that
 * both share.
 */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attrs.h"
#include "probe/job.h"

/* Seen while they run; any of it may be 0. */
struct engine_watch {
	const volatile sig_atomic_t *stop; /* not 0: end now */
	uint64_t hang_ns; /* a read that takes longer is given up; 0: 40 s */
	/*
	 * Called about every TICK_NS (0: a quarter of a second) with how far the jobs are. Not 0: end
	 * now. It may use the drive itself, between engine_mark() true and false.
	 */
	uint64_t tick_ns;
	int (*tick)(struct engine_watch *w, uint64_t elapsed_ns, uint64_t ios,
		    uint64_t bytes);
	void *context;
	struct engine *engine; /* set while jobs run */
};

#define ENGINE_MAX_JOBS 256u

/*
 * Run N jobs, RET[i] for each: zeroed first. 0 when they ran, whatever became of them: RET tells.
 * -E2BIG, -EINVAL for a job that cannot be, -ENOMEM, or -errno when no process can be made.
 */
int engine_run(const struct probe_job *jobs, size_t n, struct engine_watch *watch,
	       struct job_result *ret) must_check;

/* Reads under way while ON are counted apart: something else is asked of the drive. */
void engine_mark(struct engine_watch *w, bool on);

/* What the kernel counted on a disk so far (Documentation/block/stat.rst). */
struct disk_counts {
	uint64_t reads, read_merges, read_sectors, read_ms;
	uint64_t writes, write_merges, write_sectors, write_ms;
	uint64_t in_flight, busy_ms, queue_ms;
	uint64_t at_ns; /* CLOCK_MONOTONIC */
};

/* 0; -ENOENT when the target has no disk of its own, -ENODATA when the kernel does not count. */
int disk_counts_read(struct target *t, struct disk_counts *ret) must_check;
/* AFTER - BEFORE, each at least 0. */
struct disk_counts disk_counts_since(const struct disk_counts *before,
				     const struct disk_counts *after);
