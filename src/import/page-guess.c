/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/page-guess.h"

#include <string.h>

#include "ata/pages.h"
#include "base/str.h"

static unsigned word_at(struct span s, size_t word)
{
	return (unsigned)(s.data[2 * word] | s.data[2 * word + 1] << 8);
}

/* ASCII, filled up with blanks; drives swap the bytes of each word (ACS-4 7.13.7.13). */
static bool is_string(struct span s, size_t word, size_t n)
{
	size_t letters = 0;

	for (size_t i = 2 * word; i < 2 * word + n; i++) {
		if (s.data[i] < 0x20 || s.data[i] > 0x7e)
			return false;
		letters += s.data[i] != ' ';
	}
	return letters >= 3;
}

/* Word 0 bit 15 is cleared, the model is text; a signature in word 255 must be right. */
static bool is_identify(struct span s)
{
	if ((word_at(s, 0) & 0x8000) || word_at(s, 0) == 0 || !is_string(s, 27, 40))
		return false;
	if ((word_at(s, 255) & 0xff) == 0xa5)
		return page_checksum_ok(s);
	return is_string(s, 23, 8) && word_at(s, 60) != 0;
}

#define ATTRIBUTES	30u
#define ATTRIBUTE_BYTES 12u

/* Thirty entries, all used ones first or not, each with its own number. */
static bool has_attributes(struct span s, bool *ret_thresholds)
{
	bool seen[256] = { false };
	size_t n = 0;

	*ret_thresholds = true;
	if (word_at(s, 0) == 0 || word_at(s, 0) > 0x100 || !page_checksum_ok(s))
		return false;
	for (size_t i = 0; i < ATTRIBUTES; i++) {
		const uint8_t *a = s.data + 2 + i * ATTRIBUTE_BYTES;

		if (!a[0])
			continue;
		if (seen[a[0]])
			return false;
		seen[a[0]] = true;
		n++;
		for (size_t k = 2; k < ATTRIBUTE_BYTES; k++)
			*ret_thresholds &= a[k] == 0;
	}
	return n >= 3;
}

/* Serial ATA 3.x 13.7: four bytes, then identifiers with their sizes, an identifier 0 ends it. */
static bool is_phy_log(struct span s)
{
	size_t at = 4, n = 0;

	if (s.data[0] || s.data[1] || s.data[2] || s.data[3] || !page_checksum_ok(s))
		return false;
	while (at + 2 < PAGE_BYTES - 1) {
		unsigned id = word_at(s, at / 2), size = 2 * (id >> 12 & 7);

		if (!id)
			break;
		if (!(id & 0xfff) || (size != 2 && size != 4 && size != 8))
			return false;
		at += 2 + size;
		n++;
	}
	return n >= 3;
}

const char *page_guess(struct span s)
{
	bool thresholds;

	if (s.len != PAGE_BYTES)
		return NULL;
	if (is_identify(s))
		return "ata/identify";
	if (has_attributes(s, &thresholds))
		return thresholds ? "ata/smart/thresholds" : "ata/smart/data";
	return is_phy_log(s) ? "ata/log/11/00" : NULL;
}

bool page_is_item(const char *id)
{
	uint16_t page;
	const struct page *row = page_find(id, &page);

	return row && row->source != PAGE_SMART_STATUS && row->source != PAGE_POWER_MODE;
}

bool page_fits(const char *id, size_t len)
{
	bool log = str_starts(id, "ata/log/") || str_starts(id, "ata/smart-log/");

	return len && len % PAGE_BYTES == 0 && (log || len == PAGE_BYTES);
}
