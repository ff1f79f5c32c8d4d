/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What posted runs say beyond their printed figures: modes of the latency, how many requests are
 * slow and how much of the time they hold, fixed steps, and what else the disk did meanwhile.
 */
#include <errno.h>

#include "base/number.h"
#include "base/str.h"
#include "decode/part.h"
#include "stats/coarse.h"
#include "stats/load.h"
#include "stats/slow.h"

#define MAX_ROWS 64u

struct reads {
	struct decode *d;
	struct drive *drive;
	struct fact *found;
	size_t n_found, cap_found;
};

/* One run of one snapshot. */
struct run {
	uint32_t i, snapshot;
	const struct fact *anchor; /* gives the derived facts their place */
};

static int add(struct reads *r, const struct fact *anchor, enum fact_id id, uint32_t j,
	       uint64_t u)
{
	struct fact *slot = arena_push(r->d->arena, &r->found, &r->n_found, &r->cap_found,
				       sizeof(*slot));

	if (!slot)
		return -ENOMEM;
	*slot = (struct fact){ .key = { id, anchor->key.i, j },
			       .trust = TRUST_DERIVED,
			       .snapshot = anchor->snapshot,
			       .u = u,
			       .origin = anchor->origin };
	return 0;
}

static bool run_u64(const struct reads *r, struct run run, enum fact_id id, uint64_t *ret)
{
	const struct fact *f = drive_fact_at(r->drive, id, run.i, 0, run.snapshot);

	if (f)
		*ret = f->u;
	return f != NULL;
}

static bool is_read(const struct reads *r, struct run run)
{
	const struct fact *f =
		drive_fact_at(r->drive, FACT_READ_DIRECTION, run.i, 0, run.snapshot);

	return f && str_equal(f->text, "read");
}

struct rows {
	struct coarse_quantile quantiles[MAX_ROWS];
	struct coarse_bucket buckets[MAX_ROWS];
	size_t n_quantiles, n_buckets;
};

static void take_rows(const struct reads *r, struct run run, struct rows *ret)
{
	size_t n;
	const struct fact *f = drive_facts(r->drive, FACT_READ_PERCENTILE, &n);

	for (size_t k = 0; k < n && ret->n_quantiles < MAX_ROWS; k++)
		if (f[k].key.i == run.i && f[k].snapshot == run.snapshot)
			ret->quantiles[ret->n_quantiles++] =
				(struct coarse_quantile){ .ppm = f[k].key.j * 10,
							  .ns = f[k].u };
	f = drive_facts(r->drive, FACT_READ_BUCKET, &n);
	for (size_t k = 0; k < n && ret->n_buckets < MAX_ROWS; k++)
		if (f[k].key.i == run.i && f[k].snapshot == run.snapshot)
			ret->buckets[ret->n_buckets++] =
				(struct coarse_bucket){ .end_ns = f[k].key.j,
							.share_ppm = (uint32_t)f[k].u };
}

/* fio's buckets and, unless it says otherwise, its percentiles hold completion latency. */
static bool make_coarse(const struct reads *r, struct run run, struct coarse *ret)
{
	struct rows rows = { .n_quantiles = 0 };
	struct coarse_input in = { .quantiles = rows.quantiles, .buckets = rows.buckets };
	const struct fact *kind =
		drive_fact_at(r->drive, FACT_READ_PCT_KIND, run.i, 0, run.snapshot);

	take_rows(r, run, &rows);
	/* submission latency says nothing of the drive */
	in.n_quantiles = kind && str_equal(kind->text, "slat") ? 0 : rows.n_quantiles;
	in.n_buckets = rows.n_buckets;
	if (!run_u64(r, run, FACT_READ_IOS, &in.n_total))
		in.n_total = 0;
	if (!run_u64(r, run, FACT_READ_CLAT_MIN, &in.min_ns))
		in.min_ns = 0;
	if (!run_u64(r, run, FACT_READ_CLAT_MAX, &in.max_ns))
		in.max_ns = 0;
	return coarse_init(ret, &in) == 0;
}

static uint64_t to_ppm(double share)
{
	return share <= 0 ? 0 : number_round(share * 1e6);
}

static int add_modes(struct reads *r, const struct fact *anchor, const struct modes *m,
		     enum fact_id center, enum fact_id share)
{
	int e = 0;

