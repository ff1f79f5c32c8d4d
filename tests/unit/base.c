/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <math.h>

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/diag.h"
#include "base/large.h"
#include "base/number.h"
#include "base/siphash.h"
#include "base/str.h"

static void span_cuts_only_what_is_there(void **state)
{
	struct span s = span_of("abcdef", 6), cut = { 0 };

	(void)state;
	assert_true(span_cut(s, 2, 4, &cut));
	assert_int_equal(cut.len, 4);
	assert_int_equal(cut.data[0], 'c');
	assert_false(span_cut(s, 3, 4, &cut));
	assert_false(span_cut(s, 7, 0, &cut));
	assert_false(span_cut(s, 1, SIZE_MAX, &cut));
	assert_int_equal(cut.len, 4);
}

static void numbers(void **state)
{
	uint64_t u = 7;
	int64_t i = 7;

	(void)state;
	assert_int_equal(str_to_u64("18446744073709551615", &u), 0);
	assert_true(u == UINT64_MAX);
	assert_int_equal(str_to_u64("18446744073709551616", &u), -ERANGE);
	assert_true(u == UINT64_MAX);
	assert_int_equal(str_to_u64("0x000b", &u), 0);
	assert_int_equal(u, 11);
	assert_int_equal(str_to_u64("", &u), -EINVAL);
	assert_int_equal(str_to_u64("12a", &u), -EINVAL);
	assert_int_equal(str_to_u64(" 12", &u), -EINVAL);
	assert_int_equal(str_to_s64("-9223372036854775808", &i), 0);
	assert_true(i == INT64_MIN);
	assert_int_equal(str_to_s64("9223372036854775808", &i), -ERANGE);
	assert_int_equal(str_to_s64("-", &i), -EINVAL);
}

static void escape_is_safe_and_comes_back(void **state)
{
	static const struct {
		const char *in, *out;
	} rows[] = {
		{ "plain", "plain" },
		{ "a\\b", "a\\\\b" },
		{ "\x1b[31m", "\\x1b[31m" },
		{ "tab\there", "tab\\x09here" },
		{ "zuf\xc3\xa4llig", "zuf\xc3\xa4llig" },
		{ "latin\xe4", "latin\\xe4" },
		{ "c1\xc2\x9b", "c1\\xc2\\x9b" },
		{ "\xe2\x80\xaeover", "\\xe2\\x80\\xaeover" },
		{ "\xd8\x9cmark", "\\xd8\\x9cmark" },
		{ "\xc0\xaf", "\\xc0\\xaf" },	       /* overlong '/' */
		{ "\xed\xa0\x80", "\\xed\\xa0\\x80" }, /* surrogate */
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct buf out = { 0 }, back = { 0 };

		str_add_escaped(&out, rows[i].in, SIZE_MAX);
		assert_string_equal(buf_text(&out), rows[i].out);
		assert_int_equal(str_add_unescaped(&back, buf_text(&out), out.len), 0);
		assert_string_equal(buf_text(&back), rows[i].in);
		buf_done(&out);
		buf_done(&back);
	}
}

static void printable_runs_end_where_escapes_begin(void **state)
{
	(void)state;
	assert_int_equal(str_printable_len("a\\b", 3), 3);
	assert_int_equal(str_printable_len("zuf\xc3\xa4llig\t", 10), 9);
	assert_int_equal(str_printable_len("zuf\xc3", 4), 3);
	assert_int_equal(str_printable_len("\xe2\x80\xae", 3), 0);
	assert_int_equal(str_printable_len("", 0), 0);
}

static void unescape_refuses_what_is_never_written(void **state)
{
	static const char *const bad[] = { "\\", "\\n", "\\x1", "\\xg0", "a\\", "\\x00" };

	(void)state;
	for (size_t i = 0; i < array_size(bad); i++) {
		struct buf out = { 0 };

		assert_int_equal(str_add_unescaped(&out, bad[i], strlen(bad[i])),
				 -EINVAL);
		buf_done(&out);
	}
}

static void grouped(void **state)
{
	static const struct {
		uint64_t n;
		const char *out;
	} rows[] = { { 0, "0" },
		     { 999, "999" },
		     { 1000, "1,000" },
		     { 25491, "25,491" },
		     { UINT64_MAX, "18,446,744,073,709,551,615" } };

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct buf out = { 0 };

		str_add_grouped(&out, rows[i].n);
		assert_string_equal(buf_text(&out), rows[i].out);
		buf_done(&out);
	}
}

