/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "decode/probe-text.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"

#define LINE_MAX_LEN 65536u

/* One line: its first word is cut off, S is what follows. */
struct line {
	struct probe_text *to;
	const char *s;
};

static bool take_number(const char **s, uint64_t *ret)
{
	*s += strspn(*s, " ");
	return str_take_u64(s, 10, ret) == 0;
}

/* "name 123" anywhere in the line; absent is 0. */
static bool pair(const struct line *l, const char *name, uint64_t *ret)
{
	size_t len = strlen(name);

	for (const char *s = l->s; (s = strstr(s, name)); s += len) {
		const char *value = s + len;

		if ((s == l->s || s[-1] == ' ') && *value == ' ' &&
		    take_number(&value, ret))
			return true;
	}
	return false;
}

static bool take_word(const char *s, char *ret)
{
	size_t len = strcspn(s, " ");

	if (!len || len >= PROBE_WORD)
		return false;
	memcpy(ret, s, len);
	ret[len] = 0;
	return true;
}

/* The rest of the line, its escapes undone. */
static bool take_text(const char *s, char *ret)
{
	struct buf b cleanup_buf = { 0 };

	if (str_add_unescaped(&b, s, strlen(s)) < 0 || b.len >= PROBE_WORD || !b.len)
		return false;
	memcpy(ret, buf_text(&b), b.len + 1);
	return true;
}

static bool read_counts(const struct line *l, struct histogram *h)
{
	for (const char *s = l->s;;) {
		uint64_t ns, n;

		s += strspn(s, " ");
		if (!*s)
			return true;
		if (!take_number(&s, &ns) || *s++ != ':' || !take_number(&s, &n) ||
		    n > UINT32_MAX)
			return false;
		histogram_add_many(h, ns, n);
	}
}

static bool read_histogram(struct line *l)
{
	return read_counts(l, &l->to->histogram);
}

static bool read_blank(struct line *l)
{
	return read_counts(l, &l->to->blank);
}

static bool read_series(struct line *l)
{
	const char *s = l->s;
	uint64_t ns;

	while (take_number(&s, &ns))
		if (l->to->n_series < PROBE_SERIES)
			l->to->series[l->to->n_series++] = ns;
	return !*s;
}

static bool read_zone(struct line *l)
{
	uint64_t zone, blank, one;
	const char *s = l->s;
	size_t n = 0;

	if (!take_number(&s, &zone) || zone >= PROBE_ZONES)
		return false;
	s += strspn(s, " ");
	s = str_after(s, "blank ");
	if (!s || !take_number(&s, &blank))
		return false;
	while (n < PROBE_ROUNDS && take_number(&s, &one))
		l->to->zone_ns[zone][n++] = (double)one;
	if (zone >= l->to->n_zones)
		l->to->n_zones = zone + 1;
	return true;
}

/* Windows in which nothing came back say nothing. */
static bool read_window(struct line *l)
{
	struct fisher_table *t = &l->to->windows;
	uint64_t ios = 0, slow = 0, moved;

	if (!pair(l, "ios", &ios) || !pair(l, "slow", &slow))
		return false;
	if (!pair(l, "moved", &moved) || !ios)
		return true;
	l->to->has_windows = true;
	++*(slow ? (moved ? &t->a : &t->b) : (moved ? &t->c : &t->d));
	return true;
}

static bool read_level(const struct line *l, struct probe_level *to)
{
	return pair(l, "above_ns", &to->above_ns) && pair(l, "ios", &to->ios) &&
	       pair(l, "events", &to->events) && pair(l, "time_ns", &to->time_ns) &&
	       pair(l, "longest_ns", &to->longest_ns);
}

static bool read_stalls(struct line *l)
{
	return read_level(l, &l->to->stalls);
}

static bool read_slow(struct line *l)
{
	return read_level(l, &l->to->slow);
}

static bool read_latency(struct line *l)
{
	return pair(l, "min_ns", &l->to->latency.min_ns) &&
	       pair(l, "max_ns", &l->to->latency.max_ns) &&
	       pair(l, "mean_ns", &l->to->latency.mean_ns) &&
	       pair(l, "stddev_ns", &l->to->latency.stddev_ns);
}

static bool read_cpu(struct line *l)
{
	return pair(l, "user_us", &l->to->cpu.user_us) &&
	       pair(l, "system_us", &l->to->cpu.system_us) &&
	       pair(l, "switches", &l->to->cpu.switches) &&
	       /* older captures have no page faults */
	       (!pair(l, "major", &l->to->cpu.major) ||
		pair(l, "minor", &l->to->cpu.minor));
}

static bool read_decision(struct line *l)
{
	return take_word(l->s, l->to->decision) &&
	       pair(l, "limit_ns", &l->to->limit_ns) && pair(l, "slow", &l->to->n_slow);
}

static bool read_bad_at(struct line *l)
{
	struct probe_text *t = l->to;
	const char *s = l->s;
	uint64_t offset, bytes, error;

	if (!take_number(&s, &offset) || !take_number(&s, &bytes) ||
	    !take_number(&s, &error))
		return false;
	if (t->n_bad_at == PROBE_BAD)
		return true;
	t->bad[t->n_bad_at].offset = offset;
	t->bad[t->n_bad_at].bytes = bytes;
	t->bad[t->n_bad_at++].error = error;
	return true;
}

static bool read_hang(struct line *l)
{
	const char *s = l->s;

	l->to->hangs =
		take_number(&s, &l->to->hang_offset) && take_number(&s, &l->to->hang_ns);
	return l->to->hangs;
}

