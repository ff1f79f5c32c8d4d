/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Everything the drive said, as tables: what --verbose adds below the diagnosis. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "render/smart-words.h"
#include "render/text-show.h"
#include "render/units.h"

void show_heading(struct sheet *s, const char *title)
{
	sheet_gap(s);
	sheet_begin(s, 0, 2);
	sheet_raw(s, STYLE_BOLD, "%s", title);
	sheet_end(s);
}

void show_line(struct sheet *s, const char *format, ...)
{
	char text[200];
	va_list ap;

	va_start(ap, format);
	(void)vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	sheet_begin(s, 2, 4);
	sheet_raw(s, STYLE_PLAIN, "%s", text);
	sheet_end(s);
}

void show_cell(struct sheet *s, const char *text, unsigned width, bool right)
{
	struct buf b cleanup_buf = { 0 };
	size_t taken;

	str_add_escaped(&b, text, SHEET_TEXT_MAX);
	taken = sheet_width(buf_text(&b), b.len);
	sheet_check(s, &b);
	if (right && taken < width)
		sheet_spaces(s, width - taken);
	buf_add(&s->line, buf_text(&b), b.len);
	sheet_check(s, &b);
	if (!right && taken < width)
		sheet_spaces(s, width - taken);
	sheet_spaces(s, 1);
}

static void fact_cell(struct sheet *s, const struct drive *d, enum fact_id id, uint32_t i,
		      uint32_t j, unsigned width)
{
	struct buf b cleanup_buf = { 0 };
	const struct fact *f = drive_fact(d, id, i, j);

	bool is_text = fact_get_info(id)->type == FACT_TEXT;

	/* bytes have no names: those of the database */
	if (!f && id == FACT_ATTR_NAME)
		f = drive_fact(d, FACT_DB_ATTR_NAME, i, j);
	if (f && id == FACT_ATTR_FLAGS) {
		char letters[8];

		smart_flag_letters(f->u, letters);
		show_cell(s, letters, width, false);
		return;
	}

	if (f && is_text) {
		show_cell(s, f->text, width, false);
		return;
	}
	if (f && fact_get_info(id)->type == FACT_S64)
		buf_printf(&b, "%lld", (long long)f->s);
	else if (f)
		buf_printf(&b, "%llu", (unsigned long long)f->u);
	show_cell(s, f ? buf_text(&b) : is_text ? "" : "-", width, true);
	sheet_check(s, &b);
}

struct column {
	enum fact_id id;
	const char *title;
	unsigned width;
};

struct table {
	const char *title;
	const char *key_title; /* NULL: the key is not shown */
	enum fact_id rows;     /* one row for each instance of this fact */
	struct column columns[9];
	enum fact_id doubt; /* 0 or FACT_COUNT: none */
	const char *legend;
	/* what stands below a row */
	void (*below)(struct sheet *s, const struct drive *d, uint32_t i);
};

static const struct table tables[] = {
	{ "SMART attributes",
	  "id",
	  FACT_ATTR_VALUE,
	  { { FACT_ATTR_VALUE, "value", 5 },
	    { FACT_ATTR_WORST, "worst", 5 },
	    { FACT_ATTR_THRESHOLD, "thresh", 6 },
	    { FACT_ATTR_WHEN_FAILED, "failed", 6 },
	    { FACT_ATTR_FLAGS, "flags", 7 },
	    { FACT_ATTR_NAME, "name", 23 },
	    { FACT_ATTR_RAW_TEXT, "raw", 1 } },
	  FACT_ATTR_DOUBT,
	  "flags: P pre-fail, O updated online, S speed, R error rate, C event count, "
	  "K kept when off, + others",
	  NULL },
	{ "Device statistics",
	  "page/offset",
	  FACT_STAT_NAME, /* a value may be missing */
	  { { FACT_STAT_VALUE, "value", 16 },
	    { FACT_STAT_FLAGS, "flags", 5 },
	    { FACT_STAT_NAME, "name", 1 } },
	  FACT_STAT_DOUBT,
	  "flags: N normalised, D can notify, C its condition is met",
	  NULL },
	{ "Errors the drive has logged, newest first",
	  NULL,
	  FACT_ERROR_NUMBER,
	  { { FACT_ERROR_NUMBER, "number", 6 },
	    { FACT_ERROR_HOURS, "hours", 6 },
	    { FACT_ERROR_LBA, "LBA", 12 },
	    { FACT_ERROR_STATE, "state", 16 },
	    { FACT_ERROR_TEXT, "error", 1 } },
	  FACT_COUNT,
	  NULL,
	  show_error },
	{ "Self-tests, newest first",
	  NULL,
	  FACT_SELFTEST_TYPE,
	  { { FACT_SELFTEST_HOURS, "hours", 6 },
	    { FACT_SELFTEST_REMAINING, "left %", 6 },
	    { FACT_SELFTEST_LBA, "LBA", 12 },
	    { FACT_SELFTEST_TYPE, "test", 18 },
	    { FACT_SELFTEST_RESULT, "result", 1 } } },
	{ "Pending defects",
	  NULL,
	  FACT_DEFECT_LBA,
	  { { FACT_DEFECT_LBA, "LBA", 14 }, { FACT_DEFECT_HOURS, "hours", 8 } } },
	{ "Logs",
	  "log",
	  FACT_LOG_NAME,
	  { { FACT_LOG_GPL, "GPL", 6 },
	    { FACT_LOG_SMART, "SMART", 6 },
	    { FACT_LOG_ACCESS, "access", 6 },
	    { FACT_LOG_NAME, "name", 1 } } },
};

