/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hdparm -I: IDENTIFY DEVICE data in words. The report begins with "ATA device, with ..." and is
 * made of headings and lines below them; what a line says is looked up by its first words, so that
 * lost tabs and blanks do not matter.
 */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/importers.h"
#include "import/posted.h"
#include "import/words.h"

#define SECTION	    "hdparm -I"
#define NAME_SPAN   4u
#define MAX_LINES   200u
#define MAX_DRIVES  64u
#define MAX_STRANGE 3u

struct report {
	struct import *im;
	struct emit e;
	uint64_t sectors[2], logical; /* by LBA, by LBA48 */
	size_t sectors_line;
	uint64_t speed; /* Mbit/s */
	size_t speed_line;
	bool features, security, checksum_bad;
	bool behind_speed; /* something stands below the speeds: they are all there */
};

enum form { FORM_KNOWN, FORM_TEXT, FORM_HEX };

static const struct {
	const char *start;
	enum form form;
	enum fact_id id;
} lines[] = {
	{ "Model Number:", FORM_TEXT, FACT_MODEL },
	{ "Serial Number:", FORM_TEXT, FACT_SERIAL },
	{ "Firmware Revision:", FORM_TEXT, FACT_FIRMWARE },
	{ "Logical Unit WWN Device Identifier:", FORM_HEX, FACT_WWN },
	{ "Media Serial Num", FORM_KNOWN, 0 },
	{ "Media Manufacturer", FORM_KNOWN, 0 },
	{ "Transport:", FORM_KNOWN, 0 },
	{ "Standards:", FORM_KNOWN, 0 },
	{ "Used:", FORM_KNOWN, 0 },
	{ "Supported:", FORM_KNOWN, 0 },
	{ "Likely used", FORM_KNOWN, 0 },
	{ "& some of", FORM_KNOWN, 0 },
	{ "Configuration:", FORM_KNOWN, 0 },
	{ "CHS addressing not supported", FORM_KNOWN, 0 },
	{ "Logical max current", FORM_KNOWN, 0 },
	{ "cylinders", FORM_KNOWN, 0 },
	{ "heads", FORM_KNOWN, 0 },
	{ "sectors/track", FORM_KNOWN, 0 },
	{ "--", FORM_KNOWN, 0 },
	{ "CHS current addressable sectors:", FORM_KNOWN, 0 },
	{ "bytes/track:", FORM_KNOWN, 0 },
	{ "Logical Sector-0 offset:", FORM_KNOWN, 0 },
	{ "device size with M", FORM_KNOWN, 0 },
	{ "cache/buffer size", FORM_KNOWN, 0 },
	{ "Form Factor:", FORM_TEXT, FACT_FORM_FACTOR },
	{ "Capabilities:", FORM_KNOWN, 0 },
	{ "LBA, ", FORM_KNOWN, 0 },
	{ "IORDY", FORM_KNOWN, 0 },
	{ "Queue depth:", FORM_KNOWN, 0 },
	{ "Standby timer values:", FORM_KNOWN, 0 },
	{ "R/W multiple sector transfer:", FORM_KNOWN, 0 },
	{ "Recommended acoustic management", FORM_KNOWN, 0 },
	{ "DMA:", FORM_KNOWN, 0 },
	{ "Cycle time:", FORM_KNOWN, 0 },
	{ "PIO:", FORM_KNOWN, 0 },
	{ "Advanced power management level:", FORM_KNOWN, 0 },
	{ "Buffer type:", FORM_KNOWN, 0 },
	{ "bytes avail on r/w long:", FORM_KNOWN, 0 },
	{ "Can perform double-word IO", FORM_KNOWN, 0 },
	{ "Enabled Supported:", FORM_KNOWN, 0 },
	{ "NAA", FORM_KNOWN, 0 },
	{ "IEEE OUI", FORM_KNOWN, 0 },
	{ "Unique ID", FORM_KNOWN, 0 },
	{ "HW reset results:", FORM_KNOWN, 0 },
	{ "CBLID-", FORM_KNOWN, 0 },
	{ "Device num =", FORM_KNOWN, 0 },
	{ "Master password revision code", FORM_KNOWN, 0 },
	{ "Security level", FORM_KNOWN, 0 },
	{ "Integrity word not set", FORM_KNOWN, 0 },
	{ "Checksum: correct", FORM_KNOWN, 0 },
	{ "Additional sense", FORM_KNOWN, 0 },
	{ "Logical/Physical Sector size:", FORM_KNOWN, 0 },
	{ "Removable Media Status", FORM_KNOWN, 0 },
	{ "Device Sleep (DEVSLP)", FORM_KNOWN, 0 },
	{ "DEVSLP", FORM_KNOWN, 0 },
	{ "Device Sleep Exit Timeout", FORM_KNOWN, 0 },
	{ "Minimum DEVSLP", FORM_KNOWN, 0 },
};

