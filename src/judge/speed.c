/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "judge/speed.h"

#include "base/str.h"

/* Smaller blocks at depth 1 measure the round trip, not the medium. */
#define STREAM_BLOCK 65536u

static const struct fact *at(const struct drive *d, enum fact_id id,
			     const struct fact *run)
{
	return drive_fact_at(d, id, run->key.i, 0, run->snapshot);
}

static bool is_stream(const struct drive *d, const struct fact *run, const char *pattern)
{
	const struct fact *p = at(d, FACT_READ_PATTERN, run);
	const struct fact *block = at(d, FACT_READ_BLOCK, run);
	const struct fact *depth = at(d, FACT_READ_DEPTH, run);

	if (p && !str_equal(p->text, pattern) && !str_equal(p->text, "rw"))
		return false;
	return !block || block->u * (depth && depth->u ? depth->u : 1) >= STREAM_BLOCK;
}

static void take(struct rate *best, struct rate *worst, struct rate r)
{
	if (!best->fact || r.bytes_s > best->bytes_s)
		*best = r;
	if (!worst->fact || r.bytes_s < worst->bytes_s)
		*worst = r;
}

static void take_run(struct speed_view *v, const struct drive *d, const struct fact *run)
{
	const struct fact *bw = at(d, FACT_READ_BANDWIDTH, run);
	const struct fact *title = at(d, FACT_READ_TITLE, run);
	bool write = str_equal(run->text, "write");
	struct rate r;

	if (!bw)
		bw = at(d, FACT_READ_POSTED_BW, run);
	if (!bw || !bw->u || !is_stream(d, run, write ? "write" : "read"))
		return;
	r = (struct rate){ bw, bw->u, title ? title->text : NULL };
	if (write) {
		take(&v->write_best, &v->write_worst, r);
		v->n_writes++;
	} else if (str_equal(run->text, "read")) {
		take(&v->read_best, &v->read_worst, r);
		v->n_reads++;
	}
}

static void take_flush(struct speed_view *v, const struct drive *d)
{
	size_t n;
	const struct fact *f = drive_facts(d, FACT_READ_SYNC_P99, &n);

	if (!n)
		f = drive_facts(d, FACT_READ_SYNC_MEAN, &n);
	for (size_t i = 0; i < n; i++) {
		if (f[i].u <= v->flush_ns)
			continue;
		v->flush = &f[i];
		v->flush_ns = f[i].u;
	}
}

static void take_drive(struct speed_view *v, const struct drive *d)
{
	size_t n;
	const struct fact *runs = drive_facts(d, FACT_READ_DIRECTION, &n);

	for (size_t i = 0; i < n; i++)
		take_run(v, d, &runs[i]);
	take_flush(v, d);
}

struct speed_view speed_look(const struct judge *j)
{
	struct speed_view v = { 0 };

	take_drive(&v, j->d);
	if (j->the_case->n_drives == 1)
		take_drive(&v, &j->the_case->host);
	return v;
}

bool speed_is_times(const struct rate *a, const struct rate *b, unsigned factor)
{
	return a->fact && b->fact && a->bytes_s / factor >= b->bytes_s;
}

const char *speed_text(struct judge *j, uint64_t bytes_s)
{
	if (bytes_s < 1000000)
		return judge_text(j, "%llu KB/s", (unsigned long long)(bytes_s / 1000));
	return judge_text(j, "%llu.%llu MB/s", (unsigned long long)(bytes_s / 1000000),
			  (unsigned long long)(bytes_s % 1000000 / 100000));
}

void speed_for(struct judge *j, struct finding *f, const struct rate *r, const char *what)
{
	if (r->fact)
		judge_for(j, f, SIDE_MEASURED, r->fact, "%s at %s%s%s", what,
			  speed_text(j, r->bytes_s), r->title ? ", job " : "",
			  r->title ? r->title : "");
}
