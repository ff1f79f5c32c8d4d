/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "model/case.h"
#include "model/finding.h"

static void every_row_is_sound(void **state)
{
	(void)state;
	for (int id = 0; id < FACT_COUNT; id++) {
		const struct fact_info *info = fact_get_info((enum fact_id)id);
		struct fact_key key = { .id = (enum fact_id)id, .i = 6, .j = 0x18 }, back;
		struct buf b = { 0 };

		if (info->keys == KEYS_NONE)
			key.i = 0;
		if (info->keys != KEYS_DECDEC && info->keys != KEYS_PAGEOFF)
			key.j = 0;
		fact_add_name(&b, key);
		assert_int_equal(fact_parse_name(buf_text(&b), b.len, &back), 0);
		assert_int_equal(back.id, id); /* no two rows share a name */
		assert_int_equal(back.i, key.i);
		assert_int_equal(back.j, key.j);
		assert_true(strlen(info->words) > 2);
		buf_done(&b);
	}
}

static void names_as_documented(void **state)
{
	static const struct {
		struct fact_key key;
		const char *name;
	} rows[] = {
		{ { FACT_ATTR_RAW, 197, 0 }, "attr[197].raw" },
		{ { FACT_PHY_VALUE, 0x00b, 0 }, "phy[00b].value" },
		{ { FACT_PHY_VALUE, 0x8e11, 0 }, "phy[8e11].value" },
		{ { FACT_STAT_VALUE, 6, 0x18 }, "stat[06/018].value" },
		{ { FACT_LOG_GPL, 0xe0, 0 }, "log[e0].gpl_sectors" },
		{ { FACT_READ_PERCENTILE, 1, 99990 }, "read[1].percentile[99990]" },
		{ { FACT_POWER_ON_HOURS, 0, 0 }, "power_on_hours" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct buf b = { 0 };

		fact_add_name(&b, rows[i].key);
		assert_string_equal(buf_text(&b), rows[i].name);
		buf_done(&b);
	}
}

static void bad_names_and_lines(void **state)
{
	static const char *const bad[] = {
		"attr[197].raw",
		"attr[].raw=1",
		"attr[x].raw=1",
		"attr[197].ra=1",
		"nothing=1",
		"attr[197].raw=",
		"attr[197].raw=-1",
		"attr[197].raw=1 2",
		"attr[197].raw=\"1\"",
		"attr[99999999999].raw=1",
		"model=Samsung",
		"model=\"a\\q\"",
		"trim=\"",
		"smart_passed=2",
		"attr[197].raw=1 @",
		"attr[197].raw=18446744073709551616",
		"model=\"a\\x00b\"",
	};
	struct arena a = { 0 };

	(void)state;
	for (size_t i = 0; i < array_size(bad); i++) {
		struct fact f = { .trust = TRUST_HOST };

		assert_int_equal(fact_parse_line(&a, bad[i], strlen(bad[i]), &f),
				 -EINVAL);
		assert_int_equal(f.trust, TRUST_HOST);
	}
	arena_done(&a);
}

static void lines_come_back(void **state)
{
	static const char *const lines[] = {
		"attr[197].raw=18446744073709551615 @12\n",
		"temperature_celsius=-11\n",
		"model=\"SAMSUNG \\x22830\\\\\" @3\n",
		"security_locked=1 @9\n",
		"stat[05/020].value=-128 @88\n",
	};
	struct arena a = { 0 };

	(void)state;
	for (size_t i = 0; i < array_size(lines); i++) {
		struct fact f = { 0 };
		struct buf b = { 0 };

		assert_int_equal(fact_parse_line(&a, lines[i], strlen(lines[i]) - 1, &f),
				 0);
		fact_add_line(&b, &f);
		if (i != 2) /* \x22 is a plain quote when written again */
			assert_string_equal(buf_text(&b), lines[i]);
		else
			assert_string_equal(f.text, "SAMSUNG \"830\\");
		buf_done(&b);
	}
	arena_done(&a);
}

static struct fact number(enum fact_id id, uint32_t i, uint64_t u, uint32_t snapshot,
			  enum fact_trust trust)
{
	return (struct fact){
		.key = { id, i, 0 }, .u = u, .snapshot = snapshot, .trust = trust
	};
}

static void lookups(void **state)
{
	struct case_file c = { 0 };
	struct drive *d = case_add_drive(&c);
	uint64_t u;
	int64_t delta;
	size_t n;

	(void)state;
	assert_int_equal(
		drive_add_fact(&c, d, number(FACT_PHY_VALUE, 1, 12, 1, TRUST_TEXT)), 0);
	assert_int_equal(
		drive_add_fact(&c, d, number(FACT_PHY_VALUE, 1, 5, 0, TRUST_TEXT)), 0);
	assert_int_equal(
		drive_add_fact(&c, d, number(FACT_PHY_VALUE, 1, 11, 1, TRUST_BYTES)), 0);
	assert_int_equal(
		drive_add_fact(&c, d, number(FACT_PHY_VALUE, 10, 25, 0, TRUST_TEXT)), 0);
	case_seal(&c);
	assert_int_equal(drive_fact(d, FACT_PHY_VALUE, 1, 0)->u,
			 11); /* latest, best trust */
	assert_int_equal(drive_fact_at(d, FACT_PHY_VALUE, 1, 0, 0)->u, 5);
	assert_null(drive_fact_at(d, FACT_PHY_VALUE, 10, 0, 1));
	assert_null(drive_fact(d, FACT_PHY_VALUE, 2, 0));
	assert_true(drive_u64(d, FACT_PHY_VALUE, 10, 0, &u));
	assert_int_equal(u, 25);
	assert_true(drive_delta(d, FACT_PHY_VALUE, 1, 0, &delta));
	assert_int_equal(delta, 6);
	assert_false(drive_delta(d, FACT_PHY_VALUE, 10, 0, &delta));
	assert_non_null(drive_facts(d, FACT_PHY_VALUE, &n));
	assert_int_equal(n, 4);
	assert_null(drive_facts(d, FACT_MODEL, &n));
	assert_int_equal(n, 0);
	case_done(&c);
}

/* Lines lie in a body without a NUL behind them: nothing beyond their end is read. */
static void lines_end_where_they_end(void **state)
{
	static const struct {
		const char *line;
		size_t len;
		int error;
	} rows[] = {
		{ "attr[197].raw=15 @4", 16, 0 },
		{ "attr[197].raw=15 @49", 19, 0 },
		{ "attr[197", 8, -EINVAL },
		{ "stat[06/018", 11, -EINVAL },
		{ "attr[197].raw=1\0"
		  "5",
		  17, -EINVAL },
		{ "model=\"a\0b\"", 11, -EINVAL },
	};
	struct arena a = { 0 };

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct fact f = { 0 };
		char *copy = malloc(rows[i].len); /* a read beyond it is seen */

		assert_non_null(copy);
		memcpy(copy, rows[i].line, rows[i].len);
		assert_int_equal(fact_parse_line(&a, copy, rows[i].len, &f),
				 rows[i].error);
		if (rows[i].error == 0)
			assert_int_equal(f.u, 15);
		assert_int_equal(f.origin.line, i == 1 ? 4 : 0);
		free(copy);
	}
	arena_done(&a);
}

