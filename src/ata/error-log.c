/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Error logs: the summary (SMART log 01h, ATA/ATAPI-5 tables 39 to 42) and the extended
 * comprehensive one (General Purpose log 03h, ATA8-ACS A.7). Entries form a ring over all pages of
 * the log; they are told newest first, the place is the key.
 */
#include <stddef.h>
#include <stdio.h>

#include "ata/command-names.h"
#include "ata/decoders.h"
#include "ata/wire.h"

#define COMMANDS 5u /* of an entry: oldest first, the fifth is the one that failed */

struct command_28 {
	uint8_t control, features, count, lba[3], device, command;
	le32_t time_ms; /* since power-on, wraps after 49.7 days */
};

struct error_28 {
	uint8_t reserved, error, count, lba[3], device, status;
	uint8_t vendor[19];
	uint8_t state;
	le16_t hours;
};

struct entry_28 {
	struct command_28 commands[COMMANDS];
	struct error_28 error;
};

struct summary_log {
	uint8_t version, index; /* of the newest entry, 1 to 5; 0: none */
	struct entry_28 entries[5];
	le16_t count;
	uint8_t reserved[57];
	uint8_t checksum;
};

/* Pairs of bytes are two halves of a register: 7:0 31:24, 15:8 39:32, 23:16 47:40 of an LBA. */
struct command_48 {
	uint8_t control, features[2], count[2], lba[6], device, command, reserved;
	le32_t time_ms;
};

struct error_48 {
	uint8_t control, error, count[2], lba[6], device, status;
	uint8_t vendor[19];
	uint8_t state;
	le16_t hours;
};

struct entry_48 {
	struct command_48 commands[COMMANDS];
	struct error_48 error;
};

#define EXT_ENTRIES 4u	 /* of a page */
#define MOST_ERRORS 256u /* that are told; some logs have room for 65,532 */

struct ext_log {
	uint8_t version, reserved_1;
	le16_t index; /* of the newest entry over all pages, from 1 on */
	struct entry_48 entries[EXT_ENTRIES];
	le16_t count;
	uint8_t reserved[9];
	uint8_t checksum;
};

_Static_assert(sizeof(struct command_28) == 12, "ATA/ATAPI-5 table 41");
_Static_assert(sizeof(struct error_28) == 30, "ATA/ATAPI-5 table 42");
_Static_assert(sizeof(struct entry_28) == 90, "ATA/ATAPI-5 table 40");
_Static_assert(offsetof(struct summary_log, count) == 452, "ATA/ATAPI-5 table 39");
_Static_assert(sizeof(struct summary_log) == 512, "ATA/ATAPI-5 table 39");
_Static_assert(sizeof(struct command_48) == 18, "ATA8-ACS table A.9");
_Static_assert(offsetof(struct error_48, state) == 31, "ATA8-ACS table A.10");
_Static_assert(sizeof(struct error_48) == 34, "ATA8-ACS table A.10");
_Static_assert(sizeof(struct entry_48) == 124, "ATA8-ACS table A.8");
_Static_assert(offsetof(struct ext_log, count) == 500, "ATA8-ACS table A.7");
_Static_assert(sizeof(struct ext_log) == 512, "ATA8-ACS table A.7");

/* --- one error --------------------------------------------------------------------------------- */

/* Where the parts of an entry stand in the item. */
struct places {
	uint32_t error, status, count, count_width, lba, lba_width, device, state, hours,
		control; /* 0: the log does not tell */
};

/* Bits 3:0 of the state byte, ATA/ATAPI-5 table 43: 5h to Ah are reserved. */
static const char *state_name(uint8_t state)
{
	static const char *const names[] = { "in an unknown state", "sleeping",
					     "in standby mode", "active or idle",
					     "doing SMART Offline or Self-test" };

	state &= 15;
	if (state < array_size(names))
		return names[state];
	return state < 11 ? "in a reserved state" : "in a vendor specific state";
}

/* What the entry says beside the registers of the failed command. */
struct around {
	uint8_t state, control;
	uint16_t hours;
	uint32_t place;
};

