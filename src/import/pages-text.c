/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pages of bytes as hex: hdparm --Istdout, /proc/ide/hdX/identify, sg_sat_identify,
 * sg_sat_read_gplog, sg_sat_phy_event -H, smartctl -l gplog, and xxd, hexdump or od of a saved page.
 * They become the same items as those of a live run. Which page it is stands in the command above it,
 * or the bytes tell; a page that is not whole is not taken.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "import/hex-lines.h"
#include "import/importers.h"
#include "import/page-guess.h"
#include "import/posted.h"
#include "import/words.h"

#define SECTION	     "page of bytes"
#define CONTEXT_SPAN 8u
#define MAX_PAGES    500u

struct pages {
	struct import *im;
	struct hex_block *block;
	/* the page that is being read */
	char item[64], device[64];
	size_t device_line;
	/* where the last one went: more pages of that drive may follow */
	size_t subject; /* index + 1 */
	char last_device[64];
	int n;
};

/* ---- what stands above ---------------------------------------------------------------------- */

/* "-L 0x11", "--log=17", "-L11" */
static uint64_t option(const char *s, char letter, const char *name)
{
	char key[16];
	const char *p;
	uint64_t u = 0;

	(void)snprintf(key, sizeof(key), "--%s=", name);
	p = strstr(s, key);
	if (p) {
		p += strlen(key);
	} else {
		(void)snprintf(key, sizeof(key), "-%c", letter);
		p = strstr(s, key);
		p = p ? p + 2 : "";
		p += strspn(p, " ");
	}
	if (str_starts(p, "0x"))
		p += 2;
	else
		return str_take_u64(&p, 10, &u) < 0 ? 0 : u;
	return str_take_u64(&p, 16, &u) < 0 ? 0 : u;
}

static bool from_command(struct pages *p, size_t line)
{
	static const char *const identify[] = { "hdparm", "sg_sat_identify" };
	const struct text *t = p->im->text;
	const char *s;

	for (size_t i = 0; i < array_size(identify); i++) {
		s = posted_command(t, line, identify[i]);
		if (s && (i || strstr(s, "stdout")))
			(void)snprintf(p->item, sizeof(p->item), "ata/identify");
	}
	if (posted_command(t, line, "sg_sat_phy_event"))
		(void)snprintf(p->item, sizeof(p->item), "ata/log/11/00");
	s = posted_command(t, line, "sg_sat_read_gplog");
	if (s)
		(void)snprintf(p->item, sizeof(p->item), "ata/log/%02x/%02x",
			       (unsigned)(option(s, 'L', "log") & 0xff),
			       (unsigned)(option(s, 'p', "page") & 0xff));
	return p->item[0] != '\0';
}

/* "General Purpose Log 0x11 [SATA Phy Event Counters log], Page 0-0 (of 1)" */
static bool from_smartctl(struct pages *p, const char *s)
{
	struct scan sc = { s };
	bool gpl = scan_text(&sc, "General Purpose Log 0x");
	uint64_t log, page = 0;
	const char *at;

	if ((!gpl && !scan_text(&sc, "SMART Log 0x")) ||
	    str_take_u64(&sc.p, 16, &log) < 0 || log > 0xff)
		return false;
	at = strstr(sc.p, ", Page ");
	sc.p = at ? at + strlen(", Page ") : "";
	if (gpl && (!scan_u64(&sc, &page) || page > 0xff))
		return false;
	(void)snprintf(p->item, sizeof(p->item),
		       gpl ? "ata/log/%02x/%02x" : "ata/smart-log/%02x", (unsigned)log,
		       (unsigned)page);
	return true;
}

/* "ata/log/11/00" among the words of S */
static bool from_name(struct pages *p, const char *s)
{
	const char *at = strstr(s, "ata/");
	size_t n = 0;

	while (at && at[n] &&
	       (str_is_alpha(at[n]) || str_is_digit(at[n]) || at[n] == '/' ||
		at[n] == '-'))
		n++;
	if (!n || n >= sizeof(p->item))
		return false;
	memcpy(p->item, at, n);
	p->item[n] = '\0';
	if (page_is_item(p->item))
		return true;
	p->item[0] = '\0';
	return false;
}

