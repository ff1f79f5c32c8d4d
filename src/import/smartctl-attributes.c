/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attribute tables. Three styles: FLAGS ... FAIL (brief, since 5.39), FLAG ... TYPE UPDATED
 * WHEN_FAILED (since 5.1-8) and the same without UPDATED (before); which one it is shows in each
 * row by itself.
 */
#include <string.h>

#include "base/str.h"
#include "import/smartctl.h"

#define ROW_WORDS  14u /* without the raw value */
#define NAME_WORDS 4u  /* "Head flying hours" of 5.1 */
#define ROW_LINES  4u  /* a row wrapped more often is none */

struct row {
	uint64_t id, flags;
	struct word name;
	struct word norm[3]; /* value, worst, threshold */
	const char *failed;
	const char *raw; /* "" when the text ends before it */
};

/* --- the parts of a row ---------------------------------------------------------------------- */

static const char flag_letters[] = "POSRCK";

/*
 * "PO--CK", "POSR--+": bit k of the word is letter k; "+" stands for bits that have none. Before 5.39
 * the last letter was M.
 */
static bool get_flags(struct word w, uint64_t *ret)
{
	uint64_t flags = 0;

	if (w.len == 6 && word_hex(w, ret) == 0)
		return true;
	if (w.len != 6 && !(w.len == 7 && w.s[6] == '+'))
		return false;
	for (unsigned k = 0; k < 6; k++) {
		if (w.s[k] == flag_letters[k] || (k == 5 && w.s[k] == 'M'))
			flags |= 1u << k;
		else if (w.s[k] != '-')
			return false;
	}
	*ret = flags;
	return true;
}

static bool get_id(struct word w, uint64_t *ret)
{
	uint64_t id;

	if (word_u64(w, 10, &id) < 0 && word_hex(w, &id) < 0)
		return false;
	if (w.len > 4 || id < 1 || id > 255)
		return false;
	*ret = id;
	return true;
}

/* "100", "---", with -f hex "0x64" */
static bool is_norm(struct word w)
{
	uint64_t n;

	return word_is(w, "---") || word_is(w, "----") ||
	       (((w.len == 3 && word_u64(w, 10, &n) == 0) ||
		 (w.len == 4 && word_hex(w, &n) == 0)) &&
		n <= 255);
}

static bool is_name(struct word w)
{
	for (size_t i = 0; i < w.len; i++)
		if (str_is_alpha(w.s[i]))
			return true;
	return false;
}

/* What the words of the three styles say; NULL when it is none of them. */
static const char *failed_of(struct word w)
{
	static const struct {
		const char *posted, *fact;
	} rows[] = {
		{ "-", "" },
		{ "NOW", "now" },
		{ "Past", "past" },
		{ "FAILING_NOW", "now" },
		{ "In_the_past", "past" },
	};

	for (size_t i = 0; i < array_size(rows); i++)
		if (word_is(w, rows[i].posted))
			return rows[i].fact;
	return NULL;
}

static bool is_one_of(struct word w, const char *a, const char *b)
{
	return word_is(w, a) || word_is(w, b);
}

/* How the words of a row fit: not at all, only at its start, so far (more must follow), all. */
enum fit { FIT_NONE, FIT_BAD, FIT_SO_FAR, FIT_ALL };

static enum fit fit_tail(const struct word *w, size_t n, size_t at, struct row *ret)
{
	if (at < n && is_one_of(w[at], "Pre-fail", "Old_age")) {
		at++;
		if (at < n && is_one_of(w[at], "Always", "Offline"))
			at++;
	}
	if (at >= n)
		return FIT_SO_FAR;
	ret->failed = failed_of(w[at]);
	if (!ret->failed)
		return FIT_BAD;
	ret->raw = w[at].s + w[at].len;
	while (*ret->raw == ' ')
		ret->raw++;
	return *ret->raw ? FIT_ALL : FIT_SO_FAR;
}

static enum fit fit_row(const char *text, struct row *ret)
{
	struct word w[ROW_WORDS];
	size_t n = words_split(text, w, ROW_WORDS);

	size_t at = 2;

	*ret = (struct row){ .raw = "" };
	if (n < 3 || !get_id(w[0], &ret->id) || !is_name(w[1]))
		return FIT_NONE;
	while (at < n && at <= NAME_WORDS && !get_flags(w[at], &ret->flags))
		at++;
	if (at >= n || at > NAME_WORDS)
		return FIT_NONE;
	ret->name =
		(struct word){ w[1].s, (size_t)(w[at - 1].s + w[at - 1].len - w[1].s) };
	for (size_t k = 0; k < 3; k++) {
		if (++at >= n)
			return FIT_SO_FAR;
		if (!is_norm(w[at]))
			return FIT_BAD;
		ret->norm[k] = w[at];
	}
	return fit_tail(w, n, at + 1, ret);
}

static bool is_row_start(const char *line)
{
	struct row row;

	return fit_row(line, &row) != FIT_NONE;
}

