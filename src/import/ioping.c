/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ioping: its text since 0.6, and the line of -B.
 *
 *   4 KiB <<< /dev/sda (block device 465.8 GiB): request=1 time=142.0 us (warmup)
 *   --- /dev/sda (block device 465.8 GiB) ioping statistics ---
 *   2 requests completed in 15.4 us, 8 KiB read, 130.1 k iops, 508.2 MiB/s
 *   generated 3 requests in 2.00 s, 12 KiB, 1 iops, 6.00 KiB/s
 *   min/avg/max/mdev = 7.56 us / 7.69 us / 7.81 us / 125 ns
 *
 * It asks once a second unless told otherwise, and then its rate is no rate of the drive: only the
 * latencies are kept. Its requests stay within 1 MiB by default, which a drive's cache holds.
 */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/importers.h"
#include "import/ioping.h"

#define BLOCK_SPAN 5u

static bool take_ns(struct scan *sc, uint64_t *ret)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{ "ns", 1 },	     { "us", 1000 },
		{ "ms", 1000000 },   { "min", UINT64_C(60000000000) },
		{ "s", 1000000000 },
	};
	struct scan s = *sc;
	struct decimal d;

	if (!posted_decimal(&s, &d))
		return false;
	scan_blanks(&s);
	for (size_t i = 0; i < array_size(units); i++) {
		size_t n = strlen(units[i].name);

		if (strncmp(s.p, units[i].name, n) != 0 || str_is_alpha(s.p[n]))
			continue;
		s.p += n;
		if (!decimal_scale(d, units[i].ns, ret))
			return false;
		*sc = s;
		return true;
	}
	return false;
}

/* "119", "36.5 k": EXACT when nothing was cut off. */
static bool take_count(struct scan *sc, uint64_t *ret, bool *ret_exact)
{
	struct scan s = *sc;
	struct decimal d;
	uint64_t unit = 1;

	if (!posted_decimal(&s, &d))
		return false;
	*ret_exact = true;
	if (s.p[0] == ' ' && s.p[1] && strchr("kMG", s.p[1]) && s.p[2] == ' ') {
		unit = s.p[1] == 'k' ? 1000 : s.p[1] == 'M' ? 1000000 : 1000000000;
		s.p += 2;
		*ret_exact = false;
	}
	if (!decimal_scale(d, unit, ret) || (d.places && unit == 1))
		return false;
	*sc = s;
	return true;
}

/* ---- the lines ------------------------------------------------------------------------------ */

static bool is_statistics(const char *s)
{
	return str_starts(s, "--- ") && str_ends(s, " ioping statistics ---");
}

/* "4 KiB <<< TARGET: request=1 time=142.0 us", "4.0 kb from TARGET: request=1 time=0.2 ms" */
static bool is_request(const char *s, bool *ret_write)
{
	const char *at = strstr(s, ": request=");

	if (!str_is_digit(*s) || !at || !strstr(at, " time="))
		return false;
	*ret_write = strstr(s, " >>> ") != NULL;
	return strstr(s, " <<< ") || strstr(s, " >>> ") || strstr(s, " from ");
}

static bool parse_completed(const char *s, struct ioping *p)
{
	struct scan sc = { s };
	bool exact;
	uint64_t digit;

	if (!take_count(&sc, &p->count, &exact) ||
	    !scan_text(&sc, " requests completed in"))
		return false;
	p->count_exact = exact;
	if (!take_ns(&sc, &p->busy_ns))
		return false;
	p->write |= strstr(sc.p, " written") != NULL;
	p->has_direction |= p->write || strstr(sc.p, " read") != NULL;
	/* ", 130.1 k iops, 508.2 MiB/s": the last two */
	for (const char *q = strchr(sc.p, ','); q; q = strchr(q + 1, ',')) {
		struct scan one = { q + 1 };
		struct decimal d;
		uint64_t v;

		if (posted_bytes(&one, &v, &digit) && *one.p == '/')
			p->rate = v;
		one.p = q + 1;
		if (!posted_decimal(&one, &d))
			continue;
		scan_blanks(&one);
		v = *one.p == 'k' ? 1000 : *one.p == 'M' ? 1000000 : 1;
		one.p += v > 1;
		if (scan_text(&one, "iops") && decimal_scale(d, v * 1000, &p->iops_milli))
			p->iops_digit = v * 1000 / (d.places ? 10 : 1);
	}
	return true;
}

