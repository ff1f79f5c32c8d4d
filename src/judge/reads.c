/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "judge/reads.h"

#include "base/number.h"
#include "base/str.h"

const struct fact *reads_host_fact(const struct judge *j, enum fact_id id)
{
	const struct fact *f = drive_fact(j->d, id, 0, 0);

	if (!f && j->the_case->n_drives == 1)
		f = drive_fact(&j->the_case->host, id, 0, 0);
	return f;
}

const char *reads_host_text(const struct judge *j, enum fact_id id)
{
	const struct fact *f = reads_host_fact(j, id);

	return f ? f->text : NULL;
}

/* One run, with what the comparisons need; 0 stands for unknown. */
struct run {
	const struct fact *ios;
	uint64_t iops_milli, bandwidth, block, block_max, depth, jobs, direct;
	const char *pattern, *direction, *title;
	bool direct_known;
};

static uint64_t number_at(const struct judge *j, enum fact_id id, const struct fact *ios)
{
	const struct fact *f = drive_fact_at(j->d, id, ios->key.i, 0, ios->snapshot);

	return f ? f->u : 0;
}

static const char *text_at(const struct judge *j, enum fact_id id, const struct fact *ios)
{
	const struct fact *f = drive_fact_at(j->d, id, ios->key.i, 0, ios->snapshot);

	return f ? f->text : NULL;
}

static struct run get_run(const struct judge *j, const struct fact *ios)
{
	struct run r = {
		.ios = ios,
		.iops_milli = number_at(j, FACT_READ_IOPS, ios),
		.bandwidth = number_at(j, FACT_READ_BANDWIDTH, ios),
		.block = number_at(j, FACT_READ_BLOCK, ios),
		.block_max = number_at(j, FACT_READ_BLOCK_MAX, ios),
		.depth = number_at(j, FACT_READ_DEPTH, ios),
		.jobs = number_at(j, FACT_READ_JOBS, ios),
		.pattern = text_at(j, FACT_READ_PATTERN, ios),
		.direction = text_at(j, FACT_READ_DIRECTION, ios),
		.title = text_at(j, FACT_READ_TITLE, ios),
		.direct_known = drive_fact_at(j->d, FACT_READ_DIRECT, ios->key.i, 0,
					      ios->snapshot),
		.direct = number_at(j, FACT_READ_DIRECT, ios),
	};

	if (!r.title)
		r.title = "(unnamed)";
	return r;
}

static bool is_small_random(const struct run *r)
{
	return str_equal(r->pattern, "randread") && r->block == 4096 &&
	       (!r->block_max || r->block_max == 4096) &&
	       !(r->direct_known && !r->direct);
}

static uint64_t outstanding_of(const struct run *r)
{
	return (r->depth ? r->depth : 1) * (r->jobs ? r->jobs : 1);
}

/* Large enough pieces in flight that the medium, not the round trip, sets the speed. */
static bool is_streaming(const struct run *r)
{
	return str_equal(r->pattern, "read") && r->block * outstanding_of(r) >= 131072;
}

static void add_slow_run(struct reads_view *v, const struct run *r, uint64_t got,
			 uint64_t floor, const char *unit, const char *what)
{
	v->n_compared++;
	if (got >= floor || v->n_slow_runs == READS_MAX_SLOW)
		return;
	v->slow_runs[v->n_slow_runs++] = (struct slow_run){ .fact = r->ios,
							    .title = r->title,
							    .unit = unit,
							    .what = what,
							    .got = got,
							    .floor = floor };
}

