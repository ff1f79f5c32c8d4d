/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Selective self-test log, SMART log 09h (ATA8-ACS A.10). */
#include <stddef.h>
#include <stdio.h>

#include "ata/decoders.h"
#include "ata/wire.h"

#define SPANS 5u

struct selective_span {
	le64_t first, last;
};

struct selective_log {
	le16_t version;
	struct selective_span spans[SPANS];
	uint8_t reserved[256];
	uint8_t vendor[154];
	le64_t current_lba;
	le16_t current_span; /* 1 to 5; 0: none; above: the rest of the disk */
	le16_t flags;
	uint8_t vendor_504[4];
	le16_t pending_minutes;
	uint8_t reserved_510;
	uint8_t checksum;
};

_Static_assert(offsetof(struct selective_log, current_lba) == 492, "ATA8-ACS table A.14");
_Static_assert(offsetof(struct selective_log, flags) == 502, "ATA8-ACS table A.14");
_Static_assert(offsetof(struct selective_log, pending_minutes) == 508,
	       "ATA8-ACS table A.14");
_Static_assert(sizeof(struct selective_log) == 512, "ATA8-ACS table A.14");

#define AT(member)     ((uint32_t)offsetof(struct selective_log, member))

#define DATA_STATUS_AT 363u /* self-test execution status of SMART READ DATA */

/* Bits 7:4 of the self-test execution status, ATA8-ACS table 64. */
static const char *status_name(unsigned code)
{
	static const char *const names[] = {
		"Completed",
		"Aborted_by_host",
		"Interrupted",
		"Fatal_error",
		"Completed_unknown_failure",
		"Completed_electrical_failure",
		"Completed_servo/seek_failure",
		"Completed_read_failure",
		"Completed_handling_damage??",
	};

	if (code < array_size(names))
		return names[code];
	return code == 15 ? "Self_test_in_progress" : "Unknown_status";
}

/* How the test of the current span stands is told by SMART READ DATA: 65,536 sectors at a time. */
static void add_current(struct page_sink *s, const struct selective_log *log,
			uint32_t span)
{
	uint64_t lba = le64_get(log->current_lba);
	unsigned status;
	char text[128];

	if (s->smart_data.len <= DATA_STATUS_AT)
		return;
	status = s->smart_data.data[DATA_STATUS_AT];
	(void)snprintf(text, sizeof(text), "%s [%u0%% left] (%llu-%llu)",
		       status_name(status >> 4), status & 15u, (unsigned long long)lba,
		       (unsigned long long)(lba + 65535));
	page_text(s, FACT_SELECTIVE_STATUS, span, 0, text, AT(current_lba), 10);
	page_u64(s, FACT_SELECTIVE_LBA, 0, 0, lba, AT(current_lba), 8);
}

void decode_selective_log(struct page_sink *s, struct span bytes, uint16_t page_number)
{
	const struct selective_log *log;
	struct span page;

	(void)page_number;
	if (!page_take_only(s, bytes, &page))
		return;
	(void)page_trust(s, page);
	log = (const struct selective_log *)page.data;
	if (le16_get(log->version) != 1) {
		page_note(s, "version %u: no selective self-test was ever run",
			  le16_get(log->version));
		return;
	}
	for (uint32_t i = 0; i < SPANS; i++) {
		uint32_t at = AT(spans) + i * 16, span = i + 1;

		page_u64(s, FACT_SELECTIVE_MIN, span, 0, le64_get(log->spans[i].first),
			 at, 8);
		page_u64(s, FACT_SELECTIVE_MAX, span, 0, le64_get(log->spans[i].last),
			 at + 8, 8);
		if (span == le16_get(log->current_span))
			add_current(s, log, span);
		else
			page_text(s, FACT_SELECTIVE_STATUS, span, 0, "Not_testing",
				  AT(current_span), 2);
	}
	page_u64(s, FACT_SELECTIVE_FLAGS, 0, 0, le16_get(log->flags), AT(flags), 2);
	page_u64(s, FACT_SELECTIVE_RESUME, 0, 0, le16_get(log->pending_minutes),
		 AT(pending_minutes), 2);
}
