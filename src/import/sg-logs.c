/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sg_logs of sg3_utils: log pages of SCSI and SAS drives. A heading names the page, lines below it
 * "name = value" or "name: value". Names are those of SPC and SBC.
 */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/importers.h"
#include "import/posted.h"
#include "import/words.h"

#define SECTION	   "sg_logs"
#define MAX_DRIVES 64u
#define MAX_LINES  2000u

enum page {
	PAGE_NONE,
	PAGE_OTHER, /* known to sg_logs, not used here */
	PAGE_WRITE,
	PAGE_READ,
	PAGE_VERIFY,
	PAGE_NON_MEDIUM,
	PAGE_TEMPERATURE,
	PAGE_START_STOP,
	PAGE_SCAN,
	PAGE_EXCEPTIONS,
};

static const struct {
	const char *name;
	enum page page;
} pages[] = {
	{ "Write error counter page", PAGE_WRITE },
	{ "Read error counter page", PAGE_READ },
	{ "Verify error counter page", PAGE_VERIFY },
	{ "Non-medium error page", PAGE_NON_MEDIUM },
	{ "Temperature page", PAGE_TEMPERATURE },
	{ "Start-stop cycle counter page", PAGE_START_STOP },
	{ "Background scan results page", PAGE_SCAN },
	{ "Informational Exceptions page", PAGE_EXCEPTIONS },
};

enum form { FORM_COUNT, FORM_CELSIUS, FORM_MINUTES_TO_HOURS };

static const struct {
	enum page page;
	const char *name;
	enum fact_id id;
	enum form form;
} values[] = {
	{ PAGE_NON_MEDIUM, "Non-medium error count", FACT_NON_MEDIUM_ERRORS, FORM_COUNT },
	{ PAGE_TEMPERATURE, "Current temperature", FACT_TEMPERATURE, FORM_CELSIUS },
	{ PAGE_TEMPERATURE, "Reference temperature", FACT_TEMPERATURE_TRIP,
	  FORM_CELSIUS },
	{ PAGE_START_STOP, "Specified cycle count over device lifetime",
	  FACT_START_STOPS_RATED, FORM_COUNT },
	{ PAGE_START_STOP, "Accumulated start-stop cycles", FACT_START_STOPS,
	  FORM_COUNT },
	{ PAGE_START_STOP, "Specified load-unload count over device lifetime",
	  FACT_LOAD_CYCLES_RATED, FORM_COUNT },
	{ PAGE_START_STOP, "Accumulated load-unload cycles", FACT_LOAD_CYCLES,
	  FORM_COUNT },
	{ PAGE_SCAN, "Accumulated power on minutes", FACT_POWER_ON_HOURS,
	  FORM_MINUTES_TO_HOURS },
};

/* Of the three pages of error counters; the key is the log page. */
static const struct {
	const char *name;
	enum fact_id id;
} errors[] = {
	{ "Errors corrected without substantial delay", FACT_SCSI_ERR_FAST },
	{ "Errors corrected with possible delays", FACT_SCSI_ERR_DELAYED },
	{ "Total rewrites or rereads", FACT_SCSI_ERR_RETRIES },
	{ "Total errors corrected", FACT_SCSI_ERR_CORRECTED },
	{ "Total times correction algorithm processed", FACT_SCSI_ERR_ALGORITHM },
	{ "Total bytes processed", FACT_SCSI_ERR_BYTES },
	{ "Total uncorrected errors", FACT_SCSI_ERR_UNCORRECTED },
};

/* "Write error counter page  [0x2]" */
static enum page page_of(const char *s)
{
	const char *open = strstr(s, "[0x");

	for (size_t i = 0; i < array_size(pages); i++)
		if (words_after(s, pages[i].name))
			return pages[i].page;
	return open && (strstr(s, " page ") || strstr(s, " log ")) &&
			       s[strlen(s) - 1] == ']'
		       ? PAGE_OTHER
		       : PAGE_NONE;
}

/* "NAME = 12", "NAME: 12", "NAME = 27 C" */
static bool value_of(const char *s, const char *name, struct scan *ret)
{
	struct scan sc = { words_after(s, name) };

	if (!sc.p || (!scan_text(&sc, " =") && !scan_text(&sc, " :")))
		return false;
	*ret = sc;
	return true;
}

