/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fio's log files (--write_lat_log and its like): "time in ms, value, direction, block size, ..."
 * What the value is stands only in the name of the file: "job_clat.1.log". Latencies are in ns
 * since fio 2.99 and were in us before; where neither the columns nor the times tell which, nothing
 * is taken. A log that fio averaged (--log_avg_msec) has block size 0, and counts nothing.
 * Source: fio's HOWTO, "Log File Formats".
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "import/importers.h"
#include "import/posted.h"

#define SECTION	  "fio log"
#define MIN_LINES 3u
#define MAX_LOGS  64u

enum kind { KIND_SLAT, KIND_CLAT, KIND_LAT, KIND_BW, KIND_IOPS, KIND_UNKNOWN };

static const struct {
	const char *name;
	enum fact_id min; /* ..._MAX, ..._MEAN, ..._STDDEV follow */
} kinds[] = {
	[KIND_SLAT] = { "_slat.", FACT_READ_SLAT_MIN },
	[KIND_CLAT] = { "_clat.", FACT_READ_CLAT_MIN },
	[KIND_LAT] = { "_lat.", FACT_READ_LAT_MIN },
	[KIND_BW] = { "_bw.", FACT_READ_BW_MIN },
	[KIND_IOPS] = { "_iops.", FACT_COUNT },
};

struct entry {
	uint64_t ms, value, direction, block, fifth;
	size_t columns;
};

struct log {
	struct import *im;
	size_t first, end;
	enum kind kind;
	const char *name;
	size_t name_line;
	uint64_t unit; /* of a latency in ns */
	bool averaged;
	uint64_t *values; /* of one direction, in rising order */
	size_t n;
	uint64_t last_ms, block;
	bool same_block;
};

static bool parse(const char *s, struct entry *ret)
{
	uint64_t v[8] = { 0 };
	struct scan sc = { s };
	size_t n = 0;

	do {
		if (n == array_size(v) || !scan_u64(&sc, &v[n++])) {
			uint64_t hex;

			/* the priority may be in hex */
			if (n < 5 || n > array_size(v) || !scan_text(&sc, "0x") ||
			    str_take_u64(&sc.p, 16, &hex) < 0)
				return false;
		}
	} while (scan_text(&sc, ","));
	if (n < 4 || !scan_end(&sc) || v[2] > 2)
		return false;
	*ret = (struct entry){ v[0], v[1], v[2], v[3], n > 4 ? v[4] : 0, n };
	return true;
}

/* ---- which log ------------------------------------------------------------------------------ */

static enum kind kind_of(const char *name)
{
	for (size_t i = 0; i < array_size(kinds); i++)
		if (strstr(name, kinds[i].name) && strstr(name, "log"))
			return (enum kind)i;
	return KIND_UNKNOWN;
}

/* "==> job_lat.1.log <==", "$ head job_lat.1.log", else the file that is read. */
static void find_name(struct log *l)
{
	const struct text *t = l->im->text;

	for (size_t i = 1; i <= 2 && i <= l->first; i++) {
		l->kind = kind_of(t->lines[l->first - i].s);
		l->name = t->lines[l->first - i].s;
		l->name_line = l->first - i;
		if (l->kind != KIND_UNKNOWN)
			return;
	}
	l->name = t->file;
	l->name_line = l->first;
	l->kind = t->file ? kind_of(t->file) : KIND_UNKNOWN;
}

/*
 * 1 for ns, 1000 for us, 0 when it cannot be told. The latencies of a job that always has a request
 * under way fill its time as often as it has requests under way, 1 to some hundred times; in the
 * other unit they would fill a thousandth of it, or a thousand times as much.
 */
static uint64_t latency_unit(const struct log *l)
{
	const struct text *t = l->im->text;
	struct entry e = { 0 };
	double sum = 0, ms = 0, first = 0;
	bool offsets = false;

	for (size_t i = l->first; i < l->end; i++) {
		if (!parse(t->lines[i].s, &e))
			return 0;
		if (i == l->first)
			first = (double)e.ms;
		sum += (double)e.value;
		ms = (double)e.ms - first;
		offsets |= e.fifth != 0;
	}
	/* the priority came with 3.x: a sixth column, or a fifth that is no offset */
	if (e.columns > 5 || (e.columns == 5 && !offsets && l->end - l->first > 16))
		return 1;
	if (l->averaged || ms < 20)
		return 0;
	sum /= ms * 1e6;
	return sum > 0.3 && sum < 300 ? 1 : sum > 0.0003 && sum < 0.03 ? 1000 : 0;
}

/* ---- figures -------------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static int collect(struct log *l, uint64_t direction)
{
	const struct text *t = l->im->text;
	struct entry e;

	l->n = 0;
	l->same_block = true;
	l->block = 0;
	for (size_t i = l->first; i < l->end; i++) {
		if (!parse(t->lines[i].s, &e) || e.direction != direction)
			continue;
		if (l->n && e.block != l->block)
			l->same_block = false;
		l->block = e.block;
		l->last_ms = e.ms;
		l->values[l->n++] = e.value;
	}
	qsort(l->values, l->n, sizeof(*l->values), compare);
	return l->n > 0;
}

static void put_percentiles(const struct log *l, struct emit *e, uint32_t i)
{
	static const uint32_t wanted[] = { 1000,  5000,	 10000, 20000, 30000, 40000,
					   50000, 60000, 70000, 80000, 90000, 95000,
					   99000, 99500, 99900, 99950, 99990 };

	emit_text(e, FACT_READ_PCT_KIND, i, 0,
		  l->kind == KIND_LAT	 ? "lat"
		  : l->kind == KIND_CLAT ? "clat"
					 : "slat",
		  l->first);
	for (size_t k = 0; k < array_size(wanted); k++) {
		/* the least value that so many do not exceed */
		uint64_t rank = ((uint64_t)l->n * wanted[k] + 99999) / 100000;

		/* one request decides nothing: there must be one above it */
		if (rank && rank < l->n)
			emit_u64(e, FACT_READ_PERCENTILE, i, wanted[k],
				 l->values[rank - 1] * l->unit, l->first);
	}
}

