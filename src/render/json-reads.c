/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read and write runs with their latency, and the load that was not theirs. */
#include <stdlib.h>

#include "render/json-parts.h"
#include "render/units.h"

#define DISKS_MAX 256u

/* Full latency where it was measured, else completion latency: the words of the run say which. */
static const struct {
	const char *key;
	enum fact_id full, completion;
} latencies[] = {
	{ "min", FACT_READ_LAT_MIN, FACT_READ_CLAT_MIN },
	{ "mean", FACT_READ_LAT_MEAN, FACT_READ_CLAT_MEAN },
	{ "max", FACT_READ_LAT_MAX, FACT_READ_CLAT_MAX },
	{ "stddev", FACT_READ_LAT_STDDEV, FACT_READ_CLAT_STDDEV },
};

static bool is_repeated(struct json_range r, size_t k)
{
	return k && r.facts[k].key.j == r.facts[k - 1].key.j;
}

/* The key 99990 is the percentile 99.99, and is named so; a whole one has no point. */
static void put_percentile(struct json_writer *w, struct json_object *o,
			   const struct fact *f)
{
	struct buf name cleanup_buf = { 0 };

	if (f->key.j % 1000)
		units_add_decimal(&name, f->key.j, 3);
	else
		buf_printf(&name, "%u", f->key.j / 1000);
	json_check(w, &name);
	json_put_u64(w, o, buf_text(&name), f->u);
}

static struct json_object *latency(struct json_writer *w, const struct drive *d,
				   uint32_t run)
{
	struct json_object *o = json_new_object(w), *percentile = json_new_object(w);
	struct json_range r = json_range(d, FACT_READ_PERCENTILE, run);
	bool full = drive_fact(d, FACT_READ_LAT_MEAN, run, 0) ||
		    drive_fact(d, FACT_READ_LAT_MIN, run, 0);
	bool any = full || drive_fact(d, FACT_READ_CLAT_MEAN, run, 0) ||
		   drive_fact(d, FACT_READ_CLAT_MIN, run, 0);

	for (size_t k = 0; k < array_size(latencies); k++)
		json_put_drive_fact(w, o, latencies[k].key, d,
				    full ? latencies[k].full : latencies[k].completion,
				    run, 0);
	json_put_text(w, o, "kind", full ? "lat" : any ? "clat" : NULL);
	for (size_t k = 0; k < r.n; k++)
		if (!is_repeated(r, k))
			put_percentile(w, percentile, &r.facts[k]);
	json_put(w, o, "percentile", percentile);
	json_put_drive_fact(w, o, "percentile_kind", d, FACT_READ_PCT_KIND, run, 0);
	return o;
}

/* A list of classes: where each stands, and its share of the requests. */
static struct json_object *classes(struct json_writer *w, const struct drive *d,
				   uint32_t run, enum fact_id center, enum fact_id share)
{
	struct json_object *array = json_new_array(w);
	struct json_range r = json_range(d, center, run);

	for (size_t k = 0; k < r.n; k++) {
		struct json_object *o;

		if (is_repeated(r, k))
			continue;
		o = json_new_object(w);
		json_put_u64(w, o, "center_ns", r.facts[k].u);
		json_put_drive_decimal(w, o, "share", d, share, run, r.facts[k].key.j, 6);
		json_append(w, array, o);
	}
	return array;
}

static struct json_object *depth_levels(struct json_writer *w, const struct drive *d,
					uint32_t run)
{
	struct json_object *array = json_new_array(w);
	struct json_range r = json_range(d, FACT_READ_DEPTH_LEVEL, run);

	for (size_t k = 0; k < r.n; k++) {
		struct json_object *o;

		if (is_repeated(r, k))
			continue;
		o = json_new_object(w);
		json_put_u64(w, o, "depth", r.facts[k].key.j);
		json_put_drive_decimal(w, o, "share", d, FACT_READ_DEPTH_LEVEL, run,
				       r.facts[k].key.j, 6);
		json_append(w, array, o);
	}
	return array;
}

