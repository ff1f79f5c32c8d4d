/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Items of bytes that a drive returned: ata/ understands the pages, here its facts are kept. */
#include <errno.h>

#include "ata/command.h"
#include "ata/pages.h"
#include "base/str.h"
#include "decode/part.h"

struct page_facts {
	struct decode *d;
	struct part *part;
	const char *item; /* in the case's arena */
	size_t n;
};

static int add_fact(void *context, struct fact f)
{
	struct page_facts *facts = context;

	f.origin.item = facts->item;
	f.origin.file = facts->part->snapshot.file;
	if (fact_get_info(f.key.id)->type == FACT_TEXT) {
		f.text = arena_strdup(facts->d->arena, f.text);
		if (!f.text)
			return -ENOMEM;
	}
	facts->n++;
	return part_add_fact(facts->d, facts->part, f);
}

static void add_note(void *context, const char *text)
{
	struct page_facts *facts = context;

	diag_add(facts->d->diag, DIAG_NOTE, facts->part->snapshot.file, 0, "%s: %s",
		 facts->item, text);
}

static int count_fact(void *context, struct fact f)
{
	size_t *n = context;

	(void)f;
	++*n;
	return 0;
}

static void drop_note(void *context, const char *text)
{
	(void)context;
	(void)text;
}

/* --- what else the reading holds ------------------------------------------------------------- */

static struct span body_of(const struct part *p, const char *id)
{
	const struct cap_snapshot *s = p->source;

	for (size_t i = 0; s && i < s->n_items; i++)
		if (s->items[i].status == CAP_OK && str_equal(s->items[i].id, id))
			return s->items[i].body;
	return (struct span){ 0 };
}

/* Once a snapshot: it may have as many items as a file holds. */
static void look_around(struct part *p)
{
	if (p->pages.looked)
		return;
	p->pages.looked = true;
	p->pages.identify = body_of(p, "ata/identify");
	p->pages.smart_data = body_of(p, "ata/smart/data");
	p->pages.directory = body_of(p, "ata/log/00/00");
}

/* Pages of a General Purpose log by the drive's directory, word n of which is for log n. */
static uint32_t log_pages(const struct part *p, const struct page *row)
{
	struct span size;

	if (row->source != PAGE_GPL ||
	    !span_cut(p->pages.directory, 2 * (size_t)row->address, 2, &size))
		return 0;
	return (uint32_t)(size.data[0] | size.data[1] << 8);
}

/* Each page counts once: a file may repeat it as often as it likes, a drive does not. */
static bool take_turn(struct part *p, const struct page *row, uint16_t page)
{
	size_t i = (size_t)(row - ata_pages);
	uint64_t bit = UINT64_C(1) << page % PAGE_LIMIT;

	if (i >= PAGE_ROWS || page >= PAGE_LIMIT || (p->pages.read[i] & bit))
		return false;
	p->pages.read[i] |= bit;
	return true;
}

/* Logs that tell the same: the first is read only when the drive gave nothing better. */
static const char *const better[][2] = {
	{ "ata/smart-log/01", "ata/log/03/00" },
	{ "ata/smart-log/02", "ata/log/03/00" },
	{ "ata/smart-log/02", "ata/smart-log/01" },
	{ "ata/smart-log/06", "ata/log/07/00" },
	{ "ata/smart-log/04", "ata/log/04/00" },
	{ "ata/smart-log/30", "ata/log/30/00" },
	{ "ata/log/e0/00", "ata/smart-log/e0" },
};

static bool tells_something(const struct part *p, const char *id)
{
	size_t n = 0;
	struct page_sink sink = { .add = count_fact, .note = drop_note, .context = &n };
	struct span body = body_of(p, id);

	return body.len && ata_decode_item(&sink, id, body, NULL) == 0 && n > 0;
}

static bool is_second_choice(const struct part *p, const char *id)
{
	for (size_t i = 0; i < array_size(better); i++)
		if (str_equal(id, better[i][0]) && tells_something(p, better[i][1]))
			return true;
	return false;
}

/* --- registers ----------------------------------------------------------------------------------- */

static bool get_hex(const struct cap_item *item, const char *name, uint64_t max,
		    uint64_t *ret)
{
	const char *text = cap_item_get(item, name);
	uint64_t value;

	if (!text || str_take_u64(&text, 16, &value) < 0 || *text || value > max)
		return false;
	*ret = value;
	return true;
}

/* The registers that hold the answer of a command; 0 stands for none that was not recorded. */
static const struct {
	const char *id;
	bool count, lba;
} answers[] = {
	{ "ata/smart/status", false, true },
	{ "ata/power-mode", true, false },
	{ "ata/sct/erc-read", true, true },
	{ "ata/sct/erc-write", true, true },
};

static bool has_answer(const struct cap_item *item)
{
	for (size_t i = 0; i < array_size(answers); i++)
		if (str_equal(answers[i].id, item->id))
			return (!answers[i].count || cap_item_get(item, "ata_count")) &&
			       (!answers[i].lba || cap_item_get(item, "ata_lba"));
	return false;
}

/*
 * registers=unknown says that the path gave none. Some importers know the answer alone: that the
 * item is ok stands for the Status of a command that ended without error.
 */
static struct ata_registers get_registers(const struct cap_item *item)
{
	static const struct {
		const char *name;
		uint64_t max;
	} rows[] = { { "ata_status", 0xff },
		     { "ata_error", 0xff },
		     { "ata_count", 0xffff },
		     { "ata_lba", UINT64_C(0xffffffffffff) },
		     { "ata_device", 0xff } };
	uint64_t value[array_size(rows)] = { ATA_STATUS_DRDY };
	const char *word = cap_item_get(item, "registers");
	struct ata_registers r = { .partial = str_equal(word, "partial") };

	r.known = has_answer(item) && !str_equal(word, "unknown");
	for (size_t i = 0; i < array_size(rows); i++)
		if (cap_item_get(item, rows[i].name) &&
		    !get_hex(item, rows[i].name, rows[i].max, &value[i]))
			r.known = false;
	r.status = (uint8_t)value[0];
	r.error = (uint8_t)value[1];
	r.count = (uint16_t)value[2];
	r.lba = value[3];
	r.device = (uint8_t)value[4];
	return r;
}

static void leave_out(struct decode *d, const struct part *p, const struct cap_item *item,
		      const char *why)
{
	diag_add(d->diag, DIAG_NOTE, p->snapshot.file, 0, "%s: %s, left out", item->id,
		 why);
}

int decode_page(struct decode *d, struct part *p, const struct cap_item *item)
{
	struct page_facts facts = { .d = d, .part = p };
	struct ata_registers registers = get_registers(item);
	struct page_sink sink = { .add = add_fact, .note = add_note, .context = &facts };
	uint16_t page = 0;
	const struct page *row = page_find(item->id, &page);

	if (!row) {
		leave_out(d, p, item, "not known to this version");
		return 0;
	}
	if (!take_turn(p, row, page)) {
		leave_out(d, p, item,
			  "a page that was read already, or beyond all others");
		return 0;
	}
	look_around(p);
	if (is_second_choice(p, item->id))
		return 0;
	facts.item = arena_strdup(d->arena, item->id);
	if (!facts.item)
		return -ENOMEM;
	sink.smart_data = p->pages.smart_data;
	sink.log_pages = log_pages(p, row);
	sink.sectors = page_identify_sectors(p->pages.identify);
	return ata_decode_item(&sink, facts.item, item->body, &registers);
}
