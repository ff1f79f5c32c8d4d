/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a drive or a file calls itself may steer a terminal: ESC, DEL, C1 controls (ECMA-48),
 * direction overrides (Unicode 15, 2 of UAX 9). Every document shows it and says the same to a
 * program that reads it.
 */
#include "unit.h"

#include <json-c/json.h>
#include <string.h>

#include "base/str.h"
#include "render/check.h"
#include "render/history.h"
#include "render/list.h"
#include "render/selftest.h"

/* ESC, CSI as one character, RIGHT-TO-LEFT OVERRIDE, LINE SEPARATOR, DEL, a backslash */
#define GOOD                                                                             \
	"a\x1b[31m"                                                                      \
	"b\xc2\x9b"                                                                      \
	"31mz\xe2\x80\xae"                                                               \
	"d\xe2\x80\xa8 \x7f\\f"
#define NAME GOOD "\xff"
/* the byte that is no UTF-8 becomes four characters; the rest a program gets back as it was */
#define READ_BACK GOOD "\\xff"

static void assert_harmless(const char *text)
{
	for (size_t n; *text; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		assert_int_equal(str_printable_len(text, n), n);
	}
}

/* The value at PATH ("drives/0/model") reads back as the name that went in. */
static void assert_says(const struct buf *document, const char *path)
{
	struct json_object *root = json_tokener_parse(buf_text(document)), *value = NULL;
	char pointer[80];

	assert_non_null(root);
	assert_harmless(buf_text(document));
	(void)snprintf(pointer, sizeof(pointer), "/%s", path);
	assert_int_equal(json_pointer_get(root, pointer, &value), 0);
	assert_string_equal(json_object_get_string(value), READ_BACK);
	json_object_put(root);
}

static void check(void **state)
{
	struct check_finding finding = { .headline = NAME };
	struct check_drive drive = { .model = NAME,
				     .serial = NAME,
				     .head = NAME,
				     .device = NAME,
				     .findings = &finding,
				     .n_findings = 1 };
	struct change change = { .head = NAME, .text = NAME };
	struct check_report r = { .drives = &drive,
				  .n_drives = 1,
				  .changes = { .items = &change, .n = 1 } };
	struct render_options o = { 0 };
	struct diag d = { 0 };
	struct buf b = { 0 };

	(void)state;
	diag_add(&d, DIAG_WARNING, NAME, 1, "%s", NAME);
	assert_int_equal(render_check_json(&r, &d, &b), 0);
	assert_says(&b, "drives/0/model");
	assert_says(&b, "changes/0/text");
	buf_clear(&b);
	assert_int_equal(render_check_text(&r, &o, &b), 0);
	assert_harmless(buf_text(&b));
	buf_clear(&b);
	assert_int_equal(render_check_nagios(&r, &b), 0);
	assert_harmless(buf_text(&b));
	buf_done(&b);
	diag_done(&d);
}

static void history(void **state)
{
	struct change change = { .head = NAME, .text = NAME };
	struct past_view v = { .head = NAME,
			       .model = NAME,
			       .serial = NAME,
			       .changes = &change,
			       .n_changes = 1 };
	struct render_options o = { 0 };
	struct buf b = { 0 };

	(void)state;
	assert_int_equal(render_history_json(&v, &b), 0);
	assert_says(&b, "model");
	assert_says(&b, "changes/0/text");
	buf_clear(&b);
	assert_int_equal(render_history_text(&v, &o, &b), 0);
	assert_harmless(buf_text(&b));
	buf_done(&b);
}

/* A table of numbers goes around json-c and printf, and must say what they would. */
static void history_tables(void **state)
{
	/* -1 and 0 by POSIX 4.19; 951782399 is the last second of a 28 February before a 29th */
	struct point points[] = {
		{ -1, 0, 0 },
		{ 0, 3600, -5 },
		{ 951782399, 1, INT64_C(9007199254740992) },
		{ 951782400, 1, INT64_C(9007199254740993) },
	};
	struct series series[] = {
		{ .key = { FACT_TEMPERATURE, 0, 0 }, .points = points, .n = 4 },
		{ .key = { FACT_PHY_VALUE, 1, 0 } },
	};
	struct past_view v = { .series = series, .n = 2 };
	struct json_object *root, *value = NULL;
	struct buf b = { 0 };

	(void)state;
	assert_int_equal(render_history_csv(&v, &b), 0);
	assert_string_equal(
		buf_text(&b),
		"time,name,value,seconds\n"
		"1969-12-31T23:59:59Z,temperature_celsius,0,\n"
		"1970-01-01T00:00:00Z,temperature_celsius,-5,3600\n"
		"2000-02-28T23:59:59Z,temperature_celsius,9007199254740992,1\n"
		"2000-02-29T00:00:00Z,temperature_celsius,9007199254740993,1\n");
	buf_clear(&b);
	assert_int_equal(render_history_json(&v, &b), 0);
	root = json_tokener_parse(buf_text(&b));
	assert_non_null(root);
	assert_int_equal(json_pointer_get(root, "/series/0/points", &value), 0);
	assert_string_equal(json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN),
			    "[{\"time\":-1,\"value\":0,\"seconds\":0},"
			    "{\"time\":0,\"value\":-5,\"seconds\":3600},"
			    "{\"time\":951782399,\"value\":9007199254740992,"
			    "\"seconds\":1},"
			    "{\"time\":951782400,\"value\":9007199254740993,"
			    "\"value_s\":\"9007199254740993\",\"seconds\":1}]");
	assert_int_equal(json_pointer_get(root, "/series/1/points", &value), 0);
	assert_int_equal(json_object_array_length(value), 0);
	json_object_put(root);
	buf_done(&b);
}

static void selftest(void **state)
{
	struct selftest_view v = {
		.device = NAME, .model = NAME, .action = "ended", .result = NAME
	};
	struct buf b = { 0 };

	(void)state;
	assert_int_equal(render_selftest_json(&v, &b), 0);
	assert_says(&b, "selftest/device");
	assert_says(&b, "selftest/result");
	buf_done(&b);
}

static void list(void **state)
{
	struct case_file c = { 0 };
	struct drive *d = case_add_drive(&c);
	static const enum fact_id texts[] = { FACT_DEVICE, FACT_MODEL, FACT_SERIAL,
					      FACT_HOLDERS };
	struct render_options o = { 0 };
	uint32_t index;
	struct buf b = { 0 };

	(void)state;
	assert_non_null(d);
	assert_int_equal(drive_add_snapshot(&c, d, (struct snapshot){ 0 }, &index), 0);
	for (size_t i = 0; i < array_size(texts); i++)
		assert_int_equal(drive_add_fact(&c, d,
						(struct fact){ .key = { .id = texts[i] },
							       .text = NAME }),
				 0);
	drive_seal(d);
	assert_int_equal(render_list_json(&c, &b), 0);
	assert_says(&b, "drives/0/model");
	assert_says(&b, "drives/0/serial");
	buf_clear(&b);
	assert_int_equal(render_list_text(&c, 80, &b), 0);
	assert_harmless(buf_text(&b));
	buf_clear(&b);
	assert_int_equal(render_list_details(&c, &o, &b), 0);
	assert_harmless(buf_text(&b));
	buf_done(&b);
	case_done(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(check),	  cmocka_unit_test(history),
		cmocka_unit_test(history_tables), cmocka_unit_test(selftest),
		cmocka_unit_test(list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
