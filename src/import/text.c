/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/text.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "import/clean.h"

/* With the longest text this bounds the memory of an import; a kernel log of 16 MiB has fewer. */
#define TEXT_MAX_LINES 300000u

void text_done(struct text *t)
{
	arena_done(&t->arena);
	*t = (struct text){ 0 };
}

void text_claim(struct text *t, size_t index, enum line_state state, const char *section)
{
	if (index >= t->n)
		return;
	t->lines[index].state = (uint8_t)state;
	t->lines[index].section = section;
}

static bool is_odd_control(uint8_t c)
{
	return c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f' &&
	       c != '\v' && c != '\b' && c != 0x1b;
}

/* Whether people could have written it: no NUL, few control characters. */
static int check_is_text(const char *file, struct span s, struct diag *d)
{
	const uint8_t *nul = s.len ? memchr(s.data, '\0', s.len) : NULL;
	size_t odd = 0, first = 0;

	if (nul) {
		diag_add_byte(d, DIAG_ERROR, file, (uint64_t)(nul - s.data),
			      "not a text: it holds NUL bytes");
		return -EBADMSG;
	}
	for (size_t i = 0; i < s.len; i++) {
		if (!is_odd_control(s.data[i]))
			continue;
		if (!odd++)
			first = i;
	}
	if (odd <= s.len / 8)
		return 0;
	diag_add_byte(d, DIAG_ERROR, file, first,
		      "not a text: it is mostly control characters");
	return -EBADMSG;
}

static int check_size(const char *file, struct span s, struct diag *d)
{
	bool blank = true;
	size_t lines = 0;

	for (size_t i = 0; i < s.len; i++) {
		lines += s.data[i] == '\n' || s.data[i] == '\r';
		blank = blank && str_is_space((char)s.data[i]);
	}
	if (blank) {
		diag_add(d, DIAG_ERROR, file, 0, "there is nothing in it");
		return -ENODATA;
	}
	if (s.len > TEXT_MAX_BYTES) {
		diag_add_byte(d, DIAG_ERROR, file, TEXT_MAX_BYTES,
			      "too large: at most %u MiB of text are read",
			      TEXT_MAX_BYTES >> 20);
		return -E2BIG;
	}
	if (lines > TEXT_MAX_LINES) {
		diag_add(d, DIAG_ERROR, file, TEXT_MAX_LINES + 1,
			 "too large: at most %u lines are read", TEXT_MAX_LINES);
		return -E2BIG;
	}
	return 0;
}

/* The bytes up to a line's end, and how many bytes end it: LF, CR LF, CR CR LF or a lone CR. */
static size_t find_end(struct span s, size_t at, size_t *ret_break)
{
	size_t end = at, n = 0;

	while (end < s.len && s.data[end] != '\n' && s.data[end] != '\r')
		end++;
	while (end + n < s.len && s.data[end + n] == '\r')
		n++;
	if (end + n < s.len && s.data[end + n] == '\n')
		n++;
	else if (n > 1)
		n = 1;
	*ret_break = n;
	return end;
}

struct reader {
	struct text *t;
	struct diag *d;
	struct buf scratch;
	uint32_t number;
	bool cr_only; /* no LF at all: a CR ends a line of the file */
};

static int add_line(struct reader *r, struct span raw, bool cut)
{
	struct text *t = r->t;
	struct text_line *line =
		arena_push(&t->arena, &t->lines, &t->n, &t->cap, sizeof(*line));

	if (!line)
		return -ENOMEM;
	line->number = r->number;
	line->cut = cut;
	if (raw.len > TEXT_MAX_LINE) {
		line->too_long = true;
		raw.len = TEXT_MAX_LINE;
		diag_add(r->d, DIAG_WARNING, t->file, r->number,
			 "longer than %u bytes: the rest of the line was left out",
			 TEXT_MAX_LINE);
	}
	buf_clear(&r->scratch);
	clean_line(&r->scratch, raw, line);
	line->s = arena_strndup(&t->arena, buf_text(&r->scratch), r->scratch.len);
	line->len = (uint32_t)r->scratch.len;
	if (!line->s || buf_error(&r->scratch) < 0)
		return -ENOMEM;
	return 0;
}

static int split(struct reader *r, struct span s)
{
	for (size_t at = 0; at < s.len;) {
		size_t n, end = find_end(s, at, &n);
		struct span raw = { 0 };
		int e = 0;

		if (span_cut(s, at, end - at, &raw))
			e = add_line(r, raw, n == 0);
		if (e < 0)
			return e;
		at = end + n;
		/* a lone CR only goes back to the line's start */
		r->number += n && (s.data[at - 1] == '\n' || r->cr_only);
	}
	return 0;
}

static int read_bytes(struct text *t, struct span s, struct diag *d)
{
	struct reader reader = { .t = t, .d = d, .number = 1 };
	int r = check_is_text(t->file, s, d);

	if (r == 0)
		r = check_size(t->file, s, d);
	if (r < 0)
		return r;
	reader.cr_only = !memchr(s.data, '\n', s.len);
	r = split(&reader, s);
	buf_done(&reader.scratch);
	if (r == 0)
		clean_prefixes(t->lines, t->n);
	return r;
}

int text_read(struct text *t, const char *file, struct span s, struct diag *d)
{
	struct buf utf8 cleanup_buf = { 0 };
	int r;

	*t = (struct text){ .file = file };
	if (s.len > TEXT_MAX_BYTES + 1)
		s.len = TEXT_MAX_BYTES + 1;
	if (clean_is_utf16(s)) {
		clean_utf16(&utf8, s);
		r = buf_error(&utf8);
		s = buf_span(&utf8);
	} else {
		r = 0;
	}
	if (r == 0)
		r = read_bytes(t, s, d);
	if (r < 0)
		text_done(t);
	return r;
}
