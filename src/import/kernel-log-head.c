/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The heads of log lines: dmesg with each of its time formats and -x, the journal's short forms,
 * syslog and rsyslog, serial consoles, and what is left of them after wrapping.
 */
#include <string.h>

#include "base/str.h"
#include "import/kernel-log.h"

#define SECOND_US 1000000
#define DAY_US	  (86400 * (int64_t)SECOND_US)
#define WORD_MAX  64u /* of a host's name */

/* --- in brackets ------------------------------------------------------------------------------- */

/* " <    0.000012>" of dmesg -d */
static void skip_delta(const char **s)
{
	const char *p = klog_skip_spaces(*s);
	int64_t us;

	if (!klog_take_char(&p, '<'))
		return;
	p = klog_skip_spaces(p);
	if (klog_take_seconds(&p, &us) && klog_take_char(&p, '>'))
		*s = p;
}

static bool take_inside(const char **s, struct klog_head *h)
{
	struct klog_time *t = &h->time;
	int64_t us;

	if (klog_take_char(s, '+')) {
		h->relative = klog_take_seconds(s, &us);
		t->monotonic_us = us;
		return h->relative;
	}
	if (klog_take_seconds(s, &us)) {
		t->has_monotonic = true;
		t->monotonic_us = us;
		t->fine = true;
		return true;
	}
	if (klog_take_ctime(s, t))
		return true;
	h->base_only = klog_take_minute(s, t);
	return h->base_only || **s == '<';
}

static bool take_bracket(const char **s, struct klog_head *h)
{
	const char *p = *s;

	if (!klog_take_char(&p, '['))
		return false;
	p = klog_skip_spaces(p);
	if (!take_inside(&p, h))
		return false;
	skip_delta(&p);
	p = klog_skip_spaces(p);
	if (!klog_take_char(&p, ']'))
		return false;
	*s = p;
	return true;
}

/* "656.180386] ata7: ...": the bracket stayed in the line above */
static bool take_half_bracket(const char **s, struct klog_head *h)
{
	const char *p = *s;
	int64_t us;

	if (!klog_take_seconds(&p, &us) || !klog_take_char(&p, ']'))
		return false;
	h->time.has_monotonic = true;
	h->time.monotonic_us = us;
	h->time.fine = true;
	*s = p;
	return true;
}

/* "[  T113]", "[    C0]", "[104]": who wrote it */
static void skip_caller(const char **s)
{
	const char *p = klog_skip_spaces(*s);
	unsigned n;

	if (!klog_take_char(&p, '['))
		return;
	p = klog_skip_spaces(p);
	if (*p == 'T' || *p == 'C')
		p++;
	if (klog_take_digits(&p, 1, 9, &n) && klog_take_char(&p, ']'))
		*s = p;
}

/* --- before and behind ----------------------------------------------------------------------------- */

/* "<6>", "kern  :err   : ", a diff's mark, uniq's count, a stray quote */
static const char *skip_marks(const char *s)
{
	static const char *const levels[] = { "emerg", "alert",	 "crit", "err",
					      "warn",  "notice", "info", "debug" };
	const char *p;
	unsigned n;

	/* quoting marks behind a line number */
	while (*s == '>' || (*s == ' ' && s[1] == '>'))
		s = klog_skip_spaces(s + 1);
	p = s;
	if (*p == '<' && str_is_digit(p[1])) {
		p++;
		if (klog_take_digits(&p, 1, 3, &n) && klog_take_char(&p, '>'))
			return p;
		return s;
	}
	if (str_starts(p, "kern") && (klog_is_space(p[4]) || p[4] == ':')) {
		p = klog_skip_spaces(p + 4);
		if (!klog_take_char(&p, ':'))
			return s;
		for (size_t i = 0; i < array_size(levels); i++) {
			const char *rest = str_after(p, levels[i]);

			rest = rest ? klog_skip_spaces(rest) : NULL;
			if (rest && *rest == ':')
				return klog_skip_spaces(rest + 1);
		}
		return s;
	}
	if ((*p == '+' || *p == '-' || *p == '<' || *p == '"') && !str_is_digit(p[1]) &&
	    p[1] != *p)
		return klog_skip_spaces(p + 1);
	return s;
}

/* "kernel:", whole or what a cut left of it */
static const char *after_kernel(const char *s, bool whole)
{
	static const char word[] = "kernel:";

	for (size_t i = 0; i < (whole ? 1 : sizeof(word) - 2); i++) {
		const char *rest = str_after(s, word + i);

		if (rest && (!*rest || klog_is_space(*rest)) &&
		    (i == 0 || klog_is_wanted(klog_skip_spaces(rest),
					      strlen(klog_skip_spaces(rest)))))
			return rest;
	}
	return NULL;
}

