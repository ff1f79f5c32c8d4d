/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all decoders of pages share: giving facts and notes, lengths and checksums. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ata/decoders.h"

#define MAX_NOTE 200u

static void add(struct page_sink *s, struct fact f, uint32_t offset, uint32_t width)
{
	int r;

	if (s->error)
		return;
	f.trust = s->trust;
	f.origin.item = s->item;
	f.origin.offset = offset;
	f.origin.width = width;
	r = s->add(s->context, f);
	if (r < 0)
		s->error = r;
}

void page_u64(struct page_sink *s, enum fact_id id, uint32_t i, uint32_t j,
	      uint64_t value, uint32_t offset, uint32_t width)
{
	add(s, (struct fact){ .key = { id, i, j }, .u = value }, offset, width);
}

void page_s64(struct page_sink *s, enum fact_id id, uint32_t i, uint32_t j, int64_t value,
	      uint32_t offset, uint32_t width)
{
	add(s, (struct fact){ .key = { id, i, j }, .s = value }, offset, width);
}

void page_flag(struct page_sink *s, enum fact_id id, uint32_t i, bool value,
	       uint32_t offset, uint32_t width)
{
	add(s, (struct fact){ .key = { id, i, 0 }, .u = value }, offset, width);
}

void page_text(struct page_sink *s, enum fact_id id, uint32_t i, uint32_t j,
	       const char *text, uint32_t offset, uint32_t width)
{
	add(s, (struct fact){ .key = { id, i, j }, .text = text }, offset, width);
}

void page_note(struct page_sink *s, const char *format, ...)
{
	char text[MAX_NOTE];
	va_list ap;

	va_start(ap, format);
	(void)vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	s->note(s->context, text);
}

bool page_checksum_ok(struct span sector)
{
	uint8_t sum = 0;

	if (sector.len != PAGE_BYTES)
		return false;
	for (size_t i = 0; i < sector.len; i++)
		sum = (uint8_t)(sum + sector.data[i]);
	return sum == 0;
}

bool page_trust(struct page_sink *s, struct span page)
{
	bool ok = page_checksum_ok(page);

	s->trust = ok ? TRUST_BYTES : TRUST_UNCHECKED;
	if (!ok)
		page_note(s, "the checksum is wrong");
	return ok;
}

void page_trust_pages(struct page_sink *s, struct span bytes)
{
	size_t n = page_count(bytes), wrong = 0;

	s->trust = TRUST_BYTES;
	for (size_t i = 0; i < n; i++) {
		if (page_checksum_ok(span_of(bytes.data + i * PAGE_BYTES, PAGE_BYTES)))
			continue;
		if (i == 0)
			s->trust = TRUST_UNCHECKED;
		wrong++;
	}
	if (wrong)
		page_note(s, "the checksum of %zu of %zu pages is wrong", wrong, n);
}

bool page_is_filled(struct span s, uint8_t value)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.data[i] != value)
			return false;
	return true;
}

size_t page_count(struct span bytes)
{
	return bytes.len / PAGE_BYTES;
}

bool page_take(struct page_sink *s, struct span bytes, size_t n, struct span *ret)
{
	struct span page;

	if (n > bytes.len / PAGE_BYTES ||
	    !span_cut(bytes, n * PAGE_BYTES, PAGE_BYTES, &page)) {
		page_note(s, "too short: %zu bytes, a page has %u", bytes.len,
			  PAGE_BYTES);
		return false;
	}
	if (page_is_filled(page, 0) || page_is_filled(page, 0xff)) {
		page_note(s, "nothing but bytes of %02Xh: no such page", page.data[0]);
		return false;
	}
	*ret = page;
	return true;
}

bool page_take_only(struct page_sink *s, struct span bytes, struct span *ret)
{
	if (!page_take(s, bytes, 0, ret))
		return false;
	if (bytes.len > PAGE_BYTES)
		page_note(s, "%zu bytes behind the page are not read",
			  bytes.len - PAGE_BYTES);
	return true;
}

static bool is_padding(char c)
{
	return c == ' ' || c == '\0';
}

bool page_string(struct span page, size_t offset, size_t len, char *ret)
{
	size_t first = 0, n = len;
	struct span text;

	if (!span_cut(page, offset, len, &text))
		return false;
	for (size_t i = 0; i < len; i++)
		ret[i] = (char)text.data[i ^ 1];
	while (n > 0 && is_padding(ret[n - 1]))
		n--;
	while (first < n && is_padding(ret[first]))
		first++;
	memmove(ret, ret + first, n - first);
	n -= first;
	ret[n] = '\0';
	for (size_t i = 0; i < n; i++)
		if (ret[i] == '\0')
			ret[i] = ' ';
	return n > 0;
}

void page_decode_each(struct page_sink *s, struct span bytes, uint32_t first,
		      page_decoder *decode)
{
	struct span page;

	/* a page of zeros may stand among others, for one that the drive does not have */
	if ((page_count(bytes) < 2 || page_is_filled(bytes, 0)) &&
	    !page_take(s, bytes, 0, &page))
		return;
	s->trust = TRUST_UNCHECKED;
	for (size_t i = 0; span_cut(bytes, i * PAGE_BYTES, PAGE_BYTES, &page); i++)
		decode(s, page, first + (uint32_t)i, (uint32_t)(i * PAGE_BYTES));
}
