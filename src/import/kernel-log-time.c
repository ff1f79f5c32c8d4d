/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The times that stand before log lines. */
#include "import/kernel-log.h"

#include "base/calendar.h"
#include "base/str.h"

#define SECOND_US 1000000
#define DAY_US	  (86400 * (int64_t)SECOND_US)
#define MAX_S	  ((uint64_t)1 << 40)

bool klog_is_space(char c)
{
	return c == ' ' || c == '\n';
}

const char *klog_skip_spaces(const char *s)
{
	while (klog_is_space(*s))
		s++;
	return s;
}

/* Exactly MIN to MAX digits, not followed by one more. */
bool klog_take_digits(const char **s, unsigned min, unsigned max, unsigned *ret)
{
	const char *p = *s;
	unsigned n = 0, value = 0;

	for (; str_is_digit(*p) && n < max; p++, n++)
		value = value * 10 + (unsigned)(*p - '0');
	if (n < min || str_is_digit(*p))
		return false;
	*s = p;
	*ret = value;
	return true;
}

bool klog_take_char(const char **s, char c)
{
	if (**s != c)
		return false;
	++*s;
	return true;
}

/* Digits behind a point or comma, as microseconds. */
static int64_t take_micro(const char **s)
{
	int64_t us = 0, scale = SECOND_US / 10;

	for (; str_is_digit(**s); ++*s, scale /= 10)
		us += (**s - '0') * scale;
	return us;
}

/* "614.263599": seconds with at least three places. */
bool klog_take_seconds(const char **s, int64_t *ret_us)
{
	const char *p = *s, *fraction;
	uint64_t whole;

	if (str_take_u64(&p, 10, &whole) < 0 || whole > MAX_S || !klog_take_char(&p, '.'))
		return false;
	fraction = p;
	*ret_us = (int64_t)whole * SECOND_US + take_micro(&p);
	if (p - fraction < 3 || p - fraction > 9)
		return false;
	*s = p;
	return true;
}

/* "18:58:49", with parts of a second behind "." or "," */
bool klog_take_clock(const char **s, struct klog_time *t, int64_t *ret_us)
{
	const char *p = *s;
	unsigned hour, minute, second;
	int64_t us = 0;

	if (!klog_take_digits(&p, 1, 2, &hour) || !klog_take_char(&p, ':') ||
	    !klog_take_digits(&p, 2, 2, &minute) || !klog_take_char(&p, ':') ||
	    !klog_take_digits(&p, 2, 2, &second) || hour > 23 || minute > 59 ||
	    second > 60)
		return false;
	if ((*p == '.' || *p == ',') && str_is_digit(p[1])) {
		p++;
		us = take_micro(&p);
		t->fine = true;
	}
	*ret_us = (int64_t)((hour * 60 + minute) * 60 + second) * SECOND_US + us;
	*s = p;
	return true;
}

/* "+01:00", "+0100", "Z": behind a time; it is left aside, all times of a log have the same. */
void klog_skip_zone(const char **s)
{
	const char *p = *s;
	unsigned n;

	if (klog_take_char(s, 'Z'))
		return;
	if (*p != '+' && *p != '-')
		return;
	p++;
	if (klog_take_digits(&p, 4, 4, &n)) {
		*s = p;
		return;
	}
	if (!klog_take_digits(&p, 2, 2, &n))
		return;
	(void)klog_take_char(&p, ':');
	if (klog_take_digits(&p, 2, 2, &n))
		*s = p;
}

static void set_wall(struct klog_time *t, struct calendar_date d, bool has_year,
		     int64_t us)
{
	if (!has_year)
		d.year = 2000;
	if (!calendar_is_date(d))
		return; /* a time all the same, only nobody knows which */
	t->has_wall = true;
	t->wall_has_year = has_year;
	t->wall_us = calendar_days(d) * DAY_US + us;
}

/* A word of letters (of any language, with its point: "Dez.") up to a space. */
static bool take_name(const char **s, char ret[16])
{
	const char *p = *s;
	size_t n = 0;

	while (str_is_alpha(*p) || (unsigned char)*p >= 0x80 || (n && *p == '.')) {
		if (n == 15)
			return false;
		ret[n++] = *p++;
	}
	ret[n] = '\0';
	if (n < 2)
		return false;
	*s = p;
	return true;
}

