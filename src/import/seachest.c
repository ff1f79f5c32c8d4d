/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * openSeaChest and SeaChest: attributes as --smartAttributes raw prints them, phy event counters and
 * device statistics. Below a banner stands one line that says who the drive is:
 *
 *   /dev/sg0 - MODEL - SERIAL - FIRMWARE - ATA
 *
 * The other two views of attributes decode values in ways of their own and are not read.
 */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/importers.h"
#include "import/posted.h"
#include "import/words.h"

#define SECTION	   "openSeaChest"
#define MAX_DRIVES 64u
#define MAX_LINES  400u

enum part { PART_NONE, PART_ATTRIBUTES, PART_DECODED, PART_PHY, PART_STATISTICS };

static bool is_banner(const char *s)
{
	return strstr(s, "SeaChest_") && strstr(s, " drive utilities");
}

static bool is_drive(const char *s)
{
	return str_ends(s, " - ATA") || str_ends(s, " - NVMe") ||
	       str_ends(s, " - SCSI") || str_ends(s, " - SAS");
}

/* HANDLE - MODEL - SERIAL - FIRMWARE - ATA, the handle may be empty; with a field lost none is sure. */
static void put_drive(struct emit *e, const char *s, size_t line)
{
	static const enum fact_id ids[] = { FACT_DEVICE, FACT_MODEL, FACT_SERIAL,
					    FACT_FIRMWARE };
	const char *fields[8];
	size_t lens[8], n = 0;

	while (n < array_size(fields)) {
		const char *end = strstr(s, n || *s != '-' ? " - " : "- ");

		fields[n] = s;
		lens[n++] = end ? (size_t)(end - s) : strlen(s);
		if (!end)
			break;
		s = end + (*end == ' ' ? 3 : 2);
	}
	if (n != array_size(ids) + 1)
		return;
	for (size_t i = 0; i < array_size(ids); i++) {
		struct buf b cleanup_buf = { 0 };
		const char *text;

		buf_add(&b, fields[i], lens[i]);
		text = buf_text(&b);
		/* a handle of sg or of Windows is not the name of a disk */
		if (i == 0) {
			text = str_after(text, "/dev/");
			if (!text || !posted_is_disk(text))
				continue;
		}
		if (*text)
			emit_text(e, ids[i], 0, 0, text, line);
	}
}

/* ---- attributes ------------------------------------------------------------------------------ */

/* "000Fh" */
static bool hex_of(struct word w, size_t digits, uint64_t *ret)
{
	struct word number = { w.s, digits };

	return w.len == digits + 1 && w.s[digits] == 'h' && word_is_hex(number, digits) &&
	       word_u64(number, 16, ret) == 0;
}

/* "* 1 Read Error Rate 000Fh 74h 63h 06h 0000000679E069h" */
static bool read_attribute(struct emit *e, const char *s, size_t line)
{
	struct word w[16];
	size_t n, first;
	uint64_t id, flags, v[3], raw;
	struct buf name cleanup_buf = { 0 };
	char text[16];

	if (*s == '*')
		s += 1 + strspn(s + 1, " ");
	n = words_split(s, w, array_size(w));
	if (n < 7 || n == array_size(w) || word_u64(w[0], 10, &id) < 0 || !id ||
	    id > 255 || !hex_of(w[n - 1], 14, &raw) || !hex_of(w[n - 5], 4, &flags))
		return false;
	for (size_t i = 0; i < 3; i++)
		if (!hex_of(w[n - 4 + i], 2, &v[i]))
			return false;
	first = 1;
	buf_add(&name, w[first].s, (size_t)(w[n - 6].s + w[n - 6].len - w[first].s));
	emit_text(e, FACT_ATTR_NAME, (uint32_t)id, 0, buf_text(&name), line);
	emit_u64(e, FACT_ATTR_FLAGS, (uint32_t)id, 0, flags, line);
	emit_u64(e, FACT_ATTR_VALUE, (uint32_t)id, 0, v[0], line);
	emit_u64(e, FACT_ATTR_WORST, (uint32_t)id, 0, v[1], line);
	emit_u64(e, FACT_ATTR_THRESHOLD, (uint32_t)id, 0, v[2], line);
	/* seven bytes: six of the raw value, and the reserved one above them */
	emit_u64(e, FACT_ATTR_RAW, (uint32_t)id, 0, raw & 0xffffffffffff, line);
	(void)snprintf(text, sizeof(text), "0x%012llx",
		       (unsigned long long)(raw & 0xffffffffffff));
	emit_text(e, FACT_ATTR_RAW_TEXT, (uint32_t)id, 0, text, line);
	if (raw >> 48)
		emit_u64(e, FACT_ATTR_RESERVED, (uint32_t)id, 0, raw >> 48, line);
	return true;
}

