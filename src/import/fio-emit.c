/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From what was found to facts: one subject for each drive. */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/fio.h"

void fio_put(struct emission *em, enum fact_id id, uint64_t v, size_t line)
{
	emit_u64(em->e, id, em->run->number, 0, v, line);
}

void fio_put_text(struct emission *em, enum fact_id id, const char *v, size_t line)
{
	if (v && *v)
		emit_text(em->e, id, em->run->number, 0, v, line);
}

void fio_put_count(struct emission *em, enum fact_id id, const struct fio_count *c)
{
	if (c->set)
		fio_put(em, id, c->value, c->line);
}

/* ---- all of a run -------------------------------------------------------------------------------------- */

static void put_values(struct emission *em, const struct fio_values *v)
{
	for (size_t i = 0; i < v->n; i++) {
		const struct fio_value *x = &v->items[i];

		if (x->id == FACT_COUNT)
			continue;
		if (x->text)
			emit_text(em->e, x->id, em->run->number, x->j, x->text, x->line);
		else
			emit_u64(em->e, x->id, em->run->number, x->j, x->u, x->line);
	}
}

static void put_run(struct emission *em)
{
	const struct fio_job *j = em->job;

	fio_put_text(em, FACT_READ_SOURCE, em->batch->source ? em->batch->source : "fio",
		     em->batch->source ? em->batch->source_line : em->line);
	fio_put_text(em, FACT_READ_TITLE, j->title, j->line);
	fio_put(em, FACT_READ_BATCH, em->batch->number, em->line);
	fio_put_count(em, FACT_READ_GROUP, &j->group);
	fio_put_count(em, FACT_READ_JOBS, &j->jobs);
	fio_put_text(em, FACT_READ_DIRECTION, fio_direction_names[em->run->direction],
		     em->line);
	fio_put_request(em);
	fio_put_figures(em);
	put_values(em, &em->run->values);
	put_values(em, &j->values);
	fio_put_buckets(em);
}

static void start_run(struct emission *em, const struct fio_run *r)
{
	em->run = r;
	em->line = r->line;
	em->job = &em->f->jobs[r->job];
	em->batch = &em->f->batches[em->job->batch];
	em->head = (struct fio_head){ 0 };
	em->has_head = em->many = false;
	em->jobfile = NULL;
	fio_find_head(em);
	if (!em->many)
		em->jobfile = fio_jobfile_of(em->f, em->job, &em->head);
}

static void put_disk(struct emit *e, const struct fio_batch *b, const struct fio_disk *d)
{
	emit_text(e, FACT_DISK_NAME, d->number, 0, d->name, d->line);
	emit_u64(e, FACT_DISK_BATCH, d->number, 0, b->number, d->line);
	if (d->aggregate)
		emit_flag(e, FACT_DISK_AGGREGATE, d->number, true, d->line);
	for (size_t i = 0; i < d->values.n; i++)
		emit_u64(e, d->values.items[i].id, d->number, 0, d->values.items[i].u,
			 d->values.items[i].line);
}

/* ---- which drive ------------------------------------------------------------------------------------------ */

/* "sda", "vdb", "nvme0n1": a whole disk by its kernel name */
static bool is_whole_disk(const char *name)
{
	static const char *const lettered[] = { "sd", "hd", "vd", "xvd" };
	struct scan sc = { name };
	uint64_t n;

	for (size_t i = 0; i < array_size(lettered); i++) {
		const char *p = str_after(name, lettered[i]);
		size_t len = p ? strspn(p, "abcdefghijklmnopqrstuvwxyz") : 0;

		if (len && !p[len])
			return true;
	}
	if (scan_text(&sc, "nvme"))
		return scan_u64(&sc, &n) && *sc.p++ == 'n' && scan_u64(&sc, &n) && !*sc.p;
	return scan_text(&sc, "mmcblk") && scan_u64(&sc, &n) && !*sc.p;
}

/* The one disk that all jobs of a batch name as their file, NULL when there is none. */
static const char *target_disk(struct fio *f, const struct fio_batch *b)
{
	const char *disk = NULL;

	for (size_t i = 0; i < b->n_runs; i++) {
		struct emission em = { .f = f };
		const char *name;
		size_t line;

		if (f->runs[b->first_run + i].is_again)
			continue;
		start_run(&em, &f->runs[b->first_run + i]);
		name = fio_device_name(fio_asked(&em, FIO_OPT_FILENAME, &line));
		if (!name || !is_whole_disk(name) || (disk && !str_equal(disk, name)))
			return NULL;
		disk = name;
	}
	return disk;
}