static void deltas_do_not_wrap(void **state)
{
	static const struct {
		enum fact_id id;
		uint64_t first, last;
		int64_t delta;
	} rows[] = {
		{ FACT_ATTR_RAW, 7, 9, 2 },
		{ FACT_ATTR_RAW, 9, 7, -2 },
		{ FACT_ATTR_RAW, 0, UINT64_MAX, INT64_MAX },
		{ FACT_ATTR_RAW, UINT64_MAX, 0, -INT64_MAX },
		{ FACT_STAT_VALUE, (uint64_t)-3, 4, 7 },
		{ FACT_STAT_VALUE, 4, (uint64_t)-3, -7 },
		{ FACT_STAT_VALUE, (uint64_t)INT64_MIN, INT64_MAX, INT64_MAX },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct case_file c = { 0 };
		struct drive *d = case_add_drive(&c);
		int64_t delta = 0;

		assert_int_equal(drive_add_fact(&c, d,
						number(rows[i].id, 1, rows[i].last, 1,
						       TRUST_TEXT)),
				 0);
		assert_int_equal(drive_add_fact(&c, d,
						number(rows[i].id, 1, rows[i].first, 0,
						       TRUST_TEXT)),
				 0);
		case_seal(&c);
		assert_true(drive_delta(d, rows[i].id, 1, 0, &delta));
		assert_true(delta == rows[i].delta);
		case_done(&c);
	}
}

