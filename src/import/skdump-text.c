/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * skdump's text. Raw values stand in it as the six bytes of the drive in their order, so they are
 * read exactly; what is pretty beside them is not used. What libatasmart makes of the drive as a
 * whole is its opinion, and is kept as that.
 */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/importers.h"
#include "import/posted.h"
#include "import/words.h"

#define SECTION	   "skdump"
#define MAX_DRIVES 64u
#define MAX_LINES  80u

enum form {
	FORM_KNOWN,
	FORM_BRACKETS, /* [text] */
	FORM_FLAG,     /* yes, no */
	FORM_NUMBER,   /* 8707 s */
	FORM_CELSIUS,  /* 47.0 C */
	FORM_WORD,
	FORM_DEVICE, /* sat16:/dev/sda */
};

static const struct {
	const char *start;
	enum form form;
	enum fact_id id;
	const char *unit;
} lines[] = {
	{ "Device:", FORM_DEVICE, FACT_DEVICE, NULL },
	{ "Type:", FORM_KNOWN, 0, NULL },
	{ "Size:", FORM_KNOWN, 0, NULL },
	{ "Model:", FORM_BRACKETS, FACT_MODEL, NULL },
	{ "Serial:", FORM_BRACKETS, FACT_SERIAL, NULL },
	{ "Firmware:", FORM_BRACKETS, FACT_FIRMWARE, NULL },
	{ "SMART Available:", FORM_FLAG, FACT_SMART_AVAILABLE, NULL },
	{ "Quirks:", FORM_KNOWN, 0, NULL },
	{ "Awake:", FORM_KNOWN, 0, NULL },
	{ "ATA SMART Disk Health Good:", FORM_FLAG, FACT_SMART_PASSED, NULL },
	{ "SMART Disk Health Good:", FORM_FLAG, FACT_SMART_PASSED, NULL },
	{ "Off-line Data Collection Status:", FORM_KNOWN, 0, NULL },
	{ "Total Time To Complete Off-Line Data Collection:", FORM_NUMBER,
	  FACT_OFFLINE_SECONDS, "s" },
	{ "Self-Test Execution Status:", FORM_KNOWN, 0, NULL },
	{ "Percent Self-Test Remaining:", FORM_KNOWN, 0, NULL },
	{ "Conveyance Self-Test Available:", FORM_KNOWN, 0, NULL },
	{ "Short/Extended Self-Test Available:", FORM_KNOWN, 0, NULL },
	{ "Start Self-Test Available:", FORM_KNOWN, 0, NULL },
	{ "Abort Self-Test Available:", FORM_KNOWN, 0, NULL },
	{ "Short Self-Test Polling Time:", FORM_NUMBER, FACT_SHORT_MINUTES, "min" },
	{ "Extended Self-Test Polling Time:", FORM_NUMBER, FACT_EXTENDED_MINUTES, "min" },
	{ "Conveyance Self-Test Polling Time:", FORM_NUMBER, FACT_CONVEYANCE_MINUTES,
	  "min" },
	{ "Bad Sectors:", FORM_NUMBER, FACT_OPINION_BAD, "sectors" },
	{ "Powered On:", FORM_KNOWN, 0, NULL },
	{ "Power Cycles:", FORM_KNOWN, 0, NULL },
	{ "Average Powered On Per Power Cycle:", FORM_KNOWN, 0, NULL },
	{ "Temperature:", FORM_CELSIUS, FACT_OPINION_TEMPERATURE, NULL },
	{ "Attribute Parsing Verification:", FORM_KNOWN, 0, NULL },
	{ "Overall Status:", FORM_WORD, FACT_OPINION_OVERALL, NULL },
	{ "ID# Name", FORM_KNOWN, 0, NULL },
};

/* ---- lines above the table ------------------------------------------------------------------- */

static void put_brackets(struct emit *e, enum fact_id id, const char *s, size_t line)
{
	const char *end = strrchr(s, ']');
	struct buf text cleanup_buf = { 0 };

	if (*s != '[' || !end || end == s + 1)
		return;
	buf_add(&text, s + 1, (size_t)(end - s - 1));
	emit_text(e, id, 0, 0, buf_text(&text), line);
}

