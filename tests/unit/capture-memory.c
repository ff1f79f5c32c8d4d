/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory runs out at every single allocation in turn. Linked with --wrap for calloc, realloc. */
#include "unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "capture/anonymise.h"
#include "capture/file.h"

static long left = -1; /* allocations before the failing one, -1: none fails */

void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);

static bool fails(void)
{
	if (left > 0)
		left--;
	return left == 0;
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t size)
{
	return fails() ? NULL : __real_realloc(p, size);
}

/* Large enough that every array and every block of memory has to grow. */
static void make_text(struct buf *ret)
{
	buf_puts(ret, "capture 1\nsubject host\n");
	for (unsigned i = 1; i < 40; i++)
		buf_printf(ret, "snapshot %u role=during source=kernel%u\n", i, i);
	for (unsigned i = 1; i < 40; i++)
		buf_printf(ret, "subject drive %u\nsnapshot 1 role=before\n", i);
	for (unsigned i = 0; i < 400; i++)
		buf_printf(ret, "item ata/log/%02x/00 ok a=1 b=2\n| text %u\n", i, i);
	buf_puts(ret,
		 "item long ok\n0000 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n"
		 "*\n8000\nend\n");
	assert_int_equal(buf_error(ret), 0);
}

static void nothing_is_taken_when_memory_runs_out(void **state)
{
	struct capture c = { 0 };
	struct buf text = { 0 }, before = { 0 }, after = { 0 };
	static const char small[] = "capture 1\nsubject host\nsnapshot 1 role=during\n"
				    "subject drive 1\nend\n";
	struct diag d = { 0 };
	int k, failures = 0;

	(void)state;
	make_text(&text);
	assert_int_equal(capture_file_read(span_of_text(small), "t", &d, &c), 0);
	assert_int_equal(capture_file_write(&c, NULL, &before), 0);
	for (long at = 1;; at++) {
		left = at;
		k = capture_file_read(buf_span(&text), "t", &d, &c);
		left = -1;
		if (k == 0)
			break;
		assert_int_equal(k, -ENOMEM);
		failures++;
		buf_clear(&after);
		assert_int_equal(capture_file_write(&c, NULL, &after), 0);
		assert_string_equal(buf_text(&after), buf_text(&before));
		assert_int_equal(c.n_snapshots, 1);
		assert_int_equal(c.n_items, 0);
		assert_int_equal(c.body_bytes, 0);
	}
	assert_true(failures > 10);
	/* slots used and given back come out clean */
	assert_int_equal(c.n_items, 401);
	assert_int_equal(c.n_snapshots, 1 + 39 + 39);
	assert_int_equal(c.subjects[0].n_snapshots, 40);
	assert_int_equal(c.subjects[2].snapshots[0].n_items, 0);
	assert_null(c.subjects[40].snapshots[0].source);
	buf_done(&text);
	buf_done(&before);
	buf_done(&after);
	diag_done(&d);
	capture_done(&c);
}

static void writing_says_when_memory_runs_out(void **state)
{
	struct capture c = { 0 };
	struct buf text = { 0 }, out = { 0 };
	struct diag d = { 0 };
	long at = 0;
	int k;

	(void)state;
	make_text(&text);
	assert_int_equal(capture_file_read(buf_span(&text), "t", &d, &c), 0);
	do {
		buf_done(&out);
		left = ++at;
		k = capture_file_write(&c, "comment", &out);
		left = -1;
		assert_true(k == 0 || k == -ENOMEM);
	} while (k);
	assert_true(at > 3);
	buf_done(&text);
	buf_done(&out);
	diag_done(&d);
	capture_done(&c);
}

static void anonymising_says_when_memory_runs_out(void **state)
{
	long at = 0;
	int k;

	(void)state;
	do {
		struct capture c = { 0 };
		struct diag d = { 0 };
		struct buf text = { 0 };

		buf_puts(&text, "capture 1\nsubject drive 1\nsnapshot 1 role=import "
				"source=TEST0000001.txt\nitem facts/x ok\n");
		for (unsigned i = 0; i < 100; i++)
			buf_printf(&text, "| serial=\"TEST%07u\"\n", i);
		buf_puts(&text, "| wwn=\"5 000c50 012abcdef\"\nend\n");
		assert_int_equal(capture_file_read(buf_span(&text), "t", &d, &c), 0);
		left = ++at;
		k = capture_anonymise(&c, 42);
		left = -1;
		assert_true(k == 0 || k == -ENOMEM);
		buf_done(&text);
		diag_done(&d);
		capture_done(&c);
	} while (k);
	assert_true(at > 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_taken_when_memory_runs_out),
		cmocka_unit_test(writing_says_when_memory_runs_out),
		cmocka_unit_test(anonymising_says_when_memory_runs_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