static bool is_start(const char *s)
{
	return words_after(s, "ATA device, with") || words_after(s, "ATAPI ");
}

/* ---- numbers ---------------------------------------------------------------------------------- */

static bool number_behind(const char *s, const char *start, uint64_t *ret)
{
	struct scan sc = { words_after(s, start) };

	return sc.p && scan_u64(&sc, ret) && (!*sc.p || *sc.p == ' ');
}

static bool read_number(struct report *r, const char *s, size_t line)
{
	const char *rest = words_after(s, "Nominal Media Rotation Rate:");
	uint64_t u;

	if (number_behind(s, "LBA user addressable sectors:", &r->sectors[0]) ||
	    number_behind(s, "LBA48 user addressable sectors:", &r->sectors[1])) {
		r->sectors_line = line;
	} else if (number_behind(s, "Logical/Physical Sector size:", &u)) {
		r->logical = u;
		emit_u64(&r->e, FACT_LOGICAL_SECTOR, 0, 0, u, line);
		emit_u64(&r->e, FACT_PHYSICAL_SECTOR, 0, 0, u, line);
	} else if (number_behind(s, "Logical Sector size:", &u)) {
		r->logical = u;
		emit_u64(&r->e, FACT_LOGICAL_SECTOR, 0, 0, u, line);
	} else if (number_behind(s, "Physical Sector size:", &u)) {
		emit_u64(&r->e, FACT_PHYSICAL_SECTOR, 0, 0, u, line);
	} else if (rest) {
		struct scan sc = { rest };

		if (scan_text(&sc, "Solid State Device"))
			emit_u64(&r->e, FACT_ROTATION, 0, 0, 0, line);
		else if (scan_u64(&sc, &u) && scan_end(&sc) && u > 400)
			emit_u64(&r->e, FACT_ROTATION, 0, 0, u, line);
	} else {
		return false;
	}
	return true;
}

/* ---- features and security --------------------------------------------------------------------- */

/* "* Write cache": the star says enabled. */
static bool read_feature(struct report *r, const char *s, size_t line)
{
	static const struct {
		const char *name;
		enum fact_id id;
	} flags[] = {
		{ "SMART feature set", FACT_SMART_ENABLED },
		{ "Write cache", FACT_WRITE_CACHE },
		{ "Look-ahead", FACT_READ_LOOKAHEAD },
	};
	static const struct {
		const char *name;
		uint64_t mbps;
	} speeds[] = {
		{ "Gen1 signaling speed (1.5Gb/s)", 1500 },
		{ "Gen2 signaling speed (3.0Gb/s)", 3000 },
		{ "Gen3 signaling speed (6.0Gb/s)", 6000 },
	};
	bool on = *s == '*';

	s += on;
	while (*s == ' ')
		s++;
	for (size_t i = 0; i < array_size(flags); i++) {
		if (!str_equal(s, flags[i].name))
			continue;
		emit_flag(&r->e, flags[i].id, 0, on, line);
		if (flags[i].id == FACT_SMART_ENABLED)
			emit_flag(&r->e, FACT_SMART_AVAILABLE, 0, true, line);
	}
	for (size_t i = 0; i < array_size(speeds); i++) {
		if (!str_equal(s, speeds[i].name) || !on || speeds[i].mbps < r->speed)
			continue;
		r->speed = speeds[i].mbps;
		r->speed_line = line;
	}
	return on;
}

static bool read_security(struct report *r, const char *s, size_t line)
{
	static const struct {
		const char *word;
		enum fact_id id;
	} states[] = {
		{ "supported", FACT_COUNT },
		{ "enabled", FACT_SECURITY_ENABLED },
		{ "locked", FACT_SECURITY_LOCKED },
		{ "frozen", FACT_SECURITY_FROZEN },
	};
	const char *not = words_after(s, "not ");

	if (words_after(not ? not : s, "expired: security count") ||
	    words_after(not ? not : s, "supported: enhanced erase") ||
	    strstr(s, "SECURITY ERASE UNIT"))
		return true;
	for (size_t i = 0; i < array_size(states); i++) {
		if (!str_equal(not ? not : s, states[i].word))
			continue;
		if (states[i].id != FACT_COUNT)
			emit_flag(&r->e, states[i].id, 0, !not, line);
		return true;
	}
	return false;
}

/* ---- lines ------------------------------------------------------------------------------------------ */

static void emit_trimmed(struct report *r, enum fact_id id, const char *s, size_t line)
{
	while (*s == ' ')
		s++;
	if (*s)
		emit_text(&r->e, id, 0, 0, s, line);
}

