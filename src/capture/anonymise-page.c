/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where pages of bytes hold serial numbers and WWNs. */
#include <string.h>

#include "base/str.h"
#include "capture/anonymise-private.h"

#define PAGE_BYTES 512u

/*
 * IDENTIFY DEVICE data (ACS-4 7.13.6): serial number in words 10-19, WWN in words 108-111, current
 * media serial number in words 176-205.
 */
static void walk_identify(struct anonymiser *a, uint8_t *page)
{
	uint8_t *wwn = page + 2 * 108;

	anonymise_ata_string(a, page + 2 * 10, 20);
	anonymise_ata_string(a, page + 2 * 176, 60);
	anonymise_swap_pairs(wwn, 8);
	anonymise_wwn(a, wwn);
	anonymise_swap_pairs(wwn, 8);
}

/* The IDENTIFY DEVICE data log (ACS-4 9.11): page 01h is a copy, 05h (ATA Strings) has the serial. */
static void walk_identify_log(struct anonymiser *a, uint64_t number, uint8_t *page)
{
	if (number == 1)
		walk_identify(a, page);
	else if (number == 5)
		anonymise_ata_string(a, page + 8, 20);
}

/* Page number in an id as ata/log/30/05, for the first of the pages in the item's body. */
static bool identify_log_page(const char *id, uint64_t *ret)
{
	const char *rest = str_after(id, "ata/log/30/");

	if (str_equal(id, "ata/smart-log/30")) {
		*ret = 0;
		return true;
	}
	return rest && str_take_u64(&rest, 16, ret) == 0 && !*rest;
}

/*
 * FARM, log A6h of Seagate drives, as its maker publishes it (farm_log.h of openSeaChest): fields of
 * 8 bytes, the highest of flags. In page 1, of 16 KiB, fields 2 to 5 are the serial number and the
 * WWN, cut into pieces that nobody else writes so: they are emptied.
 */
#define FARM_DRIVE  16384u
#define FARM_FIELD  8u
#define FARM_FIRST  2u
#define FARM_BEHIND 6u

static void walk_farm(uint8_t *bytes, size_t len)
{
	for (size_t i = FARM_FIRST; i < FARM_BEHIND; i++) {
		size_t at = FARM_DRIVE + FARM_FIELD * i;

		if (at + FARM_FIELD <= len)
			memset(bytes + at, 0, FARM_FIELD - 1);
	}
}

/* The kernel's copies of SCSI VPD pages (SPC-5 7.7): 4 bytes of header, then LEN bytes. */
static size_t vpd_len(const uint8_t *bytes, size_t len, uint8_t number)
{
	size_t n = len >= 4 ? (size_t)bytes[2] << 8 | bytes[3] : 0;

	if (len < 4 || bytes[1] != number)
		return 0;
	return n < len - 4 ? n : len - 4;
}

static void walk_unit_serial(struct anonymiser *a, uint8_t *bytes, size_t len)
{
	anonymise_text(a, SECRET_SERIAL, bytes + 4, vpd_len(bytes, len, 0x80));
}

/* SAT-4 12.4.3.2: for ATA drives a T10 designator is 8 bytes vendor, 40 model, 20 serial. */
static void walk_designator(struct anonymiser *a, unsigned type, uint8_t *bytes,
			    size_t len)
{
	if (type == 0)
		anonymise_text(a, SECRET_SERIAL, bytes, len);
	else if (type == 1 && len == 68)
		anonymise_text(a, SECRET_SERIAL, bytes + 48, 20);
	else if (type == 3 && len == 8)
		anonymise_wwn(a, bytes);
}

static void walk_designators(struct anonymiser *a, uint8_t *bytes, size_t len)
{
	size_t end = 4 + vpd_len(bytes, len, 0x83), at = 4, n;

	for (; at + 4 <= end && end <= len; at += 4 + n) {
		n = bytes[at + 3];
		if (n > end - at - 4)
			return;
		walk_designator(a, bytes[at + 1] & 15, bytes + at + 4, n);
	}
}

#define VPD_IDENTIFY 60u /* where IDENTIFY DEVICE data begin in page 89h, SAT-4 12.4.2 */

static void walk_ata_information(struct anonymiser *a, uint8_t *bytes, size_t len)
{
	if (vpd_len(bytes, len, 0x89) >= VPD_IDENTIFY - 4 + PAGE_BYTES)
		walk_identify(a, bytes + VPD_IDENTIFY);
}

/* A sysfs file with the serial number alone. */
static void walk_serial(struct anonymiser *a, uint8_t *bytes, size_t len)
{
	while (len && bytes[len - 1] == '\n')
		len--;
	anonymise_text(a, SECRET_SERIAL, bytes, len);
}

/* sysfs: "naa." is found like all text; "t10." is followed by 8 bytes vendor, 40 model, 20 serial. */
static void walk_wwid(struct anonymiser *a, uint8_t *bytes, size_t len)
{
	if (len >= 4 + 68 && memcmp(bytes, "t10.", 4) == 0)
		anonymise_text(a, SECRET_SERIAL, bytes + 4 + 48, 20);
}