static void add_failure(struct page_sink *s, uint32_t key, const struct ata_failure *f,
			const struct around *a, const struct places *at)
{
	char text[160];

	page_u64(s, FACT_ERROR_PLACE, key, 0, a->place, at->error, 1);
	page_u64(s, FACT_ERROR_STATE_CODE, key, 0, a->state, at->state, 1);
	if (at->control)
		page_u64(s, FACT_ERROR_CONTROL, key, 0, a->control, at->control, 1);
	page_u64(s, FACT_ERROR_HOURS, key, 0, a->hours, at->hours, 2);
	page_text(s, FACT_ERROR_STATE, key, 0, state_name(a->state), at->state, 1);
	page_u64(s, FACT_ERROR_ERROR, key, 0, f->error, at->error, 1);
	page_u64(s, FACT_ERROR_STATUS, key, 0, f->status, at->status, 1);
	page_u64(s, FACT_ERROR_COUNTREG, key, 0, f->count, at->count, at->count_width);
	page_u64(s, FACT_ERROR_DEVICE, key, 0, f->device, at->device, 1);
	if (f->has_lba)
		page_u64(s, FACT_ERROR_LBA, key, 0, f->lba, at->lba, at->lba_width);
	if (ata_failure_text(f, text, sizeof(text)))
		page_text(s, FACT_ERROR_TEXT, key, 0, text, at->error, 1);
}

/* "15d+03:12:08.123": days only when there are any */
static void format_time(uint32_t ms, char *ret, size_t size)
{
	uint32_t seconds = ms / 1000, days = seconds / 86400;
	char before[16] = "";

	if (days)
		(void)snprintf(before, sizeof(before), "%ud+", days);
	(void)snprintf(ret, size, "%s%02u:%02u:%02u.%03u", before, seconds / 3600 % 24,
		       seconds / 60 % 60, seconds % 60, ms % 1000);
}

static void add_command(struct page_sink *s, uint32_t key, uint32_t j,
			const char *registers, uint32_t ms, const char *name, uint32_t at,
			uint32_t width)
{
	char text[160], time[32];

	format_time(ms, time, sizeof(time));
	(void)snprintf(text, sizeof(text), "%s %s %s", registers, time, name);
	page_text(s, FACT_ERROR_COMMAND, key, j, text, at, width);
}

/* Number of the error at place I, counted back from the newest; they may be more than the log holds. */
static void add_number(struct page_sink *s, uint32_t key, uint32_t count, uint32_t i,
		       uint32_t at)
{
	if (i < count)
		page_u64(s, FACT_ERROR_NUMBER, key, 0, count - i, at, 2);
}

static bool is_empty(const void *entry, size_t size)
{
	return page_is_filled(span_of(entry, size), 0);
}

/* --- summary log ------------------------------------------------------------------------------- */

static uint32_t lba_28(const uint8_t *lba, uint8_t device)
{
	return (uint32_t)le_get(lba, 3) | (uint32_t)(device & 15) << 24;
}

static void add_commands_28(struct page_sink *s, uint32_t key, const struct entry_28 *e,
			    uint32_t base)
{
	uint32_t j = 0;

	for (uint32_t i = COMMANDS; i-- > 0;) {
		const struct command_28 *c = &e->commands[i];
		char text[32];

		if (is_empty(c, sizeof(*c)))
			continue;
		(void)snprintf(text, sizeof(text),
			       "%02x %02x %02x %02x %02x %02x %02x %02x", c->command,
			       c->features, c->count, c->lba[0], c->lba[1], c->lba[2],
			       c->device, c->control);
		add_command(s, key, j++, text, le32_get(c->time_ms),
			    ata_command_name(c->command, c->features),
			    base + i * (uint32_t)sizeof(*c), sizeof(*c));
	}
}

static void add_entry_28(struct page_sink *s, uint32_t key, const struct entry_28 *e,
			 uint32_t base, uint32_t place)
{
	const struct command_28 *c = &e->commands[COMMANDS - 1];
	uint32_t at = base + (uint32_t)offsetof(struct entry_28, error);
	struct ata_failure f = { .command = c->command,
				 .feature = c->features,
				 .status = e->error.status,
				 .error = e->error.error,
				 .device = e->error.device,
				 .count = e->error.count,
				 .lba = lba_28(e->error.lba, e->error.device),
				 .has_lba = true };
	bool known;

	/* bit 6 of Device: an LBA, not cylinder, head and sector */
	(void)ata_command_is_ext(c->command, &known);
	f.has_lba = known || (f.device & 0x40);
	add_failure(s, key, &f,
		    &(struct around){ .state = e->error.state,
				      .hours = le16_get(e->error.hours),
				      .place = place },
		    &(struct places){ .error = at + 1,
				      .count = at + 2,
				      .count_width = 1,
				      .lba = at + 3,
				      .lba_width = 3,
				      .device = at + 6,
				      .status = at + 7,
				      .state = at + 27,
				      .hours = at + 28 });
	add_commands_28(s, key, e, base);
}

