/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SCT status, log E0h (ATA8-ACS 8.2.3), and the answers of SCT error recovery control. */
#include "ata/sct-status.h"

#include <stddef.h>
#include <stdio.h>

#include "ata/command.h"
#include "ata/decoders.h"
#include "ata/wire.h"

struct sct_status {
	le16_t format, version, spec;
	le32_t flags;
	uint8_t state, reserved_11[3];
	le16_t extended; /* of the last command: 0000h done, FFFFh at work */
	le16_t action, function;
	uint8_t reserved_20[20];
	le64_t lba;
	uint8_t reserved_48[152];
	uint8_t now, cycle_min, cycle_max, life_min, life_max, spec_max; /* signed */
	le32_t over, under;
	le16_t smart;	/* LBA 23:8 of SMART RETURN STATUS */
	le16_t min_erc; /* in 100 ms */
	uint8_t reserved_218[262];
	uint8_t vendor[32];
};

_Static_assert(offsetof(struct sct_status, state) == 10, "ATA8-ACS table 76");
_Static_assert(offsetof(struct sct_status, extended) == 14, "ATA8-ACS table 76");
_Static_assert(offsetof(struct sct_status, lba) == 40, "ATA8-ACS table 76");
_Static_assert(offsetof(struct sct_status, now) == 200, "ATA8-ACS table 76");
_Static_assert(offsetof(struct sct_status, over) == 206, "ACS-4 table 190");
_Static_assert(offsetof(struct sct_status, smart) == 214, "ACS-4 table 190");
_Static_assert(offsetof(struct sct_status, vendor) == 480, "ATA8-ACS table 76");
_Static_assert(sizeof(struct sct_status) == 512, "ATA8-ACS table 76");

#define AT(member) ((uint32_t)offsetof(struct sct_status, member))

bool sct_celsius(uint8_t byte, int64_t *ret)
{
	if (byte == 0x80)
		return false;
	*ret = byte < 0x80 ? byte : byte - 256;
	return true;
}

void sct_add_celsius(struct page_sink *s, enum fact_id id, uint8_t byte, uint32_t at)
{
	int64_t celsius;

	if (sct_celsius(byte, &celsius))
		page_s64(s, id, 0, 0, celsius, at, 1);
}

static void add_state(struct page_sink *s, uint8_t state)
{
	static const char *const names[] = {
		"Active",
		"Stand-by",
		"Sleep",
		"DST executing in background",
		"SMART Off-line Data Collection executing in background",
		"SCT command executing in background",
	};
	char text[80];

	(void)snprintf(text, sizeof(text), "%s (%u)",
		       state < array_size(names) ? names[state] : "Unknown", state);
	page_text(s, FACT_SCT_STATE, 0, 0, text, AT(state), 1);
}

static void add_temperatures(struct page_sink *s, const struct sct_status *t)
{
	sct_add_celsius(s, FACT_SCT_TEMP, t->now, AT(now));
	sct_add_celsius(s, FACT_SCT_CYCLE_MIN, t->cycle_min, AT(cycle_min));
	sct_add_celsius(s, FACT_SCT_CYCLE_MAX, t->cycle_max, AT(cycle_max));
	sct_add_celsius(s, FACT_SCT_LIFE_MIN, t->life_min, AT(life_min));
	sct_add_celsius(s, FACT_SCT_LIFE_MAX, t->life_max, AT(life_max));
	/* reserved before ACS-3; no drive is to be kept below 0 */
	if (t->spec_max > 0 && t->spec_max < 0x80)
		sct_add_celsius(s, FACT_SCT_SPEC_MAX, t->spec_max, AT(spec_max));
	page_u64(s, FACT_SCT_UNDER, 0, 0, le32_get(t->under), AT(under), 4);
	page_u64(s, FACT_SCT_OVER, 0, 0, le32_get(t->over), AT(over), 4);
}

static void add_vendor(struct page_sink *s, const struct sct_status *t)
{
	char text[3 * sizeof(t->vendor) + 1];

	if (page_is_filled(span_of(t->vendor, sizeof(t->vendor)), 0))
		return;
	for (size_t i = 0; i < sizeof(t->vendor); i++)
		(void)snprintf(text + 3 * i, 4, "%02x ", t->vendor[i]);
	text[3 * sizeof(t->vendor) - 1] = '\0';
	page_text(s, FACT_SCT_VENDOR, 0, 0, text, AT(vendor), sizeof(t->vendor));
}

/* Formats 2 and 3 are laid out alike; no other is known. */
static const struct sct_status *take_status(struct page_sink *s, struct span page)
{
	const struct sct_status *t = (const struct sct_status *)page.data;
	unsigned format = le16_get(t->format);

	if (format == 2 || format == 3)
		return t;
	page_note(s, "SCT status format %u is not known", format);
	return NULL;
}

void decode_sct_status(struct page_sink *s, struct span bytes, uint16_t page_number)
{
	const struct sct_status *t;
	struct span page;

	if (page_number) {
		page_note(s, "SCT status has one page only");
		return;
	}
	if (!page_take_only(s, bytes, &page))
		return;
	s->trust = TRUST_UNCHECKED; /* this page has no checksum */
	t = take_status(s, page);
	if (!t)
		return;
	page_u64(s, FACT_SCT_VERSION, 0, 0, le16_get(t->format), AT(format), 2);
	page_u64(s, FACT_SCT_SPEC, 0, 0, le16_get(t->version), AT(version), 2);
	add_state(s, t->state);
	add_temperatures(s, t);
	if (le16_get(t->smart))
		page_u64(s, FACT_SCT_SMART_STATUS, 0, 0, le16_get(t->smart), AT(smart),
			 2);
	if (le16_get(t->min_erc))
		page_u64(s, FACT_SCT_MIN_ERC, 0, 0, le16_get(t->min_erc), AT(min_erc), 2);
	add_vendor(s, t);
}

/* --- error recovery control ------------------------------------------------------------------------ */

#define ACTION_ERC   3u
#define FUNCTION_GET 2u

/* The status behind the command must say that this command was the last one, and went well. */
static bool is_answer(struct page_sink *s, struct span bytes)
{
	const struct sct_status *t;
	struct span page;

	if (!bytes.len)
		return true;
	if (!page_take(s, bytes, 0, &page))
		return false;
	t = take_status(s, page);
	if (!t)
		return false;
	if (le16_get(t->extended) == 0 && le16_get(t->action) == ACTION_ERC &&
	    le16_get(t->function) == FUNCTION_GET)
		return true;
	page_note(s, "SCT status %04Xh of action %u function %u: no answer",
		  le16_get(t->extended), le16_get(t->action), le16_get(t->function));
	return false;
}

/* ATA8-ACS 8.3.3: COUNT 7:0 and LBA 7:0 hold the limit in 100 ms; 0: none. */
static void add_limit(struct page_sink *s, struct span bytes, enum fact_id id)
{
	const struct ata_registers *r = page_registers(s);

	if (r && is_answer(s, bytes))
		page_u64(s, id, 0, 0, (r->count & 0xffu) | (r->lba & 0xff) << 8, 0, 0);
}

void decode_erc_read(struct page_sink *s, struct span bytes, uint16_t page_number)
{
	(void)page_number;
	add_limit(s, bytes, FACT_SCT_ERC_READ);
}

void decode_erc_write(struct page_sink *s, struct span bytes, uint16_t page_number)
{
	(void)page_number;
	add_limit(s, bytes, FACT_SCT_ERC_WRITE);
}
