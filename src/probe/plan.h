/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The read probe: which jobs are run, in which order, and when enough was seen. It concludes
 * nothing: what was measured becomes items of a capture (probe/items.h).
 *
 *   rand4k-qd1      random 4 KiB reads, one at a time, until the sequential test has decided
 *   seq128k-1..4    sequential reads at four places
 *   rand4k-qd32     random 4 KiB reads, 32 outstanding
 *   zones4k         random 4 KiB reads in turns through 64 zones
 *   zones512k       the same with 512 KiB
 *   zones...-again  once more, when a zone stands out
 *   link-burst      as much as the link carries
 *   idle-0ms ...    random 4 KiB reads after a pause
 *
 * A drive that is slow in the first job is not read further: what is asked is why, and more of the
 * same does not tell. The last two are run when they are asked for, or when a question of the link
 * or of its power management is open.
 */
#pragma once

#include "probe/engine.h"
#include "probe/preflight.h"

#define PLAN_MAX_PHASES 20u
#define PLAN_ZONES	64u

/* What is known of the drive; 0, false and NULL: nothing. */
struct plan_known {
	bool rotating, solid_state;
	uint64_t expected_qd1_iops; /* of the model, or its class */
	uint64_t link_mbps;
	const char *power_policy; /* of the link */
	bool asleep, selftest;	  /* a self-test runs in the drive */
	bool has_temperature;
	int64_t temperature, temperature_limit; /* limit 0: unknown */
};

enum plan_refusal { PLAN_ALLOWED, PLAN_ASLEEP, PLAN_SELFTEST, PLAN_RESYNC, PLAN_HOT };

enum phase_cache {
	CACHE_UNKNOWN,	/* the kernel does not tell */
	CACHE_PASSED,	/* the drive read as much as was asked for, within 1 % */
	CACHE_MIXED,	/* it read more: others read too */
	CACHE_ANSWERED, /* it read less: some of it came from memory */
};

struct phase {
	char name[24];
	struct probe_job job;
	struct job_result result;
	bool has_disk;
	struct disk_counts disk; /* of the whole phase */
	enum phase_cache cache;
	/* errors on the link, as the drive counts them, before and after and in each window */
	bool has_errors;
	uint64_t errors;
	uint8_t moved[JOB_WINDOWS];
};

struct plan {
	/* in */
	struct target *target;
	struct plan_known known;
	bool deep, link, idle, no_preflight, force;
	uint64_t seed;
	const char *root; /* "" or a saved tree */
	const volatile sig_atomic_t *stop;
	uint64_t hang_ns; /* 0: the engine's */
	/* Sum of the link's error counters now; NULL, or not 0 when they cannot be read. */
	int (*count_errors)(void *context, uint64_t *ret);
	/* For a terminal; may be NULL. PHASE as above. */
	void (*progress)(void *context, const char *phase, uint64_t elapsed_ns,
			 uint64_t ios, uint64_t bytes);
	void *context;
	/* out */
	struct arena arena;
	enum plan_refusal refusal;
	struct preflight preflight;
	struct phase *phases[PLAN_MAX_PHASES];
	size_t n_phases;
	bool slow; /* the first job was decided so */
	bool broken; /* an unreadable sector, a drive that is gone or hangs: not read further */
	bool stopped;
	bool burst_from_buffer,
		burst_refused; /* rotating: it did, or did not, read from its buffer */
	uint64_t took_ns;
};

/* 0, whatever was found (an empty plan with its refusal); -ENOMEM or -errno of the engine. */
int plan_run(struct plan *p) must_check;
void plan_done(struct plan *p);
const char *plan_refusal_text(enum plan_refusal r);
const char *phase_cache_name(enum phase_cache c);
