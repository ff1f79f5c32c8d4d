/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "page-fixture.h"

static int add(void *context, struct fact f)
{
	struct page_test *t = context;
	struct fact *slot =
		arena_push(&t->arena, &t->facts, &t->n, &t->cap, sizeof(*slot));

	if (!slot)
		return -ENOMEM;
	if (fact_get_info(f.key.id)->type == FACT_TEXT)
		f.text = arena_strdup(&t->arena, f.text);
	*slot = f;
	return 0;
}

static void note(void *context, const char *text)
{
	struct page_test *t = context;
	const char **slot = arena_push(&t->arena, &t->notes, &t->n_notes, &t->cap_notes,
				       sizeof(*slot));

	assert_non_null(slot);
	*slot = arena_strdup(&t->arena, text);
}

static void run(struct page_test *t, const char *id, struct span bytes,
		const struct ata_registers *registers)
{
	struct page_sink sink = t->sink;

	page_test_done(t);
	t->sink = sink;
	sink.add = add;
	sink.note = note;
	sink.context = t;
	assert_int_equal(ata_decode_item(&sink, id, bytes, registers), 0);
}

void page_test_run(struct page_test *t, const char *id, const uint8_t *bytes, size_t len)
{
	run(t, id, span_of(bytes, len), NULL);
}

void page_test_registers(struct page_test *t, const char *id,
			 const struct ata_registers *registers)
{
	run(t, id, span_of("", 0), registers);
}

void page_test_both(struct page_test *t, const char *id, const uint8_t *bytes, size_t len,
		    const struct ata_registers *registers)
{
	run(t, id, span_of(bytes, len), registers);
}

void page_test_done(struct page_test *t)
{
	arena_done(&t->arena);
	*t = (struct page_test){ 0 };
}

const struct fact *page_test_fact(const struct page_test *t, enum fact_id id, uint32_t i,
				  uint32_t j)
{
	for (size_t k = 0; k < t->n; k++)
		if (t->facts[k].key.id == id && t->facts[k].key.i == i &&
		    t->facts[k].key.j == j)
			return &t->facts[k];
	return NULL;
}

size_t page_test_count(const struct page_test *t, enum fact_id id)
{
	size_t n = 0;

	for (size_t k = 0; k < t->n; k++)
		n += t->facts[k].key.id == id;
	return n;
}

bool page_test_noted(const struct page_test *t, const char *part)
{
	for (size_t k = 0; k < t->n_notes; k++)
		if (strstr(t->notes[k], part))
			return true;
	return false;
}

static const struct fact *need(const struct page_test *t, enum fact_id id, uint32_t i,
			       uint32_t j)
{
	static const struct fact none;
	const struct fact *f = page_test_fact(t, id, i, j);

	if (f)
		return f;
	fail_msg("%s [%u] [%u] is not there", fact_get_info(id)->name, i, j);
	return &none;
}

void page_test_u64(const struct page_test *t, enum fact_id id, uint32_t i, uint32_t j,
		   uint64_t value)
{
	const struct fact *f = need(t, id, i, j);

	if (f->u != value)
		fail_msg("%s [%u] [%u] is %llu, not %llu", fact_get_info(id)->name, i, j,
			 (unsigned long long)f->u, (unsigned long long)value);
}

void page_test_s64(const struct page_test *t, enum fact_id id, uint32_t i, uint32_t j,
		   int64_t value)
{
	const struct fact *f = need(t, id, i, j);

	if (f->s != value)
		fail_msg("%s [%u] [%u] is %lld, not %lld", fact_get_info(id)->name, i, j,
			 (long long)f->s, (long long)value);
}

void page_test_text(const struct page_test *t, enum fact_id id, uint32_t i, uint32_t j,
		    const char *value)
{
	const struct fact *f = need(t, id, i, j);

	if (!str_equal(f->text, value))
		fail_msg("%s [%u] [%u] is '%s', not '%s'", fact_get_info(id)->name, i, j,
			 f->text, value);
}

void page_test_absent(const struct page_test *t, enum fact_id id, uint32_t i, uint32_t j)
{
	if (page_test_fact(t, id, i, j))
		fail_msg("%s [%u] [%u] should not be there", fact_get_info(id)->name, i,
			 j);
}

void page_put(uint8_t *page, size_t offset, unsigned width, uint64_t value)
{
	for (unsigned i = 0; i < width; i++)
		page[offset + i] = (uint8_t)(value >> (8 * i));
}

void page_put_string(uint8_t *page, size_t offset, size_t len, const char *text)
{
	size_t n = strlen(text);

	for (size_t i = 0; i < len; i++)
		page[offset + (i ^ 1)] = i < n ? (uint8_t)text[i] : ' ';
}

void page_seal(uint8_t *page)
{
	unsigned sum = 0;

	for (size_t i = 0; i < 511; i++)
		sum += page[i];
	page[511] = (uint8_t)(0 - sum);
}
