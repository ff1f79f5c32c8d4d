/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of pages: what is read, from whom, and by whom it is understood. */
#include "ata/pages.h"

#include <errno.h>
#include <string.h>

#include "ata/command.h"
#include "ata/decoders.h"
#include "base/str.h"

/* --- when a drive has a page -------------------------------------------------------------------- */

static uint32_t always(const struct page_profile *p)
{
	(void)p;
	return 1;
}

static uint32_t with_smart(const struct page_profile *p)
{
	return p->smart_enabled;
}

/* Kept for captures of other programs: never asked for here. */
static uint32_t never(const struct page_profile *p)
{
	(void)p;
	return 0;
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Before the directory was read IDENTIFY DEVICE word 76 bit 10 tells it. */
static uint32_t phy(const struct page_profile *p)
{
	return p->gpl && (p->gpl_directory ? p->gpl_pages[0x11] > 0 : p->phy);
}

static uint32_t gpl(const struct page_profile *p)
{
	return p->gpl;
}

static uint32_t smart_logs(const struct page_profile *p)
{
	return p->smart_enabled && (p->error_logging || p->selftest || p->sct);
}

/*
 * All of these logs, up to 32 KiB: the newest entry may stand anywhere in the ring. Of a longer one
 * the part that is read is understood as far as it goes.
 */
#define RING_PAGES 64u

static uint32_t ext_errors(const struct page_profile *p)
{
	return least(p->gpl_pages[0x03], RING_PAGES);
}

static uint32_t ext_selftests(const struct page_profile *p)
{
	return least(p->gpl_pages[0x07], RING_PAGES);
}

/* The short logs tell less, and are read only where the long ones are not. */
static uint32_t errors(const struct page_profile *p)
{
	bool has = p->smart_directory ? p->smart_pages[0x01] : p->error_logging;

	return p->smart_enabled && has && !p->gpl_pages[0x03];
}

static uint32_t selftests(const struct page_profile *p)
{
	bool has = p->smart_directory ? p->smart_pages[0x06] : p->selftest;

	return p->smart_enabled && has && !p->gpl_pages[0x07];
}

static uint32_t selective(const struct page_profile *p)
{
	return p->smart_enabled && p->smart_pages[0x09];
}

/* Pages 00h to 07h; some drives have room for 256. */
#define STATISTICS_PAGES 8u

static uint32_t statistics(const struct page_profile *p)
{
	return least(p->gpl_pages[0x04], STATISTICS_PAGES);
}

static uint32_t smart_statistics(const struct page_profile *p)
{
	if (!p->smart_enabled || p->gpl_pages[0x04])
		return 0;
	return least(p->smart_pages[0x04], STATISTICS_PAGES);
}

/* The first page has the count and 31 addresses. */
static uint32_t defects(const struct page_profile *p)
{
	return p->gpl_pages[0x0c] > 0;
}

static uint32_t ncq_error(const struct page_profile *p)
{
	return p->gpl_pages[0x10] > 0;
}

/* Pages 00h to 08h (Serial ATA). */
static uint32_t identify_log(const struct page_profile *p)
{
	return least(p->gpl_pages[0x30], 9);
}

/* Six pages of 16 KiB; what it is shows in its first bytes. */
static uint32_t farm(const struct page_profile *p)
{
	return least(p->gpl_pages[0xa6], 192);
}

/* A locked drive aborts SCT, and some claim it in word 206 whose directory knows better. */
static uint32_t sct(const struct page_profile *p)
{
	bool has = !p->smart_directory || p->smart_pages[0xe0];

	return p->smart_enabled && p->sct && has && !p->locked;
}

static uint32_t sct_tables(const struct page_profile *p)
{
	return sct(p) && p->sct_tables;
}

static uint32_t sct_erc(const struct page_profile *p)
{
	return sct(p) && p->sct_erc;
}

/*
 * In the order of reading: who it is, then what a later command could disturb (the link's counters
 * count our own resets), then the directories that tell what else may be asked for. SCT commands
 * come last: they change what SCT status says.
 */
/* clang-format off */
const struct page ata_pages[] = {
	{ "ata/power-mode",       PAGE_POWER_MODE,       0x00, LEVEL_LINK,  always,        0, decode_power_mode },
	{ "ata/identify",         PAGE_IDENTIFY,         0x00, LEVEL_LINK,  always,        0, decode_identify },
	{ "ata/log/11",           PAGE_GPL,              0x11, LEVEL_LINK,  phy,           0, decode_phy_counters },
	{ "ata/smart/status",     PAGE_SMART_STATUS,     0x00, LEVEL_QUICK, with_smart,    0, decode_smart_status },
	{ "ata/smart/data",       PAGE_SMART_DATA,       0x00, LEVEL_QUICK, with_smart,    0, decode_smart_data },
	{ "ata/smart/thresholds", PAGE_SMART_THRESHOLDS, 0x00, LEVEL_QUICK, with_smart,    0, decode_smart_thresholds },
	{ "ata/log/00",           PAGE_GPL,              0x00, LEVEL_FULL,  gpl,           0, decode_gpl_directory },
	{ "ata/log/04",           PAGE_GPL,              0x04, LEVEL_FULL,  statistics,    0, decode_statistics },
	{ "ata/smart-log/00",     PAGE_SMART_LOG,        0x00, LEVEL_FULL,  smart_logs,    0, decode_smart_directory },
	{ "ata/log/03",           PAGE_GPL,              0x03, LEVEL_FULL,  ext_errors,    0, decode_ext_error_log },
	{ "ata/smart-log/01",     PAGE_SMART_LOG,        0x01, LEVEL_FULL,  errors,        0, decode_error_log },
	{ "ata/smart-log/02",     PAGE_SMART_LOG,        0x02, LEVEL_FULL,  never,         0, NULL },
	{ "ata/log/07",           PAGE_GPL,              0x07, LEVEL_FULL,  ext_selftests, 0, decode_ext_selftest_log },
	{ "ata/smart-log/06",     PAGE_SMART_LOG,        0x06, LEVEL_FULL,  selftests,     0, decode_selftest_log },
	{ "ata/smart-log/09",     PAGE_SMART_LOG,        0x09, LEVEL_FULL,  selective,     0, decode_selective_log },
	{ "ata/smart-log/04",     PAGE_SMART_LOG,        0x04, LEVEL_FULL,  smart_statistics, 0, decode_statistics },
	{ "ata/log/0c",           PAGE_GPL,              0x0c, LEVEL_FULL,  defects,       0, decode_pending_defects },
	{ "ata/log/10",           PAGE_GPL,              0x10, LEVEL_FULL,  ncq_error,     0, decode_ncq_error },
	{ "ata/log/30",           PAGE_GPL,              0x30, LEVEL_FULL,  identify_log,  0, decode_identify_log },
	{ "ata/smart-log/30",     PAGE_SMART_LOG,        0x30, LEVEL_FULL,  never,         0, decode_identify_log },
	{ "ata/smart-log/e0",     PAGE_SMART_LOG,        0xe0, LEVEL_FULL,  sct,           0, decode_sct_status },
	{ "ata/log/e0",           PAGE_GPL,              0xe0, LEVEL_FULL,  never,         0, decode_sct_status },
	{ "ata/sct/history",      PAGE_SCT_DATA,         0xe1, LEVEL_SCT,   sct_tables,    0, decode_sct_history },
	{ "ata/sct/erc-read",     PAGE_SCT_DATA,         0xe0, LEVEL_SCT,   sct_erc,       0, decode_erc_read },
	{ "ata/sct/erc-write",    PAGE_SCT_DATA,         0xe0, LEVEL_SCT,   sct_erc,       0, decode_erc_write },
	{ "ata/log/a6",           PAGE_GPL,              0xa6, LEVEL_FARM,  farm,          0, decode_farm },
	{ NULL, PAGE_IDENTIFY, 0, LEVEL_LINK, NULL, 0, NULL },
};
/* clang-format on */

/* --- items --------------------------------------------------------------------------------------- */

/* "ata/log/11/00": the page behind the row's name, which only General Purpose logs have. */
static bool matches(const struct page *row, const char *id, uint16_t *ret_page)
{
	const char *rest = str_after(id, row->item);
	uint64_t page;

	if (!rest)
		return false;
	if (row->source != PAGE_GPL)
		return !*rest;
	if (*rest++ != '/' || strlen(rest) < 2 || str_take_u64(&rest, 16, &page) < 0 ||
	    *rest || page > UINT16_MAX)
		return false;
	*ret_page = (uint16_t)page;
	return true;
}

const struct page *page_find(const char *id, uint16_t *ret_page)
{
	uint16_t page = 0;

	for (const struct page *row = ata_pages; row->item; row++) {
		if (!matches(row, id, &page))
			continue;
		*ret_page = page;
		return row;
	}
	return NULL;
}

static bool has_bytes(const struct page *row)
{
	return row->source != PAGE_SMART_STATUS && row->source != PAGE_POWER_MODE;
}

int ata_decode_item(struct page_sink *s, const char *id, struct span bytes,
		    const struct ata_registers *registers)
{
	uint16_t page = 0;
	const struct page *row = page_find(id, &page);

	if (!row)
		return -ENOENT;
	s->item = id;
	s->error = 0;
	s->trust = TRUST_UNCHECKED;
	s->registers = registers;
	if (has_bytes(row) && bytes.len > PAGE_BYTES && bytes.len % PAGE_BYTES)
		page_note(s, "%zu bytes: not a number of whole pages", bytes.len);
	if (row->decode)
		row->decode(s, bytes, page);
	return s->error;
}
