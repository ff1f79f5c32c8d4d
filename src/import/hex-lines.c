/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line holds 16 bytes, the last one fewer, with an offset before them (of bytes in hex or, by od,
 * in octal; of words by some tools of sg3_utils) and text behind them. Offsets must go up step by
 * step, or a line is missing and the block ends there; "*" stands for lines equal to the one before.
 */
#include "import/hex-lines.h"

#include <string.h>

#include "base/str.h"
#include "import/words.h"

#define LINE_BYTES 16u
#define MAX_WORDS  24u

struct line {
	enum hex_form form;
	bool has_offset;
	uint64_t hex, octal; /* the offset as either */
	size_t n;
	uint8_t bytes[LINE_BYTES];
};

static bool is_hex(struct word w, size_t len)
{
	return word_is_hex(w, len);
}

static size_t count_hex(const struct word *w, size_t n, size_t len)
{
	size_t k = 0;

	while (k < n && is_hex(w[k], len))
		k++;
	return k;
}

static unsigned digit(char c)
{
	return str_is_digit(c)	      ? (unsigned)(c - '0')
	       : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
	       : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10)
				      : 0;
}

static uint8_t byte_at(const char *s)
{
	return (uint8_t)(digit(s[0]) << 4 | digit(s[1]));
}

static void take_bytes(struct line *l, const struct word *w, size_t n)
{
	l->n = n < LINE_BYTES ? n : LINE_BYTES;
	for (size_t i = 0; i < l->n; i++)
		l->bytes[i] = byte_at(w[i].s);
}

/* Words of the drive: their low byte came first. PAIRS are as they came. */
static void take_words(struct line *l, const struct word *w, size_t n, bool pairs)
{
	if (n > LINE_BYTES / 2)
		n = LINE_BYTES / 2;
	l->n = 2 * n;
	for (size_t i = 0; i < n; i++) {
		l->bytes[2 * i] = byte_at(w[i].s + (pairs ? 0 : 2));
		l->bytes[2 * i + 1] = byte_at(w[i].s + (pairs ? 2 : 0));
	}
}

static bool take_offset(struct line *l, struct word w, bool colon)
{
	if (colon)
		w.len--;
	l->has_offset = true;
	if (word_u64(w, 8, &l->octal) < 0)
		l->octal = UINT64_MAX;
	return word_u64(w, 16, &l->hex) == 0;
}

/* Behind the bytes only what they are as text may stand; with a bar it is certain where it begins. */
static size_t before_text(const char *s, struct word *w, size_t max)
{
	size_t n = words_split(s, w, max);

	for (size_t i = 0; i < n; i++)
		if (w[i].s[0] == '|')
			return i;
	return n;
}

/* "0000000:" and "00000000:" of xxd and smartctl; "00000000" of hexdump, "0000020" of od */
static bool parse_long_offset(const struct word *w, size_t n, struct line *ret)
{
	bool colon = w[0].s[w[0].len - 1] == ':';
	size_t bytes, words;

	if (w[0].len - colon < 6 || w[0].len - colon > 8 ||
	    !take_offset(ret, w[0], colon))
		return false;
	bytes = count_hex(w + 1, n - 1, 2);
	words = count_hex(w + 1, n - 1, 4);
	if (bytes && bytes >= words) {
		ret->form = HEX_BYTES;
		take_bytes(ret, w + 1, bytes);
		return true;
	}
	if (!words)
		return false;
	ret->form = colon ? HEX_XXD : HEX_HOST_WORDS;
	take_words(ret, w + 1, words, colon);
	return true;
}

/* " 00     0040 ...", " 100    00 ...": two or three digits, then 8 words or 16 bytes */
static bool parse_short_offset(const struct word *w, size_t n, struct line *ret)
{
	size_t bytes, words;

	if (w[0].len < 2 || w[0].len > 4 || !take_offset(ret, w[0], false))
		return false;
	bytes = count_hex(w + 1, n - 1, 2);
	words = count_hex(w + 1, n - 1, 4);
	if (words >= 8) {
		ret->form = HEX_WORDS_AT;
		take_words(ret, w + 1, 8, false);
		return true;
	}
	if (bytes < 16)
		return false;
	ret->form = HEX_BYTES_AT;
	take_bytes(ret, w + 1, 16);
	return true;
}