/* ---- phy event counters ------------------------------------------------------------------------- */

/* "[V ][M ]10 13 H2D FISes sent due to COMRESET" */
static bool read_phy(struct emit *e, const char *s, size_t line)
{
	bool vendor = false, most = false;
	struct scan sc;
	uint64_t id, value;

	for (; *s == 'V' || *s == 'M' || *s == ' '; s++) {
		vendor |= *s == 'V';
		most |= *s == 'M';
	}
	sc.p = s;
	if (!scan_u64(&sc, &id) || !id || id > 0xffff || *sc.p != ' ' ||
	    !scan_u64(&sc, &value) || *sc.p != ' ')
		return false;
	if (vendor && id < 0x8000) /* which of the maker's it is, is not sure */
		return true;
	emit_u64(e, FACT_PHY_VALUE, (uint32_t)id, 0, value, line);
	if (most)
		emit_flag(e, FACT_PHY_SATURATED, (uint32_t)id, true, line);
	scan_blanks(&sc);
	if (*sc.p)
		emit_text(e, FACT_PHY_NAME, (uint32_t)id, 0, sc.p, line);
	return true;
}

/* ---- device statistics ---------------------------------------------------------------------------- */

/* ACS-4 9.5: page and offset of what is known by name. */
static const struct {
	const char *name;
	uint32_t page, offset;
} statistics[] = {
	{ "LifeTime Power-On Resets", 1, 0x008 },
	{ "Power-On Hours", 1, 0x010 },
	{ "Logical Sectors Written", 1, 0x018 },
	{ "Number Of Write Commands", 1, 0x020 },
	{ "Logical Sectors Read", 1, 0x028 },
	{ "Number Of Read Commands", 1, 0x030 },
	{ "Number Of Free-Fall Events Detected", 2, 0x008 },
	{ "Overlimit Shock Events", 2, 0x010 },
	{ "Spindle Motor Power-On Hours", 3, 0x008 },
	{ "Head Flying Hours", 3, 0x010 },
	{ "Head Load Events", 3, 0x018 },
	{ "Number Of Reallocated Logical Sectors", 3, 0x020 },
	{ "Read Recovery Attempts", 3, 0x028 },
	{ "Number Of Mechanical Start Failures", 3, 0x030 },
	{ "Number Of Reallocation Candidate Logical Sectors", 3, 0x038 },
	{ "Number Of High Priority Unload Events", 3, 0x040 },
	{ "Number Of Reported Uncorrectable Errors", 4, 0x008 },
	{ "Number Of Resets Between Command Acceptance and Command Completion", 4,
	  0x010 },
	{ "Current Temperature", 5, 0x008 },
	{ "Average Short Term Temperature", 5, 0x010 },
	{ "Average Long Term Temperature", 5, 0x018 },
	{ "Highest Temperature", 5, 0x020 },
	{ "Lowest Temperature", 5, 0x028 },
	{ "Number Of Hardware Resets", 6, 0x008 },
	{ "Number Of ASR Events", 6, 0x010 },
	{ "Number Of Interface CRC Errors", 6, 0x018 },
	{ "Percentage Used Endurance Indicator", 7, 0x008 },
};

