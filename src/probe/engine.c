/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/engine.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/lane.h"

#define MS	 UINT64_C(1000000)
#define TICK_NS	 (250 * MS)
#define HANG_NS	 (40000 * MS) /* the kernel's own limit is 30 s and a reset */
#define SLICE_MS 50
/* After Ctrl-C reads that are under way get this long. */
#define GRACE_NS (1000 * MS)

struct engine {
	struct live_shared *shared; /* one mapping: this, the workers, the results */
	struct live_worker *live;
	struct lane_slot *slots; /* of all jobs, one after the other */
	struct job_result *results;
	size_t n, bytes;
	const struct probe_job *jobs;
	struct engine_watch *watch;
	pid_t child;
	int end_fd; /* closed by the child's end */
};

static uint64_t now_ns(void)
{
	return lane_clock(NULL);
}

/* ---- the child ---- */

static void *worker_main(void *argument)
{
	worker_run(argument);
	return NULL;
}

static void run_workers(struct engine *e, struct worker *workers)
{
	pthread_t *threads = calloc(e->n, sizeof(*threads));
	bool *started = calloc(e->n, sizeof(*started));

	for (size_t i = 1; threads && started && i < e->n; i++)
		started[i] = !pthread_create(&threads[i], NULL, worker_main, &workers[i]);
	worker_run(&workers[0]);
	for (size_t i = 1; i < e->n; i++) {
		if (started && started[i]) {
			(void)pthread_join(threads[i], NULL);
		} else {
			e->results[i].end = JOB_FAILED;
			e->results[i].error = EAGAIN;
		}
	}
	free(threads);
	free(started);
}

static struct worker *make_workers(struct engine *e)
{
	struct worker *w = calloc(e->n, sizeof(*w));
	struct lane_slot *slots = e->slots;

	for (size_t i = 0; w && i < e->n; i++) {
		w[i] = (struct worker){ .job = &e->jobs[i],
					.result = &e->results[i],
					.live = &e->live[i],
					.slots = slots,
					.shared = e->shared };
		slots += e->jobs[i].depth;
	}
	return w;
}

/*
 * Ctrl-C reaches the whole group: the watcher decides what it means. And when the watcher dies,
 * nobody wants the reads any more.
 */
static void child_main(struct engine *e, pid_t parent)
{
	struct worker *w;

	(void)signal(SIGINT, SIG_IGN);
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	w = make_workers(e);
	if (!w)
		_exit(1);
	run_workers(e, w);
	_exit(0);
}

static int start_child(struct engine *e)
{
	pid_t parent = getpid();
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	e->child = fork();
	if (e->child == 0) {
		(void)close(ends[0]);
		child_main(e, parent);
	}
	(void)close(ends[1]);
	e->end_fd = ends[0];
	if (e->child < 0) {
		(void)close(ends[0]);
		return -EAGAIN;
	}
	return 0;
}

/* ---- the watcher ---- */

static void sum_live(const struct engine *e, uint64_t *ret_ios, uint64_t *ret_bytes)
{
	*ret_ios = *ret_bytes = 0;
	for (size_t i = 0; i < e->n; i++) {
		*ret_ios += atomic_load(&e->live[i].ios);
		*ret_bytes += atomic_load(&e->live[i].bytes);
	}
}

/* The worker that has been waiting for longest, and how long; 0 when none waits. */
static uint64_t longest_wait(const struct engine *e, uint64_t now, size_t *ret)
{
	uint64_t most = 0;

	for (size_t i = 0; i < e->n; i++) {
		uint64_t moved = atomic_load(&e->live[i].moved_ns);

		if (moved && now > moved && now - moved > most) {
			most = now - moved;
			*ret = i;
		}
	}
	return most;
}

/* The oldest read of a job that is still out. */
static const struct lane_slot *oldest_slot(const struct lane_slot *s, uint32_t n)
{
	const struct lane_slot *oldest = NULL;

	for (uint32_t i = 0; i < n; i++)
		if (s[i].busy && (!oldest || s[i].queued_ns < oldest->queued_ns))
			oldest = &s[i];
	return oldest;
}

/* What stands in the shared memory is all there will be. */
static void give_up(struct engine *e, uint64_t now)
{
	const struct lane_slot *slots = e->slots, *oldest;

	(void)kill(e->child, SIGKILL);
	for (size_t i = 0; i < e->n; slots += e->jobs[i++].depth) {
		struct job_result *r = &e->results[i];
		uint64_t moved = atomic_load(&e->live[i].moved_ns);

		if (r->end != JOB_NOT_RUN && !moved)
			continue;
		r->end = JOB_HANGS;
		oldest = oldest_slot(slots, e->jobs[i].depth);
		if (oldest) {
			r->hang_offset = oldest->offset;
			r->hang_ns = now - oldest->queued_ns;
		}
		if (r->first_ns && moved > r->first_ns)
			r->runtime_ns = moved - r->first_ns;
	}
}

/* True when the child has ended. */
static bool wait_slice(const struct engine *e)
{
	struct pollfd p = { .fd = e->end_fd, .events = POLLIN };

	return poll(&p, 1, SLICE_MS) > 0;
}

