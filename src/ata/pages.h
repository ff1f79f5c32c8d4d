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

/*
 * Where a decoder puts its facts. add() copies; it returns 0 or -ENOMEM, which sticks in error.
 * note() takes what was unusual: a wrong checksum, a value that is none, a page too short.
 */
struct page_sink {
	int (*add)(void *context, struct fact f);
	void (*note)(void *context, const char *text);
	void *context;
	const char *item;      /* "ata/log/11/00": the origin of all facts */
	enum fact_trust trust; /* TRUST_BYTES when the page's checksum is right */
	int error;
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

struct page {
	const char *
		item; /* capture item id; multi-page reads of a GPL log make one item a page */
	enum page_source source;
	uint8_t address;
	enum page_level level;
	/* Pages to read now, given what is known; 0: the drive does not have it. */
	uint32_t (*pages)(const struct page_profile *p);
	/* First page of the read (device statistics and the IDENTIFY log are read from their list). */
	uint16_t first;
	void (*decode)(struct page_sink *s, struct span bytes, uint16_t page);
};

extern const struct page ata_pages[]; /* in the order of reading; item NULL ends it */

/* Profile from the pages that tell it; call with each page as it is read, or from a capture. */
void page_profile_identify(struct page_profile *p, struct span identify);
void page_profile_directory(struct page_profile *p, struct span directory, bool gpl);

/*
 * Decode one capture item: finds its row by id ("ata/log/04/06" is page 6 of row "ata/log/04").
 * REGISTERS for the items without bytes. 0; -ENOENT for an id that no row has; -ENOMEM.
 */
struct ata_registers;
int ata_decode_item(struct page_sink *s, const char *id, struct span bytes,
		    const struct ata_registers *registers) must_check;