/* -1 C below zero does not occur: skdump prints mK as C with one place */
static void put_celsius(struct emit *e, const char *s, size_t line)
{
	struct scan sc = { s };
	struct decimal d;
	uint64_t u;

	if (posted_decimal(&sc, &d) && scan_text(&sc, " C") && scan_end(&sc) &&
	    decimal_scale(d, 1, &u) && u < 200)
		emit_s64(e, FACT_OPINION_TEMPERATURE, 0, 0, (int64_t)u, line);
}

static void put_line(struct emit *e, size_t i, const char *s, size_t line)
{
	struct scan sc = { s };
	char device[64];
	uint64_t u;

	scan_blanks(&sc);
	switch (lines[i].form) {
	case FORM_KNOWN:
		return;
	case FORM_BRACKETS:
		put_brackets(e, lines[i].id, sc.p, line);
		return;
	case FORM_FLAG:
		if (str_equal(sc.p, "yes") || str_equal(sc.p, "no"))
			emit_flag(e, lines[i].id, 0, *sc.p == 'y', line);
		return;
	case FORM_NUMBER:
		if (scan_u64(&sc, &u) && scan_text(&sc, " ") &&
		    scan_text(&sc, lines[i].unit) && scan_end(&sc) &&
		    (u || lines[i].id == FACT_OPINION_BAD))
			emit_u64(e, lines[i].id, 0, 0, u, line);
		return;
	case FORM_CELSIUS:
		put_celsius(e, sc.p, line);
		return;
	case FORM_WORD:
		if (*sc.p && !strchr(sc.p, ' '))
			emit_text(e, lines[i].id, 0, 0, sc.p, line);
		return;
	case FORM_DEVICE:
		if (posted_device(sc.p, device, sizeof(device)) && posted_is_disk(device))
			emit_text(e, lines[i].id, 0, 0, device, line);
		return;
	}
}

/* ---- the table ------------------------------------------------------------------------------------ */

static bool small(struct word w, uint64_t *ret)
{
	return word_u64(w, 10, ret) == 0 && *ret <= 255;
}

/* "0x720000000000": the low byte stands first. */
static bool take_raw(struct word w, uint64_t *ret)
{
	uint64_t u;

	if (w.len != 14 || word_hex(w, &u) < 0)
		return false;
	*ret = 0;
	for (size_t i = 0; i < 6; i++)
		*ret |= (u >> (8 * (5 - i)) & 0xff) << (8 * i);
	return true;
}

/* yes, no or n/a for now and for ever */
static const char *failed(struct word now, struct word ever)
{
	return word_is(now, "no") ? "now" : word_is(ever, "no") ? "past" : NULL;
}

static bool is_word(struct word w, const char *a, const char *b, const char *c)
{
	return word_is(w, a) || word_is(w, b) || (c && word_is(w, c));
}

/*
 * Id, name, value, worst, threshold, pretty (of one or two words, or n/a), raw, type, updates, good,
 * good in the past. All of it must be there.
 */
static bool read_row(struct emit *e, const char *s, size_t line)
{
	struct word w[14];
	size_t n = words_split(s, w, array_size(w));
	uint64_t id, raw, v[3];
	const char *when;
	char text[128];

	if (n < 11 || n > 13 || !small(w[0], &id) || !id || !take_raw(w[n - 5], &raw) ||
	    !is_word(w[n - 4], "prefail", "old-age", NULL) ||
	    !is_word(w[n - 3], "online", "offline", NULL) ||
	    !is_word(w[n - 2], "yes", "no", "n/a") ||
	    !is_word(w[n - 1], "yes", "no", "n/a"))
		return false;
	for (size_t i = 0; i < 3; i++) {
		static const enum fact_id ids[] = { FACT_ATTR_VALUE, FACT_ATTR_WORST,
						    FACT_ATTR_THRESHOLD };

		if (!small(w[2 + i], &v[i]) && !word_is(w[2 + i], "n/a"))
			return false;
		if (!word_is(w[2 + i], "n/a"))
			emit_u64(e, ids[i], (uint32_t)id, 0, v[i], line);
	}
	(void)snprintf(text, sizeof(text), "%.*s", (int)w[1].len, w[1].s);
	emit_text(e, FACT_ATTR_NAME, (uint32_t)id, 0, text, line);
	emit_u64(e, FACT_ATTR_RAW, (uint32_t)id, 0, raw, line);
	(void)snprintf(text, sizeof(text), "%.*s", (int)w[n - 5].len, w[n - 5].s);
	emit_text(e, FACT_ATTR_RAW_TEXT, (uint32_t)id, 0, text, line);
	when = failed(w[n - 2], w[n - 1]);
	if (when)
		emit_text(e, FACT_ATTR_WHEN_FAILED, (uint32_t)id, 0, when, line);
	return true;
}