static void add_summary(struct page_sink *s, const struct summary_log *log)
{
	uint32_t count = le16_get(log->count), key = 0;

	for (uint32_t i = 0; i < 5; i++) {
		uint32_t place = (log->index - 1u + 5 - i) % 5;
		uint32_t base = 2 + place * (uint32_t)sizeof(struct entry_28);
		const struct entry_28 *e = &log->entries[place];

		if (is_empty(e, sizeof(*e)))
			continue;
		if (i >= count)
			page_note(s, "more errors than the count of %u says", count);
		add_number(s, key, count, i, 452);
		add_entry_28(s, key++, e, base, place);
	}
}

void decode_error_log(struct page_sink *s, struct span bytes, uint16_t page_number)
{
	const struct summary_log *log;
	struct span page;
	char text[48];

	(void)page_number;
	if (!page_take_only(s, bytes, &page))
		return;
	(void)page_trust(s, page);
	log = (const struct summary_log *)page.data;
	if (log->index > 5 || (!log->index && le16_get(log->count))) {
		page_note(s, "index %u of the newest error cannot be", log->index);
		return;
	}
	(void)snprintf(text, sizeof(text), "SMART Error Log Version: %u", log->version);
	page_text(s, FACT_ERRORLOG_READ, 0, 0, text, 0, 1);
	page_u64(s, FACT_ERROR_COUNT, 0, 0, le16_get(log->count), 452, 2);
	if (log->index)
		add_summary(s, log);
}

/* --- extended comprehensive log --------------------------------------------------------------------- */

static uint64_t lba_48(const uint8_t *lba)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < 3; i++)
		v |= (uint64_t)lba[2 * i] << 8 * i | (uint64_t)lba[2 * i + 1]
							     << (24 + 8 * i);
	return v;
}

static void add_commands_48(struct page_sink *s, uint32_t key, const struct entry_48 *e,
			    uint32_t base)
{
	uint32_t j = 0;

	for (uint32_t i = COMMANDS; i-- > 0;) {
		const struct command_48 *c = &e->commands[i];
		char text[48];

		if (is_empty(c, sizeof(*c)))
			continue;
		(void)snprintf(text, sizeof(text),
			       "%02x %02x %02x %02x %02x %02x %02x %02x %02x %02x %02x "
			       "%02x %02x",
			       c->command, c->features[1], c->features[0], c->count[1],
			       c->count[0], c->lba[5], c->lba[3], c->lba[1], c->lba[4],
			       c->lba[2], c->lba[0], c->device, c->control);
		add_command(s, key, j++, text, le32_get(c->time_ms),
			    ata_command_name(c->command, c->features[0]),
			    base + i * (uint32_t)sizeof(*c), sizeof(*c));
	}
}

/*
 * Some firmware writes the six bytes in plain order. It shows when the address is behind the end of
 * the drive and the plain one is not; the request itself may have been behind the end (IDNF).
 */
static bool is_plain_order(const struct page_sink *s, const struct error_48 *e,
			   uint64_t lba)
{
	return s->sectors && lba >= s->sectors && le_get(e->lba, 6) < s->sectors &&
	       !(e->error & 0x10);
}

/* A 28-bit command leaves the upper halves alone and has four bits in Device. */
static void get_lba_48(struct page_sink *s, const struct entry_48 *e,
		       struct ata_failure *f)
{
	bool known, ext = ata_command_is_ext(f->command, &known);

	f->lba = lba_48(e->error.lba);
	f->has_lba = true;
	if (known && !ext)
		f->lba = (f->lba & 0xffffff) | (uint64_t)(f->device & 15) << 24;
	else if (!known && (f->device & 15))
		f->has_lba = false;
	if (f->has_lba && is_plain_order(s, &e->error, f->lba)) {
		page_note(s,
			  "an error at LBA %llu, behind the end of the drive: perhaps "
			  "%llu, in another order of bytes",
			  (unsigned long long)f->lba,
			  (unsigned long long)le_get(e->error.lba, 6));
		f->has_lba = false;
	}
}

