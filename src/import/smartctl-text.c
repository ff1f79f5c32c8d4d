/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The driver: which section a line belongs to, and what becomes of lines that none wants. */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/importers.h"
#include "import/smartctl.h"

static const struct smart_heading *find_heading(const char *line)
{
	for (const struct smart_heading *h = smart_headings; h->text; h++)
		if (*h->text == *line && words_after(line, h->text))
			return h;
	return NULL;
}

/* "(snip)", "[...]", "```", "[/code]": the poster's, around or instead of lines; no row goes on there. */
static bool is_frame(const char *line)
{
	static const char *const frames[] = {
		"```",	   "~~~",  "[code", "[/code", "[quote",
		"[/quote", "<pre", "</pre", "<code",  "</code",
	};
	size_t n = strlen(line);

	for (size_t i = 0; i < array_size(frames); i++)
		if (str_starts(line, frames[i]))
			return true;
	if (n < 3 || n > 40)
		return false;
	if (!line[strspn(line, ".[]() ")])
		return strstr(line, "...") != NULL;
	return strchr("([<.-", line[0]) && (strstr(line, "snip") || strstr(line, "SNIP"));
}

bool smart_is_fresh(const struct smart *s, size_t i)
{
	const char *line = smart_line(s, i);

	return !*line || s->text->lines[i].state != LINE_OPEN || smart_is_head(line) ||
	       find_heading(line) || smart_is_identity_key(line) ||
	       smart_is_other_heading(line) || is_frame(line);
}

/* "... not supported", "Read ... failed": it was looked for and is not there, which is known too. */
static size_t read_absent(struct smart *s, const struct smart_section *section, size_t i)
{
	size_t n;

	if (!s->rows[section->part])
		smart_enter(s, section, i);
	s->section = section;
	n = smart_warning(s, i);
	s->section_end = i + n;
	if (section->part == PART_SCT_ERC)
		smart_text(s, FACT_SCT_ERC_TEXT, buf_text(&s->join), i);
	return n;
}

static bool is_absent(const char *line)
{
	return strstr(line, "not support") || strstr(line, "failed") ||
	       strstr(line, "is invalid") || strstr(line, "not read due");
}

static size_t try_heading(struct smart *s, size_t i)
{
	const struct smart_heading *h = find_heading(smart_line(s, i));

	if (!h)
		return 0;
	/* of the others only the health line is the same */
	if ((s->kind == SMART_SCSI || s->kind == SMART_NVME) &&
	    h->section != &smart_health)
		return 0;
	if (is_absent(smart_line(s, i)) && h->read != smart_health_line)
		return read_absent(s, h->section, i);
	smart_enter(s, h->section, i);
	return h->read ? h->read(s, i) : smart_claim(s, i, 1, LINE_KNOWN);
}

/* A table that was read already begins again: rows of it, one below the other. */
static bool is_again(const struct smart *s, const struct smart_section *section, size_t i)
{
	if (!section->is_seen || !section->is_seen(s, smart_line(s, i)))
		return false;
	for (size_t k = 1; k < 4; k++)
		if (section->is_seen(s, smart_line(s, i + k)))
			return true;
	return false;
}

static size_t try_row(struct smart *s, size_t i)
{
	const struct smart_section *section = s->section;
	size_t n;

	if (!section)
		return 0;
	if (s->section_end < i && is_again(s, section, i)) {
		smart_begin_report(s, i);
		smart_enter(s, section, i);
	}
	n = section->row(s, i);
	if (n && s->section) {
		s->rows[s->section->part] += s->text->lines[i].state != LINE_KNOWN;
		s->section_end = i + n;
	}
	return n;
}

/* What smartctl says to its user, not of the drive. */
static bool is_hint(const struct smart *s, size_t i)
{
	static const char *const hints[] = {
		"Seagate FARM log (GP Log 0xa6) supported",
		"The above only provides legacy SMART information",
		"(override with '-T permissive' option)",
		"Try '-l [x",
		"Retry with: 'scterc",
		"Use smartctl -X to abort test.",
		"ATA device successfully opened",
		"Use 'smartctl -a' (or '-x') to print SMART",
	};

	for (size_t k = 0; k < array_size(hints) && s->stage > STAGE_EMPTY; k++)
		if (str_starts(smart_line(s, i), hints[k]))
			return true;
	return false;
}

/* Any piece of the fixed words, as wrapping cut it. */
static size_t try_prose(struct smart *s, size_t i)
{
	if (!smart_is_prose(s, i) && !is_hint(s, i))
		return 0;
	if (s->section_end == i)
		s->section_end = i + 1;
	return smart_claim(s, i, 1, LINE_KNOWN);
}

