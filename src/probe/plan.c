/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "probe/lane.h"
#include "probe/plan-private.h"
#include "stats/zones.h"

#define MS	 UINT64_C(1000000)
#define WATCH_NS (250 * MS)
#define KIB	 1024u
#define SECTOR	 512u
#define PLACES	 4u

/*
 * Enough for the valley test and for both classes of a drive like the one in the thread on a slow
 * new SSD, which then has its verdict within a second; the sequential test alone needs a tenth.
 */
#define LEAST_READS 160u

/* Times are caps. */
static const struct plan_shape usual = {
	.decide_ns = { 1200 * MS, 4500 * MS },
	.seq_ns = { 120 * MS, 500 * MS },
	.depth_ns = { 300 * MS, 1000 * MS },
	.zones_ns = { 400 * MS, 0 },
	.zone_reads = { 16, 0 },
	.large_reads = { 4, 0 },
	.burst_ns = 6000 * MS,
}, thorough = {
	.decide_ns = { 3000 * MS, 15000 * MS },
	.seq_ns = { 500 * MS, 2000 * MS },
	.depth_ns = { 2000 * MS, 4000 * MS },
	.zones_ns = { 4000 * MS, 14000 * MS },
	.zone_reads = { 32, 8 },
	.large_reads = { 8, 4 },
	.burst_ns = 25000 * MS,
};

const struct plan_shape *plan_shape_of(const struct plan *p)
{
	return p->deep ? &thorough : &usual;
}

bool plan_is_over(const struct plan *p)
{
	return p->broken || p->stopped;
}

/* ---- one phase ---- */

struct watching {
	struct plan *p;
	struct phase *phase;
	uint64_t last_errors;
};

/* One command to the drive: reads around it are marked and count apart. */
static void look_at_errors(struct engine_watch *w, uint64_t elapsed_ns)
{
	struct watching *x = w->context;
	uint64_t at = elapsed_ns / JOB_WINDOW_NS, now = 0;
	int r;

	if (!x->phase->has_errors)
		return;
	engine_mark(w, true);
	r = x->p->count_errors(x->p->context, &now);
	engine_mark(w, false);
	if (r < 0)
		return;
	/* what moved since the last look happened in the window that has just ended */
	if (now > x->last_errors && at && at <= JOB_WINDOWS) {
		x->phase->moved[at - 1] = 1;
		x->phase->errors += now - x->last_errors;
	}
	x->last_errors = now;
}

static int on_tick(struct engine_watch *w, uint64_t elapsed_ns, uint64_t ios,
		   uint64_t bytes)
{
	struct watching *x = w->context;

	look_at_errors(w, elapsed_ns);
	if (x->p->progress)
		x->p->progress(x->p->context, x->phase->name, elapsed_ns, ios, bytes);
	return 0;
}

static enum phase_cache cache_of(const struct phase *f)
{
	double asked = (double)f->result.bytes, did;

	if (!f->has_disk || !f->result.bytes)
		return CACHE_UNKNOWN;
	did = (double)f->disk.read_sectors * SECTOR;
	return did < 0.99 * asked   ? CACHE_ANSWERED
	       : did > 1.01 * asked ? CACHE_MIXED
				    : CACHE_PASSED;
}

static struct phase *add_phase(struct plan *p, const char *name, struct probe_job job)
{
	struct phase *f;

	if (p->n_phases == PLAN_MAX_PHASES)
		return NULL;
	f = calloc(1, sizeof(*f));
	if (!f)
		return NULL;
	(void)snprintf(f->name, sizeof(f->name), "%s", name);
	f->job = job;
	f->job.name = f->name;
	f->job.target = p->target;
	/* each phase reads other places than the one before: nothing is to be in a cache */
	f->job.blank_counts = p->known.rotating;
	f->job.seed = p->seed * 1000003u + p->n_phases;
	p->phases[p->n_phases++] = f;
	return f;
}

static void last_look(struct watching *x)
{
	uint64_t now;

	if (x->phase->has_errors && x->p->count_errors(x->p->context, &now) == 0 &&
	    now > x->last_errors)
		x->phase->errors += now - x->last_errors;
}

static int run_phase(struct plan *p, struct phase *f)
{
	struct watching x = { .p = p, .phase = f };
	struct engine_watch w = {
		.stop = p->stop, .hang_ns = p->hang_ns, .tick = on_tick, .context = &x
	};
	struct disk_counts before, after;
	bool counted;
	int r;

	f->has_errors =
		p->count_errors && p->count_errors(p->context, &x.last_errors) == 0;
	if (p->progress)
		p->progress(p->context, f->name, 0, 0, 0);
	counted = disk_counts_read(p->target, &before) == 0;
	r = engine_run(&f->job, 1, &w, &f->result);
	f->has_disk = counted && disk_counts_read(p->target, &after) == 0;
	if (f->has_disk)
		f->disk = disk_counts_since(&before, &after);
	f->cache = cache_of(f);
	last_look(&x);
	p->stopped |= f->result.end == JOB_STOPPED;
	p->broken |= f->result.end >= JOB_FAILED;
	return r;
}

