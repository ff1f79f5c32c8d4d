/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "base/str.h"
#include "import/fio.h"
#include "import/importers.h"

const char *const fio_direction_names[FIO_DIRECTIONS] = { "read", "write", "trim",
							  "mixed" };

/* ---- what all parts use ------------------------------------------------------------------ */

void *fio_push(struct fio *f, void *items, size_t *n, size_t *cap, size_t size,
	       size_t max)
{
	void *slot = NULL;

	if (*n >= max)
		f->full = true;
	else if (!(slot = arena_push(f->arena, items, n, cap, size)))
		f->error = -ENOMEM;
	return slot;
}

void fio_note(struct fio *f, size_t line, const char *format, ...)
{
	const struct text *t = f->text;
	char text[512];
	va_list ap;

	va_start(ap, format);
	(void)vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	diag_add(f->im->diag, DIAG_NOTE, t->file, t->lines[line].number, "fio: %s", text);
}

void fio_claim(struct fio *f, const struct fio_line *l, enum line_state state)
{
	for (size_t i = l->first; i < l->end; i++) {
		if (f->text->lines[i].len && f->text->lines[i].state == LINE_OPEN)
			text_claim(f->text, i, state, FIO_SECTION);
	}
}

const struct fio_value *fio_get(const struct fio_values *v, enum fact_id id, uint32_t j)
{
	for (size_t i = 0; i < v->n; i++) {
		if (v->items[i].id == id && v->items[i].j == j)
			return &v->items[i];
	}
	return NULL;
}

static bool is_same(const struct fio_value *a, const struct fio_value *b)
{
	return a->u == b->u && str_equal(a->text, b->text);
}

void fio_set(struct fio *f, struct fio_values *v, struct fio_value value)
{
	struct fio_value *to = NULL;

	for (size_t i = 0; i < v->n && !to; i++) {
		if (v->items[i].id == value.id && v->items[i].j == value.j)
			to = &v->items[i];
	}
	if (to && to->exact == value.exact) {
		if (!is_same(to, &value))
			fio_note(f, value.line,
				 "this was told before with another value: the first "
				 "is kept");
		return;
	}
	if (to && to->exact)
		return;
	if (!to)
		to = fio_push(f, &v->items, &v->n, &v->cap, sizeof(*to), FIO_MAX_VALUES);
	if (to)
		*to = value;
}

void fio_set_u64(struct fio *f, struct fio_values *v, enum fact_id id, uint32_t j,
		 uint64_t u, size_t line)
{
	fio_set(f, v, (struct fio_value){ .id = id, .j = j, .u = u, .line = line });
}

/* ---- batches, jobs, runs -------------------------------------------------------------------- */

struct fio_batch *fio_new_batch(struct fio *f, size_t line)
{
	struct fio_batch *b = fio_push(f, &f->batches, &f->n_batches, &f->cap_batches,
				       sizeof(*b), FIO_MAX_BATCHES);

	if (!b)
		return NULL;
	b->line = line;
	b->number = (uint32_t)(f->n_batches - 1);
	b->first_run = f->n_runs;
	f->job = f->run = 0;
	return b;
}

struct fio_batch *fio_batch(struct fio *f)
{
	return f->n_batches ? &f->batches[f->n_batches - 1] : NULL;
}

struct fio_batch *fio_batch_in(struct fio *f, enum fio_phase phase, size_t line)
{
	struct fio_batch *b = fio_batch(f);

	if (!b || b->phase > phase || (phase == FIO_PHASE_STARTED && b->source))
		b = fio_new_batch(f, line);
	if (b)
		b->phase = phase;
	return b;
}

struct fio_job *fio_new_job(struct fio *f, size_t line)
{
	struct fio_batch *b = fio_batch_in(f, FIO_PHASE_JOBS, line);
	struct fio_job *j = b ? fio_push(f, &f->jobs, &f->n_jobs, &f->cap_jobs,
					 sizeof(*j), FIO_MAX_RUNS)
			      : NULL;

	if (!j)
		return NULL;
	j->line = line;
	j->batch = b->number;
	f->job = f->n_jobs;
	f->run = 0;
	return j;
}

struct fio_run *fio_new_run(struct fio *f, enum fio_direction direction, size_t line)
{
	struct fio_job *j = f->job ? &f->jobs[f->job - 1] : NULL;
	struct fio_batch *b;
	struct fio_run *r;

	if (j && j->runs[direction] && f->runs[j->runs[direction] - 1].from_json) {
		f->run = j->runs[direction]; /* the text of a run that is known */
		f->runs[f->run - 1].from_json = false;
		f->lat_seen = 0;
		f->percentile_ns = 0;
		return &f->runs[f->run - 1];
	}
	/* below the lines of all directions, or for a second time: its job's line was lost */
	if (!j || j->closed || j->runs[direction])
		j = fio_new_job(f, line);
	b = fio_batch(f);
	r = j && b ? fio_push(f, &f->runs, &f->n_runs, &f->cap_runs, sizeof(*r),
			      FIO_MAX_RUNS)
		   : NULL;
	if (!r)
		return NULL;
	b->n_runs++;
	r->direction = direction;
	r->number = (uint32_t)(f->n_runs - 1);
	r->job = f->job - 1;
	r->line = line;
	j->runs[direction] = f->n_runs;
	f->run = f->n_runs;
	f->lat_seen = 0;
	f->percentile_ns = 0;
	return r;
}

