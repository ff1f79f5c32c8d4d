/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NCQ Command Error, General Purpose log 10h (ACS-4 9.14). The kernel reads it after each error of a
 * queued command, so what stands here is the last one at best: often long ago, or nothing.
 */
#include <stddef.h>
#include <stdio.h>

#include "ata/command.h"
#include "ata/decoders.h"
#include "ata/wire.h"

struct ncq_error_log {
	uint8_t tag; /* bit 7: no queued command; bit 6: an unload; bits 4:0 the tag */
	uint8_t reserved_1;
	uint8_t status, error;
	uint8_t lba_low[3], device;
	uint8_t lba_high[3], reserved_11;
	le16_t count;
	uint8_t sense_key, sense_code, sense_qualifier;
	uint8_t final_lba[6];
	uint8_t reserved_23[233];
	uint8_t vendor[255];
	uint8_t checksum;
};

_Static_assert(offsetof(struct ncq_error_log, lba_high) == 8, "ACS-4 table 226");
_Static_assert(offsetof(struct ncq_error_log, sense_key) == 14, "ACS-4 table 226");
_Static_assert(offsetof(struct ncq_error_log, vendor) == 256, "ACS-4 table 226");
_Static_assert(sizeof(struct ncq_error_log) == 512, "ACS-4 table 226");

#define AT(member) ((uint32_t)offsetof(struct ncq_error_log, member))

#define NOT_QUEUED 0x80u
#define UNLOAD	   0x40u
#define TAG	   0x1fu

static void add_sense(struct page_sink *s, const struct ncq_error_log *log)
{
	char text[16];

	if (!log->sense_key && !log->sense_code && !log->sense_qualifier)
		return;
	(void)snprintf(text, sizeof(text), "%x/%02x/%02x", log->sense_key & 15u,
		       log->sense_code, log->sense_qualifier);
	page_text(s, FACT_NCQ_SENSE, 0, 0, text, AT(sense_key), 3);
}

static void add_error(struct page_sink *s, const struct ncq_error_log *log)
{
	if (!(log->tag & NOT_QUEUED))
		page_u64(s, FACT_NCQ_TAG, 0, 0, log->tag & TAG, 0, 1);
	page_u64(s, FACT_NCQ_STATUS, 0, 0, log->status, AT(status), 1);
	page_u64(s, FACT_NCQ_ERROR, 0, 0, log->error, AT(error), 1);
	page_u64(s, FACT_NCQ_COUNT, 0, 0, le16_get(log->count), AT(count), 2);
	page_u64(s, FACT_NCQ_DEVICE, 0, 0, log->device, AT(device), 1);
	/* after an unload LBA 7:0 holds its outcome */
	if (!(log->tag & UNLOAD))
		page_u64(s, FACT_NCQ_LBA, 0, 0,
			 le_get(log->lba_low, 3) | le_get(log->lba_high, 3) << 24,
			 AT(lba_low), 7);
	add_sense(s, log);
}

void decode_ncq_error(struct page_sink *s, struct span bytes, uint16_t page_number)
{
	const struct ncq_error_log *log;
	struct span page;

	if (page_number) {
		page_note(s, "this log has one page only");
		return;
	}
	if (!page_take_only(s, bytes, &page))
		return;
	(void)page_trust(s, page);
	log = (const struct ncq_error_log *)page.data;
	if (log->status & (ATA_STATUS_ERR | ATA_STATUS_DF))
		add_error(s, log);
}
