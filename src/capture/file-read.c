/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading a capture file. The same code runs twice over the text: first with no capture, which
 * validates and counts everything, then with one, where only memory can still fail.
 */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "capture/file.h"
#include "capture/reader.h"

#define DRIVE_NUMBER_MAX 65535u

static int expect_end_of_line(struct reader *r, struct word rest)
{
	struct word w = { 0 };

	return reader_take_word(&rest, &w)
		       ? reader_expected(r, w, "the end of the line expected")
		       : 0;
}

/* ---- subject host, subject drive N ---- */

static int read_drive_number(struct reader *r, struct word w, uint32_t *ret)
{
	uint64_t n = 0;

	if (r->seen.drives_before > UINT32_MAX - DRIVE_NUMBER_MAX)
		return reader_too_much(r, "drive numbers beyond %u", UINT32_MAX);
	if (word_to_number(w, &n) < 0 || n <= r->seen.drive || n > DRIVE_NUMBER_MAX)
		return reader_expected(r, w, "a drive number from %u to %u expected",
				       r->seen.drive + 1, DRIVE_NUMBER_MAX);
	r->seen.drive = *ret = (uint32_t)n;
	return 0;
}

static int take_subject(struct reader *r, enum cap_kind kind, uint32_t number)
{
	r->seen.subject = true;
	r->seen.snapshots_here = 0;
	if (!r->capture)
		return 0;
	r->subject = capture_add_subject(r->capture, kind);
	if (!r->subject)
		return -ENOMEM;
	if (kind == CAP_DRIVE)
		r->subject->number = r->seen.drives_before + number;
	return 0;
}

static int read_subject(struct reader *r, struct word rest)
{
	struct word kind = reader_next_word(&rest);
	uint32_t number = 0;
	bool host = reader_word_is(kind, "host");
	int k = 0;

	if (!host && !reader_word_is(kind, "drive"))
		return reader_expected(r, kind, "'host' or 'drive' expected");
	if (host && r->seen.host)
		return reader_fail(r, "a second 'subject host'");
	r->seen.host |= host;
	if (!host)
		k = read_drive_number(r, reader_next_word(&rest), &number);
	if (k == 0)
		k = expect_end_of_line(r, rest);
	if (k == 0 && r->seen.subjects++ >= CAP_MAX_SUBJECTS)
		k = reader_too_much(r, "more than %u subjects", CAP_MAX_SUBJECTS);
	if (k == 0)
		k = take_subject(r, host ? CAP_HOST : CAP_DRIVE, number);
	return k < 0 ? k : reader_next(r);
}

/* ---- snapshot N role=... ---- */

struct snapshot_head {
	bool has_role, has_time, has_source;
	enum cap_role role;
	int64_t taken_ms;
	struct word source;
};

static int read_role(struct reader *r, struct word w, struct snapshot_head *h)
{
	for (int i = CAP_BEFORE; i <= CAP_BASELINE; i++) {
		if (!reader_word_is(w, cap_role_name((enum cap_role)i)))
			continue;
		h->role = (enum cap_role)i;
		h->has_role = true;
		return 0;
	}
	return reader_expected(r, w,
			       "role before, during, after, import or baseline expected");
}

/* Seconds, with or without three digits of milliseconds. */
static int read_time(struct reader *r, struct word w, struct snapshot_head *h)
{
	bool minus = w.len && w.s[0] == '-';
	struct word seconds = { w.s + minus, w.len - minus };
	const char *dot = memchr(seconds.s, '.', seconds.len);
	struct word fraction = { NULL, 0 };
	uint64_t s = 0, ms = 0;
	bool bad;

	if (dot) {
		size_t n = (size_t)(dot - seconds.s);

		fraction = (struct word){ dot + 1, seconds.len - n - 1 };
		seconds.len = n;
	}
	bad = word_to_number(seconds, &s) < 0 || s >= INT64_MAX / 1000;
	if (dot)
		bad |= fraction.len != 3 || word_to_number(fraction, &ms) < 0;
	if (bad)
		return reader_expected(r, w,
				       "seconds since 1970, as 1764525076.120, expected");
	h->taken_ms = (int64_t)(s * 1000 + ms) * (minus ? -1 : 1);
	h->has_time = true;
	return 0;
}