static void put_summary(const struct log *l, struct emit *e, uint32_t i, uint64_t factor)
{
	enum fact_id min = kinds[l->kind].min;
	double sum = 0;

	for (size_t k = 0; k < l->n; k++)
		sum += (double)l->values[k];
	sum = sum / (double)l->n * (double)factor + 0.5;
	if (min == FACT_COUNT) {
		if (sum * 1000 < 1e18)
			emit_u64(e, FACT_READ_POSTED_IOPS, i, 0, (uint64_t)sum * 1000,
				 l->first);
		return;
	}
	emit_u64(e, min, i, 0, l->values[0] * factor, l->first);
	emit_u64(e, (enum fact_id)(min + 1), i, 0, l->values[l->n - 1] * factor,
		 l->first);
	if (sum < 1e18)
		emit_u64(e, (enum fact_id)(min + 2), i, 0, (uint64_t)sum, l->first);
}

static void put_counts(const struct log *l, struct emit *e, uint32_t i)
{
	uint64_t v;

	if (l->same_block && l->block)
		emit_u64(e, FACT_READ_BLOCK, i, 0, l->block, l->first);
	if (l->averaged || !l->last_ms)
		return;
	emit_u64(e, FACT_READ_IOS, i, 0, l->n, l->first);
	emit_u64(e, FACT_READ_RUNTIME, i, 0, l->last_ms, l->end - 1);
	if (muldiv_round((uint64_t)l->n * 1000, 1000, l->last_ms, &v))
		emit_u64(e, FACT_READ_IOPS, i, 0, v, l->end - 1);
}

static void put_direction(struct log *l, struct posted *p, struct emit *e, uint64_t d)
{
	static const char *const names[] = { "read", "write", "trim" };
	uint32_t i = p->runs;

	if (!collect(l, d) || l->values[l->n - 1] > UINT64_MAX / 1024 / 1000)
		return;
	p->runs++;
	emit_text(e, FACT_READ_SOURCE, i, 0, "fio log", l->first);
	emit_text(e, FACT_READ_TITLE, i, 0, l->name, l->name_line);
	emit_text(e, FACT_READ_DIRECTION, i, 0, names[d], l->first);
	put_counts(l, e, i);
	if (l->kind == KIND_BW || l->kind == KIND_IOPS) {
		if (l->averaged || l->kind == KIND_BW)
			put_summary(l, e, i, l->kind == KIND_BW ? 1024 : 1);
		return;
	}
	put_summary(l, e, i, l->unit);
	/* averages have no percentiles */
	if (!l->averaged)
		put_percentiles(l, e, i);
}

static void say(const struct log *l, const char *what)
{
	const struct text *t = l->im->text;

	diag_add(l->im->diag, DIAG_NOTE, t->file, t->lines[l->first].number,
		 "fio log: %s", what);
}

/* One log; false when nothing of it could be taken. */
static bool read_one(struct log *l, struct posted *p)
{
	struct entry e = { 0 };
	struct emit *to = posted_on(p, NULL, l->first);

	find_name(l);
	l->averaged = parse(l->im->text->lines[l->first].s, &e) && e.block == 0;
	l->unit = 1;
	if (l->kind <= KIND_LAT)
		l->unit = latency_unit(l);
	if (l->kind == KIND_UNKNOWN)
		say(l, "what it logs stands only in the name of its file, such as "
		       "job_lat.1.log: keep that name, or put it above");
	else if (!l->unit)
		say(l,
		    "whether its times are in ns (fio 3) or us (fio 2) cannot be told: "
		    "left out");
	if (!to || l->kind == KIND_UNKNOWN || !l->unit)
		return false;
	for (uint64_t d = 0; d < 3; d++)
		put_direction(l, p, to, d);
	return true;
}

/* Lines of one log: the same columns, times that do not fall. */
static size_t find_end(const struct text *t, size_t first)
{
	struct entry before, e;
	size_t i = first;

	if (!parse(t->lines[first].s, &before))
		return first;
	for (i = first + 1; i < t->n; i++) {
		if (t->lines[i].cut || t->lines[i].state != LINE_OPEN ||
		    !parse(t->lines[i].s, &e) || e.columns != before.columns ||
		    e.ms < before.ms)
			break;
		before = e;
	}
	return i;
}

static int read_log(struct import *im)
{
	struct posted p = { .im = im, .item = "facts/fio-log" };
	struct text *t = im->text;
	uint64_t *values = NULL;

	for (size_t i = 0; i < t->n && p.runs < MAX_LOGS;) {
		struct log l = { .im = im, .first = i, .end = i };

		if (t->lines[i].state == LINE_OPEN && t->lines[i].len)
			l.end = find_end(t, i);
		if (l.end < i + MIN_LINES) {
			i++;
			continue;
		}
		if (!values)
			values = malloc(t->n * sizeof(*values));
		if (!values)
			return -ENOMEM;
		l.values = values;
		if (read_one(&l, &p) && l.name_line != l.first &&
		    t->lines[l.name_line].state == LINE_OPEN)
			text_claim(t, l.name_line, LINE_READ, SECTION);
		for (; i < l.end; i++)
			text_claim(t, i, LINE_READ, SECTION);
	}
	free(values);
	return posted_done(&p);
}

const struct importer importer_fio_log = {
	.name = "fio-log",
	.describe = "fio's log files of latencies, bandwidth and rate, by their names",
	.read = read_log,
};
