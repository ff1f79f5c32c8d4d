/* SPDX-License-Identifier: GPL-2.0-or-later */
/* IDENTIFY DEVICE data (ACS-4 7.13.6): who the drive is, what it can, how it is set. */
#include <stdio.h>

#include "ata/decoders.h"
#include "ata/identify-words.h"
#include "ata/versions.h"

#define AT(word) ((uint32_t)(word)*2)

static uint16_t get(struct span page, unsigned n)
{
	return identify_word(page, n);
}

static void add_string(struct page_sink *s, enum fact_id id, struct span page,
		       unsigned word, uint32_t len)
{
	char text[41];

	if (page_string(page, AT(word), len, text))
		page_text(s, id, 0, 0, text, AT(word), len);
}

/* Words 108-111, when word 87 bit 8 says that they hold a World Wide Name. */
static void add_wwn(struct page_sink *s, struct span page)
{
	char text[17];

	if (!identify_enabled(page, 87, 8) || !get(page, 108) || get(page, 108) == 0xffff)
		return;
	(void)snprintf(text, sizeof(text), "%04x%04x%04x%04x", get(page, 108),
		       get(page, 109), get(page, 110), get(page, 111));
	page_text(s, FACT_WWN, 0, 0, text, AT(108), 8);
}

static void add_who(struct page_sink *s, struct span page)
{
	uint16_t product = get(page, 170);

	add_string(s, FACT_MODEL, page, 27, 40);
	add_string(s, FACT_SERIAL, page, 10, 20);
	add_string(s, FACT_FIRMWARE, page, 23, 8);
	/* older drives have other things there: only printable text counts */
	if (product >= 0x2020 && product <= 0x7e7e)
		add_string(s, FACT_ADD_PRODUCT_ID, page, 170, 8);
	add_wwn(s, page);
}

/* --- sizes ---------------------------------------------------------------------------------- */

struct sizes {
	uint64_t sectors;
	uint32_t sectors_at, sectors_width;
	uint64_t logical, physical;
};

static void get_sectors(struct span page, struct sizes *ret)
{
	static const struct {
		unsigned word;
		uint32_t bytes, bits; /* of an LBA */
	} rows[] = { { 230, 8, 48 }, { 100, 8, 48 }, { 60, 4, 28 } };
	const bool there[] = {
		/* ACS-3 added words 230-233; word 69 bit 3 says that they are there */
		identify_is_reported(page, 69) && (get(page, 69) & 1u << 3),
		identify_supports(page, 83, 10),
		(get(page, 49) & 1u << 9) != 0, /* LBA supported */
	};

	for (size_t i = 0; i < array_size(rows); i++) {
		uint64_t n = le_get(page.data + AT(rows[i].word), rows[i].bytes);

		if (!there[i] || !n || n > UINT64_C(1) << rows[i].bits)
			continue;
		ret->sectors = n;
		ret->sectors_at = AT(rows[i].word);
		ret->sectors_width = rows[i].bytes;
		return;
	}
}

uint64_t page_identify_sectors(struct span identify)
{
	struct sizes z = { 0 };
	struct span page;

	if (!span_cut(identify, 0, PAGE_BYTES, &page) || page_is_filled(page, 0xff))
		return 0;
	get_sectors(page, &z);
	return z.sectors;
}

/* Word 106: bit 12 a logical sector has more than 256 words, bit 13 with 3:0 the physical one. */
static bool get_sector_sizes(struct page_sink *s, struct span page, struct sizes *ret)
{
	uint16_t w = get(page, 106);
	uint64_t words;

	ret->logical = ret->physical = 512;
	if (!identify_is_valid(page, 106))
		return true;
	if (w & 1u << 12) {
		words = le_get(page.data + AT(117), 4);
		if (words < 256 || words > 1u << 20) {
			page_note(s, "words 117-118: a logical sector of %llu words",
				  (unsigned long long)words);
			return false;
		}
		ret->logical = ret->physical = words * 2;
	}
	if (w & 1u << 13)
		ret->physical = ret->logical << (w & 15);
	return true;
}

static void add_sizes(struct page_sink *s, struct span page)
{
	struct sizes z = { 0 };

	get_sectors(page, &z);
	if (!get_sector_sizes(s, page, &z))
		return;
	page_u64(s, FACT_LOGICAL_SECTOR, 0, 0, z.logical, AT(106), 2);
	page_u64(s, FACT_PHYSICAL_SECTOR, 0, 0, z.physical, AT(106), 2);
	/* below 2^48 sectors of up to 2^21 bytes: the product may not fit */
	if (z.sectors && z.sectors <= UINT64_MAX / z.logical)
		page_u64(s, FACT_CAPACITY, 0, 0, z.sectors * z.logical, z.sectors_at,
			 z.sectors_width);
}

