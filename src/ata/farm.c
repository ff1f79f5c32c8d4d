/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Field Accessible Reliability Metrics, General Purpose log A6h of Seagate drives: pages of 16 KiB,
 * each a row of 8-byte fields, 56 bits of value below a byte of flags. The maker publishes the
 * layout with openSeaChest (farm_log.h); what is read here is what other sources of the same drive
 * can be held against. There is no checksum.
 */
#include <stdio.h>

#include "ata/decoders.h"
#include "ata/wire.h"

#define FARM_PAGE 16384u
#define SIGNATURE UINT64_C(0x00004641524d4552) /* "FARMER" */
#define VALUE	  UINT64_C(0x00ffffffffffffff)
#define SUPPORTED 0x80u
#define VALID	  0x40u

static const struct field {
	uint8_t page, number; /* place in its page, counted in fields */
	const char *name;     /* as smartctl prints it since 7.4 */
} fields[] = {
	{ 1, 19, "Power on Hours" },
	{ 1, 20, "Spindle Power on Hours" },
	{ 1, 21, "Head Flight Hours" },
	{ 1, 22, "Head Load Events" },
	{ 1, 23, "Power Cycle Count" },
	{ 1, 24, "Hardware Reset Count" },
	{ 2, 8, "Logical Sectors Written" },
	{ 2, 9, "Logical Sectors Read" },
	{ 3, 2, "Unrecoverable Read Errors" },
	{ 3, 3, "Unrecoverable Write Errors" },
	{ 3, 4, "Number of Reallocated Sectors" },
	{ 3, 5, "Number of Read Recovery Attempts" },
	{ 3, 6, "Number of Mechanical Start Failures" },
	{ 3, 7, "Number of Reallocated Candidate Sectors" },
	{ 3, 8, "Number of ASR Events" },
	{ 3, 9, "Number of Interface CRC Errors" },
};

static uint32_t place_of(const struct field *f)
{
	return f->page * FARM_PAGE + 8u * f->number;
}

/* The first field of each page is its number. */
static bool has_page(struct span bytes, unsigned number)
{
	struct span first;

	return span_cut(bytes, number * (size_t)FARM_PAGE, 8, &first) &&
	       (le_get(first.data, 8) & VALUE) == number;
}

static void add_field(struct page_sink *s, struct span bytes, const struct field *f,
		      uint32_t *key)
{
	uint32_t at = place_of(f);
	struct span field;
	char text[80];

	if (!has_page(bytes, f->page) || !span_cut(bytes, at, 8, &field) ||
	    (field.data[7] & (SUPPORTED | VALID)) != (SUPPORTED | VALID))
		return;
	(void)snprintf(text, sizeof(text), "%u: %s: %llu", f->page, f->name,
		       (unsigned long long)(le_get(field.data, 8) & VALUE));
	page_text(s, FACT_FARM, (*key)++, 0, text, at, 8);
}

void decode_farm(struct page_sink *s, struct span bytes, uint16_t page_number)
{
	struct span page;
	uint32_t key = 0;

	if (page_number) {
		page_note(s, "without its first page this is no log that is known");
		return;
	}
	if (!page_take(s, bytes, 0, &page))
		return;
	s->trust = TRUST_UNCHECKED;
	if ((le_get(page.data, 8) & VALUE) != SIGNATURE) {
		page_note(s, "a log of the maker's own that is not known");
		return;
	}
	for (size_t i = 0; i < array_size(fields); i++)
		add_field(s, bytes, &fields[i], &key);
	if (!key)
		page_note(s, "the fields that are known are not in what was read");
}
