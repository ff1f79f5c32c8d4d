/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One job of fio's JSON. */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/fio-json.h"

/* ---- options ------------------------------------------------------------------------------ */

void fio_json_options(const struct fio_json *j, struct json_object *o, const char *title,
		      size_t line)
{
	struct fio_batch *b = fio_batch(j->f);
	struct fio_section *section = NULL;

	if (!o || !b || !title)
		return;
	for (size_t i = 0; i < b->command.n; i++) {
		if (str_equal(b->command.items[i].name, title))
			return; /* the same job again: numjobs */
	}
	title = arena_strdup(j->f->arena, title);
	if (title)
		section = fio_add_section(j->f, &b->command, title);
	else
		j->f->error = -ENOMEM;
	if (!section)
		return;
	json_object_object_foreach(o, key, value)
	{
		const char *text = json_text_string(o, key);

		(void)value;

		/* an option without a value is one that is on */
		if (text)
			fio_keep(j->f, section, key, strlen(key), *text ? text : "1",
				 *text ? strlen(text) : 1, fio_json_line(j, line, key));
	}
}

/* ---- a direction ---------------------------------------------------------------------------- */

/* "clat_ns", or up to 2.x "clat" in microseconds; KEY gets the name that is there */
static struct json_object *get_latency(struct json_object *o, const char *name,
				       char key[16], uint64_t *ret_unit)
{
	struct json_object *value;

	(void)snprintf(key, 16, "%s_ns", name);
	value = json_text_get(o, key, json_type_object);
	*ret_unit = value ? 1 : 1000;
	if (value)
		return value;
	(void)snprintf(key, 16, "%s", name);
	return json_text_get(o, name, json_type_object);
}

/*
 * json+ counts the requests in each bin of fio's histogram. Neighbours are put together, as many
 * steps an octave as give at most so many rows.
 */
#define MAX_ROWS 56u
#define MAX_BINS 4096u

struct bin {
	uint64_t ns, count;
};

/* Which row a bin falls into, with 1 << FINE rows an octave. */
static uint64_t row_of(uint64_t ns, unsigned fine)
{
	unsigned octave = 0;

	while (ns >> octave > 1)
		octave++;
	if (octave < fine)
		return ns;
	return (uint64_t)octave << fine | (ns >> (octave - fine) & ((1u << fine) - 1));
}

static size_t count_rows(const struct bin *bins, size_t n, unsigned fine)
{
	size_t rows = 0;

	for (size_t i = 0; i < n; i++)
		rows += !i || row_of(bins[i].ns, fine) != row_of(bins[i - 1].ns, fine);
	return rows;
}

static void put_bins(const struct fio_json *j, struct fio_run *r, const struct bin *bins,
		     size_t n, size_t line)
{
	unsigned fine = 4;
	uint64_t total = 0, sum = 0, ppm;

	while (fine && count_rows(bins, n, fine) > MAX_ROWS)
		fine--;
	for (size_t i = 0; i < n; i++)
		total += bins[i].count;
	for (size_t i = 0; i < n; i++) {
		sum += bins[i].count;
		if (i + 1 < n && row_of(bins[i].ns, fine) == row_of(bins[i + 1].ns, fine))
			continue;
		if (muldiv_round(sum, 1000000, total, &ppm) && ppm)
			fio_set(j->f, &r->values,
				(struct fio_value){ .id = FACT_READ_BUCKET,
						    .j = bins[i].ns < UINT32_MAX
								 ? (uint32_t)bins[i].ns
								 : UINT32_MAX,
						    .u = ppm,
						    .line = line,
						    .exact = true });
		sum = 0;
	}
	r->has_bins = true;
}

/* In rising order, as fio writes them, each in a range that can be summed up; else none. */
static void read_bins(const struct fio_json *j, struct fio_run *r,
		      struct json_object *latency, uint64_t unit, size_t line)
{
	struct json_object *table = json_text_get(latency, "bins", json_type_object);
	struct bin *bins = NULL, *b;
	size_t n = 0, cap = 0;

	if (!table)
		return;
	json_object_object_foreach(table, key, value)
	{
		uint64_t ns, count;

		(void)value;
		if (str_to_u64(key, &ns) || ns > UINT32_MAX * UINT64_C(16) ||
		    !json_text_number(table, key, 1, &count) || count > UINT32_MAX ||
		    n >= MAX_BINS || (n && bins[n - 1].ns >= ns * unit))
			return;
		if (!count)
			continue;
		b = arena_push(j->f->arena, &bins, &n, &cap, sizeof(*b));
		if (!b) {
			j->f->error = -ENOMEM;
			return;
		}
		*b = (struct bin){ ns * unit, count };
	}
	if (n)
		put_bins(j, r, bins, n, fio_json_line(j, line, "bins"));
}

