/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs in the words and the layout of fio 3.33, for eyes and scripts that know it. Source of
 * rounding and units: fio's own output, beside its JSON of the same run.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "config.h"
#include "render/formats.h"
#include "render/json-parts.h"

#define NONE UINT64_MAX

static uint64_t get(const struct drive *d, enum fact_id id, uint32_t i)
{
	uint64_t u;

	return drive_u64(d, id, i, 0, &u) ? u : NONE;
}

static uint64_t or_zero(uint64_t u)
{
	return u == NONE ? 0 : u;
}

static void add_name(struct buf *b, const char *text)
{
	str_add_escaped(b, text ? text : "", 200);
}

/* ---- numbers ---- */

/*
 * As fio writes them: at most DIGITS digits, a decimal point among them, then the unit. 1024 or
 * 1000 to a step.
 */
static void add_short(struct buf *b, uint64_t n, unsigned digits, unsigned step,
		      const char *unit)
{
	static const char *const binary[] = { "", "Ki", "Mi", "Gi", "Ti", "Pi" };
	static const char *const decimal[] = { "", "k", "M", "G", "T", "P" };
	uint64_t rest = 0;
	unsigned power = 0;
	int len;
	char text[24];

	while ((len = snprintf(text, sizeof(text), "%llu", (unsigned long long)n)) >
		       (int)digits &&
	       power + 1 < array_size(binary)) {
		rest = n % step;
		n /= step;
		power++;
	}
	if (power && len + 1 < (int)digits) {
		int decimals = (int)digits - len - 1;

		(void)snprintf(text, sizeof(text), "%.*f", decimals,
			       (double)n + (double)rest / step);
	} else {
		n += power && rest >= step / 2;
		(void)snprintf(text, sizeof(text), "%llu", (unsigned long long)n);
	}
	buf_printf(b, "%s%s%s", text, step == 1024 ? binary[power] : decimal[power],
		   unit);
}

struct scale {
	const char *unit;
	uint64_t ns;
};

static struct scale scale_of(uint64_t min, uint64_t max, uint64_t stddev)
{
	if (min > 2000000 && max > 99999999 && stddev > 1000000)
		return (struct scale){ "msec", 1000000 };
	if (min > 2000 && max > 99999 && stddev > 1000)
		return (struct scale){ "usec", 1000 };
	return (struct scale){ "nsec", 1 };
}

/* ---- a job ---- */

static const char *direction_of(const struct drive *d, uint32_t run)
{
	const char *text = drive_text(d, FACT_READ_DIRECTION, run, 0);

	return text ? text : "read";
}

static void add_head(struct buf *b, const struct drive *d, uint32_t run)
{
	uint64_t low = or_zero(get(d, FACT_READ_BLOCK, run));
	uint64_t high = get(d, FACT_READ_BLOCK_MAX, run);
	const char *pattern = drive_text(d, FACT_READ_PATTERN, run, 0);
	const char *engine = drive_text(d, FACT_READ_ENGINE, run, 0);

	add_name(b, drive_text(d, FACT_READ_TITLE, run, 0));
	buf_printf(b, ": (g=%llu): rw=",
		   (unsigned long long)or_zero(get(d, FACT_READ_GROUP, run)));
	add_name(b, pattern);
	buf_puts(b, ", bs=(R) ");
	for (int k = 0; k < 3; k++) {
		buf_puts(b, k == 1 ? ", (W) " : k == 2 ? ", (T) " : "");
		add_short(b, low, 4, 1024, "B");
		buf_putc(b, '-');
		add_short(b, high == NONE ? low : high, 4, 1024, "B");
	}
	buf_puts(b, ", ioengine=");
	add_name(b, engine);
	buf_printf(b, ", iodepth=%llu\n",
		   (unsigned long long)or_zero(get(d, FACT_READ_DEPTH, run)));
}

/* From the count and the whole milliseconds that stand beside it, so that a reader gets the same. */
static uint64_t per_second(uint64_t count, const struct drive *d, uint32_t run)
{
	uint64_t ms = or_zero(get(d, FACT_READ_RUNTIME, run));

	return ms ? count / ms * 1000 + count % ms * 1000 / ms : 0;
}

