/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An arena owns many small objects that live and die together: the strings and rows of one
 * capture, one case, one report. Memory is zeroed, aligned for any type, and freed at once.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/attrs.h"

struct arena_block;

struct arena {
	struct arena_block *last;
	size_t used_bytes; /* total handed out, for limits and statistics */
};

/* All of these return NULL only when memory is out. */
void *arena_alloc(struct arena *a, size_t size) must_check;
char *arena_strndup(struct arena *a, const char *s, size_t len) must_check;
char *arena_strdup(struct arena *a, const char *s) must_check;
char *arena_printf(struct arena *a, const char *format, ...) must_check printf_like(2, 3);
char *arena_vprintf(struct arena *a, const char *format, va_list ap) must_check
	printf_like(2, 0);

/*
 * SIZE bytes in large pages (large.h) for what comes next, by whom will fill most of them: to begin such
 * a page costs as much as 30 small ones or more. False: memory is out.
 */
bool arena_add_large(struct arena *a, size_t size) must_check;
/* Room for WANT items of SIZE bytes in an array of arena_push(), which has N. False: memory is out. */
bool arena_reserve(struct arena *a, void *items, size_t n, size_t *cap, size_t want,
		   size_t size) must_check;
/*
 * Grow an array that lives in the arena: *items holds *n elements of SIZE bytes with room for
 * *cap; returns the (zeroed) slot for one more and counts it, or NULL when memory is out.
 */
void *arena_push(struct arena *a, void *items, size_t *n, size_t *cap,
		 size_t size) must_check;

/* Free all of it; the arena may be used again. */
void arena_done(struct arena *a);
