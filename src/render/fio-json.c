/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs in fio's JSON, for jq, fio-plot and what else reads fio: the keys of fio 3.33. What was
 * not measured is left out, but for counts of directions without a request, where fio writes 0.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "config.h"
#include "render/formats.h"
#include "render/json-parts.h"

struct column {
	const char *key;
	enum fact_id id;
};

/* min, max, mean, stddev: four facts in a row of fact.def */
struct latency {
	const char *key;
	enum fact_id min, max, mean, stddev;
};

static const struct latency latencies[] = {
	{ "slat_ns", FACT_READ_SLAT_MIN, FACT_READ_SLAT_MAX, FACT_READ_SLAT_MEAN,
	  FACT_READ_SLAT_STDDEV },
	{ "clat_ns", FACT_READ_CLAT_MIN, FACT_READ_CLAT_MAX, FACT_READ_CLAT_MEAN,
	  FACT_READ_CLAT_STDDEV },
	{ "lat_ns", FACT_READ_LAT_MIN, FACT_READ_LAT_MAX, FACT_READ_LAT_MEAN,
	  FACT_READ_LAT_STDDEV },
};

static const char *const directions[] = { "read", "write", "trim" };

/* The first of facts with one second key speaks; others are other sources of the same number. */
static bool is_repeated(struct json_range r, size_t k)
{
	return k && r.facts[k].key.j == r.facts[k - 1].key.j;
}

static void put_percentiles(struct json_writer *w, struct json_object *o,
			    const struct drive *d, uint32_t run)
{
	struct json_range r = json_range(d, FACT_READ_PERCENTILE, run);
	struct json_object *all;

	if (!r.n)
		return;
	all = json_new_object(w);
	for (size_t k = 0; k < r.n; k++) {
		char key[24];

		if (is_repeated(r, k))
			continue;
		(void)snprintf(key, sizeof(key), "%u.%03u000", r.facts[k].key.j / 1000,
			       r.facts[k].key.j % 1000);
		json_put_u64(w, all, key, r.facts[k].u);
	}
	json_put(w, o, "percentile", all);
}

/* Are the percentiles those of this latency? fio's are clat's unless it says otherwise. */
static bool has_percentiles(const struct drive *d, uint32_t run, const char *key)
{
	const char *kind = drive_text(d, FACT_READ_PCT_KIND, run, 0);

	if (!kind)
		kind = "clat";
	return strlen(kind) == strlen(key) - 3 && str_starts(key, kind);
}

static void put_latency(struct json_writer *w, struct json_object *to,
			const struct latency *l, const struct drive *d, uint32_t run)
{
	struct json_object *o;
	bool own = has_percentiles(d, run, l->key) &&
		   json_range(d, FACT_READ_PERCENTILE, run).n;

	if (!drive_fact(d, l->min, run, 0) && !drive_fact(d, l->mean, run, 0) && !own)
		return;
	o = json_new_object(w);
	json_put_drive_fact(w, o, "min", d, l->min, run, 0);
	json_put_drive_fact(w, o, "max", d, l->max, run, 0);
	json_put_drive_fact(w, o, "mean", d, l->mean, run, 0);
	json_put_drive_fact(w, o, "stddev", d, l->stddev, run, 0);
	json_put_drive_fact(w, o, "N", d, FACT_READ_IOS, run, 0);
	if (own)
		put_percentiles(w, o, d, run);
	json_put(w, to, l->key, o);
}

static void put_sampled(struct json_writer *w, struct json_object *o,
			const struct drive *d, uint32_t run)
{
	static const struct column rows[] = {
		{ "bw_min", FACT_READ_BW_MIN },
		{ "bw_max", FACT_READ_BW_MAX },
		{ "bw_mean", FACT_READ_BW_MEAN },
		{ "bw_dev", FACT_READ_BW_STDDEV },
	};

	for (size_t k = 0; k < array_size(rows); k++) {
		uint64_t bytes;

		if (drive_u64(d, rows[k].id, run, 0, &bytes))
			json_put_u64(w, o, rows[k].key, bytes / 1024);
	}
}

static struct json_object *direction(struct json_writer *w, const struct drive *d,
				     uint32_t run)
{
	struct json_object *o = json_new_object(w);
	uint64_t u;

	json_put_drive_fact(w, o, "io_bytes", d, FACT_READ_BYTES, run, 0);
	if (drive_u64(d, FACT_READ_BYTES, run, 0, &u))
		json_put_u64(w, o, "io_kbytes", u / 1024);
	json_put_drive_fact(w, o, "bw_bytes", d, FACT_READ_BANDWIDTH, run, 0);
	if (drive_u64(d, FACT_READ_BANDWIDTH, run, 0, &u))
		json_put_u64(w, o, "bw", u / 1024);
	json_put_drive_decimal(w, o, "iops", d, FACT_READ_IOPS, run, 0, 3);
	json_put_drive_fact(w, o, "runtime", d, FACT_READ_RUNTIME, run, 0);
	json_put_drive_fact(w, o, "total_ios", d, FACT_READ_IOS, run, 0);
	json_put_u64(w, o, "short_ios",
		     drive_u64(d, FACT_READ_SHORT, run, 0, &u) ? u : 0);
	json_put_u64(w, o, "drop_ios", 0);
	for (size_t k = 0; k < array_size(latencies); k++)
		put_latency(w, o, &latencies[k], d, run);
	put_sampled(w, o, d, run);
	return o;
}

