/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/str.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

bool str_equal(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

bool str_equal_nocase(const char *a, const char *b)
{
	return a == b || (a && b && strcasecmp(a, b) == 0);
}

bool str_starts(const char *s, const char *prefix)
{
	return str_after(s, prefix) != NULL;
}

bool str_ends(const char *s, const char *suffix)
{
	size_t n = strlen(s), m = strlen(suffix);

	return m <= n && memcmp(s + n - m, suffix, m) == 0;
}

const char *str_after(const char *s, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(s, prefix, n) == 0 ? s + n : NULL;
}

static int digit_of(char c, int base)
{
	int d = str_is_digit(c)		 ? c - '0'
		: (c >= 'a' && c <= 'f') ? c - 'a' + 10
		: (c >= 'A' && c <= 'F') ? c - 'A' + 10
					 : 99;

	return d < base ? d : -1;
}

int str_take_u64(const char **s, int base, uint64_t *ret)
{
	const char *p = *s;
	uint64_t n = 0;

	if (digit_of(*p, base) < 0)
		return -EINVAL;
	for (; digit_of(*p, base) >= 0; p++) {
		uint64_t d = (uint64_t)digit_of(*p, base);

		if (n > (UINT64_MAX - d) / (uint64_t)base)
			return -ERANGE;
		n = n * (uint64_t)base + d;
	}
	*s = p;
	*ret = n;
	return 0;
}

int str_to_u64(const char *s, uint64_t *ret)
{
	int base = 10;
	uint64_t n;
	int r;

	if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
		base = 16;
		s += 2;
	}
	r = str_take_u64(&s, base, &n);
	if (r < 0)
		return r;
	if (*s)
		return -EINVAL;
	*ret = n;
	return 0;
}

int str_to_s64(const char *s, int64_t *ret)
{
	bool minus = *s == '-';
	uint64_t n;
	int r = str_to_u64(s + minus, &n);

	if (r < 0)
		return r;
	if (n > (uint64_t)INT64_MAX + minus)
		return -ERANGE;
	*ret = minus ? (int64_t)(0 - n) : (int64_t)n;
	return 0;
}

char *str_trim(char *s)
{
	size_t len;

	while (str_is_space(*s))
		s++;
	len = strlen(s);
	while (len && str_is_space(s[len - 1]))
		s[--len] = '\0';
	return s;
}

/* RFC 3629: no overlong forms, no surrogates, nothing above 10FFFFh. */
size_t str_utf8_len(const char *s, size_t len)
{
	static const struct {
		uint8_t first, last, second_min, second_max, n;
	} rows[] = {
		{ 0x00, 0x7f, 0, 0, 1 },       { 0xc2, 0xdf, 0x80, 0xbf, 2 },
		{ 0xe0, 0xe0, 0xa0, 0xbf, 3 }, { 0xe1, 0xec, 0x80, 0xbf, 3 },
		{ 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
		{ 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 },
		{ 0xf4, 0xf4, 0x80, 0x8f, 4 },
	};
	const uint8_t *b = (const uint8_t *)s;

	for (size_t i = 0; len && i < array_size(rows); i++) {
		size_t n = rows[i].n;

		if (b[0] < rows[i].first || b[0] > rows[i].last || n > len)
			continue;
		if (n > 1 && (b[1] < rows[i].second_min || b[1] > rows[i].second_max))
			return 0;
		for (size_t k = 2; k < n; k++)
			if (b[k] < 0x80 || b[k] > 0xbf)
				return 0;
		return n;
	}
	return 0;
}

static bool is_printable(const char *s, size_t n)
{
	uint8_t first = (uint8_t)s[0], second = n > 1 ? (uint8_t)s[1] : 0;

	if (n == 1)
		return first >= 0x20 && first != 0x7f;
	if (n == 2 && first == 0xc2 && second < 0xa0)
		return false; /* C1 controls */
	if (n == 2 && first == 0xd8 && second == 0x9c)
		return false; /* U+061C turns the direction, too */
	/* line and paragraph separators, direction overrides: E2 80 8B..8F, A8..AE; 81 A6..A9 */
	if (n == 3 && first == 0xe2) {
		uint8_t third = (uint8_t)s[2];

		if (second == 0x80 && ((third >= 0x8b && third <= 0x8f) ||
				       (third >= 0xa8 && third <= 0xae)))
			return false;
		if (second == 0x81 && third >= 0xa6 && third <= 0xa9)
			return false;
	}
	return n > 0;
}

size_t str_printable_len(const char *s, size_t len)
{
	size_t i = 0;

	while (i < len) {
		size_t n = str_utf8_len(s + i, len - i);

		if (!n || !is_printable(s + i, n))
			break;
		i += n;
	}
	return i;
}

void str_add_escaped(struct buf *b, const char *text, size_t max)
{
	size_t len = strnlen(text, max);

	for (size_t i = 0; i < len;) {
		size_t n = str_utf8_len(text + i, len - i);

		if (text[i] == '\\') {
			buf_puts(b, "\\\\");
			i++;
		} else if (n && is_printable(text + i, n)) {
			buf_add(b, text + i, n);
			i += n;
		} else {
			buf_printf(b, "\\x%02x", (unsigned)(uint8_t)text[i]);
			i++;
		}
	}
}

int str_add_unescaped(struct buf *b, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] != '\\') {
			buf_putc(b, text[i]);
		} else if (len - i >= 2 && text[i + 1] == '\\') {
			buf_putc(b, '\\');
			i++;
		} else if (len - i >= 4 && text[i + 1] == 'x' &&
			   digit_of(text[i + 2], 16) >= 0 &&
			   digit_of(text[i + 3], 16) >= 0) {
			int c = digit_of(text[i + 2], 16) * 16 +
				digit_of(text[i + 3], 16);

			if (!c)
				return -EINVAL; /* would end the text */
			buf_putc(b, (char)c);
			i += 3;
		} else {
			return -EINVAL;
		}
	}
	return buf_error(b);
}

void str_add_grouped(struct buf *b, uint64_t n)
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)n);

	for (int i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			buf_putc(b, ',');
		buf_putc(b, digits[i]);
	}
}
