/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/clean.h"

#include <string.h>

#include "base/str.h"

static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD: keeps two halves apart */

bool clean_is_utf16(struct span s)
{
	return s.len >= 2 && ((s.data[0] == 0xff && s.data[1] == 0xfe) ||
			      (s.data[0] == 0xfe && s.data[1] == 0xff));
}

static void add_utf8(struct buf *b, uint32_t c)
{
	if (c < 0x80) {
		buf_putc(b, (char)c);
	} else if (c < 0x800) {
		buf_putc(b, (char)(0xc0 | c >> 6));
		buf_putc(b, (char)(0x80 | (c & 0x3f)));
	} else {
		buf_putc(b, (char)(0xe0 | c >> 12));
		buf_putc(b, (char)(0x80 | (c >> 6 & 0x3f)));
		buf_putc(b, (char)(0x80 | (c & 0x3f)));
	}
}

/* Nothing above U+FFFF stands in a report, so surrogates are not put together. */
void clean_utf16(struct buf *b, struct span s)
{
	bool big = s.data[0] == 0xfe;

	for (size_t i = 2; i + 1 < s.len; i += 2) {
		uint32_t c = big ? (uint32_t)s.data[i] << 8 | s.data[i + 1]
				 : (uint32_t)s.data[i + 1] << 8 | s.data[i];

		if (c >= 0xd800 && c < 0xe000)
			c = 0xfffd;
		add_utf8(b, c);
	}
}

struct mapped {
	const char *from;
	const char *to;
};

/* Spaces that fix the layout elsewhere, marks without width, other hyphens. */
static const struct mapped mapped[] = {
	{ "\xc2\xa0", " " },	 /* no-break space */
	{ "\xc2\xad", "" },	 /* soft hyphen */
	{ "\xe2\x80\x80", " " }, /* en quad ... */
	{ "\xe2\x80\x81", " " }, { "\xe2\x80\x82", " " },
	{ "\xe2\x80\x83", " " }, { "\xe2\x80\x84", " " },
	{ "\xe2\x80\x85", " " }, { "\xe2\x80\x86", " " },
	{ "\xe2\x80\x87", " " },			  /* figure space */
	{ "\xe2\x80\x88", " " }, { "\xe2\x80\x89", " " }, /* thin space */
	{ "\xe2\x80\x8a", " " },			  /* hair space */
	{ "\xe2\x80\x8b", "" },				  /* zero width space */
	{ "\xe2\x80\x8c", "" },	 { "\xe2\x80\x8d", "" },
	{ "\xe2\x80\x90", "-" },			 /* hyphen */
	{ "\xe2\x80\x91", "-" },			 /* no-break hyphen */
	{ "\xe2\x80\xaf", " " },			 /* narrow no-break space */
	{ "\xe2\x81\x9f", " " }, { "\xe2\x81\xa0", "" }, /* word joiner */
	{ "\xe2\x88\x92", "-" },			 /* minus sign */
	{ "\xe3\x80\x80", " " },			 /* ideographic space */
	{ "\xef\xbb\xbf", "" },				 /* byte order mark */
};

static void add_character(struct buf *b, const char *s, size_t n)
{
	for (size_t i = 0; i < array_size(mapped); i++) {
		if (strlen(mapped[i].from) == n && memcmp(s, mapped[i].from, n) == 0) {
			buf_puts(b, mapped[i].to);
			return;
		}
	}
	buf_add(b, s, n);
}

/* A byte that is no UTF-8 is taken as Latin-1. */
static void add_odd_byte(struct buf *b, uint8_t c)
{
	if (c == 0xa0)
		buf_putc(b, ' ');
	else if (c > 0xa0)
		add_utf8(b, c);
	else
		buf_puts(b, replacement);
}

/* Length of the terminal control sequence at S, which starts with ESC (ECMA-48 5.4). */
static size_t escape_len(const char *s, size_t len)
{
	size_t i = 2;

	if (len < 2 || s[1] != '[')
		return len < 2 ? 1 : 2;
	while (i < len && s[i] >= 0x20 && s[i] < 0x40)
		i++;
	return i < len ? i + 1 : len;
}

/* How many bytes from S are plain ASCII: nearly all of a report. */
static size_t plain_len(const char *s, size_t len)
{
	size_t n = 0;

	while (n < len && s[n] >= 0x20 && s[n] < 0x7f)
		n++;
	return n;
}

static size_t add_some(struct buf *b, const char *s, size_t len)
{
	uint8_t c = (uint8_t)*s;
	size_t n = plain_len(s, len);

	if (n) {
		buf_add(b, s, n);
		return n;
	}
	if (c == 0x1b)
		return escape_len(s, len);
	if (str_is_space(*s)) {
		buf_putc(b, *s == '\t' ? '\t' : ' ');
		return 1;
	}
	if (c < 0x20 || c == 0x7f) {
		buf_puts(b, replacement);
		return 1;
	}
	n = str_utf8_len(s, len);
	if (!n) {
		add_odd_byte(b, c);
		return 1;
	}
	add_character(b, s, n);
	return n;
}

/* Cut the first N bytes. */
static void drop(struct buf *b, size_t n)
{
	memmove(b->data, b->data + n, b->len - n);
	b->len -= n;
	b->data[b->len] = '\0';
}