static bool take_iso_date(const char **s, struct calendar_date *ret)
{
	const char *p = *s;
	unsigned year, month, day;

	if (!klog_take_digits(&p, 4, 4, &year) || !klog_take_char(&p, '-') ||
	    !klog_take_digits(&p, 2, 2, &month) || !klog_take_char(&p, '-') ||
	    !klog_take_digits(&p, 2, 2, &day))
		return false;
	*ret = (struct calendar_date){ year, month, day };
	*s = p;
	return true;
}

/* "2026-05-12T08:14:02.123456+02:00" */
bool klog_take_iso(const char **s, struct klog_time *t)
{
	const char *p = *s;
	struct calendar_date d;
	int64_t us;

	if (!take_iso_date(&p, &d) || (*p != 'T' && !klog_is_space(*p)))
		return false;
	p = klog_skip_spaces(p + 1);
	if (!klog_take_clock(&p, t, &us))
		return false;
	klog_skip_zone(&p);
	set_wall(t, d, true, us);
	*s = p;
	return true;
}

/* "Dec 10 18:58:49", "touko 05 09:19:00" */
bool klog_take_syslog(const char **s, struct klog_time *t)
{
	const char *p = *s;
	char month[16];
	unsigned day;
	int64_t us;

	if (!take_name(&p, month) || !klog_is_space(*p))
		return false;
	p = klog_skip_spaces(p);
	if (!klog_take_digits(&p, 1, 2, &day) || !klog_is_space(*p))
		return false;
	p = klog_skip_spaces(p);
	if (!klog_take_clock(&p, t, &us))
		return false;
	set_wall(t, (struct calendar_date){ 2000, calendar_month(month), day }, false,
		 us);
	*s = p;
	return true;
}

/* "Thu 2026-05-14 18:58:49 UTC" of journalctl -o short-full */
bool klog_take_full(const char **s, struct klog_time *t)
{
	const char *p = *s;
	char name[16];

	if (!take_name(&p, name) || !klog_is_space(*p))
		return false;
	p = klog_skip_spaces(p);
	if (!klog_take_iso(&p, t) || !klog_is_space(*p))
		return false;
	p = klog_skip_spaces(p);
	if (!take_name(&p, name))
		klog_skip_zone(&p);
	*s = p;
	return true;
}

/* "Thu Dec 10 18:58:49 2020" of dmesg -T */
bool klog_take_ctime(const char **s, struct klog_time *t)
{
	const char *p = *s;
	char name[16];
	unsigned year;

	if (!take_name(&p, name) || !klog_is_space(*p))
		return false;
	p = klog_skip_spaces(p);
	if (!klog_take_syslog(&p, t) || !klog_is_space(*p))
		return false;
	p = klog_skip_spaces(p);
	if (!klog_take_digits(&p, 4, 4, &year))
		return false;
	if (t->has_wall) {
		int64_t days = t->wall_us / DAY_US;
		struct calendar_date d = calendar_date_of(days);

		d.year = year;
		t->has_wall = false;
		set_wall(t, d, true, t->wall_us - days * DAY_US);
	}
	*s = p;
	return true;
}

/* "Dec10 18:58" of dmesg -e and -H */
bool klog_take_minute(const char **s, struct klog_time *t)
{
	const char *p = *s;
	char month[16];
	unsigned day, hour, minute;

	if (!take_name(&p, month))
		return false;
	p = klog_skip_spaces(p);
	if (!klog_take_digits(&p, 1, 2, &day) || !klog_is_space(*p))
		return false;
	p = klog_skip_spaces(p);
	if (!klog_take_digits(&p, 2, 2, &hour) || !klog_take_char(&p, ':') ||
	    !klog_take_digits(&p, 2, 2, &minute) || hour > 23 || minute > 59)
		return false;
	set_wall(t, (struct calendar_date){ 2000, calendar_month(month), day }, false,
		 (int64_t)(hour * 60 + minute) * 60 * SECOND_US);
	*s = p;
	return true;
}
