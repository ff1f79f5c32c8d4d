/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * IDENTIFY DEVICE data by word, ACS-4 7.13.6. A group of words counts only when it says that it
 * is there: bits 15:14 of words 83, 84, 87, 106, 119, 120 and 209 read 01b, and no word that is
 * 0000h or FFFFh reports anything.
 */
#pragma once

#include "ata/wire.h"
#include "base/span.h"

struct identify_data {
	le16_t words[256];
};

_Static_assert(sizeof(struct identify_data) == 512, "ACS-4 7.13.6: 256 words");

static inline uint16_t identify_word(struct span page, unsigned n)
{
	return le16_get(((const struct identify_data *)page.data)->words[n]);
}

static inline bool identify_is_reported(struct span page, unsigned n)
{
	uint16_t w = identify_word(page, n);

	return w != 0x0000 && w != 0xffff;
}

/* Bits 15:14 = 01b */
static inline bool identify_is_valid(struct span page, unsigned n)
{
	return identify_word(page, n) >> 14 == 1;
}

/* Words 82 to 84 say what is supported, 85 to 87 what is enabled. */
static inline bool identify_supports(struct span page, unsigned n, unsigned bit)
{
	return identify_is_valid(page, n == 84 ? 84 : 83) &&
	       (identify_word(page, n) >> bit & 1);
}

static inline bool identify_enabled(struct span page, unsigned n, unsigned bit)
{
	return identify_is_valid(page, 87) && (identify_word(page, n) >> bit & 1);
}

/* Serial ATA capabilities: bit 0 is 0 by definition (Serial ATA 3.x, 13.2.1). */
static inline bool identify_is_sata(struct span page)
{
	return identify_is_reported(page, 76) && !(identify_word(page, 76) & 1);
}