/* The vectors of the paper's appendix: key 00..0f, input 00 01 02 ... */
static void siphash_keeps_to_its_reference(void **state)
{
	static const struct {
		size_t len;
		uint64_t hash;
	} rows[] = {
		{ 0, 0x726fdb47dd0e0e31 },  { 1, 0x74f839c593dc67fd },
		{ 7, 0xab0200f58b01d137 },  { 8, 0x93f5f5799a932462 },
		{ 15, 0xa129ca6149be45e5 }, { 63, 0x958a324ceb064572 },
	};
	uint8_t data[64];

	(void)state;
	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)i;
	for (size_t i = 0; i < array_size(rows); i++)
		assert_true(siphash(0x0706050403020100, 0x0f0e0d0c0b0a0908,
				    span_of(data, rows[i].len)) == rows[i].hash);
}

static void arena_grows_and_aligns(void **state)
{
	struct arena a = { 0 };
	uint64_t *items = NULL;
	size_t n = 0, cap = 0;

	(void)state;
	for (uint64_t i = 0; i < 5000; i++) {
		uint64_t *slot = arena_push(&a, &items, &n, &cap, sizeof(*slot));

		assert_non_null(slot);
		assert_int_equal((uintptr_t)slot % _Alignof(uint64_t), 0);
		*slot = i;
		assert_non_null(arena_alloc(&a, 1));
	}
	for (uint64_t i = 0; i < n; i++)
		assert_int_equal(items[i], i);
	assert_null(arena_alloc(&a, SIZE_MAX));
	assert_null(arena_strndup(&a, "", SIZE_MAX));
	assert_string_equal(arena_strndup(&a, NULL, 0), "");
	arena_done(&a);
}

/* Also when a block comes from memory that was written before. */
static void large_blocks_are_zeroed(void **state)
{
	static const uint8_t zero[1u << 20];

	(void)state;
	for (unsigned round = 0; round < 3; round++) {
		static const size_t sizes[] = { sizeof(zero), 1, 200000, sizeof(zero),
						40 };
		struct arena a = { 0 };

		assert_true(arena_add_large(&a, 2 * sizeof(zero)));
		for (size_t i = 0; i < array_size(sizes); i++) {
			uint8_t *p = arena_alloc(&a, sizes[i]);

			assert_non_null(p);
			assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
			assert_memory_equal(p, zero, sizes[i]);
			memset(p, 0xff, sizes[i]);
		}
		arena_done(&a);
	}
	assert_false(arena_add_large(&(struct arena){ 0 }, SIZE_MAX));
	assert_int_equal(large_size(1), LARGE_PAGE);
	assert_int_equal(large_size(LARGE_PAGE), LARGE_PAGE);
	assert_int_equal(large_size(SIZE_MAX), SIZE_MAX);
}

static void a_buffer_keeps_its_text_when_it_becomes_large(void **state)
{
	struct buf b = { 0 };
	uint32_t word;

	(void)state;
	for (uint32_t i = 0; i < 1u << 20; i++)
		buf_add(&b, &i, sizeof(i));
	assert_int_equal(buf_error(&b), 0);
	assert_int_equal(b.len, 4u << 20);
	assert_int_equal(b.data[b.len], 0);
	for (uint32_t i = 0; i < 1u << 20; i++) {
		memcpy(&word, b.data + i * sizeof(i), sizeof(word));
		if (word != i)
			fail_msg("word %u is %u", i, word);
	}
	buf_done(&b);
	assert_non_null(buf_room(&b, LARGE_PAGE));
	assert_string_equal(buf_text(&b), "");
	buf_done(&b);
}

static void arrays_keep_what_they_hold_when_room_is_made(void **state)
{
	struct arena a = { 0 };
	uint64_t *items = NULL, *first;
	size_t n = 0, cap = 0;

	(void)state;
	for (uint64_t i = 0; i < 5; i++)
		*(uint64_t *)arena_push(&a, &items, &n, &cap, sizeof(*items)) = i;
	assert_true(arena_reserve(&a, &items, n, &cap, 5000, sizeof(*items)));
	assert_int_equal(cap, 5000);
	first = items;
	for (uint64_t i = 5; i < 5000; i++)
		*(uint64_t *)arena_push(&a, &items, &n, &cap, sizeof(*items)) = i;
	assert_ptr_equal(items, first); /* no second move */
	for (uint64_t i = 0; i < 5000; i++)
		assert_int_equal(items[i], i);
	assert_false(arena_reserve(&a, &items, n, &cap, SIZE_MAX, sizeof(*items)));
	assert_int_equal(cap, 5000);
	arena_done(&a);
}

