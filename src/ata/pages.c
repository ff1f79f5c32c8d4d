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

/* Before the directory was read IDENTIFY DEVICE word 76 bit 10 tells it. */
static uint32_t phy(const struct page_profile *p)
{
	return p->gpl && (p->gpl_directory ? p->gpl_pages[0x11] > 0 : p->phy);
}

/*
 * In the order of reading: who it is, then what a later command could disturb (the link's counters
 * count our own resets), then the directories that tell what else may be asked for.
 */
/* clang-format off */
const struct page ata_pages[] = {
	{ "ata/power-mode",       PAGE_POWER_MODE,       0x00, LEVEL_LINK,  always,     0, decode_power_mode },
	{ "ata/identify",         PAGE_IDENTIFY,         0x00, LEVEL_LINK,  always,     0, decode_identify },
	{ "ata/log/11",           PAGE_GPL,              0x11, LEVEL_LINK,  phy,        0, decode_phy_counters },
	{ "ata/smart/status",     PAGE_SMART_STATUS,     0x00, LEVEL_QUICK, with_smart, 0, decode_smart_status },
	{ "ata/smart/data",       PAGE_SMART_DATA,       0x00, LEVEL_QUICK, with_smart, 0, decode_smart_data },
	{ "ata/smart/thresholds", PAGE_SMART_THRESHOLDS, 0x00, LEVEL_QUICK, with_smart, 0, decode_smart_thresholds },
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
	if (has_bytes(row) && bytes.len % PAGE_BYTES)
		page_note(s, "%zu bytes: not a number of whole pages", bytes.len);
	if (row->decode)
		row->decode(s, bytes, page);
	return s->error;
}