	for (uint32_t k = 0; e == 0 && k < m->n; k++) {
		e = add(r, anchor, center, k, m->mode[k].center_ns);
		if (e == 0)
			e = add(r, anchor, share, k, to_ppm(m->mode[k].share));
	}
	return e;
}

static int derive_run(struct reads *r, struct run run)
{
	struct coarse c;
	struct slow slow;
	uint64_t mean = 0, iops = 0;
	int e;

	if (!make_coarse(r, run, &c))
		return 0;
	(void)run_u64(r, run, FACT_READ_CLAT_MEAN, &mean);
	(void)drive_u64(r->drive, FACT_EXPECT_RAND1, 0, 0, &iops);
	slow_measure_coarse(&c, iops ? 1000000000u / iops : 0, (double)mean, &slow);
	e = add_modes(r, run.anchor, &slow.modes, FACT_READ_MODE_CENTER,
		      FACT_READ_MODE_SHARE);
	if (e < 0 || !slow.found)
		return e;
	e = add_modes(r, run.anchor, &slow.steps, FACT_READ_STEP_CENTER,
		      FACT_READ_STEP_SHARE);
	if (e == 0)
		e = add(r, run.anchor, FACT_READ_SLOW_FROM, 0, slow.from_ns);
	if (e == 0)
		e = add(r, run.anchor, FACT_READ_SLOW_SHARE, 0,
			to_ppm(slow.requests.best));
	if (e == 0)
		e = add(r, run.anchor, FACT_READ_SLOW_TIME, 0, to_ppm(slow.time.best));
	if (e == 0 && slow.is_ladder)
		e = add(r, run.anchor, FACT_READ_LADDER_STEP, 0,
			number_round(slow.ladder.step_ns));
	return e;
}

/* ---- what else the disk did ---- */

struct batch {
	uint64_t reads, writes, runtime_ms, bytes;
	double wait_ms;
	bool has_wait;
};

/* Groups run one after another, the jobs of a group side by side. */
static void add_runtime(const struct reads *r, const struct fact *ios, size_t n,
			size_t at, uint64_t batch, struct batch *ret)
{
	struct run run = { ios[at].key.i, ios[at].snapshot, &ios[at] };
	uint64_t group = 0, runtime = 0;

	(void)run_u64(r, run, FACT_READ_GROUP, &group);
	(void)run_u64(r, run, FACT_READ_RUNTIME, &runtime);
	for (size_t k = 0; k < n; k++) {
		struct run other = { ios[k].key.i, ios[k].snapshot, &ios[k] };
		uint64_t its_batch = 0, its_group = 0, its_runtime = 0;

		(void)run_u64(r, other, FACT_READ_BATCH, &its_batch);
		(void)run_u64(r, other, FACT_READ_GROUP, &its_group);
		(void)run_u64(r, other, FACT_READ_RUNTIME, &its_runtime);
		if (ios[k].snapshot != ios[at].snapshot || its_batch != batch ||
		    its_group != group || k == at)
			continue;
		/* the longest of the group counts, and of equals the first */
		if (its_runtime > runtime || (its_runtime == runtime && k < at))
			return;
	}
	ret->runtime_ms += runtime;
}

static void add_run(const struct reads *r, struct run run, struct batch *ret)
{
	uint64_t mean;
	bool known = run_u64(r, run, FACT_READ_LAT_MEAN, &mean) ||
		     run_u64(r, run, FACT_READ_CLAT_MEAN, &mean);

	if (is_read(r, run))
		ret->reads += run.anchor->u;
	else
		ret->writes += run.anchor->u;
	if (known)
		ret->wait_ms += (double)run.anchor->u * (double)mean / 1e6;
	ret->has_wait &= known;
	(void)run_u64(r, run, FACT_READ_BLOCK, &ret->bytes);
}

static struct batch sum_batch(const struct reads *r, uint32_t snapshot, uint64_t batch)
{
	struct batch out = { .has_wait = true };
	size_t n;
	const struct fact *ios = drive_facts(r->drive, FACT_READ_IOS, &n);