static bool is_context(struct pages *p, size_t line)
{
	const char *s = p->im->text->lines[line].s;

	if (str_starts(s, "Response for IDENTIFY DEVICE") || strstr(s, "/proc/ide/"))
		(void)snprintf(p->item, sizeof(p->item), "ata/identify");
	return p->item[0] || from_command(p, line) || from_smartctl(p, s) ||
	       from_name(p, s);
}

/* What hdparm prints of a drive's settings above its words. */
static bool is_setting(const char *s)
{
	static const char *const names[] = { "IO_support", "readonly",	   "readahead",
					     "geometry",   "multcount",	   "using_dma",
					     "unmaskirq",  "keepsettings", ".." };

	for (size_t i = 0; i < array_size(names); i++)
		if (str_starts(s, names[i]))
			return true;
	return false;
}

static void look_up(struct pages *p)
{
	struct text *t = p->im->text;
	size_t first = p->block->first;

	p->item[0] = p->device[0] = '\0';
	for (size_t i = 1; i <= CONTEXT_SPAN && i <= first; i++) {
		struct text_line *l = &t->lines[first - i];
		bool head =
			str_starts(l->s, "/dev/") && l->len && l->s[l->len - 1] == ':';

		if (!l->len)
			continue;
		if (l->section && str_equal(l->section, SECTION) && l->state == LINE_READ)
			break; /* the page before */
		if (is_setting(l->s)) {
			text_claim(t, first - i, LINE_KNOWN, SECTION);
			continue;
		}
		if (!p->device[0] &&
		    (head || posted_command(t, first - i, "hdparm") ||
		     strstr(l->s, "sg_sat_") || strstr(l->s, "smartctl")))
			if (posted_device(l->s, p->device, sizeof(p->device))) {
				p->device_line = first - i;
				if (!posted_is_disk(p->device))
					p->device[0] = '\0'; /* sg1 is no disk */
			}
		if (!is_context(p, first - i) && !head)
			break;
		if (l->state == LINE_OPEN)
			text_claim(t, first - i, LINE_READ, SECTION);
		if (p->item[0] && p->device[0])
			break;
	}
}

/* ---- items ------------------------------------------------------------------------------------- */

static bool has_item(const struct cap_snapshot *s, const char *id)
{
	for (size_t i = 0; i < s->n_items; i++)
		if (str_equal(s->items[i].id, id))
			return true;
	return false;
}

/* The snapshot that this page belongs to: that of the page before, or a new drive's. */
static struct cap_snapshot *find_snapshot(struct pages *p)
{
	struct capture *c = p->im->capture;
	struct cap_subject *s = p->subject ? &c->subjects[p->subject - 1] : NULL;
	bool same = s && !str_equal(p->item, "ata/identify") &&
		    !has_item(&s->snapshots[0], p->item) &&
		    (!p->device[0] || str_equal(p->device, p->last_device));
	struct cap_snapshot *shot;
	struct emit e = { .im = p->im };

	if (same)
		return &s->snapshots[0];
	s = capture_add_subject(c, CAP_DRIVE);
	shot = s ? capture_add_snapshot(c, s, CAP_IMPORT, p->im->text->file) : NULL;
	if (!shot)
		return NULL;
	p->subject = c->n_subjects;
	(void)snprintf(p->last_device, sizeof(p->last_device), "%s", p->device);
	if (!p->device[0])
		return shot;
	emit_text(&e, FACT_DEVICE, 0, 0, p->device, p->device_line);
	if (buf_error(&e.body) ||
	    !capture_add_item(c, shot, "facts/page", CAP_OK, buf_span(&e.body)))
		shot = NULL;
	buf_done(&e.body);
	return shot;
}

static int take_page(struct pages *p)
{
	struct cap_snapshot *s = find_snapshot(p);

	if (!s || !capture_add_item(p->im->capture, s, p->item, CAP_OK,
				    span_of(p->block->bytes, p->block->n)))
		return -ENOMEM;
	p->n++;
	return 0;
}

