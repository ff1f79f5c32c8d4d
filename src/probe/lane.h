/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside of probe/: one worker's way to hand reads to the kernel. */
#pragma once

#include <stdatomic.h>

#include "probe/job.h"

struct lane_slot {
	uint64_t offset;
	uint32_t bytes, zone;
	uint8_t *memory;
	uint64_t queued_ns;
	bool busy;
};

struct lane {
	const struct lane_ops *ops;
	const struct probe_job *job;
	void *state; /* of the ops */
	uint8_t *memory;
	size_t slot_bytes;
	struct lane_slot *slots;
};

struct lane_done {
	uint32_t slot;
	int64_t result; /* bytes, or -errno */
};

struct lane_ops {
	enum job_engine engine;
	bool no_memory; /* simulated: nothing is read */
	int (*open)(struct lane *l);
	/* Hand over SLOT; it may wait until reap(). 0 or -errno. */
	int (*queue)(struct lane *l, uint32_t slot);
	/* Wait for at least one; how many, or -errno. -EINTR may be told when nothing came. */
	int (*reap)(struct lane *l, struct lane_done *ret, uint32_t max);
	uint64_t (*now)(struct lane *l);
	void (*sleep)(struct lane *l, uint64_t ns);
	void (*close)(struct lane *l);
};

extern const struct lane_ops lane_sync, lane_uring, lane_threads;

/* CLOCK_MONOTONIC; CLOCK_MONOTONIC sleep. For ops that run in real time. */
uint64_t lane_clock(struct lane *l);
void lane_sleep(struct lane *l, uint64_t ns);

/* The clock of what is read: a simulated target has its own. */
uint64_t target_now(struct target *t);
void target_sleep(struct target *t, uint64_t ns);

/* 0 when io_uring may be used here and now. */
int lane_uring_try(void);

/* What the workers and their watcher share while they run. */
struct live_worker {
	_Atomic uint64_t ios, bytes;
	_Atomic uint64_t
		moved_ns; /* something last came or was sent; 0: nothing outstanding */
};

struct live_shared {
	_Atomic int stop;
	_Atomic uint64_t mark_from_ns, mark_to_ns; /* from without to: still on */
	uint64_t start_ns;
};

/*
 * Do JOB here and now, in this thread. TICK may be NULL: called in virtual time with the time since
 * the start; not 0 ends the job.
 */
struct worker {
	const struct probe_job *job;
	struct job_result *result;
	struct live_worker *live;
	struct live_shared *shared;
	struct lane_slot *slots; /* job->depth of them */
	int (*tick)(void *context, uint64_t elapsed_ns, uint64_t ios, uint64_t bytes);
	void *context;
	uint64_t tick_ns;
	bool in_process; /* the caller's own: usage is not counted */
};

void worker_run(struct worker *w);

/* ---- where to read next ---- */

struct places {
	const struct probe_job *job;
	uint64_t start, size; /* of the job, in what the target stores */
	uint64_t at;	      /* sequential: the next byte */
	uint64_t random;      /* state */
	uint64_t n;
	uint64_t taken; /* bytes handed out */
	uint32_t turn[JOB_MAX_ZONES];
	uint32_t zone; /* of the last place, JOB_ZONES only */
};

/* 0, or -ENODATA when the job's part has no room for one read. */
int places_init(struct places *p, const struct probe_job *job) must_check;
/* False when the part is used up. */
bool places_next(struct places *p, uint64_t *ret_offset, uint32_t *ret_bytes) must_check;
