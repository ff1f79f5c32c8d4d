/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times in words. */
#include "unit.h"

#include <stdlib.h>

#include "base/words.h"

static void test_spans(void **state)
{
	static const struct {
		uint64_t seconds;
		const char *words;
	} rows[] = {
		{ 0, "0 seconds" },   { 1, "1 second" },      { 59, "59 seconds" },
		{ 60, "1 minute" },   { 61, "61 seconds" },   { 840, "14 minutes" },
		{ 3600, "1 hour" },   { 5400, "90 minutes" }, { 7200, "2 hours" },
		{ 86400, "1 day" },   { 108000, "30 hours" }, { 172800, "2 days" },
		{ 259199, "2 days" }, { 864000, "10 days" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct buf b cleanup_buf = { 0 };

		words_add_span(&b, rows[i].seconds);
		assert_string_equal(buf_text(&b), rows[i].words);
	}
}

static void test_when(void **state)
{
	static const struct {
		int64_t at, now;
		const char *words;
	} rows[] = {
		/* 2026-01-01 03:00 seen from the same day, the next, and 2025-12-31 from 2026 */
		{ 1767236400, 1767240000, "today 03:00" },
		{ 1767236400, 1767312000, "yesterday 03:00" },
		{ 1767150000, 1767225600, "yesterday 03:00" },
		{ 1767063600, 1767225600, "2025-12-30 03:00" },
		{ 1767240000, 1767236400, "2026-01-01 04:00" },
		/* over a leap day: 2028-02-29 and 2028-03-01 */
		{ 1835406000, 1835492400, "yesterday 03:00" },
	};

	(void)state;
	assert_int_equal(setenv("TZ", "UTC", 1), 0);
	for (size_t i = 0; i < array_size(rows); i++) {
		struct buf b cleanup_buf = { 0 };

		words_add_when(&b, rows[i].at, rows[i].now);
		assert_string_equal(buf_text(&b), rows[i].words);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spans),
		cmocka_unit_test(test_when),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