static bool parse_generated(const char *s, struct ioping *p)
{
	struct scan sc = { s };
	bool exact;

	return scan_text(&sc, "generated ") && take_count(&sc, &p->generated, &exact) &&
	       scan_text(&sc, " requests in") && take_ns(&sc, &p->elapsed_ns);
}

/* "= 7.56 us / 7.69 us / 7.81 us / 125 ns", up to 0.8 "= 0.2/0.3/0.5/0.1 ms" */
static bool parse_times(const char *s, struct ioping *p)
{
	struct scan sc = { str_after(s, "min/avg/max/mdev") };
	uint64_t *const to[] = { &p->min, &p->mean, &p->max, &p->mdev };
	struct decimal d[4];
	uint64_t unit;

	if (!sc.p || !scan_text(&sc, " ="))
		return false;
	for (size_t i = 0; i < 4; i++) {
		if ((i && !scan_text(&sc, " /")) || !posted_decimal(&sc, &d[i]))
			return false;
		scan_blanks(&sc);
		unit = str_starts(sc.p, "ns")	? 1
		       : str_starts(sc.p, "us") ? 1000
		       : str_starts(sc.p, "ms") ? 1000000
		       : *sc.p == 's'		? 1000000000
						: 0;
		sc.p += unit == 1000000000 ? 1 : unit ? 2 : 0;
		if (unit && !decimal_scale(d[i], unit, to[i]))
			return false;
		if (unit || i < 3)
			continue;
		return false;
	}
	/* one unit behind all four */
	for (size_t i = 0; i < 4; i++)
		if (!*to[i] && !decimal_scale(d[i], unit, to[i]))
			return false;
	p->has_times = scan_end(&sc) && p->min <= p->mean + p->mean / 20 &&
		       p->mean <= p->max + p->max / 20;
	return p->has_times;
}

/* -B of 1.x: count, ns busy, iops, B/s, least, mean, most, deviation, generated, ns elapsed */
static bool parse_raw(const char *s, struct ioping *p)
{
	struct scan sc = { s };
	uint64_t v[10];

	for (size_t i = 0; i < array_size(v); i++)
		if (!scan_u64(&sc, &v[i]))
			return false;
	if (!scan_end(&sc) || !v[0] || v[4] > v[5] || v[5] > v[6] ||
	    v[1] / v[0] + 1 < v[5] || v[1] / v[0] > v[5] + 1)
		return false;
	p->count = v[0];
	p->count_exact = p->has_times = true;
	p->busy_ns = v[1];
	p->iops_milli = v[2] <= UINT64_MAX / 1000 ? v[2] * 1000 : 0;
	p->iops_digit = 1000;
	p->rate = v[3];
	p->min = v[4];
	p->mean = v[5];
	p->max = v[6];
	p->mdev = v[7];
	p->generated = v[8];
	p->elapsed_ns = v[9];
	return true;
}

/* ---- what was asked ----------------------------------------------------------------------------- */

/* "-RL", "-W": a letter among the short options */
static bool has_letter(const char *command, char letter)
{
	for (const char *p = command; p && *p; p = strchr(p, ' ')) {
		p += strspn(p, " ");
		if (*p == '-' && p[1] != '-' &&
		    memchr(p, letter, strcspn(p, " .0123456789")))
			return true;
	}
	return false;
}

