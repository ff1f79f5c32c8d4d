/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Device Statistics, log 04h (ACS-4 9.5). Each page begins with its number and a revision; each
 * statistic has 8 bytes, of which the last one holds flags. There is no checksum.
 */
#include <stdio.h>

#include "ata/decoders.h"
#include "ata/wire.h"

#define SUPPORTED   0x80u
#define VALID	    0x40u
#define NORMALIZED  0x20u
#define DSN	    0x10u
#define CONDITION   0x08u /* monitored condition met */
#define OTHER	    0x07u

#define STEP	    8u
#define WIDEST	    7u /* bytes of a value, before the flags */
#define VENDOR_PAGE 0xffu

/* Each page's statistics in the order of their offsets from 8 on; SIZE -1: one byte with a sign. */
struct statistic {
	int size;
	const char *name;
};

/* ACS-4 tables 207 to 214 */
/* clang-format off */
static const struct statistic general[] = {
	{ 4, "Lifetime Power-On Resets" },
	{ 4, "Power-on Hours" },
	{ 6, "Logical Sectors Written" },
	{ 6, "Number of Write Commands" },
	{ 6, "Logical Sectors Read" },
	{ 6, "Number of Read Commands" },
	{ 6, "Date and Time TimeStamp" },
	{ 4, "Pending Error Count" },
	{ 2, "Workload Utilization" },
	{ 6, "Utilization Usage Rate" },
	{ 7, "Resource Availability" },
	{ 1, "Random Write Resources Used" },
	{ 0, NULL },
};

static const struct statistic free_fall[] = {
	{ 4, "Number of Free-Fall Events Detected" },
	{ 4, "Overlimit Shock Events" },
	{ 0, NULL },
};

static const struct statistic rotating[] = {
	{ 4, "Spindle Motor Power-on Hours" },
	{ 4, "Head Flying Hours" },
	{ 4, "Head Load Events" },
	{ 4, "Number of Reallocated Logical Sectors" },
	{ 4, "Read Recovery Attempts" },
	{ 4, "Number of Mechanical Start Failures" },
	{ 4, "Number of Realloc. Candidate Logical Sectors" },
	{ 4, "Number of High Priority Unload Events" },
	{ 0, NULL },
};

static const struct statistic errors[] = {
	{ 4, "Number of Reported Uncorrectable Errors" },
	{ 4, "Resets Between Cmd Acceptance and Completion" },
	{ 4, "Physical Element Status Changed" },
	{ 0, NULL },
};

static const struct statistic temperature[] = {
	{ -1, "Current Temperature" },
	{ -1, "Average Short Term Temperature" },
	{ -1, "Average Long Term Temperature" },
	{ -1, "Highest Temperature" },
	{ -1, "Lowest Temperature" },
	{ -1, "Highest Average Short Term Temperature" },
	{ -1, "Lowest Average Short Term Temperature" },
	{ -1, "Highest Average Long Term Temperature" },
	{ -1, "Lowest Average Long Term Temperature" },
	{ 4, "Time in Over-Temperature" },
	{ -1, "Specified Maximum Operating Temperature" },
	{ 4, "Time in Under-Temperature" },
	{ -1, "Specified Minimum Operating Temperature" },
	{ 0, NULL },
};

static const struct statistic transport[] = {
	{ 4, "Number of Hardware Resets" },
	{ 4, "Number of ASR Events" },
	{ 4, "Number of Interface CRC Errors" },
	{ 0, NULL },
};

static const struct statistic solid_state[] = {
	{ 1, "Percentage Used Endurance Indicator" },
	{ 0, NULL },
};
/* clang-format on */

static const struct statistic *const pages[] = {
	NULL, /* the list of pages */
	general, free_fall, rotating, errors, temperature, transport, solid_state,
};

/* Letters for what is set, as in "N--"; what nobody knows is a "+". */
static void format_flags(uint8_t flags, char ret[5])
{
	ret[0] = flags & NORMALIZED ? 'N' : '-';
	ret[1] = flags & DSN ? 'D' : '-';
	ret[2] = flags & CONDITION ? 'C' : '-';
	ret[3] = flags & OTHER ? '+' : '\0';
	ret[4] = '\0';
}

static int64_t get_value(const uint8_t *statistic, int size)
{
	if (size < 0)
		return statistic[0] < 0x80 ? statistic[0] : statistic[0] - 256;
	return (int64_t)le_get(statistic, (unsigned)size);
}

static void add_statistic(struct page_sink *s, uint32_t number, uint32_t offset,
			  const struct statistic *what, const uint8_t *b, uint32_t at)
{
	uint32_t width = what->size < 0 ? 1 : (uint32_t)what->size;
	char flags[5];

	if (b[7] & VALID)
		page_s64(s, FACT_STAT_VALUE, number, offset, get_value(b, what->size), at,
			 width);
	page_text(s, FACT_STAT_NAME, number, offset, what->name, at, width);
	page_u64(s, FACT_STAT_FLAG_BITS, number, offset, b[7], at + 7, 1);
	format_flags(b[7], flags);
	page_text(s, FACT_STAT_FLAGS, number, offset, flags, at + 7, 1);
	page_u64(s, FACT_STAT_SIZE, number, offset, width, at, width);
}

/*
 * What stands behind the known statistics may be newer ones, or what firmware left there: values
 * do not reach into their sixth and seventh byte, so that is where dirt shows.
 */
static bool is_dirt(const uint8_t *b)
{
	return b[5] || b[6];
}

static void add_page(struct page_sink *s, uint32_t number, struct span page, uint32_t at)
{
	static const struct statistic unknown = { WIDEST, "Unknown" };
	const struct statistic *known = pages[number];

	page_u64(s, FACT_STAT_REVISION, number, 0, le_get(page.data, 2), at, 2);
	for (uint32_t offset = STEP; offset + STEP <= PAGE_BYTES; offset += STEP) {
		const uint8_t *b = page.data + offset;
		const struct statistic *what = known && known->name ? known++ : &unknown;

		if (!(b[7] & SUPPORTED))
			continue;
		if (what == &unknown && is_dirt(b)) {
			page_note(s,
				  "page %02Xh: what stands from byte %u on is no "
				  "statistic",
				  number, offset);
			return;
		}
		add_statistic(s, number, offset, what, b, at + offset);
	}
}

/* Pages that the drive does not have are empty, or have revision 0. */
static void decode_one(struct page_sink *s, struct span page, uint32_t number,
		       uint32_t at)
{
	if (page_is_filled(page, 0) || number == 0)
		return;
	if (page_is_filled(page, 0xff) || page.data[2] != number ||
	    !le_get(page.data, 2)) {
		page_note(s, "page %02Xh: the head says page %02Xh, revision %04Xh",
			  number, page.data[2], (unsigned)le_get(page.data, 2));
		return;
	}
	if (number >= array_size(pages))
		page_note(s, "page %02Xh is %s: left out", number,
			  number == VENDOR_PAGE ? "the maker's own" : "not known");
	else
		add_page(s, number, page, at);
}

void decode_statistics(struct page_sink *s, struct span bytes, uint16_t page_number)
{
	page_decode_each(s, bytes, page_number, decode_one);
}