static void add_speed(struct buf *b, const struct drive *d, uint32_t run)
{
	uint64_t bytes = or_zero(get(d, FACT_READ_BYTES, run));
	uint64_t rate = per_second(bytes, d, run);

	buf_printf(b, "  %s: IOPS=", direction_of(d, run));
	add_short(b, per_second(or_zero(get(d, FACT_READ_IOS, run)), d, run), 4, 1000,
		  "");
	buf_puts(b, ", BW=");
	add_short(b, rate, 4, 1024, "B/s");
	buf_puts(b, " (");
	add_short(b, rate, 4, 1000, "B/s");
	buf_puts(b, ")(");
	add_short(b, bytes, 4, 1024, "B");
	buf_printf(b, "/%llumsec)\n",
		   (unsigned long long)or_zero(get(d, FACT_READ_RUNTIME, run)));
}

static void add_latency(struct buf *b, const struct drive *d, uint32_t run,
			const char *name, const enum fact_id ids[4])
{
	uint64_t min = get(d, ids[0], run), max = get(d, ids[1], run);
	uint64_t mean = get(d, ids[2], run), stddev = get(d, ids[3], run);
	struct scale s;

	if (min == NONE || max == NONE || mean == NONE)
		return;
	stddev = or_zero(stddev);
	s = scale_of(min, max, stddev);
	buf_printf(b, "    %4s (%s): min=", name, s.unit);
	add_short(b, min / s.ns, 6, 1000, "");
	buf_puts(b, ", max=");
	add_short(b, max / s.ns, 6, 1000, "");
	buf_printf(b, ", avg=%5.2f, stdev=%5.2f\n", (double)mean / (double)s.ns,
		   (double)stddev / (double)s.ns);
}

static void add_latencies(struct buf *b, const struct drive *d, uint32_t run)
{
	static const enum fact_id slat[] = { FACT_READ_SLAT_MIN, FACT_READ_SLAT_MAX,
					     FACT_READ_SLAT_MEAN, FACT_READ_SLAT_STDDEV };
	static const enum fact_id clat[] = { FACT_READ_CLAT_MIN, FACT_READ_CLAT_MAX,
					     FACT_READ_CLAT_MEAN, FACT_READ_CLAT_STDDEV };
	static const enum fact_id lat[] = { FACT_READ_LAT_MIN, FACT_READ_LAT_MAX,
					    FACT_READ_LAT_MEAN, FACT_READ_LAT_STDDEV };

	add_latency(b, d, run, "slat", slat);
	add_latency(b, d, run, "clat", clat);
	add_latency(b, d, run, "lat", lat);
}

static uint64_t scaled(uint64_t ns, struct scale s)
{
	return (ns + s.ns - 1) / s.ns;
}

/* fio takes the largest unit in which the first and the last still tell something. */
static void add_percentiles(struct buf *b, const struct drive *d, uint32_t run)
{
	struct json_range r = json_range(d, FACT_READ_PERCENTILE, run);
	const char *kind = drive_text(d, FACT_READ_PCT_KIND, run, 0);
	unsigned in_line = 0, most;
	struct scale s;
	int width;

	if (!r.n)
		return;
	s = scale_of(r.facts[0].u, r.facts[r.n - 1].u, UINT64_MAX);
	width = snprintf(NULL, 0, "%llu",
			 (unsigned long long)scaled(r.facts[r.n - 1].u, s));
	width = width < 5 ? 5 : width;
	most = width > 5 ? 3 : 4;
	buf_printf(b, "    %s percentiles (%s):\n", kind ? kind : "clat", s.unit);
	for (size_t k = 0; k < r.n; k++) {
		if (k && r.facts[k].key.j == r.facts[k - 1].key.j)
			continue;
		buf_puts(b, in_line ? "," : "     |");
		buf_printf(b, " %5.2fth=[%*llu]", r.facts[k].key.j / 1000.0, width,
			   (unsigned long long)scaled(r.facts[k].u, s));
		if (++in_line == most && k + 1 < r.n) {
			buf_puts(b, ",\n");
			in_line = 0;
		}
	}
	buf_putc(b, '\n');
}

