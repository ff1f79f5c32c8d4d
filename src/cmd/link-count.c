/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/link-count.h"

#include <errno.h>

#include "ata/command.h"
#include "ata/pages.h"

#define PHY_LOG	   0x11u
#define TIMEOUT_MS 5000u

/* SATA Phy Event Counters, Serial ATA 3.x 13.8. */
static const uint32_t ids[LINK_COUNTERS] = {
	[LINK_ICRC] = 0x001,	/* command failed with ICRC */
	[LINK_DATA] = 0x002,	/* R_ERR to data FIS, both directions */
	[LINK_TO_HOST] = 0x003, /* R_ERR to drive-to-host data FIS */
	[LINK_TO_DRIVE] = 0x004,
};

struct taken {
	uint64_t value[LINK_COUNTERS];
	bool there[LINK_COUNTERS];
};

static int take(void *context, struct fact f)
{
	struct taken *t = context;

	for (unsigned i = 0; f.key.id == FACT_PHY_VALUE && i < LINK_COUNTERS; i++) {
		if (f.key.i != ids[i])
			continue;
		t->value[i] = f.u;
		t->there[i] = true;
	}
	return 0;
}

static void ignore(void *context, const char *text)
{
	(void)context;
	(void)text;
}

static uint64_t moved(const struct link_count *l, const struct taken *t, unsigned i)
{
	return l->there[i] && t->there[i] && t->value[i] > l->first[i]
		       ? t->value[i] - l->first[i]
		       : 0;
}

static uint64_t most(const struct link_count *l, const struct taken *t)
{
	uint64_t both = moved(l, t, LINK_TO_HOST) + moved(l, t, LINK_TO_DRIVE);
	uint64_t data = moved(l, t, LINK_DATA), icrc = moved(l, t, LINK_ICRC);

	both = both > data ? both : data;
	return both > icrc ? both : icrc;
}

int link_count_read(struct link_count *l, uint64_t *ret)
{
	struct ata_command c = ata_read_log_ext(PHY_LOG, 0, 1, false, false);
	uint8_t page[ATA_SECTOR];
	struct transport_result result = { 0 };
	struct taken t = { .there = { false } };
	struct page_sink sink = { .add = take, .note = ignore, .context = &t };
	int r = transport_send(l->transport, &c, page, TIMEOUT_MS, &result);

	if (r < 0)
		return r;
	r = ata_decode_item(&sink, "ata/log/11/00", span_of(page, sizeof(page)), NULL);
	if (r < 0)
		return r;
	for (unsigned i = 0; !l->begun && i < LINK_COUNTERS; i++) {
		l->first[i] = t.value[i];
		l->there[i] = t.there[i];
	}
	l->begun = true;
	*ret = most(l, &t);
	return 0;
}
