/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fio's terse output, versions 3 to 5: one line a job, fields between semicolons, told in fio's
 * HOWTO, "TERSE OUTPUT". Amounts are in KiB and cut, times in microseconds; least, most and
 * percentiles are cut to whole ones, so that 0 stands for "less than one" and is left out.
 */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/fio.h"

#define MAX_FIELDS 512u
#define MAX_LINES  64u

/* Fields of one direction, counted from its first. */
enum {
	T_KIB = 0,
	T_BW = 1,
	T_IOPS = 2,
	T_RUNTIME = 3,
	T_SLAT = 4,
	T_CLAT = 8,
	T_PERCENTILE = 12,
	T_PERCENTILES = 20,
	T_LAT = 32,
	T_BW_MIN = 36,
	T_BW_MAX = 37,
	T_BW_MEAN = 39,
	T_BW_DEV = 40,
};

#define HEAD_FIELDS  5u
#define TAIL_FIELDS  34u /* processor 5, depths 7, latencies 10 and 12 */
#define DISK_FIELDS  9u
#define DEPTH_FIELDS 7u

struct layout {
	char version;
	size_t directions, width;
};

static const struct layout layouts[] = {
	{ '3', 2, 41 },
	{ '4', 3, 41 },
	{ '5', 3, 47 },
};

struct terse {
	struct fio *f;
	const struct layout *layout;
	size_t line;
	size_t n;
	const char *fields[MAX_FIELDS];
};

bool fio_is_terse(const char *s)
{
	return s[0] >= '2' && s[0] <= '9' && str_starts(s + 1, ";fio-") &&
	       str_is_digit(s[6]);
}

static size_t count_fields(const char *s)
{
	size_t n = 1;

	for (; *s; s++)
		n += *s == ';';
	return n;
}

/* A piece of a line that was cut at the edge of a window: fields and nothing else. */
static bool is_piece(const struct text_line *l)
{
	return l->len && l->state == LINE_OPEN && !fio_is_terse(l->s) &&
	       !strchr(l->s, ' ') &&
	       (strchr(l->s, ';') || strspn(l->s, "0123456789.%=") == l->len);
}

/* Whether all fields up to the last share of latencies are there, that one whole. */
static size_t needed(const struct layout *k)
{
	return HEAD_FIELDS + k->directions * k->width + TAIL_FIELDS;
}

/* ---- fields --------------------------------------------------------------------------------- */

static bool number(const struct terse *t, size_t field, uint64_t factor, uint64_t *ret)
{
	struct scan sc = { field < t->n ? t->fields[field] : "" };
	struct decimal d;

	return scan_decimal(&sc, &d) && scan_end(&sc) && decimal_scale(d, factor, ret);
}

static bool percent(const struct terse *t, size_t field, uint64_t *ret_ppm)
{
	struct scan sc = { field < t->n ? t->fields[field] : "" };
	struct decimal d;

	return scan_decimal(&sc, &d) && scan_text(&sc, "%") && scan_end(&sc) &&
	       decimal_scale(d, 10000, ret_ppm);
}

static void set(const struct terse *t, struct fio_values *v, enum fact_id id,
		size_t field, uint64_t factor)
{
	uint64_t u;

	if (number(t, field, factor, &u))
		fio_set_u64(t->f, v, id, 0, u, t->line);
}

static void take_latency(const struct terse *t, struct fio_run *r, size_t field,
			 enum fact_id least)
{
	uint64_t min, max;

	/* not measured: all zeros */
	if (!number(t, field + 1, 1000, &max) || !max)
		return;
	if (number(t, field, 1000, &min) && min)
		fio_set_u64(t->f, &r->values, least, 0, min, t->line);
	/* the most is cut, too: what it says is "at least" */
	set(t, &r->values, (enum fact_id)(least + 1), field + 1, 1000);
	set(t, &r->values, (enum fact_id)(least + 2), field + 2, 1000);
	set(t, &r->values, (enum fact_id)(least + 3), field + 3, 1000);
}

/* "99.990000%=1744"; a list of fewer is filled up with "0%=0" */
static void take_percentiles(const struct terse *t, struct fio_run *r, size_t field)
{
	bool any = false;

	for (size_t i = 0; i < T_PERCENTILES; i++) {
		struct scan sc = { t->fields[field + i] };
		struct decimal d;
		uint64_t milli, us;

		if (!scan_decimal(&sc, &d) || !scan_text(&sc, "%=") ||
		    !scan_u64(&sc, &us) || !scan_end(&sc) ||
		    !decimal_scale(d, 1000, &milli) || !milli || milli > 100000 || !us ||
		    us > UINT64_MAX / 1000 || fio_is_beyond_scale(r, us * 1000))
			continue;
		fio_set_u64(t->f, &r->values, FACT_READ_PERCENTILE, (uint32_t)milli,
			    us * 1000, t->line);
		any = true;
	}
	if (any)
		fio_set(t->f, &r->values,
			(struct fio_value){ .id = FACT_READ_PCT_KIND,
					    .text = "clat",
					    .line = t->line });
}

