/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/sheet.h"

#include <stdarg.h>
#include <string.h>

#include "base/str.h"

#define ESC '\x1b'

/* ECMA-48 SGR parameters. Struck out is 9; it is always marked in plain characters as well. */
static const char *const sgr[] = {
	[STYLE_PLAIN] = NULL,	  [STYLE_BOLD] = "1",	     [STYLE_DIM] = "2",
	[STYLE_STRUCK] = "9",	  [STYLE_GOOD] = "1;32",     [STYLE_NOTE] = "1;36",
	[STYLE_WARNING] = "1;33", [STYLE_CRITICAL] = "1;31",
};

void sheet_init(struct sheet *s, const struct render_options *o, struct buf *out)
{
	*s = (struct sheet){
		.out = out,
		.columns = o->columns ? o->columns : 80,
		.colour = o->colour,
	};
	if (s->columns < 20)
		s->columns = 20;
}

void sheet_done(struct sheet *s)
{
	buf_done(&s->line);
}

static uint32_t code_point(const char *s, size_t n)
{
	const uint8_t *b = (const uint8_t *)s;

	switch (n) {
	case 2:
		return (b[0] & 0x1fu) << 6 | (b[1] & 0x3fu);
	case 3:
		return (b[0] & 0x0fu) << 12 | (b[1] & 0x3fu) << 6 | (b[2] & 0x3fu);
	case 4:
		return (b[0] & 0x07u) << 18 | (b[1] & 0x3fu) << 12 | (b[2] & 0x3fu) << 6 |
		       (b[3] & 0x3fu);
	default:
		return b[0];
	}
}

/* A short form of Unicode's East Asian Width (UAX 11): enough to keep lines inside the screen. */
static size_t point_width(uint32_t c)
{
	static const struct {
		uint32_t first, last;
		size_t width;
	} rows[] = {
		{ 0x0300, 0x036f, 0 }, { 0x1100, 0x115f, 2 },	{ 0x200b, 0x200f, 0 },
		{ 0x2e80, 0xa4cf, 2 }, { 0xac00, 0xd7a3, 2 },	{ 0xf900, 0xfaff, 2 },
		{ 0xfe00, 0xfe0f, 0 }, { 0xfe30, 0xfe6f, 2 },	{ 0xff00, 0xff60, 2 },
		{ 0xffe0, 0xffe6, 2 }, { 0x1f300, 0x1faff, 2 }, { 0x20000, 0x3fffd, 2 },
	};

	for (size_t i = 0; c >= 0x300 && i < array_size(rows); i++)
		if (c >= rows[i].first && c <= rows[i].last)
			return rows[i].width;
	return 1;
}

size_t sheet_width(const char *text, size_t len)
{
	size_t width = 0;

	for (size_t i = 0; i < len;) {
		size_t n = str_utf8_len(text + i, len - i);

		if (text[i] == ESC) {
			const char *end = memchr(text + i, 'm', len - i);

			i = end ? (size_t)(end - text) + 1 : len;
			continue;
		}
		width += n ? point_width(code_point(text + i, n)) : 1;
		i += n ? n : 1;
	}
	return width;
}

void sheet_spaces(struct sheet *s, size_t n)
{
	while (n--)
		buf_putc(&s->line, ' ');
}

void sheet_begin(struct sheet *s, unsigned indent, unsigned hang)
{
	buf_clear(&s->line);
	/* on a very narrow screen the text needs the room more than the layout does */
	s->hang = hang < s->columns / 2 ? hang : 2;
	sheet_spaces(s, indent);
}

static void style_on(struct sheet *s, enum style style)
{
	if (s->colour && sgr[style])
		buf_printf(&s->line, "%c[%sm", ESC, sgr[style]);
}

static void style_off(struct sheet *s, enum style style)
{
	if (s->colour && sgr[style])
		buf_printf(&s->line, "%c[0m", ESC);
}

