/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SCSI and NVMe reports: told apart from ATA ones, so that their tables are never read as such. Most
 * of their lines stand below no heading; the words of a line say which section it belongs to.
 */
#include "base/str.h"
#include "import/smartctl.h"

/* Headings that ATA reports do not have. */
static const struct {
	const char *text;
	enum smart_kind kind;
	const struct smart_section *section;
	size_t (*read)(struct smart *s, size_t i);
} headings[] = {
	{ "Error counter log:", SMART_SCSI, &smart_scsi_errors, NULL },
	{ "SMART Self-test log", SMART_SCSI, &smart_scsi_tests, smart_scsi_test_head },
	{ "No self-tests have been logged", SMART_SCSI, &smart_scsi_tests, NULL },
	{ "No Self-tests have been logged", SMART_SCSI, &smart_scsi_tests, NULL },
	{ "Background scan results log", SMART_SCSI, &smart_background, NULL },
	{ "Protocol Specific port log page for SAS SSP", SMART_SCSI, &smart_sas,
	  smart_sas_head },
	{ "SMART/Health Information (NVMe Log 0x02", SMART_NVME, &smart_nvme, NULL },
	{ "Error Information (NVMe Log 0x01,", SMART_NVME, &smart_nvme_errors,
	  smart_nvme_error_head },
	{ "Self-test Log (NVMe Log 0x06", SMART_NVME, &smart_nvme_tests,
	  smart_nvme_test_head },
	{ "Supported Power States", SMART_NVME, &smart_nvme_power, NULL },
	{ "Supported LBA Sizes (NSID", SMART_NVME, &smart_nvme_formats, NULL },
};

static size_t find_heading(const char *line)
{
	for (size_t k = 0; k < array_size(headings); k++)
		if (words_after(line, headings[k].text))
			return k;
	return array_size(headings);
}

/* The words of this one are ATA's too: the titles below tell. */
static bool is_ata_heading(const struct smart *s, size_t k, size_t i)
{
	size_t below = i + 1 + !*smart_line(s, i + 1);

	return headings[k].section == &smart_scsi_tests && s->kind != SMART_SCSI &&
	       !words_after(smart_line(s, below), "Num Test Status segment");
}

bool smart_is_other_heading(const char *line)
{
	return find_heading(line) < array_size(headings) || smart_is_scsi_key(line) ||
	       smart_is_nvme_key(line);
}

static size_t try_heading(struct smart *s, size_t i)
{
	size_t k = find_heading(smart_line(s, i));

	if (k == array_size(headings) || is_ata_heading(s, k, i))
		return 0;
	/* another drive, of another kind, without anything between */
	if (s->kind != SMART_UNKNOWN && s->kind != headings[k].kind)
		smart_begin_report(s, i);
	smart_enter(s, headings[k].section, i);
	smart_set_kind(s, headings[k].kind, i);
	return headings[k].read ? headings[k].read(s, i)
				: smart_claim(s, i, 1, LINE_KNOWN);
}

/* A line that may stand anywhere in the body. */
static size_t try_body(struct smart *s, const struct smart_section *section,
		       enum smart_kind kind, size_t i)
{
	const struct smart_section *before = s->section;
	size_t n;

	if (s->kind != kind && s->kind != SMART_UNKNOWN)
		return 0;
	if (section->is_seen(s, smart_line(s, i)))
		smart_begin_report(s, i);
	s->section = section;
	/* alone in a text it must be whole to be taken for one */
	s->headless = s->stage < STAGE_BANNER;
	n = section->row(s, i);
	s->headless = false;
	if (!n) {
		s->section = before;
		return 0;
	}
	smart_set_kind(s, kind, i);
	smart_post(s, section->name, i);
	s->rows[section->part]++;
	s->stage = STAGE_DATA;
	s->section_end = i + n;
	return n;
}

/* In the information section: "Security Format Frmw_DL", wrapped below its value. */
static size_t try_capability(struct smart *s, size_t i)
{
	if (s->kind != SMART_NVME || s->section != &smart_identity ||
	    s->section_end != i || !smart_is_nvme_capability(smart_line(s, i)))
		return 0;
	s->section_end = i + 1;
	return smart_claim(s, i, 1, LINE_KNOWN);
}

/* The row of the table that stands above. */
static size_t try_table(struct smart *s, size_t i)
{
	size_t n = 0;

	for (size_t k = 0; !n && k < array_size(headings); k++)
		if (s->section == headings[k].section && s->section != &smart_nvme)
			n = s->section->row(s, i);
	if (n)
		s->section_end = i + n;
	return n;
}

static bool is_scsi_health(const struct smart *s, size_t i)
{
	return s->kind == SMART_UNKNOWN && s->stage >= STAGE_BANNER &&
	       str_starts(smart_line(s, i), "SMART Health Status:");
}

size_t smart_other(struct smart *s, size_t i)
{
	size_t n = try_heading(s, i);

	if (!n)
		n = try_capability(s, i);
	if (!n)
		n = try_table(s, i);
	if (!n && smart_is_scsi_key(smart_line(s, i)))
		n = try_body(s, &smart_scsi, SMART_SCSI, i);
	if (!n && s->kind == SMART_NVME && smart_is_nvme_warning(smart_line(s, i)))
		n = smart_warning(s, i);
	if (!n && smart_is_nvme_key(smart_line(s, i)))
		n = try_body(s, &smart_nvme, SMART_NVME, i);
	if (!n && is_scsi_health(s, i))
		smart_set_kind(s, SMART_SCSI, i);
	return n;
}

void smart_set_kind(struct smart *s, enum smart_kind kind, size_t i)
{
	(void)i;
	s->kind = kind;
}
