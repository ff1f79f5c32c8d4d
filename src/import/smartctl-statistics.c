/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Device statistics (GP log 04h) and pending defects (GP log 0Ch). */
#include <string.h>

#include "base/str.h"
#include "import/smartctl.h"

/*
 * Since 6.5: "0x01  0x008  4               5  ---  Lifetime Power-On Resets"; before, pages were
 * decimal and there were no flags: "  1  0x008  4               5  Lifetime Power-On Resets", with a
 * "~" glued to a normalised value.
 */
struct row {
	uint64_t page, offset, size, value;
	bool is_head; /* "0x01  =====  =               =  ===  == General Statistics (rev 1) ==" */
	bool has_value, negative, normalised;
	bool whole;	   /* something behind the value shows its end */
	struct word flags; /* .s NULL: none */
	const char *name;
};

static bool is_flags(struct word w)
{
	if (w.len < 3 || w.len > 4 || !strchr("N-", w.s[0]) || !strchr("D-", w.s[1]) ||
	    !strchr("C-", w.s[2]))
		return false;
	return w.len == 3 || w.s[3] == '+';
}

/* "12", "-7", "0~", "-" for none */
static bool get_value(struct word w, struct row *ret)
{
	if (word_is(w, "-"))
		return true;
	ret->negative = w.s[0] == '-';
	w.s += ret->negative;
	w.len -= ret->negative;
	ret->normalised = w.len && w.s[w.len - 1] == '~';
	w.len -= ret->normalised;
	ret->has_value = word_u64(w, 10, &ret->value) == 0 && ret->value <= INT64_MAX;
	return ret->has_value;
}

static bool get_place(const struct word *w, size_t n, struct row *ret)
{
	if (n < 2 || (word_hex(w[0], &ret->page) < 0 &&
		      (w[0].len > 3 || word_u64(w[0], 10, &ret->page) < 0)))
		return false;
	ret->is_head = word_is(w[1], "=====");
	if (ret->is_head)
		return ret->page <= 255;
	return w[1].len == 5 && word_hex(w[1], &ret->offset) == 0 && ret->page <= 255;
}

/* 1: a whole row, 0: no row of this table, -1: a damaged one */
static int fit_row(const char *line, struct row *ret)
{
	struct word w[5];
	size_t n = words_split(line, w, 5), last = 3;

	*ret = (struct row){ .name = "" };
	if (!get_place(w, n, ret))
		return 0;
	if (ret->is_head)
		return 1;
	if (n < 4 || word_u64(w[2], 10, &ret->size) < 0 || !ret->size || ret->size > 8 ||
	    ret->offset % 8 || ret->offset >= 512 || !get_value(w[3], ret))
		return -1;
	if (n > 4 && is_flags(w[4])) {
		ret->flags = w[4];
		last = 4;
	}
	ret->whole = n > 4;
	ret->name = w[last].s + w[last].len;
	while (*ret->name == ' ')
		ret->name++;
	return 1;
}

static bool goes_on(const struct smart *s, size_t i)
{
	struct row row;

	return !smart_is_fresh(s, i) && !fit_row(smart_line(s, i), &row) &&
	       !smart_is_prose(s, i);
}

static void emit_row(struct smart *s, const struct row *row, size_t i)
{
	uint32_t page = (uint32_t)row->page, offset = (uint32_t)row->offset;
	struct buf flags = { 0 };

	if (row->has_value)
		emit_s64(&s->e, FACT_STAT_VALUE, page, offset,
			 row->negative ? -(int64_t)row->value : (int64_t)row->value, i);
	if (*row->name)
		emit_text(&s->e, FACT_STAT_NAME, page, offset, row->name, i);
	if (row->flags.s)
		buf_add(&flags, row->flags.s, row->flags.len);
	else if (row->normalised)
		buf_puts(&flags, "N--");
	if (flags.len)
		emit_text(&s->e, FACT_STAT_FLAGS, page, offset, buf_text(&flags), i);
	emit_u64(&s->e, FACT_STAT_SIZE, page, offset, row->size, i);
	buf_done(&flags);
}

/* "0x01  General Statistics" of the list of pages, "0x01  0x050  -  -  [Trailing garbage ignored]" */
static bool is_remark(const char *line)
{
	return (str_starts(line, "0x") &&
		(str_ends(line, " Statistics") || str_ends(line, " log pages"))) ||
	       strstr(line, "[Trailing garbage ignored]");
}

static uint32_t key_of(const struct row *row)
{
	return (uint32_t)(row->page << 8 | row->offset / 8);
}

static bool is_seen(const struct smart *s, const char *line)
{
	struct row row;

	return fit_row(line, &row) > 0 && !row.is_head &&
	       smart_has_bit(s->stat_seen, key_of(&row));
}