static void put_request(struct emit *e, uint32_t i, const struct ioping *p)
{
	const char *c = p->command;
	bool linear = c && has_letter(c, 'L'), direct = c && has_letter(c, 'D');
	bool cached = c && has_letter(c, 'C'),
	     write = p->write || (c && has_letter(c, 'W'));

	emit_text(e, FACT_READ_PAGE_CACHE, i, 0,
		  direct   ? "passed by"
		  : cached ? "asked to answer"
		  : c	   ? "told to forget before each request"
			   : "not known",
		  c ? p->command_line : p->line);
	if (p->has_direction || c)
		emit_text(e, FACT_READ_DIRECTION, i, 0, write ? "write" : "read",
			  p->line);
	emit_u64(e, FACT_READ_DEPTH, i, 0, 1, p->line);
	if (!c)
		return;
	emit_text(e, FACT_READ_OPTIONS, i, 0, c, p->command_line);
	emit_text(e, FACT_READ_PATTERN, i, 0,
		  linear  ? (write ? "write" : "read")
		  : write ? "randwrite"
			  : "randread",
		  p->command_line);
	if (direct || cached)
		emit_flag(e, FACT_READ_DIRECT, i, direct, p->command_line);
}

/* Whether it asked again at once: then the rate is one of the drive. */
static bool is_rate_test(const struct ioping *p)
{
	return p->elapsed_ns && p->busy_ns > p->elapsed_ns / 2;
}

static void put_figures(struct emit *e, uint32_t i, const struct ioping *p)
{
	uint64_t v;

	if (p->block)
		emit_u64(e, FACT_READ_BLOCK, i, 0, p->block, p->line);
	if (p->count_exact) {
		emit_u64(e, FACT_READ_IOS, i, 0, p->count, p->line);
		if (p->block && p->count <= UINT64_MAX / p->block)
			emit_u64(e, FACT_READ_BYTES, i, 0, p->count * p->block, p->line);
	}
	if (p->busy_ns >= 1000000)
		emit_u64(e, FACT_READ_RUNTIME, i, 0, p->busy_ns / 1000000, p->line);
	if (p->iops_milli)
		emit_u64(e, FACT_READ_POSTED_IOPS, i, 0, p->iops_milli, p->line);
	if (p->rate)
		emit_u64(e, FACT_READ_POSTED_BW, i, 0, p->rate, p->line);
	if (is_rate_test(p) && p->iops_milli) {
		v = p->iops_milli;
		if (p->count_exact && p->count <= UINT64_MAX / 1000000)
			(void)muldiv_round(p->count * 1000000, 1000000, p->busy_ns, &v);
		emit_u64(e, FACT_READ_IOPS, i, 0, v, p->line);
		if (p->rate)
			emit_u64(e, FACT_READ_BANDWIDTH, i, 0, p->rate, p->line);
	}
	if (!p->has_times)
		return;
	emit_u64(e, FACT_READ_LAT_MIN, i, 0, p->min, p->line);
	emit_u64(e, FACT_READ_LAT_MEAN, i, 0, p->mean, p->line);
	emit_u64(e, FACT_READ_LAT_MAX, i, 0, p->max, p->line);
	emit_u64(e, FACT_READ_LAT_STDDEV, i, 0, p->mdev, p->line);
}

void ioping_put(struct posted *to, const struct ioping *p)
{
	char device[64] = "";
	struct emit *e;
	uint32_t i = to->runs;

	if (p->target[0] && (!posted_device(p->target, device, sizeof(device)) ||
			     !posted_is_disk(device)))
		*device = '\0';
	e = posted_on(to, device, p->line);
	if (!e)
		return;
	to->runs++;
	emit_text(e, FACT_READ_SOURCE, i, 0, "ioping", p->line);
	if (p->target[0])
		emit_text(e, FACT_READ_TARGET, i, 0, p->target, p->line);
	put_request(e, i, p);
	put_figures(e, i, p);
}

/* ---- the walk --------------------------------------------------------------------------------------- */

static void take_target(const char *s, struct ioping *p)
{
	size_t n = strlen(s) - strlen("---  ioping statistics ---");

	if (n >= sizeof(p->target))
		return;
	memcpy(p->target, s + 4, n);
	p->target[n] = '\0';
}

