/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables that compare kernels or settings, as mail on kernel lists shows them:
 *
 *                       3.9.0-rc6        3.9.0-rc6
 *                         vanilla          ext4tag
 *   System min   9.14 (  0.00%)   9.13 (   0.11%)     mmtests' compare: value, change
 *   Mean sda-await      2501.33          2597.23      its table of iostat: values
 *
 * A change is better when positive, by mmtests' own rule for each row; it is kept as posted.
 */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/comparison.h"
#include "import/importers.h"

#define SECTION	   "comparison"
#define MAX_ROWS   5000u
#define MAX_FACTS  (900u << 10) /* bytes of the item, see emit_done() */
#define MAX_JOINED 3u
#define MAX_NAME   200u

struct comparison {
	struct import *im;
	struct emit e;
	uint32_t tables, rows;
	/* the table that is being read */
	size_t next;	/* its next row would stand at this line */
	size_t columns; /* 0: no table */
	bool changes;
};

/* ---- columns ----------------------------------------------------------------------------------- */

static size_t count_words(const char *s)
{
	size_t n = 0;

	while (*(s += strspn(s, " "))) {
		n++;
		s += strcspn(s, " ");
	}
	return n;
}

/* Names, not prose: no stops; and in the first line of two each holds a digit: "3.9.0-rc6". */
static bool is_header(const struct text_line *l, bool digits)
{
	const char *s = l->s;

	if (l->state != LINE_OPEN || !l->len)
		return false;
	while (*(s += strspn(s, " "))) {
		size_t len = strcspn(s, " ");

		if (strchr(".,:;!?(", s[len - 1]))
			return false;
		if (digits && strcspn(s, "0123456789") >= len)
			return false;
		s += len;
	}
	return true;
}

/* How many lines above line ROW name the columns (0 to 2), and how many columns they name. */
static size_t find_header(const struct text *t, size_t row, size_t *ret_columns)
{
	size_t n;

	if (!row)
		return 0;
	n = count_words(t->lines[row - 1].s);
	if (!n || n > COMPARISON_COLUMNS)
		return 0;
	if (row > 1 && is_header(&t->lines[row - 1], false) &&
	    is_header(&t->lines[row - 2], true) &&
	    count_words(t->lines[row - 2].s) == n) {
		*ret_columns = n;
		return 2;
	}
	if (!is_header(&t->lines[row - 1], true))
		return 0;
	*ret_columns = n;
	return 1;
}

static struct slice word_at(const char *s, size_t index)
{
	s += strspn(s, " ");
	while (index--) {
		s += strcspn(s, " ");
		s += strspn(s, " ");
	}
	return (struct slice){ s, strcspn(s, " ") };
}

static void emit_slice(struct comparison *c, enum fact_id id, uint32_t i, uint32_t j,
		       struct slice a, struct slice b, size_t line)
{
	struct buf text = { 0 };

	buf_add(&text, a.s, a.len);
	if (b.len) {
		buf_putc(&text, ' ');
		buf_add(&text, b.s, b.len);
	}
	emit_text(&c->e, id, i, j, buf_text(&text), line);
	buf_done(&text);
}

static void start_table(struct comparison *c, size_t row, size_t lines, bool changes)
{
	struct text *t = c->im->text;
	const struct slice none = { "", 0 };

	for (size_t j = 0; lines && j < c->columns; j++) {
		struct slice below = word_at(t->lines[row - 1].s, j);

		if (lines == 2)
			emit_slice(c, FACT_CMP_COLUMN, c->tables, (uint32_t)j,
				   word_at(t->lines[row - 2].s, j), below, row - 2);
		else
			emit_slice(c, FACT_CMP_COLUMN, c->tables, (uint32_t)j, below,
				   none, row - 1);
	}
	for (size_t i = 1; i <= lines; i++)
		text_claim(t, row - i, LINE_READ, SECTION);
	if (!changes)
		emit_text(&c->e, FACT_CMP_TITLE, c->tables, 0, "iostat", row);
	c->changes = changes;
	c->tables++;
}

/* ---- putting rows together --------------------------------------------------------------------- */

static bool is_good(const struct row *row, size_t columns, bool changes)
{
	return !row->rest && row->n == columns &&
	       (changes || comparison_same_places(row));
}

/*
 * A row that was wrapped: join the next lines until it has all its columns. With brackets only
 * the joint without a blank can be right (numbers may be cut); without them it must be the only
 * one of both that makes a row. Returns the line behind, TEXT holds the row; 0 when there is none.
 */
static size_t join(struct comparison *c, size_t index, size_t columns, bool changes,
		   struct buf *text)
{
	const struct text *t = c->im->text;
	struct row row;
	bool kind;

	for (size_t i = index + 1; i < t->n && i <= index + MAX_JOINED; i++) {
		struct buf apart = { 0 };
		bool near_good, apart_good;

		if (!t->lines[i].len || t->lines[i].state != LINE_OPEN ||
		    (comparison_split(t->lines[i].s, &row, &kind) && row.name.len))
			return 0;
		buf_puts(&apart, buf_text(text));
		buf_putc(&apart, ' ');
		buf_puts(&apart, t->lines[i].s);
		buf_puts(text, t->lines[i].s);
		near_good = comparison_split(buf_text(text), &row, &kind) &&
			    kind == changes && is_good(&row, columns, changes);
		apart_good = !changes &&
			     comparison_split(buf_text(&apart), &row, &kind) &&
			     is_good(&row, columns, changes);
		if (apart_good && !near_good) {
			buf_clear(text);
			buf_puts(text, buf_text(&apart));
		}
		buf_done(&apart);
		if (near_good && apart_good)
			return 0;
		if (near_good || apart_good)
			return i + 1;
	}
	return 0;
}

