/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/str.h"
#include "decode/kernel-log.h"

static bool is_space(char c)
{
	return c == ' ' || c == '\n';
}

static int digit_of(char c, unsigned base)
{
	if (str_is_digit(c))
		return c - '0';
	if (base == 16 && c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (base == 16 && c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* The literal at PATTERN, up to the next % or |; where it ends in S, NULL when it is not there. */
static const char *match_literal(const char *s, const char *pattern)
{
	for (; *pattern && *pattern != '%' && *pattern != '|'; pattern++) {
		if (*pattern == '$') {
			while (is_space(*s))
				s++;
			return *s ? NULL : s;
		}
		if (*pattern == ' ') {
			if (!is_space(*s))
				return NULL;
			while (is_space(*s))
				s++;
			continue;
		}
		/* terminals wrap within words */
		if (*s == '\n' && *pattern != '\n')
			s++;
		if (*s != *pattern)
			return NULL;
		s++;
	}
	return s;
}

static bool has_literal(const char *pattern)
{
	pattern += *pattern == '|';
	return *pattern && *pattern != '%';
}

struct number {
	uint64_t u;
	bool is_set, is_negative;
	const char *end;
};

/* Digits from S, across a line break when GLUE. */
static bool take_digits(const char *s, unsigned base, bool glue, struct number *n)
{
	const char *start = s;
	bool fits = true;

	n->u = 0;
	for (;; s++) {
		int d;

		if (glue && *s == '\n' && digit_of(s[1], base) >= 0)
			continue;
		d = digit_of(*s, base);
		if (d < 0)
			break;
		if (n->u > (UINT64_MAX - (unsigned)d) / base)
			fits = false;
		n->u = n->u * base + (unsigned)d;
	}
	n->end = s;
	n->is_set = fits;
	return s > start;
}

/*
 * A number. When it ends where a line was broken and a digit follows, it may be half of one: what
 * must stand behind it decides, and where nothing must, it is not known.
 */
static bool take_number(const char *s, unsigned base, bool cut, const char *behind,
			struct number *n)
{
	struct number glued;

	if (base == 16 && s[0] == '0' && s[1] == 'x')
		s += 2;
	if (!take_digits(s, base, false, n))
		return false;
	if (!*n->end && cut)
		n->is_set = false;
	if (*n->end != '\n' || digit_of(n->end[1], 16) < 0)
		return true;
	behind += *behind == '|';
	if (has_literal(behind) && match_literal(n->end, behind))
		return true;
	/* "00:0" and "0:00": nothing but the other half stands there; before a space it may be anything */
	if (has_literal(behind) && *behind != ' ' && take_digits(s, base, true, &glued) &&
	    match_literal(glued.end, behind))
		*n = glued;
	else
		n->is_set = false;
	return true;
}

static bool take_decimal(const char *s, struct number *n)
{
	if (!take_digits(s, 10, false, n) || *n->end != '.' || !str_is_digit(n->end[1]) ||
	    n->u > 1000)
		return false;
	n->u = n->u * 1000 + (uint64_t)(n->end[1] - '0') * 100;
	n->end += 2;
	return true;
}

static const char *take_text(const char *s, bool word, char stop)
{
	while (*s && *s != stop && !(word && is_space(*s)) &&
	       !(stop == ' ' && is_space(*s)))
		s++;
	return s;
}

static bool take_arg(const char **s, char kind, bool cut, const char *behind,
		     struct scan_arg *ret)
{
	struct number n = { 0 };
	bool ok = true;

	*ret = (struct scan_arg){ .s = *s };
	switch (kind) {
	case 'u':
		ok = take_number(*s, 10, cut, behind, &n);
		break;
	case 'x':
		ok = take_number(*s, 16, cut, behind, &n);
		break;
	case 'X':
		ok = (*s)[0] == '0' && (*s)[1] == 'x' &&
		     take_number(*s, 16, cut, behind, &n);
		break;
	case 'd':
		n.is_negative = **s == '-';
		ok = take_number(*s + n.is_negative, 10, cut, behind, &n);
		if (n.is_negative)
			n.u = 0 - n.u;
		break;
	case 'f':
		ok = take_decimal(*s, &n);
		break;
	default:
		n.end = take_text(*s, kind == 'w', *behind);
		n.is_set = n.end > *s && (*n.end || !cut);
		ok = n.end > *s || kind == '*';
	}
	if (!ok)
		return false;
	ret->is_set = n.is_set;
	ret->u = n.u;
	ret->len = (size_t)(n.end - *s);
	*s = n.end;
	return true;
}

bool klog_scan(const char *s, bool cut, const char *pattern, struct scan_args *ret)
{
	bool optional = false;

	*ret = (struct scan_args){ .rest = s };
	for (;;) {
		if (*pattern == '|') {
			optional = true;
			pattern++;
		}
		if (!*pattern)
			return true;
		if (*pattern == '%') {
			struct scan_arg arg;

			if (ret->n == SCAN_MAX ||
			    !take_arg(&s, pattern[1], cut, pattern + 2, &arg))
				return optional;
			ret->a[ret->n++] = arg;
			pattern += 2;
		} else {
			const char *end = match_literal(s, pattern);

			if (!end)
				return optional;
			s = end;
			while (*pattern && *pattern != '%' && *pattern != '|')
				pattern++;
		}
		ret->rest = s;
	}
}
