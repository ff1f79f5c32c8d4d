/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the read probe counted, as the same facts that a posted fio run gives, and those that only
 * a probe has: zones, pauses, the link under load, who else was at work.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/str.h"
#include "decode/part.h"
#include "decode/probe-text.h"
#include "stats/poisson.h"
#include "stats/zones.h"

#define RUN_LEAST 16u

/* Percentiles in fio's choice, x 1000. */
static const uint32_t percentiles[] = { 1000,  5000,  10000, 20000, 30000, 40000,
					50000, 60000, 70000, 80000, 90000, 95000,
					99000, 99500, 99900, 99950, 99990 };

/* Facts go to a part when the item is read, to the drive when its expectations are known. */
struct probe_out {
	struct decode *d;
	struct part *part;
	struct fact_origin origin;
	uint32_t i;	/* number of the run */
	uint32_t batch; /* what was started together, by its first run */
	int error;
};

static void put(struct probe_out *o, enum fact_id id, uint32_t i, uint32_t j, uint64_t u,
		enum fact_trust trust)
{
	if (!o->error)
		o->error = part_add_fact(o->d, o->part,
					 (struct fact){ .key = { id, i, j },
							.trust = trust,
							.u = u,
							.origin = o->origin });
}

static void run_u64(struct probe_out *o, enum fact_id id, uint64_t u)
{
	put(o, id, o->i, 0, u, TRUST_HOST);
}

static void put_text(struct probe_out *o, enum fact_id id, uint32_t i, const char *text)
{
	const char *copy;

	if (!*text || o->error)
		return;
	copy = arena_strdup(o->d->arena, text);
	o->error = copy ? part_add_fact(o->d, o->part,
					(struct fact){ .key = { id, i, 0 },
						       .trust = TRUST_HOST,
						       .text = copy,
						       .origin = o->origin })
			: -ENOMEM;
}

/* ---- a run ---- */

/* value * 1e9 / ns without overflow, for counts below 2^53 */
static uint64_t per_second(double value, uint64_t ns)
{
	double x = ns ? value * 1e9 / (double)ns : 0;

	return x > 1e18 ? UINT64_C(1000000000000000000) : number_round(x);
}

static void put_speed(struct probe_out *o, const struct probe_text *t)
{
	if (!t->runtime_ns)
		return;
	run_u64(o, FACT_READ_RUNTIME, (t->runtime_ns + 999999) / 1000000);
	run_u64(o, FACT_READ_IOPS, per_second((double)t->ios * 1000, t->runtime_ns));
	run_u64(o, FACT_READ_BANDWIDTH, per_second((double)t->bytes, t->runtime_ns));
}

static void put_latency(struct probe_out *o, const struct probe_text *t)
{
	if (!t->histogram.n_total)
		return;
	run_u64(o, FACT_READ_CLAT_MIN, t->latency.min_ns);
	run_u64(o, FACT_READ_CLAT_MAX, t->latency.max_ns);
	run_u64(o, FACT_READ_CLAT_MEAN, t->latency.mean_ns);
	run_u64(o, FACT_READ_CLAT_STDDEV, t->latency.stddev_ns);
	put_text(o, FACT_READ_PCT_KIND, o->i, "clat");
	for (size_t k = 0; k < array_size(percentiles); k++) {
		uint64_t ns;

		if (histogram_quantile(&t->histogram, percentiles[k] * 10, &ns))
			put(o, FACT_READ_PERCENTILE, o->i, percentiles[k], ns,
			    TRUST_HOST);
	}
}

