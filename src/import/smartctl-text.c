/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The driver: reports, sections, and what becomes of lines that no section wants. */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/importers.h"
#include "import/smartctl.h"

const char *smart_line(const struct smart *s, size_t i)
{
	return i < s->text->n ? s->text->lines[i].s : "";
}

bool smart_is_cut(const struct smart *s, size_t i)
{
	return i < s->text->n && (s->text->lines[i].cut || s->text->lines[i].too_long);
}

static const struct smart_heading *find_heading(const char *line)
{
	for (const struct smart_heading *h = smart_headings; h->text; h++)
		if (*h->text == *line && words_after(line, h->text))
			return h;
	return NULL;
}

bool smart_is_fresh(const struct smart *s, size_t i)
{
	const char *line = smart_line(s, i);

	return !*line || s->text->lines[i].state != LINE_OPEN || smart_is_head(line) ||
	       find_heading(line) || smart_is_identity_key(line);
}

const char *smart_join(struct smart *s, size_t i, size_t n)
{
	buf_clear(&s->join);
	for (size_t k = 0; k < n; k++) {
		if (k)
			buf_putc(&s->join, ' ');
		buf_puts(&s->join, smart_line(s, i + k));
	}
	return buf_text(&s->join);
}

size_t smart_claim(struct smart *s, size_t i, size_t n, enum line_state state)
{
	for (size_t k = 0; k < n; k++)
		text_claim(s->text, i + k, state, s->section ? s->section->name : NULL);
	return n;
}

bool smart_bit(uint32_t *bits, uint32_t i)
{
	uint32_t bit = 1u << i % 32;
	bool is_new = !(bits[i / 32] & bit);

	bits[i / 32] |= bit;
	return is_new;
}

bool smart_once(struct smart *s, enum fact_id id)
{
	return smart_bit(s->once, (uint32_t)id);
}

void smart_u64(struct smart *s, enum fact_id id, uint64_t value, size_t line)
{
	if (smart_once(s, id))
		emit_u64(&s->e, id, 0, 0, value, line);
}

void smart_s64(struct smart *s, enum fact_id id, int64_t value, size_t line)
{
	if (smart_once(s, id))
		emit_s64(&s->e, id, 0, 0, value, line);
}

void smart_flag(struct smart *s, enum fact_id id, bool value, size_t line)
{
	if (smart_once(s, id))
		emit_flag(&s->e, id, 0, value, line);
}

void smart_text(struct smart *s, enum fact_id id, const char *value, size_t line)
{
	smart_text_len(s, id, value, strlen(value), line);
}

void smart_text_len(struct smart *s, enum fact_id id, const char *value, size_t len,
		    size_t line)
{
	struct buf text = { 0 };

	for (size_t i = 0; i < len; i++)
		if (value[i] != ' ' || (text.len && i + 1 < len && value[i + 1] != ' '))
			buf_putc(&text, value[i]);
	if (text.len && smart_once(s, id))
		emit_text(&s->e, id, 0, 0, buf_text(&text), line);
	buf_done(&text);
}

size_t smart_absent(struct smart *s, size_t i)
{
	s->rows[s->section->part]++;
	return smart_warning(s, i);
}

size_t smart_warning(struct smart *s, size_t i)
{
	size_t n = 1;

	/* a sentence goes on in small letters, or in the brackets of what went wrong */
	while (n < 8 && !smart_is_fresh(s, i + n) &&
	       ((*smart_line(s, i + n) >= 'a' && *smart_line(s, i + n) <= 'z') ||
		*smart_line(s, i + n) == '['))
		n++;
	emit_text(&s->e, FACT_POSTED_WARNING, s->warnings++, 0, smart_join(s, i, n), i);
	return smart_claim(s, i, n, LINE_READ);
}

/* --- reports ------------------------------------------------------------------------------- */

static void clear_report(struct smart *s)
{
	struct smart clear = {
		.im = s->im,
		.text = s->text,
		.e = { .im = s->im },
		.join = s->join,
		.first = s->first,
		.reports = s->reports,
		.error = s->error,
	};

	*s = clear;
}

static void end_report(struct smart *s)
{
	int r;

	if (s->e.n <= s->echoed) {
		buf_done(&s->e.body);
		clear_report(s);
		return;
	}
	s->reports++;
	r = emit_done(&s->e, CAP_DRIVE, "facts/smartctl");
	if (r == -E2BIG)
		diag_add(s->im->diag, DIAG_WARNING, s->text->file,
			 s->text->lines[s->start].number,
			 "left out: the report that begins here has too many facts, or "
			 "the "
			 "text too many reports");
	else if (r < 0)
		s->error = r;
	clear_report(s);
}

