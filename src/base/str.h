/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Strings and numbers, locale-free (data is always read and written as in LC_ALL=C), and the
 * one place where hostile text is made safe to print.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attrs.h"
#include "base/buf.h"

static inline bool str_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool str_is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline bool str_is_alpha(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool str_equal(const char *a, const char *b); /* NULL equals only NULL */
bool str_equal_nocase(const char *a, const char *b);
bool str_starts(const char *s, const char *prefix);
bool str_ends(const char *s, const char *suffix);
/* S without blanks at both ends: cut in place. */
char *str_trim(char *s);
/* The rest of S behind PREFIX, or NULL when S does not start with it. */
const char *str_after(const char *s, const char *prefix);

/*
 * Read an unsigned number in BASE (10 or 16; no sign, no space) from *s and move *s behind it.
 * 0, -EINVAL without a digit, -ERANGE when it does not fit; *s and *ret untouched on failure.
 */
int str_take_u64(const char **s, int base, uint64_t *ret) must_check;
/* The whole of S as one number: 0, -EINVAL, -ERANGE. "0x" chooses base 16. */
int str_to_u64(const char *s, uint64_t *ret) must_check;
/* As above with an optional leading '-'. */
int str_to_s64(const char *s, int64_t *ret) must_check;

/*
 * Append TEXT fit for a terminal, a log or a line of a file: bytes below 20h, 7Fh, C1 controls
 * and broken UTF-8 are written as \xNN, and a backslash is doubled. At most MAX bytes are read.
 */
void str_add_escaped(struct buf *b, const char *text, size_t max);
/* How many bytes at S str_add_escaped() would write as they are, backslashes left aside. */
size_t str_printable_len(const char *s, size_t len);
/* Undo str_add_escaped(). 0, -ENOMEM, or -EINVAL for what is no such escape and for \x00. */
int str_add_unescaped(struct buf *b, const char *text, size_t len) must_check;
/* Length of the valid UTF-8 sequence at S (1..4), or 0 when the bytes are none. */
size_t str_utf8_len(const char *s, size_t len);

/* What a word gets that stands behind N: "s", but nothing behind 1. */
static inline const char *str_plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* Append N with its digits in groups of three: 25,491. */
void str_add_grouped(struct buf *b, uint64_t n);
