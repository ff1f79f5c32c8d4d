/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/calendar.h"

#include "base/str.h"

/* Eras of 400 years begin with a March, so that the leap day is the last of its year. */
#define ERA_DAYS   146097
#define TO_ERA_DAY 719468 /* from 0000-03-01 to 1970-01-01 */

static bool is_leap(int64_t year)
{
	return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

bool calendar_is_date(struct calendar_date d)
{
	static const uint8_t days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

	if (d.year < 1 || d.year > 9999 || d.month < 1 || d.month > 12 || d.day < 1)
		return false;
	return d.day <= days[d.month - 1] + (d.month == 2 && is_leap(d.year) ? 1u : 0u);
}

int64_t calendar_days(struct calendar_date d)
{
	int64_t year = d.year - (d.month <= 2);
	int64_t era = (year >= 0 ? year : year - 399) / 400, of_era = year - era * 400;
	int64_t month = d.month > 2 ? (int64_t)d.month - 3 : (int64_t)d.month + 9;
	int64_t of_year = (153 * month + 2) / 5 + (int64_t)d.day - 1;

	return era * ERA_DAYS + of_era * 365 + of_era / 4 - of_era / 100 + of_year -
	       TO_ERA_DAY;
}

struct calendar_date calendar_date_of(int64_t days)
{
	int64_t shifted = days + TO_ERA_DAY;
	int64_t era = (shifted >= 0 ? shifted : shifted - ERA_DAYS + 1) / ERA_DAYS;
	int64_t of_era = shifted - era * ERA_DAYS;
	int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
	int64_t month = (5 * of_year + 2) / 153;

	return (struct calendar_date){
		.year = year + era * 400 + (month >= 10),
		.month = (unsigned)(month < 10 ? month + 3 : month - 9),
		.day = (unsigned)(of_year - (153 * month + 2) / 5 + 1),
	};
}

unsigned calendar_month(const char *name)
{
	static const char *const names[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
					     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };

	for (unsigned i = 0; i < 12; i++)
		if (str_equal_nocase(names[i], name))
			return i + 1;
	return 0;
}