static struct json_object *no_requests(struct json_writer *w)
{
	static const char *const keys[] = { "io_bytes",	 "io_kbytes", "bw_bytes",
					    "bw",	 "iops",      "runtime",
					    "total_ios", "short_ios", "drop_ios" };
	struct json_object *o = json_new_object(w);

	for (size_t k = 0; k < array_size(keys); k++)
		json_put_u64(w, o, keys[k], 0);
	return o;
}

/* Shares up to an edge, in fio's three tables; the key of an edge is its own number of the unit. */
static void put_buckets(struct json_writer *w, struct json_object *to,
			const struct drive *d, uint32_t run)
{
	static const struct {
		const char *key;
		uint32_t from, unit;
	} tables[] = {
		{ "latency_ns", 0, 1 },
		{ "latency_us", 1001, 1000 },
		{ "latency_ms", 1000001, 1000000 },
	};
	struct json_range r = json_range(d, FACT_READ_BUCKET, run);

	for (size_t t = 0; t < array_size(tables); t++) {
		uint32_t end =
			t + 1 < array_size(tables) ? tables[t + 1].from : UINT32_MAX;
		struct json_object *o = json_new_object(w);

		for (size_t k = 0; k < r.n; k++) {
			uint32_t edge = r.facts[k].key.j;
			bool above = edge == UINT32_MAX && end == UINT32_MAX;
			char key[24];

			if (is_repeated(r, k) || edge < tables[t].from ||
			    (edge >= end && !above))
				continue;
			(void)snprintf(key, sizeof(key), above ? ">=2000" : "%u",
				       edge / tables[t].unit);
			json_put_decimal(w, o, key, (int64_t)r.facts[k].u, 4);
		}
		json_put(w, to, tables[t].key, o);
	}
}

static void put_depths(struct json_writer *w, struct json_object *to,
		       const struct drive *d, uint32_t run)
{
	struct json_range r = json_range(d, FACT_READ_DEPTH_LEVEL, run);
	struct json_object *o = json_new_object(w);

	for (size_t k = 0; k < r.n; k++) {
		char key[24];

		if (is_repeated(r, k))
			continue;
		(void)snprintf(key, sizeof(key), r.facts[k].key.j >= 64 ? ">=64" : "%u",
			       r.facts[k].key.j);
		json_put_decimal(w, o, key, (int64_t)r.facts[k].u, 4);
	}
	json_put(w, to, "iodepth_level", o);
}

/* fio repeats the options of the job, all as strings. */
static struct json_object *job_options(struct json_writer *w, const struct drive *d,
				       uint32_t run)
{
	static const struct column rows[] = {
		{ "name", FACT_READ_TITLE },	  { "filename", FACT_READ_TARGET },
		{ "rw", FACT_READ_PATTERN },	  { "bs", FACT_READ_BLOCK },
		{ "iodepth", FACT_READ_DEPTH },	  { "numjobs", FACT_READ_JOBS },
		{ "ioengine", FACT_READ_ENGINE }, { "direct", FACT_READ_DIRECT },
	};
	struct json_object *o = json_new_object(w);

	for (size_t k = 0; k < array_size(rows); k++) {
		const struct fact *f = drive_fact(d, rows[k].id, run, 0);
		char number[24];

		if (!f)
			continue;
		(void)snprintf(number, sizeof(number), "%llu", (unsigned long long)f->u);
		json_put_text(w, o, rows[k].key,
			      fact_get_info(rows[k].id)->type == FACT_TEXT ? f->text
									   : number);
	}
	return o;
}

/* The runs of one job: the directions of a mixed one stand side by side. */
static bool same_job(const struct drive *d, uint32_t a, uint32_t b)
{
	static const enum fact_id numbers[] = { FACT_READ_BATCH, FACT_READ_GROUP };
	const char *pattern = drive_text(d, FACT_READ_PATTERN, a, 0);

	for (size_t k = 0; k < array_size(numbers); k++) {
		uint64_t x = 0, y = 0;

		(void)drive_u64(d, numbers[k], a, 0, &x);
		(void)drive_u64(d, numbers[k], b, 0, &y);
		if (x != y)
			return false;
	}
	return str_equal(pattern, drive_text(d, FACT_READ_PATTERN, b, 0)) &&
	       str_equal(drive_text(d, FACT_READ_TITLE, a, 0),
			 drive_text(d, FACT_READ_TITLE, b, 0)) &&
	       !str_equal(drive_text(d, FACT_READ_DIRECTION, a, 0),
			  drive_text(d, FACT_READ_DIRECTION, b, 0));
}