void smart_begin_report(struct smart *s, size_t i)
{
	end_report(s);
	s->start = i;
}

static void post_section(struct smart *s, const struct smart_section *section, size_t i)
{
	if (smart_bit(&s->posted, (uint32_t)section->part))
		emit_text(&s->e, FACT_POSTED_SECTION, s->sections++, 0, section->name, i);
}

void smart_enter(struct smart *s, const struct smart_section *section, size_t i)
{
	if (s->rows[section->part])
		smart_begin_report(s, i);
	post_section(s, section, i);
	s->section = section;
	s->section_end = i;
	if (section->part != PART_IDENTITY)
		s->stage = STAGE_DATA;
}

void smart_set_kind(struct smart *s, enum smart_kind kind, size_t i)
{
	if (s->kind == kind)
		return;
	s->kind = kind;
	if (kind != SMART_ATA)
		diag_add(s->im->diag, DIAG_WARNING, s->text->file,
			 s->text->lines[i].number,
			 "a report of %s drive: who it is was read, the body of such "
			 "reports is not read yet",
			 kind == SMART_NVME ? "an NVMe" : "a SCSI or SAS");
}

/* --- lines --------------------------------------------------------------------------------- */

static size_t try_heading(struct smart *s, size_t i)
{
	const struct smart_heading *h = find_heading(smart_line(s, i));

	if (!h || s->kind == SMART_SCSI || s->kind == SMART_NVME)
		return 0;
	smart_enter(s, h->section, i);
	return h->read ? h->read(s, i) : smart_claim(s, i, 1, LINE_KNOWN);
}

static size_t try_row(struct smart *s, size_t i)
{
	size_t n = s->section ? s->section->row(s, i) : 0;

	if (n) {
		s->rows[s->section->part] += s->text->lines[i].state != LINE_KNOWN;
		s->section_end = i + n;
	}
	return n;
}

/* Any piece of the fixed words, as wrapping cut it. */
static size_t try_prose(struct smart *s, size_t i)
{
	const char *line = smart_line(s, i);
	struct buf single = { 0 };
	bool known;

	if (!s->section || !s->section->prose)
		return 0;
	for (; *line; line++)
		if (*line != ' ' || line[1] != ' ')
			buf_putc(&single, *line);
	known = strstr(s->section->prose, buf_text(&single)) != NULL;
	buf_done(&single);
	if (!known)
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

	if (s->stage < STAGE_BANNER || s->kind == SMART_SCSI || s->kind == SMART_NVME)
		return 0;
	for (size_t k = 0; k < array_size(warnings); k++) {
		if (!str_starts(line, warnings[k].text))
			continue;
		if (str_ends(warnings[k].text, " ") && s->section_end + 2 < i)
			return 0;
		if (warnings[k].status)
			smart_text(s, FACT_SMART_STATUS_SOURCE, line, i);
		return smart_warning(s, i);
	}
	return 0;
}

static size_t try_as(struct smart *s, const struct smart_section *section, size_t i)
{
	const struct smart_section *before = s->section;
	size_t n;

	if (section == before)
		return 0;
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
	post_section(s, section, i);
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
	static const struct smart_section *const sections[] = { &smart_attributes,
								&smart_phy };
	size_t n = 0;

	if (s->kind == SMART_SCSI || s->kind == SMART_NVME)
		return 0;
	n = try_as(s, &smart_identity, i);
	for (size_t k = 0; !n && i != s->first && k < array_size(sections); k++)
		n = try_as(s, sections[k], i);
	return n;
}

static size_t leave_line(struct smart *s, size_t i)
{
	/* behind a blank line it may be prose again */
	if (s->section && s->section_end == i && s->kind != SMART_SCSI &&
	    s->kind != SMART_NVME) {
		s->section_end = i + 1;
		return smart_claim(s, i, 1, LINE_UNKNOWN);
	}
	return 1;
}

static size_t read_line(struct smart *s, size_t i)
{
	static size_t (*const tries[])(struct smart * s, size_t i) = {
		smart_head, try_heading, try_row, try_prose, try_warning, try_headless,
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

	while (s.first < s.text->n && !*smart_line(&s, s.first))
		s.first++;
	for (size_t i = 0; i < s.text->n && s.error == 0;)
		i += read_line(&s, i);
	end_report(&s);
	buf_done(&s.join);
	return s.error < 0 ? s.error : (int)s.reports;
}

const struct importer importer_smartctl_text = {
	.name = "smartctl-text",
	.describe = "text of smartctl 5.0 to 7.5, ATA drives",
	.read = smartctl_read,
};
