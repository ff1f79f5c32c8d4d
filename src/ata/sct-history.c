/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SCT temperature history, data table 2 (ATA8-ACS 8.3.5): a ring of signed bytes. */
#include <stddef.h>

#include "ata/decoders.h"
#include "ata/sct-status.h"
#include "ata/wire.h"

struct sct_history {
	le16_t version, sampling_minutes, interval_minutes;
	uint8_t rec_max, limit_max, rec_min, limit_min; /* signed */
	uint8_t reserved_10[20];
	le16_t size, index; /* entries, and the place of the newest one */
	uint8_t samples[478];
};

_Static_assert(offsetof(struct sct_history, rec_max) == 6, "ATA8-ACS table 90");
_Static_assert(offsetof(struct sct_history, size) == 30, "ATA8-ACS table 90");
_Static_assert(offsetof(struct sct_history, samples) == 34, "ATA8-ACS table 90");
_Static_assert(sizeof(struct sct_history) == 512, "ATA8-ACS table 90");

#define AT(member) ((uint32_t)offsetof(struct sct_history, member))

static void add_samples(struct page_sink *s, const struct sct_history *h)
{
	uint32_t size = le16_get(h->size), index = le16_get(h->index);

	if (size > sizeof(h->samples) || (size && index >= size)) {
		page_note(s, "%u samples with the newest at %u cannot be", size, index);
		return;
	}
	for (uint32_t i = 0; i < size; i++) {
		int64_t celsius;

		if (sct_celsius(h->samples[i], &celsius))
			page_s64(s, FACT_SCT_HIST_TEMP, i, 0, celsius, AT(samples) + i,
				 1);
	}
}

void decode_sct_history(struct page_sink *s, struct span bytes, uint16_t page_number)
{
	const struct sct_history *h;
	struct span page;

	(void)page_number;
	if (!page_take_only(s, bytes, &page))
		return;
	s->trust = TRUST_UNCHECKED; /* this page has no checksum */
	h = (const struct sct_history *)page.data;
	if (le16_get(h->version) != 2) {
		page_note(s, "SCT temperature history version %u is not known",
			  le16_get(h->version));
		return;
	}
	page_u64(s, FACT_SCT_HIST_VERSION, 0, 0, le16_get(h->version), AT(version), 2);
	page_u64(s, FACT_SCT_HIST_SAMPLE, 0, 0, le16_get(h->sampling_minutes),
		 AT(sampling_minutes), 2);
	page_u64(s, FACT_SCT_HIST_INTERVAL, 0, 0, le16_get(h->interval_minutes),
		 AT(interval_minutes), 2);
	sct_add_celsius(s, FACT_SCT_REC_MIN, h->rec_min, AT(rec_min));
	sct_add_celsius(s, FACT_SCT_REC_MAX, h->rec_max, AT(rec_max));
	sct_add_celsius(s, FACT_SCT_LIMIT_MIN, h->limit_min, AT(limit_min));
	sct_add_celsius(s, FACT_SCT_LIMIT_MAX, h->limit_max, AT(limit_max));
	page_u64(s, FACT_SCT_HIST_SIZE, 0, 0, le16_get(h->size), AT(size), 2);
	page_u64(s, FACT_SCT_HIST_INDEX, 0, 0, le16_get(h->index), AT(index), 2);
	add_samples(s, h);
}
