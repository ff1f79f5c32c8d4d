/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One worker: keeps DEPTH reads outstanding and writes down what became of them. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "probe/lane.h"
#include "stats/quantile-bound.h"

#define FIRST_LOOK 100u /* reads after which a drive's own fast mode is taken */
#define REAP_MAX   64u
#define MS	   UINT64_C(1000000)
/* A look at the bounds of the median costs a pass over the histogram. */
#define LOOK_EVERY 64u
#define RELATED_OF 2048u

struct run {
	struct worker *w;
	const struct probe_job *job;
	struct job_result *r;
	struct lane lane;
	struct places places;
	uint64_t start_ns, last_ns; /* of the first read; of the last that came */
	uint64_t next_tick_ns;
	uint32_t outstanding;
	bool no_more; /* hand over nothing new */
	bool calibrated;
	bool median_decided;
};

/* ---- deciding ---- */

static void feed(struct run *u, const struct job_sample *s)
{
	struct job_result *r = u->r;

	if (u->job->stop.decide)
		(void)sequential_add(&r->sequential, s->latency_ns,
				     s->at_ns + s->latency_ns);
	stalls_add(&r->stalls, s->at_ns, s->latency_ns);
}

/* The job's fast mode: the tenth percentile stands in it even when half of the reads are slow. */
static uint64_t own_limit(const struct run *u)
{
	uint64_t fast = 0;

	if (!histogram_quantile(&u->r->lat, 100000, &fast))
		fast = 0;
	return sequential_limit_ns(false, fast);
}

/* With the first reads a limit is chosen, and they are looked at again. */
static void calibrate(struct run *u)
{
	const struct job_stop *stop = &u->job->stop;
	struct job_result *r = u->r;
	uint64_t median = 0,
		 n = r->lat.n_total < JOB_SAMPLES ? r->lat.n_total : JOB_SAMPLES;

	u->calibrated = true;
	if (!histogram_quantile(&r->lat, 500000, &median))
		return;
	stalls_init(&r->stalls, median);
	if (stop->decide &&
	    sequential_init(&r->sequential, &stop->rule,
			    stop->limit_ns ? stop->limit_ns : own_limit(u)) < 0)
		return;
	for (uint64_t i = 0; i < n; i++)
		feed(u, &r->samples[i]);
}

/* Is the median surely on one side of what is expected? Without an expectation nothing is open. */
static bool is_median_decided(struct run *u)
{
	uint64_t latency[RELATED_OF], median = 0, n = u->r->lat.n_total, k;
	uint64_t expected = u->job->stop.expected_ns;

	if (u->median_decided || !expected || n % LOOK_EVERY ||
	    !histogram_quantile(&u->r->lat, 500000, &median))
		return u->median_decided || !expected;
	k = n < RELATED_OF ? n : RELATED_OF;
	for (uint64_t i = 0; i < k; i++)
		latency[i] = u->r->samples[(n - k + i) % JOB_SAMPLES].latency_ns;
	u->median_decided =
		quantile_judge(&u->r->lat, quantile_related(latency, (size_t)k, median),
			       expected) != QUANTILE_OPEN;
	return u->median_decided;
}

static void decide(struct run *u)
{
	const struct job_stop *stop = &u->job->stop;
	enum sequential_verdict v;

	if (!u->calibrated) {
		if (u->r->lat.n_total >= FIRST_LOOK)
			calibrate(u);
		return;
	}
	if (!stop->decide)
		return;
	v = u->r->sequential.verdict;
	if (v == SEQUENTIAL_SLOW || v == SEQUENTIAL_UNDECIDED ||
	    (v == SEQUENTIAL_OK && is_median_decided(u))) {
		u->no_more = true;
		if (u->r->end == JOB_NOT_RUN)
			u->r->end = JOB_DECIDED;
	}
}

/* ---- what came back ---- */

