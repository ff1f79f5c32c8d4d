/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel logs as people post them: dmesg, journalctl and syslog in all their forms, quoted, wrapped,
 * flowed into paragraphs, between other text. Here messages are cut apart and their times read;
 * what the kernel says in them is for decode. Only messages of storage, its buses and power are kept.
 */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/importers.h"
#include "import/kernel-log.h"

#define SECTION	    "kernel log"
#define MAX_BODY    (15u << 20) /* below CAP_MAX_ITEM_BYTES */
#define MAX_KEPT    (24u << 20) /* of all items of a case: room for what others hold */
#define MORE_LINES  5u		/* that one message is wrapped into, beside its first */
#define CHUNK_LINES 64u
#define CHUNK_BYTES 65536u

/* Nobody else could read it: prose, or a stranger in or behind somebody's section. */
static bool is_free(const struct text_line *l)
{
	return l->state == LINE_OPEN || l->state == LINE_UNKNOWN;
}

/* --- one message --------------------------------------------------------------------------------- */

static struct klog_time fill_time(struct klog_out *o, const struct klog_head *h)
{
	const int64_t day = (int64_t)86400 * 1000000;
	struct klog_time t = h->time;

	if (h->relative) {
		t = o->last;
		t.wall_us += h->time.monotonic_us;
		t.has_monotonic = false;
	} else if (h->no_date) {
		int64_t days = o->last.wall_us / day;

		t.has_wall = o->last.has_wall;
		t.wall_has_year = o->last.wall_has_year;
		t.wall_us += days * day;
	}
	if (t.has_wall)
		o->last = t;
	return t;
}

static void add_pieces(struct klog_out *o, struct klog_line *l, const char *text,
		       size_t len, bool cut)
{
	const char *end = text + len;

	for (bool first = true; text < end; first = false) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		const char *next = stop ? stop + 1 : end;

		if (!stop)
			stop = end;
		while (text < stop && *text == ' ')
			text++;
		while (stop > text && stop[-1] == ' ')
			stop--;
		l->text = text;
		l->len = (size_t)(stop - text);
		l->continues = !first;
		l->cut = cut && next == end;
		if (l->len)
			klog_add_line(&o->body, l);
		l->time = (struct klog_time){ 0 };
		l->new_boot = false;
		text = next;
		l->line++;
	}
}

bool klog_out_add(struct klog_out *o, const struct klog_head *head, const char *text,
		  size_t len, size_t first, bool cut)
{
	struct klog_line l = { .new_boot = o->new_boot,
			       .time = fill_time(o, head),
			       .line = o->im->text->lines[first].number };

	o->messages++;
	if (!klog_is_wanted(text, len))
		return false;
	if (o->body.len > MAX_BODY ||
	    o->im->capture->body_bytes + o->body.len > MAX_KEPT) {
		o->full = true;
		return true;
	}
	o->kept++;
	o->new_boot = false;
	add_pieces(o, &l, text, len, cut);
	return true;
}

/* "-- Boot 1c3f... --", "-- Reboot --" */
static bool is_boot_mark(const char *s)
{
	return str_starts(s, "-- Boot ") || str_starts(s, "-- Reboot --");
}

static bool is_journal_mark(const char *s)
{
	return str_starts(s, "-- Logs begin at ") ||
	       str_starts(s, "-- Journal begins at ") ||
	       str_starts(s, "-- No entries --") || str_starts(s, "-- cursor: ");
}

static bool is_elision(const char *s)
{
	static const char *const marks[] = { "...",	     "[...]",  "[\xe2\x80\xa6]",
					     "\xe2\x80\xa6", "<snip>", "[snip]",
					     "--snip--",     "(...)" };

	for (size_t i = 0; i < array_size(marks); i++)
		if (str_equal(s, marks[i]))
			return true;
	return false;
}

/* What stands around a log is not the end of its last line. */
static bool is_border(const char *s)
{
	static const char *const fences[] = {
		"```", "~~~", "</", "[/", "-----", "====="
	};

	for (size_t i = 0; i < array_size(fences); i++)
		if (str_starts(s, fences[i]))
			return true;
	return is_boot_mark(s) || is_journal_mark(s) || is_elision(s);
}

/* --- pieces of text that hold messages --------------------------------------------------------------- */

struct chunk {
	struct buf text;	    /* its lines, joined by line breaks */
	size_t first, n;	    /* lines of the text */
	size_t offset[CHUNK_LINES]; /* where each begins */
	bool cut;
};

static size_t line_of(const struct chunk *c, size_t offset)
{
	size_t i = 0;

	while (i + 1 < c->n && c->offset[i + 1] <= offset)
		i++;
	return c->first + i;
}

/* A message begins in this line, at its start or inside. */
static bool starts(const struct text_line *l)
{
	struct klog_head h;

	return klog_head_parse(l->s, &h) || klog_plain_start(l->s);
}

/*
 * The line at I and those below that go on with it: not blank, no start of another. What stands
 * behind a few such lines is somebody's comment.
 */
