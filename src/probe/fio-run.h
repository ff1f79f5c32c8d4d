/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running jobs that were described in fio's words, side by side or after one another. */
#pragma once

#include "probe/engine.h"
#include "probe/fio-jobs.h"

/* What fio prints as one job: one of its processes, or with group_reporting a whole group. */
struct fio_result {
	const struct fio_spec *spec; /* the first, of several */
	struct target *target;
	uint32_t group, jobs; /* jobs: how many were summed */
	struct probe_job job; /* as it was run */
	struct job_result *result;
};

/* What the kernel counted on a disk while all of them ran. */
struct fio_disk_use {
	const char *name;
	struct disk_counts counts;
};

struct fio_runs {
	struct arena arena;
	struct target **targets;
	size_t n_targets, cap_targets;
	struct fio_result *items;
	size_t n, cap;
	struct fio_disk_use *disks;
	size_t n_disks, cap_disks;
	bool stopped; /* before all were run */
};

/*
 * Open the targets and run all jobs of S, which outlives RET. Jobs run together until one says
 * stonewall. 0, also when jobs failed or were stopped: their results tell; -EINVAL after a message
 * for what cannot be run at all; -ENOMEM, -errno of the engine.
 */
int fio_run(const struct fio_specs *s, struct engine_watch *watch, struct diag *d,
	    struct fio_runs *ret) must_check;
void fio_runs_done(struct fio_runs *r);