static void read_percentiles(const struct fio_json *j, struct fio_run *r,
			     struct json_object *latency, const char *kind, uint64_t unit,
			     size_t line)
{
	struct json_object *table =
		json_text_get(latency, "percentile", json_type_object);

	if (!table || fio_get(&r->values, FACT_READ_PCT_KIND, 0))
		return;
	line = fio_json_line(j, line, "percentile");
	fio_set(j->f, &r->values,
		(struct fio_value){ .id = FACT_READ_PCT_KIND,
				    .text = kind,
				    .line = line,
				    .exact = true });
	json_object_object_foreach(table, key, value)
	{
		struct scan sc = { key };
		struct decimal d;
		uint64_t milli, ns;

		(void)value;
		/* 2.x fills its table up with "0.00" : 0 */
		if (!scan_decimal(&sc, &d) || !scan_end(&sc) ||
		    !decimal_scale(d, 1000, &milli) || !milli || milli > 100000 ||
		    !json_text_number(table, key, unit, &ns) ||
		    fio_is_beyond_scale(r, ns))
			continue;
		fio_json_set(j, &r->values, FACT_READ_PERCENTILE, (uint32_t)milli, table,
			     key, unit, line);
	}
	read_bins(j, r, latency, unit, line);
}

static void read_latency(const struct fio_json *j, struct fio_run *r,
			 struct json_object *o, const char *name, enum fact_id least,
			 size_t line)
{
	static const char *const keys[] = { "min", "max", "mean", "stddev" };
	char key[16];
	uint64_t unit, n;
	struct json_object *latency = get_latency(o, name, key, &unit);

	/* not measured: all zeros */
	if (!latency || !json_text_number(latency, "max", 1, &n) || !n)
		return;
	r->era = unit == 1 ? FIO_ERA_3 : FIO_ERA_2;
	line = fio_json_line(j, line, key);
	for (size_t i = 0; i < array_size(keys); i++)
		fio_json_set(j, &r->values, (enum fact_id)(least + i), 0, latency,
			     keys[i], unit, line);
	/* the rows of slat say nothing of the disk */
	if (!str_equal(name, "slat"))
		read_percentiles(j, r, latency, name, unit, line);
}

/* Up to 2.20 "io_bytes" holds KiB; since 2.21, where "io_kbytes" stands beside it, bytes. */
static void read_amounts(struct fio_run *r, struct json_object *o)
{
	uint64_t n, kib;

	if (json_text_number(o, "io_bytes", 1, &n)) {
		r->io_exact = json_text_number(o, "io_kbytes", 1, &kib);
		if (r->io_exact)
			r->io = (struct quantity){ n, 0, 1, true };
		else if (n <= UINT64_MAX / 1024)
			r->io = (struct quantity){ n * 1024, 1024, 1024, true };
	}
	if (json_text_number(o, "bw_bytes", 1, &n))
		r->bw = (struct quantity){ n, 1, 1, true };
	else if (json_text_number(o, "bw", 1024, &n))
		r->bw = (struct quantity){ n, 1024, 1024, true };
	if (json_text_number(o, "iops", 1000, &n))
		r->iops_milli = (struct quantity){ n, 1, 1, true };
}

static void read_counts(const struct fio_json *j, struct fio_job *job,
			enum fio_direction direction, struct json_object *o, size_t line)
{
	size_t to = direction == FIO_MIXED ? 0 : (size_t)direction;
	struct fio_count total = { .set = true }, less = { .set = true };

	total.line = fio_json_line(j, line, "total_ios");
	less.line = fio_json_line(j, line, "short_ios");
	if (json_text_number(o, "total_ios", 1, &total.value))
		job->issued[to] = total;
	if (json_text_number(o, "short_ios", 1, &less.value))
		job->shortened[to] = less;
	if (direction != FIO_MIXED)
		return;
	/* the only part of its job: the other counts are none */
	for (size_t i = 1; i < 3; i++) {
		job->issued[i] = (struct fio_count){ job->issued[0].set, 0, total.line };
		job->shortened[i] =
			(struct fio_count){ job->shortened[0].set, 0, less.line };
	}
}

static void read_direction(const struct fio_json *j, enum fio_direction direction,
			   struct json_object *o, size_t line)
{
	struct fio *f = j->f;
	struct fio_run *r;
	uint64_t runtime;

