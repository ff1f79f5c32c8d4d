/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The way of every JSON document from json-c's objects to text. */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "render/json-value.h"

/*
 * json-c escapes the controls below 20h only. What else could steer a terminal (7Fh, C1 controls,
 * direction overrides) stands in strings alone, so it can be replaced in the finished text.
 */
static bool must_hide(struct buf *scratch, const char *s, size_t n)
{
	char one[5] = { 0 };

	memcpy(one, s, n);
	buf_clear(scratch);
	str_add_escaped(scratch, one, n);
	return scratch->len != n;
}

static void add_hidden(struct buf *ret, const char *s, size_t n)
{
	const uint8_t *b = (const uint8_t *)s;
	unsigned point =
		n == 1	 ? b[0]
		: n == 2 ? (b[0] & 0x1fu) << 6 | (b[1] & 0x3fu)
			 : (b[0] & 0x0fu) << 12 | (b[1] & 0x3fu) << 6 | (b[2] & 0x3fu);

	buf_printf(ret, "\\u%04x", point);
}

static bool is_plain(char c)
{
	return c >= ' ' && c < 0x7f;
}

/* DEPTH: how deep in the document the text stands. */
static void add_text(struct buf *ret, const char *text, size_t len, unsigned depth)
{
	struct buf scratch cleanup_buf = { 0 };

	for (size_t i = 0; i < len;) {
		size_t plain = i, n;

		while (plain < len && is_plain(text[plain]))
			plain++;
		buf_add(ret, text + i, plain - i);
		i = plain;
		if (i == len)
			break;
		if (text[i] == '\n') {
			buf_putc(ret, '\n');
			for (unsigned k = 0; k < depth; k++)
				buf_puts(ret, "  ");
			i++;
			continue;
		}
		n = str_utf8_len(text + i, len - i);
		if (n == 0)
			n = 1;
		if (n < 4 && must_hide(&scratch, text + i, n))
			add_hidden(ret, text + i, n);
		else
			buf_add(ret, text + i, n);
		i += n;
	}
	if (buf_error(&scratch) < 0)
		ret->failed = true;
}

void json_add_value(struct buf *ret, struct json_object *o, unsigned depth)
{
	size_t len = 0;
	const char *text = o ? json_object_to_json_string_length(
				       o,
				       JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED |
					       JSON_C_TO_STRING_NOSLASHESCAPE,
				       &len)
			     : NULL;

	if (text)
		add_text(ret, text, len, depth);
	else
		ret->failed = true;
}

int json_add_document(struct json_writer *w, struct json_object *root, struct buf *ret)
{
	if (!w->failed) {
		json_add_value(ret, root, 0);
		buf_putc(ret, '\n');
	}
	(void)json_object_put(root);
	return w->failed ? -ENOMEM : buf_error(ret);
}