/* The kernel's attribute "id": 256 words as four hex digits each. */
static int hex_digit(uint8_t c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool take_word(const uint8_t *text, size_t len, size_t *at, uint8_t word[2])
{
	unsigned value = 0;

	while (*at < len && (text[*at] == ' ' || text[*at] == '\n'))
		++*at;
	for (size_t i = 0; i < 4; i++) {
		int digit = *at + i < len ? hex_digit(text[*at + i]) : -1;

		if (digit < 0)
			return false;
		value = value << 4 | (unsigned)digit;
	}
	*at += 4;
	word[0] = (uint8_t)value;
	word[1] = (uint8_t)(value >> 8);
	return *at == len || text[*at] == ' ' || text[*at] == '\n';
}

static void mend(uint8_t *page)
{
	unsigned sum = 0;

	for (size_t i = 0; i < PAGE_BYTES - 1; i++)
		sum += page[i];
	page[PAGE_BYTES - 1] = (uint8_t)(0 - sum);
}

static bool is_right(const uint8_t *page)
{
	unsigned sum = 0;

	for (size_t i = 0; i < PAGE_BYTES; i++)
		sum += page[i];
	return sum % 256 == 0;
}

/* Word 255: a signature A5h says that the checksum above it counts. */
static bool has_signature(const uint8_t *page)
{
	return page[PAGE_BYTES - 2] == 0xa5;
}

static void walk_words(struct anonymiser *a, uint8_t *text, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	uint8_t page[PAGE_BYTES];
	size_t places[PAGE_BYTES / 2], at = 0;
	bool right;

	for (size_t i = 0; i < PAGE_BYTES / 2; i++) {
		if (!take_word(text, len, &at, page + 2 * i))
			return;
		places[i] = at - 4;
	}
	right = has_signature(page) && is_right(page);
	walk_identify(a, page);
	if (right)
		mend(page);
	for (size_t i = 0; i < PAGE_BYTES / 2; i++) {
		uint8_t *word = text + places[i];

		word[0] = (uint8_t)digits[page[2 * i + 1] >> 4];
		word[1] = (uint8_t)digits[page[2 * i + 1] & 15];
		word[2] = (uint8_t)digits[page[2 * i] >> 4];
		word[3] = (uint8_t)digits[page[2 * i] & 15];
	}
}

void anonymise_page(struct anonymiser *a, const char *id, uint8_t *bytes, size_t len)
{
	static const struct {
		const char *end; /* of the id */
		void (*walk)(struct anonymiser *a, uint8_t *bytes, size_t len);
	} rows[] = {
		{ "vpd_pg80", walk_unit_serial },     { "vpd_pg83", walk_designators },
		{ "vpd_pg89", walk_ata_information }, { "/id", walk_words },
		{ "/serial", walk_serial },	      { "/wwid", walk_wwid },
	};
	uint64_t number = 0;

	if (str_equal(id, "ata/identify") && len >= PAGE_BYTES)
		walk_identify(a, bytes);
	if (str_equal(id, "ata/log/a6/00"))
		walk_farm(bytes, len);
	if (identify_log_page(id, &number))
		for (size_t at = 0; len - at >= PAGE_BYTES; at += PAGE_BYTES)
			walk_identify_log(a, number++, bytes + at);
	for (size_t i = 0; i < array_size(rows); i++)
		if (str_ends(id, rows[i].end))
			rows[i].walk(a, bytes, len);
}

/* Whether the page at AT of the item ends in a checksum, which for log 30h only the copy may do. */
static bool has_checksum(const char *id, size_t at, const uint8_t *page)
{
	uint64_t number = 0;

	if (str_equal(id, "ata/identify") || str_ends(id, "vpd_pg89"))
		return has_signature(page);
	if (identify_log_page(id, &number))
		return number + at / PAGE_BYTES == 1 && has_signature(page);
	return str_starts(id, "ata/");
}

void anonymise_bytes(struct anonymiser *a, const char *id, struct span original,
		     uint8_t *bytes)
{
	size_t len = original.len, at = str_ends(id, "vpd_pg89") ? VPD_IDENTIFY : 0;

	secrets_replace_words(&a->secrets, bytes, len);
	secrets_replace_wwns(&a->secrets, bytes, len);
	anonymise_swap_pairs(bytes, len);
	secrets_replace_words(&a->secrets, bytes, len);
	secrets_replace_wwns(&a->secrets, bytes, len);
	anonymise_swap_pairs(bytes, len);
	for (; at + PAGE_BYTES <= len; at += PAGE_BYTES) {
		const uint8_t *page = original.data + at;

		if (memcmp(page, bytes + at, PAGE_BYTES) != 0 &&
		    has_checksum(id, at, page) && is_right(page))
			mend(bytes + at);
	}
}
