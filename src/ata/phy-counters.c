/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SATA Phy Event Counters, General Purpose log 11h (Serial ATA 3.x 13.2.2.6 and 13.8): from byte 4
 * on an identifier and a value of 2 to 8 bytes, until an identifier of 0 or the end. Byte 511 is the
 * checksum.
 */
#include "ata/decoders.h"
#include "ata/wire.h"

#define FIRST	     4u
#define CHECKSUM_AT  511u
#define MAX_COUNTERS 128u /* of 4 bytes each, in 507 */

/* Identifier: bits 11:0 the counter, 14:12 size in words, 15 of the maker's own. */
#define ID_MASK	   0x8fffu
#define SIZE_SHIFT 12u
#define SIZE_MASK  7u
#define MAX_WORDS  4u

/* The first reason stands; diagnosis needs one. */
static void doubt(struct page_sink *s, bool *doubted, const char *why, uint32_t at,
		  uint32_t width)
{
	page_note(s, "%s (byte %u)", why, at);
	if (!*doubted)
		page_text(s, FACT_PHY_PAGE_DOUBT, 0, 0, why, at, width);
	*doubted = true;
}

static uint64_t all_ones(unsigned bytes)
{
	return bytes == 8 ? UINT64_MAX : (UINT64_C(1) << (bytes * 8)) - 1;
}

/*
 * Counters stop at their largest value; one that is narrower inside is shown as all ones too.
 * A maker's own identifier keeps bit 15, as everybody prints it.
 */
static void add_counter(struct page_sink *s, const uint8_t *data, uint32_t at,
			uint32_t id, unsigned bytes)
{
	uint64_t value = le_get(data + at + 2, bytes);

	page_u64(s, FACT_PHY_VALUE, id, 0, value, at + 2, bytes);
	page_u64(s, FACT_PHY_SIZE, id, 0, bytes, at, 2);
	if (value == all_ones(bytes))
		page_flag(s, FACT_PHY_SATURATED, id, true, at + 2, bytes);
}

static bool is_known(const uint16_t *ids, size_t n, uint16_t id)
{
	for (size_t i = 0; i < n; i++)
		if (ids[i] == id)
			return true;
	return false;
}

static void add_counters(struct page_sink *s, const uint8_t *data, bool *doubted)
{
	uint16_t ids[MAX_COUNTERS];
	size_t n = 0;
	uint32_t at = FIRST;

	while (at + 4 <= CHECKSUM_AT) {
		uint16_t word = (uint16_t)le_get(data + at, 2), id = word & ID_MASK;
		unsigned bytes = 2 * (word >> SIZE_SHIFT & SIZE_MASK);

		if (!id)
			break;
		if (!bytes || bytes > 2 * MAX_WORDS || at + 2 + bytes > CHECKSUM_AT) {
			doubt(s, doubted,
			      "a counter of a size that cannot be: what stands behind it "
			      "is not read",
			      at, 2);
			break;
		}
		if (is_known(ids, n, id))
			doubt(s, doubted, "a counter stands twice", at, 2);
		else
			add_counter(s, data, at, id, bytes);
		ids[n++] = id;
		at += 2 + bytes;
	}
	if (!n)
		page_note(s, "there is no counter in it");
}

void decode_phy_counters(struct page_sink *s, struct span bytes, uint16_t page_number)
{
	struct span page;
	bool doubted = false;

	if (page_number) {
		page_note(s, "this log has one page only");
		return;
	}
	if (!page_take_only(s, bytes, &page))
		return;
	s->trust = page_checksum_ok(page) ? TRUST_BYTES : TRUST_UNCHECKED;
	if (s->trust != TRUST_BYTES)
		doubt(s, &doubted, "the checksum of the page is wrong", CHECKSUM_AT, 1);
	if (le_get(page.data, FIRST))
		doubt(s, &doubted, "reserved bytes at the start of the page are not 0", 0,
		      FIRST);
	add_counters(s, page.data, &doubted);
}