static void decide_device(struct fio *f, struct fio_batch *b)
{
	const char *disk = NULL, *target = target_disk(f, b);

	if (b->disk_doubt)
		return;
	for (size_t i = 0; i < b->n_disks; i++) {
		if (b->disks[i].aggregate)
			continue;
		if (disk)
			return; /* several: it cannot be told which one was slow */
		disk = b->disks[i].name;
	}
	if (!disk)
		disk = b->n_disks ? NULL : target;
	else if (target && !str_equal(disk, target))
		disk = NULL;
	if (disk && is_whole_disk(disk))
		b->device = disk;
}

/* Whether one more run fits into the item; reported once. */
static bool has_room(struct emission *em)
{
	if (em->e->body.len < FIO_MAX_FACTS)
		return true;
	if (!em->full)
		fio_note(em->f, em->line,
			 "more than one report can hold: what follows is left out");
	em->full = true;
	return false;
}

static void put_batch(struct emission *em, const struct fio_batch *b)
{
	struct fio *f = em->f;

	for (size_t i = 0; i < b->n_runs && has_room(em); i++) {
		if (f->runs[b->first_run + i].is_again)
			continue;
		start_run(em, &f->runs[b->first_run + i]);
		put_run(em);
	}
	for (size_t i = 0; i < b->n_disks && has_room(em); i++)
		put_disk(em->e, b, &b->disks[i]);
}

static bool has_results(const struct fio_batch *b)
{
	return b->n_runs || b->n_disks;
}

/* One subject: all batches on DEVICE (NULL: on none that is known). */
static int put_subject(struct fio *f, size_t first)
{
	const char *device = f->batches[first].device;
	struct emit e = { .im = f->im };
	struct emission em = { .f = f, .e = &e };

	if (device)
		emit_text(&e, FACT_DEVICE, 0, 0, device, f->batches[first].line);
	for (size_t i = first; i < f->n_batches; i++) {
		if (has_results(&f->batches[i]) &&
		    str_equal(f->batches[i].device, device))
			put_batch(&em, &f->batches[i]);
	}
	return emit_done(&e, CAP_DRIVE, "facts/fio");
}

/* --output-format=terse,json and --append-terse tell a run twice: the line of fields has less of it. */
static bool is_same(const struct fio *f, const struct fio_run *terse,
		    const struct fio_run *r)
{
	uint64_t rate = r->iops_milli.unit ? r->iops_milli.value / 1000 : r->iops.value;

	return !f->jobs[r->job].terse && r->direction == terse->direction &&
	       str_equal(f->jobs[r->job].title, f->jobs[terse->job].title) &&
	       r->runtime.set && r->runtime.value == terse->runtime.value &&
	       rate >= terse->iops.value && rate - terse->iops.value <= r->iops.slack;
}

static void drop_repeats(struct fio *f)
{
	uint32_t number = 0;

	for (size_t i = 0; i < f->n_runs; i++) {
		struct fio_run *r = &f->runs[i];

		for (size_t k = 0; k < f->n_runs && f->jobs[r->job].terse; k++)
			r->is_again |= is_same(f, r, &f->runs[k]);
		r->number = number;
		number += !r->is_again;
	}
	for (size_t i = 0; i < f->n_batches; i++) {
		struct fio_batch *b = &f->batches[i];
		size_t again = 0;

		for (size_t k = 0; k < b->n_runs; k++)
			again += f->runs[b->first_run + k].is_again;
		if (b->n_runs && again == b->n_runs)
			b->n_runs = b->n_disks = 0;
	}
}

int fio_emit(struct fio *f)
{
	drop_repeats(f);
	for (size_t i = 0; i < f->n_runs; i++)
		fio_check_values(f, &f->runs[i]);
	for (size_t i = 0; i < f->n_batches; i++)
		decide_device(f, &f->batches[i]);
	for (size_t i = 0; i < f->n_batches && !f->error; i++) {
		bool done = !has_results(&f->batches[i]);
		int r;

		for (size_t k = 0; k < i && !done; k++)
			done = has_results(&f->batches[k]) &&
			       str_equal(f->batches[k].device, f->batches[i].device);
		if (done)
			continue;
		r = put_subject(f, i);
		if (r)
			return r;
	}
	return f->error ? f->error : (int)f->n_runs;
}
