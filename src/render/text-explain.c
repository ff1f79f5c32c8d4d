/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show --explain: every fact, grouped by where it stood and in the order it stood there. */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "render/text-show.h"
#include "render/units.h"

/* Only bytes of a drive have an item that says where they were; text has a file and a line. */
static const char *item_of(const struct fact *f)
{
	return f->origin.item ? f->origin.item : "";
}

static int compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static bool is_same_group(const struct fact *a, const struct fact *b)
{
	return a->snapshot == b->snapshot && str_equal(item_of(a), item_of(b)) &&
	       (a->trust == TRUST_DERIVED) == (b->trust == TRUST_DERIVED);
}

static int compare(const void *a, const void *b)
{
	const struct fact *x = *(const struct fact *const *)a,
			  *y = *(const struct fact *const *)b;
	int order[] = {
		compare_numbers(x->trust == TRUST_DERIVED, y->trust == TRUST_DERIVED),
		compare_numbers(x->snapshot, y->snapshot),
		compare_texts(item_of(x), item_of(y)),
		compare_texts(x->origin.file, y->origin.file),
		compare_numbers(x->origin.line, y->origin.line),
		compare_numbers(x->origin.offset, y->origin.offset),
		compare_numbers(x->key.id, y->key.id),
		compare_numbers(x->key.i, y->key.i),
		compare_numbers(x->key.j, y->key.j),
	};

	for (size_t i = 0; i < array_size(order); i++)
		if (order[i])
			return order[i];
	return 0;
}

/* "ata/log/04/01" is page 1 of log 04h. */
static void add_page(struct sheet *s, const char *item)
{
	const char *rest = str_after(item, "ata/log/");
	uint64_t log, page;

	if (rest && str_take_u64(&rest, 16, &log) == 0 && *rest++ == '/' &&
	    str_take_u64(&rest, 16, &page) == 0)
		sheet_raw(s, STYLE_PLAIN, " (log %02llxh, from page %llu on)",
			  (unsigned long long)log, (unsigned long long)page);
	rest = str_after(item, "ata/smart-log/");
	if (rest && str_take_u64(&rest, 16, &log) == 0)
		sheet_raw(s, STYLE_PLAIN, " (SMART log %02llxh)",
			  (unsigned long long)log);
}

static const char *role_name(enum snapshot_role role)
{
	static const char *const names[] = { [ROLE_BEFORE] = "before",
					     [ROLE_DURING] = "during",
					     [ROLE_AFTER] = "after",
					     [ROLE_IMPORT] = "posted",
					     [ROLE_BASELINE] = "baseline" };

	return names[role];
}

static void write_group(struct sheet *s, const struct drive *d, const struct fact *f)
{
	const struct snapshot *from =
		f->snapshot < d->n_snapshots ? &d->snapshots[f->snapshot] : NULL;

	sheet_gap(s);
	sheet_begin(s, 0, 2);
	if (f->trust == TRUST_DERIVED)
		sheet_raw(s, STYLE_BOLD, "Derived from ");
	sheet_text(s, STYLE_BOLD,
		   f->trust == TRUST_DATABASE ? "The drive database"
		   : *item_of(f)	      ? item_of(f)
					      : "elsewhere");
	add_page(s, item_of(f));
	if (from && f->trust != TRUST_DATABASE && d->n_snapshots > 1)
		sheet_raw(s, STYLE_PLAIN, ", reading %u of %zu (%s)", f->snapshot + 1,
			  d->n_snapshots, role_name(from->role));
	if (from && from->file && f->trust != TRUST_DATABASE) {
		sheet_raw(s, STYLE_PLAIN, " in ");
		sheet_text(s, STYLE_PLAIN, from->file);
	}
	sheet_end(s);
}

/* The place inside of the group: bytes of the item, or a line of the file. */
static void add_place(struct sheet *s, const struct fact *f)
{
	struct buf place cleanup_buf = { 0 };

	if (f->origin.width)
		buf_printf(&place, "byte %u, %u wide", f->origin.offset, f->origin.width);
	else if (f->trust == TRUST_DATABASE && f->origin.file)
		buf_printf(&place, "%s:%u", f->origin.file, f->origin.line);
	else if (f->origin.line)
		buf_printf(&place, "line %u", f->origin.line);
	else
		buf_puts(&place, "-");
	show_cell(s, buf_text(&place), 18, false);
	sheet_check(s, &place);
}

static void write_fact(struct sheet *s, const struct fact *f)
{
	const char *clock = fact_clock_name(fact_get_info(f->key.id)->clock);
	struct buf text cleanup_buf = { 0 };

	sheet_begin(s, 2, 23);
	add_place(s, f);
	fact_add_name(&text, f->key);
	buf_puts(&text, " = ");
	units_add_fact(&text, f);
	buf_add(&s->line, buf_text(&text), text.len);
	sheet_check(s, &text);
	sheet_raw(s, STYLE_DIM, " (%s%s%s)", clock, *clock ? "; " : "",
		  fact_trust_name(f->trust));
	sheet_end(s);
}

void show_origins(struct sheet *s, const struct drive *d)
{
	const struct fact **all = calloc(d->n_facts + 1, sizeof(const struct fact *));

	if (!all) {
		s->out->failed = true;
		return;
	}
	for (size_t i = 0; i < d->n_facts; i++)
		all[i] = &d->facts[i];
	if (d->n_facts)
		qsort(all, d->n_facts, sizeof(const struct fact *), compare);
	show_heading(s, "Where each value stood, the clock it belongs to, and its trust");
	for (size_t i = 0; i < d->n_facts; i++) {
		if (!i || !is_same_group(all[i], all[i - 1]))
			write_group(s, d, all[i]);
		write_fact(s, all[i]);
	}
	free(all);
}
