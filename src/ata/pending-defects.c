/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pending Defects, log 0Ch (ACS-4 9.26): page 0 begins with the count and has room for 31 entries
 * behind it, each further page for 32. There is no checksum; an empty log is all zeros.
 */
#include "ata/decoders.h"
#include "ata/wire.h"

struct pending_defect {
	le32_t hours; /* FFFFFFFFh: not known */
	uint8_t reserved[4];
	le64_t lba;
};

#define PER_PAGE 32u

_Static_assert(sizeof(struct pending_defect) * PER_PAGE == PAGE_BYTES,
	       "ACS-4 table 246: 16 bytes an entry");

/* The first entry of page 0 is its head. */
#define MOST	  (UINT16_MAX * PER_PAGE - 1u)

#define MOST_TOLD 1023u /* of them, by their addresses: those of 32 pages */

static void add_defect(struct page_sink *s, uint32_t index,
		       const struct pending_defect *d, uint32_t at)
{
	page_u64(s, FACT_DEFECT_LBA, index, 0, le64_get(d->lba), at + 8, 8);
	if (le32_get(d->hours) != UINT32_MAX)
		page_u64(s, FACT_DEFECT_HOURS, index, 0, le32_get(d->hours), at, 4);
}

static void add_defects(struct page_sink *s, struct span bytes, uint32_t n)
{
	const struct pending_defect *d = (const struct pending_defect *)bytes.data;

	for (uint32_t i = 0; i < n; i++)
		add_defect(s, i, &d[i + 1], (i + 1) * (uint32_t)sizeof(*d));
}

void decode_pending_defects(struct page_sink *s, struct span bytes, uint16_t page_number)
{
	uint32_t count, held = (uint32_t)page_count(bytes) * PER_PAGE;
	struct span page;

	s->trust = TRUST_UNCHECKED;
	if (page_number) {
		page_note(s, "without its first page nobody knows how many there are");
		return;
	}
	if (!span_cut(bytes, 0, PAGE_BYTES, &page)) {
		page_note(s, "too short: %zu bytes, a page has %u", bytes.len,
			  PAGE_BYTES);
		return;
	}
	count = (uint32_t)le_get(page.data, 4);
	if (count > MOST || (s->log_pages && count > s->log_pages * PER_PAGE - 1)) {
		page_note(s, "%u defects are more than the log has room for", count);
		return;
	}
	page_u64(s, FACT_DEFECT_COUNT, 0, 0, count, 0, 4);
	if (held - 1 > MOST_TOLD)
		held = MOST_TOLD + 1;
	if (count > held - 1)
		page_note(s, "the first %u of %u defects are told", held - 1, count);
	add_defects(s, bytes, count < held ? count : held - 1);
}
