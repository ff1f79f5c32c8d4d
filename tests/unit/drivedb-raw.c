/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Raw formats. Expected texts are what smartctl printed in public reports, turned into bytes by
 * hand, or follow from the words of smartctl(8) about the format.
 */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "drivedb/keys.h"
#include "drivedb/raw-format.h"

static const struct {
	const char *format;
	uint8_t raw[6], reserved, value, worst;
	const char *text;
} samples[] = {
	{ "raw8", { 1, 2, 3, 4, 5, 255 }, 0, 0, 0, "255 5 4 3 2 1" },
	/* "5 6 6" and "3998 587 3410": highest word first */
	{ "raw16", { 6, 0, 6, 0, 5, 0 }, 0, 0, 0, "5 6 6" },
	{ "raw16", { 0x52, 0x0d, 0x4b, 2, 0x9e, 0x0f }, 0, 0, 0, "3998 587 3410" },
	{ "raw48", { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff }, 9, 9, 9, "281474976710655" },
	{ "hex48", { 0x64, 0, 0x64, 0, 0, 0 }, 0, 0, 0, "0x000000640064" },
	{ "raw56", { 0, 0, 0, 0, 0, 0 }, 1, 0, 0, "281474976710656" },
	/* a public report has "0x001b4a00000019" */
	{ "hex56", { 0x19, 0, 0, 0, 0x4a, 0x1b }, 0, 0, 0, "0x001b4a00000019" },
	{ "raw64", { 1, 0, 0, 0, 0, 0 }, 0, 100, 99, "90980" },
	{ "hex64", { 1, 2, 3, 4, 5, 6 }, 0, 0x64, 0x63, "0x0605040302016364" },
	{ "raw16(raw16)", { 0x2b, 0, 0, 0, 0, 0 }, 0, 0, 0, "43" },
	{ "raw16(raw16)", { 0x2b, 0, 0x2b, 0, 0, 0 }, 0, 0, 0, "43 (0 43)" },
	{ "raw16(avg16)", { 0xac, 1, 0, 0, 0, 0 }, 0, 0, 0, "428" },
	{ "raw16(avg16)", { 0xf7, 1, 0x28, 2, 0, 0 }, 0, 0, 0, "503 (Average 552)" },
	{ "raw24(raw8)", { 0xa5, 0xab, 0, 0, 0, 0 }, 0, 0, 0, "43941" },
	{ "raw24(raw8)", { 0xa5, 0xab, 0, 0, 65, 200 }, 0, 0, 0, "43941 (200 65 0)" },
	{ "raw24/raw24", { 2, 0, 0, 3, 0, 0 }, 0, 0, 0, "3/2" },
	{ "raw24/raw32", { 0x8e, 0xfc, 0xf9, 3, 2, 0 }, 0, 0, 0, "2/66714766" },
	{ "raw24/raw32:z54321", { 9, 0x8e, 0xfc, 0xf9, 3, 2 }, 0, 0, 0, "2/66714766" },
	{ "sec2hour", { 0x70, 0x22, 9, 0, 0, 0 }, 0, 0, 0, "166h+17m+20s" },
	{ "min2hour", { 0xb9, 0xd8, 1, 0, 0, 0 }, 0, 0, 0, "2016h+57m" },
	{ "min2hour", { 0x61, 6, 0, 0, 0, 0 }, 0, 0, 0, "27h+13m" },
	{ "min2hour", { 60, 0, 0, 0, 5, 0 }, 0, 0, 0, "1h+00m (5)" },
	{ "halfmin2hour", { 0xc2, 0x0c, 0, 0, 0, 0 }, 0, 0, 0, "27h+13m" },
	{ "msec24hour32",
	  { 0xf4, 0x18, 0, 0, 0x44, 0x5b },
	  0x2e,
	  0,
	  0,
	  "6388h+50m+38.020s" },
	{ "tempminmax", { 31, 0, 0, 0, 0, 0 }, 0, 0, 0, "31" },
	{ "tempminmax", { 31, 0, 0, 0, 19, 0 }, 0, 0, 0, "31 (0 19 0 0 0)" },
	{ "tempminmax", { 30, 0, 0x31, 0, 0x14, 0 }, 0, 0, 0, "30 (Min/Max 20/49)" },
	{ "tempminmax", { 38, 0, 35, 39, 0, 0 }, 0, 0, 0, "38 (Min/Max 35/39)" },
	{ "tempminmax", { 31, 0, 24, 49, 23, 0 }, 0, 0, 0, "31 (Min/Max 24/49 #23)" },
	{ "tempminmax", { 25, 0, 0xf6, 0xff, 51, 0 }, 0, 0, 0, "25 (Min/Max -10/51)" },
	{ "tempminmax",
	  { 0xf5, 0xff, 0xf5, 0xff, 44, 0 },
	  0,
	  0,
	  0,
	  "-11 (Min/Max -11/44)" },
	{ "temp10x", { 0x2d, 1, 0, 0, 0, 0 }, 0, 0, 0, "30.1" },
	{ "raw48:012345", { 0, 0, 0, 0, 1, 2 }, 0, 0, 0, "258" },
	{ "raw48:vw", { 9, 9, 9, 9, 9, 9 }, 9, 1, 2, "258" },
};

static void formats(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(samples); i++) {
		struct raw_value v = { .reserved = samples[i].reserved,
				       .has_reserved = true,
				       .value = samples[i].value,
				       .worst = samples[i].worst };
		struct buf b = { 0 };

		memcpy(v.raw, samples[i].raw, sizeof(v.raw));
		assert_int_equal(raw_format_add(&b, samples[i].format, &v), 0);
		if (!str_equal(buf_text(&b), samples[i].text))
			fail_msg("row %zu, %s: '%s'", i, samples[i].format, buf_text(&b));
		buf_done(&b);
	}
}

static void unknown_formats(void **state)
{
	static const char *const bad[] = {
		"",	   "raw",	"raw488",	   "raw48:",	"raw48:6",
		"raw48,x", "raw48:0 1", "raw48:012345012", "raw48::01", ":0",
	};
	struct raw_value v = raw_value_of(1);
	struct buf b = { 0 };

	(void)state;
	for (size_t i = 0; i < array_size(bad); i++) {
		assert_false(raw_format_is_valid(bad[i]));
		assert_int_equal(raw_format_add(&b, bad[i], &v), -EINVAL);
	}
	/* the byte behind the raw value is not in a posted number */
	assert_int_equal(raw_format_add(&b, "hex56", &v), -ENODATA);
	assert_int_equal(raw_format_add(&b, "raw48:r0", &v), -ENODATA);
	assert_int_equal(b.len, 0);
	assert_int_equal(raw_format_add(&b, "hex56:543210", &v), 0);
	assert_string_equal(buf_text(&b), "0x00000000000001");
	buf_done(&b);
}

/* Every word that a record may say is a format that works. */
static void every_name_is_a_format(void **state)
{
	const char *const *names = db_formats;
	struct raw_value v = raw_value_of(0x2b002b);
	size_t n = 0;

	(void)state;
	v.has_reserved = true;
	for (; names[n]; n++) {
		struct buf b = { 0 };

		assert_true(raw_format_is_valid(names[n]));
		assert_int_equal(raw_format_add(&b, names[n], &v), 0);
		assert_true(b.len > 0);
		buf_done(&b);
	}
	assert_int_equal(n, 19);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formats),
		cmocka_unit_test(unknown_formats),
		cmocka_unit_test(every_name_is_a_format),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
