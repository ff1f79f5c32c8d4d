/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What follows from all that a probe counted: modes of the latency, from the whole histogram and
 * the order of the reads; what a pause costs; whether slow windows and errors on the link come
 * together; how fast a rotating drive's own words say that it is.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/str.h"
#include "decode/part.h"
#include "decode/probe-text.h"
#include "stats/compare.h"
#include "stats/load.h"
#include "stats/slow.h"

#define GAP_P	     0.01
#define GAP_LEAST_NS 50000u /* less than this is no wake-up */

struct derive {
	struct decode *d;
	struct drive *drive;
	uint32_t snapshot;
	struct fact_origin origin;
	uint64_t usual_ns;
	struct fisher_table windows;
	uint64_t link_errors, link_bytes;
	struct load_input load; /* of all runs */
	struct probe_disk disk;
	bool has_windows;
	/* reads without a pause, to compare the others with */
	double still[COMPARE_MAX_BLOCKS];
	size_t n_still;
	uint64_t still_median;
	int error;
};

static void put(struct derive *v, enum fact_id id, uint32_t i, uint32_t j, uint64_t u)
{
	if (!v->error)
		v->error = drive_add_fact(v->d->the_case, v->drive,
					  (struct fact){ .key = { id, i, j },
							 .trust = TRUST_DERIVED,
							 .snapshot = v->snapshot,
							 .u = u,
							 .origin = v->origin });
}

static uint64_t ppm(double share)
{
	return share <= 0 ? 0 : share >= 1 ? 1000000 : number_round(share * 1e6);
}

static void put_modes(struct derive *v, uint32_t i, const struct modes *m,
		      enum fact_id center, enum fact_id share)
{
	for (uint32_t k = 0; k < m->n; k++) {
		put(v, center, i, k, m->mode[k].center_ns);
		put(v, share, i, k, ppm(m->mode[k].share));
	}
}

static void derive_modes(struct derive *v, uint32_t i, const struct probe_text *t)
{
	struct modes_series series = { t->series, (size_t)t->n_series };
	struct slow slow;

	if (!t->histogram.n_total)
		return;
	slow_measure_series(&t->histogram, series, v->usual_ns, &slow);
	put_modes(v, i, &slow.modes, FACT_READ_MODE_CENTER, FACT_READ_MODE_SHARE);
	if (!slow.found)
		return;
	put_modes(v, i, &slow.steps, FACT_READ_STEP_CENTER, FACT_READ_STEP_SHARE);
	put(v, FACT_READ_SLOW_FROM, i, 0, slow.from_ns);
	put(v, FACT_READ_SLOW_SHARE, i, 0, ppm(slow.requests.best));
	put(v, FACT_READ_SLOW_TIME, i, 0, ppm(slow.time.best));
	if (slow.is_ladder)
		put(v, FACT_READ_LADDER_STEP, i, 0, number_round(slow.ladder.step_ns));
}

/* ---- pauses ---- */

static size_t take_series(const struct probe_text *t, double *ret)
{
	size_t n = 0;

	for (; n < t->n_series && n < COMPARE_MAX_BLOCKS; n++)
		ret[n] = (double)t->series[n];
	return n;
}

static void derive_gap(struct derive *v, uint32_t ms, const struct probe_text *t)
{
	double gap[COMPARE_MAX_BLOCKS], still[COMPARE_MAX_BLOCKS];
	uint64_t median;
	size_t n = take_series(t, gap);

	if (!n || !histogram_quantile(&t->histogram, 500000, &median))
		return;
	if (!ms) {
		v->n_still = take_series(t, v->still);
		v->still_median = median;
		return;
	}
	if (!v->n_still || median < v->still_median + GAP_LEAST_NS)
		return;
	memcpy(still, v->still, sizeof(still));
	if (compare_mann_whitney(still, v->n_still, gap, n) < GAP_P)
		put(v, FACT_GAP_EXTRA, ms, 0, median - v->still_median);
}

/* ---- windows ---- */

static void add_windows(struct derive *v, const struct probe_text *t)
{
	v->has_windows |= t->has_windows;
	if (t->has_link_errors) {
		v->link_errors += t->link_errors;
		v->link_bytes += t->bytes;
	}
	v->windows.a += t->windows.a;
	v->windows.b += t->windows.b;
	v->windows.c += t->windows.c;
	v->windows.d += t->windows.d;
}

