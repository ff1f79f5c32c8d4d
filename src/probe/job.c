/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/job.h"

#include <string.h>

static void windows_merge(struct job_result *to, const struct job_result *from)
{
	for (uint32_t i = 0; i < from->n_windows; i++) {
		struct job_window *a = &to->windows[i];
		const struct job_window *b = &from->windows[i];

		a->bytes += b->bytes;
		a->slow_ns += b->slow_ns;
		if (b->longest_ns > a->longest_ns)
			a->longest_ns = b->longest_ns;
		a->ios += b->ios;
		a->slow += b->slow;
		a->marked += b->marked;
	}
	if (from->n_windows > to->n_windows)
		to->n_windows = from->n_windows;
}

static void zones_merge(struct job_result *to, const struct job_result *from)
{
	for (uint32_t z = 0; z < JOB_MAX_ZONES; z++) {
		for (uint32_t i = 0;
		     i < from->zone_n[z] && to->zone_n[z] < JOB_ZONE_READS; i++)
			to->zone_ns[z][to->zone_n[z]++] = from->zone_ns[z][i];
		to->zone_zero[z] = (uint16_t)(to->zone_zero[z] + from->zone_zero[z]);
	}
}

/* The worst end of the two is told. */
static void end_merge(struct job_result *to, const struct job_result *from)
{
	if (from->end <= to->end)
		return;
	to->end = from->end;
	to->error = from->error;
	to->hang_offset = from->hang_offset;
	to->hang_ns = from->hang_ns;
}

static void time_merge(struct job_result *to, const struct job_result *from)
{
	uint64_t end = to->first_ns + to->runtime_ns;

	if (!from->first_ns)
		return;
	if (!to->first_ns || from->first_ns < to->first_ns)
		to->first_ns = from->first_ns;
	if (from->first_ns + from->runtime_ns > end)
		end = from->first_ns + from->runtime_ns;
	to->runtime_ns = end - to->first_ns;
}

void job_result_merge(struct job_result *to, const struct job_result *from)
{
	end_merge(to, from);
	time_merge(to, from);
	to->engine = from->engine;
	/* samples of several have no order: those of the busiest stay */
	if (from->ios > to->ios)
		memcpy(to->samples, from->samples, sizeof(to->samples));
	for (uint64_t i = 0; i < from->n_errors && i < JOB_ERRORS; i++)
		if (to->n_errors + i < JOB_ERRORS)
			to->errors[to->n_errors + i] = from->errors[i];
	to->n_errors += from->n_errors;
	to->n_short += from->n_short;
	to->bytes += from->bytes;
	to->ios += from->ios;
	histogram_merge(&to->lat, &from->lat);
	histogram_merge(&to->zero, &from->zero);
	windows_merge(to, from);
	zones_merge(to, from);
	to->user_us += from->user_us;
	to->system_us += from->system_us;
	to->switches += from->switches;
	to->major_faults += from->major_faults;
	to->minor_faults += from->minor_faults;
}

const char *job_engine_name(enum job_engine engine)
{
	static const char *const names[] = {
		[JOB_ENGINE_AUTO] = "auto",	  [JOB_ENGINE_SYNC] = "preadv2",
		[JOB_ENGINE_URING] = "io_uring",  [JOB_ENGINE_THREADS] = "threads",
		[JOB_ENGINE_OTHER] = "simulated",
	};

	return names[engine];
}

const char *job_end_name(enum job_end end)
{
	static const char *const names[] = {
		[JOB_NOT_RUN] = "not-run", [JOB_DONE] = "done",
		[JOB_DECIDED] = "decided", [JOB_STOPPED] = "stopped",
		[JOB_FAILED] = "failed",   [JOB_GONE] = "gone",
		[JOB_HANGS] = "hangs",
	};

	return names[end];
}

size_t job_result_series(const struct job_result *r, uint64_t *ret_latency_ns)
{
	uint64_t n = r->lat.n_total < JOB_SAMPLES ? r->lat.n_total : JOB_SAMPLES;
	uint64_t first = r->lat.n_total - n;

	for (uint64_t i = 0; i < n; i++)
		ret_latency_ns[i] = r->samples[(first + i) % JOB_SAMPLES].latency_ns;
	return (size_t)n;
}
