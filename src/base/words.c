/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/words.h"

#include <time.h>

void words_add_span(struct buf *b, uint64_t seconds)
{
	static const struct {
		uint64_t seconds, from;
		const char *name;
	} units[] = {
		{ 86400, 172800, "day" }, /* 30 hours are no "1 day" */
		{ 3600, 7200, "hour" },
		{ 60, 120, "minute" },
		{ 1, 0, "second" },
	};

	for (size_t i = 0; i < array_size(units); i++) {
		uint64_t n = seconds / units[i].seconds;

		/* whole ones may be called by their name before there are two */
		if (seconds < units[i].from && (!n || seconds % units[i].seconds))
			continue;
		buf_printf(b, "%llu %s%s", (unsigned long long)n, units[i].name,
			   n == 1 ? "" : "s");
		return;
	}
}

static long days_of(const struct tm *t)
{
	long y = t->tm_year;

	return y * 365 + (y - 1) / 4 + t->tm_yday;
}

void words_add_when(struct buf *b, int64_t at, int64_t now)
{
	time_t then_s = (time_t)at, now_s = (time_t)now;
	struct tm then = { 0 }, today = { 0 };
	char text[40];
	long ago;

	if (!localtime_r(&then_s, &then) || !localtime_r(&now_s, &today))
		return;
	ago = days_of(&today) - days_of(&then);
	(void)strftime(text, sizeof(text), "%H:%M", &then);
	if (at <= now && (ago == 0 || ago == 1)) {
		buf_printf(b, "%s %s", ago ? "yesterday" : "today", text);
		return;
	}
	(void)strftime(text, sizeof(text), "%Y-%m-%d %H:%M", &then);
	buf_puts(b, text);
}