static void put_head(struct probe_out *o, const struct probe_text *t, const char *name)
{
	put_text(o, FACT_READ_SOURCE, o->i, "drivewhy probe");
	put_text(o, FACT_READ_TITLE, o->i, *t->title ? t->title : name);
	/* a plan is one start: its runs follow each other */
	run_u64(o, FACT_READ_BATCH, *t->title ? o->batch : 0);
	run_u64(o, FACT_READ_GROUP, *t->title ? t->group : o->i);
	put_text(o, FACT_READ_PATTERN, o->i, t->pattern);
	/* without a direction it is no run that is compared: a few reads are none */
	if (t->histogram.n_total >= RUN_LEAST)
		put_text(o, FACT_READ_DIRECTION, o->i, "read");
	run_u64(o, FACT_READ_BLOCK, t->block);
	if (t->block_max)
		run_u64(o, FACT_READ_BLOCK_MAX, t->block_max);
	run_u64(o, FACT_READ_DEPTH, t->depth);
	run_u64(o, FACT_READ_JOBS, t->jobs ? t->jobs : 1);
	put_text(o, FACT_READ_ENGINE, o->i, t->engine);
	put_text(o, FACT_READ_TARGET, o->i, t->target);
	/* what came from memory is no read of the drive, whatever way it was opened */
	run_u64(o, FACT_READ_DIRECT, t->direct && !str_equal(t->cache, "answered"));
	if (str_equal(t->cache, "answered"))
		run_u64(o, FACT_READ_CACHED, 1);
	if (str_equal(t->cache, "passed"))
		run_u64(o, FACT_READ_VERIFIED, 1);
	if (t->compressed)
		run_u64(o, FACT_READ_COMPRESSED, 1);
	if (t->error)
		run_u64(o, FACT_READ_ERROR, t->error);
	put_text(o, FACT_READ_END, o->i, t->end);
	run_u64(o, FACT_READ_IOS, t->ios);
	run_u64(o, FACT_READ_SHORT, t->n_short);
	run_u64(o, FACT_READ_BYTES, t->bytes);
}

static uint64_t share_ppm(uint64_t part, uint64_t of)
{
	return of ? number_round((double)part * 1e6 / (double)of) : 0;
}

/* Places that gave zeroes only may never have been written: the drive need not look for them. */
static void put_blank(struct probe_out *o, const struct probe_text *t)
{
	struct histogram data = t->histogram;
	uint64_t ns;

	if (!t->blank.n_total || t->blank.n_total > t->histogram.n_total)
		return;
	run_u64(o, FACT_READ_BLANK_SHARE,
		share_ppm(t->blank.n_total, t->histogram.n_total));
	if (histogram_quantile(&t->blank, 500000, &ns))
		run_u64(o, FACT_READ_BLANK_MEDIAN, ns);
	data.n_total = 0;
	for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
		if (t->blank.count[i] > data.count[i])
			return;
		data.count[i] -= t->blank.count[i];
		data.n_total += data.count[i];
	}
	if (histogram_quantile(&data, 500000, &ns))
		run_u64(o, FACT_READ_DATA_MEDIAN, ns);
}

static void put_stalls(struct probe_out *o, const struct probe_text *t)
{
	if (t->stalls.events) {
		run_u64(o, FACT_READ_STALLS, t->stalls.events);
		run_u64(o, FACT_READ_STALL_LONGEST, t->stalls.longest_ns);
	}
	if (t->slow.events && t->runtime_ns) {
		run_u64(o, FACT_READ_SLOW_EVENTS, t->slow.events);
		run_u64(o, FACT_READ_SLOW_WALL,
			share_ppm(t->slow.time_ns, t->runtime_ns));
	}
}

static void put_trouble(struct probe_out *o, const struct probe_text *t)
{
	if (t->n_bad)
		run_u64(o, FACT_READ_BAD, t->n_bad);
	for (uint32_t k = 0; k < t->n_bad_at; k++) {
		put(o, FACT_READ_BAD_AT, o->i, k, t->bad[k].offset, TRUST_HOST);
		put(o, FACT_READ_BAD_ERROR, o->i, k, t->bad[k].error, TRUST_HOST);
	}
	if (t->hangs) {
		run_u64(o, FACT_READ_HANG, t->hang_ns);
		run_u64(o, FACT_READ_HANG_AT, t->hang_offset);
	}
}

