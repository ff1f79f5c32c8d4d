/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "opinion/libatasmart.h"

#include <stddef.h>
#include <stdint.h>
/* atasmart.h forgets to include these two itself */
#include <atasmart.h>
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "model/fact.h"

#define SECTOR 512u

static const struct cap_item *find_item(const struct cap_snapshot *s, const char *id)
{
	for (size_t i = 0; i < s->n_items; i++)
		if (s->items[i].status == CAP_OK && str_equal(s->items[i].id, id))
			return &s->items[i];
	return NULL;
}

static void add_record(struct buf *b, const char *tag, const void *body, uint32_t size)
{
	const uint8_t length[] = { (uint8_t)(size >> 24), (uint8_t)(size >> 16),
				   (uint8_t)(size >> 8), (uint8_t)size };

	buf_add(b, tag, 4);
	buf_add(b, length, sizeof(length));
	buf_add(b, body, size);
}

/* SMART RETURN STATUS: 1 good, 0 bad, -1 when the registers say neither. */
static int status_of(const struct cap_snapshot *s)
{
	const struct cap_item *item = find_item(s, "ata/smart/status");
	const char *text = item ? cap_item_get(item, "ata_lba") : NULL;
	uint64_t lba;

	if (!text || str_take_u64(&text, 16, &lba) < 0)
		return -1;
	if ((lba >> 8 & 0xffff) == 0xc24f)
		return 1;
	return (lba >> 8 & 0xffff) == 0x2cf4 ? 0 : -1;
}

int opinion_blob(const struct cap_snapshot *s, struct buf *ret)
{
	static const struct {
		const char *tag, *id;
	} pages[] = {
		{ "IDFY", "ata/identify" },
		{ "SMDT", "ata/smart/data" },
		{ "SMTH", "ata/smart/thresholds" },
	};
	int status = status_of(s);
	const uint8_t word[4] = { 0, 0, 0, status == 1 };
	struct span body[array_size(pages)];

	if (status < 0)
		return -ENODATA;
	for (size_t i = 0; i < array_size(pages); i++) {
		const struct cap_item *item = find_item(s, pages[i].id);

		if (!item || item->body.len != SECTOR)
			return -ENODATA;
		body[i] = item->body;
	}
	add_record(ret, "SMST", word, sizeof(word));
	for (size_t i = 0; i < array_size(pages); i++)
		add_record(ret, pages[i].tag, body[i].data, SECTOR);
	return buf_error(ret);
}

static void put_u64(struct buf *b, enum fact_id id, uint64_t value)
{
	fact_add_line(b, &(struct fact){ .key = { id, 0, 0 }, .u = value });
}

/* The greatest of the attributes that it gives one of these names and this unit. */
struct greatest {
	const char *const *names;
	SkSmartAttributeUnit unit;
	bool found;
	uint64_t value;
};

static void take_greatest(struct greatest *g, const SkSmartAttributeParsedData *a)
{
	if (a->pretty_unit != g->unit || (g->found && a->pretty_value <= g->value))
		return;
	for (size_t i = 0; g->names[i]; i++) {
		if (str_equal(a->name, g->names[i])) {
			g->found = true;
			g->value = a->pretty_value;
		}
	}
}

struct attributes {
	struct greatest temperature, power_on; /* millikelvin, milliseconds */
};

static void take_attribute(SkDisk *d, const SkSmartAttributeParsedData *a, void *data)
{
	struct attributes *all = data;

	(void)d;
	take_greatest(&all->temperature, a);
	take_greatest(&all->power_on, a);
}

/*
 * sk_disk_smart_get_temperature() and sk_disk_smart_get_power_on() in one walk over the attributes.
 * Each walk compiles its whole list of quirks as regular expressions, which took most of the time
 * that a diagnosis takes.
 */
static void put_attributes(struct buf *b, SkDisk *d)
{
	static const char *const temperatures[] = { "temperature-centi-celsius",
						    "temperature-celsius",
						    "temperature-celsius-2",
						    "airflow-temperature-celsius", NULL };
	static const char *const times[] = {
		"power-on-minutes",	 "power-on-seconds", "power-on-seconds-2",
		"power-on-half-minutes", "power-on-hours",   NULL
	};
	struct attributes all = {
		.temperature = { temperatures, SK_SMART_ATTRIBUTE_UNIT_MKELVIN },
		.power_on = { times, SK_SMART_ATTRIBUTE_UNIT_MSECONDS },
	};

	if (sk_disk_smart_parse_attributes(d, take_attribute, &all) < 0)
		return;
	if (all.temperature.found)
		fact_add_line(b, &(struct fact){
					 .key = { FACT_OPINION_TEMPERATURE, 0, 0 },
					 .s = ((int64_t)all.temperature.value - 273150) /
					      1000 });
	if (all.power_on.found)
		put_u64(b, FACT_OPINION_HOURS, all.power_on.value / 3600000);
}

static void put_answers(struct buf *b, SkDisk *d)
{
	SkSmartOverall overall;
	uint64_t u;

	if (sk_disk_smart_get_overall(d, &overall) == 0)
		fact_add_line(
			b, &(struct fact){ .key = { FACT_OPINION_OVERALL, 0, 0 },
					   .text = sk_smart_overall_to_string(overall) });
	if (sk_disk_smart_get_bad(d, &u) == 0)
		put_u64(b, FACT_OPINION_BAD, u);
	put_attributes(b, d);
}

static int ask(struct capture *c, struct cap_snapshot *s, const struct buf *blob)
{
	struct buf facts cleanup_buf = { 0 };
	SkDisk *d = NULL;
	int r = 0;

	if (sk_disk_open(NULL, &d) < 0)
		return -ENOMEM;
	if (sk_disk_set_blob(d, buf_text(blob), blob->len) == 0)
		put_answers(&facts, d);
	sk_disk_free(d);
	if (buf_error(&facts) < 0)
		r = -ENOMEM;
	else if (facts.len &&
		 !capture_add_item(c, s, "facts/libatasmart", CAP_OK, buf_span(&facts)))
		r = -ENOMEM;
	return r;
}

int opinion_add(struct capture *c)
{
	for (size_t i = 0; i < c->n_subjects; i++) {
		for (size_t k = 0; k < c->subjects[i].n_snapshots; k++) {
			struct cap_snapshot *s = &c->subjects[i].snapshots[k];
			struct buf blob cleanup_buf = { 0 };
			int r;

			if (find_item(s, "facts/libatasmart"))
				continue; /* a capture that was asked before */
			r = opinion_blob(s, &blob);
			if (r == 0)
				r = ask(c, s, &blob);
			if (r < 0 && r != -ENODATA)
				return r;
		}
	}
	return 0;
}