static void compare_run(const struct judge *j, struct reads_view *v, const struct run *r)
{
	static const char iops[] = "random reads a second";
	uint64_t floor, depth = outstanding_of(r);

	if (is_small_random(r) && !r->iops_milli)
		return; /* latencies without a rate: ioping waits between its requests */
	if (is_small_random(r) && depth == 1) {
		if (r->iops_milli > v->depth1_milli)
			v->depth1_milli = r->iops_milli;
		if (drive_u64(j->d, FACT_FLOOR_RAND1, 0, 0, &floor))
			add_slow_run(v, r, r->iops_milli / 1000, floor, iops, "depth 1");
		if (v->expect_fact && r->iops_milli &&
		    v->expect_fact->u * 1000000 / r->iops_milli > v->worst_ratio_milli)
			v->worst_ratio_milli =
				v->expect_fact->u * 1000000 / r->iops_milli;
	} else if (is_small_random(r) && depth >= 16 && depth <= 64) {
		if (r->iops_milli > v->depth32_milli) {
			v->depth32_milli = r->iops_milli;
			v->depth32_fact = r->ios;
		}
		if (drive_u64(j->d, FACT_FLOOR_RAND32, 0, 0, &floor))
			add_slow_run(v, r, r->iops_milli / 1000, floor, iops, "depth 32");
	} else if (is_streaming(r)) {
		/* through the page cache a drive looks faster, never slower */
		if (drive_u64(j->d, FACT_FLOOR_SEQ, 0, 0, &floor) &&
		    !(r->direct_known && !r->direct && r->bandwidth / 1000000 >= floor))
			add_slow_run(v, r, r->bandwidth / 1000000, floor, "MB/s",
				     "sequential");
	}
}

/* At depth 1 the latencies summed are the wall time but for the caller's own share. */
static uint64_t wall_share(const struct judge *j, const struct run *r, uint64_t time_ppm)
{
	uint64_t mean = number_at(j, FACT_READ_CLAT_MEAN, r->ios);
	uint64_t ms = number_at(j, FACT_READ_RUNTIME, r->ios);
	double share;

	if (outstanding_of(r) != 1 || !mean || !ms)
		return 0;
	share = (double)time_ppm * (double)mean * (double)r->ios->u / ((double)ms * 1e6);
	return share > 1e6 ? 1000000 : number_round(share);
}

static void take_steps(const struct judge *j, struct reads_view *v, const struct run *r)
{
	size_t n;
	const struct fact *center = drive_facts(j->d, FACT_READ_STEP_CENTER, &n);

	v->n_steps = 0;
	for (size_t i = 0; i < n && v->n_steps < READS_MAX_STEPS; i++) {
		const struct fact *ppm;

		if (center[i].key.i != r->ios->key.i ||
		    center[i].snapshot != r->ios->snapshot)
			continue;
		ppm = drive_fact_at(j->d, FACT_READ_STEP_SHARE, center[i].key.i,
				    center[i].key.j, center[i].snapshot);
		v->steps[v->n_steps].ns = center[i].u;
		v->steps[v->n_steps++].ppm = ppm ? ppm->u : 0;
	}
}

/* Random reads tell more than sequential ones, which the drive reads ahead. */
static void take_slow(const struct judge *j, struct reads_view *v, const struct run *r)
{
	const struct fact *share = drive_fact_at(j->d, FACT_READ_SLOW_SHARE,
						 r->ios->key.i, 0, r->ios->snapshot);
	bool random = str_equal(r->pattern, "randread");

	if (!share)
		return;
	if (v->n_slow_list < READS_MAX_SLOW) {
		v->slow_list[v->n_slow_list].random = random;
		v->slow_list[v->n_slow_list++].share = share->u;
	}
	if (v->slow_fact && (v->slow_is_random || !random))
		return;
	v->slow_fact = r->ios;
	v->title = r->title;
	v->slow_is_random = random;
	v->slow_share = share->u;
	v->slow_time = number_at(j, FACT_READ_SLOW_TIME, r->ios);
	v->slow_wall = wall_share(j, r, v->slow_time);
	v->slow_from = number_at(j, FACT_READ_SLOW_FROM, r->ios);
	v->ladder_ns = number_at(j, FACT_READ_LADDER_STEP, r->ios);
	take_steps(j, v, r);
}

/* fio's last bucket is ">=2000" ms; its percentiles end near 17 s, the maximum does not. */
static void take_longest(const struct judge *j, struct reads_view *v, const struct run *r)
{
	uint64_t max = number_at(j, FACT_READ_CLAT_MAX, r->ios);
	const struct fact *over = drive_fact_at(j->d, FACT_READ_BUCKET, r->ios->key.i,
						UINT32_MAX, r->ios->snapshot);

	if (!max)
		max = number_at(j, FACT_READ_LAT_MAX, r->ios);
	if (max <= v->longest_ns)
		return;
	v->longest_ns = max;
	v->longest_fact = r->ios;
	v->over_2s = over ? over->u : 0;
}

