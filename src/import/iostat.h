/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of iostat, from its text or its JSON. */
#pragma once

#include "import/posted.h"
#include "import/words.h"

#define IOSTAT_SECTION "iostat"
#define IOSTAT_COLUMNS 40u
#define IOSTAT_TABLES  200u
#define IOSTAT_TRIES   32u /* of documents that are damaged */

struct iostat {
	struct import *im;
	struct emit e;
	uint32_t tables, rows, empty, tries;
	uint32_t report[2]; /* of this start: of the devices, of the processors */
};

struct iostat_row {
	char name[64];
	size_t n;
	struct word text[IOSTAT_COLUMNS];
	int64_t micro[IOSTAT_COLUMNS];
};

/* A column that only iostat without -x has: "kB_read", "MB_wrtn/s". */
bool iostat_is_plain(const char *column);
/* WHAT is "iostat -x" and its like; REPORT counts from 1 within one start. */
void iostat_title(struct iostat *o, const char *what, uint32_t report, size_t line);
void iostat_column(struct iostat *o, uint32_t j, const char *name, size_t line);
/* False when the item is full. */
bool iostat_row(struct iostat *o, const struct iostat_row *row, size_t line);
/* iostat-json.c: the document that starts at INDEX, if it is iostat's; the line behind it. */
size_t iostat_read_json(struct iostat *o, size_t index);