static bool parse(const struct text_line *l, struct line *ret)
{
	struct word w[MAX_WORDS];
	size_t n = l->len ? before_text(l->s, w, MAX_WORDS) : 0;

	*ret = (struct line){ .n = 0 };
	if (!n || l->state != LINE_OPEN)
		return false;
	/* eight words and nothing else; nine would be an offset and eight */
	if (n == 8 && count_hex(w, n, 4) == 8 && w[0].len == 4) {
		ret->form = HEX_WORDS;
		take_words(ret, w, 8, false);
		return true;
	}
	return n > 1 && (parse_long_offset(w, n, ret) || parse_short_offset(w, n, ret));
}

/* Whether offsets are of bytes in hex or, by od, in octal: the second line tells. */
enum base { BASE_OPEN, BASE_HEX, BASE_OCTAL };

/* Whether the offset of the next line is where the block stands. */
static bool follows(const struct line *l, const struct hex_block *b, enum base *base)
{
	uint64_t at = l->form == HEX_WORDS_AT ? b->n / 2 : b->n;

	if (!l->has_offset)
		return true;
	if (l->hex == at && *base != BASE_OCTAL)
		*base = BASE_HEX;
	else if (l->octal == at && *base != BASE_HEX)
		*base = BASE_OCTAL;
	else
		return false;
	return true;
}

static bool add(struct hex_block *b, const uint8_t *bytes, size_t n)
{
	if (n > HEX_MAX_BYTES - b->n)
		return false;
	memcpy(b->bytes + b->n, bytes, n);
	b->n += n;
	return true;
}

static bool is_page(uint64_t n)
{
	return n % 512 == 0 && n <= HEX_MAX_BYTES;
}

/* "*": lines like the one before, up to the offset of the line below it. */
static bool repeat(const struct text_line *next, struct hex_block *b, enum base base)
{
	struct word w[1];
	struct line l = { .n = 0 };
	uint64_t until;

	if (next->cut || !words_split(next->s, w, 1) ||
	    !take_offset(&l, w[0], w[0].s[w[0].len - 1] == ':'))
		return false;
	/* all lines equal: only a whole number of pages can be meant */
	if (base == BASE_OPEN && is_page(l.hex) == is_page(l.octal))
		return false;
	until = base == BASE_OCTAL || (base == BASE_OPEN && is_page(l.octal)) ? l.octal
									      : l.hex;
	while (b->n < until)
		if (until > HEX_MAX_BYTES ||
		    !add(b, b->bytes + b->n - LINE_BYTES, LINE_BYTES))
			return false;
	return b->n == until;
}

/* "0000200" of hexdump and od behind the last line: how many bytes there were. */
static bool is_total(const struct text_line *l, const struct hex_block *b)
{
	struct word w[2];
	struct line k = { .n = 0 };

	return words_split(l->s, w, 2) == 1 && w[0].len >= 6 && w[0].len <= 8 &&
	       take_offset(&k, w[0], false) && (k.hex == b->n || k.octal == b->n);
}

/* A blank line between two lines of the block: the text is double spaced. */
static bool is_gap(const struct text *t, size_t i, const struct hex_block *b,
		   enum base base)
{
	struct line l;

	return !t->lines[i].len && i + 1 < t->n && parse(&t->lines[i + 1], &l) &&
	       l.form == b->form && l.has_offset && follows(&l, b, &base);
}

bool hex_lines_read(const struct text *t, size_t index, struct hex_block *ret)
{
	enum base base = BASE_OPEN;
	struct line l;
	size_t i;

	ret->first = index;
	ret->n = 0;
	if (!parse(&t->lines[index], &l) || (l.has_offset && l.hex))
		return false;
	ret->form = l.form;
	(void)add(ret, l.bytes, l.n);
	for (i = index + 1; i < t->n && l.n == LINE_BYTES; i++) {
		if (is_gap(t, i, ret, base))
			continue;
		if (is_total(&t->lines[i], ret)) {
			i++;
			break;
		}
		if (str_equal(t->lines[i].s, "*") && i + 1 < t->n) {
			if (!repeat(&t->lines[i + 1], ret, base))
				break;
			continue;
		}
		if (!parse(&t->lines[i], &l) || l.form != ret->form ||
		    !follows(&l, ret, &base) || !add(ret, l.bytes, l.n))
			break;
	}
	ret->end = i;
	ret->open = t->lines[i - 1].cut;
	return true;
}