/* "> > " and ">> ": each mark takes one space with it, the rest is the text's own indentation. */
static size_t quote_len(const char *s, uint8_t *ret_depth)
{
	size_t i = 0, end = 0;
	uint8_t depth = 0;

	for (;;) {
		while (s[i] == ' ')
			i++;
		if (s[i] != '>')
			break;
		i++;
		if (depth < UINT8_MAX)
			depth++;
		end = i + (s[i] == ' ');
	}
	*ret_depth = depth;
	return end;
}

static uint16_t indent_of(const char *s, size_t *ret_len)
{
	size_t column = 0, i = 0;

	for (; s[i] == ' ' || s[i] == '\t'; i++)
		column = s[i] == '\t' ? column / 8 * 8 + 8 : column + 1;
	*ret_len = i;
	return column > UINT16_MAX ? UINT16_MAX : (uint16_t)column;
}

void clean_line(struct buf *b, struct span raw, struct text_line *ret)
{
	const char *s = (const char *)raw.data;
	size_t n;

	for (size_t i = 0; i < raw.len;)
		i += add_some(b, s + i, raw.len - i);
	while (b->len && str_is_space(b->data[b->len - 1]))
		b->len--;
	if (!b->len || b->failed) {
		buf_clear(b);
		return;
	}
	b->data[b->len] = '\0';
	drop(b, quote_len(b->data, &ret->quote));
	ret->indent = indent_of(b->data, &n);
	drop(b, n);
	for (size_t i = 0; i < b->len; i++)
		if (b->data[i] == '\t')
			b->data[i] = ' ';
}

static void cut_head(struct text_line *line, size_t n)
{
	size_t more;

	line->s += n;
	line->len -= (uint32_t)n;
	line->indent = indent_of(line->s, &more);
	line->s += more;
	line->len -= (uint32_t)more;
}

/* --- "| text", a quoting mark of some mail programs ------------------------------------------ */

static bool has_bar(const struct text_line *line)
{
	return line->s[0] == '|' && (line->s[1] == ' ' || line->s[1] == '\0');
}

/* fio writes its latency percentiles behind a bar: that one belongs to the text. */
static bool is_percentile(const char *s)
{
	return strstr(s, "th=[") != NULL;
}

static void clean_bars(struct text_line *lines, size_t n)
{
	for (size_t i = 0; i < n;) {
		size_t end = i, own = 0;

		for (; end < n && has_bar(&lines[end]); end++)
			own += is_percentile(lines[end].s);
		if (end - i >= 4 && own < (end - i) / 2)
			for (size_t k = i; k < end; k++)
				cut_head(&lines[k], lines[k].s[1] == ' ' ? 2 : 1);
		i = end + 1;
	}
}

/* --- line numbers ------------------------------------------------------------------------- */

#define RUN_MIN	     3u /* "12: " is seldom anything else */
#define RUN_MIN_BARE 8u /* "12  " also starts the rows of many tables */

struct numbered {
	uint64_t number;
	size_t len; /* of the number and what belongs to it */
	bool bare;  /* without "." or ":" */
};

static bool get_number(const struct text_line *line, struct numbered *ret)
{
	const char *s = line->s;

	if (str_take_u64(&s, 10, &ret->number) < 0)
		return false;
	ret->bare = *s != '.' && *s != ':';
	s += !ret->bare;
	/* "1.5" and "12:30" are no line numbers */
	if (*s && *s != ' ')
		return false;
	ret->len = (size_t)(s - line->s);
	return true;
}

/* A line that no row of a table looks like once its number is gone. */
static bool is_heading(const char *rest)
{
	while (*rest == ' ')
		rest++;
	return !*rest || strchr("{}\"", *rest) || str_starts(rest, "===") ||
	       str_starts(rest, "smartctl ") || str_starts(rest, "ID# ") ||
	       str_ends(rest, ":");
}

struct run {
	size_t end, lines;
	bool bare, heading;
};

/* Lines that count on by one from START; lines without a number (blank or wrapped) may lie between. */
static struct run find_run(const struct text_line *lines, size_t n, size_t start)
{
	struct run run = { .end = start };
	struct numbered first = { 0 }, next;
	uint64_t want = 0;

	for (size_t i = start, gap = 0; i < n && gap <= 3; i++) {
		if (!get_number(&lines[i], &next)) {
			gap++;
			continue;
		}
		if (!run.lines) {
			first = next;
			want = next.number;
		}
		if (next.number != want || next.bare != first.bare)
			break;
		gap = 0;
		want++;
		run.lines++;
		run.heading = run.heading || is_heading(lines[i].s + next.len);
		run.end = i + 1;
	}
	run.bare = first.bare;
	return run;
}

static void clean_numbers(struct text_line *lines, size_t n)
{
	struct numbered number;

	for (size_t i = 0; i < n;) {
		struct run run = { 0 };

		if (get_number(&lines[i], &number))
			run = find_run(lines, n, i);
		if (run.lines >= (run.bare ? RUN_MIN_BARE : RUN_MIN) &&
		    (!run.bare || run.heading))
			for (size_t k = i; k < run.end; k++)
				if (get_number(&lines[k], &number))
					cut_head(&lines[k], number.len);
		i = run.end > i ? run.end : i + 1;
	}
}

void clean_prefixes(struct text_line *lines, size_t n)
{
	clean_bars(lines, n);
	clean_numbers(lines, n);
}