/* Shares in three tables by unit, those of 0 left out, five to a line at most. */
static void add_buckets(struct buf *b, const struct drive *d, uint32_t run)
{
	static const struct {
		const char *unit;
		uint32_t from, ns;
	} tables[] = { { "nsec", 0, 1 },
		       { "usec", 1001, 1000 },
		       { "msec", 1000001, 1000000 } };
	struct json_range r = json_range(d, FACT_READ_BUCKET, run);

	for (size_t t = 0; t < array_size(tables); t++) {
		uint64_t end = t < 2 ? tables[t + 1].from : UINT64_C(1) << 32;
		unsigned n = 0;

		for (size_t k = 0; k < r.n; k++) {
			uint32_t edge = r.facts[k].key.j;

			if (edge < tables[t].from || edge >= end || !r.facts[k].u ||
			    (k && edge == r.facts[k - 1].key.j))
				continue;
			if (n % 7 == 0)
				buf_printf(b, "%s  lat (%s)   : ", n ? "\n" : "",
					   tables[t].unit);
			else
				buf_puts(b, ", ");
			n++;
			if (edge == UINT32_MAX)
				buf_puts(b, ">=2000");
			else
				buf_printf(b, "%u", edge / tables[t].ns);
			buf_printf(b, "=%.2f%%",
				   r.facts[k].u < 100 ? 0.01
						      : (double)r.facts[k].u / 1e4);
		}
		if (n)
			buf_putc(b, '\n');
	}
}

static void add_cpu(struct buf *b, const struct drive *d, uint32_t run)
{
	uint64_t user = get(d, FACT_READ_CPU_USER, run);

	if (user == NONE)
		return;
	buf_printf(b,
		   "  cpu          : usr=%.2f%%, sys=%.2f%%, ctx=%llu, majf=%llu, "
		   "minf=%llu\n",
		   (double)user / 1e4,
		   (double)or_zero(get(d, FACT_READ_CPU_SYSTEM, run)) / 1e4,
		   (unsigned long long)or_zero(get(d, FACT_READ_CTX, run)),
		   (unsigned long long)or_zero(get(d, FACT_READ_MAJF, run)),
		   (unsigned long long)or_zero(get(d, FACT_READ_MINF, run)));
}

static void add_depths(struct buf *b, const struct drive *d, uint32_t run)
{
	static const uint32_t levels[] = { 1, 2, 4, 8, 16, 32, 64 };
	struct json_range r = json_range(d, FACT_READ_DEPTH_LEVEL, run);

	if (!r.n)
		return;
	for (size_t k = 0; k < array_size(levels); k++) {
		uint64_t u = 0;

		(void)drive_u64(d, FACT_READ_DEPTH_LEVEL, run, levels[k], &u);
		buf_puts(b, k ? ", " : "  IO depths    : ");
		buf_printf(b, "%s%u=%.1f%%", levels[k] == 64 ? ">=" : "", levels[k],
			   (double)u / 1e4);
	}
	buf_putc(b, '\n');
}

static void add_issued(struct buf *b, const struct drive *d, uint32_t run)
{
	static const char *const names[] = { "read", "write", "trim" };
	uint64_t ios = or_zero(get(d, FACT_READ_IOS, run));
	uint64_t cut = or_zero(get(d, FACT_READ_SHORT, run));
	const char *direction = direction_of(d, run);

	buf_puts(b, "     issued rwts: total=");
	for (size_t k = 0; k < array_size(names); k++)
		buf_printf(
			b, "%llu,",
			(unsigned long long)(str_equal(names[k], direction) ? ios : 0));
	buf_puts(b, "0 short=");
	for (size_t k = 0; k < array_size(names); k++)
		buf_printf(
			b, "%llu,",
			(unsigned long long)(str_equal(names[k], direction) ? cut : 0));
	buf_puts(b, "0 dropped=0,0,0,0\n");
}

static void add_job(struct buf *b, const struct drive *d, uint32_t run)
{
	add_name(b, drive_text(d, FACT_READ_TITLE, run, 0));
	buf_printf(b, ": (groupid=%llu, jobs=%llu): err=%2llu: pid=0\n",
		   (unsigned long long)or_zero(get(d, FACT_READ_GROUP, run)),
		   (unsigned long long)or_zero(get(d, FACT_READ_JOBS, run)),
		   (unsigned long long)or_zero(get(d, FACT_READ_ERROR, run)));
	add_speed(b, d, run);
	add_latencies(b, d, run);
	add_percentiles(b, d, run);
	add_buckets(b, d, run);
	add_cpu(b, d, run);
	add_depths(b, d, run);
	add_issued(b, d, run);
}

/* ---- groups and disks ---- */

