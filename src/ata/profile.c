/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a drive has, by IDENTIFY DEVICE data and its log directories. */
#include "ata/decoders.h"
#include "ata/identify-words.h"

/* Supported and, where a word tells it, enabled too. */
static bool has(struct span page, unsigned word, unsigned bit)
{
	return identify_supports(page, word, bit) &&
	       (!identify_is_valid(page, 87) ||
		(identify_word(page, word + 3) >> bit & 1));
}

static bool sct_has(struct span page, unsigned bit)
{
	return identify_is_reported(page, 206) && (identify_word(page, 206) & 1) &&
	       (identify_word(page, 206) >> bit & 1);
}

static bool has_bit_of_119(struct span page, unsigned bit)
{
	return identify_enabled(page, 86, 15) && identify_is_valid(page, 119) &&
	       identify_is_valid(page, 120) && (identify_word(page, 119) >> bit & 1) &&
	       (identify_word(page, 120) >> bit & 1);
}

void page_profile_identify(struct page_profile *p, struct span identify)
{
	struct span page;

	if (!span_cut(identify, 0, PAGE_BYTES, &page) || page_is_filled(page, 0) ||
	    page_is_filled(page, 0xff))
		return;
	p->smart = identify_supports(page, 82, 0);
	p->smart_enabled = p->smart && identify_enabled(page, 85, 0);
	p->error_logging = has(page, 84, 0);
	p->selftest = has(page, 84, 1);
	p->gpl = has(page, 84, 5);
	p->extended48 = identify_supports(page, 83, 10);
	p->log_dma = p->gpl && has_bit_of_119(page, 3);
	p->sata = identify_is_sata(page);
	p->phy = p->sata && (identify_word(page, 76) & 1u << 10);
	p->sct = sct_has(page, 0);
	p->sct_erc = sct_has(page, 3);
	p->sct_tables = sct_has(page, 5);
	p->locked =
		identify_word(page, 128) != 0xffff && (identify_word(page, 128) & 7) == 7;
}

/*
 * ACS-4 9.2: word 0 is the version 0001h, word n the pages of log n. A SMART directory without that
 * version tells sizes too, of logs that are read page by page (ATA/ATAPI-5 8.41.6.8.1).
 */
void page_profile_directory(struct page_profile *p, struct span directory, bool gpl)
{
	uint32_t *pages = gpl ? p->gpl_pages : p->smart_pages;
	struct span page;

	if (!span_cut(directory, 0, PAGE_BYTES, &page) || page_is_filled(page, 0xff) ||
	    (gpl && le_get(page.data, 2) != 1))
		return;
	for (unsigned i = 1; i < 256; i++)
		pages[i] = (uint32_t)le_get(page.data + 2 * i, gpl ? 2 : 1);
	if (gpl)
		p->gpl_directory = true;
	else
		p->smart_directory = true;
}
