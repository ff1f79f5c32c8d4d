/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside history/ only: what is told of a change, in words. All texts land in the report's arena. */
#pragma once

#include "history/changes.h"
#include "history/sql.h"

/* "sda: TESTDISK 4TB, serial TEST0000001, on ata1" */
const char *sentence_head(struct history *h, struct arena *a, const struct who *w);
/* The same of one that is not there. */
const char *sentence_past_head(struct history *h, struct arena *a,
			       const struct past_drive *p);
/*
 * "link errors since yesterday 03:00: CRC errors +37 (now 52), 001h +37 (now 39); 0.6 per GiB
 * read". NULL when no count of this family rose, or what rose is ignored.
 */
const char *sentence_rise(struct history *h, struct arena *a,
			  const struct check_rules *rules, const struct check_input *in,
			  enum kept_family family, bool *ret_grew);
const char *sentence_text(struct history *h, struct arena *a, const char *format, ...)
	printf_like(3, 4);
/* "yesterday 03:00" */
const char *sentence_when(struct history *h, struct arena *a, int64_t at);
/* " since yesterday 03:00", "" when it is not known. */
const char *sentence_since(struct history *h, struct arena *a, int64_t at);

bool changes_is_ignored(const struct check_rules *rules, const struct who *w,
			bool has_code, enum code code, enum fact_id fact);
