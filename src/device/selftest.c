/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "device/selftest.h"

#include <errno.h>
#include <string.h>

#include "ata/pages.h"
#include "base/attrs.h"

/* SMART READ DATA, ATA8-ACS table 62. */
#define STATUS_OFFSET	   363u
#define CAPABILITY_OFFSET  367u
#define SHORT_OFFSET	   372u
#define EXTENDED_OFFSET	   373u
#define CONVEYANCE_OFFSET  374u
#define EXTENDED_16_OFFSET 375u
#define CAN_SELFTEST	   0x10u
#define CAN_CONVEYANCE	   0x20u
#define CAN_SELECTIVE	   0x40u
#define STATUS_RUNNING	   0xfu
#define EXTENDED_16	   0xffu /* the minutes do not fit: see the next word */

/* IDENTIFY DEVICE, ACS-4 table 45. */
#define WORD_SECTORS_28 60u
#define WORD_SECTORS_48 100u

/* Selective self-test log, ATA8-ACS A.10: five spans of first and last address. */
#define SPANS_OFFSET 2u
#define SPAN_BYTES   16u

static unsigned word_at(const uint8_t *page, size_t offset)
{
	return (unsigned)(page[offset] | page[offset + 1] << 8);
}

static uint64_t number_at(const uint8_t *page, unsigned word, unsigned words)
{
	uint64_t n = 0;

	while (words--)
		n = n << 16 | word_at(page, (size_t)(word + words) * 2);
	return n;
}

static int read_page(struct transport *t, const struct ata_command *c, uint8_t *page,
		     uint32_t timeout_ms)
{
	struct transport_result r;
	int e = transport_send(t, c, page, timeout_ms, &r);

	return e == 0 && r.received < ATA_SECTOR ? -EIO : e;
}

/* Nothing but one value: what bridges and dead electronics give, and the checksum passes both. */
static bool is_filled(const uint8_t *page)
{
	return memcmp(page, page + 1, ATA_SECTOR - 1) == 0;
}

/* What cannot be believed says nothing: neither that a test runs nor that one passed. */
static void take_data(const uint8_t *page, struct selftest_state *s)
{
	uint8_t status = page[STATUS_OFFSET], can = page[CAPABILITY_OFFSET];

	s->known = page_checksum_ok(span_of(page, ATA_SECTOR)) && !is_filled(page);
	s->running = s->known && status >> 4 == STATUS_RUNNING;
	s->status = status >> 4;
	s->left_percent = (status & 0xfu) * 10;
	s->has_selftest = s->known && (can & CAN_SELFTEST);
	s->has_conveyance = s->known && (can & CAN_CONVEYANCE);
	s->has_selective = s->known && (can & CAN_SELECTIVE);
	s->short_minutes = page[SHORT_OFFSET];
	s->extended_minutes = page[EXTENDED_OFFSET] == EXTENDED_16
				      ? word_at(page, EXTENDED_16_OFFSET)
				      : page[EXTENDED_OFFSET];
	s->conveyance_minutes = page[CONVEYANCE_OFFSET];
}

int selftest_poll(struct transport *t, uint32_t timeout_ms, struct selftest_state *ret)
{
	struct ata_command c = ata_smart_data();
	uint8_t page[ATA_SECTOR];
	int r = read_page(t, &c, page, timeout_ms);

	if (r == 0)
		take_data(page, ret);
	return r;
}

int selftest_look(struct transport *t, uint32_t timeout_ms, struct selftest_state *ret)
{
	struct ata_command c = ata_identify();
	struct selftest_state s = { 0 };
	struct page_profile profile = { 0 };
	uint8_t page[ATA_SECTOR];
	int r = read_page(t, &c, page, timeout_ms);

	if (r < 0)
		return r;
	page_profile_identify(&profile, span_of(page, sizeof(page)));
	s.smart_on = profile.smart_enabled;
	s.sectors = profile.extended48 ? number_at(page, WORD_SECTORS_48, 4)
				       : number_at(page, WORD_SECTORS_28, 2);
	if (s.smart_on)
		r = selftest_poll(t, timeout_ms, &s);
	if (r == 0)
		*ret = s;
	return r;
}

