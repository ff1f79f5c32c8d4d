/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>

#include "base/str.h"
#include "capture/file.h"
#include "capture/reader.h"

/* A word: escaped as everywhere, and without the space that would end it. */
static void add_word(struct buf *b, const char *text)
{
	for (;;) {
		size_t n = strcspn(text, " ");

		str_add_escaped(b, text, n);
		if (!text[n])
			return;
		buf_puts(b, "\\x20");
		text += n + 1;
	}
}

/* ---- bodies as text ---- */

struct text_cost {
	size_t len;	    /* of the line, without newline */
	size_t unprintable; /* bytes that only an escape can show */
	size_t backslashes;
	bool trailing_space; /* which mail does not keep */
};

static struct text_cost cost_of(const char *line, size_t len)
{
	struct text_cost cost = { .len = len };

	for (size_t i = 0; i < len; i++) {
		i += str_printable_len(line + i, len - i);
		cost.unprintable += i < len;
	}
	for (size_t i = 0; i < len; i++)
		cost.backslashes += line[i] == '\\';
	cost.trailing_space = len && line[len - 1] == ' ';
	return cost;
}

static bool is_plain(const struct text_cost *cost)
{
	return !cost->unprintable && !cost->trailing_space;
}

/* Whether the line can be read back: its marker, itself and its escapes. */
static bool is_short_enough(const struct text_cost *cost)
{
	size_t more = is_plain(cost) ? 0
				     : cost->unprintable * 3 + cost->backslashes +
					       cost->trailing_space * 3;

	return cost->len + more + 2 <= READER_MAX_LINE;
}

/* The line at S: up to its newline, which is known to be there. */
static size_t line_len(struct span s)
{
	const uint8_t *end = memchr(s.data, '\n', s.len);

	return (size_t)(end - s.data);
}

/*
 * Text is what ends in a newline, has no NUL and is readable: at most one byte in eight needs an
 * escape (a kernel log with tabs, a name in Latin-1). Anything else is hex.
 */
static bool is_text(struct span body)
{
	size_t unprintable = 0, len = body.len;

	if (!body.len || body.data[body.len - 1] != '\n' ||
	    memchr(body.data, 0, body.len))
		return false;
	while (body.len) {
		size_t n = line_len(body);
		struct text_cost cost = cost_of((const char *)body.data, n);

		if (!is_short_enough(&cost))
			return false;
		unprintable += cost.unprintable;
		body = span_of(body.data + n + 1, body.len - n - 1);
	}
	return unprintable <= len / 8;
}

static void add_text_line(struct buf *b, const char *line, size_t len)
{
	struct text_cost cost = cost_of(line, len);

	if (!len) {
		buf_puts(b, "|");
	} else if (is_plain(&cost)) {
		buf_puts(b, "| ");
		buf_add(b, line, len);
	} else {
		buf_puts(b, "\\ ");
		str_add_escaped(b, line, len - cost.trailing_space);
		if (cost.trailing_space)
			buf_puts(b, "\\x20");
	}
	buf_putc(b, '\n');
}

static void add_text(struct buf *b, struct span body)
{
	while (body.len) {
		size_t n = line_len(body);

		add_text_line(b, (const char *)body.data, n);
		body = span_of(body.data + n + 1, body.len - n - 1);
	}
}

/* ---- bodies as hex ---- */

static void add_hex_line(struct buf *b, size_t offset, const uint8_t *bytes, size_t n)
{
	static const char digits[] = "0123456789abcdef";
	char text[READER_HEX_BYTES * 3];

	for (size_t i = 0; i < n; i++) {
		text[3 * i] = ' ';
		text[3 * i + 1] = digits[bytes[i] >> 4];
		text[3 * i + 2] = digits[bytes[i] & 15];
	}
	buf_printf(b, "%04zx", offset);
	buf_add(b, text, 3 * n);
	buf_putc(b, '\n');
}

static void add_hex(struct buf *b, struct span body)
{
	const size_t step = READER_HEX_BYTES;
	bool repeats = false;

	for (size_t at = 0; at < body.len; at += step) {
		const uint8_t *bytes = body.data + at;
		size_t n = body.len - at < step ? body.len - at : step;

		if (at && n == step && memcmp(bytes, bytes - step, step) == 0) {
			if (!repeats)
				buf_puts(b, "*\n");
			repeats = true;
			continue;
		}
		add_hex_line(b, at, bytes, n);
		repeats = false;
	}
	if (repeats)
		add_hex_line(b, body.len, NULL, 0);
}

/* ---- the lines with keywords ---- */

static void add_item(struct buf *b, const struct cap_item *item)
{
	buf_puts(b, "item ");
	add_word(b, item->id);
	buf_printf(b, " %s", cap_status_name(item->status));
	for (size_t i = 0; i < item->n_attributes; i++) {
		buf_printf(b, " %s=", item->attributes[i].name);
		add_word(b, item->attributes[i].value);
	}
	buf_putc(b, '\n');
	if (is_text(item->body))
		add_text(b, item->body);
	else
		add_hex(b, item->body);
}

static void add_snapshot(struct buf *b, const struct cap_snapshot *s, size_t number)
{
	uint64_t ms = s->taken_ms < 0 ? 0 - (uint64_t)s->taken_ms : (uint64_t)s->taken_ms;

	buf_printf(b, "snapshot %zu role=%s", number, cap_role_name(s->role));
	if (s->has_time)
		buf_printf(b, " taken=%s%" PRIu64 ".%03u", s->taken_ms < 0 ? "-" : "",
			   ms / 1000, (unsigned)(ms % 1000));
	if (s->source) {
		buf_puts(b, " source=");
		add_word(b, s->source);
	}
	buf_putc(b, '\n');
	for (size_t i = 0; i < s->n_items; i++)
		add_item(b, &s->items[i]);
}

static void add_subject(struct buf *b, const struct cap_subject *s)
{
	if (s->kind == CAP_HOST)
		buf_puts(b, "subject host\n");
	else
		buf_printf(b, "subject drive %" PRIu32 "\n", s->number);
	for (size_t i = 0; i < s->n_snapshots; i++)
		add_snapshot(b, &s->snapshots[i], i + 1);
}

int capture_file_write(const struct capture *c, const char *comment, struct buf *ret)
{
	buf_puts(ret, "capture 1\n");
	if (comment) {
		buf_puts(ret, "# ");
		str_add_escaped(ret, comment, SIZE_MAX);
		buf_putc(ret, '\n');
	}
	for (size_t i = 0; i < c->n_subjects; i++)
		add_subject(ret, &c->subjects[i]);
	buf_puts(ret, "end\n");
	return buf_error(ret);
}
