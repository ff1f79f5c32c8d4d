/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every kind of page cut at each length, emptied, filled, and with each single bit turned over:
 * facts stay inside the bytes, what is wrong is noted, and nothing but an answer says "passed".
 */
#include "unit.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "page-fixture.h"
#include "page-samples.h"

static struct page_test t;

/* From a block of its own, so that a byte read behind the end is seen. */
static void run(const struct page_sample *s, const uint8_t *bytes, size_t len)
{
	uint8_t *copy = malloc(len ? len : 1);

	assert_non_null(copy);
	memcpy(copy, bytes, len);
	page_test_run(&t, s->id, copy, len);
	free(copy);
	assert_int_equal(page_test_count(&t, FACT_SMART_PASSED), 0);
	for (size_t i = 0; i < t.n; i++) {
		const struct fact *f = &t.facts[i];

		if ((size_t)f->origin.offset + f->origin.width > len)
			fail_msg("%s: %s from byte %u, %u bytes, of %zu", s->id,
				 fact_get_info(f->key.id)->name, f->origin.offset,
				 f->origin.width, len);
		assert_string_equal(f->origin.item, s->id);
	}
}

static bool is_trusted(void)
{
	for (size_t i = 0; i < t.n; i++)
		if (t.facts[i].trust == TRUST_BYTES)
			return true;
	return false;
}

static void samples(void **state)
{
	uint8_t bytes[SAMPLE_MAX];

	(void)state;
	for (const struct page_sample *s = page_samples; s->id; s++) {
		size_t len = page_sample_make(s, bytes);

		run(s, bytes, len);
		if (!t.n || t.n_notes)
			fail_msg("%s: %zu facts, %zu notes: %s", s->id, t.n, t.n_notes,
				 t.n_notes ? t.notes[0] : "");
		assert_int_equal(is_trusted(), s->sealed);
	}
}

/* Each row that has bytes and a decoder has a sample, so that a new one is not forgotten here. */
static void every_row(void **state)
{
	(void)state;
	for (const struct page *row = ata_pages; row->item; row++) {
		bool found = !row->decode || row->source == PAGE_SMART_STATUS ||
			     row->source == PAGE_POWER_MODE ||
			     str_starts(row->item, "ata/sct/erc-");
		uint16_t page;

		for (const struct page_sample *s = page_samples; s->id; s++)
			found |= page_find(s->id, &page) == row;
		if (!found)
			fail_msg("%s has no sample", row->item);
	}
}

static void cut(void **state)
{
	uint8_t bytes[SAMPLE_MAX];

	(void)state;
	for (const struct page_sample *s = page_samples; s->id; s++) {
		size_t len = page_sample_make(s, bytes);

		for (size_t n = 0; n < len; n++) {
			run(s, bytes, n);
			if (n < 512)
				assert_int_equal(t.n, 0);
			if (n < 512 || n % 512)
				assert_true(t.n_notes > 0);
		}
	}
}

/* An empty log of pending defects is all zeros, everything else is no page then. */
static void filled(void **state)
{
	uint8_t bytes[SAMPLE_MAX];

	(void)state;
	for (const struct page_sample *s = page_samples; s->id; s++) {
		size_t len = 512 * s->pages;

		memset(bytes, 0, len);
		run(s, bytes, len);
		if (str_equal(s->id, "ata/log/0c/00"))
			assert_int_equal(t.n, 1);
		else
			assert_int_equal(t.n, 0);
		run(s, bytes, 512);
		if (!str_equal(s->id, "ata/log/0c/00"))
			assert_int_equal(t.n_notes, 1);
		memset(bytes, 0xff, len);
		run(s, bytes, len);
		assert_int_equal(t.n, 0);
		assert_true(t.n_notes > 0);
	}
}

/* A checksum of one byte finds every single bit. */
static void each_bit(void **state)
{
	uint8_t bytes[SAMPLE_MAX];

	(void)state;
	for (const struct page_sample *s = page_samples; s->id; s++) {
		size_t len = page_sample_make(s, bytes);

		/* of the long ones a part, spread over all of it */
		for (size_t bit = 0; bit<len * 8; bit += len> 4096 ? 7 : 1) {
			bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
			run(s, bytes, len);
			/* without its signature IDENTIFY data have no checksum */
			if (s->sealed)
				assert_true(t.n_notes > 0 || !is_trusted());
			if (s->sealed && s->pages == 1 && is_trusted())
				fail_msg("%s: bit %zu does not matter", s->id, bit);
			bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples),  cmocka_unit_test(every_row),
		cmocka_unit_test(cut),	    cmocka_unit_test(filled),
		cmocka_unit_test(each_bit),
	};
	int failed;

	/* memory that is given back and taken again at once, a million times, is met anew each time */
	(void)mallopt(M_MMAP_THRESHOLD, 32 << 20);
	(void)mallopt(M_TRIM_THRESHOLD, 64 << 20);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	page_test_done(&t);
	return failed;
}