/* --- what it is ------------------------------------------------------------------------------- */

/* ACS-4 table 55 (word 168) */
static const char *const form_factors[] = {
	[1] = "5.25 inches", [2] = "3.5 inches",   [3] = "2.5 inches",
	[4] = "1.8 inches",  [5] = "< 1.8 inches", [6] = "mSATA",
	[7] = "M.2",	     [8] = "MicroSSD",	   [9] = "CFast",
};

const char *identify_form_factor(unsigned code)
{
	return code < array_size(form_factors) ? form_factors[code] : NULL;
}

/* Word 217: 0001h does not rotate, 0401h to FFFEh are rpm, the rest is reserved. */
bool identify_rotation(uint16_t word, uint64_t *ret_rpm)
{
	if (word != 1 && (word < 0x401 || word == 0xffff))
		return false;
	*ret_rpm = word == 1 ? 0 : word;
	return true;
}

static void add_trim(struct page_sink *s, struct span page, bool solid)
{
	uint16_t w69 = identify_is_reported(page, 69) ? get(page, 69) : 0;
	bool trim = identify_is_reported(page, 169) && (get(page, 169) & 1);
	char text[48];

	(void)snprintf(text, sizeof(text), "Available%s%s",
		       w69 & 1u << 14 ? ", deterministic" : "",
		       w69 & 1u << 5 ? ", zeroed" : "");
	if (trim)
		page_text(s, FACT_TRIM, 0, 0, text, AT(169), 2);
	else if (solid)
		page_text(s, FACT_TRIM, 0, 0, "Unavailable", AT(169), 2);
	if ((w69 & 3) == 1)
		page_text(s, FACT_ZONED, 0, 0, "Host Aware Zones", AT(69), 2);
	else if ((w69 & 3) == 2)
		page_text(s, FACT_ZONED, 0, 0, "Device managed zones", AT(69), 2);
}

static void add_build(struct page_sink *s, struct span page)
{
	const char *form = identify_is_reported(page, 168)
				   ? identify_form_factor(get(page, 168) & 15)
				   : NULL;
	uint64_t rpm = UINT64_MAX;
	char text[96];

	if (identify_rotation(get(page, 217), &rpm))
		page_u64(s, FACT_ROTATION, 0, 0, rpm, AT(217), 2);
	else if (identify_is_reported(page, 217))
		page_note(s, "word 217: %04Xh is no rotation rate", get(page, 217));
	if (form)
		page_text(s, FACT_FORM_FACTOR, 0, 0, form, AT(168), 2);
	if (identify_is_reported(page, 168) && (get(page, 168) & 15))
		page_u64(s, FACT_FORM_FACTOR_CODE, 0, 0, get(page, 168) & 15, AT(168), 2);
	add_trim(s, page, rpm == 0);
	if (ata_version_text(get(page, 80), get(page, 81), text, sizeof(text)))
		page_text(s, FACT_ATA_VERSION, 0, 0, text, AT(80), 4);
	if (identify_is_reported(page, 80))
		page_u64(s, FACT_ATA_MAJOR, 0, 0, get(page, 80), AT(80), 2);
	if (identify_is_reported(page, 81))
		page_u64(s, FACT_ATA_MINOR, 0, 0, get(page, 81), AT(81), 2);
}

/* --- the link ---------------------------------------------------------------------------------- */

uint64_t identify_speed_mbps(unsigned generation)
{
	static const uint64_t speeds[] = { 0, 1500, 3000, 6000 };

	return generation < array_size(speeds) ? speeds[generation] : 0;
}

