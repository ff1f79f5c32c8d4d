/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/fio-run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/str.h"

/* One process of fio's. */
struct member {
	const struct fio_spec *spec;
	struct target *target;
	struct probe_job job;
	struct job_result *result;
	uint32_t group;
};

struct run {
	const struct fio_specs *specs;
	struct fio_runs *out;
	struct engine_watch *watch;
	struct diag *d;
	struct member *members;
	size_t n, cap;
};

static int refuse(struct run *r, const struct fio_spec *s, const char *why)
{
	struct buf name cleanup_buf = { 0 };

	str_add_escaped(&name, s->name, 100);
	if (buf_error(&name) < 0)
		return -ENOMEM;
	diag_add(r->d, DIAG_ERROR, NULL, 0, "job %s: %s", buf_text(&name), why);
	return -EINVAL;
}

static int open_target(struct run *r, const struct fio_spec *s, struct target **ret)
{
	struct fio_runs *out = r->out;
	struct target **slot, *t;
	int e;

	if (!s->filename)
		return refuse(r, s, "no filename=, and files are not laid out here");
	for (size_t i = 0; i < out->n_targets; i++)
		if (str_equal(out->targets[i]->name, s->filename) &&
		    (!s->direct || out->targets[i]->direct)) {
			*ret = out->targets[i];
			return 0;
		}
	t = arena_alloc(&out->arena, sizeof(*t));
	slot = t ? arena_push(&out->arena, &out->targets, &out->n_targets,
			      &out->cap_targets, sizeof(*slot))
		 : NULL;
	if (!slot)
		return -ENOMEM;
	e = target_open(s->filename, !s->direct, t);
	if (e < 0) {
		out->n_targets--;
		return e == -ENOMEM ? e : refuse(r, s, strerror(-e));
	}
	*slot = *ret = t;
	return 0;
}

/* Bytes that a size stands for; a share is one of WHOLE. */
static uint64_t bytes_of(const struct fio_size *s, uint64_t whole)
{
	return !s->set	    ? 0
	       : s->percent ? whole / 100 * s->value + whole % 100 * s->value / 100
			    : s->value;
}

static uint64_t limit(uint64_t value, uint64_t most)
{
	return value < most ? value : most;
}

/* What is read, and what ends it. */
static int set_extent(struct run *r, const struct fio_spec *s, struct member *m)
{
	struct probe_job *j = &m->job;
	uint64_t stored = m->target->stored, size = bytes_of(&s->size, stored);

	j->start = bytes_of(&s->offset, stored);
	if (j->start >= stored)
		return refuse(r, s, "its offset is behind the end of the target");
	j->size = size ? limit(size, stored - j->start) : stored - j->start;
	j->most_bytes = bytes_of(&s->io_size, j->size);
	if (!j->most_bytes && s->loops > 1)
		j->most_bytes = j->size * limit(s->loops, UINT64_MAX / j->size);
	j->repeat = s->time_based || j->most_bytes > j->size;
	j->most_ns = s->runtime_us * 1000;
	j->most_ios = s->most_ios;
	j->delay_ns = s->delay_us * 1000;
	if (s->time_based && !s->runtime_us)
		return refuse(r, s, "time_based without runtime=");
	return 0;
}

static int set_blocks(struct run *r, const struct fio_spec *s, struct member *m)
{
	struct probe_job *j = &m->job;

	if (s->block_max > JOB_MAX_BLOCK || s->block_align > JOB_MAX_BLOCK)
		return refuse(r, s, "a block size above 64 MiB");
	if (s->depth < 1 || s->depth > JOB_MAX_DEPTH)
		return refuse(r, s, "iodepth= is not 1 to 1024");
	if (m->target->direct && s->block_min % m->target->align)
		return refuse(
			r, s,
			"a block size that direct reads of this target do not take");
	j->block_min = (uint32_t)s->block_min;
	j->block_max = (uint32_t)s->block_max;
	j->block_align = (uint32_t)s->block_align;
	j->depth = s->engine_class == FIO_SIMPLE ? 1 : (uint32_t)s->depth;
	j->engine = s->engine_class == FIO_SIMPLE ? JOB_ENGINE_SYNC : JOB_ENGINE_AUTO;
	return 0;
}

/* fio's randrepeat: each run of a job file reads the same places. */
static uint64_t seed_of(const struct fio_spec *s, size_t number)
{
	struct timespec now = { 0 };
	uint64_t seed = s->seed ? s->seed : 1;

	if (!s->repeatable) {
		(void)clock_gettime(CLOCK_REALTIME, &now);
		seed = (uint64_t)now.tv_sec * 1000000007 + (uint64_t)now.tv_nsec;
	}
	return seed + number * 0x9e3779b97f4a7c15;
}

static int add_member(struct run *r, const struct fio_spec *s, uint32_t group)
{
	struct member *m =
		arena_push(&r->out->arena, &r->members, &r->n, &r->cap, sizeof(*m));
	int e;

	if (!m)
		return -ENOMEM;
	*m = (struct member){ .spec = s, .group = group };
	e = open_target(r, s, &m->target);
	if (e < 0)
		return e;
	m->job = (struct probe_job){
		.name = s->name,
		.target = m->target,
		.pattern = s->sequential ? JOB_SEQUENTIAL : JOB_RANDOM,
		.seed = seed_of(s, r->n),
		.go_on = s->go_on,
	};
	m->result = arena_alloc(&r->out->arena, sizeof(*m->result));
	e = m->result ? set_extent(r, s, m) : -ENOMEM;
	return e < 0 ? e : set_blocks(r, s, m);
}