static void put_cpu(struct json_writer *w, struct json_object *o, const struct drive *d,
		    uint32_t run)
{
	uint64_t u;

	if (drive_u64(d, FACT_READ_CPU_USER, run, 0, &u))
		json_put_decimal(w, o, "usr_cpu", (int64_t)u, 4);
	if (drive_u64(d, FACT_READ_CPU_SYSTEM, run, 0, &u))
		json_put_decimal(w, o, "sys_cpu", (int64_t)u, 4);
	if (drive_u64(d, FACT_READ_CTX, run, 0, &u))
		json_put_u64(w, o, "ctx", u);
	if (drive_u64(d, FACT_READ_MAJF, run, 0, &u))
		json_put_u64(w, o, "majf", u);
	if (drive_u64(d, FACT_READ_MINF, run, 0, &u))
		json_put_u64(w, o, "minf", u);
}

/* RUNS[0..n-1] are one job. */
static struct json_object *job(struct json_writer *w, const struct drive *d,
			       const struct instance *runs, size_t n)
{
	struct json_object *o = json_new_object(w);
	uint32_t first = runs[0].i;
	uint64_t u;

	json_put_drive_fact(w, o, "jobname", d, FACT_READ_TITLE, first, 0);
	json_put_u64(w, o, "groupid",
		     drive_u64(d, FACT_READ_GROUP, first, 0, &u) ? u : 0);
	json_put_u64(w, o, "error", drive_u64(d, FACT_READ_ERROR, first, 0, &u) ? u : 0);
	json_put(w, o, "job options", job_options(w, d, first));
	for (size_t k = 0; k < array_size(directions); k++) {
		struct json_object *part = NULL;

		for (size_t i = 0; i < n && !part; i++) {
			const char *is = drive_text(d, FACT_READ_DIRECTION, runs[i].i, 0);

			if (str_equal(is ? is : "read", directions[k]))
				part = direction(w, d, runs[i].i);
		}
		json_put(w, o, directions[k], part ? part : no_requests(w));
	}
	if (drive_u64(d, FACT_READ_RUNTIME, first, 0, &u))
		json_put_u64(w, o, "job_runtime", u);
	put_cpu(w, o, d, first);
	put_depths(w, o, d, first);
	put_buckets(w, o, d, first);
	return o;
}

static void put_jobs(struct json_writer *w, struct json_object *array,
		     const struct drive *d)
{
	struct instance *runs = NULL;
	size_t n = 0;

	if (json_instances(d, FACT_READ_SOURCE, FACT_READ_LADDER_STEP, false, &runs, &n) <
	    0)
		w->failed = true;
	for (size_t k = 0, next; k < n; k = next) {
		for (next = k + 1; next < n; next++)
			if (!same_job(d, runs[k].i, runs[next].i))
				break;
		json_append(w, array, job(w, d, runs + k, next - k));
	}
	free(runs);
}

static void put_disks(struct json_writer *w, struct json_object *array,
		      const struct drive *d)
{
	static const struct column rows[] = {
		{ "name", FACT_DISK_NAME },
		{ "read_ios", FACT_DISK_READS },
		{ "write_ios", FACT_DISK_WRITES },
		{ "read_merges", FACT_DISK_READ_MERGES },
		{ "write_merges", FACT_DISK_WRITE_MERGES },
		{ "read_ticks", FACT_DISK_READ_MS },
		{ "write_ticks", FACT_DISK_WRITE_MS },
		{ "in_queue", FACT_DISK_QUEUE_MS },
	};
	struct instance *disks = NULL;
	size_t n = 0;

	if (json_instances(d, FACT_DISK_NAME, FACT_DISK_UTIL, false, &disks, &n) < 0)
		w->failed = true;
	for (size_t i = 0; i < n; i++) {
		struct json_object *o = json_new_object(w);

		for (size_t k = 0; k < array_size(rows); k++)
			if (drive_fact(d, rows[k].id, disks[i].i, 0))
				json_put_drive_fact(w, o, rows[k].key, d, rows[k].id,
						    disks[i].i, 0);
		if (drive_fact(d, FACT_DISK_UTIL, disks[i].i, 0))
			json_put_drive_decimal(w, o, "util", d, FACT_DISK_UTIL,
					       disks[i].i, 0, 4);
		json_append(w, array, o);
	}
	free(disks);
}

static struct json_object *document(struct json_writer *w, const struct report *r)
{
	struct json_object *o = json_new_object(w), *jobs = json_new_array(w),
			   *disks = json_new_array(w);

	json_put_text(w, o, "fio version", "drivewhy-" PACKAGE_VERSION);
	for (size_t i = 0; i < r->the_case->n_drives; i++) {
		put_jobs(w, jobs, r->the_case->drives[i]);
		put_disks(w, disks, r->the_case->drives[i]);
	}
	put_jobs(w, jobs, &r->the_case->host);
	put_disks(w, disks, &r->the_case->host);
	json_put(w, o, "jobs", jobs);
	json_put(w, o, "disk_util", disks);
	return o;
}

int fio_json_write(const struct report *r, const struct diag *d,
		   const struct render_options *o, struct buf *ret)
{
	struct json_writer w = { 0 };

	(void)d;
	(void)o;
	return json_add_document(&w, document(&w, r), ret);
}
