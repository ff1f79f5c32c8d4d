/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last line of dd, in whatever language, and the records above it:
 *
 *   16+0 records in
 *   16+0 records out
 *   16777216 bytes (17 MB, 16 MiB) copied, 0,0575109 s, 292 MB/s
 *
 * Words differ between languages, the numbers and their order do not: bytes, time, rate. They must
 * agree, so that a line which was cut or is something else is not taken. What dd read or wrote
 * stands only in its command line, and without iflag=direct memory may have answered.
 */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/importers.h"
#include "import/posted.h"

#define SECTION	     "dd"
#define MAX_NUMBERS  12u
#define COMMAND_SPAN 6u
#define MAX_RUNS     500u

struct dd {
	uint64_t bytes, ns, rate;
	uint64_t full, partial; /* records in */
	bool has_records, has_block;
	uint64_t block;
	const char *command;
	size_t line, first, last, command_line;
};

/* "bytes" as coreutils, busybox and the BSDs have it translated */
static bool is_bytes_word(const char *s)
{
	static const char *const words[] = { "byte",   "Byte",	 "octet", "oktet",
					     "bajt",   "байт",	 "字节",  "位元組",
					     "バイト", "바이트", "tavu",  "bitgrup",
					     "bait",   "bayt" };

	while (*s == ' ')
		s++;
	for (size_t i = 0; i < array_size(words); i++)
		if (str_starts(s, words[i]))
			return true;
	return false;
}

/* The rate at the end of the line, "292 MB/s" or "(335544320 bytes/sec)". */
static bool take_rate(const char *s, uint64_t *ret, uint64_t *ret_digit)
{
	struct scan sc = { s };

	return posted_bytes(&sc, ret, ret_digit) && *sc.p == '/' && strlen(sc.p) < 12;
}

/* Where the numbers of S begin; a digit inside of a word begins none. */
static size_t find_numbers(const char *s, const char **ret)
{
	size_t n = 0;

	for (const char *p = s; *p;) {
		struct scan sc = { p };
		struct decimal d;

		if (str_is_digit(*p) && posted_decimal(&sc, &d)) {
			if (n < MAX_NUMBERS)
				ret[n++] = p;
			p = sc.p;
		} else {
			p++;
		}
	}
	return n;
}

/* A rate is printed with two or three digits, up to 5 % off. */
static bool fits(const struct dd *d, uint64_t digit)
{
	uint64_t rate, off;

	if (!d->ns || !muldiv_round(d->bytes, 1000000000, d->ns, &rate))
		return false;
	off = rate > d->rate ? rate - d->rate : d->rate - rate;
	return off <= digit + rate / 50;
}

static bool parse_copied(const char *s, struct dd *d)
{
	const char *at[MAX_NUMBERS];
	size_t n = find_numbers(s, at);
	struct scan sc, time;
	struct decimal seconds;
	uint64_t digit;

	if (n < 3)
		return false;
	sc.p = at[0];
	time.p = at[n - 2];
	if (str_take_u64(&sc.p, 10, &d->bytes) < 0 || !is_bytes_word(sc.p) ||
	    !take_rate(at[n - 1], &d->rate, &digit) || !posted_decimal(&time, &seconds) ||
	    !decimal_scale(seconds, 1000000000, &d->ns))
		return false;
	return d->bytes && fits(d, digit);
}

/* "16+0 records in" */
static bool parse_records(const char *s, uint64_t *ret_full, uint64_t *ret_partial)
{
	uint64_t full, partial;

	if (str_take_u64(&s, 10, &full) < 0 || *s++ != '+' ||
	    str_take_u64(&s, 10, &partial) < 0 || (*s != ' ' && str_is_alpha(*s)) || !*s)
		return false;
	*ret_full = full;
	*ret_partial = partial;
	return true;
}

/* The two lines above; their sum must make the bytes. */
static void find_records(const struct text *t, struct dd *d)
{
	uint64_t in[2], out[2];

	if (d->line < 2 || !parse_records(t->lines[d->line - 1].s, &out[0], &out[1]) ||
	    !parse_records(t->lines[d->line - 2].s, &in[0], &in[1]))
		return;
	d->first = d->line - 2;
	/* what was read in whole blocks has one size */
	if (in[1] || out[1] || !in[0] || in[0] != out[0] || d->bytes % in[0])
		return;
	d->has_records = d->has_block = true;
	d->full = in[0];
	d->block = d->bytes / in[0];
}

static bool find_command(const struct text *t, struct dd *d)
{
	d->command = posted_command_above(t, d->first ? d->first - 1 : 0, "dd",
					  COMMAND_SPAN, &d->command_line);
	/* another one's last line between them: that is where it belongs */
	for (size_t i = d->command_line + 1; d->command && i < d->first; i++) {
		struct dd other = { 0 };

		if (parse_copied(t->lines[i].s, &other))
			d->command = NULL;
	}
	return d->command && (strstr(d->command, "if=") || strstr(d->command, "of="));
}

static bool is_source(const char *path)
{
	return str_equal(path, "/dev/zero") || str_equal(path, "/dev/urandom") ||
	       str_equal(path, "/dev/random");
}