/* All runs of one direction in the group of runs[FIRST]; its line is written once. */
static void add_group(struct buf *b, const struct drive *d, const struct instance *runs,
		      size_t n, size_t first)
{
	uint64_t group = or_zero(get(d, FACT_READ_GROUP, runs[first].i));
	uint64_t rate = 0, low = NONE, high = 0, bytes = 0, quick = NONE, late = 0;
	const char *direction = direction_of(d, runs[first].i);
	char upper[8] = "";

	for (size_t k = 0; k < n; k++) {
		uint64_t bw = per_second(or_zero(get(d, FACT_READ_BYTES, runs[k].i)), d,
					 runs[k].i);
		uint64_t ms = or_zero(get(d, FACT_READ_RUNTIME, runs[k].i));

		if (or_zero(get(d, FACT_READ_GROUP, runs[k].i)) != group ||
		    !str_equal(direction_of(d, runs[k].i), direction))
			continue;
		if (k < first)
			return;
		bytes += or_zero(get(d, FACT_READ_BYTES, runs[k].i));
		low = bw < low ? bw : low;
		high = bw > high ? bw : high;
		quick = ms < quick ? ms : quick;
		late = ms > late ? ms : late;
	}
	rate = late ? bytes * 1000 / late : 0;
	for (size_t k = 0; direction[k] && k + 1 < sizeof(upper); k++)
		upper[k] = (char)(direction[k] & ~0x20);
	buf_printf(b, "\nRun status group %llu (all jobs):\n  %s: bw=",
		   (unsigned long long)group, upper);
	add_short(b, rate, 4, 1024, "B/s");
	buf_puts(b, " (");
	add_short(b, rate, 4, 1000, "B/s");
	buf_puts(b, "), ");
	add_short(b, low, 4, 1024, "B/s");
	buf_putc(b, '-');
	add_short(b, high, 4, 1024, "B/s");
	buf_puts(b, " (");
	add_short(b, low, 4, 1000, "B/s");
	buf_putc(b, '-');
	add_short(b, high, 4, 1000, "B/s");
	buf_puts(b, "), io=");
	add_short(b, bytes, 4, 1024, "B");
	buf_puts(b, " (");
	add_short(b, bytes, 4, 1000, "B");
	buf_printf(b, "), run=%llu-%llumsec\n", (unsigned long long)quick,
		   (unsigned long long)late);
}

static void add_disks(struct buf *b, const struct drive *d)
{
	struct instance *disks = NULL;
	size_t n = 0;

	if (json_instances(d, FACT_DISK_NAME, FACT_DISK_UTIL, false, &disks, &n) < 0)
		b->failed = true;
	if (n)
		buf_puts(b, "\nDisk stats (read/write):\n");
	for (size_t k = 0; k < n; k++) {
		static const enum fact_id pairs[][2] = {
			{ FACT_DISK_READS, FACT_DISK_WRITES },
			{ FACT_DISK_READ_MERGES, FACT_DISK_WRITE_MERGES },
			{ FACT_DISK_READ_MS, FACT_DISK_WRITE_MS },
		};
		static const char *const names[] = { ": ios=", ", merge=", ", ticks=" };
		uint32_t i = disks[k].i;

		buf_puts(b, "  ");
		add_name(b, drive_text(d, FACT_DISK_NAME, i, 0));
		for (size_t p = 0; p < array_size(pairs); p++)
			buf_printf(b, "%s%llu/%llu", names[p],
				   (unsigned long long)or_zero(get(d, pairs[p][0], i)),
				   (unsigned long long)or_zero(get(d, pairs[p][1], i)));
		buf_printf(b, ", in_queue=%llu, util=%.2f%%\n",
			   (unsigned long long)or_zero(get(d, FACT_DISK_QUEUE_MS, i)),
			   (double)or_zero(get(d, FACT_DISK_UTIL, i)) / 1e4);
	}
	free(disks);
}

static void add_drive(struct buf *b, const struct drive *d)
{
	struct instance *runs = NULL;
	size_t n = 0;

	if (json_instances(d, FACT_READ_SOURCE, FACT_READ_LADDER_STEP, false, &runs, &n) <
	    0)
		b->failed = true;
	for (size_t k = 0; k < n; k++)
		add_head(b, d, runs[k].i);
	if (n)
		buf_puts(b, "drivewhy-" PACKAGE_VERSION "\n\n");
	for (size_t k = 0; k < n; k++)
		add_job(b, d, runs[k].i);
	for (size_t k = 0; k < n; k++)
		add_group(b, d, runs, n, k);
	if (n)
		add_disks(b, d);
	free(runs);
}

int fio_text_write(const struct report *r, const struct diag *d,
		   const struct render_options *o, struct buf *ret)
{
	(void)d;
	(void)o;
	for (size_t i = 0; i < r->the_case->n_drives; i++)
		add_drive(ret, r->the_case->drives[i]);
	add_drive(ret, &r->the_case->host);
	return buf_error(ret);
}