/* The block size stands in the lines of the requests, which -q leaves out. */
static void look_up(struct import *im, size_t index, struct ioping *p)
{
	struct text *t = im->text;
	uint64_t digit, v;
	size_t above = index;
	bool write;

	for (size_t i = index; i-- > 0;) {
		struct scan sc = { t->lines[i].s };

		if (!t->lines[i].len)
			continue;
		above = i;
		if (!is_request(sc.p, &write))
			break;
		p->write = write;
		p->has_direction = true;
		if (posted_bytes(&sc, &v, &digit) ||
		    (scan_u64(&sc, &v) && scan_text(&sc, "bytes")))
			p->block = v;
		if (t->lines[i].state == LINE_OPEN)
			text_claim(t, i, LINE_READ, IOPING_SECTION);
	}
	p->command = posted_command_above(t, above, "ioping", 2, &p->command_line);
	for (size_t i = p->command_line + 1; p->command && i < index; i++)
		if (is_statistics(t->lines[i].s))
			p->command = NULL; /* that one's */
	if (p->command && t->lines[p->command_line].state == LINE_OPEN)
		text_claim(t, p->command_line, LINE_READ, IOPING_SECTION);
}

/* Returns the line behind the block that starts at INDEX. */
static size_t read_block(struct posted *to, size_t index)
{
	struct text *t = to->im->text;
	struct ioping p = { .line = index };
	size_t i;

	take_target(t->lines[index].s, &p);
	look_up(to->im, index, &p);
	text_claim(t, index, LINE_READ, IOPING_SECTION);
	for (i = index + 1; i < t->n && i <= index + 2 * BLOCK_SPAN; i++) {
		const struct text_line *l = &t->lines[i];

		if (!l->len)
			continue;
		if (l->cut || l->state != LINE_OPEN ||
		    !(parse_completed(l->s, &p) || parse_generated(l->s, &p) ||
		      parse_times(l->s, &p)))
			break;
		text_claim(t, i, LINE_READ, IOPING_SECTION);
		if (p.has_times) {
			i++;
			break;
		}
	}
	if (p.count || p.has_times)
		ioping_put(to, &p);
	return i;
}

static bool read_raw(struct posted *to, size_t index)
{
	struct text *t = to->im->text;
	struct ioping p = { .line = index };

	p.command = posted_command_above(t, index, "ioping", 3, &p.command_line);
	if (!p.command || !has_letter(p.command, 'B') || t->lines[index].cut ||
	    !parse_raw(t->lines[index].s, &p))
		return false;
	if (posted_device(p.command, p.target, sizeof(p.target))) {
		char name[sizeof(p.target)];

		(void)snprintf(name, sizeof(name), "/dev/%.*s", (int)sizeof(p.target) - 8,
			       p.target);
		memcpy(p.target, name, sizeof(name));
	}
	ioping_put(to, &p);
	text_claim(t, p.command_line, LINE_READ, IOPING_SECTION);
	text_claim(t, index, LINE_READ, IOPING_SECTION);
	return true;
}

static int read_ioping(struct import *im)
{
	struct posted to = { .im = im, .item = "facts/ioping" };
	struct text *t = im->text;

	for (size_t i = 0; i < t->n && to.runs < IOPING_MAX_RUNS;) {
		if (t->lines[i].state != LINE_OPEN || !t->lines[i].len) {
			i++;
		} else if (is_statistics(t->lines[i].s)) {
			i = read_block(&to, i);
		} else if (t->lines[i].s[0] == '[') {
			i = ioping_read_json(&to, i);
		} else {
			if (str_is_digit(t->lines[i].s[0]))
				(void)read_raw(&to, i);
			i++;
		}
	}
	/* of one that was cut before its statistics */
	for (size_t i = 0; i < t->n; i++) {
		bool write;

		if (t->lines[i].state == LINE_OPEN && is_request(t->lines[i].s, &write))
			text_claim(t, i, LINE_KNOWN, IOPING_SECTION);
	}
	return posted_done(&to);
}

const struct importer importer_ioping = {
	.name = "ioping",
	.describe = "ioping: text, -B behind its command, -J",
	.read = read_ioping,
};