void sheet_label(struct sheet *s, const char *label)
{
	size_t width = strlen(label);

	sheet_begin(s, 2, SHEET_HANG);
	if (width) {
		style_on(s, STYLE_BOLD);
		buf_puts(&s->line, label);
		style_off(s, STYLE_BOLD);
	}
	sheet_spaces(s, width + 2 < SHEET_HANG ? SHEET_HANG - 2 - width : 1);
}

void sheet_add_safe(struct buf *b, const char *text, size_t max)
{
	size_t len = strnlen(text, max);

	for (size_t i = 0; i < len;) {
		const char *backslash = memchr(text + i, '\\', len - i);
		size_t n = backslash ? (size_t)(backslash - text) - i : len - i;

		str_add_escaped(b, text + i, n);
		if (backslash)
			buf_putc(b, '\\');
		i += n + (backslash != NULL);
	}
}

const char *sheet_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

void sheet_text(struct sheet *s, enum style style, const char *text)
{
	style_on(s, style);
	sheet_add_safe(&s->line, text ? text : "", SHEET_TEXT_MAX);
	style_off(s, style);
}

void sheet_raw(struct sheet *s, enum style style, const char *format, ...)
{
	char text[160];
	va_list ap;

	va_start(ap, format);
	(void)vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	style_on(s, style);
	buf_puts(&s->line, text);
	style_off(s, style);
}

void sheet_check(struct sheet *s, const struct buf *helper)
{
	if (buf_error(helper) < 0)
		s->line.failed = true;
}

/* How much of TEXT fits in WIDTH columns when it is cut at a space; at least one word. */
static size_t fitting(const char *text, size_t len, size_t width)
{
	size_t fits = 0, at = 0;

	while (at < len) {
		size_t end = at;

		while (end < len && text[end] == ' ')
			end++;
		while (end < len && text[end] != ' ')
			end++;
		if (sheet_width(text, end) > width && fits)
			break;
		at = end;
		/* a run of leading spaces is layout, not a word */
		fits = end;
		if (sheet_width(text, end) > width)
			break;
	}
	return fits;
}

/* Glue becomes a space only here, when the line cannot be broken any more. */
static void write_line(struct sheet *s, const char *text, size_t len)
{
	size_t at = s->out->len;

	buf_add(s->out, text, len);
	buf_putc(s->out, '\n');
	for (; at < s->out->len; at++)
		if (s->out->data[at] == SHEET_GLUE[0])
			s->out->data[at] = ' ';
}

void sheet_end(struct sheet *s)
{
	const char *text = buf_text(&s->line);
	size_t len = s->line.len, width = s->columns;

	while (len && text[len - 1] == ' ')
		len--;
	do {
		size_t n = fitting(text, len, width), shown = n;

		while (shown && text[shown - 1] == ' ')
			shown--;
		write_line(s, text, shown);
		while (n < len && text[n] == ' ')
			n++;
		text += n;
		len -= n;
		if (len) {
			for (unsigned i = 0; i < s->hang; i++)
				buf_putc(s->out, ' ');
			width = s->columns - s->hang;
		}
	} while (len);
	if (s->line.failed)
		s->out->failed = true;
	buf_clear(&s->line);
}

void sheet_end_cut(struct sheet *s)
{
	const char *text = buf_text(&s->line);
	size_t n = 0, next = 0;

	if (sheet_width(text, s->line.len) <= s->columns) {
		sheet_end(s);
		return;
	}
	while (next < s->line.len && sheet_width(text, next) + 3 <= s->columns) {
		n = next;
		next += str_utf8_len(text + next, s->line.len - next);
	}
	buf_add(s->out, text, n);
	buf_puts(s->out, "...\n");
	if (s->line.failed)
		s->out->failed = true;
	buf_clear(&s->line);
}

void sheet_item(struct sheet *s, const char *label, const char *text)
{
	sheet_label(s, label);
	sheet_text(s, STYLE_PLAIN, text);
	sheet_end(s);
}

void sheet_gap(struct sheet *s)
{
	const struct buf *out = s->out;

	if (out->len > 1 && out->data[out->len - 1] == '\n' &&
	    out->data[out->len - 2] != '\n')
		buf_putc(s->out, '\n');
}
