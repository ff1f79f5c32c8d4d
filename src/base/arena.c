/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <string.h>

#include "base/large.h"

#define BLOCK_BYTES 16384u

struct arena_block {
	struct arena_block *before;
	size_t size, used;
	bool dirty; /* zeroed where it is used */
	alignas(max_align_t) unsigned char data[];
};

static struct arena_block *block_add(struct arena *a, struct arena_block *b, size_t size,
				     bool dirty)
{
	if (!b)
		return NULL;
	b->size = size;
	b->used = 0;
	b->dirty = dirty;
	b->before = a->last;
	a->last = b;
	return b;
}

static struct arena_block *block_new(struct arena *a, size_t size)
{
	size_t want = size > BLOCK_BYTES ? size : BLOCK_BYTES;

	if (want > SIZE_MAX - sizeof(struct arena_block))
		return NULL;
	return block_add(a, calloc(1, sizeof(struct arena_block) + want), want, false);
}

bool arena_add_large(struct arena *a, size_t size)
{
	size_t whole;

	if (size > SIZE_MAX - sizeof(struct arena_block))
		return false;
	whole = large_size(sizeof(struct arena_block) + size);
	return block_add(a, large_alloc(whole), whole - sizeof(struct arena_block), true);
}

void *arena_alloc(struct arena *a, size_t size)
{
	const size_t align = alignof(max_align_t);
	struct arena_block *b = a->last;
	void *p;

	if (size > SIZE_MAX - align)
		return NULL;
	size = (size + align - 1) / align * align;
	if (!b || size > b->size - b->used) {
		b = block_new(a, size);
		if (!b)
			return NULL;
	}
	p = b->data + b->used;
	if (b->dirty)
		memset(p, 0, size);
	b->used += size;
	a->used_bytes += size;
	return p;
}

char *arena_strndup(struct arena *a, const char *s, size_t len)
{
	char *copy = len < SIZE_MAX ? arena_alloc(a, len + 1) : NULL;

	if (copy && len)
		memcpy(copy, s, len);
	return copy;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *arena_vprintf(struct arena *a, const char *format, va_list ap)
{
	va_list again;
	char *text;
	int len;

	va_copy(again, ap);
	len = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (len < 0)
		return NULL;
	text = arena_alloc(a, (size_t)len + 1);
	if (text)
		(void)vsnprintf(text, (size_t)len + 1, format, ap);
	return text;
}

char *arena_printf(struct arena *a, const char *format, ...)
{
	va_list ap;
	char *text;

	va_start(ap, format);
	text = arena_vprintf(a, format, ap);
	va_end(ap);
	return text;
}

bool arena_reserve(struct arena *a, void *items, size_t n, size_t *cap, size_t want,
		   size_t size)
{
	unsigned char *array, *bigger = NULL;

	if (want <= *cap)
		return true;
	/* the caller's pointer has another type: copied, as C's aliasing rules want it */
	memcpy(&array, items, sizeof(array));
	if (want <= SIZE_MAX / size)
		bigger = arena_alloc(a, want * size);
	if (!bigger)
		return false;
	if (n)
		memcpy(bigger, array, n * size);
	memcpy(items, &bigger, sizeof(bigger));
	*cap = want;
	return true;
}

void *arena_push(struct arena *a, void *items, size_t *n, size_t *cap, size_t size)
{
	unsigned char *array;

	if (*n == *cap && !arena_reserve(a, items, *n, cap, *cap ? *cap * 2 : 8, size))
		return NULL;
	memcpy(&array, items, sizeof(array));
	return array + (*n)++ * size;
}

void arena_done(struct arena *a)
{
	while (a->last) {
		struct arena_block *before = a->last->before;

		free(a->last);
		a->last = before;
	}
	a->used_bytes = 0;
}
