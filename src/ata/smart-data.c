/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SMART READ DATA and SMART READ ATTRIBUTE THRESHOLDS: attributes, off-line and self-test state. */
#include <stddef.h>

#include "ata/decoders.h"
#include "ata/wire.h"

#define SLOTS 30u

/* SFF-8035i revision 2, tables 3 and 4; bytes 362 on: ATA8-ACS table 62. */
struct smart_attribute {
	uint8_t id; /* 0: unused slot */
	le16_t flags;
	uint8_t value, worst;
	uint8_t raw[6];
	uint8_t reserved; /* by table 4; makers use it */
};

struct smart_data {
	le16_t revision;
	struct smart_attribute attributes[SLOTS];
	uint8_t offline_status;
	uint8_t selftest_status;
	le16_t offline_seconds;
	uint8_t vendor_366;
	uint8_t offline_capability;
	le16_t smart_capability;
	uint8_t errorlog_capability;
	uint8_t vendor_371;
	uint8_t short_minutes;
	uint8_t extended_minutes; /* FFh: the word below */
	uint8_t conveyance_minutes;
	le16_t extended_minutes_word;
	uint8_t reserved[9];
	uint8_t vendor[125];
	uint8_t checksum;
};

struct smart_threshold {
	uint8_t id, threshold;
	uint8_t reserved[10];
};

struct smart_thresholds {
	le16_t revision;
	struct smart_threshold entries[SLOTS];
	uint8_t reserved[149];
	uint8_t checksum;
};

_Static_assert(sizeof(struct smart_attribute) == 12, "SFF-8035i table 4");
_Static_assert(offsetof(struct smart_data, attributes) == 2, "SFF-8035i table 3");
_Static_assert(offsetof(struct smart_data, offline_status) == 362, "ATA8-ACS table 62");
_Static_assert(offsetof(struct smart_data, errorlog_capability) == 370,
	       "ATA8-ACS table 62");
_Static_assert(offsetof(struct smart_data, extended_minutes_word) == 375,
	       "ATA8-ACS table 62");
_Static_assert(sizeof(struct smart_data) == 512, "ATA8-ACS table 62");
_Static_assert(sizeof(struct smart_threshold) == 12, "SFF-8035i table 6");
_Static_assert(sizeof(struct smart_thresholds) == 512, "SFF-8035i table 5");

#define AT(member) ((uint32_t)offsetof(struct smart_data, member))

/* Off-line data collection capability, byte 367. */
#define HAS_SELFTEST   0x10u
#define HAS_CONVEYANCE 0x20u

static uint32_t slot_at(size_t slot)
{
	return (uint32_t)(2 + slot * 12);
}

/* --- attributes --------------------------------------------------------------------------------- */

static void add_attribute(struct page_sink *s, const struct smart_attribute *a,
			  uint32_t at)
{
	page_u64(s, FACT_ATTR_FLAGS, a->id, 0, le16_get(a->flags), at + 1, 2);
	page_u64(s, FACT_ATTR_VALUE, a->id, 0, a->value, at + 3, 1);
	page_u64(s, FACT_ATTR_WORST, a->id, 0, a->worst, at + 4, 1);
	page_u64(s, FACT_ATTR_RAW, a->id, 0, le_get(a->raw, 6), at + 5, 6);
	page_u64(s, FACT_ATTR_RESERVED, a->id, 0, a->reserved, at + 11, 1);
}

static void add_attributes(struct page_sink *s, const struct smart_data *d)
{
	bool seen[256] = { false };
	size_t n = 0;

	for (size_t i = 0; i < SLOTS; i++) {
		const struct smart_attribute *a = &d->attributes[i];

		if (!a->id)
			continue;
		n++;
		if (seen[a->id])
			page_note(s, "attribute %u stands twice: the first one is read",
				  a->id);
		else
			add_attribute(s, a, slot_at(i));
		seen[a->id] = true;
	}
	if (!n)
		page_note(s, "there is no attribute in it");
}

/* --- the rest ------------------------------------------------------------------------------------- */

static void add_minutes(struct page_sink *s, const struct smart_data *d)
{
	uint16_t word = le16_get(d->extended_minutes_word);

	if (d->offline_capability & HAS_SELFTEST) {
		page_u64(s, FACT_SHORT_MINUTES, 0, 0, d->short_minutes, AT(short_minutes),
			 1);
		if (d->extended_minutes == 0xff && word && word != 0xffff)
			page_u64(s, FACT_EXTENDED_MINUTES, 0, 0, word,
				 AT(extended_minutes_word), 2);
		else
			page_u64(s, FACT_EXTENDED_MINUTES, 0, 0, d->extended_minutes,
				 AT(extended_minutes), 1);
	}
	if (d->offline_capability & HAS_CONVEYANCE)
		page_u64(s, FACT_CONVEYANCE_MINUTES, 0, 0, d->conveyance_minutes,
			 AT(conveyance_minutes), 1);
}