/* The side that a drive can be on; "" for neither or both. */
static const char *direction_of(const struct dd *d, char *target, size_t size)
{
	char in[256] = "", out[256] = "";

	(void)posted_option(d->command, "if", in, sizeof(in));
	(void)posted_option(d->command, "of", out, sizeof(out));
	if (str_equal(out, "/dev/null") && !is_source(in)) {
		(void)snprintf(target, size, "%s", in);
		return "read";
	}
	if (is_source(in) && !str_equal(out, "/dev/null")) {
		(void)snprintf(target, size, "%s", out);
		return "write";
	}
	return "";
}

static bool has_flag(const char *command, const char *key)
{
	char flags[128];

	return posted_option(command, key, flags, sizeof(flags)) &&
	       strstr(flags, "direct");
}

static void put_request(struct emit *e, uint32_t i, const struct dd *d,
			const char *direction, const char *target)
{
	bool direct = has_flag(d->command, *direction == 'w' ? "oflag" : "iflag");

	emit_text(e, FACT_READ_OPTIONS, i, 0, d->command, d->command_line);
	if (!*direction)
		return;
	emit_text(e, FACT_READ_PATTERN, i, 0, direction, d->command_line);
	emit_text(e, FACT_READ_DIRECTION, i, 0, direction, d->command_line);
	emit_flag(e, FACT_READ_DIRECT, i, direct, d->command_line);
	if (*target)
		emit_text(e, FACT_READ_TARGET, i, 0, target, d->command_line);
	emit_u64(e, FACT_READ_DEPTH, i, 0, 1, d->command_line);
}

static void put_run(struct posted *p, const struct dd *d)
{
	char target[256] = "", device[64] = "";
	const char *direction = d->command ? direction_of(d, target, sizeof(target)) : "";
	bool direct =
		d->command && has_flag(d->command, *direction == 'w' ? "oflag" : "iflag");
	struct emit *e;
	uint32_t i = p->runs;
	uint64_t v;

	if (*direction &&
	    (!posted_device(target, device, sizeof(device)) || !posted_is_disk(device)))
		*device = '\0';
	e = posted_on(p, device, d->line);
	if (!e)
		return;
	p->runs++;
	emit_text(e, FACT_READ_SOURCE, i, 0, "dd", d->line);
	emit_text(e, FACT_READ_PAGE_CACHE, i, 0,
		  *direction && direct ? "passed by"
		  : *direction == 'w'  ? "may hold what was written"
		  : *direction	       ? "may have answered"
				       : "not known",
		  d->line);
	if (d->command)
		put_request(e, i, d, direction, target);
	if (d->has_block)
		emit_u64(e, FACT_READ_BLOCK, i, 0, d->block, d->first);
	if (d->has_records)
		emit_u64(e, FACT_READ_IOS, i, 0, d->full, d->first);
	emit_u64(e, FACT_READ_BYTES, i, 0, d->bytes, d->line);
	if (d->ns >= 1000000)
		emit_u64(e, FACT_READ_RUNTIME, i, 0, d->ns / 1000000, d->line);
	if (muldiv_round(d->bytes, 1000000000, d->ns, &v))
		emit_u64(e, FACT_READ_BANDWIDTH, i, 0, v, d->line);
	if (d->has_records && d->full <= UINT64_MAX / 1000 &&
	    muldiv_round(d->full * 1000, 1000000000, d->ns, &v))
		emit_u64(e, FACT_READ_IOPS, i, 0, v, d->first);
	emit_u64(e, FACT_READ_POSTED_BW, i, 0, d->rate, d->line);
}

static void claim(struct import *im, const struct dd *d)
{
	for (size_t i = d->first; i <= d->last; i++)
		if (im->text->lines[i].state == LINE_OPEN)
			text_claim(im->text, i, LINE_READ, SECTION);
	if (d->command && im->text->lines[d->command_line].state == LINE_OPEN)
		text_claim(im->text, d->command_line, LINE_READ, SECTION);
}

/* The line at INDEX, or together with the rest of it that mail put on the next line. */
static bool look_at(const struct text *t, size_t index, struct dd *d)
{
	const struct text_line *l = &t->lines[index], *next = l + 1;
	struct buf b cleanup_buf = { 0 };

	*d = (struct dd){ .line = index, .first = index, .last = index };
	if (l->state != LINE_OPEN || l->cut || !l->len)
		return false;
	if (parse_copied(l->s, d))
		return true;
	if (!str_is_digit(l->s[0]) || index + 1 >= t->n || next->cut || !next->len)
		return false;
	buf_printf(&b, "%s %s", l->s, next->s);
	d->last = index + 1;
	return parse_copied(buf_text(&b), d);
}

static int read_dd(struct import *im)
{
	struct posted p = { .im = im, .item = "facts/dd" };
	const struct text *t = im->text;

	for (size_t i = 0; i < t->n && p.runs < MAX_RUNS; i++) {
		struct dd d;

		if (!look_at(t, i, &d))
			continue;
		find_records(t, &d);
		if (!find_command(t, &d))
			d.command = NULL;
		put_run(&p, &d);
		claim(im, &d);
	}
	return posted_done(&p);
}

const struct importer importer_dd = {
	.name = "dd",
	.describe =
		"the last line of dd in any language, with the command if it is there",
	.read = read_dd,
};