static bool goes_on(const struct smart *s, size_t i)
{
	const char *line = smart_line(s, i);

	return !smart_is_fresh(s, i) && !is_row_start(line) &&
	       !(s->section && s->section->prose && strchr("|", *line));
}

/* --- the raw value ---------------------------------------------------------------------------- */

/*
 * Three words or six bytes of one raw value, the highest first, as smartctl's formats raw16 and raw8
 * print them: "1045 1820 1820". False when the text is something else.
 */
static bool get_parts(const char *text, uint64_t *ret)
{
	uint64_t part[6];
	unsigned n = 0, bits;
	const char *p = text;

	while (n < array_size(part) && str_take_u64(&p, 10, &part[n]) == 0) {
		n++;
		if (*p != ' ')
			break;
		p++;
	}
	if (*p || (n != 3 && n != 6))
		return false;
	bits = 48 / n;
	*ret = 0;
	for (unsigned i = 0; i < n; i++) {
		if (part[i] >> bits)
			return false;
		*ret = *ret << bits | part[i];
	}
	return true;
}

/*
 * The first number of the raw text: "31 (Min/Max 5/48)", "0/26563324", "5185h+21m+36.806s",
 * "0x001b4a00000019", "-11 (Min/Max -11/44)". "23.4" is no whole number, so none is taken.
 */
struct smart_raw smart_get_raw(const char *text)
{
	struct smart_raw raw = { 0 };
	const char *p = text;

	if (get_parts(text, &raw.number)) {
		raw.known = raw.whole = true;
		return raw;
	}
	if (str_starts(p, "0x")) {
		p += 2;
		raw.known = str_take_u64(&p, 16, &raw.number) == 0;
	} else {
		raw.negative = *p == '-';
		p += raw.negative;
		raw.known = str_take_u64(&p, 10, &raw.number) == 0;
	}
	if (!*p)
		return raw;
	raw.whole = true;
	/* U+FFFD and other letters glued to it: the number is damaged */
	if (!strchr(" h/(+,", *p))
		raw.known = false;
	return raw;
}

/*
 * A lone number below a row may be the end of the number above, which a terminal cut in two, or a
 * second number: then neither is taken.
 */
static bool is_torn(const char *raw, const char *below)
{
	char last = raw[strlen(raw) - 1];

	if (strchr(raw, ' '))
		return false;
	if (str_starts(raw, "0x"))
		return str_is_digit(below[0]) || (below[0] >= 'a' && below[0] <= 'f');
	return str_is_digit(last) && str_is_digit(below[0]);
}

/* Whether the line below belongs to a raw value of several parts: "30 (Min/Max" / "25/49)". */
static bool is_more_raw(const char *raw, const char *below)
{
	const char *open = strrchr(raw, '(');

	if (below[0] == '(' || (open && !strchr(open, ')')))
		return true;
	return raw[strlen(raw) - 1] == '+' ||
	       (strchr(raw, ' ') && !open && !below[strspn(below, "0123456789 ")]);
}

static void emit_raw(struct smart *s, uint32_t id, const char *text, size_t i)
{
	struct smart_raw raw = smart_get_raw(text);

	emit_text(&s->e, FACT_ATTR_RAW_TEXT, id, 0, text, i);
	if (!raw.known)
		return;
	if (!raw.negative)
		emit_u64(&s->e, FACT_ATTR_RAW, id, 0, raw.number, i);
	else if (raw.number <= INT64_MAX)
		emit_s64(&s->e, FACT_ATTR_RAW_SIGNED, id, 0, -(int64_t)raw.number, i);
}

/* --- a row -------------------------------------------------------------------------------------- */

static void emit_norm(struct smart *s, enum fact_id fact, uint32_t id, struct word w,
		      size_t i)
{
	uint64_t n;

	if (word_u64(w, 10, &n) == 0 || word_hex(w, &n) == 0)
		emit_u64(&s->e, fact, id, 0, n, i);
}

static void emit_row(struct smart *s, const struct row *row, size_t i)
{
	uint32_t id = (uint32_t)row->id;
	struct buf name = { 0 };

	buf_add(&name, row->name.s, row->name.len);
	emit_text(&s->e, FACT_ATTR_NAME, id, 0, buf_text(&name), i);
	buf_done(&name);
	emit_u64(&s->e, FACT_ATTR_FLAGS, id, 0, row->flags, i);
	emit_norm(s, FACT_ATTR_VALUE, id, row->norm[0], i);
	emit_norm(s, FACT_ATTR_WORST, id, row->norm[1], i);
	emit_norm(s, FACT_ATTR_THRESHOLD, id, row->norm[2], i);
	emit_text(&s->e, FACT_ATTR_WHEN_FAILED, id, 0, row->failed, i);
}

struct gathered {
	size_t lines;
	enum fit fit;
	bool glued; /* the last line goes on in the middle of a word */
};

static const char *text_of(struct smart *s, size_t i, const struct gathered *g)
{
	return g->glued ? smart_glue(s, i, g->lines) : smart_join(s, i, g->lines);
}