/* Zeroes or FFh only: a place that was never written, or was trimmed. */
static bool is_blank(const uint8_t *p, uint32_t bytes)
{
	uint64_t first, x;
	uint32_t n = bytes < 4096 ? bytes : 4096;

	if (n < sizeof(first))
		return false;
	memcpy(&first, p, sizeof(first));
	if (first != 0 && first != UINT64_MAX)
		return false;
	for (uint32_t i = sizeof(x); i + sizeof(x) <= n; i += sizeof(x)) {
		memcpy(&x, p + i, sizeof(x));
		if (x != first)
			return false;
	}
	return true;
}

/* While the watcher used the drive, or did at any moment of the read. */
static bool is_marked(const struct run *u, uint64_t from_ns, uint64_t to_ns)
{
	const struct live_shared *s = u->w->shared;
	uint64_t mark_from = atomic_load_explicit(&s->mark_from_ns, memory_order_relaxed);
	uint64_t mark_to = atomic_load_explicit(&s->mark_to_ns, memory_order_relaxed);

	if (!mark_from || to_ns < mark_from)
		return false;
	return mark_to < mark_from || from_ns <= mark_to;
}

static uint64_t slow_limit(const struct run *u)
{
	return u->r->sequential.limit_ns ? u->r->sequential.limit_ns
					 : u->r->stalls.slow.above_ns;
}

static void add_window(struct run *u, uint64_t from_ns, uint64_t to_ns, uint64_t bytes)
{
	uint64_t i = (to_ns - u->start_ns) / JOB_WINDOW_NS, latency = to_ns - from_ns;
	struct job_window *w;

	if (i >= JOB_WINDOWS)
		return;
	w = &u->r->windows[i];
	if (i >= u->r->n_windows)
		u->r->n_windows = (uint32_t)i + 1;
	w->ios++;
	w->bytes += bytes;
	if (is_marked(u, from_ns, to_ns)) {
		w->marked++;
		return;
	}
	if (latency > w->longest_ns)
		w->longest_ns = latency;
	if (u->calibrated && latency > slow_limit(u)) {
		w->slow++;
		w->slow_ns += latency;
	}
}

/* A blank read keeps its place among the rounds, without a latency. */
static void add_zone(struct run *u, const struct lane_slot *s, uint64_t ns, bool blank)
{
	struct job_result *r = u->r;
	uint32_t z = s->zone;

	r->zone_zero[z] = (uint16_t)(r->zone_zero[z] + blank);
	if (r->zone_n[z] < JOB_ZONE_READS)
		r->zone_ns[z][r->zone_n[z]++] = blank		  ? 0
						: ns > UINT32_MAX ? UINT32_MAX
								  : (uint32_t)ns;
}

static void add_good(struct run *u, const struct lane_slot *s, uint64_t now,
		     uint64_t bytes)
{
	struct job_result *r = u->r;
	uint64_t ns = now - s->queued_ns;
	bool blank = !u->job->blank_counts && !u->lane.ops->no_memory &&
		     is_blank(s->memory, (uint32_t)bytes);
	struct job_sample sample = { .at_ns = s->queued_ns - u->start_ns,
				     .latency_ns = ns,
				     .offset = s->offset };

	r->samples[r->lat.n_total % JOB_SAMPLES] = sample;
	histogram_add(&r->lat, ns);
	if (blank)
		histogram_add(&r->zero, ns);
	r->bytes += bytes;
	r->n_short += bytes < s->bytes;
	add_window(u, s->queued_ns, now, bytes);
	if (u->job->pattern == JOB_ZONES)
		add_zone(u, s, ns, blank);
	if (u->calibrated)
		feed(u, &sample);
	decide(u);
}

static bool is_gone(int error)
{
	return error == ENODEV || error == ENXIO || error == ENOMEDIUM ||
	       error == ESHUTDOWN;
}

static void add_bad(struct run *u, const struct lane_slot *s, int error)
{
	struct job_result *r = u->r;

	if (r->n_errors < JOB_ERRORS)
		r->errors[r->n_errors] = (struct job_error){ s->offset, s->bytes, error };
	r->n_errors++;
	if (is_gone(error)) {
		r->end = JOB_GONE;
	} else if (error != EIO && error != EREMOTEIO && error != EBADMSG &&
		   error != ENODATA && error != EILSEQ) {
		r->end = JOB_FAILED;
	} else if (u->job->go_on && r->n_errors < JOB_ERRORS) {
		return;
	} else {
		r->end = JOB_FAILED;
	}
	r->error = error;
	u->no_more = true;
}