static void watch_child(struct engine *e)
{
	struct engine_watch *w = e->watch;
	uint64_t hang = w->hang_ns ? w->hang_ns : HANG_NS, stopped_at = 0;
	uint64_t tick = w->tick_ns ? w->tick_ns : TICK_NS, next = tick, ios, bytes;
	size_t which = 0;

	while (!wait_slice(e)) {
		uint64_t now = now_ns(), elapsed = now - e->shared->start_ns;

		if (longest_wait(e, now, &which) > hang ||
		    (stopped_at && now - stopped_at > GRACE_NS)) {
			give_up(e, now);
			return;
		}
		if (!stopped_at && w->tick && elapsed >= next) {
			next = elapsed / tick * tick + tick;
			sum_live(e, &ios, &bytes);
			if (w->tick(w, elapsed, ios, bytes))
				atomic_store(&e->shared->stop, 1);
		}
		if (w->stop && *w->stop)
			atomic_store(&e->shared->stop, 1);
		if (atomic_load(&e->shared->stop) && !stopped_at)
			stopped_at = now;
	}
}

/* A process in a read that never ends cannot be waited for: it is left to init. */
static void reap_child(const struct engine *e)
{
	int status, options = 0;

	for (size_t i = 0; i < e->n; i++)
		if (e->results[i].end == JOB_HANGS)
			options = WNOHANG;
	while (waitpid(e->child, &status, options) < 0 && errno == EINTR)
		;
}

static int run_real(struct engine *e)
{
	int r;

	e->shared->start_ns = now_ns();
	r = start_child(e);
	if (r < 0)
		return r;
	watch_child(e);
	(void)close(e->end_fd);
	reap_child(e);
	/* killed, by whom ever: not a word from it */
	for (size_t i = 0; i < e->n; i++) {
		if (e->results[i].end == JOB_NOT_RUN) {
			e->results[i].end = JOB_FAILED;
			e->results[i].error = ECHILD;
		}
	}
	return 0;
}

static int virtual_tick(void *context, uint64_t elapsed_ns, uint64_t ios, uint64_t bytes)
{
	struct engine *e = context;
	struct engine_watch *w = e->watch;

	if (w->stop && *w->stop)
		return 1;
	return w->tick ? w->tick(w, elapsed_ns, ios, bytes) : 0;
}

/* A simulated target has a clock of its own: one job after the other, here. */
static int run_virtual(struct engine *e)
{
	struct worker *w = make_workers(e);

	if (!w)
		return -ENOMEM;
	for (size_t i = 0; i < e->n; i++) {
		e->shared->start_ns = target_now(e->jobs[i].target);
		w[i].tick = virtual_tick;
		w[i].context = e;
		w[i].tick_ns = e->watch->tick_ns ? e->watch->tick_ns : TICK_NS;
		w[i].in_process = true;
		worker_run(&w[i]);
	}
	free(w);
	return 0;
}

static bool is_possible(const struct probe_job *j)
{
	const struct target *t = j->target;
	uint32_t most = j->block_max > j->block_min ? j->block_max : j->block_min;

	return j->depth && j->depth <= JOB_MAX_DEPTH && j->block_min &&
	       most <= JOB_MAX_BLOCK &&
	       (j->pattern != JOB_ZONES || (j->zones && j->zones <= JOB_MAX_ZONES)) &&
	       (!j->gap_ns || j->depth == 1) &&
	       (!t->direct ||
		(j->block_min % t->align == 0 && most % t->align == 0 &&
		 j->block_align % t->align == 0 && j->start % t->align == 0));
}

static int map_shared(struct engine *e)
{
	size_t live = sizeof(struct live_shared) + sizeof(struct live_worker) * e->n;
	size_t head = live, depths = 0;
	void *p;

	for (size_t i = 0; i < e->n; i++)
		depths += e->jobs[i].depth;
	head = (live + sizeof(struct lane_slot) * depths + 4095) / 4096 * 4096;
	e->bytes = head + sizeof(struct job_result) * e->n;
	p = mmap(NULL, e->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		 0);
	if (p == MAP_FAILED)
		return -ENOMEM;
	e->shared = p;
	e->live = (struct live_worker *)(e->shared + 1);
	e->slots = (struct lane_slot *)(void *)((uint8_t *)p + live);
	e->results = (struct job_result *)(void *)((uint8_t *)p + head);
	return 0;
}

int engine_run(const struct probe_job *jobs, size_t n, struct engine_watch *watch,
	       struct job_result *ret)
{
	struct engine_watch none = { 0 };
	struct engine e = { .n = n, .jobs = jobs, .watch = watch ? watch : &none };
	int r;

	if (!n || n > ENGINE_MAX_JOBS)
		return -E2BIG;
	for (size_t i = 0; i < n; i++)
		if (!is_possible(&jobs[i]))
			return -EINVAL;
	r = map_shared(&e);
	if (r < 0)
		return r;
	e.watch->engine = &e;
	r = jobs[0].target->ops ? run_virtual(&e) : run_real(&e);
	e.watch->engine = NULL;
	memcpy(ret, e.results, sizeof(*ret) * n);
	(void)munmap(e.shared, e.bytes);
	return r;
}

void engine_mark(struct engine_watch *w, bool on)
{
	struct engine *e = w->engine;

	if (e)
		atomic_store(on ? &e->shared->mark_from_ns : &e->shared->mark_to_ns,
			     target_now(e->jobs[0].target));
}
