/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A short text to paste into a forum. It names no serial number, no world wide name and no file;
 * where one of the first two slipped into another string it is taken out at the end.
 */
#include <ctype.h>
#include <string.h>

#include "base/str.h"
#include "render/formats.h"
#include "render/sheet.h"
#include "render/units.h"

#define EVIDENCE_MAX 6u
#define NEXT_MAX     6u

/* Characters that Markdown (CommonMark, GitHub) could take for layout, a link or a mention. */
static bool is_special(char c)
{
	return c && strchr("\\`*_[]<>#|~&@!$", c) != NULL;
}

static void add_text(struct buf *b, const char *text)
{
	struct buf safe cleanup_buf = { 0 };
	const char *s;

	sheet_add_safe(&safe, text ? text : "", 1000);
	s = buf_text(&safe);
	if (buf_error(&safe) < 0)
		b->failed = true;
	while (*s == ' ')
		s++;
	if (*s == '-' || *s == '+' || *s == '=')
		buf_putc(b, '\\');
	for (; *s; s++) {
		if (is_special(*s) || (*s == ':' && s[1] == '/'))
			buf_putc(b, '\\');
		buf_putc(b, *s);
	}
}

static void add_identity(struct buf *b, const struct drive *d)
{
	const char *model = drive_text(d, FACT_MODEL, 0, 0),
		   *firmware = drive_text(d, FACT_FIRMWARE, 0, 0);
	uint64_t n;

	buf_puts(b, "**");
	add_text(b, model && model[0] ? model
		    : drive_text(d, FACT_DEVICE, 0, 0)
			    ? "A drive of unknown model"
			    : "A drive not named in the input");
	buf_puts(b, "**");
	if (drive_u64(d, FACT_CAPACITY, 0, 0, &n)) {
		buf_puts(b, ", ");
		units_add_bytes(b, n);
	}
	if (firmware) {
		buf_puts(b, ", firmware ");
		add_text(b, firmware);
	}
	if (drive_u64(d, FACT_POWER_ON_HOURS, 0, 0, &n)) {
		buf_puts(b, ", ");
		str_add_grouped(b, n);
		buf_puts(b, " h on");
	}
	buf_puts(b, "\n\n");
}

static void add_evidence(struct buf *b, const char *title,
			 const struct evidence_list *list)
{
	if (!list->n)
		return;
	buf_printf(b, "\n%s:\n\n", title);
	for (size_t i = 0; i < list->n && i < EVIDENCE_MAX; i++) {
		const char *clock = fact_clock_name(list->items[i].clock);

		buf_puts(b, "- ");
		add_text(b, list->items[i].text);
		if (clock[0])
			buf_printf(b, " *(%s)*", clock);
		buf_putc(b, '\n');
	}
	if (list->n > EVIDENCE_MAX)
		buf_printf(b, "- and %zu more\n", list->n - EVIDENCE_MAX);
}

static void add_next(struct buf *b, const struct text_list *next)
{
	if (next->n)
		buf_puts(b, "\nNext:\n\n");
	for (size_t i = 0; i < next->n && i < NEXT_MAX; i++) {
		buf_printf(b, "%zu. ", i + 1);
		add_text(b, next->items[i]);
		buf_putc(b, '\n');
	}
}

static void add_finding(struct buf *b, const struct finding *f)
{
	buf_printf(b, "**%s: %s** (%s", severity_name(f->severity), code_title(f->code),
		   code_name(f->code));
	if (f->confidence != CONFIDENCE_CANNOT_TELL)
		buf_printf(b, ", confidence: %s", confidence_name(f->confidence));
	buf_puts(b, ")\n");
	if (f->headline) {
		buf_putc(b, '\n');
		add_text(b, f->headline);
		buf_putc(b, '\n');
	}
	if (f->where) {
		buf_puts(b, "\nWhere: ");
		add_text(b, f->where);
		buf_putc(b, '\n');
	}
}