/* Word 76 bits 3:1 are the speeds that are supported, bits 7:4 are kept for faster ones. */
static void add_speeds(struct page_sink *s, struct span page)
{
	uint16_t can = get(page, 76), now = get(page, 77);
	unsigned most = 0;

	for (unsigned bit = 1; bit < 8; bit++)
		if (can & 1u << bit)
			most = bit;
	if (most)
		page_u64(s, FACT_LINK_SPEED_BITS, 0, 0, can & 0xfe, AT(76), 2);
	if (identify_speed_mbps(most))
		page_u64(s, FACT_LINK_DEVICE_MAX, 0, 0, identify_speed_mbps(most), AT(76),
			 2);
	else if (most)
		page_note(s, "word 76: a link speed of generation %u is not known", most);
	if (!identify_is_reported(page, 77) || (now & 1))
		return;
	if (now >> 1 & 7)
		page_u64(s, FACT_LINK_SPEED_CODE, 0, 0, now >> 1 & 7u, AT(77), 2);
	if (identify_speed_mbps(now >> 1 & 7))
		page_u64(s, FACT_LINK_CURRENT, 0, 0, identify_speed_mbps(now >> 1 & 7),
			 AT(77), 2);
	else if (now >> 1 & 7)
		page_note(s, "word 77: a link speed of generation %u is not known",
			  now >> 1 & 7u);
}

static void add_link(struct page_sink *s, struct span page)
{
	uint16_t transport = identify_is_reported(page, 222) ? get(page, 222) : 0;
	bool is_sata = transport >> 12 == 1;
	char text[24];

	if (is_sata || identify_is_sata(page))
		page_text(s, FACT_BUS, 0, 0, "sata", AT(is_sata ? 222 : 76), 2);
	if (is_sata && sata_version_text(transport & 0xfff, text, sizeof(text)))
		page_text(s, FACT_SATA_VERSION, 0, 0, text, AT(222), 2);
	if (is_sata && (transport & 0xfff))
		page_u64(s, FACT_SATA_BITS, 0, 0, transport & 0xfff, AT(222), 2);
	if (identify_is_sata(page))
		add_speeds(s, page);
}

/* --- how it is set ----------------------------------------------------------------------------- */

static void add_smart(struct page_sink *s, struct span page)
{
	if (identify_is_valid(page, 83)) {
		page_flag(s, FACT_SMART_AVAILABLE, 0, identify_supports(page, 82, 0),
			  AT(82), 2);
		if (identify_supports(page, 82, 0) && identify_is_valid(page, 87))
			page_flag(s, FACT_SMART_ENABLED, 0, identify_enabled(page, 85, 0),
				  AT(85), 2);
	}
	/* words 84 and 87 tell the same; either one is enough */
	if (identify_is_valid(page, 84) || identify_is_valid(page, 87)) {
		page_flag(s, FACT_ERROR_LOGGING, 0,
			  identify_supports(page, 84, 0) || identify_enabled(page, 87, 0),
			  AT(84), 2);
		page_flag(s, FACT_GP_LOGGING, 0,
			  identify_supports(page, 84, 5) || identify_enabled(page, 87, 5),
			  AT(84), 2);
	}
	if (identify_is_reported(page, 206) && (get(page, 206) & 1))
		page_u64(s, FACT_SCT_CAPABILITY, 0, 0, get(page, 206), AT(206), 2);
}

/* Word 94: bits 15:8 recommended by the maker, 7:0 now. Set by words 83 and 86 bit 9. */
static void add_acoustic(struct page_sink *s, struct span page)
{
	unsigned now = get(page, 94) & 0xffu, best = get(page, 94) >> 8;
	char text[64];

	if (!identify_supports(page, 83, 9)) {
		page_text(s, FACT_AAM, 0, 0, "Unavailable", AT(83), 2);
	} else if (!identify_enabled(page, 86, 9)) {
		page_text(s, FACT_AAM, 0, 0, "Disabled", AT(86), 2);
	} else {
		(void)snprintf(text, sizeof(text), "%u (%s), recommended: %u", now,
			       now == 0	    ? "vendor specific"
			       : now < 128  ? "unknown/retired"
			       : now == 128 ? "quiet"
			       : now < 254  ? "intermediate"
			       : now == 254 ? "maximum performance"
					    : "reserved",
			       best);
		page_text(s, FACT_AAM, 0, 0, text, AT(94), 2);
	}
}

/* Word 91: levels below 80h may spin down (ACS-4 table 130). Set by words 83 and 86 bit 3. */
static void add_power(struct page_sink *s, struct span page)
{
	unsigned now = get(page, 91) & 0xffu;
	char text[64];

	if (!identify_supports(page, 83, 3)) {
		page_text(s, FACT_APM, 0, 0, "Unavailable", AT(83), 2);
	} else if (!identify_enabled(page, 86, 3)) {
		page_text(s, FACT_APM, 0, 0, "Disabled", AT(86), 2);
	} else {
		(void)snprintf(text, sizeof(text), "%u (%s)", now,
			       now == 0	    ? "reserved"
			       : now == 1   ? "minimum power consumption with standby"
			       : now < 128  ? "intermediate level with standby"
			       : now == 128 ? "minimum power consumption without standby"
			       : now < 254  ? "intermediate level without standby"
			       : now == 254 ? "maximum performance"
					    : "reserved");
		page_text(s, FACT_APM, 0, 0, text, AT(91), 2);
	}
}

