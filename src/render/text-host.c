/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a case says of the host: stalled tasks, and tables that compare two kernels or settings. */
#include "base/str.h"
#include "render/text.h"
#include "render/units.h"

static void write_stall(struct sheet *s, const struct drive *host, uint32_t i)
{
	const char *label = drive_text(host, FACT_STALL_LABEL, i, 0);
	const char *where = drive_text(host, FACT_STALL_WHERE, i, 0);
	uint64_t ms, events;

	sheet_text(s, STYLE_PLAIN, label ? label : "tasks");
	if (where) {
		sheet_raw(s, STYLE_PLAIN, " in ");
		sheet_text(s, STYLE_PLAIN, where);
	}
	if (drive_u64(host, FACT_STALL_MS, i, 0, &ms)) {
		struct buf b cleanup_buf = { 0 };

		str_add_grouped(&b, ms / 1000);
		sheet_raw(s, STYLE_PLAIN, ": %s s", buf_text(&b));
		sheet_check(s, &b);
	}
	if (drive_u64(host, FACT_STALL_EVENTS, i, 0, &events))
		sheet_raw(s, STYLE_PLAIN, " in %llu stall%s", (unsigned long long)events,
			  str_plural(events));
}

static void write_stalls(struct sheet *s, const struct drive *host, size_t max)
{
	size_t n;
	const struct fact *f = drive_facts(host, FACT_STALL_MS, &n);

	for (size_t i = 0; i < n && i < max; i++) {
		sheet_label(s, i ? "" : "Stalled");
		write_stall(s, host, f[i].key.i);
		sheet_end(s);
	}
	text_rest(s, n, max);
}

static void write_cells(struct sheet *s, const struct drive *host, uint32_t row)
{
	const char *cell;

	for (uint32_t j = 0; j < 64; j++) {
		const struct fact *change = drive_fact(host, FACT_CMP_ROW_CHANGE, row, j);

		cell = drive_text(host, FACT_CMP_ROW_TEXT, row, j);
		if (!cell)
			break;
		sheet_raw(s, STYLE_PLAIN, j ? " | " : " ");
		sheet_text(s, STYLE_PLAIN, cell);
		if (change && j) {
			struct buf b cleanup_buf = { 0 };

			units_add_decimal(&b, change->s, 4);
			sheet_raw(s, STYLE_DIM, " (%s %%)", buf_text(&b));
			sheet_check(s, &b);
		}
	}
}

static void write_rows(struct sheet *s, const struct drive *host, size_t max)
{
	size_t n;
	const struct fact *rows = drive_facts(host, FACT_CMP_ROW_NAME, &n);

	for (size_t i = 0; i < n && i < max; i++) {
		sheet_label(s, i ? "" : "Rows");
		s->hang = SHEET_HANG + 2;
		sheet_text(s, STYLE_PLAIN, rows[i].text);
		write_cells(s, host, rows[i].key.i);
		sheet_end(s);
	}
	text_rest(s, n, max);
}

/* On one screen the tables are only named: which rows matter, the findings say. */
static void write_tables(struct sheet *s, const struct drive *host)
{
	size_t n;
	const struct fact *columns = drive_facts(host, FACT_CMP_COLUMN, &n);
	const char *title;

	for (size_t i = 0; i < n; i++) {
		bool first = !i || columns[i].key.i != columns[i - 1].key.i;

		if (first && i)
			sheet_end(s);
		if (first) {
			title = drive_text(host, FACT_CMP_TITLE, columns[i].key.i, 0);
			sheet_label(s, i ? "" : "Compared");
			sheet_text(s, STYLE_PLAIN, title ? title : "");
			sheet_raw(s, STYLE_PLAIN, title ? ": " : "");
		}
		sheet_raw(s, STYLE_PLAIN, first ? "" : " | ");
		sheet_text(s, STYLE_PLAIN, columns[i].text);
	}
	if (n)
		sheet_end(s);
}

bool text_host_says(const struct drive *host)
{
	size_t columns, stalls;

	(void)drive_facts(host, FACT_CMP_COLUMN, &columns);
	(void)drive_facts(host, FACT_STALL_MS, &stalls);
	return columns || stalls || text_has_events(host);
}

void text_host(struct sheet *s, const struct drive *host, const struct text_limits *l,
	       bool judged)
{
	write_tables(s, host);
	text_events(s, host, l);
	if (l->everything || !judged)
		write_stalls(s, host, l->reads);
	if (l->everything)
		write_rows(s, host, SIZE_MAX);
}
