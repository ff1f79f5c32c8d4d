/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "drivedb/smart-regex.h"

#include <regex.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"

#define MAX_LENGTH 4096u
#define MAX_DEPTH  32u
/* Product of all bounds. Each copies what it repeats, and the C library takes memory by its square. */
#define MAX_REPEAT 64u
#define MAX_STATES 8192u
#define MAX_TEXT   256u

/* Behind the class that begins at P ("["); its last character when it never ends. */
static const char *class_end(const char *p)
{
	p++;
	if (*p == '^')
		p++;
	if (*p == ']')
		p++;
	while (*p && *p != ']') {
		/* [:name:], [.x.] and [=x=] have brackets of their own */
		const char *close = *p == '[' && p[1] && strchr(":.=", p[1])
					    ? strchr(p + 2, ']')
					    : NULL;

		p = close && close[-1] == p[1] ? close + 1 : p + 1;
	}
	return *p ? p + 1 : p;
}

/* Behind the one character or class at P. */
static const char *atom_end(const char *p)
{
	if (*p == '[')
		return class_end(p);
	if (*p == '\\' && p[1])
		return p + 2;
	return *p ? p + 1 : p;
}

/* "{2,5}": multiply by the larger number. */
static void count_bounds(const char *p, uint64_t *product)
{
	uint64_t n, most = 1;

	for (p++; *p && *p != '}';) {
		if (str_take_u64(&p, 10, &n) < 0)
			p++;
		else if (n > most)
			most = n;
	}
	*product = most > MAX_REPEAT ? UINT32_MAX : *product * most;
	if (*product > MAX_REPEAT)
		*product = UINT32_MAX;
}

/* What one group, and the last thing in it, take when compiled: one for each character to match. */
struct size {
	uint64_t whole, last;
};

static void size_repeat(struct size *g, uint64_t times)
{
	g->whole += g->last * (times - 1);
	g->last *= times;
}

static void size_count(struct size *g, char c)
{
	switch (c) {
	case '+': /* glibc compiles x+ as xx*: a row of them, or one around the other, doubles */
		size_repeat(g, 2);
		break;
	case '*':
	case '?':
		break;
	default:
		g->last = 1;
		g->whole++;
	}
}

/* The brackets match, and are no deeper than MAX_DEPTH. */
static bool is_too_large(const char *re)
{
	struct size group[MAX_DEPTH + 1] = { 0 };
	size_t depth = 0;

	for (const char *p = re; *p; p = atom_end(p)) {
		uint64_t product = 1;

		if (*p == '(') {
			group[++depth] = (struct size){ 0 };
		} else if (*p == ')') {
			depth--;
			group[depth].last = group[depth + 1].whole;
			group[depth].whole += group[depth].last;
		} else if (*p == '{') {
			count_bounds(p, &product);
			size_repeat(&group[depth], product);
			p += strcspn(p, "}");
			if (!*p)
				break;
		} else {
			size_count(&group[depth], *p);
		}
		if (group[depth].whole > MAX_STATES)
			return true;
	}
	return false;
}

const char *smart_regex_fault(const char *re)
{
	uint64_t product = 1;
	size_t depth = 0;

	if (strlen(re) > MAX_LENGTH)
		return "the expression is too long";
	for (const char *p = re; *p; p = atom_end(p)) {
		if (*p == '\\' && str_is_digit(p[1]))
			return "back references are not run";
		if (*p == '(' && ++depth > MAX_DEPTH)
			return "too many brackets within each other";
		if (*p == ')' && depth-- == 0)
			return "brackets that do not match";
		if (*p == '{')
			count_bounds(p, &product);
		if (product > MAX_REPEAT)
			return "too many repetitions";
	}
	if (depth)
		return "brackets that do not match";
	if (strlen(re) * product > MAX_STATES || is_too_large(re))
		return "too many repetitions";
	return NULL;
}

/* --- the beginning -------------------------------------------------------------------------- */

struct starts {
	const char *re[64];
	const char *text[64];
	size_t n;
	bool full;
};

static void add_start(struct starts *s, const char *re, const char *text)
{
	if (s->n == array_size(s->re)) {
		s->full = true;
		return;
	}
	s->re[s->n] = re;
	s->text[s->n++] = text;
}

/* RE and what stands behind each "|" of its group; returns the ")" that ends it, or the end. */
static const char *add_alternatives(struct starts *s, const char *re, const char *text)
{
	size_t depth = 0;

	add_start(s, re, text);
	for (; *re; re = atom_end(re)) {
		if (*re == '(')
			depth++;
		else if (*re == ')' && !depth)
			break;
		else if (*re == ')')
			depth--;
		else if (*re == '|' && !depth)
			add_start(s, re + 1, text);
	}
	return re;
}

static bool may_be_left_out(const char *behind)
{
	while (*behind == '+')
		behind++;
	return *behind == '?' || *behind == '*' || *behind == '{';
}

/* A class with names in it, as [:digit:], is taken to hold anything. */
static bool class_may_hold(const char *p, const char *end, char c)
{
	bool negated = p[1] == '^', found = false;

	for (p += negated ? 2 : 1; p < end - 1; p++) {
		if (*p == '[' && strchr(":.=", p[1]))
			return true;
		if (p[1] == '-' && p + 2 < end - 1) {
			found |= (uint8_t)c >= (uint8_t)*p && (uint8_t)c <= (uint8_t)p[2];
			p += 2;
		} else {
			found |= *p == c;
		}
	}
	return found != negated;
}

static bool atom_may_be(const char *p, const char *end, char c)
{
	if (*p == '.')
		return c != '\0';
	if (*p == '[')
		return c && (end[-1] != ']' || class_may_hold(p, end, c));
	if (*p == '\\')
		/* \w and its like are more than the character */
		return str_is_alpha(p[1]) || p[1] == c;
	return *p == c;
}

/* One way through the literal beginning: false once a character differs. */
static bool path_may_match(struct starts *s, const char *re, const char *text)
{
	for (;;) {
		const char *end = atom_end(re);

		if (!*re || strchr("|)^$*+?{", *re))
			return true;
		if (*re == '(') {
			const char *close = add_alternatives(s, re + 1, text);

			return !*close || may_be_left_out(close + 1);
		}
		if (may_be_left_out(end))
			return true;
		if (!atom_may_be(re, end, *text))
			return false;
		if (*end == '+')
			return true;
		re = end;
		text++;
	}
}

bool smart_regex_may_begin(const char *re, const char *text)
{
	struct starts s = { .n = 0 };

	(void)add_alternatives(&s, re, text);
	/* rows are only ever added behind the one in work */
	for (size_t i = 0; i < s.n; i++)
		if (path_may_match(&s, s.re[i], s.text[i]))
			return true;
	return s.full;
}

/* --- the whole ------------------------------------------------------------------------------ */

bool smart_regex_matches(const char *re, const char *text)
{
	struct buf whole cleanup_buf = { 0 };
	regex_t compiled;
	bool found;

	if (smart_regex_fault(re) || strlen(text) > MAX_TEXT ||
	    !smart_regex_may_begin(re, text))
		return false;
	buf_printf(&whole, "^(%s)$", re);
	if (buf_error(&whole) < 0 ||
	    regcomp(&compiled, buf_text(&whole), REG_EXTENDED | REG_NOSUB) != 0)
		return false;
	found = regexec(&compiled, text, 0, NULL, 0) == 0;
	regfree(&compiled);
	return found;
}