static void add_caches(struct page_sink *s, struct span page)
{
	/* words 119 and 120 count only when word 86 bit 15 says so (ACS-4 7.13.6.40) */
	bool more = identify_enabled(page, 86, 15);
	bool has_dsn = more && identify_is_valid(page, 119) && (get(page, 119) & 1u << 9);

	if (identify_supports(page, 82, 6) && identify_is_valid(page, 87))
		page_flag(s, FACT_READ_LOOKAHEAD, 0, identify_enabled(page, 85, 6),
			  AT(85), 2);
	if (identify_supports(page, 82, 5) && identify_is_valid(page, 87))
		page_flag(s, FACT_WRITE_CACHE, 0, identify_enabled(page, 85, 5), AT(85),
			  2);
	if (!identify_is_valid(page, 83))
		return;
	add_acoustic(s, page);
	add_power(s, page);
	page_text(s, FACT_DSN, 0, 0,
		  !has_dsn ? "Unavailable"
		  : identify_is_valid(page, 120) && (get(page, 120) & 1u << 9)
			  ? "Enabled"
			  : "Disabled",
		  AT(119), 4);
}

/* Word 128 */
#define SECURITY_SUPPORTED 0x001u
#define SECURITY_ENABLED   0x002u
#define SECURITY_LOCKED	   0x004u
#define SECURITY_FROZEN	   0x008u
#define SECURITY_EXPIRED   0x010u
#define SECURITY_MAXIMUM   0x100u

/* The states SEC1, SEC2, SEC4, SEC5 and SEC6 of ACS-4 4.18.3. */
static void add_security(struct page_sink *s, struct span page)
{
	uint16_t w = get(page, 128);
	char text[96];

	if (w == 0xffff || !(w & SECURITY_SUPPORTED)) {
		page_text(s, FACT_SECURITY, 0, 0, "Unavailable", AT(128), 2);
		return;
	}
	page_u64(s, FACT_SECURITY_WORD, 0, 0, w, AT(128), 2);
	if (!(w & SECURITY_ENABLED))
		(void)snprintf(text, sizeof(text), "Disabled, %s",
			       w & SECURITY_FROZEN ? "frozen [SEC2]"
						   : "NOT FROZEN [SEC1]");
	else
		(void)snprintf(text, sizeof(text), "ENABLED, PW level %s, %s%s",
			       w & SECURITY_MAXIMUM ? "MAX" : "HIGH",
			       w & SECURITY_LOCKED   ? "**LOCKED** [SEC4]"
			       : w & SECURITY_FROZEN ? "not locked, frozen [SEC6]"
						     : "not locked, not frozen [SEC5]",
			       w & SECURITY_EXPIRED ? ", PW ATTEMPTS EXCEEDED" : "");
	page_text(s, FACT_SECURITY, 0, 0, text, AT(128), 2);
	page_flag(s, FACT_SECURITY_ENABLED, 0, w & SECURITY_ENABLED, AT(128), 2);
	page_flag(s, FACT_SECURITY_LOCKED, 0,
		  (w & SECURITY_ENABLED) && (w & SECURITY_LOCKED), AT(128), 2);
	page_flag(s, FACT_SECURITY_FROZEN, 0, w & SECURITY_FROZEN, AT(128), 2);
}

void decode_identify(struct page_sink *s, struct span bytes, uint16_t page_number)
{
	struct span page;

	(void)page_number;
	if (!page_take_only(s, bytes, &page))
		return;
	/* word 255: A5h in the low byte says that the high one is a checksum, else there is none */
	s->trust = TRUST_UNCHECKED;
	if ((get(page, 255) & 0xff) == 0xa5)
		(void)page_trust(s, page);
	if (get(page, 0) >> 15)
		page_note(s, "word 0: %04Xh is no ATA disk", get(page, 0));
	add_who(s, page);
	add_sizes(s, page);
	add_build(s, page);
	add_link(s, page);
	add_smart(s, page);
	add_caches(s, page);
	add_security(s, page);
}