/* ---- facts --------------------------------------------------------------------------------------- */

static void put_cell(struct comparison *c, const struct cell *cell, uint32_t j,
		     size_t line)
{
	const struct slice none = { "", 0 };
	unsigned int places;
	int64_t v;

	if (comparison_take_value(cell->value, &v, &places)) {
		emit_slice(c, FACT_CMP_ROW_TEXT, c->rows, j, cell->value, none, line);
		emit_s64(&c->e, FACT_CMP_ROW_MICRO, c->rows, j, v, line);
	} else if (comparison_is_no_number(cell->value)) {
		emit_slice(c, FACT_CMP_ROW_TEXT, c->rows, j, cell->value, none, line);
	}
	if (cell->change.s && comparison_take_signed(cell->change, 10000, &v, &places))
		emit_s64(&c->e, FACT_CMP_ROW_CHANGE, c->rows, j, v, line);
}

static bool cell_is_good(const struct cell *cell)
{
	unsigned int places;
	int64_t v;

	return (comparison_take_value(cell->value, &v, &places) ||
		comparison_is_no_number(cell->value)) &&
	       (!cell->change.s || comparison_is_number(cell->change) ||
		comparison_is_no_number(cell->change));
}

static void note(struct comparison *c, size_t line, const char *what)
{
	diag_add(c->im->diag, DIAG_NOTE, c->im->text->file,
		 c->im->text->lines[line].number, "comparison: %s", what);
}

/* Blanks of a name are made single: they are those of the table. */
static void put_name(struct comparison *c, struct slice name, size_t line)
{
	struct buf text = { 0 };

	for (size_t i = 0; i < name.len; i++)
		if (!str_is_space(name.s[i]) || !str_is_space(name.s[i - 1]))
			buf_putc(&text, name.s[i]);
	emit_text(&c->e, FACT_CMP_ROW_NAME, c->rows, 0, buf_text(&text), line);
	buf_done(&text);
}

static void put_row(struct comparison *c, const struct row *row, size_t line, bool good)
{
	emit_u64(&c->e, FACT_CMP_ROW_TABLE, c->rows, 0, c->tables - 1, line);
	put_name(c, row->name, line);
	for (size_t j = 0; j < row->n; j++) {
		put_cell(c, &row->cells[j], (uint32_t)j, line);
		if (cell_is_good(&row->cells[j]))
			continue;
		good = false;
		note(c, line, "a cell of this row cannot be read: it is left out");
	}
	text_claim(c->im->text, line, good ? LINE_READ : LINE_DAMAGED, SECTION);
}

/* A row that lost cells: which column the others belong to is known only when the end is cut. */
static void put_damaged(struct comparison *c, struct row *row, size_t line)
{
	bool cut = c->im->text->lines[line].cut;

	if (cut && !c->changes && row->n)
		row->n--; /* its last number may be cut */
	if (cut && row->n <= c->columns) {
		put_row(c, row, line, false);
		return;
	}
	note(c, line, "this row has not as many cells as its table: it is left out");
	text_claim(c->im->text, line, LINE_DAMAGED, SECTION);
}

/* ---- the walk -------------------------------------------------------------------------------------- */

/* How many columns the row at INDEX must have; 0 when no table can start here. */
static size_t columns_of(struct comparison *c, size_t index, const struct row *row,
			 size_t *ret_header)
{
	size_t columns = 0;

	*ret_header = 0;
	if (c->columns && c->next == index)
		return c->columns;
	*ret_header = find_header(c->im->text, index, &columns);
	if (*ret_header && columns >= 2 && row->n <= columns)
		return columns;
	*ret_header = 0;
	return row->n >= 2 ? row->n : 0;
}

static size_t read_row(struct comparison *c, size_t index)
{
	struct text *t = c->im->text;
	struct buf text cleanup_buf = { 0 };
	bool same = c->columns && c->next == index, changes, good;
	size_t header, columns, end = index + 1;
	struct row row;

	if (t->lines[index].state != LINE_OPEN ||
	    !comparison_split(t->lines[index].s, &row, &changes) || !row.name.len ||
	    row.name.len > MAX_NAME || c->rows >= MAX_ROWS || c->e.body.len >= MAX_FACTS)
		return 0;
	columns = columns_of(c, index, &row, &header);
	if (!columns)
		return 0;
	same = same && changes == c->changes;
	good = is_good(&row, columns, changes);
	if (!good && !t->lines[index].cut && row.n) {
		buf_puts(&text, t->lines[index].s);
		end = join(c, index, columns, changes, &text);
		good = end && comparison_split(buf_text(&text), &row, &changes);
		end = good ? end : index + 1;
	}
	if (!good && !same && !header)
		return 0; /* one odd line is no table */
	if (!same) {
		c->columns = columns;
		start_table(c, index, header, changes);
	}
	if (good)
		put_row(c, &row, index, true);
	else
		put_damaged(c, &row, index);
	for (size_t i = index + 1; i < end; i++)
		text_claim(t, i, LINE_READ, SECTION);
	c->rows++;
	c->next = end;
	return end;
}

static int read_comparison(struct import *im)
{
	struct comparison c = { .im = im, .e = { .im = im } };
	int r;

	for (size_t i = 0; i < im->text->n;) {
		size_t end = read_row(&c, i);

		i = end ? end : i + 1;
	}
	if (c.rows >= MAX_ROWS || c.e.body.len >= MAX_FACTS)
		note(&c, c.next - 1,
		     "more rows than one report can hold: what follows is left out");
	r = emit_done(&c.e, CAP_HOST, "facts/comparison");
	return r < 0 ? r : (int)c.tables;
}

const struct importer importer_comparison = {
	.name = "comparison",
	.describe = "tables of mmtests that compare kernels, and its iostat tables",
	.read = read_comparison,
};