static void key_cell(struct sheet *s, const struct table *t, struct fact_key key)
{
	if (!t->key_title)
		return;
	if (fact_get_info(t->rows)->keys == KEYS_PAGEOFF)
		sheet_raw(s, STYLE_PLAIN, "%02x/%03x      ", key.i, key.j);
	else
		sheet_raw(s, STYLE_PLAIN,
			  fact_get_info(t->rows)->keys == KEYS_PAGE ? " %02x " : "%3u ",
			  key.i);
}

static bool same_key(struct fact_key a, struct fact_key b)
{
	return a.i == b.i && a.j == b.j;
}

static void write_titles(struct sheet *s, const struct table *t)
{
	sheet_begin(s, 2, 4);
	if (t->key_title)
		sheet_raw(s, STYLE_DIM, "%3s ", t->key_title);
	for (size_t k = 0; k < array_size(t->columns) && t->columns[k].title; k++)
		show_cell(s, t->columns[k].title, t->columns[k].width,
			  fact_get_info(t->columns[k].id)->type != FACT_TEXT);
	sheet_end(s);
}

/* Why this number counts for nothing. */
static void write_doubt(struct sheet *s, const struct drive *d, const struct table *t,
			struct fact_key key)
{
	const char *why = t->doubt && t->doubt != FACT_COUNT
				  ? drive_text(d, t->doubt, key.i, key.j)
				  : NULL;

	if (!why)
		return;
	sheet_begin(s, 8, 10);
	sheet_raw(s, STYLE_DIM, "not used: ");
	sheet_text(s, STYLE_DIM, why);
	sheet_end(s);
}

static void write_row(struct sheet *s, const struct drive *d, const struct table *t,
		      struct fact_key key)
{
	sheet_begin(s, 2, 4);
	key_cell(s, t, key);
	for (size_t k = 0; k < array_size(t->columns) && t->columns[k].title; k++)
		fact_cell(s, d, t->columns[k].id, key.i, key.j, t->columns[k].width);
	sheet_end(s);
	write_doubt(s, d, t, key);
	if (t->below)
		t->below(s, d, key.i);
}

/* Rows of ID; those that also stand in WITHOUT are left out. Returns how many there are. */
static size_t write_rows(struct sheet *s, const struct drive *d, const struct table *t,
			 enum fact_id id, enum fact_id without, bool titles)
{
	size_t n, written = 0;
	const struct fact *rows = drive_facts(d, id, &n);

	for (size_t i = 0; i < n; i++) {
		if ((i && same_key(rows[i].key, rows[i - 1].key)) ||
		    (without != id &&
		     drive_fact(d, without, rows[i].key.i, rows[i].key.j)))
			continue;
		if (!written++ && titles) {
			show_heading(s, t->title);
			write_titles(s, t);
		}
		write_row(s, d, t, rows[i].key);
	}
	return written;
}