static void add_done(struct run *u, const struct lane_done *d, uint64_t now)
{
	struct lane_slot *s = &u->lane.slots[d->slot];

	s->busy = false;
	u->outstanding--;
	u->r->ios++;
	/* the end of a device that shrank under us is an error too */
	if (d->result > 0)
		add_good(u, s, now, (uint64_t)d->result);
	else
		add_bad(u, s, d->result < 0 ? (int)-d->result : ENODATA);
	atomic_store_explicit(&u->w->live->ios, u->r->ios, memory_order_relaxed);
	atomic_store_explicit(&u->w->live->bytes, u->r->bytes, memory_order_relaxed);
	atomic_store_explicit(&u->w->live->moved_ns, u->outstanding ? now : 0,
			      memory_order_relaxed);
}

/* ---- going on ---- */

static void stop_at_limits(struct run *u, uint64_t now)
{
	const struct probe_job *j = u->job;

	if (u->no_more)
		return;
	if (atomic_load_explicit(&u->w->shared->stop, memory_order_relaxed)) {
		u->no_more = true;
		u->r->end = JOB_STOPPED;
	} else if ((j->most_ns && u->start_ns && now > u->start_ns &&
		    now - u->start_ns >= j->most_ns) ||
		   (j->most_ios && u->places.n >= j->most_ios) ||
		   (j->most_bytes && u->places.taken >= j->most_bytes)) {
		u->no_more = true;
		u->r->end = JOB_DONE;
	}
}

static int hand_over(struct run *u, uint32_t slot)
{
	struct lane_slot *s = &u->lane.slots[slot];
	uint64_t now;
	int r;

	if (u->job->gap_ns && u->start_ns)
		u->lane.ops->sleep(&u->lane, u->job->gap_ns);
	if (!places_next(&u->places, &s->offset, &s->bytes)) {
		u->no_more = true;
		u->r->end = JOB_DONE;
		return 0;
	}
	s->zone = u->places.zone;
	now = u->lane.ops->now(&u->lane);
	if (!u->start_ns) {
		u->start_ns = now;
		u->r->first_ns = now;
	}
	s->queued_ns = now;
	s->busy = true;
	if (!u->outstanding++)
		atomic_store_explicit(&u->w->live->moved_ns, now, memory_order_relaxed);
	r = u->lane.ops->queue(&u->lane, slot);
	if (r < 0) {
		s->busy = false;
		u->outstanding--;
	}
	return r;
}

/* Returns 0, or -errno that ends the job. */
static int fill(struct run *u, uint64_t now)
{
	stop_at_limits(u, now);
	for (uint32_t i = 0; i < u->job->depth && !u->no_more; i++) {
		int r;

		if (u->lane.slots[i].busy)
			continue;
		r = hand_over(u, i);
		if (r < 0)
			return r;
		if (u->job->most_ios || u->job->most_bytes)
			stop_at_limits(u, now);
	}
	return 0;
}

/* In virtual time nobody else can look at the clock. */
static void tick(struct run *u, uint64_t now)
{
	struct worker *w = u->w;

	if (!w->tick || now - w->shared->start_ns < u->next_tick_ns)
		return;
	u->next_tick_ns += w->tick_ns;
	if (w->tick(w->context, now - w->shared->start_ns, u->r->ios, u->r->bytes))
		atomic_store(&w->shared->stop, 1);
}

static int loop(struct run *u)
{
	struct lane_done done[REAP_MAX];
	uint64_t now = u->lane.ops->now(&u->lane);
	int r = 0;

	if (u->job->delay_ns)
		u->lane.ops->sleep(&u->lane, u->job->delay_ns);
	while (r >= 0) {
		r = fill(u, now);
		if (r < 0 || !u->outstanding)
			break;
		r = u->lane.ops->reap(&u->lane, done, REAP_MAX);
		if (r == -EINTR)
			r = 0;
		now = u->lane.ops->now(&u->lane);
		if (r > 0)
			u->last_ns = now;
		for (int i = 0; i < r; i++)
			add_done(u, &done[i], now);
		tick(u, now);
	}
	return r < 0 ? r : 0;
}