static void add_phy(struct buf *b, const struct phy_page *p)
{
	if (!p->n)
		return;
	buf_puts(b, "\nPhy event counters (struck out: not believed):");
	for (size_t i = 0; i < p->n; i++) {
		const struct phy_counter *c = &p->counters[i];
		bool struck = c->trust == PHY_CONSTANT || c->trust == PHY_DOUBTFUL;

		buf_printf(b, "%s %03X %s%llu%s%s", i ? "," : "", c->id,
			   struck ? "~~" : "", (unsigned long long)c->value,
			   c->saturated ? "+" : "", struck ? "~~" : "");
		if (c->has_delta && c->delta)
			buf_printf(b, " (%+lld)", (long long)c->delta);
	}
	buf_putc(b, '\n');
	if (p->direction) {
		buf_putc(b, '\n');
		add_text(b, p->direction);
		buf_putc(b, '\n');
	}
}

static void add_others(struct buf *b, const struct finding *list, size_t n)
{
	bool any = false;

	for (size_t i = 1; i < n; i++) {
		if (!any)
			buf_puts(b, "\nAlso:\n\n");
		any = true;
		buf_printf(b, "- %s: %s (%s)%s\n", severity_name(list[i].severity),
			   code_title(list[i].code), code_name(list[i].code),
			   list[i].runner_up ? ", the other explanation" : "");
	}
}

static void add_findings(struct buf *b, const struct finding *list, size_t n,
			 const struct phy_page *phy)
{
	if (n) {
		add_finding(b, list);
		if (list->severity == SEVERITY_CRITICAL)
			add_next(b, &list->next);
		add_evidence(b, "For", &list->evidence);
		add_evidence(b, "Against", &list->against);
	}
	if (phy)
		add_phy(b, phy);
	add_others(b, list, n);
	if (n && list->severity != SEVERITY_CRITICAL)
		add_next(b, &list->next);
}

/* Length of NAME at the start of S; spaces are no part of a world wide name. */
static size_t match_len(const char *s, const char *name)
{
	const char *start = s;

	while (*name) {
		if (*name == ' ') {
			name++;
		} else if (s != start && *s == ' ') {
			s++;
		} else if (*s == '\\' && s[1] == *name) {
			s += 2; /* escaped for Markdown */
			name++;
		} else if (tolower((unsigned char)*s) == tolower((unsigned char)*name)) {
			s++;
			name++;
		} else {
			return 0;
		}
	}
	return (size_t)(s - start);
}

static void hide_name(struct buf *b, size_t from, const char *name)
{
	struct buf out cleanup_buf = { 0 };
	size_t at = from;

	if (!name || strlen(name) < 4)
		return;
	while (at < b->len) {
		size_t n = match_len(b->data + at, name);

		if (n) {
			buf_puts(&out, "(hidden)");
			at += n;
		} else {
			buf_putc(&out, b->data[at++]);
		}
	}
	b->len = from;
	buf_add(b, buf_text(&out), out.len);
	if (buf_error(&out) < 0)
		b->failed = true;
}

static void hide_names(struct buf *b, size_t from, const struct drive *d)
{
	static const enum fact_id ids[] = { FACT_SERIAL, FACT_WWN };

	for (size_t k = 0; k < array_size(ids); k++) {
		size_t n;
		const struct fact *f = drive_facts(d, ids[k], &n);

		for (size_t i = 0; i < n; i++)
			hide_name(b, from, f[i].text);
	}
}

int markdown_write(const struct report *r, const struct diag *d,
		   const struct render_options *o, struct buf *ret)
{
	size_t from = ret->len;

	(void)d;
	(void)o;
	for (size_t i = 0; i < r->n_drives; i++) {
		const struct drive_report *one = &r->drives[i];

		if (i)
			buf_puts(ret, "\n---\n\n");
		add_identity(ret, one->drive);
		add_findings(ret, one->findings, one->n_findings, &one->phy);
	}
	if (r->n_host_findings) {
		buf_puts(ret, r->n_drives ? "\n---\n\n**The host**\n\n" : "");
		add_findings(ret, r->host_findings, r->n_host_findings, NULL);
	}
	for (size_t i = 0; i < r->n_drives; i++)
		hide_names(ret, from, r->drives[i].drive);
	return buf_error(ret);
}