static size_t take_statistic(struct smart *s, size_t i)
{
	struct row row;
	size_t n = 1;
	int fit = fit_row(smart_line(s, i), &row);

	if (!s->headless && fit <= 0 && is_remark(smart_line(s, i)))
		return smart_claim(s, i, 1, LINE_KNOWN);

	if (fit == 0 || (s->headless && (fit < 0 || row.is_head || !row.flags.s)))
		return 0;
	if (fit > 0 && row.is_head)
		return smart_claim(s, i, 1, LINE_KNOWN);
	/* the rest of a row that was wrapped */
	while (n < 3 && goes_on(s, i + n) && fit_row(smart_join(s, i, n + 1), &row) > 0)
		n++;
	fit = fit_row(smart_join(s, i, n), &row);
	if (fit < 0 || !row.whole || (smart_is_cut(s, i + n - 1) && !*row.name))
		return smart_claim(s, i, n, LINE_DAMAGED);
	if (!smart_bit(s->stat_seen, key_of(&row)))
		return smart_claim(s, i, n, LINE_DAMAGED);
	emit_row(s, &row, i);
	return smart_claim(s, i, n, LINE_READ);
}

static const char prose[] =
	"Page Offset Size Value Flags Description Page Offset Size Value Description "
	"Page Description "
	"|||_ C monitored condition met ||__ D supports DSN |___ N normalized value "
	"|_ ~ normalized value ";

const struct smart_section smart_statistics = {
	.name = "statistics",
	.part = PART_STATISTICS,
	.row = take_statistic,
	.is_seen = is_seen,
	.prose = prose,
};

/* --- pending defects ------------------------------------------------------------------------------ */

static bool get_defect(const char *line, struct word *w, uint64_t *ret_index,
		       uint64_t *ret_lba)
{
	size_t n = words_split(line, w, 4);

	return (n == 2 || n == 3) && word_u64(w[0], 10, ret_index) == 0 &&
	       word_u64(w[1], 10, ret_lba) == 0;
}

/*
 * How many there are is known only where another section follows, or what is "not shown" is counted,
 * not where the text stops.
 */
static void end_defects(struct smart *s, size_t row)
{
	struct word w[4];
	uint64_t index, lba;
	size_t i = row + 1;

	while (i < s->text->n && !*smart_line(s, i))
		i++;
	if (i < s->text->n && (i > row + 1 || smart_is_fresh(s, i)) &&
	    !get_defect(smart_line(s, i), w, &index, &lba) &&
	    !str_starts(smart_line(s, i), "..."))
		smart_u64(s, FACT_DEFECT_COUNT, s->defects, row);
}

/* "... (26 entries not shown)"; "..." alone is the poster's */
static size_t take_rest(struct smart *s, size_t i)
{
	const char *p = words_after(smart_line(s, i), "... (");
	uint64_t more;

	if (p && str_take_u64(&p, 10, &more) == 0 &&
	    words_after(p, " entries not shown)") && more <= UINT32_MAX)
		smart_u64(s, FACT_DEFECT_COUNT, s->defects + more, i);
	(void)smart_once(s, FACT_DEFECT_COUNT);
	return smart_claim(s, i, 1, p ? LINE_READ : LINE_KNOWN);
}

/* "    0          273827456    28341", hours "-" when the drive does not tell them */
static size_t take_row(struct smart *s, size_t i)
{
	struct word w[4];
	uint64_t index, lba, hours;

	if (!get_defect(smart_line(s, i), w, &index, &lba))
		return 0;
	/* a gap: how many there are cannot be told any more */
	if (index != s->defects)
		(void)smart_once(s, FACT_DEFECT_COUNT);
	if (words_split(smart_line(s, i), w, 4) < 3 || index < s->defects ||
	    index >= UINT32_MAX || smart_is_cut(s, i)) {
		(void)smart_once(s, FACT_DEFECT_COUNT);
		return smart_claim(s, i, 1, LINE_DAMAGED);
	}
	s->defects = (uint32_t)index + 1;
	emit_u64(&s->e, FACT_DEFECT_LBA, (uint32_t)index, 0, lba, i);
	if (word_u64(w[2], 10, &hours) == 0)
		emit_u64(&s->e, FACT_DEFECT_HOURS, (uint32_t)index, 0, hours, i);
	end_defects(s, i);
	return smart_claim(s, i, 1, LINE_READ);
}

static size_t take_defect(struct smart *s, size_t i)
{
	const char *line = smart_line(s, i);

	if (words_after(line, "No Defects Logged")) {
		smart_u64(s, FACT_DEFECT_COUNT, 0, i);
		return smart_claim(s, i, 1, LINE_READ);
	}
	return str_starts(line, "...") ? take_rest(s, i) : take_row(s, i);
}

const struct smart_section smart_defects = {
	.name = "pending-defects",
	.part = PART_DEFECTS,
	.row = take_defect,
	.prose = "Index LBA Hours ",
};
