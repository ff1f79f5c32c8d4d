/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A borrowed run of bytes. Decoders take spans, and cut them only here. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct span {
	const uint8_t *data;
	size_t len;
};

static inline struct span span_of(const void *data, size_t len)
{
	return (struct span){ .data = data, .len = len };
}

static inline struct span span_of_text(const char *text)
{
	return span_of(text, strlen(text));
}

/* Cut LEN bytes at OFFSET. False, with *ret untouched, when they are not all there. */
static inline bool span_cut(struct span s, size_t offset, size_t len, struct span *ret)
{
	if (offset > s.len || len > s.len - offset)
		return false;
	*ret = span_of(s.data + offset, len);
	return true;
}