void decode_smart_data(struct page_sink *s, struct span bytes, uint16_t page_number)
{
	const struct smart_data *d;
	struct span page;

	(void)page_number;
	if (!page_take_only(s, bytes, &page))
		return;
	(void)page_trust(s, page);
	d = (const struct smart_data *)page.data;
	page_u64(s, FACT_ATTR_REVISION, 0, 0, le16_get(d->revision), AT(revision), 2);
	add_attributes(s, d);
	page_u64(s, FACT_OFFLINE_STATUS, 0, 0, d->offline_status, AT(offline_status), 1);
	if (d->offline_capability & HAS_SELFTEST)
		page_u64(s, FACT_SELFTEST_STATUS, 0, 0, d->selftest_status,
			 AT(selftest_status), 1);
	page_u64(s, FACT_OFFLINE_SECONDS, 0, 0, le16_get(d->offline_seconds),
		 AT(offline_seconds), 2);
	page_u64(s, FACT_OFFLINE_CAPABILITY, 0, 0, d->offline_capability,
		 AT(offline_capability), 1);
	page_u64(s, FACT_SMART_CAPABILITY, 0, 0, le16_get(d->smart_capability),
		 AT(smart_capability), 2);
	page_u64(s, FACT_ERRORLOG_CAPABILITY, 0, 0, d->errorlog_capability,
		 AT(errorlog_capability), 1);
	add_minutes(s, d);
}

/* --- thresholds ------------------------------------------------------------------------------------- */

/*
 * Now, when the value has come down to the threshold; past, when the worst one had. A threshold of
 * 0 never trips (ATA-3 X3.298 table 22).
 */
static const char *when_failed(const struct smart_attribute *a, uint8_t threshold)
{
	if (!threshold)
		return "";
	if (a->value <= threshold)
		return "now";
	return a->worst <= threshold ? "past" : "";
}

/* The threshold of the attribute in SLOT: same slot first, then the first of the same id. */
static const struct smart_threshold *find_threshold(const struct smart_thresholds *t,
						    const struct smart_attribute *a,
						    size_t slot)
{
	if (t->entries[slot].id == a->id)
		return &t->entries[slot];
	for (size_t i = 0; i < SLOTS; i++)
		if (t->entries[i].id == a->id)
			return &t->entries[i];
	return NULL;
}

static void add_threshold(struct page_sink *s, const struct smart_thresholds *t,
			  const struct smart_threshold *e)
{
	page_u64(s, FACT_ATTR_THRESHOLD, e->id, 0, e->threshold,
		 slot_at((size_t)(e - t->entries)) + 1, 1);
}

/* With the attributes at hand: which of them have failed. */
static void add_states(struct page_sink *s, const struct smart_thresholds *t,
		       const struct smart_data *d)
{
	bool seen[256] = { false };
	unsigned without = 0;

	for (size_t i = 0; i < SLOTS; i++) {
		const struct smart_attribute *a = &d->attributes[i];
		const struct smart_threshold *e;

		if (!a->id || seen[a->id])
			continue;
		seen[a->id] = true;
		e = find_threshold(t, a, i);
		if (!e) {
			without++;
			continue;
		}
		add_threshold(s, t, e);
		page_text(s, FACT_ATTR_WHEN_FAILED, a->id, 0,
			  when_failed(a, e->threshold),
			  slot_at((size_t)(e - t->entries)) + 1, 1);
	}
	if (without)
		page_note(s, "%u attributes have no threshold", without);
}

static void add_thresholds(struct page_sink *s, const struct smart_thresholds *t)
{
	bool seen[256] = { false };
	size_t n = 0;

	for (size_t i = 0; i < SLOTS; i++) {
		const struct smart_threshold *e = &t->entries[i];

		if (!e->id)
			continue;
		n++;
		if (seen[e->id])
			page_note(s, "attribute %u stands twice: the first one is read",
				  e->id);
		else
			add_threshold(s, t, e);
		seen[e->id] = true;
	}
	if (!n)
		page_note(s, "there is no threshold in it");
}

void decode_smart_thresholds(struct page_sink *s, struct span bytes, uint16_t page_number)
{
	const struct smart_thresholds *t;
	struct span page, data = s->smart_data;

	(void)page_number;
	if (!page_take_only(s, bytes, &page))
		return;
	(void)page_trust(s, page);
	t = (const struct smart_thresholds *)page.data;
	if (data.len < PAGE_BYTES || page_is_filled(data, 0) ||
	    page_is_filled(data, 0xff)) {
		add_thresholds(s, t);
		return;
	}
	if (!page_checksum_ok(span_of(data.data, PAGE_BYTES)))
		s->trust = TRUST_UNCHECKED;
	add_states(s, t, (const struct smart_data *)data.data);
}
