/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line of a record file, for the two that walk over it: the one that checks, the one that reads. */
#pragma once

#include <string.h>

#include "base/str.h"

/* Without blanks at its end. It stands in the text, so no zero ends it. */
struct hwdb_line {
	const char *s;
	size_t len;
};

/* The line at *S (before END), which moves to the next. */
static inline struct hwdb_line hwdb_line_next(const char **s, const char *end)
{
	const char *newline = memchr(*s, '\n', (size_t)(end - *s));
	struct hwdb_line line = { *s, (size_t)((newline ? newline : end) - *s) };

	*s = newline ? newline + 1 : end;
	while (line.len && str_is_space(line.s[line.len - 1]))
		line.len--;
	return line;
}

/* COPY has room for one byte more than the line. */
static inline void hwdb_line_copy(struct hwdb_line line, char *copy)
{
	memcpy(copy, line.s, line.len);
	copy[line.len] = '\0';
}