static void add_entry_48(struct page_sink *s, uint32_t key, const struct entry_48 *e,
			 uint32_t base, uint32_t place)
{
	const struct command_48 *c = &e->commands[COMMANDS - 1];
	uint32_t at = base + (uint32_t)offsetof(struct entry_48, error);
	struct ata_failure f = { .command = c->command,
				 .feature = c->features[0],
				 .status = e->error.status,
				 .error = e->error.error,
				 .device = e->error.device,
				 .count = (uint16_t)le_get(e->error.count, 2) };

	get_lba_48(s, e, &f);
	add_failure(s, key, &f,
		    &(struct around){ .state = e->error.state,
				      .control = e->error.control,
				      .hours = le16_get(e->error.hours),
				      .place = place },
		    &(struct places){ .error = at + 1,
				      .control = at,
				      .count = at + 2,
				      .count_width = 2,
				      .lba = at + 4,
				      .lba_width = 6,
				      .device = at + 10,
				      .status = at + 11,
				      .state = at + 31,
				      .hours = at + 32 });
	add_commands_48(s, key, e, base);
}

/* An entry is worth what the checksum of its own page is. */
static void add_ext_entry(struct page_sink *s, struct span bytes, uint32_t place,
			  uint32_t key, uint32_t count, uint32_t i)
{
	size_t sector = place / EXT_ENTRIES;
	struct span page = span_of(bytes.data + sector * PAGE_BYTES, PAGE_BYTES);
	uint32_t base = (uint32_t)(sector * PAGE_BYTES + 4 +
				   place % EXT_ENTRIES * sizeof(struct entry_48));

	s->trust = page_checksum_ok(page) ? TRUST_BYTES : TRUST_UNCHECKED;
	add_number(s, key, count, i, 500);
	add_entry_48(s, key, (const struct entry_48 *)(bytes.data + base), base, place);
}

/*
 * Newest first. The ring goes on at the end of the log, so behind the first entry older ones follow
 * only when the whole log was read.
 */
static void add_ring(struct page_sink *s, struct span bytes, uint32_t index,
		     uint32_t count)
{
	uint32_t held = (uint32_t)page_count(bytes) * EXT_ENTRIES, key = 0;
	bool whole = !s->log_pages || s->log_pages <= page_count(bytes);
	uint32_t n = count < held ? count : held;

	if (n > MOST_ERRORS) {
		page_note(s, "the newest %u of %u errors are told", MOST_ERRORS, n);
		n = MOST_ERRORS;
	}
	if (!whole && count > index) {
		n = index < n ? index : n;
		page_note(s, "%zu of %u pages were read: older errors are not among them",
			  page_count(bytes), s->log_pages);
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t place = (index - 1 + held - i) % held;
		const uint8_t *entry =
			bytes.data + (size_t)(place / EXT_ENTRIES) * PAGE_BYTES + 4 +
			(size_t)(place % EXT_ENTRIES) * sizeof(struct entry_48);

		if (!is_empty(entry, sizeof(struct entry_48)))
			add_ext_entry(s, bytes, place, key++, count, i);
	}
}

/* Old Samsung disks have the index in the reserved byte and 0 in its place. */
static uint32_t get_index(const struct ext_log *log, uint32_t held)
{
	uint32_t index = le16_get(log->index);

	if (index >= 1 && index <= held)
		return index;
	return !index && log->reserved_1 && log->reserved_1 <= held ? log->reserved_1 : 0;
}

void decode_ext_error_log(struct page_sink *s, struct span bytes, uint16_t page_number)
{
	const struct ext_log *log;
	uint32_t held = (uint32_t)page_count(bytes) * EXT_ENTRIES, count, index;
	struct span page;
	char text[80];

	if (page_number) {
		page_note(s, "without its first page the order of the errors is unknown");
		return;
	}
	if (!page_take(s, bytes, 0, &page))
		return;
	page_trust_pages(s, bytes);
	log = (const struct ext_log *)page.data;
	count = le16_get(log->count);
	index = get_index(log, held);
	if (count && !index) {
		page_note(s, "index %u of the newest error is not among the %u entries",
			  le16_get(log->index), held);
		return;
	}
	(void)snprintf(text, sizeof(text),
		       "SMART Extended Comprehensive Error Log Version: %u (%u sectors)",
		       log->version,
		       s->log_pages ? s->log_pages : (uint32_t)page_count(bytes));
	page_text(s, FACT_ERRORLOG_READ, 0, 0, text, 0, 1);
	page_u64(s, FACT_ERROR_COUNT, 0, 0, count, 500, 2);
	if (count)
		add_ring(s, bytes, index, count);
}