/* fio's lat (usec) lines: the share of requests up to each edge; null is above the last. */
static struct json_object *buckets(struct json_writer *w, const struct drive *d,
				   uint32_t run)
{
	struct json_object *array = json_new_array(w);
	struct json_range r = json_range(d, FACT_READ_BUCKET, run);

	for (size_t k = 0; k < r.n; k++) {
		struct json_object *o;
		const struct fact *repaired;

		if (is_repeated(r, k))
			continue;
		o = json_new_object(w);
		if (r.facts[k].key.j == UINT32_MAX)
			json_put(w, o, "up_to_ns", NULL);
		else
			json_put_u64(w, o, "up_to_ns", r.facts[k].key.j);
		json_put_drive_decimal(w, o, "share", d, FACT_READ_BUCKET, run,
				       r.facts[k].key.j, 6);
		repaired =
			drive_fact(d, FACT_READ_BUCKET_REPAIRED, run, r.facts[k].key.j);
		json_put_bool(w, o, "repaired", repaired && repaired->u);
		json_append(w, array, o);
	}
	return array;
}

static bool same_batch(const struct drive *d, uint32_t disk, uint64_t batch)
{
	uint64_t n;

	return drive_u64(d, FACT_DISK_BATCH, disk, 0, &n) && n == batch;
}

/* The physical disk behind the run: the first of its batch that is not made of others. */
static bool find_disk(const struct drive *d, uint32_t run, uint32_t *ret)
{
	uint64_t batch;
	size_t n;
	const struct fact *f = drive_facts(d, FACT_FOREIGN_SHARE, &n);

	if (!drive_u64(d, FACT_READ_BATCH, run, 0, &batch))
		return false;
	/* a host has few disks; a text that claims thousands is not worth the time */
	for (size_t k = 0; k < n && k < DISKS_MAX; k++) {
		if (!same_batch(d, f[k].key.i, batch) ||
		    drive_flag(d, FACT_DISK_AGGREGATE, f[k].key.i))
			continue;
		*ret = f[k].key.i;
		return true;
	}
	return false;
}

static struct json_object *foreign(struct json_writer *w, const struct drive *d,
				   uint32_t run)
{
	struct json_object *o;
	uint32_t disk;

	if (!find_disk(d, run, &disk))
		return NULL;
	o = json_new_object(w);
	json_put_drive_fact(w, o, "disk", d, FACT_DISK_NAME, disk, 0);
	json_put_drive_fact(w, o, "reads", d, FACT_FOREIGN_READS, disk, 0);
	json_put_drive_fact(w, o, "writes", d, FACT_FOREIGN_WRITES, disk, 0);
	json_put_drive_decimal(w, o, "share", d, FACT_FOREIGN_SHARE, disk, 0, 6);
	json_put_drive_decimal(w, o, "per_second", d, FACT_FOREIGN_RATE, disk, 0, 3);
	json_put_drive_fact(w, o, "clear", d, FACT_FOREIGN_CLEAR, disk, 0);
	json_put_drive_fact(w, o, "mean_wait_ns", d, FACT_FOREIGN_WAIT, disk, 0);
	json_put_drive_decimal(w, o, "mean_outstanding", d, FACT_OUTSTANDING, disk, 0, 3);
	json_put_drive_decimal(w, o, "own_outstanding", d, FACT_OUTSTANDING_OWN, disk, 0,
			       3);
	return o;
}

static struct json_object *slow(struct json_writer *w, const struct drive *d,
				uint32_t run)
{
	struct json_object *o = json_new_object(w);

	json_put_drive_decimal(w, o, "share", d, FACT_READ_SLOW_SHARE, run, 0, 6);
	json_put_drive_decimal(w, o, "time_share", d, FACT_READ_SLOW_TIME, run, 0, 6);
	json_put_drive_fact(w, o, "from_ns", d, FACT_READ_SLOW_FROM, run, 0);
	json_put_drive_fact(w, o, "ladder_step_ns", d, FACT_READ_LADDER_STEP, run, 0);
	return o;
}

struct column {
	const char *key;
	enum fact_id id;
};

static struct json_object *object_of(struct json_writer *w, const struct drive *d,
				     uint32_t run, const struct column *columns, size_t n)
{
	struct json_object *o = json_new_object(w);

	for (size_t k = 0; k < n; k++)
		json_put_drive_fact(w, o, columns[k].key, d, columns[k].id, run, 0);
	return o;
}

static const struct column clat[] = {
	{ "min", FACT_READ_CLAT_MIN },
	{ "mean", FACT_READ_CLAT_MEAN },
	{ "max", FACT_READ_CLAT_MAX },
	{ "stddev", FACT_READ_CLAT_STDDEV },
};

