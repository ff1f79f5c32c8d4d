/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Self-test logs: SMART log 06h (ATA8-ACS A.8) and the extended one, General Purpose log 07h
 * (ATA8-ACS A.9). Entries form a ring; they are told newest first, the place is the key.
 */
#include <stddef.h>
#include <stdio.h>

#include "ata/decoders.h"
#include "ata/wire.h"

struct selftest_28 {
	uint8_t test, status;
	le16_t hours;
	uint8_t checkpoint;
	le32_t lba; /* first one that failed */
	uint8_t vendor[15];
};

#define ENTRIES_28 21u

struct selftest_log {
	le16_t revision;
	struct selftest_28 entries[ENTRIES_28];
	uint8_t vendor[2];
	uint8_t index; /* of the newest entry, 1 to 21; 0: none */
	uint8_t reserved[2];
	uint8_t checksum;
};

struct selftest_48 {
	uint8_t test, status;
	le16_t hours;
	uint8_t checkpoint;
	uint8_t lba[6];
	uint8_t vendor[15];
};

#define ENTRIES_48 19u	/* of a page */
#define MOST_TESTS 304u /* that are told: those of 16 pages */

struct ext_selftest_log {
	uint8_t version, reserved_1;
	le16_t index; /* of the newest entry over all pages, from 1 on */
	struct selftest_48 entries[ENTRIES_48];
	uint8_t vendor[2];
	uint8_t reserved[11];
	uint8_t checksum;
};

_Static_assert(sizeof(struct selftest_28) == 24, "ATA8-ACS table A.17");
_Static_assert(offsetof(struct selftest_log, index) == 508, "ATA8-ACS table A.16");
_Static_assert(sizeof(struct selftest_log) == 512, "ATA8-ACS table A.16");
_Static_assert(sizeof(struct selftest_48) == 26, "ATA8-ACS table A.12");
_Static_assert(offsetof(struct ext_selftest_log, entries) == 4, "ATA8-ACS table A.11");
_Static_assert(sizeof(struct ext_selftest_log) == 512, "ATA8-ACS table A.11");

/* --- one test ---------------------------------------------------------------------------------- */

struct test {
	uint8_t test, status;
	uint16_t hours;
	uint64_t lba;
	bool has_lba;
	uint32_t at, lba_width;
};

/* LBA 7:0 of EXECUTE OFF-LINE IMMEDIATE, ATA8-ACS table 60; bit 7: captive. */
static void format_type(uint8_t test, char *ret, size_t size)
{
	static const char *const kinds[] = { "", "Short", "Extended", "Conveyance",
					     "Selective" };
	uint8_t kind = test & 0x7f;

	if (test == 0)
		(void)snprintf(ret, size, "Offline");
	else if (test == 0x7f)
		(void)snprintf(ret, size, "Abort offline test");
	else if (kind && kind < array_size(kinds))
		(void)snprintf(ret, size, "%s %s", kinds[kind],
			       test & 0x80 ? "captive" : "offline");
	else if ((test >= 0x40 && test < 0x7f) || test >= 0x90)
		(void)snprintf(ret, size, "Vendor (0x%02x)", test);
	else
		(void)snprintf(ret, size, "Reserved (0x%02x)", test);
}

#define STATUS_IN_PROGRESS 15u

/* Bits 7:4 of the status, ATA8-ACS table 64. */
static void format_result(uint8_t status, char *ret, size_t size)
{
	static const char *const results[] = {
		"Completed without error",	 "Aborted by host",
		"Interrupted (host reset)",	 "Fatal or unknown error",
		"Completed: unknown failure",	 "Completed: electrical failure",
		"Completed: servo/seek failure", "Completed: read failure",
		"Completed: handling damage??",
	};
	unsigned code = status >> 4;

	if (code < array_size(results))
		(void)snprintf(ret, size, "%s", results[code]);
	else if (code == STATUS_IN_PROGRESS)
		(void)snprintf(ret, size, "Self-test routine in progress");
	else
		(void)snprintf(ret, size, "Unknown status (0x%x)", code);
}

/* Only a test that failed has a first address that failed. */
static bool has_failed(uint8_t status)
{
	return status >> 4 >= 3 && status >> 4 <= 8;
}

static void add_test(struct page_sink *s, uint32_t key, uint32_t number,
		     const struct test *t)
{
	char text[48];

	page_u64(s, FACT_SELFTEST_NUMBER, key, 0, number, t->at, t->lba_width + 5);
	format_type(t->test, text, sizeof(text));
	page_text(s, FACT_SELFTEST_TYPE, key, 0, text, t->at, 1);
	page_u64(s, FACT_SELFTEST_TYPE_CODE, key, 0, t->test, t->at, 1);
	page_u64(s, FACT_SELFTEST_STATUS_CODE, key, 0, t->status, t->at + 1, 1);
	format_result(t->status, text, sizeof(text));
	page_text(s, FACT_SELFTEST_RESULT, key, 0, text, t->at + 1, 1);
	/* in tenths; there are no more than ten */
	if ((t->status & 15) <= 10)
		page_u64(s, FACT_SELFTEST_REMAINING, key, 0, (t->status & 15u) * 10,
			 t->at + 1, 1);
	page_u64(s, FACT_SELFTEST_HOURS, key, 0, t->hours, t->at + 2, 2);
	if (t->has_lba && has_failed(t->status))
		page_u64(s, FACT_SELFTEST_LBA, key, 0, t->lba, t->at + 5, t->lba_width);
}