static void put_disk(struct probe_out *o, const struct probe_text *t)
{
	const struct {
		enum fact_id id;
		uint64_t u;
	} rows[] = {
		{ FACT_DISK_BATCH, o->batch },
		{ FACT_DISK_READS, t->disk.reads },
		{ FACT_DISK_WRITES, t->disk.writes },
		{ FACT_DISK_READ_MERGES, t->disk.read_merges },
		{ FACT_DISK_WRITE_MERGES, t->disk.write_merges },
		{ FACT_DISK_READ_MS, t->disk.read_ms },
		{ FACT_DISK_WRITE_MS, t->disk.write_ms },
		{ FACT_DISK_QUEUE_MS, t->disk.queue_ms },
	};

	if (!t->disk.set)
		return;
	put_text(o, FACT_DISK_NAME, o->i, t->disk.name);
	for (size_t k = 0; k < array_size(rows); k++)
		run_u64(o, rows[k].id, rows[k].u);
	if (t->disk.took_ns)
		run_u64(o, FACT_DISK_UTIL,
			share_ppm(t->disk.busy_ms * 1000000, t->disk.took_ns));
}

static void put_wait(struct probe_out *o, const struct probe_text *t)
{
	if (t->disk.set && t->disk.reads)
		run_u64(o, FACT_READ_DISK_WAIT,
			t->disk.read_ms * 1000000 / t->disk.reads);
}

static void put_run(struct probe_out *o, const struct probe_text *t, const char *name)
{
	put_head(o, t, name);
	put_speed(o, t);
	put_latency(o, t);
	put_blank(o, t);
	put_stalls(o, t);
	put_trouble(o, t);
	if (*t->decision) {
		put_text(o, FACT_READ_DECISION, o->i, t->decision);
		run_u64(o, FACT_READ_LIMIT, t->limit_ns);
	}
	if (t->runtime_ns) {
		run_u64(o, FACT_READ_CPU_USER,
			share_ppm(t->cpu.user_us * 1000, t->runtime_ns));
		run_u64(o, FACT_READ_CPU_SYSTEM,
			share_ppm(t->cpu.system_us * 1000, t->runtime_ns));
		run_u64(o, FACT_READ_CTX, t->cpu.switches);
		run_u64(o, FACT_READ_MAJF, t->cpu.major);
		run_u64(o, FACT_READ_MINF, t->cpu.minor);
	}
	put_wait(o, t);
}

/* Requests above the last edge and up to this one. */
static void put_share(struct probe_out *o, const struct probe_text *t, uint32_t edge,
		      uint64_t *below)
{
	uint64_t n = histogram_count_below(&t->histogram, (uint64_t)edge + 1);

	put(o, FACT_READ_BUCKET, o->i, edge, share_ppm(n - *below, t->histogram.n_total),
	    TRUST_HOST);
	*below = n;
}

/*
 * fio's tables: shares of requests up to an edge, and of those that found so many others under
 * way. The edges lie between buckets of the histogram, so a share is off by what lies in one.
 */
static void put_full_latency(struct probe_out *o, const struct probe_text *t)
{
	if (!t->histogram.n_total)
		return;
	run_u64(o, FACT_READ_LAT_MIN, t->latency.min_ns);
	run_u64(o, FACT_READ_LAT_MAX, t->latency.max_ns);
	run_u64(o, FACT_READ_LAT_MEAN, t->latency.mean_ns);
	run_u64(o, FACT_READ_LAT_STDDEV, t->latency.stddev_ns);
}

static void put_shares(struct probe_out *o, const struct probe_text *t)
{
	static const uint32_t steps[] = { 2, 4, 10, 20, 50, 100, 250, 500, 750, 1000 };
	uint64_t below = 0, total = t->histogram.n_total;
	uint32_t level = 1;

	if (!total)
		return;
	for (uint32_t unit = 1; unit <= 1000000; unit *= 1000)
		for (size_t k = 0; k < array_size(steps); k++) {
			uint32_t edge = steps[k] * unit;

			put_share(o, t, edge, &below);
		}
	put_share(o, t, 2000000000, &below);
	put(o, FACT_READ_BUCKET, o->i, UINT32_MAX, share_ppm(total - below, total),
	    TRUST_HOST);
	while (level < t->depth && level < 64)
		level *= 2;
	put(o, FACT_READ_DEPTH_LEVEL, o->i, level, 1000000, TRUST_HOST);
}

/* ---- what is no run ---- */

