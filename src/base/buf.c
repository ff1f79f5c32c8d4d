/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/buf.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "base/large.h"

/* Memory of *WANT bytes or more, with the text in it; the one before is gone, unless this is NULL. */
static char *grow(struct buf *b, size_t *want)
{
	char *bigger;

	if (b->cap >= LARGE_PAGE / 2 || *want < LARGE_PAGE / 2)
		return realloc(b->data, *want);
	*want = large_size(*want);
	bigger = large_alloc(*want);
	if (!bigger)
		return NULL;
	if (b->len)
		memcpy(bigger, b->data, b->len);
	bigger[b->len] = '\0';
	free(b->data);
	return bigger;
}

static bool reserve(struct buf *b, size_t more)
{
	size_t want;
	char *bigger;

	if (b->failed || more >= SIZE_MAX / 2 - b->len) {
		b->failed = true;
		return false;
	}
	want = b->len + more + 1;
	if (want <= b->cap)
		return true;
	if (want < b->cap * 2)
		want = b->cap * 2;
	if (want < 256)
		want = 256;
	bigger = grow(b, &want);
	if (!bigger) {
		b->failed = true;
		return false;
	}
	b->data = bigger;
	b->cap = want;
	return true;
}

void buf_add(struct buf *b, const void *data, size_t len)
{
	if (!reserve(b, len))
		return;
	if (len)
		memcpy(b->data + b->len, data, len);
	b->len += len;
	b->data[b->len] = '\0';
}

char *buf_room(struct buf *b, size_t len)
{
	return reserve(b, len) ? b->data + b->len : NULL;
}

void buf_fill(struct buf *b, size_t len)
{
	b->len += len;
	b->data[b->len] = '\0';
}

void buf_puts(struct buf *b, const char *text)
{
	buf_add(b, text, strlen(text));
}

void buf_putc(struct buf *b, char c)
{
	buf_add(b, &c, 1);
}

void buf_put_s64(struct buf *b, int64_t value)
{
	char digits[20]; /* a sign and 19 of them */
	size_t at = sizeof(digits);
	uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

	do {
		digits[--at] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest);
	if (value < 0)
		digits[--at] = '-';
	buf_add(b, digits + at, sizeof(digits) - at);
}

void buf_printf(struct buf *b, const char *format, ...)
{
	va_list ap;
	int len;

	va_start(ap, format);
	len = vsnprintf(NULL, 0, format, ap);
	va_end(ap);
	if (len < 0)
		b->failed = true;
	if (len < 0 || !reserve(b, (size_t)len))
		return;
	va_start(ap, format);
	(void)vsnprintf(b->data + b->len, (size_t)len + 1, format, ap);
	va_end(ap);
	b->len += (size_t)len;
}

void buf_clear(struct buf *b)
{
	b->len = 0;
	if (b->data)
		b->data[0] = '\0';
}

void buf_done(struct buf *b)
{
	free(b->data);
	*b = (struct buf){ 0 };
}

const char *buf_text(const struct buf *b)
{
	return b->data ? b->data : "";
}

int buf_error(const struct buf *b)
{
	return b->failed ? -ENOMEM : 0;
}
