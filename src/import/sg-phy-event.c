/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sg_sat_phy_event: the phy event counters by name, or with -i by number:
 *
 *   SATA phy event counters:
 *     Transition from drive PHYRDY to drive PHYRDYn: 58
 *     id=0x9, vendor=0, data_len=4, val=58
 */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/importers.h"
#include "import/posted.h"
#include "import/words.h"

#define SECTION	   "sg_sat_phy_event"
#define MAX_ROWS   64u
#define MAX_DRIVES 64u

/* The names of sg3_utils 1.4x for the counters of Serial ATA 3.x 13.7.2. */
static const struct {
	uint32_t id;
	const char *name;
} counters[] = {
	{ 0x001, "Command failed and ICRC error bit set in Error register" },
	{ 0x002, "R_ERR(p) response for data FIS" },
	{ 0x003, "R_ERR(p) response for device-to-host data FIS" },
	{ 0x004, "R_ERR(p) response for host-to-device data FIS" },
	{ 0x005, "R_ERR(p) response for non-data FIS" },
	{ 0x006, "R_ERR(p) response for device-to-host non-data FIS" },
	{ 0x007, "R_ERR(p) response for host-to-device non-data FIS" },
	{ 0x008, "Device-to-host non-data FIS retries" },
	{ 0x009, "Transition from drive PHYRDY to drive PHYRDYn" },
	{ 0x00a, "Signature device-to-host register FISes due to COMRESET" },
	{ 0x00b, "CRC errors within host-to-device FIS" },
	{ 0x00d, "non CRC errors within host-to-device FIS" },
	{ 0x00f, "R_ERR(p) response for host-to-device data FIS, CRC" },
	{ 0x010, "R_ERR(p) response for host-to-device data FIS, non-CRC" },
	{ 0x012, "R_ERR(p) response for host-to-device non-data FIS, CRC" },
	{ 0x013, "R_ERR(p) response for host-to-device non-data FIS, non-CRC" },
};

static void put(struct emit *e, uint32_t id, uint64_t size, uint64_t value, size_t line)
{
	emit_u64(e, FACT_PHY_VALUE, id, 0, value, line);
	if (!size)
		return;
	emit_u64(e, FACT_PHY_SIZE, id, 0, size, line);
	if (size < 8 && value == (UINT64_C(1) << (8 * size)) - 1)
		emit_flag(e, FACT_PHY_SATURATED, id, true, line);
}

static bool read_named(struct emit *e, const char *s, size_t line)
{
	for (size_t i = 0; i < array_size(counters); i++) {
		struct scan sc = { words_after(s, counters[i].name) };
		uint64_t u;

		if (!sc.p || !scan_text(&sc, ":") || !scan_u64(&sc, &u) || !scan_end(&sc))
			continue;
		put(e, counters[i].id, 0, u, line);
		emit_text(e, FACT_PHY_NAME, counters[i].id, 0, counters[i].name, line);
		return true;
	}
	return false;
}

/* A counter of the maker has the highest bit of its identifier set. */
static bool read_numbered(struct emit *e, const char *s, size_t line)
{
	struct scan sc = { s };
	uint64_t id, vendor, len, value;

	if (!scan_text(&sc, "id=0x") || str_take_u64(&sc.p, 16, &id) < 0 || id > 0xfff ||
	    !scan_text(&sc, ", vendor=") || !scan_u64(&sc, &vendor) || vendor > 1 ||
	    !scan_text(&sc, ", data_len=") || !scan_u64(&sc, &len) ||
	    !scan_text(&sc, ", val=") || !scan_u64(&sc, &value) || !scan_end(&sc) ||
	    (len != 2 && len != 4 && len != 8) || !id)
		return false;
	put(e, (uint32_t)id | (vendor ? 0x8000 : 0), len, value, line);
	return true;
}

static bool is_start(const char *s)
{
	return str_equal(s, "SATA phy event counters:");
}

/* The row at INDEX, or with the rest of it that mail put on the next line; how many lines. */
static size_t read_row(struct emit *e, size_t index)
{
	const struct text *t = e->im->text;
	struct buf b cleanup_buf = { 0 };
	const struct text_line *l = &t->lines[index], *next = l + 1;

	if (l->cut)
		return 0;
	if (read_named(e, l->s, index) || read_numbered(e, l->s, index))
		return 1;
	if (index + 1 >= t->n || next->cut || !next->len)
		return 0;
	buf_printf(&b, "%s %s", l->s, next->s);
	return read_named(e, buf_text(&b), index) || read_numbered(e, buf_text(&b), index)
		       ? 2
		       : 0;
}

static size_t read_rows(struct emit *e, size_t i)
{
	struct text *t = e->im->text;

	for (size_t n = 0; i < t->n && n < MAX_ROWS;) {
		size_t lines;

		if (!t->lines[i].len || t->lines[i].state != LINE_OPEN) {
			/* double spaced */
			if (i + 1 >= t->n || !t->lines[i + 1].len)
				break;
			i++;
			continue;
		}
		lines = read_row(e, i);
		if (!lines) {
			if (!strstr(t->lines[i].s, "FIS") &&
			    !str_starts(t->lines[i].s, "id=0x"))
				break;
			text_claim(t, i++, LINE_DAMAGED, SECTION);
		}
		for (n++; lines; lines--)
			text_claim(t, i++, LINE_READ, SECTION);
	}
	return i;
}

static int read_events(struct import *im)
{
	struct text *t = im->text;
	int n = 0;

	for (size_t i = 0; i < t->n && n < (int)MAX_DRIVES;) {
		struct emit e = { .im = im };
		char device[64];
		size_t at;
		const char *command;
		int r;

		if (t->lines[i].state != LINE_OPEN || !is_start(t->lines[i].s)) {
			i++;
			continue;
		}
		text_claim(t, i, LINE_READ, SECTION);
		command = posted_command_above(t, i, "sg_sat_phy_event", 3, &at);
		if (command) {
			text_claim(t, at, LINE_READ, SECTION);
			if (posted_device(command, device, sizeof(device)) &&
			    posted_is_disk(device))
				emit_text(&e, FACT_DEVICE, 0, 0, device, at);
		}
		i = read_rows(&e, i + 1);
		r = emit_done(&e, CAP_DRIVE, "facts/sg_sat_phy_event");
		if (r < 0)
			return r;
		n++;
	}
	return n;
}

const struct importer importer_sg_phy_event = {
	.name = "sg-phy-event",
	.describe = "sg_sat_phy_event, by name and with -i",
	.read = read_events,
};