	for (size_t k = 0; k < n; k++) {
		struct run run = { ios[k].key.i, ios[k].snapshot, &ios[k] };
		uint64_t its = 0;

		(void)run_u64(r, run, FACT_READ_BATCH, &its);
		if (run.snapshot != snapshot || its != batch)
			continue;
		add_run(r, run, &out);
		add_runtime(r, ios, n, k, batch, &out);
	}
	return out;
}

static uint64_t milli(double x)
{
	return x <= 0 ? 0 : number_round(x * 1000);
}

static int add_load(struct reads *r, const struct fact *disk, const struct load *load)
{
	int e = add(r, disk, FACT_OUTSTANDING, 0, milli(load->outstanding));

	if (e == 0 && load->has_own)
		e = add(r, disk, FACT_OUTSTANDING_OWN, 0, milli(load->outstanding_own));
	if (e == 0)
		e = add(r, disk, FACT_FOREIGN_CLEAR, 0, load->clear);
	if (e == 0)
		e = add(r, disk, FACT_FOREIGN_READS, 0, load->foreign_reads);
	if (e == 0)
		e = add(r, disk, FACT_FOREIGN_WRITES, 0, load->foreign_writes);
	if (e == 0)
		e = add(r, disk, FACT_FOREIGN_SHARE, 0, to_ppm(load->read_share));
	if (e == 0)
		e = add(r, disk, FACT_FOREIGN_RATE, 0, milli(load->reads_per_s));
	if (e == 0 && load->has_foreign_wait)
		e = add(r, disk, FACT_FOREIGN_WAIT, 0,
			number_round(load->foreign_wait_ms * 1e6));
	return e;
}

static int derive_disk(struct reads *r, const struct fact *disk)
{
	struct run key = { disk->key.i, disk->snapshot, disk };
	struct load_input in = { .reads = disk->u };
	struct batch own;
	struct load load;
	uint64_t batch = 0, aggregate = 0;

	(void)run_u64(r, key, FACT_DISK_BATCH, &batch);
	(void)run_u64(r, key, FACT_DISK_AGGREGATE, &aggregate);
	own = sum_batch(r, disk->snapshot, batch);
	if (aggregate || !own.runtime_ms)
		return 0;
	in.runtime_ms = own.runtime_ms;
	in.own_reads = own.reads;
	in.own_writes = own.writes;
	in.own_wait_ms = own.has_wait ? own.wait_ms : 0;
	in.own_bytes = own.bytes;
	(void)run_u64(r, key, FACT_DISK_WRITES, &in.writes);
	(void)run_u64(r, key, FACT_DISK_READ_MERGES, &in.read_merges);
	(void)run_u64(r, key, FACT_DISK_WRITE_MERGES, &in.write_merges);
	(void)run_u64(r, key, FACT_DISK_READ_MS, &in.read_ms);
	(void)run_u64(r, key, FACT_DISK_WRITE_MS, &in.write_ms);
	(void)run_u64(r, key, FACT_DISK_QUEUE_MS, &in.queue_ms);
	if (load_measure(&in, &load) < 0)
		return 0;
	return add_load(r, disk, &load);
}

/* Grouping runs is cubic at worst; nobody posts this many in earnest. */
#define MAX_RUNS 256u

int reads_derive(struct decode *d, struct drive *drive)
{
	struct reads r = { .d = d, .drive = drive };
	size_t n, disks;
	const struct fact *ios = drive_facts(drive, FACT_READ_IOS, &n);
	const struct fact *disk = drive_facts(drive, FACT_DISK_READS, &disks);
	int e = 0;

	if (n > MAX_RUNS || disks > MAX_RUNS) {
		diag_add(d->diag, DIAG_NOTE, NULL, 0,
			 "more than %u runs: their latencies were not looked at",
			 MAX_RUNS);
		return 0;
	}
	for (size_t k = 0; e == 0 && k < n; k++) {
		struct run run = { ios[k].key.i, ios[k].snapshot, &ios[k] };

		/* those of the probe are known better: probe_derive() */
		if (is_read(&r, run) && !str_starts(ios[k].origin.item, "probe/"))
			e = derive_run(&r, run);
	}
	for (size_t k = 0; e == 0 && k < disks; k++)
		e = derive_disk(&r, &disk[k]);
	for (size_t k = 0; e == 0 && k < r.n_found; k++)
		e = drive_add_fact(d->the_case, drive, r.found[k]);
	return e;
}