static void take_chunk(const struct text *t, size_t i, struct chunk *c)
{
	size_t more = 0;

	buf_clear(&c->text);
	*c = (struct chunk){ .text = c->text, .first = i };
	for (; i < t->n && c->n < CHUNK_LINES; i++) {
		const struct text_line *l = &t->lines[i];
		struct klog_head h;

		if (c->n && (!is_free(l) || !l->len || starts(l) || is_border(l->s) ||
			     c->text.len + l->len > CHUNK_BYTES))
			break;
		if (c->n && more == MORE_LINES && !klog_head_find(l->s, &h))
			break;
		more = c->n && klog_head_find(l->s, &h) ? 0 : more + (c->n > 0);
		if (c->n)
			buf_putc(&c->text, '\n');
		c->offset[c->n++] = c->text.len;
		buf_add(&c->text, l->s, l->len);
		c->cut = l->cut || l->too_long;
	}
}

/* rsyslog writes control characters as "#012"; a line break that a message has is a space here. */
static void undo_syslog(struct buf *b)
{
	char *s = b->data;

	for (char *p = s; p && (p = strstr(p, "#01")) != NULL; p += 3)
		if (p[3] == '2' || p[3] == '1')
			memset(p, ' ', 4);
}

static void claim(struct text *t, const struct chunk *c, size_t from, size_t to,
		  bool kept)
{
	size_t first = line_of(c, from), last = line_of(c, to ? to - 1 : 0);

	/* wrapped lines of what is not kept may as well be prose */
	if (!kept)
		last = first;
	for (size_t i = first; i <= last; i++)
		if (kept || is_free(&t->lines[i]))
			text_claim(t, i, kept ? LINE_READ : LINE_KNOWN, SECTION);
}

static void read_chunk(struct klog_out *o, struct chunk *c)
{
	const char *s = buf_text(&c->text), *p = s;
	struct klog_head h = { 0 };

	undo_syslog(&c->text);
	if (klog_head_parse(s, &h)) {
		p = s + h.len;
	} else if ((p = klog_plain_start(s)) != NULL) {
		if (o->lone_end == c->first && c->first)
			h = o->lone;
	} else {
		p = klog_head_find(s, &h);
		p = p ? p + h.len : NULL;
	}
	while (p) {
		struct klog_head next = { 0 };
		const char *at = klog_head_find(p, &next);
		size_t len = at ? (size_t)(at - p) : strlen(p);
		size_t from = (size_t)(p - s);
		bool kept = true;

		if (h.base_only)
			o->last = h.time;
		if (!len && !at) {
			o->lone = h;
			o->lone_end = c->first + c->n;
		}
		if (len)
			kept = klog_out_add(o, &h, p, len, line_of(c, from),
					    c->cut && !at);
		claim(o->im->text, c, from, from + len, kept);
		p = at ? at + next.len : NULL;
		h = next;
	}
}

static void look_at_mark(struct klog_out *o, size_t i)
{
	const char *s = o->im->text->lines[i].s;

	if (is_boot_mark(s)) {
		o->new_boot = true;
		o->last = (struct klog_time){ 0 };
	} else if (is_elision(s)) {
		o->elided = true;
		return; /* others elide, too */
	} else if (!is_journal_mark(s)) {
		return;
	}
	text_claim(o->im->text, i, LINE_KNOWN, SECTION);
}

static int read_lines(struct klog_out *o)
{
	struct text *t = o->im->text;
	struct chunk c = { 0 };
	int r;

	for (size_t i = 0; i < t->n; i += c.n ? c.n : 1) {
		const struct text_line *l = &t->lines[i];
		struct klog_head h;

		c.n = 0;
		if (!is_free(l) || !l->len)
			continue;
		if (!starts(l) && !klog_head_find(l->s, &h)) {
			look_at_mark(o, i);
			continue;
		}
		take_chunk(t, i, &c);
		read_chunk(o, &c);
	}
	r = buf_error(&c.text);
	buf_done(&c.text);
	return r;
}

/* --- the item ---------------------------------------------------------------------------------------- */

static int set_number(struct capture *c, struct cap_item *item, const char *name,
		      size_t n)
{
	char text[24];

	(void)snprintf(text, sizeof(text), "%zu", n);
	return cap_item_set(c, item, name, text);
}

static int add_item(struct klog_out *o)
{
	struct capture *c = o->im->capture;
	struct cap_subject *host = capture_add_subject(c, CAP_HOST);
	struct cap_snapshot *s =
		host ? capture_add_snapshot(c, host, CAP_IMPORT, o->im->text->file)
		     : NULL;
	struct cap_item *item =
		s ? capture_add_item(c, s, "kernel-log", CAP_OK, buf_span(&o->body))
		  : NULL;
	int r;

	if (!item)
		return -ENOMEM;
	r = cap_item_set(c, item, "source", "posted");
	if (r == 0)
		r = set_number(c, item, "messages", o->messages);
	if (r == 0 && (o->elided || o->full))
		r = cap_item_set(c, item, "complete", "no");
	return r;
}

static int read_log(struct import *im)
{
	struct klog_out o = { .im = im };
	int r = klog_read_journal(&o);

	if (r == 0)
		r = read_lines(&o);
	if (r == 0)
		r = buf_error(&o.body);
	if (r == 0 && o.full)
		diag_add(im->diag, DIAG_WARNING, im->text->file, 0,
			 "the kernel log is too long: its end was left out");
	if (r == 0 && o.messages)
		r = add_item(&o);
	buf_done(&o.body);
	return r < 0 ? r : o.messages > 0;
}

const struct importer importer_kernel_log = {
	.name = "kernel-log",
	.describe = "kernel logs: dmesg, journalctl, syslog",
	.read = read_log,
};