static const struct column slat[] = {
	{ "min", FACT_READ_SLAT_MIN },
	{ "mean", FACT_READ_SLAT_MEAN },
	{ "max", FACT_READ_SLAT_MAX },
	{ "stddev", FACT_READ_SLAT_STDDEV },
};

static const struct column sampled[] = {
	{ "min", FACT_READ_BW_MIN },
	{ "mean", FACT_READ_BW_MEAN },
	{ "max", FACT_READ_BW_MAX },
	{ "stddev", FACT_READ_BW_STDDEV },
};

static const struct column faults[] = {
	{ "context_switches", FACT_READ_CTX },
	{ "major_faults", FACT_READ_MAJF },
	{ "minor_faults", FACT_READ_MINF },
};

static struct json_object *cpu(struct json_writer *w, const struct drive *d, uint32_t run)
{
	struct json_object *o = object_of(w, d, run, faults, array_size(faults));

	json_put_drive_decimal(w, o, "user", d, FACT_READ_CPU_USER, run, 0, 6);
	json_put_drive_decimal(w, o, "system", d, FACT_READ_CPU_SYSTEM, run, 0, 6);
	return o;
}

static const struct column columns[] = {
	{ "source", FACT_READ_SOURCE },
	{ "title", FACT_READ_TITLE },
	{ "pattern", FACT_READ_PATTERN },
	{ "direction", FACT_READ_DIRECTION },
	{ "block_bytes", FACT_READ_BLOCK },
	{ "block_max_bytes", FACT_READ_BLOCK_MAX },
	{ "depth", FACT_READ_DEPTH },
	{ "jobs", FACT_READ_JOBS },
	{ "batch", FACT_READ_BATCH },
	{ "group", FACT_READ_GROUP },
	{ "engine", FACT_READ_ENGINE },
	{ "direct", FACT_READ_DIRECT },
	{ "page_cache", FACT_READ_PAGE_CACHE },
	{ "target", FACT_READ_TARGET },
	{ "error", FACT_READ_ERROR },
	{ "options", FACT_READ_OPTIONS },
	{ "started", FACT_READ_STARTED },
	{ "ios", FACT_READ_IOS },
	{ "short_ios", FACT_READ_SHORT },
	{ "bytes", FACT_READ_BYTES },
	{ "posted_bytes", FACT_READ_POSTED_BYTES },
	{ "bandwidth_bytes", FACT_READ_BANDWIDTH },
	{ "posted_bandwidth_bytes", FACT_READ_POSTED_BW },
	{ "runtime_ms", FACT_READ_RUNTIME },
};

static struct json_object *one_read(struct json_writer *w, const struct drive *d,
				    uint32_t run)
{
	struct json_object *o = object_of(w, d, run, columns, array_size(columns));

	json_put_drive_decimal(w, o, "iops", d, FACT_READ_IOPS, run, 0, 3);
	json_put_drive_decimal(w, o, "posted_iops", d, FACT_READ_POSTED_IOPS, run, 0, 3);
	json_put(w, o, "latency_ns", latency(w, d, run));
	json_put(w, o, "clat_ns", object_of(w, d, run, clat, array_size(clat)));
	json_put(w, o, "slat_ns", object_of(w, d, run, slat, array_size(slat)));
	json_put(w, o, "sampled_bandwidth_bytes",
		 object_of(w, d, run, sampled, array_size(sampled)));
	json_put(w, o, "cpu", cpu(w, d, run));
	json_put(w, o, "depth_levels", depth_levels(w, d, run));
	json_put(w, o, "modes",
		 classes(w, d, run, FACT_READ_MODE_CENTER, FACT_READ_MODE_SHARE));
	json_put(w, o, "steps",
		 classes(w, d, run, FACT_READ_STEP_CENTER, FACT_READ_STEP_SHARE));
	json_put(w, o, "buckets", buckets(w, d, run));
	json_put(w, o, "slow", slow(w, d, run));
	json_put(w, o, "foreign", foreign(w, d, run));
	return o;
}

struct json_object *json_reads(struct json_writer *w, const struct drive *d)
{
	struct json_object *array = json_new_array(w);
	struct instance *runs = NULL;
	size_t n = 0;

	if (json_instances(d, FACT_READ_SOURCE, FACT_READ_LADDER_STEP, false, &runs, &n) <
	    0)
		w->failed = true;
	for (size_t k = 0; k < n; k++)
		json_append(w, array, one_read(w, d, runs[k].i));
	free(runs);
	return array;
}