/* Add what was wrapped until the row is whole. */
static void gather_row(struct smart *s, size_t i, struct gathered *g)
{
	struct row row;

	g->fit = fit_row(smart_join(s, i, 1), &row);
	while (g->fit != FIT_ALL && g->lines < ROW_LINES && !g->glued &&
	       goes_on(s, i + g->lines)) {
		struct gathered next = { .lines = g->lines + 1, .fit = g->fit };

		if (g->fit == FIT_SO_FAR)
			next.fit = fit_row(text_of(s, i, &next), &row);
		if (next.fit == FIT_BAD) {
			next.glued = true;
			next.fit = fit_row(text_of(s, i, &next), &row);
		}
		if (next.fit == FIT_BAD)
			break;
		*g = next;
	}
}

/* How many lines from I make a row. */
static struct gathered gather(struct smart *s, size_t i)
{
	struct gathered g = { .lines = 1 };
	struct row row;

	gather_row(s, i, &g);
	if (g.fit == FIT_ALL)
		(void)fit_row(text_of(s, i, &g), &row);
	while (g.fit == FIT_ALL && !g.glued && g.lines < ROW_LINES &&
	       goes_on(s, i + g.lines)) {
		if (!is_more_raw(row.raw, smart_line(s, i + g.lines)))
			break;
		g.lines++;
		(void)fit_row(text_of(s, i, &g), &row);
	}
	return g;
}

static bool is_seen(const struct smart *s, const char *line)
{
	struct row row;

	return fit_row(line, &row) != FIT_NONE && smart_has_bit(s->attr_seen, row.id);
}

/* People quote a row below the table: it says nothing new when it is the same. */
static bool is_same(struct smart *s, size_t first, size_t i)
{
	struct buf before = { 0 };
	bool same;

	buf_puts(&before, smart_line(s, first));
	smart_squeeze(&before);
	(void)smart_join(s, i, 1);
	smart_squeeze(&s->join);
	same = str_equal(buf_text(&before), buf_text(&s->join));
	buf_done(&before);
	return same;
}

/* The parts of a row that are whole; false when the raw value is not among them. */
static bool read_row(struct smart *s, const struct row *row, size_t i, size_t n)
{
	bool cut = smart_is_cut(s, i + n - 1);

	emit_row(s, row, i);
	if (!*row->raw || (cut && !smart_get_raw(row->raw).whole))
		return false;
	if (goes_on(s, i + n) && is_torn(row->raw, smart_line(s, i + n))) {
		(void)smart_claim(s, i + n, 1, LINE_DAMAGED);
		return false;
	}
	emit_raw(s, (uint32_t)row->id, row->raw, i);
	return true;
}

static size_t take_row(struct smart *s, size_t i)
{
	struct gathered g;
	struct row row;
	size_t n;

	if (!is_row_start(smart_line(s, i)))
		return 0;
	g = gather(s, i);
	n = g.lines;
	(void)fit_row(text_of(s, i, &g), &row);
	if (!row.failed || (s->headless && g.fit != FIT_ALL))
		return s->headless ? 0 : smart_claim(s, i, n, LINE_DAMAGED);
	if (!smart_bit(s->attr_seen, (uint32_t)row.id))
		return smart_claim(s, i, n,
				   is_same(s, s->attr_line[row.id], i) ? LINE_KNOWN
								       : LINE_DAMAGED);
	s->attr_line[row.id] = i;
	return smart_claim(s, i, n, read_row(s, &row, i, n) ? LINE_READ : LINE_DAMAGED);
}

/* "SMART Attributes Data Structure revision number: 16" */
size_t smart_attribute_revision(struct smart *s, size_t i)
{
	const char *line = smart_line(s, i), *number = strrchr(line, ' ');
	uint64_t revision;

	if (smart_is_cut(s, i) || str_to_u64(number ? number + 1 : "", &revision) < 0)
		return smart_claim(s, i, 1, LINE_DAMAGED);
	smart_u64(s, FACT_ATTR_REVISION, revision, i);
	return smart_claim(s, i, 1, LINE_READ);
}

static const char prose[] =
	"Vendor Specific SMART Attributes with Thresholds: "
	"ID# ATTRIBUTE_NAME FLAGS VALUE WORST THRESH FAIL RAW_VALUE "
	"ID# ATTRIBUTE_NAME FLAG VALUE WORST THRESH TYPE UPDATED WHEN_FAILED RAW_VALUE "
	"ID# ATTRIBUTE_NAME FLAG VALUE WORST THRESH TYPE WHEN_FAILED RAW_VALUE "
	"||||||_ K auto-keep ||||||_ M self-preserving |||||__ C event count "
	"||||___ R error rate |||____ S speed/performance ||_____ O updated online "
	"|______ P prefailure warning ";

const struct smart_section smart_attributes = {
	.name = "attributes",
	.part = PART_ATTRIBUTES,
	.row = take_row,
	.is_seen = is_seen,
	.prose = prose,
};