static int read_source(struct reader *r, struct word w, struct snapshot_head *h)
{
	int k = reader_unescape(r, w);

	if (k == 0 && r->word.len > CAP_MAX_HEAD)
		k = reader_too_much(r, "a source longer than %u bytes", CAP_MAX_HEAD);
	h->source = w;
	h->has_source = true;
	return k;
}

static int read_snapshot_word(struct reader *r, struct word w, struct snapshot_head *h)
{
	struct word name = { 0 }, value = { 0 };

	if (!word_split(w, &name, &value))
		return reader_expected(r, w, "name=value expected");
	if (reader_word_is(name, "role") && !h->has_role)
		return read_role(r, value, h);
	if (reader_word_is(name, "taken") && !h->has_time)
		return read_time(r, value, h);
	if (reader_word_is(name, "source") && !h->has_source)
		return read_source(r, value, h);
	return reader_expected(r, w, "role=, taken= and source= once each expected");
}

static int take_snapshot(struct reader *r, const struct snapshot_head *h)
{
	const char *source = NULL;
	int k;

	if (!r->capture)
		return 0;
	if (h->has_source) {
		k = reader_unescape(r, h->source);
		if (k < 0)
			return k;
		source = buf_text(&r->word);
	}
	r->snapshot = capture_add_snapshot(r->capture, r->subject, h->role, source);
	if (!r->snapshot)
		return -ENOMEM;
	r->snapshot->has_time = h->has_time;
	r->snapshot->taken_ms = h->taken_ms;
	return 0;
}

static int read_snapshot(struct reader *r, struct word rest)
{
	struct word w = reader_next_word(&rest);
	struct snapshot_head h = { 0 };
	uint64_t n = 0;
	int k = 0;

	if (!r->seen.subject)
		return reader_fail(r, "a snapshot before any subject");
	if (word_to_number(w, &n) < 0 || n != r->seen.snapshots_here + 1)
		return reader_expected(r, w, "snapshot number %zu expected",
				       r->seen.snapshots_here + 1);
	while (k == 0 && reader_take_word(&rest, &w))
		k = read_snapshot_word(r, w, &h);
	if (k == 0 && !h.has_role)
		k = reader_fail(r, "a snapshot without role=");
	if (k == 0 && r->seen.snapshots++ >= CAP_MAX_SNAPSHOTS)
		k = reader_too_much(r, "more than %u snapshots", CAP_MAX_SNAPSHOTS);
	r->seen.snapshots_here++;
	if (k == 0)
		k = take_snapshot(r, &h);
	return k < 0 ? k : reader_next(r);
}

/* ---- the file ---- */

static int read_end(struct reader *r, struct word rest)
{
	int k = expect_end_of_line(r, rest);

	if (k == 0)
		k = reader_next(r);
	if (k > 0) {
		r->cut = false;
		k = reader_expected(r, r->line, "nothing more expected behind 'end'");
	}
	return k;
}

static bool take_version(struct reader *r, struct word *ret)
{
	struct word rest = r->line, w = { 0 };

	if (!reader_take_word(&rest, &w) || !reader_word_is(w, "capture") ||
	    !reader_take_word(&rest, &w) || !str_is_digit(w.s[0]))
		return false;
	*ret = w;
	return !reader_take_word(&rest, &w);
}

static int start(struct reader *r)
{
	if (!r->text.len)
		return 0;
	if (r->text.len >= 3 && memcmp(r->text.data, "\xef\xbb\xbf", 3) == 0)
		r->next = 3; /* a byte order mark, as some editors write it */
	return reader_next(r);
}