struct fio_disk *fio_new_disk(struct fio *f, const char *name, size_t line)
{
	struct fio_batch *b = fio_batch(f);
	struct fio_disk *d = b ? fio_push(f, &b->disks, &b->n_disks, &b->cap_disks,
					  sizeof(*d), FIO_MAX_HEADS)
			       : NULL;

	if (!d)
		return NULL;
	d->name = name;
	d->line = line;
	d->number = f->n_disks++;
	return d;
}

/* ---- below the jobs ---------------------------------------------------------------------------- */

static void read_group_head(struct fio *f, const struct fio_line *l)
{
	if (!fio_batch(f))
		(void)fio_new_batch(f, l->first);
	if (fio_batch(f))
		fio_batch(f)->phase = FIO_PHASE_GROUPS;
	f->job = f->run = 0;
	fio_claim(f, l, LINE_KNOWN);
}

/* ---- the walk ------------------------------------------------------------------------------------ */

static void read_quiet(struct fio *f, const struct fio_line *l)
{
	fio_claim(f, l, LINE_KNOWN);
}

static void read_sync(struct fio *f, const struct fio_line *l)
{
	f->run = 0;
	f->percentile_ns = 0;
	fio_claim(f, l, LINE_KNOWN);
}

static void read_other(struct fio *f, const struct fio_line *l)
{
	const struct fio_job *j = f->job ? &f->jobs[f->job - 1] : NULL;

	/* among the disks, and shaped like them: which one it was is not known */
	if (fio_batch(f) && fio_batch(f)->phase == FIO_PHASE_GROUPS &&
	    strstr(l->text, "ios=") && strstr(l->text, "merge=")) {
		fio_batch(f)->disk_doubt = true;
		f->n_disks++; /* the others keep their numbers */
		fio_claim(f, l, LINE_DAMAGED);
		return;
	}
	/* between the lines of a job, and shaped like them */
	if (j && !j->issued[0].set && strchr(l->text, '=') && fio_batch(f) &&
	    fio_batch(f)->phase == FIO_PHASE_JOBS)
		fio_claim(f, l, LINE_UNKNOWN);
}

typedef void fio_reader(struct fio *f, const struct fio_line *l);

static fio_reader *const readers[FIO_KINDS] = {
	[FIO_OTHER] = read_other,
	[FIO_QUIET] = read_quiet,
	[FIO_HEAD] = fio_read_head,
	[FIO_REPEAT] = fio_read_repeat,
	[FIO_BANNER] = fio_read_banner,
	[FIO_START] = read_quiet,
	[FIO_JOB] = fio_read_job,
	[FIO_IO2] = fio_read_io2,
	[FIO_IO3] = fio_read_io3,
	[FIO_LAT] = fio_read_latency,
	[FIO_PCT_HEAD] = fio_read_percentile_head,
	[FIO_PCT_ROW] = fio_read_percentile_row,
	[FIO_BW] = fio_read_bandwidth,
	[FIO_IOPS] = read_quiet,
	[FIO_BUCKET] = fio_read_buckets,
	[FIO_SYNC] = read_sync,
	[FIO_CPU] = fio_read_cpu,
	[FIO_DEPTHS] = fio_read_depths,
	[FIO_SUBMIT] = read_quiet,
	[FIO_ISSUED] = fio_read_issued,
	[FIO_LATENCY] = read_quiet,
	[FIO_GROUP_HEAD] = read_group_head,
	[FIO_GROUP2] = read_quiet,
	[FIO_GROUP3] = read_quiet,
	[FIO_DISK_HEAD] = read_group_head,
	[FIO_DISK] = fio_read_disk,
};

static size_t read_line(struct fio *f, size_t index)
{
	enum fio_kind kind = fio_classify(&f->text->lines[index]);
	struct fio_line l;
	size_t end;

	if (kind == FIO_COMMAND)
		return fio_read_command(f, index);
	if (kind == FIO_JOBFILE) {
		end = fio_read_jobfile(f, index);
		return end > index ? end : index + 1;
	}
	if (kind == FIO_JSON) {
		end = fio_read_json(f, index);
		return end > index ? end : index + 1;
	}
	if (kind == FIO_TERSE)
		return fio_read_terse(f, index);
	if (!readers[kind])
		return index + 1;
	l = fio_gather(f, index, kind);
	readers[kind](f, &l);
	return l.end;
}

static int read_fio(struct import *im)
{
	struct fio f = { .im = im, .text = im->text, .arena = &im->text->arena };
	struct fio_batch *b;

	fio_undress(&f);
	for (size_t i = 0; i < f.text->n && !f.error && !f.full;) {
		i = read_line(&f, i);
		if (f.full)
			fio_note(&f, i - 1,
				 "more runs than anybody can read: the rest is left out");
	}
	/* cut among the disks: the line that is lost may name another one */
	b = fio_batch(&f);
	if (b && f.text->n && f.text->lines[f.text->n - 1].cut &&
	    b->phase == FIO_PHASE_GROUPS)
		b->disk_doubt = true;
	return f.error ? f.error : fio_emit(&f);
}

const struct importer importer_fio = {
	.name = "fio",
	.describe =
		"fio 2.0 and later: text, JSON, terse lines, job files and command lines",
	.read = read_fio,
};
