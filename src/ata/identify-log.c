/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * IDENTIFY DEVICE data log, 30h (ACS-4 9.11): what IDENTIFY DEVICE data say, in another form, and
 * what has no place there. Each page begins with its number; bit 63 of each later field says that
 * it counts. There is no checksum.
 */
#include <stdio.h>

#include "ata/decoders.h"
#include "ata/wire.h"

#define COUNTS (UINT64_C(1) << 63)

static bool get_field(struct span page, uint32_t offset, uint64_t *ret)
{
	uint64_t v = le_get(page.data + offset, 8);

	*ret = v & ~COUNTS;
	return v & COUNTS;
}

/* Page 02h, ACS-4 9.11.4: capacity, sector sizes. */
static void add_capacity(struct page_sink *s, struct span page, uint32_t at)
{
	uint64_t sectors, relation, words, bytes = 512;

	if (get_field(page, 24, &words) && (uint32_t)words >= 256)
		bytes = (uint64_t)(uint32_t)words * 2;
	if (get_field(page, 8, &sectors) && sectors && sectors < UINT64_C(1) << 48 &&
	    bytes <= 1u << 15)
		page_u64(s, FACT_CAPACITY, 0, 0, sectors * bytes, at + 8, 8);
	/* bit 61: the size is told, bit 62: bits 19:16 are the power of 2 of the physical one */
	if (!get_field(page, 16, &relation) || bytes > 1u << 15)
		return;
	page_u64(s, FACT_LOGICAL_SECTOR, 0, 0, bytes, at + 24, 8);
	if (relation & UINT64_C(1) << 62)
		page_u64(s, FACT_PHYSICAL_SECTOR, 0, 0, bytes << (relation >> 16 & 15),
			 at + 16, 8);
}

/* Page 03h, ACS-4 9.11.5: rotation rate, form factor, World Wide Name. */
static void add_capabilities(struct page_sink *s, struct span page, uint32_t at)
{
	const char *form;
	uint64_t v, rpm;
	char text[17];

	if (get_field(page, 24, &v) && identify_rotation((uint16_t)v, &rpm))
		page_u64(s, FACT_ROTATION, 0, 0, rpm, at + 24, 8);
	form = get_field(page, 32, &v) ? identify_form_factor(v & 15) : NULL;
	if (form)
		page_text(s, FACT_FORM_FACTOR, 0, 0, form, at + 32, 8);
	/* a field of 16 bytes: the name, then bit 127 */
	if (get_field(page, 64, &v)) {
		(void)snprintf(text, sizeof(text), "%016llx",
			       (unsigned long long)le_get(page.data + 56, 8));
		page_text(s, FACT_WWN, 0, 0, text, at + 56, 8);
	}
}

/* Page 05h, ACS-4 9.11.7: strings, in the order of bytes of IDENTIFY DEVICE data. */
static void add_strings(struct page_sink *s, struct span page, uint32_t at)
{
	static const struct {
		enum fact_id id;
		uint32_t offset, len;
	} rows[] = {
		{ FACT_SERIAL, 8, 20 },
		{ FACT_FIRMWARE, 32, 8 },
		{ FACT_MODEL, 48, 40 },
		{ FACT_ADD_PRODUCT_ID, 96, 8 },
	};
	char text[41];

	for (size_t i = 0; i < array_size(rows); i++)
		if (page_string(page, rows[i].offset, rows[i].len, text))
			page_text(s, rows[i].id, 0, 0, text, at + rows[i].offset,
				  rows[i].len);
}

/* Page 08h, ACS-4 9.11.10: bits 2:0 of the capabilities are the speeds, of the settings the one in use. */
static void add_sata(struct page_sink *s, struct span page, uint32_t at)
{
	uint64_t can, now;
	unsigned most = 0;

	if (get_field(page, 8, &can)) {
		for (unsigned bit = 0; bit < 3; bit++)
			if (can & 1u << bit)
				most = bit + 1;
		if (most)
			page_u64(s, FACT_LINK_DEVICE_MAX, 0, 0, identify_speed_mbps(most),
				 at + 8, 8);
	}
	if (get_field(page, 16, &now) && identify_speed_mbps(now & 7))
		page_u64(s, FACT_LINK_CURRENT, 0, 0, identify_speed_mbps(now & 7),
			 at + 16, 8);
}

/* Page 00h is the list of the others, 01h the same as IDENTIFY DEVICE data. */
static void (*const adders[])(struct page_sink *s, struct span page, uint32_t at) = {
	[2] = add_capacity,
	[3] = add_capabilities,
	[5] = add_strings,
	[8] = add_sata,
};

static void decode_one(struct page_sink *s, struct span page, uint32_t number,
		       uint32_t at)
{
	uint64_t head = le_get(page.data, 8);

	if (number >= array_size(adders) || !adders[number] || page_is_filled(page, 0))
		return;
	/* revision, page number, bit 63: a page of revision 0 is not there */
	if (page_is_filled(page, 0xff) || !(head & COUNTS) || !(head & 0xffff) ||
	    (head >> 16 & 0xff) != number) {
		page_note(s, "page %02Xh: its head says %016llXh", number,
			  (unsigned long long)head);
		return;
	}
	adders[number](s, page, at);
}

void decode_identify_log(struct page_sink *s, struct span bytes, uint16_t page_number)
{
	page_decode_each(s, bytes, page_number, decode_one);
}