static bool read_error(struct emit *e, uint32_t page, const char *s, size_t line)
{
	struct scan sc;
	uint64_t u;

	for (size_t i = 0; i < array_size(errors); i++) {
		if (!value_of(s, errors[i].name, &sc) || !scan_u64(&sc, &u) ||
		    !scan_end(&sc))
			continue;
		emit_u64(e, errors[i].id, page, 0, u, line);
		return true;
	}
	return false;
}

static bool read_value(struct emit *e, enum page page, const char *s, size_t line)
{
	struct scan sc;
	uint64_t u;

	for (size_t i = 0; i < array_size(values); i++) {
		if (values[i].page != page || !value_of(s, values[i].name, &sc) ||
		    !scan_u64(&sc, &u))
			continue;
		if (values[i].form == FORM_CELSIUS) {
			if (scan_text(&sc, " C") && scan_end(&sc) && u < 255)
				emit_s64(e, values[i].id, 0, 0, (int64_t)u, line);
		} else if (values[i].form == FORM_MINUTES_TO_HOURS) {
			emit_u64(e, values[i].id, 0, 0, u / 60, line);
		} else if (scan_end(&sc)) {
			emit_u64(e, values[i].id, 0, 0, u, line);
		} else {
			continue;
		}
		return true;
	}
	return false;
}

static bool read_line(struct emit *e, enum page page, const char *s, size_t line)
{
	static const uint32_t numbers[] = {
		[PAGE_WRITE] = 2, [PAGE_READ] = 3, [PAGE_VERIFY] = 5
	};

	if (page >= PAGE_WRITE && page <= PAGE_VERIFY)
		return read_error(e, numbers[page], s, line);
	return read_value(e, page, s, line);
}

/* "    SEAGATE   ST1200MM0009      CN03", of INQUIRY, above the first page */
static void find_drive(struct emit *e, size_t index)
{
	struct text *t = e->im->text;
	const char *command;
	char device[64];
	size_t at;

	command = posted_command_above(t, index, "sg_logs", 4, &at);
	if (!command)
		return;
	text_claim(t, at, LINE_READ, SECTION);
	if (posted_device(command, device, sizeof(device)) && posted_is_disk(device))
		emit_text(e, FACT_DEVICE, 0, 0, device, at);
	if (at + 1 < index && t->lines[at + 1].indent && t->lines[at + 1].len)
		text_claim(t, at + 1, LINE_KNOWN, SECTION);
}

static size_t read_report(struct emit *e, size_t index)
{
	struct text *t = e->im->text;
	enum page page = PAGE_NONE;
	size_t i, strange = 0;

	find_drive(e, index);
	for (i = index; i < t->n && i < index + MAX_LINES; i++) {
		const struct text_line *l = &t->lines[i];
		enum page next;

		if (!l->len)
			continue;
		if (l->cut || l->state != LINE_OPEN || posted_command(t, i, "sg_logs"))
			break;
		next = page_of(l->s);
		if (next != PAGE_NONE) {
			page = next;
			text_claim(t, i, LINE_KNOWN, SECTION);
		} else if (read_line(e, page, l->s, i)) {
			text_claim(t, i, LINE_READ, SECTION);
		} else if (l->indent || strchr(l->s, '=') || strchr(l->s, ':')) {
			text_claim(t, i, LINE_KNOWN, SECTION);
			strange = page == PAGE_OTHER ? 0 : strange;
		} else if (++strange > 3) {
			break;
		}
	}
	return i;
}

static int read_logs(struct import *im)
{
	const struct text *t = im->text;
	int n = 0;

	for (size_t i = 0; i < t->n && n < (int)MAX_DRIVES;) {
		struct emit e = { .im = im };
		int r;

		if (t->lines[i].state != LINE_OPEN || !strstr(t->lines[i].s, "[0x") ||
		    page_of(t->lines[i].s) <= PAGE_OTHER) {
			i++;
			continue;
		}
		i = read_report(&e, i);
		r = emit_done(&e, CAP_DRIVE, "facts/sg_logs");
		if (r < 0)
			return r;
		n++;
	}
	return n;
}

const struct importer importer_sg_logs = {
	.name = "sg-logs",
	.describe = "sg_logs: error counters, temperature, start-stop and load cycles",
	.read = read_logs,
};