static const struct lane_ops *choose(const struct probe_job *j)
{
	static const struct lane_ops *const by_name[] = {
		[JOB_ENGINE_SYNC] = &lane_sync,
		[JOB_ENGINE_URING] = &lane_uring,
		[JOB_ENGINE_THREADS] = &lane_threads,
	};

	if (j->target->ops)
		return j->target->ops;
	if (j->engine == JOB_ENGINE_SYNC && j->depth == 1)
		return &lane_sync;
	if (j->engine != JOB_ENGINE_AUTO && j->engine < array_size(by_name) &&
	    by_name[j->engine] != &lane_sync)
		return by_name[j->engine];
	return j->depth == 1 ? &lane_sync : &lane_uring;
}

/* 0, with memory for all slots. */
static int make_slots(struct lane *l)
{
	const struct probe_job *j = l->job;
	size_t page = 4096,
	       bytes = j->block_max > j->block_min ? j->block_max : j->block_min;

	if (l->ops->no_memory)
		return 0;
	l->slot_bytes = (bytes + page - 1) / page * page;
	l->memory = mmap(NULL, l->slot_bytes * j->depth, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (l->memory == MAP_FAILED) {
		l->memory = NULL;
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < j->depth; i++)
		l->slots[i].memory = l->memory + l->slot_bytes * i;
	return 0;
}

static void free_slots(struct lane *l)
{
	if (l->memory)
		(void)munmap(l->memory, l->slot_bytes * l->job->depth);
}

/* A container that forbids io_uring says so when it is set up: then threads do it. */
static int open_lane(struct lane *l)
{
	int r = l->ops->open(l);

	if (r < 0 && l->ops == &lane_uring && l->job->engine == JOB_ENGINE_AUTO) {
		l->ops = &lane_threads;
		r = l->ops->open(l);
	}
	return r;
}

static void add_usage(struct job_result *r)
{
	struct rusage u;

	if (getrusage(RUSAGE_THREAD, &u) < 0)
		return;
	r->user_us =
		(uint64_t)u.ru_utime.tv_sec * 1000000u + (uint64_t)u.ru_utime.tv_usec;
	r->system_us =
		(uint64_t)u.ru_stime.tv_sec * 1000000u + (uint64_t)u.ru_stime.tv_usec;
	r->switches = (uint64_t)u.ru_nvcsw + (uint64_t)u.ru_nivcsw;
	r->major_faults = (uint64_t)u.ru_majflt;
	r->minor_faults = (uint64_t)u.ru_minflt;
}

static int run(struct run *u)
{
	int r = places_init(&u->places, u->job);

	if (r == 0)
		r = make_slots(&u->lane);
	if (r == 0)
		r = open_lane(&u->lane);
	if (r < 0)
		return r;
	u->r->engine = u->lane.ops->engine;
	r = loop(u);
	u->lane.ops->close(&u->lane);
	return r;
}

void worker_run(struct worker *w)
{
	struct run u = {
		.w = w,
		.job = w->job,
		.r = w->result,
		.lane = { .job = w->job, .ops = choose(w->job), .slots = w->slots },
		.next_tick_ns = w->tick_ns
	};
	int r = run(&u);

	free_slots(&u.lane);
	if (r < 0) {
		u.r->end = JOB_FAILED;
		u.r->error = -r;
	} else if (u.r->end == JOB_NOT_RUN) {
		u.r->end = JOB_DONE;
	}
	/* too few reads for the first look: it is taken now */
	if (!u.calibrated)
		calibrate(&u);
	if (u.start_ns && u.last_ns > u.start_ns)
		u.r->runtime_ns = u.last_ns - u.start_ns;
	if (!w->in_process)
		add_usage(u.r);
}