/* "HOST kernel:" or "kernel:" behind a time; NULL when it is another program's line. */
static const char *after_host(const char *s)
{
	const char *p = klog_skip_spaces(s), *rest = after_kernel(p, true);
	size_t n = 0;

	if (rest)
		return rest;
	while (p[n] && !klog_is_space(p[n]))
		n++;
	if (!n || n > WORD_MAX || p[n - 1] == ':')
		return NULL;
	return after_kernel(klog_skip_spaces(p + n), true);
}

static bool take_date(const char **s, struct klog_head *h)
{
	const char *p = *s;
	int64_t us;

	if (klog_take_iso(s, &h->time) || klog_take_syslog(s, &h->time) ||
	    klog_take_full(s, &h->time))
		return true;
	if (klog_take_seconds(&p, &us) && klog_is_space(*p) && us > DAY_US * 365) {
		/* journalctl -o short-unix */
		h->time.has_wall = h->time.wall_has_year = h->time.fine = true;
		h->time.wall_us = us;
		*s = p;
		return true;
	}
	p = *s;
	if (klog_take_clock(&p, &h->time, &us)) {
		klog_skip_zone(&p);
		h->no_date = true;
		h->time.wall_us = us;
		*s = p;
		return true;
	}
	return false;
}

static const char *date_head(const char *s, struct klog_head *h)
{
	const char *p = s, *rest;

	if (!take_date(&p, h) || (*p && !klog_is_space(*p)))
		return NULL;
	rest = after_host(p);
	if (rest) {
		h->kernel = true;
		return rest;
	}
	/* dmesg --time-format=iso has no host */
	p = klog_skip_spaces(p);
	if (!h->no_date && klog_is_message(p, strlen(p)))
		return p;
	return NULL;
}

const char *klog_plain_start(const char *s)
{
	const char *p = skip_marks(klog_skip_spaces(s)), *q = p;
	uint64_t n;

	/* "uniq -c" counts its lines */
	if (str_take_u64(&q, 10, &n) == 0 && klog_is_space(*q))
		p = skip_marks(klog_skip_spaces(q));
	return klog_is_message(p, strlen(p)) ? p : NULL;
}

bool klog_head_parse(const char *s, struct klog_head *ret)
{
	struct klog_head h = { 0 }, inner = { 0 };
	const char *start = klog_skip_spaces(s), *p = skip_marks(start), *rest;

	if (take_bracket(&p, &h) || take_half_bracket(&p, &h)) {
		rest = after_host(p); /* journalctl -o short-monotonic */
		h.kernel = true;
		p = rest ? rest : p;
	} else if ((rest = date_head(p, &h)) || (rest = after_kernel(p, false))) {
		h.kernel = true;
		p = rest;
		rest = skip_marks(klog_skip_spaces(p));
		if (take_bracket(&rest, &inner) && inner.time.has_monotonic) {
			p = rest;
			h.time.has_monotonic = h.time.fine = true;
			h.time.monotonic_us = inner.time.monotonic_us;
		}
	} else {
		return false;
	}
	skip_caller(&p);
	skip_caller(&p);
	h.len = (size_t)(klog_skip_spaces(p) - s);
	*ret = h;
	return true;
}

/* --- inside of lines -------------------------------------------------------------------------------- */

#define MAX_BACK 7u /* words from "Thu" to "kernel:" */

/* The head that ends with the "kernel:" at AT: it begins at one of the words before. */
static const char *head_before(const char *s, const char *at, struct klog_head *ret)
{
	const char *found = NULL, *p = at;

	for (unsigned words = 0; words < MAX_BACK && p > s; words++) {
		while (p > s && klog_is_space(p[-1]))
			p--;
		while (p > s && !klog_is_space(p[-1]))
			p--;
		if (klog_head_parse(p, ret) && p + ret->len > at &&
		    (size_t)(p + ret->len - at) < 64)
			found = p;
	}
	return found && klog_head_parse(found, ret) ? found : NULL;
}

const char *klog_head_find(const char *s, struct klog_head *ret)
{
	for (const char *p = s + (*s != '\0'); *p; p++) {
		if (*p == '[' && klog_is_space(p[-1]) &&
		    (klog_is_space(p[1]) || str_is_digit(p[1])) &&
		    klog_head_parse(p, ret) && ret->time.has_monotonic)
			return p;
		if (*p == 'k' && klog_is_space(p[-1]) && after_kernel(p, true)) {
			const char *found = head_before(s + 1, p, ret);

			if (found)
				return found;
		}
	}
	return NULL;
}