static bool read_line(struct report *r, size_t line)
{
	const struct text_line *l = &r->im->text->lines[line];

	if (r->speed && !strstr(l->s, "signaling speed"))
		r->behind_speed = true;
	if (words_after(l->s, "Commands/features:"))
		return r->features = true;
	if (words_after(l->s, "Security:")) {
		r->features = false;
		return r->security = true;
	}
	if (read_number(r, l->s, line))
		return true;
	for (size_t i = 0; i < array_size(lines); i++) {
		const char *rest = words_after(l->s, lines[i].start);

		if (!rest)
			continue;
		if (lines[i].form == FORM_HEX)
			r->features = false; /* what follows them */
		if (lines[i].form != FORM_KNOWN)
			emit_trimmed(r, lines[i].id, rest, line);
		return true;
	}
	if (words_after(l->s, "Checksum:")) {
		r->checksum_bad = true;
		return true;
	}
	if (r->security && read_security(r, l->s, line))
		return true;
	/* every line below "Commands/features" names one */
	if (r->features && (read_feature(r, l->s, line) || l->indent ||
			    (str_is_alpha(l->s[0]) && l->s[l->len - 1] != ':')))
		return true;
	return false;
}

static bool is_end(const struct text_line *l)
{
	return str_starts(l->s, "/dev/") || is_start(l->s);
}

static void finish(struct report *r)
{
	uint64_t n = r->sectors[1] ? r->sectors[1] : r->sectors[0];

	/* an old drive does not tell the size of its sectors: it is 512 */
	if (!r->logical)
		r->logical = 512;
	/* LBA alone ends at 128 GiB: it is no capacity when it stands there */
	if (n && (r->sectors[1] || n < 0xfffffff) && n <= UINT64_MAX / r->logical)
		emit_u64(&r->e, FACT_CAPACITY, 0, 0, n * r->logical, r->sectors_line);
	if (r->behind_speed)
		emit_u64(&r->e, FACT_LINK_DEVICE_MAX, 0, 0, r->speed, r->speed_line);
	emit_text(&r->e, FACT_BUS, 0, 0, r->speed ? "sata" : "ata", r->speed_line);
}

static void find_device(struct report *r, size_t index)
{
	const struct text *t = r->im->text;
	char device[64];

	for (size_t i = 1; i <= NAME_SPAN && i <= index; i++) {
		const struct text_line *l = &t->lines[index - i];

		if (!(str_starts(l->s, "/dev/") && l->s[l->len - 1] == ':') &&
		    !posted_command(t, index - i, "hdparm"))
			continue;
		if (!posted_device(l->s, device, sizeof(device)))
			continue;
		emit_text(&r->e, FACT_DEVICE, 0, 0, device, index - i);
		text_claim(r->im->text, index - i, LINE_READ, SECTION);
		return;
	}
}

static size_t read_report(struct report *r, size_t index)
{
	struct text *t = r->im->text;
	size_t i, blank = 0, strange = 0;

	find_device(r, index);
	text_claim(t, index, LINE_READ, SECTION);
	for (i = index + 1; i < t->n && i < index + MAX_LINES; i++) {
		const struct text_line *l = &t->lines[i];

		if (!l->len) {
			if (++blank > 1 && i + 1 < t->n && t->lines[i + 1].len &&
			    !t->lines[i - 1].len)
				break;
			continue;
		}
		if (is_end(l) || l->state != LINE_OPEN || posted_command(t, i, "hdparm"))
			break;
		if (l->cut) {
			text_claim(t, i, LINE_DAMAGED, SECTION);
			continue;
		}
		if (!read_line(r, i)) {
			/* prose, the next prompt, or the rest of a line that mail wrapped */
			if (!l->indent && ++strange > MAX_STRANGE)
				break;
			if (l->indent)
				text_claim(t, i, LINE_UNKNOWN, SECTION);
			continue;
		}
		strange = 0;
		text_claim(t, i, LINE_READ, SECTION);
	}
	finish(r);
	if (r->checksum_bad)
		diag_add(r->im->diag, DIAG_NOTE, t->file, t->lines[index].number,
			 "hdparm: the checksum of this IDENTIFY data is wrong");
	return i;
}

static int read_identify(struct import *im)
{
	const struct text *t = im->text;
	int n = 0;

	for (size_t i = 0; i < t->n && n < (int)MAX_DRIVES;) {
		struct report r = { .im = im, .e = { .im = im } };
		int e;

		if (t->lines[i].state != LINE_OPEN || !is_start(t->lines[i].s)) {
			i++;
			continue;
		}
		i = read_report(&r, i);
		e = emit_done(&r.e, CAP_DRIVE, "facts/hdparm");
		if (e < 0)
			return e;
		n++;
	}
	return n;
}

const struct importer importer_hdparm_identify = {
	.name = "hdparm-identify",
	.describe = "hdparm -I",
	.read = read_identify,
};
