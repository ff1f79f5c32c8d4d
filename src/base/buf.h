/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A growable string of bytes, always NUL-terminated. Errors stick: after memory ran out every
 * call does nothing and buf_error() says so, so a writer checks once, at its end.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attrs.h"
#include "base/span.h"

struct buf {
	char *data; /* NULL while empty; use buf_text() */
	size_t len, cap;
	bool failed;
};

void buf_add(struct buf *b, const void *data, size_t len);
void buf_puts(struct buf *b, const char *text);
void buf_putc(struct buf *b, char c);
/* In decimal: what "%" PRId64 writes, for tables where that is too slow. */
void buf_put_s64(struct buf *b, int64_t value);
void buf_printf(struct buf *b, const char *format, ...) printf_like(2, 3);
/*
 * Room for LEN bytes behind the text, to be filled by read(2) and the like; NULL when memory is out.
 * What was filled is told by buf_fill(), before any other call.
 */
char *buf_room(struct buf *b, size_t len);
void buf_fill(struct buf *b, size_t len);
void buf_clear(struct buf *b); /* empty, keep the memory */
void buf_done(struct buf *b);

/* The text so far, never NULL. Borrowed until the next change. */
const char *buf_text(const struct buf *b);
/* 0, or -ENOMEM when a call before failed. */
int buf_error(const struct buf *b) must_check;

static inline struct span buf_span(const struct buf *b)
{
	return span_of(buf_text(b), b->len);
}

#define cleanup_buf cleanup_with(buf_done)