/* A sequential place: its end is slower than its begin on a rotating drive, as it should be. */
static void put_place(struct probe_out *o, const struct probe_text *t, uint32_t place)
{
	put(o, FACT_PLACE_START, place, 0, t->start, TRUST_HOST);
	if (t->runtime_ns)
		put(o, FACT_PLACE_RATE, place, 0,
		    per_second((double)t->bytes, t->runtime_ns), TRUST_HOST);
}

static void put_gap(struct probe_out *o, const struct probe_text *t, uint32_t ms)
{
	uint64_t ns;

	put(o, FACT_GAP_READS, ms, 0, t->ios, TRUST_HOST);
	if (histogram_quantile(&t->histogram, 500000, &ns))
		put(o, FACT_GAP_MEDIAN, ms, 0, ns, TRUST_HOST);
	if (t->histogram.n_total)
		put(o, FACT_GAP_MAX, ms, 0, t->latency.max_ns, TRUST_HOST);
}

/* Errors in 10^12 bits on the wire (8b/10b: ten for a byte), x 1000. */
static uint64_t per_terabit(double errors, uint64_t bytes)
{
	double x = errors * 1e15 / ((double)bytes * 10);

	return x > 1e18 ? UINT64_C(1000000000000000000) : number_round(x);
}

/*
 * One-sided bounds at 95 %: each end of the two-sided interval at 90 %. With no error at all that
 * is 3.0 errors above.
 */
static void put_burst(struct probe_out *o, const struct probe_text *t)
{
	double low, high;

	put(o, FACT_BURST_BYTES, 0, 0, t->bytes, TRUST_HOST);
	if (t->runtime_ns)
		put(o, FACT_BURST_RATE, 0, 0, per_second((double)t->bytes, t->runtime_ns),
		    TRUST_HOST);
	put_text(o, FACT_BURST_FROM, 0, t->from);
	if (!t->has_link_errors || !t->bytes)
		return;
	put(o, FACT_BURST_ERRORS, 0, 0, t->link_errors, TRUST_HOST);
	poisson_interval(t->link_errors, 0.90, &low, &high);
	put(o, FACT_BURST_ERROR_LOW, 0, 0, per_terabit(low, t->bytes), TRUST_DERIVED);
	put(o, FACT_BURST_ERROR_HIGH, 0, 0, per_terabit(high, t->bytes), TRUST_DERIVED);
}

static bool zones_are_rotating(const struct part *p)
{
	const struct fact *f = part_fact(p, FACT_HOST_ROTATIONAL, 0);
	const struct fact *rpm = part_fact(p, FACT_ROTATION, 0);

	return rpm ? rpm->u > 1 : f && f->u;
}

/* KIND: 0 reads of 4 KiB, 1 of 512 KiB; 2 and 3 the same once more. */
static void put_zones(struct probe_out *o, const struct probe_text *t, uint32_t kind)
{
	struct zones z;
	double median[PROBE_ZONES];
	uint64_t size = t->n_zones ? t->size / t->n_zones : 0;

	zones_by_rounds(t->zone_ns[0], (size_t)t->n_zones, PROBE_ROUNDS, median);
	if (zones_measure(median, (size_t)t->n_zones, zones_are_rotating(o->part), &z) <
	    0)
		return;
	for (uint32_t k = 0; k < t->n_zones; k++) {
		if (median[k] <= 0)
			continue;
		put(o, FACT_ZONE_START, k, kind, t->start + size * k, TRUST_HOST);
		put(o, FACT_ZONE_NS, k, kind, (uint64_t)median[k], TRUST_DERIVED);
		put(o, FACT_ZONE_RATIO, k, kind, number_round(z.ratio[k] * 1000),
		    TRUST_DERIVED);
		if (z.flagged[k])
			put(o, FACT_ZONE_SLOW, k, kind, 1, TRUST_DERIVED);
	}
	put(o, FACT_ZONES_MEASURED, kind, 0, z.n_measured, TRUST_HOST);
	put(o, FACT_ZONES_SLOW, kind, 0, z.n_flagged, TRUST_DERIVED);
	put(o, FACT_ZONES_SLOPE, kind, 0, number_round(z.last_to_first * 1000),
	    TRUST_DERIVED);
}