static void take_direction(const struct terse *t, enum fio_direction d, size_t at)
{
	struct fio_run *r;
	uint64_t v;

	if (!number(t, at + T_RUNTIME, 1, &v) || !v)
		return;
	r = fio_new_run(t->f, d, t->line);
	if (!r)
		return;
	r->era = FIO_ERA_2; /* where percentiles end: fio 2's scale is the shorter one */
	r->runtime = (struct fio_count){ true, v, t->line };
	if (number(t, at + T_KIB, 1024, &v))
		r->io = (struct quantity){ v, 1024, 1024, true };
	if (number(t, at + T_BW, 1024, &v))
		r->bw = (struct quantity){ v, 1024, 1024, true };
	if (number(t, at + T_IOPS, 1, &v))
		r->iops = (struct quantity){ v, 1, 1, true };
	take_latency(t, r, at + T_SLAT, FACT_READ_SLAT_MIN);
	take_latency(t, r, at + T_CLAT, FACT_READ_CLAT_MIN);
	take_latency(t, r, at + T_LAT, FACT_READ_LAT_MIN);
	take_percentiles(t, r, at + T_PERCENTILE);
	if (number(t, at + T_BW_MAX, 1, &v) && v) {
		set(t, &r->values, FACT_READ_BW_MIN, at + T_BW_MIN, 1024);
		set(t, &r->values, FACT_READ_BW_MAX, at + T_BW_MAX, 1024);
		set(t, &r->values, FACT_READ_BW_MEAN, at + T_BW_MEAN, 1024);
		set(t, &r->values, FACT_READ_BW_STDDEV, at + T_BW_DEV, 1024);
	}
}

static void take_bucket(const struct terse *t, struct fio_job *j, size_t field,
			uint32_t edge)
{
	uint64_t ppm;
	struct fio_bucket *b;

	if (!percent(t, field, &ppm) || !ppm)
		return;
	b = fio_push(t->f, &j->buckets, &j->n_buckets, &j->cap_buckets, sizeof(*b),
		     FIO_MAX_VALUES);
	if (b)
		*b = (struct fio_bucket){
			.edge = edge, .ppm = ppm, .posted = "", .line = t->line
		};
}

/* Behind the directions: processor, depths, shares of requests by latency. */
static void take_tail(const struct terse *t, struct fio_job *j, size_t at)
{
	static const uint32_t depths[DEPTH_FIELDS] = { 1, 2, 4, 8, 16, 32, 64 };
	static const uint32_t us[] = { 2, 4, 10, 20, 50, 100, 250, 500, 750, 1000 };
	static const uint32_t ms[] = { 2, 4, 10, 20, 50, 100, 250, 500, 750, 1000, 2000 };
	uint64_t ppm;

	if (percent(t, at, &ppm))
		fio_set_u64(t->f, &j->values, FACT_READ_CPU_USER, 0, ppm, t->line);
	if (percent(t, at + 1, &ppm))
		fio_set_u64(t->f, &j->values, FACT_READ_CPU_SYSTEM, 0, ppm, t->line);
	set(t, &j->values, FACT_READ_CTX, at + 2, 1);
	set(t, &j->values, FACT_READ_MAJF, at + 3, 1);
	set(t, &j->values, FACT_READ_MINF, at + 4, 1);
	at += 5;
	for (size_t i = 0; i < DEPTH_FIELDS; i++)
		if (percent(t, at + i, &ppm))
			fio_set_u64(t->f, &j->values, FACT_READ_DEPTH_LEVEL, depths[i],
				    ppm, t->line);
	at += DEPTH_FIELDS;
	for (size_t i = 0; i < array_size(us); i++)
		take_bucket(t, j, at + i, us[i] * 1000);
	at += array_size(us);
	for (size_t i = 0; i < array_size(ms); i++)
		take_bucket(t, j, at + i, ms[i] * 1000000);
	take_bucket(t, j, at + array_size(ms), UINT32_MAX);
}

static void take_disks(const struct terse *t, size_t at)
{
	static const enum fact_id ids[] = {
		FACT_DISK_READS,	FACT_DISK_WRITES,  FACT_DISK_READ_MERGES,
		FACT_DISK_WRITE_MERGES, FACT_DISK_READ_MS, FACT_DISK_WRITE_MS,
		FACT_DISK_QUEUE_MS,
	};

	for (; at + DISK_FIELDS <= t->n; at += DISK_FIELDS) {
		const char *name = t->fields[at];
		struct fio_disk *d;
		uint64_t ppm;

		if (!str_is_alpha(*name) || !percent(t, at + 8, &ppm))
			return; /* a description */
		d = fio_disk_named(t->f, name, strlen(name), t->line);
		if (!d)
			return;
		d->aggregate = str_starts(name, "dm-") || str_starts(name, "md");
		for (size_t i = 0; i < array_size(ids); i++)
			set(t, &d->values, ids[i], at + 1 + i, 1);
		fio_set_u64(t->f, &d->values, FACT_DISK_UTIL, 0, ppm, t->line);
	}
}

/* ---- what a line leaves out -------------------------------------------------------------------- */