bool capture_file_is(struct span text)
{
	struct reader r = { .text = text };
	struct word version = { 0 };

	return start(&r) > 0 && take_version(&r, &version);
}

static int read_version(struct reader *r)
{
	struct word version = { 0 };
	bool cut;
	int k = start(r);

	if (k < 0)
		return k;
	cut = r->cut;
	r->cut = false;
	if (k == 0 || !take_version(r, &version))
		return reader_expected(r, r->line, "'capture 1' expected");
	if (!reader_word_is(version, "1"))
		return reader_expected(r, version, "version 1 of the format expected");
	r->cut = cut;
	return reader_next(r);
}

static int read_file(struct reader *r)
{
	static const struct {
		const char *keyword;
		int (*read)(struct reader *r, struct word rest);
	} rows[] = {
		{ "item", reader_take_item },
		{ "snapshot", read_snapshot },
		{ "subject", read_subject },
	};
	int k = read_version(r);

	while (k > 0) {
		struct word rest = r->line, w = reader_next_word(&rest);
		size_t i = 0;

		if (reader_word_is(w, "end"))
			return read_end(r, rest);
		while (i < array_size(rows) && !reader_word_is(w, rows[i].keyword))
			i++;
		if (i == array_size(rows) && reader_is_body(r->line))
			return reader_fail(r, "a line of a body before any item");
		if (i == array_size(rows))
			return reader_expected(r, w,
					       "'subject', 'snapshot', 'item', 'end' or "
					       "a line of a body expected");
		k = rows[i].read(r, rest);
	}
	return k < 0 ? k : reader_cut(r);
}

static uint32_t last_drive(const struct capture *c)
{
	uint32_t last = 0;

	for (size_t i = 0; i < c->n_subjects; i++)
		if (c->subjects[i].number > last)
			last = c->subjects[i].number;
	return last;
}

static struct cap_subject *find_host(const struct capture *c)
{
	for (size_t i = 0; i < c->n_subjects; i++)
		if (c->subjects[i].kind == CAP_HOST)
			return &c->subjects[i];
	return NULL;
}

/* Memory ran out in the second pass: nothing of the file stays. arena_push() wants zeroed slots. */
static void take_back(struct capture *c, const struct capture *before,
		      size_t host_snapshots)
{
	struct cap_subject *host;

	if (c->n_subjects > before->n_subjects)
		memset(&c->subjects[before->n_subjects], 0,
		       (c->n_subjects - before->n_subjects) * sizeof(*c->subjects));
	c->n_subjects = before->n_subjects;
	host = find_host(c);
	if (host && host->n_snapshots > host_snapshots) {
		memset(&host->snapshots[host_snapshots], 0,
		       (host->n_snapshots - host_snapshots) * sizeof(*host->snapshots));
		host->n_snapshots = host_snapshots;
	}
	c->body_bytes = before->body_bytes;
	c->n_snapshots = before->n_snapshots;
	c->n_items = before->n_items;
}

static int run(struct reader *r, const struct capture *before, struct capture *take)
{
	r->capture = take;
	r->next = 0;
	r->line_number = 0;
	memset(&r->seen, 0, sizeof(r->seen));
	r->seen.subjects = before->n_subjects;
	r->seen.snapshots = before->n_snapshots;
	r->seen.items = before->n_items;
	r->seen.bytes = before->body_bytes;
	r->seen.drives_before = last_drive(before);
	return read_file(r);
}

int capture_file_read(struct span text, const char *file, struct diag *d,
		      struct capture *ret)
{
	struct reader r = { .text = text, .file = file, .diag = d };
	struct capture before = *ret;
	const struct cap_subject *host = find_host(ret);
	size_t host_snapshots = host ? host->n_snapshots : 0;
	int k = run(&r, &before, NULL);

	if (k == 0) {
		k = run(&r, &before, ret);
		if (k < 0)
			take_back(ret, &before, host_snapshots);
	}
	buf_done(&r.body);
	buf_done(&r.word);
	return k;
}