bool selftest_is_supported(const struct selftest_state *s, enum selftest_kind kind)
{
	switch (kind) {
	case SELFTEST_CONVEYANCE:
		return s->has_conveyance;
	case SELFTEST_SELECTIVE:
		return s->has_selective;
	case SELFTEST_SHORT:
	case SELFTEST_EXTENDED:
	case SELFTEST_ABORT:
		break;
	}
	return s->has_selftest;
}

/* The extended test reads the whole surface: a part of it takes its part of the time. */
static unsigned part_of_extended(const struct selftest_state *s,
				 const struct selftest_span *spans, size_t n)
{
	uint64_t sectors = 0, minutes;

	for (size_t i = 0; i < n; i++)
		sectors += spans[i].last - spans[i].first + 1;
	if (!s->sectors || sectors > s->sectors)
		return s->extended_minutes;
	/* in parts of a thousand: no product that overflows */
	minutes = s->extended_minutes * (sectors / (s->sectors / 1000 + 1)) / 1000;
	return (unsigned)minutes + 1;
}

unsigned selftest_minutes(const struct selftest_state *s, enum selftest_kind kind,
			  const struct selftest_span *spans, size_t n)
{
	switch (kind) {
	case SELFTEST_SHORT:
		return s->short_minutes;
	case SELFTEST_EXTENDED:
		return s->extended_minutes;
	case SELFTEST_CONVEYANCE:
		return s->conveyance_minutes;
	case SELFTEST_SELECTIVE:
		return s->extended_minutes ? part_of_extended(s, spans, n) : 0;
	case SELFTEST_ABORT:
		break;
	}
	return 0;
}

static void put_le64(uint8_t *b, uint64_t v)
{
	for (unsigned i = 0; i < 8; i++)
		b[i] = (uint8_t)(v >> i * 8);
}

static int write_spans(struct transport *t, uint32_t timeout_ms,
		       const struct selftest_span *spans, size_t n)
{
	uint8_t page[ATA_SECTOR] = { 1 }, sum = 0;
	struct ata_command c = ata_selective_write(page);
	struct transport_result r;

	if (!n || n > SELFTEST_SPANS)
		return -EINVAL;
	for (size_t i = 0; i < n; i++) {
		if (spans[i].first > spans[i].last)
			return -EINVAL;
		put_le64(page + SPANS_OFFSET + i * SPAN_BYTES, spans[i].first);
		put_le64(page + SPANS_OFFSET + i * SPAN_BYTES + 8, spans[i].last);
	}
	for (size_t i = 0; i < ATA_SECTOR - 1; i++)
		sum = (uint8_t)(sum + page[i]);
	page[ATA_SECTOR - 1] = (uint8_t)-sum;
	return transport_send(t, &c, NULL, timeout_ms, &r);
}

int selftest_start(struct transport *t, uint32_t timeout_ms, enum selftest_kind kind,
		   const struct selftest_span *spans, size_t n)
{
	struct ata_command c = ata_selftest((uint8_t)kind);
	struct transport_result r;

	if (kind == SELFTEST_SELECTIVE) {
		int e = write_spans(t, timeout_ms, spans, n);

		if (e < 0)
			return e;
	}
	return transport_send(t, &c, NULL, timeout_ms, &r);
}

/* ATA8-ACS table 63. */
static const struct {
	const char *words;
	bool failed;
} statuses[] = {
	[0x0] = { "passed, or never run", false },
	[0x1] = { "aborted by the host", false },
	[0x2] = { "interrupted by a reset", false },
	[0x3] = { "could not be completed", true },
	[0x4] = { "failed, the drive does not say where", true },
	[0x5] = { "failed: electrical", true },
	[0x6] = { "failed: servo or seek", true },
	[0x7] = { "failed: read", true },
	[0x8] = { "failed: damaged by handling, the drive suspects", true },
	[0xf] = { "running", false },
};

const char *selftest_status_words(uint8_t status)
{
	if (status < array_size(statuses) && statuses[status].words)
		return statuses[status].words;
	return "ended with a status that no standard knows";
}

bool selftest_has_failed(uint8_t status)
{
	return status < array_size(statuses) && statuses[status].failed;
}
