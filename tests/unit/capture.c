/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "capture/capture.h"

static void subjects_are_numbered_and_there_is_one_host(void **state)
{
	struct capture c = { 0 };
	struct cap_subject *s;

	(void)state;
	s = capture_add_subject(&c, CAP_DRIVE);
	assert_non_null(s);
	assert_int_equal(s->number, 1);
	s = capture_add_subject(&c, CAP_HOST);
	assert_non_null(s);
	assert_int_equal(s->number, 0);
	s = capture_add_subject(&c, CAP_DRIVE);
	assert_non_null(s);
	assert_int_equal(s->number, 2);
	assert_ptr_equal(capture_add_subject(&c, CAP_HOST), &c.subjects[1]);
	assert_int_equal(c.n_subjects, 3);
	capture_done(&c);
	assert_null(c.subjects);
}

static struct cap_snapshot *one_snapshot(struct capture *c)
{
	struct cap_subject *s = capture_add_subject(c, CAP_DRIVE);
	struct cap_snapshot *snapshot;

	assert_non_null(s);
	snapshot = capture_add_snapshot(c, s, CAP_BEFORE, "sda");
	assert_non_null(snapshot);
	return snapshot;
}

static void bytes_and_strings_are_copied(void **state)
{
	struct capture c = { 0 };
	char id[] = "ata/identify", name[] = "ata_status", value[] = "51";
	uint8_t bytes[] = { 1, 2, 3 };
	struct cap_item *item = capture_add_item(&c, one_snapshot(&c), id, CAP_OK,
						 span_of(bytes, sizeof(bytes)));

	(void)state;
	assert_non_null(item);
	assert_int_equal(cap_item_set(&c, item, name, value), 0);
	id[0] = name[0] = value[0] = 'X';
	bytes[0] = 9;
	assert_string_equal(item->id, "ata/identify");
	assert_string_equal(cap_item_get(item, "ata_status"), "51");
	assert_null(cap_item_get(item, "ata_error"));
	assert_int_equal(item->body.data[0], 1);
	assert_int_equal(item->body.len, 3);
	assert_int_equal(c.body_bytes, 3);
	assert_int_equal(c.n_items, 1);
	capture_done(&c);
}

static void attributes_are_set_replaced_and_limited(void **state)
{
	static const char *const bad[] = { "", "Name", "a b", "a=b", "a-b" };
	struct capture c = { 0 };
	struct cap_item *item =
		capture_add_item(&c, one_snapshot(&c), "x", CAP_OK, span_of(NULL, 0));
	char *large = arena_alloc(&c.arena, CAP_MAX_HEAD + 1), name[8];

	(void)state;
	assert_non_null(item);
	assert_non_null(large);
	for (size_t i = 0; i < array_size(bad); i++)
		assert_int_equal(cap_item_set(&c, item, bad[i], "1"), -EINVAL);
	memset(large, 'a', CAP_MAX_HEAD);
	assert_int_equal(cap_item_set(&c, item, "a", large), -E2BIG);
	large[CAP_MAX_HEAD - 4] = '\0'; /* with "x", "a" and 2 more: just fits */
	assert_int_equal(cap_item_set(&c, item, "a", large), 0);
	assert_int_equal(cap_item_set(&c, item, "b", ""), -E2BIG);
	assert_int_equal(cap_item_set(&c, item, "a", "2"), 0);
	assert_string_equal(cap_item_get(item, "a"), "2");
	assert_int_equal(item->n_attributes, 1);
	for (unsigned i = 1; i < CAP_MAX_ATTRIBUTES; i++) {
		(void)snprintf(name, sizeof(name), "n%u", i);
		assert_int_equal(cap_item_set(&c, item, name, "1"), 0);
	}
	assert_int_equal(cap_item_set(&c, item, "one_more", "1"), -E2BIG);
	assert_int_equal(cap_item_set(&c, item, "n1", "2"), 0);
	capture_done(&c);
}

static void limits_of_items_hold(void **state)
{
	struct capture c = { 0 };
	struct cap_snapshot *s = one_snapshot(&c);
	size_t size = CAP_MAX_ITEM_BYTES + 1;
	uint8_t *large = calloc(1, size);

	(void)state;
	assert_non_null(large);
	assert_null(capture_add_item(&c, s, "", CAP_OK, span_of(NULL, 0)));
	assert_null(capture_add_item(&c, s, "x", CAP_OK, span_of(large, size)));
	for (int i = 0; i < 3; i++)
		assert_non_null(
			capture_add_item(&c, s, "x", CAP_OK, span_of(large, size - 1)));
	assert_null(capture_add_item(&c, s, "x", CAP_OK, span_of(large, 1)));
	while (c.n_items < CAP_MAX_ITEMS)
		assert_non_null(capture_add_item(&c, s, "x", CAP_OK, span_of(NULL, 0)));
	assert_null(capture_add_item(&c, s, "x", CAP_OK, span_of(NULL, 0)));
	assert_int_equal(s->n_items, CAP_MAX_ITEMS);
	assert_int_equal(c.body_bytes, CAP_MAX_BYTES);
	free(large);
	capture_done(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(subjects_are_numbered_and_there_is_one_host),
		cmocka_unit_test(bytes_and_strings_are_copied),
		cmocka_unit_test(attributes_are_set_replaced_and_limited),
		cmocka_unit_test(limits_of_items_hold),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
