/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <json-c/json.h>
#include <string.h>

#include "render/selftest.h"

static void text(void **state)
{
	struct selftest_view v = {
		.device = "/dev/sda", .test = "long", .action = "started", .minutes = 135
	};
	struct buf b = { 0 };

	(void)state;
	assert_int_equal(render_selftest_text(&v, &b), 0);
	assert_string_equal(buf_text(&b), "/dev/sda: long self-test started; it should "
					  "take 2 h 15 min\n");
	buf_clear(&b);
	v = (struct selftest_view){ .device = "/dev/\x1b",
				    .action = "refused",
				    .result = "a self-test is running already",
				    .has_left = true,
				    .left_percent = 40 };
	assert_int_equal(render_selftest_text(&v, &b), 0);
	assert_string_equal(buf_text(&b), "/dev/\\x1b: self-test refused, 40 % left: a "
					  "self-test is running already\n");
	buf_done(&b);
}

static void json(void **state)
{
	struct selftest_view v = { .device = "/dev/\"a",
				   .action = "ended",
				   .result = "failed: read",
				   .failed = true };
	struct buf b = { 0 };
	struct json_object *root, *o, *value;

	(void)state;
	assert_int_equal(render_selftest_json(&v, &b), 0);
	root = json_tokener_parse(buf_text(&b));
	assert_true(json_object_object_get_ex(root, "selftest", &o));
	assert_true(json_object_object_get_ex(o, "device", &value));
	assert_string_equal(json_object_get_string(value), "/dev/\"a");
	assert_true(json_object_object_get_ex(o, "failed", &value));
	assert_true(json_object_get_boolean(value));
	/* absent is null, not 0 */
	assert_true(json_object_object_get_ex(o, "remaining_percent", &value));
	assert_null(value);
	assert_true(json_object_object_get_ex(o, "test", &value));
	assert_null(value);
	json_object_put(root);
	buf_done(&b);
}

static void bar(void **state)
{
	struct selftest_view v = { .left_percent = 60, .minutes = 90 };
	struct buf b = { 0 };

	(void)state;
	assert_int_equal(render_selftest_bar(&v, 80, &b), 0);
	assert_string_equal(buf_text(&b),
			    "[########------------]  40 %, about 54 minutes left");
	buf_clear(&b);
	v.left_percent = 150; /* a drive may say anything */
	assert_int_equal(render_selftest_bar(&v, 40, &b), 0);
	assert_non_null(strstr(buf_text(&b), "[----------]   0 %"));
	buf_done(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text),
		cmocka_unit_test(json),
		cmocka_unit_test(bar),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
