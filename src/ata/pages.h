/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pages of a drive: what they are called in a capture, where they are read, when the drive has
 * them, and how they become facts. One row here makes a page be read, decoded and shown.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attrs.h"
#include "base/span.h"
#include "model/fact.h"

struct ata_registers;

/*
 * Where a decoder puts its facts. add() copies; it returns 0 or -ENOMEM, which sticks in error.
 * note() takes what was unusual: a wrong checksum, a value that is none, a page too short.
 */
struct page_sink {
	int (*add)(void *context, struct fact f);
	void (*note)(void *context, const char *text);
	void *context;
	const char *item; /* "ata/log/11/00": the origin of all facts */
	enum fact_trust
		trust; /* set by the decoders: TRUST_BYTES when a checksum is right */
	int error;

	/* What else of the same reading a decoder may need. All may be left out. */
	const struct ata_registers *registers; /* set by ata_decode_item() */
	struct span smart_data; /* ata/smart/data, for the states of its attributes */
	uint32_t log_pages;	/* pages of the whole log by the directory; 0: unknown */
	uint64_t sectors;	/* logical sectors of the drive; 0: unknown */
};

void page_u64(struct page_sink *s, enum fact_id id, uint32_t i, uint32_t j,
	      uint64_t value, uint32_t offset, uint32_t width);
void page_s64(struct page_sink *s, enum fact_id id, uint32_t i, uint32_t j, int64_t value,
	      uint32_t offset, uint32_t width);
void page_flag(struct page_sink *s, enum fact_id id, uint32_t i, bool value,
	       uint32_t offset, uint32_t width);
void page_text(struct page_sink *s, enum fact_id id, uint32_t i, uint32_t j,
	       const char *text, uint32_t offset, uint32_t width);
void page_note(struct page_sink *s, const char *format, ...) printf_like(2, 3);

/* Sum of all 512 bytes is 0 modulo 256 (ACS-4 9.1 and the pages' own clauses). */
bool page_checksum_ok(struct span sector);

enum page_source {
	PAGE_IDENTIFY,
	PAGE_SMART_DATA,
	PAGE_SMART_THRESHOLDS,
	PAGE_SMART_STATUS, /* no bytes: registers only */
	PAGE_POWER_MODE,   /* no bytes: registers only */
	PAGE_GPL,	   /* READ LOG (DMA) EXT */
	PAGE_SMART_LOG,	   /* SMART READ LOG */
	PAGE_SCT_DATA,	   /* written key sector, then log E1h */
};

/* What IDENTIFY and the directories say that a drive has; filled by page_profile_... */
struct page_profile {
	bool smart, smart_enabled, gpl, log_dma, sata, phy, sct, sct_erc, sct_tables,
		locked;
	bool error_logging, selftest, extended48;
	uint32_t gpl_pages[256]; /* 0: no such log */
	uint32_t smart_pages[256];
	bool gpl_directory, smart_directory; /* they were read */
};

/* How much is asked for; each level holds the ones before it. */
enum page_level { LEVEL_LINK, LEVEL_QUICK, LEVEL_FULL, LEVEL_SCT, LEVEL_FARM };

/*
 * Items. A General Purpose log is "ata/log/AA", and what was read of it the item "ata/log/AA/PP":
 * a run of consecutive pages of 512 bytes beginning with page PP, both in hex, however many
 * commands fetched them. So a log whose entries form a ring over all its pages (03h, 07h) is one
 * item. A SMART log is "ata/smart-log/AA", always from its first page. What has no bytes
 * (ata/smart/status, ata/power-mode, ata/sct/erc-...) is told by the registers.
 */
struct page {
	const char *item; /* without the page number of a General Purpose log */
	enum page_source source;
	uint8_t address;
	enum page_level level;
	/* Pages to read now, given what is known; 0: the drive does not have it. */
	uint32_t (*pages)(const struct page_profile *p);
	uint16_t first; /* first page to read */
	/* PAGE is the number of the first one in BYTES; NULL: read, and kept as it is. */
	void (*decode)(struct page_sink *s, struct span bytes, uint16_t page);
};

extern const struct page ata_pages[]; /* in the order of reading; item NULL ends it */

/* Profile from the pages that tell it; call with each page as it is read, or from a capture. */
void page_profile_identify(struct page_profile *p, struct span identify);
void page_profile_directory(struct page_profile *p, struct span directory, bool gpl);

/* Logical sectors by IDENTIFY DEVICE data, 0 when they do not tell. */
uint64_t page_identify_sectors(struct span identify);

/* The row of an item id, and the page it begins with; NULL when no row has it. */
const struct page *page_find(const char *id, uint16_t *ret_page);

/*
 * Decode one capture item: finds its row by id ("ata/log/04/06" is page 6 of row "ata/log/04").
 * REGISTERS for the items without bytes, NULL when not known. 0; -ENOENT for an id that no row has;
 * -ENOMEM. Whatever the bytes are, they give facts or notes, never an error.
 */
int ata_decode_item(struct page_sink *s, const char *id, struct span bytes,
		    const struct ata_registers *registers) must_check;
