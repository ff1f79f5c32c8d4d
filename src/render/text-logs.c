/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of "show" that are no plain tables: capabilities, commands, spans, temperatures. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "render/smart-words.h"
#include "render/text-show.h"
#include "render/units.h"

/* --- capabilities ------------------------------------------------------------------------------- */

struct bit {
	unsigned bit;
	const char *words;
};

/* The words of the bits that are set, with commas. */
static void write_bits(struct sheet *s, const char *title, const struct bit *bits,
		       size_t n, uint64_t word)
{
	size_t said = 0;

	sheet_begin(s, 2, 4);
	sheet_raw(s, STYLE_PLAIN, "%s (%02llxh): ", title, (unsigned long long)word);
	for (size_t i = 0; i < n; i++)
		if (word >> bits[i].bit & 1)
			sheet_raw(s, STYLE_PLAIN, "%s%s", said++ ? ", " : "",
				  bits[i].words);
	if (!said)
		sheet_raw(s, STYLE_PLAIN, "none");
	sheet_end(s);
}

/* ATA8-ACS table 62, bytes 367 to 370, and IDENTIFY DEVICE word 206. */
static const struct bit offline_bits[] = {
	{ 0, "EXECUTE OFF-LINE IMMEDIATE" },
	{ 2, "a new command aborts off-line collection" },
	{ 3, "surface scan" },
	{ 4, "self-tests" },
	{ 5, "conveyance self-test" },
	{ 6, "selective self-test" },
};

static const struct bit smart_bits[] = {
	{ 0, "saves its data before it sleeps" },
	{ 1, "saves its data by itself" },
};

static const struct bit log_bits[] = { { 0, "error logging" } };

static const struct bit sct_bits[] = {
	{ 0, "status" },	  { 2, "write same" },	{ 3, "error recovery control" },
	{ 4, "feature control" }, { 5, "data tables" },
};

static const struct {
	enum fact_id id;
	const char *title;
	const struct bit *bits;
	size_t n;
} capabilities[] = {
	{ FACT_OFFLINE_CAPABILITY, "Off-line capability", offline_bits,
	  array_size(offline_bits) },
	{ FACT_SMART_CAPABILITY, "SMART capability", smart_bits, array_size(smart_bits) },
	{ FACT_ERRORLOG_CAPABILITY, "Error log capability", log_bits,
	  array_size(log_bits) },
	{ FACT_SCT_CAPABILITY, "SCT capability", sct_bits, array_size(sct_bits) },
};

static void write_minutes(struct sheet *s, const struct drive *d)
{
	static const struct {
		enum fact_id id;
		const char *test;
	} rows[] = { { FACT_SHORT_MINUTES, "short" },
		     { FACT_EXTENDED_MINUTES, "extended" },
		     { FACT_CONVEYANCE_MINUTES, "conveyance" } };
	uint64_t minutes;
	size_t said = 0;

	for (size_t i = 0; i < array_size(rows); i++) {
		if (!drive_u64(d, rows[i].id, 0, 0, &minutes))
			continue;
		if (!said)
			sheet_begin(s, 2, 4);
		sheet_raw(s, STYLE_PLAIN, "%s%s %llu min",
			  said++ ? ", " : "Self-tests take: ", rows[i].test,
			  (unsigned long long)minutes);
	}
	if (said)
		sheet_end(s);
}

static void write_states(struct sheet *s, const struct drive *d)
{
	uint64_t value;
	char text[40];
	const char *words;

	if (drive_u64(d, FACT_SMART_PASSED, 0, 0, &value))
		show_line(s, "SMART status: %s", value ? "passed" : "FAILED");
	if (drive_u64(d, FACT_OFFLINE_STATUS, 0, 0, &value))
		show_line(s, "Off-line data collection (%02llxh): %s%s",
			  (unsigned long long)value, smart_offline_words(value),
			  value & 0x80 ? "; runs by itself" : "");
	if (drive_u64(d, FACT_OFFLINE_SECONDS, 0, 0, &value))
		show_line(s, "Off-line data collection takes: %llu s",
			  (unsigned long long)value);
	if (!drive_u64(d, FACT_SELFTEST_STATUS, 0, 0, &value))
		return;
	words = smart_selftest_words(value, text);
	show_line(s, "Last self-test (%02llxh): %s", (unsigned long long)value,
		  words ? words : "in a reserved state");
}

void show_capabilities(struct sheet *s, const struct drive *d)
{
	uint64_t word;

	if (!drive_fact(d, FACT_SMART_PASSED, 0, 0) &&
	    !drive_fact(d, FACT_OFFLINE_CAPABILITY, 0, 0) &&
	    !drive_fact(d, FACT_SCT_CAPABILITY, 0, 0))
		return;
	show_heading(s, "SMART status and capabilities");
	write_states(s, d);
	write_minutes(s, d);
	for (size_t i = 0; i < array_size(capabilities); i++)
		if (drive_u64(d, capabilities[i].id, 0, 0, &word))
			write_bits(s, capabilities[i].title, capabilities[i].bits,
				   capabilities[i].n, word);
}

/* --- errors -------------------------------------------------------------------------------------- */

