/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The only compiler extensions this project uses, behind plain names. */
#pragma once

#include <stdio.h>
#include <stdlib.h>

#define must_check	   __attribute__((warn_unused_result))
#define nonnull(...)	   __attribute__((nonnull(__VA_ARGS__)))
#define printf_like(f, a)  __attribute__((format(printf, f, a)))
#define cleanup_with(func) __attribute__((cleanup(func)))

/* Number of elements of a real array; a pointer is refused at compile time. */
#define array_size(a)                                                                    \
	(sizeof(a) / sizeof((a)[0]) +                                                    \
	 0 * sizeof(struct {                                                             \
		 _Static_assert(!__builtin_types_compatible_p(__typeof__(a),             \
							      __typeof__(&(a)[0])),      \
				"not an array");                                         \
		 char c;                                                                 \
	 }))

static inline void free_pointer(void *p)
{
	free(*(void **)p);
}

static inline void close_file(FILE **f)
{
	if (*f)
		(void)fclose(*f);
}

#define cleanup_free cleanup_with(free_pointer)
#define cleanup_file cleanup_with(close_file)
