/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Dates of the proleptic Gregorian calendar as days since 1970-01-01. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct calendar_date {
	int64_t year;
	unsigned month, day; /* from 1 */
};

/* Whether there is such a day; of years 1 to 9999. */
bool calendar_is_date(struct calendar_date d);
int64_t calendar_days(struct calendar_date d);
struct calendar_date calendar_date_of(int64_t days);
/* 1 to 12 for "Jan" to "Dec" in any case; 0 for another name. */
unsigned calendar_month(const char *name);
