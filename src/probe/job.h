/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job: reads of one pattern from one target, by one worker. What comes out of it is plain data
 * of fixed size without pointers: it is written by another process, and by several workers side
 * by side it is summed with job_result_merge().
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/target.h"
#include "stats/histogram.h"
#include "stats/sequential.h"
#include "stats/stalls.h"

enum job_pattern {
	JOB_RANDOM,
	JOB_SEQUENTIAL,
	JOB_ZONES, /* random, in turns through .zones equal zones */
};

enum job_engine {
	JOB_ENGINE_AUTO, /* preadv2 at depth 1, io_uring above, threads where that is not allowed */
	JOB_ENGINE_SYNC,
	JOB_ENGINE_URING,
	JOB_ENGINE_THREADS,
	JOB_ENGINE_OTHER, /* the target's own */
};

#define JOB_MAX_DEPTH  1024u
#define JOB_MAX_BLOCK  (64u << 20)
#define JOB_MAX_ZONES  128u
#define JOB_ZONE_READS 32u   /* kept for each zone */
#define JOB_SAMPLES    4096u /* the last ones are kept in their order */
#define JOB_WINDOWS    512u
#define JOB_WINDOW_NS  UINT64_C(250000000)
#define JOB_ERRORS     16u

/* When a job has seen enough. Zero: never. */
struct job_stop {
	bool decide; /* run the sequential test below, and end when it is decided */
	struct sequential_rule rule;
	uint64_t
		limit_ns; /* longer is slow; 0: five times the job's own fast mode, 1 ms at least */
	/* ... and the median is surely on one side of what is expected of it (0: nothing is) */
	uint64_t expected_ns;
};

struct probe_job {
	const char *name;
	struct target *target;
	enum job_pattern pattern;
	enum job_engine engine;
	uint64_t start, size; /* part of what the target stores; size 0: to the end */
	uint32_t block_min, block_max;		/* bytes a read; equal for one size */
	uint32_t block_align;			/* of offsets; 0: block_min */
	uint32_t depth;				/* reads outstanding */
	uint32_t zones;				/* of JOB_ZONES */
	uint64_t most_ns, most_ios, most_bytes; /* what ends it first; 0: no limit */
	/* Start over at the end of the part; else it ends when as much as the part was read. */
	bool repeat;
	uint64_t delay_ns; /* before the first read, from the start of all jobs */
	uint64_t gap_ns;   /* idle before each read, depth 1 only */
	uint64_t seed;	   /* of the offsets: equal seeds read the same places */
	bool blank_counts; /* zeroes are data: a rotating drive has to read them as well */
	bool go_on;	   /* after an unreadable sector (EIO) */
	struct job_stop stop;
};

enum job_end {
	JOB_NOT_RUN,
	JOB_DONE,    /* its time, its number or its part is used up */
	JOB_DECIDED, /* job_stop */
	JOB_STOPPED, /* Ctrl-C, or the watcher */
	JOB_FAILED,  /* .error of the engine, or of too many reads */
	JOB_GONE,    /* the device is no longer there */
	JOB_HANGS,   /* a read does not come back: its process was left behind */
};

struct job_sample {
	uint64_t at_ns; /* start, from the start of the job */
	uint64_t latency_ns, offset;
};

/* A quarter of a second of the job. */
struct job_window {
	uint64_t bytes, slow_ns, longest_ns;
	uint32_t ios, slow; /* completed in it */
	uint32_t
		marked; /* of them, while the watcher used the drive itself: not in .slow */
};

struct job_error {
	uint64_t offset, bytes;
	int error; /* errno */
};

struct job_result {
	enum job_end end;
	int error; /* errno, of JOB_FAILED */
	enum job_engine engine;
	uint64_t first_ns;   /* CLOCK_MONOTONIC of the first submission */
	uint64_t runtime_ns; /* from there to the last completion */
	uint64_t bytes, ios, n_short, n_errors;
	struct job_error errors[JOB_ERRORS]; /* the first ones */
	/*
	 * From handing a read over until it was back: fio's "lat", and its "clat" too, since submission
	 * and wait are one system call here and slat is not seen apart.
	 */
	struct histogram lat;
	struct histogram
		zero; /* of .lat: reads that gave zeroes or FFh only, maybe unmapped */
	struct job_sample
		samples[JOB_SAMPLES]; /* a ring: [ios % JOB_SAMPLES] is the oldest */
	struct job_window windows[JOB_WINDOWS];
	uint32_t n_windows;
	/* latencies by round; 0: a blank read */
	uint32_t zone_ns[JOB_MAX_ZONES][JOB_ZONE_READS];
	uint16_t zone_n[JOB_MAX_ZONES], zone_zero[JOB_MAX_ZONES];
	struct sequential
		sequential; /* of job_stop; its limit_ns is the one that was used */
	struct stalls stalls;
	uint64_t hang_offset; /* JOB_HANGS: where */
	uint64_t hang_ns;
	/* of the worker, as getrusage(2) has it */
	uint64_t user_us, system_us, switches, major_faults, minor_faults;
};

/* Everything of FROM into TO, as if one job had read all of it. Zero is empty. */
void job_result_merge(struct job_result *to, const struct job_result *from);
const char *
job_engine_name(enum job_engine engine); /* "preadv2", "io_uring", "threads" */
const char *job_end_name(enum job_end end);
/* The samples in their order, oldest first: copies at most JOB_SAMPLES, returns how many. */
size_t job_result_series(const struct job_result *r, uint64_t *ret_latency_ns);
