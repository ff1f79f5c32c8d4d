/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/text.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "import/clean.h"
#include "import/mail.h"

/*
 * Bounds of the memory of an import beside the bytes themselves. A kernel log of 16 MiB stays below
 * them; many short lines, or Latin-1 that doubles as UTF-8, do not.
 */
#define TEXT_MAX_LINES	300000u
#define TEXT_MAX_MEMORY (34u << 20)

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

/* Sets how many lines there are at most. */
static int check_size(const char *file, struct span s, struct diag *d, size_t *ret_lines)
{
	bool blank = true;
	size_t lines = 1;

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
	*ret_lines = lines;
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
	struct buf decoded; /* a line of an encoded mail, and what it goes on with */
	bool encoded, goes_on;
	uint32_t number, first; /* line of the file, first one of a line that goes on */
	bool cr_only;		/* no LF at all: a CR ends a line of the file */
};

static int add_line(struct reader *r, struct span raw, bool cut)
{
	struct text *t = r->t;
	struct text_line *line;

	if (t->n == t->cap)
		return -E2BIG; /* cannot be: they were counted */
	line = &t->lines[t->n++];
	line->number = r->first;
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
	if (t->arena.used_bytes <= TEXT_MAX_MEMORY)
		return 0;
	diag_add(r->d, DIAG_ERROR, t->file, r->number,
		 "too large: no more than what stands above this line can be read");
	return -E2BIG;
}

/* In an encoded mail a line may go on below: then it is added when it is whole. */
static int take_line(struct reader *r, struct span raw, bool last)
{
	enum mail_encoding encoding = mail_get_encoding(raw);

	if (!r->goes_on)
		r->first = r->number;
	if (encoding != MAIL_NO_HEADER)
		r->encoded = encoding == MAIL_QUOTED_PRINTABLE;
	if (!r->encoded && !r->goes_on)
		return add_line(r, raw, last);
	if (!r->goes_on)
		buf_clear(&r->decoded);
	r->goes_on = mail_decode_line(&r->decoded, raw);
	if (r->goes_on)
		return buf_error(&r->decoded);
	return add_line(r, buf_span(&r->decoded), last);
}

static int split(struct reader *r, struct span s)
{
	for (size_t at = 0; at < s.len;) {
		size_t n, end = find_end(s, at, &n);
		struct span raw = { 0 };
		int e = 0;

		if (span_cut(s, at, end - at, &raw))
			e = take_line(r, raw, n == 0);
		if (e < 0)
			return e;
		at = end + n;
		/* a lone CR only goes back to the line's start */
		r->number += n && (s.data[at - 1] == '\n' || r->cr_only);
	}
	return r->goes_on ? add_line(r, buf_span(&r->decoded), true) : 0;
}

static int read_bytes(struct text *t, struct span s, struct diag *d)
{
	struct reader reader = { .t = t, .d = d, .number = 1 };
	int r = check_is_text(t->file, s, d);

	if (r == 0)
		r = check_size(t->file, s, d, &t->cap);
	if (r < 0)
		return r;
	t->lines = arena_alloc(&t->arena, t->cap * sizeof(*t->lines));
	if (!t->lines)
		return -ENOMEM;
	reader.cr_only = !memchr(s.data, '\n', s.len);
	reader.encoded = mail_is_encoded(s);
	r = split(&reader, s);
	buf_done(&reader.scratch);
	buf_done(&reader.decoded);
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
