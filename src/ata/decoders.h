/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside ata/: the decoders that stand in ata_pages[], and what they share. */
#pragma once

#include "ata/pages.h"

#define PAGE_BYTES 512u

/*
 * Page N of an item. False, with a note, when it is not all there, or nothing but 00h or FFh:
 * that is what bridges and dead electronics return, and both would pass the checksum.
 */
bool page_take(struct page_sink *s, struct span bytes, size_t n, struct span *ret);
/* Same, for an item that is one page: what stands behind it is noted. */
bool page_take_only(struct page_sink *s, struct span bytes, struct span *ret);
/* Decodes one page, NUMBER in its log, which stands AT bytes in the item. */
typedef void page_decoder(struct page_sink *s, struct span page, uint32_t number,
			  uint32_t at);
/*
 * All pages of an item of a log whose pages have a head of their own (device statistics, IDENTIFY
 * DEVICE data), the first being FIRST. They have no checksum, so their trust is unchecked.
 */
void page_decode_each(struct page_sink *s, struct span bytes, uint32_t first,
		      page_decoder *decode);
/* Set s->trust by the checksum; a wrong one is noted. Returns whether it is right. */
bool page_trust(struct page_sink *s, struct span page);
/* The same for a run of pages: trust is that of the first one, a single note tells of all. */
void page_trust_pages(struct page_sink *s, struct span bytes);
bool page_is_filled(struct span s, uint8_t value);
/* How many whole pages BYTES holds. */
size_t page_count(struct span bytes);

/*
 * Text of LEN bytes at OFFSET of PAGE, pairs of bytes swapped as in IDENTIFY DEVICE data (ACS-4
 * 3.3.10), spaces and NULs at both ends taken off. RET holds LEN + 1 bytes; false when empty.
 */
bool page_string(struct span page, size_t offset, size_t len, char *ret);

/* The registers of a command that ended without error; NULL, with a note, when there are none. */
const struct ata_registers *page_registers(struct page_sink *s);

/* Codes that IDENTIFY DEVICE data and the log of the same name share. */
const char *identify_form_factor(unsigned code); /* NULL when it is none */
bool identify_rotation(uint16_t word, uint64_t *ret_rpm);
uint64_t identify_speed_mbps(unsigned generation); /* 0 when it is none */

void decode_identify(struct page_sink *s, struct span bytes, uint16_t page);
void decode_smart_data(struct page_sink *s, struct span bytes, uint16_t page);
void decode_smart_thresholds(struct page_sink *s, struct span bytes, uint16_t page);
void decode_smart_status(struct page_sink *s, struct span bytes, uint16_t page);
void decode_power_mode(struct page_sink *s, struct span bytes, uint16_t page);
void decode_phy_counters(struct page_sink *s, struct span bytes, uint16_t page);
void decode_gpl_directory(struct page_sink *s, struct span bytes, uint16_t page);
void decode_smart_directory(struct page_sink *s, struct span bytes, uint16_t page);
void decode_error_log(struct page_sink *s, struct span bytes, uint16_t page);
void decode_ext_error_log(struct page_sink *s, struct span bytes, uint16_t page);
void decode_selftest_log(struct page_sink *s, struct span bytes, uint16_t page);
void decode_ext_selftest_log(struct page_sink *s, struct span bytes, uint16_t page);
void decode_selective_log(struct page_sink *s, struct span bytes, uint16_t page);
void decode_statistics(struct page_sink *s, struct span bytes, uint16_t page);
void decode_pending_defects(struct page_sink *s, struct span bytes, uint16_t page);
void decode_ncq_error(struct page_sink *s, struct span bytes, uint16_t page);
void decode_identify_log(struct page_sink *s, struct span bytes, uint16_t page);
void decode_farm(struct page_sink *s, struct span bytes, uint16_t page);
void decode_sct_status(struct page_sink *s, struct span bytes, uint16_t page);
void decode_sct_history(struct page_sink *s, struct span bytes, uint16_t page);
void decode_erc_read(struct page_sink *s, struct span bytes, uint16_t page);
void decode_erc_write(struct page_sink *s, struct span bytes, uint16_t page);