/*
 * stat.c of fio: KiB are bytes >> 10, the rate is requests * 1000 / ms, both cut. Where the size is whole
 * KiB, nothing of the bytes was lost.
 */
bool fio_terse_count(const struct fio_run *r, uint64_t block, uint64_t *ret)
{
	uint64_t n, rate;

	if (!r->io.unit || !r->iops.unit || !r->runtime.set || !r->runtime.value ||
	    block < 1024 || block % 1024 || r->io.value % block)
		return false;
	n = r->io.value / block;
	if (!n || n > UINT64_MAX / 1000)
		return false;
	rate = n * 1000 / r->runtime.value;
	if (rate != r->iops.value)
		return false;
	*ret = n;
	return true;
}

/* With fewer requests a second the cut rate fits sizes that were mixed, too. */
#define MIN_RATE 100u

bool fio_terse_block(const struct fio_run *r, uint64_t *ret)
{
	uint64_t n;

	for (uint64_t block = 1024; block <= 16u << 20 && r->iops.value >= MIN_RATE;
	     block *= 2) {
		if (!fio_terse_count(r, block, &n))
			continue;
		*ret = block; /* no other can give the same rate */
		return true;
	}
	return false;
}

/* ---- lines ------------------------------------------------------------------------------------ */

/* Every job's line repeats the disks of its start; with other figures it is another start. */
static void find_batch(const struct terse *t, const char *disks)
{
	struct fio *f = t->f;
	struct fio_batch *b = fio_batch(f);

	if (!b || (b->phase > FIO_PHASE_STARTED && !str_equal(f->terse_disks, disks)))
		b = fio_new_batch(f, t->line);
	if (!b)
		return;
	b->phase = FIO_PHASE_JOBS;
	if (!b->source) {
		b->source = arena_printf(f->arena, "fio %s", t->fields[1] + 4);
		b->source_line = t->line;
		if (!b->source)
			f->error = -ENOMEM;
	}
	f->terse_disks = disks;
}

static void take_line(const struct terse *t, const char *disks)
{
	struct fio *f = t->f;
	size_t at = HEAD_FIELDS;
	struct fio_job *j;

	find_batch(t, disks);
	j = f->error ? NULL : fio_new_job(f, t->line);
	if (!j)
		return;
	j->title = t->fields[2];
	j->terse = true;
	j->group.line = t->line;
	j->group.set = number(t, 3, 1, &j->group.value);
	set(t, &j->values, FACT_READ_ERROR, 4, 1);
	for (size_t d = 0; d < t->layout->directions && !f->error; d++) {
		take_direction(t, (enum fio_direction)d, at);
		at += t->layout->width;
	}
	take_tail(t, &f->jobs[f->job - 1], at);
	take_disks(t, at + TAIL_FIELDS);
	f->job = f->run = 0;
}

/* The pieces from INDEX on as one line; returns the line behind. */
static size_t gather(const struct fio *f, size_t index, struct buf *b)
{
	const struct text *t = f->text;
	size_t i = index + 1;

	buf_puts(b, t->lines[index].s);
	while (i < t->n && i < index + MAX_LINES && is_piece(&t->lines[i]))
		buf_puts(b, t->lines[i++].s);
	return i;
}

static bool split(struct terse *t, char *line, const char **ret_disks)
{
	*ret_disks = "";
	for (char *p = line; t->n < MAX_FIELDS;) {
		char *end = strchr(p, ';');

		if (t->layout && t->n == needed(t->layout))
			*ret_disks = arena_strdup(t->f->arena, p);
		t->fields[t->n++] = p;
		if (!end)
			return true;
		*end = '\0';
		p = end + 1;
	}
	return false;
}

size_t fio_read_terse(struct fio *f, size_t index)
{
	struct terse t = { .f = f, .line = index };
	struct buf b cleanup_buf = { 0 };
	struct fio_line l = { .first = index, .end = gather(f, index, &b) };
	const char *disks = NULL;
	uint64_t ppm;
	char *line = arena_strndup(f->arena, buf_text(&b), b.len);

	for (size_t i = 0; i < array_size(layouts); i++)
		if (layouts[i].version == *buf_text(&b))
			t.layout = &layouts[i];
	if (!line || buf_error(&b)) {
		f->error = -ENOMEM;
		return l.end;
	}
	if (!t.layout) {
		fio_note(f, index, "terse version %c is not read: only 3, 4 and 5 are",
			 *buf_text(&b));
		fio_claim(f, &l, LINE_KNOWN);
		return l.end;
	}
	if (count_fields(line) < needed(t.layout) || !split(&t, line, &disks) ||
	    !percent(&t, needed(t.layout) - 1, &ppm)) {
		fio_note(f, index,
			 "this terse line is cut or damaged: nothing of it is taken");
		fio_claim(f, &l, LINE_DAMAGED);
		return l.end;
	}
	/* the last field of a line that is cut may lack its end */
	if (f->text->lines[l.end - 1].cut)
		t.n -= t.n > needed(t.layout);
	if (!disks)
		f->error = -ENOMEM;
	else
		take_line(&t, disks);
	fio_claim(f, &l, LINE_READ);
	return l.end;
}