/* ---- the walk --------------------------------------------------------------------------------------- */

/* The model in brackets, and the serial number in the next line. */
static bool is_start(const struct text *t, size_t i)
{
	return words_after(t->lines[i].s, "Model: [") && i + 1 < t->n &&
	       words_after(t->lines[i + 1].s, "Serial: [");
}

static bool read_line(struct emit *e, size_t line)
{
	const char *s = e->im->text->lines[line].s;

	for (size_t i = 0; i < array_size(lines); i++) {
		const char *rest = words_after(s, lines[i].start);

		if (!rest)
			continue;
		put_line(e, i, rest, line);
		return true;
	}
	return read_row(e, s, line);
}

/* "Device:", "Type:" and "Size:" stand above the model. */
static size_t first_line(const struct text *t, size_t model)
{
	while (model && (words_after(t->lines[model - 1].s, "Device:") ||
			 words_after(t->lines[model - 1].s, "Type:") ||
			 words_after(t->lines[model - 1].s, "Size:")))
		model--;
	return model;
}

/* A row that was wrapped lost its end to the next line. */
static bool read_joined(struct emit *e, size_t line)
{
	const struct text *t = e->im->text;
	struct buf b cleanup_buf = { 0 };

	if (line + 1 >= t->n || t->lines[line + 1].cut || !t->lines[line + 1].len ||
	    !str_is_digit(t->lines[line].s[0]))
		return false;
	buf_printf(&b, "%s %s", t->lines[line].s, t->lines[line + 1].s);
	return read_row(e, buf_text(&b), line);
}

static size_t read_report(struct emit *e, size_t index)
{
	struct text *t = e->im->text;
	size_t i, strange = 0;

	for (i = first_line(t, index); i < t->n && i < index + MAX_LINES; i++) {
		const struct text_line *l = &t->lines[i];

		if (!l->len)
			continue;
		if (l->cut) {
			text_claim(t, i, LINE_DAMAGED, SECTION);
			continue;
		}
		if (l->state != LINE_OPEN || (i > index && is_start(t, i)))
			break;
		if (read_line(e, i)) {
			text_claim(t, i, LINE_READ, SECTION);
		} else if (read_joined(e, i)) {
			text_claim(t, i, LINE_READ, SECTION);
			text_claim(t, ++i, LINE_READ, SECTION);
		} else if (str_is_digit(l->s[0]) && strstr(l->s, " 0x")) {
			text_claim(t, i, LINE_DAMAGED, SECTION);
		} else if (++strange > 3) {
			break;
		}
	}
	return i;
}

static int read_skdump(struct import *im)
{
	const struct text *t = im->text;
	int n = 0;

	for (size_t i = 0; i < t->n && n < (int)MAX_DRIVES;) {
		struct emit e = { .im = im };
		int r;

		if (t->lines[i].state != LINE_OPEN || !is_start(t, i)) {
			i++;
			continue;
		}
		i = read_report(&e, i);
		r = emit_done(&e, CAP_DRIVE, "facts/skdump");
		if (r < 0)
			return r;
		n++;
	}
	return n;
}

const struct importer importer_skdump_text = {
	.name = "skdump-text",
	.describe = "skdump's text",
	.read = read_skdump,
};