static uint64_t disk_number(const struct judge *j, enum fact_id id,
			    const struct fact *disk)
{
	const struct fact *f = drive_fact_at(j->d, id, disk->key.i, 0, disk->snapshot);

	return f ? f->u : 0;
}

static void take_disk(const struct judge *j, struct reads_view *v,
		      const struct fact *disk)
{
	uint64_t rate = disk_number(j, FACT_FOREIGN_RATE, disk);
	uint64_t ms = disk_number(j, FACT_DISK_READ_MS, disk);

	if (disk->u && ms) {
		uint64_t wait = ms * 1000000 / disk->u;

		if (wait > v->device_wait_ns) {
			v->device_wait_ns = wait;
			v->disk_fact = disk;
		}
	}
	if (!drive_fact_at(j->d, FACT_FOREIGN_READS, disk->key.i, 0, disk->snapshot))
		return;
	if (disk_number(j, FACT_FOREIGN_CLEAR, disk) &&
	    v->n_foreign_list < READS_MAX_SLOW) {
		v->foreign_list[v->n_foreign_list].share =
			disk_number(j, FACT_FOREIGN_SHARE, disk);
		v->foreign_list[v->n_foreign_list++].outstanding =
			disk_number(j, FACT_OUTSTANDING, disk);
	}
	if (v->foreign && rate <= v->foreign_rate)
		return;
	v->foreign = disk;
	v->foreign_clear = disk_number(j, FACT_FOREIGN_CLEAR, disk) != 0;
	v->foreign_rate = rate;
	v->foreign_share = disk_number(j, FACT_FOREIGN_SHARE, disk);
	v->foreign_wait = disk_number(j, FACT_FOREIGN_WAIT, disk);
	v->outstanding = disk_number(j, FACT_OUTSTANDING, disk);
}

/* Mean over all reads of the text, as the benchmark saw them. */
static void take_own_wait(const struct judge *j, struct reads_view *v)
{
	size_t n;
	const struct fact *ios = drive_facts(j->d, FACT_READ_IOS, &n);
	double sum = 0, count = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t mean = number_at(j, FACT_READ_LAT_MEAN, &ios[i]);

		if (!mean)
			mean = number_at(j, FACT_READ_CLAT_MEAN, &ios[i]);
		sum += (double)mean * (double)ios[i].u;
		count += mean ? (double)ios[i].u : 0;
	}
	if (count > 0)
		v->own_wait_ns = number_round(sum / count);
}

static void take_expectation(const struct judge *j, struct reads_view *v)
{
	v->expect_fact = drive_fact(j->d, FACT_EXPECT_RAND1, 0, 0);
	v->expect_is_class = !drive_text(j->d, FACT_DB_FAMILY, 0, 0);
}

struct reads_view reads_look(struct judge *j)
{
	struct reads_view v = { 0 };
	size_t n;
	const struct fact *ios = drive_facts(j->d, FACT_READ_IOS, &n);
	const struct fact *disk;
	uint64_t best;

	take_expectation(j, &v);
	for (size_t i = 0; i < n; i++) {
		struct run r = get_run(j, &ios[i]);

		if (!str_equal(r.direction, "read"))
			continue;
		v.n_runs++;
		take_slow(j, &v, &r);
		take_longest(j, &v, &r);
		compare_run(j, &v, &r);
	}
	disk = drive_facts(j->d, FACT_DISK_READS, &n);
	for (size_t i = 0; i < n; i++)
		take_disk(j, &v, &disk[i]);
	take_own_wait(j, &v);
	/* what the drive can do: what it should, or the floor of its class; at least what it did */
	if (v.foreign && (drive_u64(j->d, FACT_EXPECT_RAND1, 0, 0, &best) ||
			  drive_u64(j->d, FACT_FLOOR_RAND1, 0, 0, &best))) {
		if (best < v.depth1_milli / 1000)
			best = v.depth1_milli / 1000;
		v.demand_ppm = v.foreign_rate * 1000 / best;
	}
	return v;
}