int plan_do_phase(struct plan *p, const char *name, struct probe_job job)
{
	struct phase *f;

	if (plan_is_over(p))
		return 0;
	f = add_phase(p, name, job);
	return f ? run_phase(p, f) : -ENOMEM;
}

uint32_t plan_block_of(const struct plan *p, uint32_t bytes)
{
	uint32_t align = p->target->align ? p->target->align : 1;

	return (bytes + align - 1) / align * align;
}

struct probe_job plan_random_job(const struct plan *p, uint32_t depth)
{
	return (struct probe_job){
		.pattern = JOB_RANDOM,
		.block_min = plan_block_of(p, 4 * KIB),
		.block_max = plan_block_of(p, 4 * KIB),
		.depth = depth,
		.repeat = true,
		/* flash: errors are looked at closely; a rotating drive is spared */
		.go_on = !p->known.rotating
	};
}

/* ---- the phases ---- */

static int phase_random(struct plan *p)
{
	struct probe_job j = plan_random_job(p, 1);
	uint64_t iops = p->known.expected_qd1_iops;
	int r;

	j.stop.decide = true;
	j.stop.rule = p->known.rotating ? sequential_rotating : sequential_flash;
	j.stop.rule.least_n = LEAST_READS;
	j.stop.rule.most_ns = plan_shape_of(p)->decide_ns[p->known.rotating];
	j.most_ns = j.stop.rule.most_ns;
	j.stop.expected_ns = iops ? 1000000000u / iops : 0;
	if (p->known.rotating || iops)
		j.stop.limit_ns =
			sequential_limit_ns(p->known.rotating, j.stop.expected_ns);
	r = plan_do_phase(p, "rand4k-qd1", j);
	p->slow =
		p->n_phases && p->phases[0]->result.sequential.verdict == SEQUENTIAL_SLOW;
	return r;
}

/* Begin, a third, two thirds and the end; each at least once, none overlapping. */
static int phase_sequential(struct plan *p)
{
	uint64_t stored = p->target->stored, align = plan_block_of(p, 1024 * KIB);
	int r = 0;

	for (uint64_t i = 0; r == 0 && i < PLACES && !plan_is_over(p); i++) {
		uint64_t from = stored / PLACES * i, end = stored / PLACES * (i + 1);
		struct probe_job j = { .pattern = JOB_SEQUENTIAL,
				       .block_min = plan_block_of(p, 128 * KIB),
				       .block_max = plan_block_of(p, 128 * KIB),
				       .depth = 8,
				       .go_on = !p->known.rotating };
		char name[24];

		/* the last one reaches the end: there a rotating drive is slowest */
		if (i == PLACES - 1)
			from = stored - stored / PLACES / 4;
		from = from / align * align;
		if (i == PLACES - 1)
			end = stored;
		j.start = from;
		j.size = end > from ? end - from : 0;
		j.most_ns = plan_shape_of(p)->seq_ns[p->known.rotating];
		if (j.size < j.block_min)
			break;
		(void)snprintf(name, sizeof(name), "seq128k-%llu",
			       (unsigned long long)i + 1);
		r = plan_do_phase(p, name, j);
	}
	return r;
}

static int phase_depth(struct plan *p)
{
	struct probe_job j = plan_random_job(p, 32);

	j.most_ns = plan_shape_of(p)->depth_ns[p->known.rotating];
	return plan_do_phase(p, "rand4k-qd32", j);
}

static int zones_job(struct plan *p, const char *name, uint32_t bytes, uint32_t reads)
{
	struct probe_job j = plan_random_job(p, 1);

	if (!reads || p->target->stored / PLAN_ZONES < bytes)
		return 0;
	j.pattern = JOB_ZONES;
	j.block_min = j.block_max = plan_block_of(p, bytes);
	j.block_align = plan_block_of(p, 4 * KIB);
	j.zones = PLAN_ZONES;
	j.most_ios = (uint64_t)PLAN_ZONES * reads;
	j.most_ns = plan_shape_of(p)->zones_ns[p->known.rotating];
	return plan_do_phase(p, name, j);
}

/* Whether any zone of the last map stands out. */
static bool stands_out(const struct plan *p)
{
	const struct phase *f = p->phases[p->n_phases - 1];
	double ns[PLAN_ZONES * JOB_ZONE_READS], median[PLAN_ZONES];
	struct zones z;

	for (uint32_t i = 0; i < PLAN_ZONES; i++)
		for (uint32_t k = 0; k < JOB_ZONE_READS; k++)
			ns[i * JOB_ZONE_READS + k] =
				k < f->result.zone_n[i] ? (double)f->result.zone_ns[i][k]
							: 0;
	zones_by_rounds(ns, PLAN_ZONES, JOB_ZONE_READS, median);
	return zones_measure(median, PLAN_ZONES, p->known.rotating, &z) == 0 &&
	       z.n_flagged;
}

