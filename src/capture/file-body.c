/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading the body of an item: hex lines as hexdump(1) writes them, or lines of text. */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "capture/reader.h"

enum form { FORM_OPEN, FORM_TEXT, FORM_HEX };

struct body {
	enum form form;
	bool repeats; /* the line before was '*' */
	bool full;    /* the line before had all its bytes: it can be repeated */
	bool ended;   /* an offset alone gave the length */
};

static int digit_of(char c)
{
	return str_is_digit(c)		? c - '0'
	       : (c >= 'a' && c <= 'f') ? c - 'a' + 10
	       : (c >= 'A' && c <= 'F') ? c - 'A' + 10
					: -1;
}

static bool is_hex(struct word w)
{
	for (size_t i = 0; i < w.len; i++)
		if (digit_of(w.s[i]) < 0)
			return false;
	return w.len > 0;
}

bool reader_is_body(struct word line)
{
	struct word first = { 0 };

	if (strchr("|\\*", line.s[0]))
		return true;
	return reader_take_word(&line, &first) && is_hex(first);
}

/* Both limits, before anything is added. */
static int check_room(struct reader *r, size_t more)
{
	size_t len = r->body.len + more;

	if (more > CAP_MAX_ITEM_BYTES || len > CAP_MAX_ITEM_BYTES)
		return reader_too_much(r, "an item larger than %u bytes",
				       CAP_MAX_ITEM_BYTES);
	if (len > CAP_MAX_BYTES - r->seen.bytes)
		return reader_too_much(r, "items larger than %u bytes in all",
				       CAP_MAX_BYTES);
	return 0;
}

static int take_text(struct reader *r, struct body *b)
{
	struct word line = { r->line.s + 1, r->line.len - 1 };
	int k;

	if (b->form == FORM_HEX)
		return reader_expected(r, r->line, "a hex line expected in a hex body");
	b->form = FORM_TEXT;
	if (line.len && line.s[0] != ' ')
		return reader_expected(r, r->line, "a space expected behind '%c'",
				       r->line.s[0]);
	if (line.len) {
		line.s++;
		line.len--;
	}
	k = check_room(r, line.len + 1);
	if (k < 0)
		return k;
	if (r->line.s[0] == '|')
		buf_add(&r->body, line.s, line.len);
	else if (str_add_unescaped(&r->body, line.s, line.len) == -EINVAL)
		return reader_expected(
			r, line, "only the escapes \\\\ and \\xNN (not \\x00) expected");
	buf_putc(&r->body, '\n');
	return buf_error(&r->body);
}

static int take_star(struct reader *r, struct body *b)
{
	if (b->form == FORM_TEXT)
		return reader_expected(r, r->line, "a text line expected in a text body");
	if (r->line.len > 1)
		return reader_expected(r, r->line, "'*' alone expected");
	if (!b->full || b->repeats)
		return reader_fail(r, "'*' without a line of %u bytes before it",
				   READER_HEX_BYTES);
	b->repeats = true;
	return 0;
}

/* Repeat the last line up to the offset, which is known to be a whole number of lines away. */
static int repeat_line(struct reader *r, size_t offset)
{
	const size_t step = READER_HEX_BYTES;
	uint8_t line[READER_HEX_BYTES];
	int k = check_room(r, offset - r->body.len);

	if (k < 0)
		return k;
	memcpy(line, r->body.data + r->body.len - step, step);
	while (r->body.len < offset && !buf_error(&r->body))
		buf_add(&r->body, line, step);
	return buf_error(&r->body);
}

static int take_offset(struct reader *r, struct body *b, struct word w)
{
	size_t offset = 0, here = r->body.len;

	if (w.len < 4 || w.len > 8)
		return reader_expected(r, w, "an offset of 4 to 8 hex digits expected");
	for (size_t i = 0; i < w.len; i++)
		offset = offset * 16 + (size_t)digit_of(w.s[i]);
	if (b->repeats) {
		if (offset <= here || (offset - here) % READER_HEX_BYTES)
			return reader_expected(r, w,
					       "an offset beyond %04zx by a multiple of "
					       "%02xh expected after '*'",
					       here, READER_HEX_BYTES);
		return repeat_line(r, offset);
	}
	if (offset != here)
		return reader_expected(r, w, "offset %04zx expected", here);
	return 0;
}

static int take_bytes(struct reader *r, struct word rest, uint8_t bytes[READER_HEX_BYTES],
		      size_t *ret_n)
{
	struct word w = { 0 };
	size_t n = 0;

	while (reader_take_word(&rest, &w)) {
		if (w.len != 2 || !is_hex(w))
			return reader_expected(r, w, "hex byte expected");
		if (n == READER_HEX_BYTES)
			return reader_expected(r, w, "at most %u bytes a line expected",
					       READER_HEX_BYTES);
		bytes[n++] = (uint8_t)(digit_of(w.s[0]) * 16 + digit_of(w.s[1]));
	}
	*ret_n = n;
	return 0;
}

static int take_hex(struct reader *r, struct body *b)
{
	uint8_t bytes[READER_HEX_BYTES];
	struct word rest = r->line, offset = { 0 };
	size_t n = 0;
	int k;

	if (b->form == FORM_TEXT)
		return reader_expected(r, r->line, "a text line expected in a text body");
	b->form = FORM_HEX;
	(void)reader_take_word(&rest, &offset);
	k = take_offset(r, b, offset);
	if (k == 0)
		k = take_bytes(r, rest, bytes, &n);
	if (k == 0)
		k = check_room(r, n);
	if (k < 0)
		return k;
	b->repeats = false;
	b->full = n == READER_HEX_BYTES;
	b->ended = !n;
	buf_add(&r->body, bytes, n);
	return buf_error(&r->body);
}

static int take_line(struct reader *r, struct body *b)
{
	if (b->ended)
		return reader_expected(r, r->line,
				       "no more of the body expected behind its length");
	if (r->line.s[0] == '*')
		return take_star(r, b);
	if (r->line.s[0] == '|' || r->line.s[0] == '\\')
		return take_text(r, b);
	return take_hex(r, b);
}

int reader_take_body(struct reader *r)
{
	struct body b = { 0 };
	int k = 1;

	buf_clear(&r->body);
	while (k > 0 && reader_is_body(r->line)) {
		k = take_line(r, &b);
		if (k == 0)
			k = reader_next(r);
	}
	if (k > 0 && b.repeats)
		return reader_expected(r, r->line, "an offset expected after '*'");
	return k;
}