/* A new group begins at stonewall and at new_group, but for the first job. */
static int add_members(struct run *r)
{
	uint32_t group = 0;

	for (size_t i = 0; i < r->specs->n; i++) {
		const struct fio_spec *s = &r->specs->items[i];

		group += i && (s->alone || s->new_group);
		if (!s->jobs || s->jobs > ENGINE_MAX_JOBS)
			return refuse(r, s, "numjobs= is not 1 to 256");
		for (uint64_t k = 0; k < s->jobs; k++) {
			int e = add_member(r, s, group);

			if (e < 0)
				return e;
		}
	}
	return 0;
}

/* FIRST..LAST - 1 at once. */
static int run_wave(struct run *r, size_t first, size_t last)
{
	struct probe_job *jobs = calloc(last - first, sizeof(*jobs));
	struct job_result *results = calloc(last - first, sizeof(*results));
	int e = jobs && results ? 0 : -ENOMEM;

	for (size_t i = first; i < last && e == 0; i++)
		jobs[i - first] = r->members[i].job;
	if (e == 0)
		e = engine_run(jobs, last - first, r->watch, results);
	for (size_t i = first; i < last && e == 0; i++)
		*r->members[i].result = results[i - first];
	free(jobs);
	free(results);
	return e;
}

static bool stop_asked(const struct run *r)
{
	return r->watch && r->watch->stop && *r->watch->stop;
}

static int run_waves(struct run *r)
{
	int e = 0;

	for (size_t i = 0, next; i < r->n && e == 0; i = next) {
		for (next = i + 1; next < r->n; next++)
			if (r->members[next].spec != r->members[next - 1].spec &&
			    r->members[next].spec->alone)
				break;
		if (next - i > ENGINE_MAX_JOBS)
			return refuse(r, r->members[i].spec,
				      "more than 256 jobs side by side");
		r->out->stopped = stop_asked(r);
		if (!r->out->stopped)
			e = run_wave(r, i, next);
	}
	r->out->stopped |= stop_asked(r);
	return e;
}

/* The result that this one is counted in, or NULL. */
static struct fio_result *find_group(struct fio_runs *out, const struct member *m)
{
	for (size_t i = 0; m->spec->grouped && i < out->n; i++)
		if (out->items[i].group == m->group && out->items[i].spec->grouped)
			return &out->items[i];
	return NULL;
}

static int sum_up(struct run *r)
{
	struct fio_runs *out = r->out;

	for (size_t i = 0; i < r->n; i++) {
		const struct member *m = &r->members[i];
		struct fio_result *to;

		if (m->result->end == JOB_NOT_RUN)
			continue;
		to = find_group(out, m);
		if (to) {
			job_result_merge(to->result, m->result);
			to->jobs++;
			continue;
		}
		to = arena_push(&out->arena, &out->items, &out->n, &out->cap,
				sizeof(*to));
		if (!to)
			return -ENOMEM;
		*to = (struct fio_result){ .spec = m->spec,
					   .target = m->target,
					   .group = m->group,
					   .jobs = 1,
					   .job = m->job,
					   .result = m->result };
	}
	return 0;
}

/* Disks below the targets, each once. */
static int begin_disks(struct fio_runs *out)
{
	for (size_t i = 0; i < out->n_targets; i++) {
		struct target *t = out->targets[i];
		struct disk_counts now;
		struct fio_disk_use *use;
		bool known = false;

		for (size_t k = 0; k < out->n_disks; k++)
			known |= str_equal(out->disks[k].name, t->disk);
		if (!t->disk || known || disk_counts_read(t, &now) < 0)
			continue;
		use = arena_push(&out->arena, &out->disks, &out->n_disks, &out->cap_disks,
				 sizeof(*use));
		if (!use)
			return -ENOMEM;
		*use = (struct fio_disk_use){ t->disk, now };
	}
	return 0;
}

static void end_disks(struct fio_runs *out)
{
	for (size_t k = 0; k < out->n_disks; k++)
		for (size_t i = 0; i < out->n_targets; i++) {
			struct disk_counts now;

			if (!str_equal(out->targets[i]->disk, out->disks[k].name) ||
			    disk_counts_read(out->targets[i], &now) < 0)
				continue;
			out->disks[k].counts =
				disk_counts_since(&out->disks[k].counts, &now);
			break;
		}
}

int fio_run(const struct fio_specs *s, struct engine_watch *watch, struct diag *d,
	    struct fio_runs *ret)
{
	struct fio_runs out = { 0 };
	struct run r = { .specs = s, .out = &out, .watch = watch, .d = d };
	int e = add_members(&r);

	if (e == 0)
		e = begin_disks(&out);
	if (e == 0)
		e = run_waves(&r);
	if (e == 0) {
		end_disks(&out);
		e = sum_up(&r);
	}
	if (e < 0)
		fio_runs_done(&out);
	else
		*ret = out;
	return e;
}

void fio_runs_done(struct fio_runs *r)
{
	for (size_t i = 0; i < r->n_targets; i++)
		target_close(r->targets[i]);
	arena_done(&r->arena);
	*r = (struct fio_runs){ 0 };
}