/* A string of IDENTIFY DEVICE data that is there although its end is not. */
static void put_string(struct emit *e, enum fact_id id, const struct pages *p,
		       size_t word, size_t n)
{
	char text[48] = "";
	size_t len = 0;

	if (2 * word + n > p->block->n)
		return;
	for (size_t i = 0; i < n; i++) {
		char c = (char)p->block->bytes[2 * word + (i ^ 1)];

		if (c < 0x20 || c > 0x7e)
			return;
		if (c != ' ' || len)
			text[len++] = c;
	}
	while (len && text[len - 1] == ' ')
		len--;
	text[len] = '\0';
	if (len)
		emit_text(e, id, 0, 0, text, p->block->first);
}

/* IDENTIFY DEVICE data that was cut: who the drive is. */
static int take_identity(struct pages *p)
{
	struct emit e = { .im = p->im };

	if (p->device[0])
		emit_text(&e, FACT_DEVICE, 0, 0, p->device, p->device_line);
	put_string(&e, FACT_SERIAL, p, 10, 20);
	put_string(&e, FACT_FIRMWARE, p, 23, 8);
	put_string(&e, FACT_MODEL, p, 27, 40);
	p->subject = 0;
	p->n++;
	return emit_done(&e, CAP_DRIVE, "facts/identify");
}

static void say(struct pages *p, const char *what)
{
	const struct text *t = p->im->text;

	diag_add(p->im->diag, DIAG_NOTE, t->file, t->lines[p->block->first].number,
		 "%zu bytes of %s: %s", p->block->n,
		 p->item[0] ? p->item : "a page that is not named", what);
}

static void claim(struct pages *p, enum line_state state)
{
	for (size_t i = p->block->first; i < p->block->end; i++)
		text_claim(p->im->text, i, state, SECTION);
}

static int read_block(struct pages *p)
{
	struct hex_block *b = p->block;
	const char *guess = page_guess(span_of(b->bytes, b->n));

	look_up(p);
	/* the bytes know better than a command that stands somewhere above */
	if (guess && !str_equal(guess, "ata/log/11/00"))
		(void)snprintf(p->item, sizeof(p->item), "%s", guess);
	else if (guess && !p->item[0])
		(void)snprintf(p->item, sizeof(p->item), "%s", guess);
	if (p->item[0] && page_is_item(p->item) && page_fits(p->item, b->n) && !b->open) {
		claim(p, LINE_READ);
		return take_page(p);
	}
	if (!p->item[0] && b->n < PAGE_BYTES)
		return 0; /* some hex: nobody's page */
	if (!p->item[0]) {
		say(p, "which page it is, say with --page, such as --page ata/log/04/01");
		claim(p, LINE_KNOWN);
		return 0;
	}
	if (!page_is_item(p->item)) {
		say(p, "this page is not understood here, left out");
		claim(p, LINE_KNOWN);
		return 0;
	}
	claim(p, LINE_DAMAGED);
	if (str_equal(p->item, "ata/identify") && b->n >= 94 && !b->open) {
		say(p, "it is cut; only the names in it are taken");
		return take_identity(p);
	}
	say(p, "it is cut or a line is missing, left out");
	return 0;
}

static int read_pages(struct import *im)
{
	struct pages p = { .im = im, .block = malloc(sizeof(*p.block)) };
	int r = 0;

	if (!p.block)
		return -ENOMEM;
	for (size_t i = 0; r == 0 && i < im->text->n && p.n < (int)MAX_PAGES;) {
		if (!hex_lines_read(im->text, i, p.block)) {
			i++;
			continue;
		}
		i = p.block->end;
		r = read_block(&p);
	}
	free(p.block);
	return r < 0 ? r : p.n;
}

const struct importer importer_pages = {
	.name = "pages-text",
	.describe = "pages of bytes as hex: hdparm --Istdout, sg_sat_identify, "
		    "sg_sat_read_gplog, xxd, hexdump, od",
	.read = read_pages,
};