/* Sentences that smartctl prints where something did not work, in any section. */
static const struct {
	const char *text;
	bool status; /* tells how the health line was found */
} warnings[] = {
	{ "SMART Status not supported:", true },
	{ "SMART Status command failed", true },
	{ "Warning: This result is based on an Attribute check", true },
	{ "Warning:", false },
	{ "Warning!", false },
	{ "==> WARNING:", false },
	{ "Read ", false },
	{ "Write ", false },
	{ "ATA_READ_LOG_EXT ", false },
	{ "ATA READ LOG ", false },
	{ "SCT ", false },
	{ "Smartctl open device:", false },
	{ "Device is in ", false },
	{ "Device Statistics Log has only", false },
	{ "SMART Status, Attributes and Thresholds cannot be read", false },
	{ "SMART Disabled.", false },
	{ "SMART command failed", false },
	{ "SMART Read ", false },
	{ "SMART READ ", false },
	{ "A mandatory SMART command failed", false },
	{ "Device does not support", false },
	{ "device does not support", false },
	{ "Unknown USB bridge", false },
	{ "Please specify device type", false },
	{ "Probable ATA device behind", false },
	{ "Try an additional", false },
	{ "Try adding", false },
};

/* Everyday words among them count only beside other lines of a report. */
static size_t try_warning(struct smart *s, size_t i)
{
	const char *line = smart_line(s, i);
	size_t n;

	if (s->stage < STAGE_BANNER)
		return 0;
	for (size_t k = 0; k < array_size(warnings); k++) {
		if (!str_starts(line, warnings[k].text))
			continue;
		if (str_ends(warnings[k].text, " ") && s->section_end + 2 < i &&
		    !strstr(line, "failed"))
			return 0;
		n = smart_warning(s, i);
		if (warnings[k].status)
			smart_text(s, FACT_SMART_STATUS_SOURCE, buf_text(&s->join), i);
		return n;
	}
	return 0;
}

static size_t try_as(struct smart *s, const struct smart_section *section, size_t i)
{
	const struct smart_section *before = s->section;
	size_t n;

	if (section == before)
		return 0;
	if (s->rows[section->part] && section->part != PART_IDENTITY) {
		/* a row out of a table that stands above, or another table */
		if (!is_again(s, section, i))
			return 0;
		smart_begin_report(s, i);
		before = NULL;
	}
	s->section = section;
	s->headless = true;
	n = section->row(s, i);
	s->headless = false;
	if (!n) {
		s->section = before;
		return 0;
	}
	s->section = section;
	s->rows[section->part]++;
	smart_post(s, section->name, i);
	s->section_end = i + n;
	if (section->part != PART_IDENTITY)
		s->stage = STAGE_DATA;
	return n;
}

/*
 * Rows that nobody could mistake are read without their heading. Not in the first line of a text:
 * its first word may have lost its head.
 */
static size_t try_headless(struct smart *s, size_t i)
{
	static const struct smart_section *const sections[] = {
		&smart_attributes, &smart_phy, &smart_statistics, &smart_general,
		&smart_sct
	};
	size_t n = 0;

	if (s->kind == SMART_SCSI || s->kind == SMART_NVME)
		return 0;
	n = try_as(s, &smart_identity, i);
	for (size_t k = 0; !n && i != s->first && k < array_size(sections); k++)
		n = try_as(s, sections[k], i);
	return n;
}

/* Behind a blank line it may be prose again, and less quoted it is an answer to what stands above. */
static bool is_prose(const struct smart *s, size_t i)
{
	return s->section_end != i || i == 0 || is_frame(smart_line(s, i)) ||
	       s->text->lines[i].quote < s->text->lines[i - 1].quote;
}

static size_t leave_line(struct smart *s, size_t i)
{
	if (!s->section || is_prose(s, i))
		return 1;
	s->section_end = i + 1;
	return smart_claim(s, i, 1, LINE_UNKNOWN);
}

static size_t read_line(struct smart *s, size_t i)
{
	static size_t (*const tries[])(struct smart * s, size_t i) = {
		smart_trace, smart_head, smart_other, try_heading,
		try_row,     try_prose,	 try_warning, try_headless,
	};

	if (s->text->lines[i].state != LINE_OPEN)
		return 1;
	if (!*smart_line(s, i)) {
		if (s->stage > STAGE_EMPTY)
			(void)smart_claim(s, i, 1, LINE_KNOWN);
		return 1;
	}
	for (size_t k = 0; k < array_size(tries); k++) {
		size_t n = tries[k](s, i);

		if (n)
			return n;
	}
	return leave_line(s, i);
}

static int smartctl_read(struct import *im)
{
	struct smart s = { .im = im, .text = im->text, .e = { .im = im } };

	smart_cut_prefixes(s.text);
	while (s.first < s.text->n && !*smart_line(&s, s.first))
		s.first++;
	for (size_t i = 0; i < s.text->n && s.error == 0;)
		i += read_line(&s, i);
	smart_end_report(&s);
	buf_done(&s.join);
	return s.error < 0 ? s.error : (int)s.reports;
}

const struct importer importer_smartctl_text = {
	.name = "smartctl-text",
	.describe = "text of smartctl 5.0 to 8.0: ATA, SCSI, SAS and NVMe drives",
	.read = smartctl_read,
};