	if (!json_text_number(o, "runtime", 1, &runtime) || !runtime)
		return;
	r = fio_new_run(f, direction, line);
	if (!r)
		return;
	r->from_json = true;
	r->runtime =
		(struct fio_count){ true, runtime, fio_json_line(j, line, "runtime") };
	read_amounts(r, o);
	read_counts(j, &f->jobs[f->job - 1], direction, o, line);
	read_latency(j, r, o, "slat", FACT_READ_SLAT_MIN, line);
	read_latency(j, r, o, "clat", FACT_READ_CLAT_MIN, line);
	read_latency(j, r, o, "lat", FACT_READ_LAT_MIN, line);
	fio_json_set(j, &r->values, FACT_READ_BW_MIN, 0, o, "bw_min", 1024, line);
	fio_json_set(j, &r->values, FACT_READ_BW_MAX, 0, o, "bw_max", 1024, line);
	fio_json_set(j, &r->values, FACT_READ_BW_MEAN, 0, o, "bw_mean", 1024, line);
	fio_json_set(j, &r->values, FACT_READ_BW_STDDEV, 0, o, "bw_dev", 1024, line);
}

/* ---- the whole job --------------------------------------------------------------------------- */

static void read_buckets(const struct fio_json *j, struct fio_job *job,
			 struct json_object *o, size_t line)
{
	static const struct {
		const char *key;
		uint64_t unit;
	} tables[] = {
		{ "latency_ns", 1 },
		{ "latency_us", 1000 },
		{ "latency_ms", 1000000 },
	};

	for (size_t i = 0; i < array_size(tables); i++) {
		struct json_object *table =
			json_text_get(o, tables[i].key, json_type_object);
		size_t at = fio_json_line(j, line, tables[i].key);

		if (!table)
			continue;
		json_object_object_foreach(table, key, value)
		{
			struct fio_bucket made = { .posted = "" }, *b;

			(void)value;
			if (!fio_take_edge(key, tables[i].unit, &made.edge) ||
			    !json_text_number(table, key, 10000, &made.ppm) || !made.ppm)
				continue;
			made.line = fio_json_line(j, at, key);
			b = fio_push(j->f, &job->buckets, &job->n_buckets,
				     &job->cap_buckets, sizeof(*b), FIO_MAX_VALUES);
			if (b)
				*b = made;
		}
	}
}

static void read_depths(const struct fio_json *j, struct fio_job *job,
			struct json_object *o, size_t line)
{
	static const struct {
		const char *key;
		uint32_t level;
	} levels[] = {
		{ "1", 1 },   { "2", 2 },   { "4", 4 },	    { "8", 8 },
		{ "16", 16 }, { "32", 32 }, { ">=64", 64 },
	};
	struct json_object *table = json_text_get(o, "iodepth_level", json_type_object);

	line = fio_json_line(j, line, "iodepth_level");
	for (size_t i = 0; table && i < array_size(levels); i++)
		fio_json_set(j, &job->values, FACT_READ_DEPTH_LEVEL, levels[i].level,
			     table, levels[i].key, 10000, line);
}

static void read_job_values(const struct fio_json *j, struct fio_job *job,
			    struct json_object *o, size_t line)
{
	static const struct {
		const char *key;
		enum fact_id id;
		uint64_t factor;
	} keys[] = {
		{ "error", FACT_READ_ERROR, 1 },
		{ "usr_cpu", FACT_READ_CPU_USER, 10000 },
		{ "sys_cpu", FACT_READ_CPU_SYSTEM, 10000 },
		{ "ctx", FACT_READ_CTX, 1 },
		{ "majf", FACT_READ_MAJF, 1 },
		{ "minf", FACT_READ_MINF, 1 },
	};

	for (size_t i = 0; i < array_size(keys); i++)
		fio_json_set(j, &job->values, keys[i].id, 0, o, keys[i].key,
			     keys[i].factor, line);
	read_depths(j, job, o, line);
	read_buckets(j, job, o, line);
}

size_t fio_json_job(const struct fio_json *j, struct json_object *o, size_t line)
{
	struct fio *f = j->f;
	const char *title = json_text_string(o, "jobname");
	struct fio_job *job;

	line = fio_json_line(j, line, "jobname");
	job = title ? fio_new_job(f, line) : NULL;
	if (!job)
		return line;
	job->from_json = job->in_json = true;
	job->title = arena_strdup(f->arena, title);
	if (!job->title)
		f->error = -ENOMEM;
	job->group.line = fio_json_line(j, line, "groupid");
	job->group.set = json_text_number(o, "groupid", 1, &job->group.value);
	fio_json_options(j, json_text_get(o, "job options", json_type_object), title,
			 fio_json_line(j, line, "job options"));
	read_job_values(j, job, o, line);
	for (size_t d = 0; d < FIO_DIRECTIONS; d++) {
		struct json_object *part =
			json_text_get(o, fio_direction_names[d], json_type_object);

		if (part)
			read_direction(j, (enum fio_direction)d, part,
				       fio_json_line(j, line, fio_direction_names[d]));
	}
	return line + 1 < j->end ? line + 1 : line;
}