/* A map, and once more when a zone stands out in it: chance does not flag the same one twice. */
static int map_zones(struct plan *p, uint32_t bytes, uint32_t reads)
{
	const char *names[2][2] = { { "zones4k", "zones4k-again" },
				    { "zones512k", "zones512k-again" } };
	size_t before = p->n_phases, k = bytes > 4 * KIB;
	int r = zones_job(p, names[k][0], bytes, reads);

	if (r == 0 && p->n_phases > before && !plan_is_over(p) && stands_out(p))
		r = zones_job(p, names[k][1], bytes, reads);
	return r;
}

static int phase_zones(struct plan *p)
{
	bool k = p->known.rotating;
	int r = map_zones(p, 4 * KIB, plan_shape_of(p)->zone_reads[k]);

	if (r == 0)
		r = map_zones(p, 512 * KIB, plan_shape_of(p)->large_reads[k]);
	return r;
}

/* ---- what is open ---- */

/* The link's own counters moved while something was read. */
static bool is_link_open(const struct plan *p)
{
	for (size_t i = 0; i < p->n_phases; i++)
		if (p->phases[i]->errors)
			return true;
	return false;
}

/* Reads are slow, in the first place by milliseconds, and the link is allowed to sleep. */
static bool is_power_open(const struct plan *p)
{
	const char *policy = p->known.power_policy;

	return p->slow && !p->known.rotating && policy &&
	       !str_equal(policy, "max_performance") &&
	       !str_equal(policy, "keep_firmware_settings");
}

/* ---- beginning and end ---- */

static enum plan_refusal refusal_of(const struct plan *p)
{
	const struct plan_known *k = &p->known;

	if (k->asleep || p->preflight.suspended)
		return PLAN_ASLEEP;
	if (k->selftest)
		return PLAN_SELFTEST;
	if (p->preflight.resync)
		return PLAN_RESYNC;
	if (k->has_temperature && k->temperature_limit &&
	    k->temperature > k->temperature_limit)
		return PLAN_HOT;
	return PLAN_ALLOWED;
}

static int preflight(struct plan *p)
{
	int r;

	if (p->progress)
		p->progress(p->context, "watching", 0, 0, 0);
	/* asked not to look: what forbids a probe is looked for all the same */
	r = preflight_look(p->target, &p->arena, p->root ? p->root : "",
			   p->no_preflight ? 0 : WATCH_NS, p->stop, &p->preflight);
	if (p->no_preflight) {
		p->preflight.done = p->preflight.watched = false;
		p->preflight.n_users = 0;
	}
	if (r == 0 && !p->force)
		p->refusal = refusal_of(p);
	p->stopped |= p->stop && *p->stop;
	return r;
}

static int measure(struct plan *p)
{
	/* a slow drive is read no further, unless it is asked for */
	bool go_on;
	int r = phase_random(p);

	go_on = !p->slow || p->deep;
	if (r == 0 && go_on)
		r = phase_sequential(p);
	if (r == 0 && go_on)
		r = phase_depth(p);
	if (r == 0 && go_on)
		r = phase_zones(p);
	if (r == 0 && (p->link || is_link_open(p)))
		r = plan_burst(p);
	if (r == 0 && (p->idle || is_power_open(p)))
		r = plan_idle(p);
	return r;
}

int plan_run(struct plan *p)
{
	uint64_t start = target_now(p->target);
	int r = preflight(p);

	if (r == 0 && p->refusal == PLAN_ALLOWED && !plan_is_over(p))
		r = measure(p);
	p->took_ns = target_now(p->target) - start;
	return r;
}

void plan_done(struct plan *p)
{
	for (size_t i = 0; i < p->n_phases; i++)
		free(p->phases[i]);
	p->n_phases = 0;
	arena_done(&p->arena);
}

const char *plan_refusal_text(enum plan_refusal r)
{
	static const char *const texts[] = {
		[PLAN_ALLOWED] = "",
		[PLAN_ASLEEP] = "the drive sleeps: reading would wake it",
		[PLAN_SELFTEST] = "a self-test runs: reading would slow both",
		[PLAN_RESYNC] =
			"an array is being repaired or checked: reading would slow both",
		[PLAN_HOT] = "the drive is hotter than its maker allows",
	};

	return texts[r];
}

const char *phase_cache_name(enum phase_cache c)
{
	static const char *const names[] = {
		[CACHE_UNKNOWN] = "unknown",
		[CACHE_PASSED] = "passed",
		[CACHE_MIXED] = "mixed",
		[CACHE_ANSWERED] = "answered",
	};

	return names[c];
}