/* Two tools that posted different values on lines of the same number. */
static void order_does_not_depend_on_who_came_first(void **state)
{
	(void)state;
	for (uint64_t first = 1; first <= 2; first++) {
		struct case_file c = { 0 };
		struct drive *d = case_add_drive(&c);

		assert_int_equal(
			drive_add_fact(&c, d,
				       number(FACT_ATTR_RAW, 1, first, 0, TRUST_TEXT)),
			0);
		assert_int_equal(drive_add_fact(&c, d,
						number(FACT_ATTR_RAW, 1, 3 - first, 0,
						       TRUST_TEXT)),
				 0);
		case_seal(&c);
		assert_int_equal(drive_fact(d, FACT_ATTR_RAW, 1, 0)->u, 1);
		case_done(&c);
	}
}

static void codes(void **state)
{
	enum code code;

	(void)state;
	for (int i = 0; i < CODE_COUNT; i++) {
		assert_int_equal(code_from_name(code_name((enum code)i), &code), 0);
		assert_int_equal(code, i);
	}
	assert_int_equal(code_from_name("l01", &code), 0);
	assert_int_equal(code, CODE_L01);
	assert_int_equal(code_from_name("L1", &code), -EINVAL);
}

static void event_classes_are_told_apart(void **state)
{
	(void)state;
	for (int i = 0; i < EVENT_COUNT; i++) {
		enum fact_id counter = event_class_counter((enum event_class)i);

		assert_true(*event_class_words((enum event_class)i) != '\0');
		for (int k = 0; k < i; k++) {
			assert_string_not_equal(event_class_name((enum event_class)i),
						event_class_name((enum event_class)k));
			if (counter != FACT_COUNT)
				assert_int_not_equal(
					counter,
					event_class_counter((enum event_class)k));
		}
		/* a fault that nobody counts could not be judged */
		if (event_class_kind((enum event_class)i) == EVENT_KIND_FAULT)
			assert_int_not_equal(counter, FACT_COUNT);
		if (counter != FACT_COUNT)
			assert_int_equal(fact_get_info(counter)->clock, CLOCK_HOST_BOOT);
	}
}

/* Seconds from date(1). */
static void event_times(void **state)
{
	static const struct {
		struct event_time t;
		const char *want;
	} rows[] = {
		{ { .has_monotonic = true, .monotonic_us = 614263599 }, "614.263599 s" },
		{ { .has_wall = true, .wall_has_year = true, .wall_us = 0 },
		  "1970-01-01 00:00:00" },
		{ { .has_wall = true,
		    .wall_has_year = true,
		    .wall_us = 1709208930500000 },
		  "2024-02-29 12:15:30" },
		{ { .has_wall = true, .wall_has_year = true, .wall_us = -1 },
		  "1969-12-31 23:59:59" },
		{ { .has_wall = true, .wall_us = 976474729000000 }, "12-10 18:58:49" },
		{ { 0 }, "" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct buf b = { 0 };

		event_add_time(&b, &rows[i].t);
		assert_string_equal(buf_text(&b), rows[i].want);
		buf_done(&b);
	}
}

/* The names stand in kernel logs: "SErr 0x280100 ..." with "{ UnrecovData 10B8B BadCRC }". */
static void event_words(void **state)
{
	struct event port = { .ata_port = 3, .ata_device = -1 };
	struct event drive = { .ata_port = 3, .ata_device = 1, .device = "sda" };
	struct event disk = { .has = EVENT_HAS_SCSI, .scsi = { 6, 0, 1, 0 } };
	struct buf b = { 0 };

	(void)state;
	event_add_serr(&b, 0x280100);
	assert_string_equal(buf_text(&b), "UnrecovData 10B8B BadCRC");
	buf_clear(&b);
	event_add_place(&b, &port);
	event_add_place(&b, &drive);
	event_add_place(&b, &disk);
	assert_string_equal(buf_text(&b), "ata3ata3.016:0:1:0");
	buf_done(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_is_sound),
		cmocka_unit_test(names_as_documented),
		cmocka_unit_test(bad_names_and_lines),
		cmocka_unit_test(lines_come_back),
		cmocka_unit_test(lookups),
		cmocka_unit_test(lines_end_where_they_end),
		cmocka_unit_test(deltas_do_not_wrap),
		cmocka_unit_test(order_does_not_depend_on_who_came_first),
		cmocka_unit_test(codes),
		cmocka_unit_test(event_classes_are_told_apart),
		cmocka_unit_test(event_times),
		cmocka_unit_test(event_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
