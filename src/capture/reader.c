/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/reader.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "base/str.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static struct word trimmed(struct word w)
{
	for (; w.len && is_blank(w.s[0]); w.len--)
		w.s++;
	while (w.len && is_blank(w.s[w.len - 1]))
		w.len--;
	return w;
}

int reader_next(struct reader *r)
{
	for (;;) {
		struct span rest = span_of(r->text.data + r->next, r->text.len - r->next);
		const uint8_t *end = rest.len ? memchr(rest.data, '\n', rest.len) : NULL;
		size_t len = end ? (size_t)(end - rest.data) : rest.len;

		if (!rest.len) {
			r->line = (struct word){ 0 };
			return 0;
		}
		r->next += len + (end != NULL);
		r->line_number++;
		r->cut = !end;
		r->line = trimmed((struct word){ (const char *)rest.data, len });
		if (!r->line.len || r->line.s[0] == '#')
			continue;
		if (len > READER_MAX_LINE)
			return reader_too_much(r, "line longer than %u bytes",
					       READER_MAX_LINE);
		if (memchr(r->line.s, 0, r->line.len))
			return reader_fail(r, "text expected, got a NUL byte");
		return 1;
	}
}

bool reader_take_word(struct word *rest, struct word *ret)
{
	struct word w = trimmed(*rest);
	size_t n = 0;

	while (n < w.len && !is_blank(w.s[n]))
		n++;
	if (!n)
		return false;
	*ret = (struct word){ w.s, n };
	*rest = (struct word){ w.s + n, w.len - n };
	return true;
}

bool reader_word_is(struct word w, const char *text)
{
	return w.len == strlen(text) && memcmp(w.s, text, w.len) == 0;
}

int word_to_number(struct word w, uint64_t *ret)
{
	uint64_t n = 0;

	if (!w.len || w.len > 18) /* 18 digits cannot overflow */
		return -EINVAL;
	for (size_t i = 0; i < w.len; i++) {
		if (!str_is_digit(w.s[i]))
			return -EINVAL;
		n = n * 10 + (uint64_t)(w.s[i] - '0');
	}
	*ret = n;
	return 0;
}

bool word_split(struct word w, struct word *ret_name, struct word *ret_value)
{
	const char *is = memchr(w.s, '=', w.len);
	size_t n = is ? (size_t)(is - w.s) : 0;

	if (!is || !cap_is_attribute_name(w.s, n))
		return false;
	*ret_name = (struct word){ w.s, n };
	*ret_value = (struct word){ w.s + n + 1, w.len - n - 1 };
	return true;
}

struct word reader_next_word(struct word *rest)
{
	struct word w = { rest->s, 0 };

	(void)reader_take_word(rest, &w);
	return w;
}

int reader_unescape(struct reader *r, struct word w)
{
	int k;

	buf_clear(&r->word);
	k = str_add_unescaped(&r->word, w.s, w.len);
	if (k == -EINVAL)
		return reader_expected(
			r, w, "only the escapes \\\\ and \\xNN (not \\x00) expected");
	return k;
}

static void report(struct reader *r, const char *text)
{
	if (r->diag)
		diag_add(r->diag, DIAG_ERROR, r->file, r->line_number, "%s", text);
}

int reader_cut(struct reader *r)
{
	report(r, "the capture ends before its 'end' line: cut?");
	return -EBADMSG;
}

#define GOT_MAX 24u /* bytes shown of what was found */

int reader_expected(struct reader *r, struct word got, const char *format, ...)
{
	struct buf cleanup_buf text = { 0 };
	char words[128];
	va_list ap;

	if (r->cut)
		return reader_cut(r);
	va_start(ap, format);
	(void)vsnprintf(words, sizeof(words), format, ap);
	va_end(ap);
	buf_printf(&text, "%s, got ", words);
	if (got.len) {
		buf_putc(&text, '\'');
		str_add_escaped(&text, got.s, got.len > GOT_MAX ? GOT_MAX : got.len);
		buf_puts(&text, got.len > GOT_MAX ? "...'" : "'");
	} else {
		buf_puts(&text, "nothing");
	}
	report(r, buf_text(&text));
	return -EBADMSG;
}

int reader_fail(struct reader *r, const char *format, ...)
{
	char words[128];
	va_list ap;

	if (r->cut)
		return reader_cut(r);
	va_start(ap, format);
	(void)vsnprintf(words, sizeof(words), format, ap);
	va_end(ap);
	report(r, words);
	return -EBADMSG;
}

int reader_too_much(struct reader *r, const char *format, ...)
{
	char words[128];
	va_list ap;

	va_start(ap, format);
	(void)vsnprintf(words, sizeof(words), format, ap);
	va_end(ap);
	report(r, words);
	return -E2BIG;
}