static void put_windows(struct derive *v)
{
	const struct fisher_table *w = &v->windows;

	if (v->link_bytes) {
		put(v, FACT_PROBE_LINK_ERRORS, 0, 0, v->link_errors);
		put(v, FACT_PROBE_BYTES, 0, 0, v->link_bytes);
	}
	if (!v->has_windows)
		return;
	put(v, FACT_WINDOWS_SLOW_MOVED, 0, 0, w->a);
	put(v, FACT_WINDOWS_SLOW_STILL, 0, 0, w->b);
	put(v, FACT_WINDOWS_GOOD_MOVED, 0, 0, w->c);
	put(v, FACT_WINDOWS_GOOD_STILL, 0, 0, w->d);
	put(v, FACT_WINDOWS_P, 0, 0, ppm(fisher_greater(*w)));
}

/* ---- what else the disk did ---- */

static uint64_t add_capped(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static void add_disk(struct derive *v, const struct probe_text *t)
{
	const struct probe_disk *from = &t->disk;
	struct probe_disk *to = &v->disk;
	uint64_t pieces = t->pieces && t->pieces < 1000000 ? t->pieces : 1;

	if (!from->set || t->ios > UINT32_MAX)
		return;
	memcpy(to->name, from->name, sizeof(to->name));
	to->set = true;
	to->reads = add_capped(to->reads, from->reads);
	to->read_merges = add_capped(to->read_merges, from->read_merges);
	to->read_ms = add_capped(to->read_ms, from->read_ms);
	to->writes = add_capped(to->writes, from->writes);
	to->write_merges = add_capped(to->write_merges, from->write_merges);
	to->write_ms = add_capped(to->write_ms, from->write_ms);
	to->busy_ms = add_capped(to->busy_ms, from->busy_ms);
	to->queue_ms = add_capped(to->queue_ms, from->queue_ms);
	to->took_ns = add_capped(to->took_ns, from->took_ns);
	v->load.own_reads = add_capped(v->load.own_reads, t->ios * pieces);
	v->load.own_wait_ms += (double)t->ios * (double)t->latency.mean_ns / 1e6;
}

static uint64_t milli(double x)
{
	return x <= 0	  ? 0
	       : x > 1e15 ? UINT64_C(1000000000000000)
			  : number_round(x * 1000);
}

static void put_load(struct derive *v, const struct load *load)
{
	put(v, FACT_OUTSTANDING, 0, 0, milli(load->outstanding));
	if (load->has_own)
		put(v, FACT_OUTSTANDING_OWN, 0, 0, milli(load->outstanding_own));
	put(v, FACT_FOREIGN_CLEAR, 0, 0, load->clear);
	put(v, FACT_FOREIGN_READS, 0, 0, load->foreign_reads);
	put(v, FACT_FOREIGN_WRITES, 0, 0, load->foreign_writes);
	put(v, FACT_FOREIGN_SHARE, 0, 0, ppm(load->read_share));
	put(v, FACT_FOREIGN_RATE, 0, 0, milli(load->reads_per_s));
	if (load->has_foreign_wait)
		put(v, FACT_FOREIGN_WAIT, 0, 0, milli(load->foreign_wait_ms) * 1000);
}

static void put_disk(struct derive *v)
{
	const struct probe_disk *d = &v->disk;
	const char *name = arena_strdup(v->d->arena, d->name);
	struct load load;

	if (!d->set || !name || d->took_ns < 1000000)
		return;
	v->error = drive_add_fact(v->d->the_case, v->drive,
				  (struct fact){ .key = { FACT_DISK_NAME, 0, 0 },
						 .trust = TRUST_HOST,
						 .snapshot = v->snapshot,
						 .text = name,
						 .origin = v->origin });
	put(v, FACT_DISK_BATCH, 0, 0, 0);
	put(v, FACT_DISK_READS, 0, 0, d->reads);
	put(v, FACT_DISK_WRITES, 0, 0, d->writes);
	put(v, FACT_DISK_READ_MERGES, 0, 0, d->read_merges);
	put(v, FACT_DISK_WRITE_MERGES, 0, 0, d->write_merges);
	put(v, FACT_DISK_READ_MS, 0, 0, d->read_ms);
	put(v, FACT_DISK_WRITE_MS, 0, 0, d->write_ms);
	put(v, FACT_DISK_QUEUE_MS, 0, 0, d->queue_ms);
	put(v, FACT_DISK_UTIL, 0, 0, ppm((double)d->busy_ms * 1e6 / (double)d->took_ns));
	v->load.runtime_ms = d->took_ns / 1000000;
	v->load.reads = d->reads;
	v->load.writes = d->writes;
	v->load.read_merges = d->read_merges;
	v->load.write_merges = d->write_merges;
	v->load.read_ms = d->read_ms;
	v->load.write_ms = d->write_ms;
	v->load.queue_ms = d->queue_ms;
	if (load_measure(&v->load, &load) == 0)
		put_load(v, &load);
}

/* ---- the drive's own words ---- */

/*
 * A rotating drive's extended self-test reads all of it: capacity by its recommended polling time
 * is its mean rate, or less. 1 and 255 or 65535 minutes are placeholders.
 */
static void derive_media(struct derive *v)
{
	uint64_t bytes, minutes, rpm;

	if (!drive_u64(v->drive, FACT_CAPACITY, 0, 0, &bytes) ||
	    !drive_u64(v->drive, FACT_EXTENDED_MINUTES, 0, 0, &minutes) ||
	    !drive_u64(v->drive, FACT_ROTATION, 0, 0, &rpm) || rpm <= 1 || minutes <= 1 ||
	    minutes == 255 || minutes >= 65535)
		return;
	put(v, FACT_MEDIA_RATE, 0, 0, bytes / (minutes * 60) / 1000000);
}

/* ---- going through ---- */

static void derive_item(struct derive *v, const struct cap_item *item, uint32_t run,
			struct probe_text *t)
{
	const char *name = str_after(item->id, "probe/"), *gap;
	uint64_t ms = 0;

	probe_text_read(item->body, t);
	add_windows(v, t);
	v->origin = (struct fact_origin){ .item = arena_strdup(v->d->arena, item->id) };
	if (!v->origin.item)
		v->error = -ENOMEM;
	if (probe_item_is_run(item->id)) {
		derive_modes(v, run, t);
		add_disk(v, t);
	}
	gap = str_after(name, "idle-");
	if (gap && str_take_u64(&gap, 10, &ms) == 0 && ms <= 100000)
		derive_gap(v, (uint32_t)ms, t);
}

static bool find_snapshot(struct derive *v, const struct part *p)
{
	for (uint32_t i = 0; i < v->drive->n_snapshots; i++) {
		if (v->drive->snapshots[i].order != p->order)
			continue;
		v->snapshot = i;
		return true;
	}
	return false;
}

static void derive_part(struct derive *v, const struct part *p, struct probe_text *t)
{
	uint32_t run = 0;
	bool any = false;

	v->windows = (struct fisher_table){ 0 };
	v->has_windows = false;
	v->link_errors = v->link_bytes = 0;
	v->load = (struct load_input){ 0 };
	v->disk = (struct probe_disk){ .set = false };
	v->n_still = 0;
	for (size_t i = 0; i < p->source->n_items && !v->error; i++) {
		const struct cap_item *item = &p->source->items[i];

		if (!str_starts(item->id, "probe/"))
			continue;
		derive_item(v, item, run, t);
		run += probe_item_is_run(item->id);
		any = true;
	}
	if (!any)
		return;
	v->origin = (struct fact_origin){ .item = "probe" };
	put_windows(v);
	put_disk(v);
	derive_media(v);
}

int probe_derive(struct decode *d, struct drive *drive)
{
	struct derive v = { .d = d, .drive = drive };
	struct probe_text *t = malloc(sizeof(*t));
	uint64_t iops;

	if (!t)
		return -ENOMEM;
	if (drive_u64(drive, FACT_EXPECT_RAND1, 0, 0, &iops) && iops)
		v.usual_ns = 1000000000u / iops;
	for (size_t k = 0; k < d->parts.n && !v.error; k++) {
		/* the order of a snapshot is that of its part: no two are alike */
		if (find_snapshot(&v, &d->parts.items[k]))
			derive_part(&v, &d->parts.items[k], t);
	}
	free(t);
	return v.error;
}