static char small(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* The same words, whatever their case; what follows, or NULL. */
static const char *behind_name(const char *s, const char *name)
{
	for (; *name; name++, s++) {
		if (small(*s) != small(*name))
			return NULL;
		if (*name == ' ')
			while (s[1] == ' ')
				s++;
	}
	return *s == ' ' ? s : NULL;
}

/* "[*!-] NAME N/A 61 hours"; a threshold of another form leaves open which number is which. */
static bool read_statistic(struct emit *e, const char *s, size_t line)
{
	s += strspn(s, "*!- ");
	for (size_t i = 0; i < array_size(statistics); i++) {
		struct scan sc = { behind_name(s, statistics[i].name) };
		uint64_t u;
		bool minus;

		if (!sc.p || !scan_text(&sc, "N/A"))
			continue;
		minus = scan_text(&sc, "-");
		if (!scan_u64(&sc, &u) || (*sc.p && *sc.p != ' ') || u > INT64_MAX)
			continue;
		emit_s64(e, FACT_STAT_VALUE, statistics[i].page, statistics[i].offset,
			 minus ? -(int64_t)u : (int64_t)u, line);
		emit_text(e, FACT_STAT_NAME, statistics[i].page, statistics[i].offset,
			  statistics[i].name, line);
		return true;
	}
	return false;
}

/* ---- the walk ---------------------------------------------------------------------------------------- */

static enum part part_of(const char *s, enum part part)
{
	if (strstr(s, "SATA Phy Event Counters"))
		return PART_PHY;
	if (strstr(s, "Device Statistics") && *s == '=')
		return PART_STATISTICS;
	if (words_after(s, "# Attribute Name:"))
		return strstr(s, "Status:") ? PART_ATTRIBUTES : PART_DECODED;
	return part;
}

static bool read_line(struct emit *e, enum part part, const char *s, size_t line)
{
	switch (part) {
	case PART_ATTRIBUTES:
		return read_attribute(e, s, line);
	case PART_PHY:
		return read_phy(e, s, line);
	case PART_STATISTICS:
		return read_statistic(e, s, line);
	case PART_NONE:
	case PART_DECODED:
		return false;
	}
	return false;
}

/* Lines around a report, and those of its legends. */
static bool is_prose(const char *s)
{
	static const char *const starts[] = {
		"=",
		"-",
		"Copyright (c)",
		"Build Date:",
		"Today:",
		"SMART Version:",
		"V = ",
		"M = ",
		"D2H = ",
		"H2D = ",
		"* = ",
		"! = ",
		"ID ",
		"Statistic Name:",
		"# Attribute",
	};

	for (size_t i = 0; i < array_size(starts); i++)
		if (str_starts(s, starts[i]))
			return true;
	return strstr(s, "SeaChest_") != NULL || str_equal(s, ".");
}

/* A row, or a row together with the rest of it on the next line; how many lines, 0 for none. */
static size_t read_row(struct emit *e, enum part part, size_t line)
{
	const struct text *t = e->im->text;
	const struct text_line *l = &t->lines[line], *next = l + 1;
	struct buf b cleanup_buf = { 0 };

	if (read_line(e, part, l->s, line))
		return 1;
	if (part == PART_NONE || line + 1 >= t->n || next->cut || !next->len ||
	    next->state != LINE_OPEN)
		return 0;
	buf_printf(&b, "%s %s", l->s, next->s);
	return read_line(e, part, buf_text(&b), line) ? 2 : 0;
}

/* "_ Version: 2.6.0 X86_64" comes once a banner; a second one ends the report. */
static size_t read_report(struct emit *e, size_t index)
{
	struct text *t = e->im->text;
	enum part part = PART_NONE;
	bool drive = false;
	size_t i, strange = 0;

	for (i = index; i < t->n && i < index + MAX_LINES; i++) {
		const struct text_line *l = &t->lines[i];
		size_t rows;

		if (!l->len)
			continue;
		if (l->state != LINE_OPEN || (i > index && is_banner(l->s)))
			break;
		if (l->cut) {
			text_claim(t, i, LINE_DAMAGED, SECTION);
			continue;
		}
		part = part_of(l->s, part);
		if (!drive && is_drive(l->s)) {
			drive = true;
			put_drive(e, l->s, i);
			text_claim(t, i, LINE_READ, SECTION);
		} else if ((rows = read_row(e, part, i)) > 0) {
			for (; rows; rows--)
				text_claim(t, i++, LINE_READ, SECTION);
			i--;
			strange = 0;
		} else if (is_prose(l->s) || part == PART_DECODED ||
			   (part == PART_STATISTICS && strstr(l->s, " N/A"))) {
			text_claim(t, i, LINE_KNOWN, SECTION);
		} else if (++strange > 6) {
			break;
		}
	}
	if (part == PART_DECODED)
		diag_add(e->im->diag, DIAG_NOTE, t->file, t->lines[index].number,
			 "openSeaChest: only --smartAttributes raw tells the values as "
			 "the "
			 "drive has them: the other views are left out");
	return i;
}

static int read_seachest(struct import *im)
{
	const struct text *t = im->text;
	int n = 0;

	for (size_t i = 0; i < t->n && n < (int)MAX_DRIVES;) {
		struct emit e = { .im = im };
		int r;

		if (t->lines[i].state != LINE_OPEN || !is_banner(t->lines[i].s)) {
			i++;
			continue;
		}
		i = read_report(&e, i);
		r = emit_done(&e, CAP_DRIVE, "facts/openseachest");
		if (r < 0)
			return r;
		n++;
	}
	return n;
}

const struct importer importer_seachest = {
	.name = "openseachest",
	.describe = "openSeaChest: raw SMART attributes, phy event counters, device "
		    "statistics",
	.read = read_seachest,
};