static void write_table(struct sheet *s, const struct drive *d, const struct table *t)
{
	enum fact_id first = t->columns[0].id;
	size_t n = write_rows(s, d, t, t->rows, t->rows, true);

	if (first != t->rows)
		n += write_rows(s, d, t, first, t->rows, n == 0);
	if (n && t->legend) {
		sheet_begin(s, 2, 4);
		sheet_raw(s, STYLE_DIM, "%s", t->legend);
		sheet_end(s);
	}
}

static void write_value(struct sheet *s, const struct phy_counter *c)
{
	bool struck = c->trust == PHY_CONSTANT || c->trust == PHY_DOUBTFUL;
	char value[32];
	size_t width;

	(void)snprintf(value, sizeof(value), struck ? "~%llu~%s" : "%llu%s",
		       (unsigned long long)c->value, c->saturated ? "+" : "");
	width = strlen(value);
	sheet_begin(s, 2, 28);
	sheet_raw(s, STYLE_PLAIN, "%04X ", c->id);
	sheet_spaces(s, width < 9 ? 9 - width : 0);
	sheet_raw(s, struck ? STYLE_STRUCK : STYLE_PLAIN, "%s", value);
	sheet_raw(s, STYLE_PLAIN, " %-9s ", phy_trust_name(c->trust));
	if (c->has_delta)
		sheet_raw(s, STYLE_PLAIN, "(%+lld) ", (long long)c->delta);
}

static void write_phy(struct sheet *s, const struct phy_page *p)
{
	if (!p->n)
		return;
	show_heading(s, "Phy event counters (since the drive got power)");
	for (size_t i = 0; i < p->n; i++) {
		const struct phy_counter *c = &p->counters[i];

		write_value(s, c);
		sheet_text(s, STYLE_PLAIN, c->name);
		if (c->reason) {
			sheet_raw(s, STYLE_DIM, " - ");
			sheet_text(s, STYLE_DIM, c->reason);
		}
		sheet_end(s);
	}
	for (size_t i = 0; i < p->reasons.n; i++) {
		sheet_begin(s, 2, 4);
		sheet_text(s, STYLE_DIM, p->reasons.items[i]);
		sheet_end(s);
	}
}

/* With one file in the case its name would only be repeated on every line. */
static bool is_one_file(const struct drive *d)
{
	for (size_t i = 1; i < d->n_snapshots; i++)
		if (!str_equal(d->snapshots[i].file, d->snapshots[0].file))
			return false;
	return true;
}

static void add_origin(struct sheet *s, const struct drive *d, const struct fact *f)
{
	struct buf b cleanup_buf = { 0 };

	if (is_one_file(d) && f->origin.line && f->trust != TRUST_DATABASE) {
		sheet_raw(s, STYLE_DIM, " (line %u)", f->origin.line);
		return;
	}
	units_add_origin(&b, f);
	sheet_check(s, &b);
	sheet_raw(s, STYLE_DIM, " (");
	buf_add(&s->line, buf_text(&b), b.len);
	sheet_raw(s, STYLE_DIM, ")");
}

static void write_scalars(struct sheet *s, const struct drive *d)
{
	bool any = false;

	for (int id = 0; id < FACT_COUNT; id++) {
		const struct fact_info *info = fact_get_info((enum fact_id)id);
		const struct fact *f = info->keys == KEYS_NONE
					       ? drive_fact(d, (enum fact_id)id, 0, 0)
					       : NULL;
		struct buf b cleanup_buf = { 0 };

		if (!f)
			continue;
		if (!any)
			show_heading(s, "All single facts");
		any = true;
		units_add_fact(&b, f);
		sheet_begin(s, 2, 4);
		sheet_raw(s, STYLE_PLAIN, "%s: ", info->name);
		buf_add(&s->line, buf_text(&b), b.len);
		sheet_check(s, &b);
		add_origin(s, d, f);
		sheet_end(s);
	}
}

void text_show(struct sheet *s, const struct drive_report *r, bool explain)
{
	const struct drive *d = r->drive;

	show_capabilities(s, d);
	for (size_t i = 0; i < array_size(tables); i++)
		write_table(s, d, &tables[i]);
	show_selective(s, d);
	show_temperatures(s, d);
	write_phy(s, &r->phy);
	show_other(s, d);
	show_posted(s, d);
	show_opinion(s, r);
	if (explain)
		show_origins(s, d);
	else
		write_scalars(s, d);
}
