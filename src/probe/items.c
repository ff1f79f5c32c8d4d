/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/items.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"

#define LINE_MAX_BYTES 100u
/* Enough to see bursts; all 4096 would make a mail of it. */
#define SERIES_MAX 2000u
#define SERIES_FEW 500u

static void put(struct buf *b, const char *key, uint64_t value)
{
	buf_printf(b, "%s %llu\n", key, (unsigned long long)value);
}

static void put_text(struct buf *b, const char *key, const char *value)
{
	buf_printf(b, "%s ", key);
	str_add_escaped(b, value, 200);
	buf_putc(b, '\n');
}

/* Many numbers under one key, a new line when one is full. */
struct row {
	struct buf *b;
	const char *key;
	size_t start;
};

static void row_add(struct row *r, const char *word)
{
	if (r->start && r->b->len - r->start + strlen(word) > LINE_MAX_BYTES) {
		buf_putc(r->b, '\n');
		r->start = 0;
	}
	if (!r->start) {
		r->start = r->b->len;
		buf_puts(r->b, r->key);
	}
	buf_printf(r->b, " %s", word);
}

static void row_end(struct row *r)
{
	if (r->start)
		buf_putc(r->b, '\n');
}

static void put_histogram(struct buf *b, const char *key, const struct histogram *h)
{
	struct row row = { .b = b, .key = key };

	for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
		char word[48];

		if (!h->count[i])
			continue;
		(void)snprintf(word, sizeof(word), "%llu:%u",
			       (unsigned long long)histogram_index_value(i),
			       (unsigned)h->count[i]);
		row_add(&row, word);
	}
	row_end(&row);
}

void items_put_disk(struct buf *b, const char *name, const struct disk_counts *d)
{
	buf_printf(b,
		   "disk %s reads %llu read_merges %llu read_sectors %llu read_ms %llu "
		   "writes %llu write_merges %llu write_sectors %llu write_ms %llu "
		   "busy_ms %llu queue_ms %llu took_ns %llu\n",
		   name ? name : "-", (unsigned long long)d->reads,
		   (unsigned long long)d->read_merges,
		   (unsigned long long)d->read_sectors, (unsigned long long)d->read_ms,
		   (unsigned long long)d->writes, (unsigned long long)d->write_merges,
		   (unsigned long long)d->write_sectors, (unsigned long long)d->write_ms,
		   (unsigned long long)d->busy_ms, (unsigned long long)d->queue_ms,
		   (unsigned long long)d->at_ns);
}

/* ---- a phase ---- */

static void put_job(struct buf *b, const struct plan *p, const struct phase *f)
{
	const struct probe_job *j = &f->job;

	put_text(b, "target", p->target->name);
	put_text(b, "pattern", j->pattern == JOB_SEQUENTIAL ? "read" : "randread");
	put(b, "block", j->block_min);
	put(b, "depth", j->depth);
	/* what the kernel makes of each: it splits what the disk does not take at once */
	put(b, "pieces",
	    p->target->most_bytes ? (j->block_min - 1) / p->target->most_bytes + 1 : 1);
	put(b, "start", j->start);
	put(b, "size", j->size ? j->size : p->target->stored - j->start);
	if (j->pattern == JOB_ZONES)
		put(b, "zones", j->zones);
	if (j->gap_ns)
		put(b, "gap_ns", j->gap_ns);
	put_text(b, "engine", job_engine_name(f->result.engine));
	put(b, "direct", p->target->direct);
	put_text(b, "cache", phase_cache_name(f->cache));
	if (p->target->compressed)
		put(b, "compressed", 1);
}

void items_put_errors(struct buf *b, const struct job_result *r)
{
	put(b, "bad", r->n_errors);
	for (uint64_t i = 0; i < r->n_errors && i < JOB_ERRORS; i++)
		buf_printf(b, "bad_at %llu %llu %d\n",
			   (unsigned long long)r->errors[i].offset,
			   (unsigned long long)r->errors[i].bytes, r->errors[i].error);
	if (r->end == JOB_HANGS)
		buf_printf(b, "hang %llu %llu\n", (unsigned long long)r->hang_offset,
			   (unsigned long long)r->hang_ns);
}

static void put_level(struct buf *b, const char *key, const struct stalls_level *l)
{
	buf_printf(b,
		   "%s above_ns %llu ios %llu events %llu time_ns %llu longest_ns %llu\n",
		   key, (unsigned long long)l->above_ns, (unsigned long long)l->n_ios,
		   (unsigned long long)l->n_events, (unsigned long long)l->time_ns,
		   (unsigned long long)l->longest_ns);
}

static void put_decision(struct buf *b, const struct phase *f)
{
	static const char *const names[] = {
		[SEQUENTIAL_OPEN] = "open",
		[SEQUENTIAL_OK] = "ok",
		[SEQUENTIAL_SLOW] = "slow",
		[SEQUENTIAL_UNDECIDED] = "undecided",
	};
	const struct sequential *s = &f->result.sequential;

	if (!f->job.stop.decide)
		return;
	buf_printf(b, "decision %s limit_ns %llu reads %llu slow %llu runs %llu\n",
		   names[s->verdict], (unsigned long long)s->limit_ns,
		   (unsigned long long)s->n, (unsigned long long)s->n_slow,
		   (unsigned long long)s->n_runs);
}

