/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "drivedb/smart-text.h"

#include <string.h>

#include "base/str.h"

static const char *rest(const struct smart_reader *r)
{
	return (const char *)r->text.data + r->pos;
}

static size_t left(const struct smart_reader *r)
{
	return r->text.len - r->pos;
}

static bool is_at(const struct smart_reader *r, const char *s)
{
	size_t len = strlen(s);

	return left(r) >= len && memcmp(rest(r), s, len) == 0;
}

static void advance(struct smart_reader *r, size_t n)
{
	for (; n && r->pos < r->text.len; n--)
		if (r->text.data[r->pos++] == '\n')
			r->now++;
}

/* To the end of the text when END is not there. */
static void skip_past(struct smart_reader *r, const char *end)
{
	const char *found = left(r) ? memmem(rest(r), left(r), end, strlen(end)) : NULL;

	advance(r, found ? (size_t)(found - rest(r)) + strlen(end) : left(r));
}

/* White space, both kinds of comments, and lines for the preprocessor. */
static void skip_blank(struct smart_reader *r)
{
	while (left(r)) {
		if (str_is_space(*rest(r)))
			advance(r, 1);
		else if (is_at(r, "//") || *rest(r) == '#')
			skip_past(r, "\n");
		else if (is_at(r, "/*"))
			skip_past(r, "*/");
		else
			return;
	}
}

static void fault(struct smart_reader *r, const char *why)
{
	if (r->diag)
		diag_add(r->diag, DIAG_WARNING, r->file, r->now, "entry left out: %s",
			 why);
}

/* Behind a backslash; 0 for what is no such escape here. */
static char unescaped(char c)
{
	switch (c) {
	case 'n':
		return '\n';
	case 't':
		return '\t';
	case '\\':
	case '"':
	case '\'':
	case '?':
		return c;
	default:
		return '\0';
	}
}

/* One string, its quote is next. NULL, or what is wrong. */
static const char *read_string(struct smart_reader *r, struct buf *b)
{
	advance(r, 1);
	while (left(r)) {
		const char *s = rest(r);
		size_t n = 0;

		while (n < left(r) && s[n] != '"' && s[n] != '\\' && s[n] != '\n')
			n++;
		if (b->len + n > SMART_MAX_STRING)
			return "a string is too long";
		if (memchr(s, '\0', n))
			return "a string holds a zero byte";
		buf_add(b, s, n);
		r->pos += n; /* no newline in it */
		if (!left(r) || *rest(r) == '\n')
			break;
		if (*rest(r) == '"') {
			r->pos++;
			return NULL;
		}
		if (left(r) < 2 || !unescaped(rest(r)[1]))
			return "unknown escape in a string";
		buf_putc(b, unescaped(rest(r)[1]));
		advance(r, 2);
	}
	return "a string does not end on its line";
}

static void note_piece(struct smart_reader *r)
{
	if (r->n_pieces < SMART_MAX_PIECES)
		r->pieces[r->n_pieces++] =
			(struct smart_piece){ r->parts[SMART_PRESETS].len, r->now };
}

/* The strings of one part, up to the comma or brace behind them. */
static const char *read_part(struct smart_reader *r, enum smart_part part)
{
	for (bool any = false;; any = true) {
		const char *why;

		skip_blank(r);
		if (!left(r))
			return "it does not end";
		if (*rest(r) != '"')
			return any ? NULL : "a string is missing";
		if (part == SMART_PRESETS)
			note_piece(r);
		why = read_string(r, &r->parts[part]);
		if (why)
			return why;
	}
}

/* Behind the opening brace. NULL, or what is wrong. */
static const char *read_parts(struct smart_reader *r)
{
	for (unsigned i = 0; i < SMART_PARTS; i++) {
		const char *why = read_part(r, (enum smart_part)i);

		if (why)
			return why;
		if (i + 1 < SMART_PARTS && *rest(r) != ',')
			return "it has fewer than five strings";
		if (i + 1 < SMART_PARTS)
			advance(r, 1);
	}
	if (*rest(r) == ',') {
		advance(r, 1);
		skip_blank(r);
	}
	if (!left(r) || *rest(r) != '}')
		return "it has more than five strings";
	advance(r, 1);
	return NULL;
}

static bool begin_entry(struct smart_reader *r)
{
	for (;;) {
		skip_blank(r);
		if (!left(r))
			return false;
		if (*rest(r) == '{')
			break;
		if (*rest(r) != ',') {
			fault(r, "it does not begin with a brace");
			skip_past(r, "\n");
		} else {
			advance(r, 1);
		}
	}
	r->line = r->now;
	advance(r, 1);
	for (unsigned i = 0; i < SMART_PARTS; i++)
		buf_clear(&r->parts[i]);
	r->n_pieces = 0;
	return true;
}

/* An entry begins a line of its own: to the next line that opens one, behind a bad entry. */
static void skip_to_next(struct smart_reader *r)
{
	do {
		skip_past(r, "\n");
		while (left(r) && (*rest(r) == ' ' || *rest(r) == '\t'))
			r->pos++;
	} while (left(r) && *rest(r) != '{');
}

bool smart_read_entry(struct smart_reader *r)
{
	if (!r->now) {
		r->now = 1;
		if (r->text.len > SMART_MAX_BYTES) {
			fault(r, "the file is too large, not used");
			r->pos = r->text.len;
		}
	}
	while (begin_entry(r)) {
		const char *why = read_parts(r);

		if (!why)
			return true;
		fault(r, why);
		skip_to_next(r);
	}
	return false;
}

uint32_t smart_line_at(const struct smart_reader *r, size_t at)
{
	uint32_t line = r->line;

	for (size_t i = 0; i < r->n_pieces && r->pieces[i].at <= at; i++)
		line = r->pieces[i].line;
	return line;
}

void smart_reader_done(struct smart_reader *r)
{
	for (unsigned i = 0; i < SMART_PARTS; i++)
		buf_done(&r->parts[i]);
}
