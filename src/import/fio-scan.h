/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading fio's numbers. Posted text comes with blanks lost, added and wrapped, so blanks are
 * skipped everywhere between tokens, and never inside a number: "2 53" is no number.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attrs.h"

/* mantissa / 10^places: "1013.7" is { 10137, 1 }. */
struct decimal {
	uint64_t mantissa;
	unsigned int places;
};

/* A cursor over NUL-terminated text; every function leaves it alone when it returns false. */
struct scan {
	const char *p;
};

void scan_blanks(struct scan *sc);
bool scan_end(struct scan *sc); /* only blanks are left */
/* A literal, blanks in front skipped; a blank in TEXT stands for any number of them, or none. */
bool scan_text(struct scan *sc, const char *text);
/* No number has a zero in front. */
bool scan_u64(struct scan *sc, uint64_t *ret);
/* Digits and at most 9 places behind a point; 18 digits in all. */
bool scan_decimal(struct scan *sc, struct decimal *ret);

/* d * factor, rounded to the nearest; false when it does not fit. */
bool decimal_scale(struct decimal d, uint64_t factor, uint64_t *ret);
/* a * b / c rounded to the nearest; false when c is 0 or the result does not fit. */
bool muldiv_round(uint64_t a, uint64_t b, uint64_t c, uint64_t *ret);

/*
 * How fio writes. Up to 2.16 it means 1024 by K and prints "KB" (kb_base=1000 cannot be told from
 * the text); since 2.17 KiB is 1024 and kB, MB, GB are powers of 1000.
 */
enum fio_era { FIO_ERA_2, FIO_ERA_3 };

/* A printed number: the true one lies within SLACK of VALUE. */
struct quantity {
	uint64_t value, slack;
	uint64_t unit; /* what one of the printed digits before the point is worth */
	bool whole;    /* printed without a point */
};

/* A size: "60832KB", "957355 B", "4096.0MB", "53.2MiB", "4096B", "4K". Slack 0 for bytes. */
bool scan_size(struct scan *sc, enum fio_era era, struct quantity *ret);
/* A count, with k, K, M or G for thousands: "11476K", "152764", "13.6k". */
bool scan_thousands(struct scan *sc, struct quantity *ret);
/* "nsec", "usec", "msec" or "sec" in nanoseconds. */
bool scan_time_unit(struct scan *sc, uint64_t *ret_ns);