static bool is_empty(const void *entry, size_t size)
{
	return page_is_filled(span_of(entry, size), 0);
}

/* --- SMART log 06h ------------------------------------------------------------------------------- */

static void add_tests_28(struct page_sink *s, const struct selftest_log *log)
{
	uint32_t key = 0;

	for (uint32_t i = 0; i < ENTRIES_28; i++) {
		uint32_t place = (log->index - 1u + ENTRIES_28 - i) % ENTRIES_28;
		const struct selftest_28 *e = &log->entries[place];
		uint32_t lba = le32_get(e->lba);

		if (is_empty(e, sizeof(*e)))
			continue;
		add_test(s, key++, i + 1,
			 &(struct test){ .test = e->test,
					 .status = e->status,
					 .hours = le16_get(e->hours),
					 .lba = lba,
					 .has_lba = lba != UINT32_MAX,
					 .at = 2 + place * (uint32_t)sizeof(*e),
					 .lba_width = 4 });
	}
}

void decode_selftest_log(struct page_sink *s, struct span bytes, uint16_t page_number)
{
	const struct selftest_log *log;
	struct span page;
	char text[64];

	(void)page_number;
	if (!page_take_only(s, bytes, &page))
		return;
	(void)page_trust(s, page);
	log = (const struct selftest_log *)page.data;
	if (log->index > ENTRIES_28) {
		page_note(s, "index %u of the newest test cannot be", log->index);
		return;
	}
	(void)snprintf(text, sizeof(text),
		       "SMART Self-test log structure revision number %u",
		       le16_get(log->revision));
	page_text(s, FACT_SELFTEST_LOG_READ, 0, 0, text, 0, 2);
	if (log->index)
		add_tests_28(s, log);
}

/* --- General Purpose log 07h ----------------------------------------------------------------------- */

static void add_test_48(struct page_sink *s, struct span bytes, uint32_t place,
			uint32_t key, uint32_t number)
{
	size_t sector = place / ENTRIES_48;
	uint32_t at = (uint32_t)(sector * PAGE_BYTES + 4 +
				 place % ENTRIES_48 * sizeof(struct selftest_48));
	const struct selftest_48 *e = (const struct selftest_48 *)(bytes.data + at);
	uint64_t lba = le_get(e->lba, 6);

	if (page_checksum_ok(span_of(bytes.data + sector * PAGE_BYTES, PAGE_BYTES)))
		s->trust = TRUST_BYTES;
	else
		s->trust = TRUST_UNCHECKED;
	/* some firmware widens the "none" of the short log, FFFFFFFFh */
	add_test(s, key, number,
		 &(struct test){ .test = e->test,
				 .status = e->status,
				 .hours = le16_get(e->hours),
				 .lba = lba,
				 .has_lba = lba != UINT64_C(0xffffffffffff) &&
					    lba != UINT32_MAX,
				 .at = at,
				 .lba_width = 6 });
}

/* The ring goes on at the end of the log: what was not read cannot be told from "no test". */
static void add_tests_48(struct page_sink *s, struct span bytes, uint32_t index)
{
	uint32_t held = (uint32_t)page_count(bytes) * ENTRIES_48, key = 0;
	uint32_t n = held < MOST_TESTS ? held : MOST_TESTS;

	if (held > MOST_TESTS)
		page_note(s, "no more than the newest %u tests are told", MOST_TESTS);
	if (s->log_pages > page_count(bytes)) {
		n = index < n ? index : n;
		page_note(s, "%zu of %u pages were read: older tests may be missing",
			  page_count(bytes), s->log_pages);
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t place = (index - 1 + held - i) % held;
		const uint8_t *entry =
			bytes.data + (size_t)(place / ENTRIES_48) * PAGE_BYTES + 4 +
			(size_t)(place % ENTRIES_48) * sizeof(struct selftest_48);

		if (!is_empty(entry, sizeof(struct selftest_48)))
			add_test_48(s, bytes, place, key++, i + 1);
	}
}

void decode_ext_selftest_log(struct page_sink *s, struct span bytes, uint16_t page_number)
{
	const struct ext_selftest_log *log;
	uint32_t held = (uint32_t)page_count(bytes) * ENTRIES_48, index;
	struct span page;
	char text[64];

	if (page_number) {
		page_note(s, "without its first page the order of the tests is unknown");
		return;
	}
	if (!page_take(s, bytes, 0, &page))
		return;
	page_trust_pages(s, bytes);
	log = (const struct ext_selftest_log *)page.data;
	index = le16_get(log->index);
	if (index > held) {
		page_note(s, "index %u of the newest test is not among the %u entries",
			  index, held);
		return;
	}
	(void)snprintf(text, sizeof(text),
		       "SMART Extended Self-test Log Version: %u (%u sectors)",
		       log->version,
		       s->log_pages ? s->log_pages : (uint32_t)page_count(bytes));
	page_text(s, FACT_SELFTEST_LOG_READ, 0, 0, text, 0, 1);
	if (index)
		add_tests_48(s, bytes, index);
}
