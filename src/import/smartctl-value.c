/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values as the poster's locale and smartctl's versions write them. */
#include <string.h>

#include "base/str.h"
#include "import/smartctl.h"

/* Length of a mark between groups of digits, 0 when there is none. */
static size_t separator_len(const char *s)
{
	if (*s && strchr(",.'`-_", *s))
		return 1;
	if (*s == ' ')
		return strspn(s, " ");
	if (str_starts(s, "\xe2\x80\x99"))
		return 3;
	return 0;
}

bool smart_take_grouped(const char **s, uint64_t *ret)
{
	const char *p = *s;
	uint64_t n = 0;
	size_t group = 0, groups = 0;

	for (;;) {
		size_t mark;

		for (group = 0; str_is_digit(*p); p++, group++) {
			if (n > (UINT64_MAX - 9) / 10)
				return false;
			n = n * 10 + (uint64_t)(*p - '0');
		}
		if (groups && group != 3 && group != 2)
			return false;
		mark = separator_len(p);
		if (!mark || !str_is_digit(p[mark]))
			break;
		p += mark;
		groups++;
	}
	if (!group || (groups && group != 3))
		return false;
	*s = p;
	*ret = n;
	return true;
}

bool smart_get_speed(const char *text, const char *end, uint64_t *ret)
{
	const char *unit = strstr(text, " Gb/s"), *p = unit;
	uint64_t whole, tenth;

	if (!unit || unit >= end)
		return false;
	while (p > text && (str_is_digit(p[-1]) || p[-1] == '.' || p[-1] == ','))
		p--;
	/* ">6.0 Gb/s": faster than the tool knew */
	if (p > text && p[-1] == '>')
		return false;
	if (str_take_u64(&p, 10, &whole) < 0 || (*p != '.' && *p != ','))
		return false;
	p++;
	if (str_take_u64(&p, 10, &tenth) < 0 || p != unit || tenth > 9 || whole > 99)
		return false;
	*ret = whole * 1000 + tenth * 100;
	return true;
}