static void put_preflight(struct probe_out *o, const struct probe_text *t,
			  enum cap_status status)
{
	put_text(o, FACT_PROBE_TARGET, 0, t->target);
	if (status == CAP_SKIPPED)
		put(o, FACT_PROBE_UNWATCHED, 0, 0, 1, TRUST_HOST);
	put_text(o, FACT_PROBE_REFUSED, 0, t->refused);
	put_text(o, FACT_PROBE_RESYNC, 0, t->resync);
	for (uint32_t k = 0; k < t->n_users; k++)
		put_text(o, FACT_PROBE_USER, k, t->users[k]);
	for (uint32_t k = 0; k < t->n_layers; k++)
		put_text(o, FACT_PROBE_LAYER, k, t->layers[k]);
	if (!t->disk.set || !t->disk.took_ns)
		return;
	put(o, FACT_WATCH_MS, 0, 0, t->disk.took_ns / 1000000, TRUST_HOST);
	put(o, FACT_WATCH_READS, 0, 0, t->disk.reads, TRUST_HOST);
	put(o, FACT_WATCH_WRITES, 0, 0, t->disk.writes, TRUST_HOST);
	put(o, FACT_WATCH_OUTSTANDING, 0, 0,
	    number_round((double)t->disk.queue_ms * 1e9 / (double)t->disk.took_ns),
	    TRUST_HOST);
}

/* ---- an item ---- */

/* The number behind a name: "seq128k-3" -> 3, "idle-20ms" -> 20. */
static uint32_t number_in(const char *name)
{
	const char *s = strrchr(name, '-');
	uint64_t n = 0;

	if (!s || (s++, str_take_u64(&s, 10, &n) < 0) || n > 100000)
		return 0;
	return (uint32_t)n;
}

static uint32_t count_runs(const struct part *p)
{
	uint32_t n = 0;

	for (size_t k = 0; k < p->n_facts; k++)
		n += p->facts[k].key.id == FACT_READ_IOS;
	return n;
}

/* Pauses and bursts are no runs to be compared with what a drive should do. */
bool probe_item_is_run(const char *id)
{
	const char *name = str_after(id, "probe/");

	return name && (str_starts(name, "rand4k-") || str_starts(name, "seq128k-") ||
			str_starts(name, "zones") || str_starts(name, "fio-job-"));
}

static void put_item(struct probe_out *o, const struct probe_text *t, const char *name,
		     const struct cap_item *item)
{
	if (str_equal(name, "preflight"))
		put_preflight(o, t, item->status);
	if (str_starts(name, "idle-"))
		put_gap(o, t, number_in(name));
	if (str_equal(name, "link-burst"))
		put_burst(o, t);
	if (str_starts(name, "fio-disk-")) {
		o->i += number_in(name) - 1;
		put_disk(o, t);
	}
	if (!probe_item_is_run(item->id))
		return;
	put_run(o, t, name);
	if (str_starts(name, "fio-job-")) {
		put_full_latency(o, t);
		put_shares(o, t);
	}
	if (str_starts(name, "seq128k-"))
		put_place(o, t, number_in(name));
	if (str_starts(name, "zones"))
		put_zones(o, t,
			  (uint32_t)str_starts(name, "zones512k") +
				  2 * (uint32_t)str_ends(name, "-again"));
}

int decode_probe(struct decode *d, struct part *p, const struct cap_item *item)
{
	const char *name = str_after(item->id, "probe/");
	struct probe_out o = { .d = d, .part = p, .i = count_runs(p) };
	struct probe_text *t;

	if (!name)
		return 0;
	o.batch = o.i - (str_starts(name, "fio-job-") ? number_in(name) - 1 : 0);
	t = malloc(sizeof(*t));
	o.origin = (struct fact_origin){ .item = arena_strdup(d->arena, item->id),
					 .file = p->snapshot.file };
	if (!t || !o.origin.item) {
		free(t);
		return -ENOMEM;
	}
	probe_text_read(item->body, t);
	if (t->lines_left_out)
		diag_add(d->diag, DIAG_NOTE, p->snapshot.file, 0,
			 "%llu lines of item %s were not understood",
			 (unsigned long long)t->lines_left_out, item->id);
	put_item(&o, t, name, item);
	free(t);
	return o.error;
}