void items_put_figures(struct buf *b, const struct job_result *r)
{
	double mean, deviation;

	put_text(b, "end", job_end_name(r->end));
	if (r->error)
		put(b, "error", (uint64_t)r->error);
	put(b, "ios", r->ios);
	put(b, "bytes", r->bytes);
	put(b, "short", r->n_short);
	put(b, "runtime_ns", r->runtime_ns);
	buf_printf(
		b,
		"cpu user_us %llu system_us %llu switches %llu major %llu minor %llu\n",
		(unsigned long long)r->user_us, (unsigned long long)r->system_us,
		(unsigned long long)r->switches, (unsigned long long)r->major_faults,
		(unsigned long long)r->minor_faults);
	if (!histogram_mean(&r->lat, &mean, &deviation))
		return;
	buf_printf(b, "latency min_ns %llu max_ns %llu mean_ns %.0f stddev_ns %.0f\n",
		   (unsigned long long)r->lat.min_ns, (unsigned long long)r->lat.max_ns,
		   mean, deviation);
	put_histogram(b, "histogram", &r->lat);
	put_histogram(b, "blank", &r->zero);
}

/* In order, the last ones: bursts are seen in them. */
static void put_series(struct buf *b, const struct job_result *r, uint64_t max)
{
	uint64_t n = r->lat.n_total, k;
	struct row row = { .b = b, .key = "series" };

	k = n < max ? n : max;
	for (uint64_t i = n - k; i < n; i++) {
		char word[24];

		(void)snprintf(
			word, sizeof(word), "%llu",
			(unsigned long long)r->samples[i % JOB_SAMPLES].latency_ns);
		row_add(&row, word);
	}
	row_end(&row);
}

static void put_windows(struct buf *b, const struct phase *f)
{
	for (uint32_t i = 0; i < f->result.n_windows; i++) {
		const struct job_window *w = &f->result.windows[i];

		buf_printf(b,
			   "window %u ios %u slow %u marked %u bytes %llu slow_ns %llu "
			   "longest_ns %llu%s\n",
			   i, w->ios, w->slow, w->marked, (unsigned long long)w->bytes,
			   (unsigned long long)w->slow_ns,
			   (unsigned long long)w->longest_ns,
			   !f->has_errors ? ""
			   : f->moved[i]  ? " moved 1"
					  : " moved 0");
	}
	if (f->has_errors)
		put(b, "link_errors", f->errors);
}

static void put_zones(struct buf *b, const struct phase *f)
{
	for (uint32_t z = 0; f->job.pattern == JOB_ZONES && z < f->job.zones; z++) {
		buf_printf(b, "zone %u blank %u", z, f->result.zone_zero[z]);
		for (uint32_t i = 0; i < f->result.zone_n[z]; i++)
			buf_printf(b, " %u", f->result.zone_ns[z][i]);
		buf_putc(b, '\n');
	}
}

static int add_phase(const struct plan *p, const struct phase *f, struct capture *c,
		     struct cap_snapshot *s)
{
	struct buf b cleanup_buf = { 0 }, id cleanup_buf = { 0 };

	put_job(&b, p, f);
	items_put_figures(&b, &f->result);
	items_put_errors(&b, &f->result);
	put_decision(&b, f);
	put_level(&b, "stalls", &f->result.stalls.stall);
	put_level(&b, "slow", &f->result.stalls.slow);
	put_windows(&b, f);
	put_zones(&b, f);
	put_series(&b, &f->result, f->job.stop.decide ? SERIES_MAX : SERIES_FEW);
	if (f->has_disk)
		items_put_disk(&b, p->target->disk, &f->disk);
	if (str_equal(f->name, "link-burst"))
		put_text(&b, "from",
			 !p->known.rotating	? "medium"
			 : p->burst_from_buffer ? "buffer"
						: "unknown");
	buf_printf(&id, "probe/%s", f->name);
	if (buf_error(&b) < 0 || buf_error(&id) < 0)
		return -ENOMEM;
	return capture_add_item(c, s, buf_text(&id),
				f->result.ios || f->result.end < JOB_FAILED ? CAP_OK
									    : CAP_FAILED,
				buf_span(&b))
		       ? 0
		       : -ENOMEM;
}

/* ---- before the phases ---- */

static int add_preflight(const struct plan *p, struct capture *c, struct cap_snapshot *s)
{
	struct buf b cleanup_buf = { 0 };
	const struct preflight *f = &p->preflight;
	enum cap_status status = f->done ? CAP_OK : CAP_SKIPPED;

	put_text(&b, "target", p->target->name);
	if (p->refusal != PLAN_ALLOWED)
		put_text(&b, "refused", plan_refusal_text(p->refusal));
	if (f->watched)
		items_put_disk(&b, p->target->disk, &f->load);
	for (size_t i = 0; i < f->n_users; i++) {
		buf_printf(&b, "user %llu read %llu written %llu ",
			   (unsigned long long)f->users[i].pid,
			   (unsigned long long)f->users[i].read_bytes,
			   (unsigned long long)f->users[i].written_bytes);
		str_add_escaped(&b, f->users[i].name, 64);
		buf_putc(&b, '\n');
	}
	if (f->watched)
		put(&b, "all_seen", f->all_seen);
	for (size_t i = 0; i < f->n_layers; i++)
		put_text(&b, "layer", f->layers[i]);
	if (f->resync)
		put_text(&b, "resync", f->resync);
	if (p->force)
		put(&b, "forced", 1);
	if (buf_error(&b) < 0)
		return -ENOMEM;
	return capture_add_item(c, s, "probe/preflight", status, buf_span(&b)) ? 0
									       : -ENOMEM;
}

int items_add(const struct plan *p, struct capture *c, struct cap_snapshot *s)
{
	int r = add_preflight(p, c, s);

	for (size_t i = 0; r == 0 && i < p->n_phases; i++)
		r = add_phase(p, p->phases[i], c, s);
	return r;
}