void show_error(struct sheet *s, const struct drive *d, uint32_t error)
{
	static const struct {
		enum fact_id id;
		const char *name;
	} registers[] = { { FACT_ERROR_ERROR, "Error" },
			  { FACT_ERROR_STATUS, "Status" },
			  { FACT_ERROR_COUNTREG, "Count" },
			  { FACT_ERROR_DEVICE, "Device" },
			  { FACT_ERROR_CONTROL, "Control" } };
	uint64_t value;
	size_t said = 0;

	for (size_t i = 0; i < array_size(registers); i++) {
		if (!drive_u64(d, registers[i].id, error, 0, &value))
			continue;
		if (!said++) {
			sheet_begin(s, 8, 10);
			sheet_raw(s, STYLE_DIM, "registers:");
		}
		sheet_raw(s, STYLE_DIM, " %s" SHEET_GLUE "%02llxh", registers[i].name,
			  (unsigned long long)value);
	}
	if (said)
		sheet_end(s);
	for (uint32_t j = 0; j < 8; j++) {
		const char *text = drive_text(d, FACT_ERROR_COMMAND, error, j);

		if (!text)
			continue;
		sheet_begin(s, 8, 10);
		sheet_text(s, STYLE_DIM, text);
		sheet_end(s);
	}
}

/* --- selective self-test --------------------------------------------------------------------------- */

void show_selective(struct sheet *s, const struct drive *d)
{
	uint64_t first, last, flags, minutes;

	if (!drive_fact(d, FACT_SELECTIVE_MIN, 1, 0))
		return;
	show_heading(s, "Selective self-test");
	for (uint32_t i = 1; i <= 5; i++) {
		if (!drive_u64(d, FACT_SELECTIVE_MIN, i, 0, &first) ||
		    !drive_u64(d, FACT_SELECTIVE_MAX, i, 0, &last))
			continue;
		sheet_begin(s, 2, 4);
		sheet_raw(s, STYLE_PLAIN, "span %u: LBA %llu to %llu, ", i,
			  (unsigned long long)first, (unsigned long long)last);
		sheet_text(s, STYLE_PLAIN, drive_text(d, FACT_SELECTIVE_STATUS, i, 0));
		sheet_end(s);
	}
	if (drive_u64(d, FACT_SELECTIVE_FLAGS, 0, 0, &flags))
		show_line(s,
			  "flags %02llxh: after the spans the rest of the disk is "
			  "%sscanned%s%s",
			  (unsigned long long)flags, flags & 2 ? "" : "not ",
			  flags & 8 ? ", which is pending" : "",
			  flags & 16 ? ", which is at work" : "");
	if (drive_u64(d, FACT_SELECTIVE_RESUME, 0, 0, &minutes))
		show_line(s, "a pending test goes on %llu min after power-on",
			  (unsigned long long)minutes);
}

/* --- temperatures ------------------------------------------------------------------------------------ */

struct ring {
	const struct drive *d;
	uint64_t size, index, interval; /* minutes from one to the next */
};

/* The sample taken AGE before the newest, or NULL. */
static const struct fact *sample(const struct ring *r, uint64_t age)
{
	uint64_t at = (r->index + r->size - age) % r->size;

	return drive_fact(r->d, FACT_SCT_HIST_TEMP, (uint32_t)at, 0);
}

static void add_age(struct buf *b, uint64_t minutes)
{
	if (minutes >= 1440)
		buf_printf(b, "%llud%02lluh", (unsigned long long)(minutes / 1440),
			   (unsigned long long)(minutes % 1440 / 60));
	else
		buf_printf(b, "%lluh%02llum", (unsigned long long)(minutes / 60),
			   (unsigned long long)(minutes % 60));
}

/* Equal neighbours are one line; a bar shows the course. */
static void write_samples(struct sheet *s, const struct ring *r)
{
	for (uint64_t from = 0, to; from < r->size; from = to + 1) {
		const struct fact *f = sample(r, from), *next;
		struct buf age cleanup_buf = { 0 };

		to = from;
		while (to + 1 < r->size && (next = sample(r, to + 1)) && f &&
		       next->s == f->s)
			to++;
		if (!f)
			continue;
		add_age(&age, from * r->interval);
		if (to > from) {
			buf_puts(&age, " to ");
			add_age(&age, to * r->interval);
		}
		buf_puts(&age, " ago");
		sheet_begin(s, 2, 4);
		show_cell(s, buf_text(&age), 22, false);
		sheet_raw(s, STYLE_PLAIN, "%4lld C ", (long long)f->s);
		for (int64_t c = 20; c < f->s && c < 20 + 40; c++)
			sheet_raw(s, STYLE_DIM, "*");
		sheet_end(s);
		sheet_check(s, &age);
	}
}

void show_temperatures(struct sheet *s, const struct drive *d)
{
	struct ring r = { .d = d };
	size_t n;

	(void)drive_facts(d, FACT_SCT_HIST_TEMP, &n);
	if (!n || !drive_u64(d, FACT_SCT_HIST_SIZE, 0, 0, &r.size) || !r.size ||
	    r.size > 10000 || !drive_u64(d, FACT_SCT_HIST_INDEX, 0, 0, &r.index) ||
	    !drive_u64(d, FACT_SCT_HIST_INTERVAL, 0, 0, &r.interval) ||
	    r.interval > 65535)
		return;
	show_heading(s, "Temperature history, newest first");
	write_samples(s, &r);
}

/* --- posted lines ------------------------------------------------------------------------------------- */

void show_posted(struct sheet *s, const struct drive *d)
{
	static const struct {
		enum fact_id id;
		const char *title;
	} rows[] = { { FACT_SETTING, "Settings, as posted" },
		     { FACT_POSTED_WARNING, "Warnings of the program that was used" },
		     { FACT_FARM, "Seagate's FARM log" } };

	for (size_t i = 0; i < array_size(rows); i++) {
		size_t n;
		const struct fact *f = drive_facts(d, rows[i].id, &n);

		if (n)
			show_heading(s, rows[i].title);
		for (size_t k = 0; k < n; k++) {
			if (k && f[k].key.i == f[k - 1].key.i)
				continue;
			sheet_begin(s, 2, 4);
			sheet_text(s, STYLE_PLAIN, f[k].text);
			sheet_end(s);
		}
	}
}