static void a_buffer_is_filled_from_outside(void **state)
{
	struct buf b = { 0 };

	(void)state;
	buf_puts(&b, "head ");
	memcpy(buf_room(&b, 1000), "and tail, never told", 20);
	buf_fill(&b, 8);
	assert_string_equal(buf_text(&b), "head and tail");
	assert_null(buf_room(&b, SIZE_MAX));
	assert_int_equal(buf_error(&b), -ENOMEM);
	buf_done(&b);
}

static void numbers_are_written_as_printf_writes_them(void **state)
{
	static const int64_t numbers[] = { 0,	    1,	       9,	  10,
					   -1,	    -10,       INT32_MAX, INT32_MIN,
					   1000000, INT64_MAX, INT64_MIN };

	(void)state;
	for (size_t i = 0; i < array_size(numbers); i++) {
		struct buf b = { 0 };
		char want[32];

		(void)snprintf(want, sizeof(want), "%" PRId64, numbers[i]);
		buf_put_s64(&b, numbers[i]);
		assert_string_equal(buf_text(&b), want);
		buf_done(&b);
	}
}

static void messages_are_bounded(void **state)
{
	struct diag d = { 0 };

	(void)state;
	for (unsigned i = 0; i < DIAG_MAX + 5; i++)
		diag_add(&d, DIAG_NOTE, "f", i + 1, "n %u", i);
	assert_int_equal(d.n, DIAG_MAX);
	assert_int_equal(d.dropped, 5);
	assert_string_equal(d.items[3].text, "n 3");
	assert_int_equal(d.items[3].line, 4);
	diag_done(&d);
	diag_add(&d, DIAG_NOTE, "f", 1, "%*s", (int)DIAG_MAX_TEXT, "x");
	diag_add(&d, DIAG_NOTE, "f", 1, "%*s", (int)DIAG_MAX_TEXT + 1, "x");
	assert_int_equal(strlen(d.items[0].text), DIAG_MAX_TEXT);
	assert_true(str_ends(d.items[0].text, "x"));
	assert_int_equal(strlen(d.items[1].text), DIAG_MAX_TEXT + 3);
	assert_true(str_ends(d.items[1].text, " ..."));
	diag_done(&d);
}

/* C11 6.3.1.4: a value that the type cannot hold has no conversion of its own. */
static void numbers_are_rounded_within_their_type(void **state)
{
	static const struct {
		double x;
		uint64_t n;
	} rows[] = {
		{ 0, 0 },
		{ -1, 0 },
		{ -1e30, 0 },
		{ 0.49, 0 },
		{ 0.5, 1 },
		{ 1234567.4, 1234567 },
		{ 1e30, UINT64_MAX },
		{ 18446744073709551616.0, UINT64_MAX },
		{ 9007199254740992.0, 9007199254740992 },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++)
		assert_int_equal(number_round(rows[i].x), rows[i].n);
	assert_int_equal(number_round((double)NAN), 0);
	assert_int_equal(number_round(HUGE_VAL), UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_rounded_within_their_type),
		cmocka_unit_test(span_cuts_only_what_is_there),
		cmocka_unit_test(numbers),
		cmocka_unit_test(escape_is_safe_and_comes_back),
		cmocka_unit_test(printable_runs_end_where_escapes_begin),
		cmocka_unit_test(unescape_refuses_what_is_never_written),
		cmocka_unit_test(grouped),
		cmocka_unit_test(siphash_keeps_to_its_reference),
		cmocka_unit_test(arena_grows_and_aligns),
		cmocka_unit_test(large_blocks_are_zeroed),
		cmocka_unit_test(a_buffer_keeps_its_text_when_it_becomes_large),
		cmocka_unit_test(arrays_keep_what_they_hold_when_room_is_made),
		cmocka_unit_test(a_buffer_is_filled_from_outside),
		cmocka_unit_test(numbers_are_written_as_printf_writes_them),
		cmocka_unit_test(messages_are_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