static bool read_disk(struct line *l)
{
	struct probe_disk *d = &l->to->disk;
	const struct {
		const char *name;
		uint64_t *to;
	} rows[] = {
		{ "reads", &d->reads },
		{ "read_merges", &d->read_merges },
		{ "read_sectors", &d->read_sectors },
		{ "read_ms", &d->read_ms },
		{ "writes", &d->writes },
		{ "write_merges", &d->write_merges },
		{ "write_sectors", &d->write_sectors },
		{ "write_ms", &d->write_ms },
		{ "busy_ms", &d->busy_ms },
		{ "queue_ms", &d->queue_ms },
		{ "took_ns", &d->took_ns },
	};
	bool good = take_word(l->s, d->name);

	for (size_t i = 0; i < array_size(rows); i++)
		good &= pair(l, rows[i].name, rows[i].to);
	d->set = good;
	return good;
}

/* "2714 read 69632 written 954368 make" as a person says it */
static bool read_user(struct line *l)
{
	struct probe_text *t = l->to;
	uint64_t pid, bytes[2];
	char name[PROBE_WORD];
	const char *s = l->s;

	if (!take_number(&s, &pid) || !(s = str_after(s, " read ")) ||
	    !take_number(&s, &bytes[0]) || !(s = str_after(s, " written ")) ||
	    !take_number(&s, &bytes[1]) || *s++ != ' ' || !take_text(s, name))
		return false;
	if (t->n_users < PROBE_TEXTS)
		(void)snprintf(t->users[t->n_users++], PROBE_WORD,
			       "%.64s (process %llu) read %llu and wrote %llu KiB", name,
			       (unsigned long long)pid,
			       (unsigned long long)bytes[0] / 1024,
			       (unsigned long long)bytes[1] / 1024);
	return true;
}

static bool read_layer(struct line *l)
{
	struct probe_text *t = l->to;

	if (t->n_layers == PROBE_TEXTS)
		return true;
	return take_text(l->s, t->layers[t->n_layers]) && ++t->n_layers;
}

static bool read_link_errors(struct line *l)
{
	const char *s = l->s;

	l->to->has_link_errors = take_number(&s, &l->to->link_errors);
	return l->to->has_link_errors;
}

/* Lines of their own shape. */
static const struct {
	const char *key;
	bool (*read)(struct line *l);
} shapes[] = {
	{ "histogram", read_histogram },
	{ "blank", read_blank },
	{ "series", read_series },
	{ "zone", read_zone },
	{ "window", read_window },
	{ "stalls", read_stalls },
	{ "slow", read_slow },
	{ "latency", read_latency },
	{ "cpu", read_cpu },
	{ "decision", read_decision },
	{ "bad_at", read_bad_at },
	{ "hang", read_hang },
	{ "disk", read_disk },
	{ "user", read_user },
	{ "layer", read_layer },
	{ "link_errors", read_link_errors },
};

static bool read_number(struct probe_text *t, const char *key, const char *s)
{
	const struct {
		const char *key;
		uint64_t *to;
	} rows[] = {
		{ "block", &t->block },
		{ "block_max", &t->block_max },
		{ "depth", &t->depth },
		{ "pieces", &t->pieces },
		{ "start", &t->start },
		{ "size", &t->size },
		{ "gap_ns", &t->gap_ns },
		{ "direct", &t->direct },
		{ "compressed", &t->compressed },
		{ "all_seen", &t->all_seen },
		{ "forced", &t->forced },
		{ "error", &t->error },
		{ "ios", &t->ios },
		{ "bytes", &t->bytes },
		{ "short", &t->n_short },
		{ "runtime_ns", &t->runtime_ns },
		{ "bad", &t->n_bad },
		{ "zones", &t->n_zones },
		{ "group", &t->group },
		{ "jobs", &t->jobs },
	};

	for (size_t i = 0; i < array_size(rows); i++)
		if (str_equal(key, rows[i].key))
			return take_number(&s, rows[i].to);
	return false;
}

static bool read_words(struct probe_text *t, const char *key, const char *s)
{
	const struct {
		const char *key;
		char *to;
	} rows[] = {
		{ "target", t->target },   { "pattern", t->pattern },
		{ "engine", t->engine },   { "cache", t->cache },
		{ "end", t->end },	   { "from", t->from },
		{ "refused", t->refused }, { "resync", t->resync },
		{ "title", t->title },
	};

	for (size_t i = 0; i < array_size(rows); i++)
		if (str_equal(key, rows[i].key))
			return take_text(s, rows[i].to);
	return false;
}

static bool read_line(struct probe_text *t, char *text)
{
	char *space = strchr(text, ' ');
	struct line l = { .to = t };

	if (!space)
		return false;
	*space = 0;
	l.s = space + 1;
	for (size_t i = 0; i < array_size(shapes); i++)
		if (str_equal(text, shapes[i].key))
			return shapes[i].read(&l);
	return read_number(t, text, l.s) || read_words(t, text, l.s);
}

void probe_text_read(struct span body, struct probe_text *ret)
{
	const char *s = (const char *)body.data, *end = s + body.len;

	memset(ret, 0, sizeof(*ret));
	while (s < end) {
		const char *stop = memchr(s, '\n', (size_t)(end - s));
		size_t len = (size_t)((stop ? stop : end) - s);
		struct buf line cleanup_buf = { 0 };

		if (len < LINE_MAX_LEN)
			buf_add(&line, s, len);
		if (!line.len || !read_line(ret, line.data))
			ret->lines_left_out += len > 0;
		s += len + 1;
	}
	if (ret->n_zones > PROBE_ZONES)
		ret->n_zones = PROBE_ZONES;
}
