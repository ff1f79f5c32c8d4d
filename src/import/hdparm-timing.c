/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hdparm -t, -T and --direct:
 *
 *   /dev/sda:
 *    Timing cached reads:   35918 MB in  1.99 seconds = 18049.62 MB/sec
 *    Timing buffered disk reads: 502 MB in  3.00 seconds = 167.26 MB/sec
 *
 * It reads on from the start of the drive through a buffer of 2 MiB, and its MB are MiB. Cached
 * reads (-T) come from memory: they are kept as what they are and never as a run of the drive.
 * Before the buffered ones the cache is emptied (BLKFLSBUF). Amount, time and rate must agree.
 */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/importers.h"
#include "import/posted.h"

#define SECTION	  "hdparm"
#define BUFFER	  (2u << 20)
#define NAME_SPAN 12u
#define MAX_RUNS  500u

enum timing { TIMING_MEMORY, TIMING_BUFFERED, TIMING_DIRECT };

static const struct {
	const char *start;
	enum timing kind;
} starts[] = {
	{ "Timing cached reads:", TIMING_MEMORY },
	{ "Timing O_DIRECT cached reads:", TIMING_MEMORY },
	{ "Timing buffer-cache reads:", TIMING_MEMORY },
	{ "Timing buffered disk reads:", TIMING_BUFFERED },
	{ "Timing O_DIRECT disk reads:", TIMING_DIRECT },
};

struct timing_line {
	enum timing kind;
	uint64_t mib, ms, rate; /* bytes a second as printed */
	size_t line, last;
};

/* "Timing O_DIRECT disk reads (offset 100 GB):" has a place in brackets. */
static const char *behind_start(const char *s, enum timing *ret)
{
	const char *at = strstr(s, "Timing ");

	for (size_t i = 0; at && i < array_size(starts); i++) {
		struct scan sc = { at };
		size_t len = strlen(starts[i].start) - 1;

		if (!str_starts(at, "Timing ") || strncmp(at, starts[i].start, len) != 0)
			continue;
		sc.p = at + len;
		if (scan_text(&sc, "(offset")) {
			sc.p += strcspn(sc.p, ")");
			if (*sc.p)
				sc.p++;
		}
		if (!scan_text(&sc, ":"))
			continue;
		*ret = starts[i].kind;
		return sc.p;
	}
	return NULL;
}

static bool parse(const char *s, struct timing_line *ret)
{
	struct scan sc = { behind_start(s, &ret->kind) };
	struct decimal time, rate;
	uint64_t unit, posted, computed, off;

	if (!sc.p || !scan_u64(&sc, &ret->mib) || !scan_text(&sc, "MB in") ||
	    !posted_decimal(&sc, &time) || !scan_text(&sc, "seconds =") ||
	    !posted_decimal(&sc, &rate))
		return false;
	unit = scan_text(&sc, "MB/sec") ? 1u << 20 : scan_text(&sc, "kB/sec") ? 1024 : 0;
	if (!unit || !scan_end(&sc) || !decimal_scale(time, 1000, &ret->ms) ||
	    !decimal_scale(rate, unit, &posted) || ret->mib > UINT64_MAX >> 21)
		return false;
	/* 0.00 seconds: too short for a figure */
	if (!ret->ms)
		return true;
	if (!muldiv_round(ret->mib << 20, 1000, ret->ms, &computed))
		return false;
	/* the time has two places */
	off = computed > posted ? computed - posted : posted - computed;
	if (off / 6 > computed / ret->ms + 1 && off > computed / 100)
		return false;
	ret->rate = posted;
	return true;
}

/* "/dev/sda:" alone on a line above, or the command. */
static void find_device(const struct text *t, size_t index, char *ret, size_t size)
{
	*ret = '\0';
	for (size_t i = 1; i <= NAME_SPAN && i <= index; i++) {
		const struct text_line *l = &t->lines[index - i];

		if (str_starts(l->s, "/dev/") && l->s[l->len - 1] == ':' &&
		    posted_device(l->s, ret, size))
			return;
		if (posted_command(t, index - i, "hdparm") &&
		    posted_device(l->s, ret, size))
			return;
	}
	*ret = '\0';
}

static void put_memory(struct emit *e, const struct timing_line *k)
{
	uint64_t v;

	if (muldiv_round(k->mib << 20, 1000, k->ms, &v))
		emit_u64(e, FACT_MEMORY_READ, 0, 0, v, k->line);
}

static void put_run(struct posted *p, struct emit *e, const struct timing_line *k)
{
	uint32_t i = p->runs++;
	uint64_t bytes = k->mib << 20, v;
	bool direct = k->kind == TIMING_DIRECT;

	emit_text(e, FACT_READ_SOURCE, i, 0, "hdparm", k->line);
	emit_text(e, FACT_READ_TITLE, i, 0,
		  direct ? "O_DIRECT disk reads" : "buffered disk reads", k->line);
	emit_text(e, FACT_READ_PATTERN, i, 0, "read", k->line);
	emit_text(e, FACT_READ_DIRECTION, i, 0, "read", k->line);
	emit_text(e, FACT_READ_PAGE_CACHE, i, 0,
		  direct ? "passed by" : "emptied before, then read ahead", k->line);
	if (direct)
		emit_flag(e, FACT_READ_DIRECT, i, true, k->line);
	emit_u64(e, FACT_READ_BLOCK, i, 0, BUFFER, k->line);
	emit_u64(e, FACT_READ_IOS, i, 0, k->mib / 2, k->line);
	emit_u64(e, FACT_READ_BYTES, i, 0, bytes, k->line);
	emit_u64(e, FACT_READ_RUNTIME, i, 0, k->ms, k->line);
	if (muldiv_round(bytes, 1000, k->ms, &v))
		emit_u64(e, FACT_READ_BANDWIDTH, i, 0, v, k->line);
	emit_u64(e, FACT_READ_POSTED_BW, i, 0, k->rate, k->line);
}

/* Lines that hdparm prints beside its figures, and the heads of drives. */
static void claim_rest(struct import *im, size_t index)
{
	static const char *const known[] = {
		"HDIO_DRIVE_CMD(",
		"HDIO_GETGEO ",
		"SG_IO: ",
		"read() hit EOF",
	};
	struct text *t = im->text;

	for (size_t i = index > NAME_SPAN ? index - NAME_SPAN : 0; i < index; i++) {
		const struct text_line *l = &t->lines[i];

		if (l->state != LINE_OPEN || !l->len)
			continue;
		for (size_t k = 0; k < array_size(known); k++)
			if (str_starts(l->s, known[k]))
				text_claim(t, i, LINE_KNOWN, SECTION);
		if ((str_starts(l->s, "/dev/") && l->s[l->len - 1] == ':' &&
		     !strchr(l->s, ' ')) ||
		    posted_command(t, i, "hdparm"))
			text_claim(t, i, LINE_READ, SECTION);
	}
}

/* The line at INDEX, or together with the rest of it that mail put on the next line. */
static bool look_at(const struct text *t, size_t index, struct timing_line *ret)
{
	const struct text_line *l = &t->lines[index], *next = l + 1;
	struct buf b cleanup_buf = { 0 };

	ret->line = ret->last = index;
	if (parse(l->s, ret))
		return true;
	if (index + 1 >= t->n || next->cut || !next->len)
		return false;
	ret->last = index + 1;
	buf_printf(&b, "%s %s", l->s, next->s);
	return parse(buf_text(&b), ret);
}

static int read_timing(struct import *im)
{
	struct posted p = { .im = im, .item = "facts/hdparm" };
	struct text *t = im->text;
	int found = 0, r;

	for (size_t i = 0; i < t->n && p.runs < MAX_RUNS; i++) {
		struct timing_line k;
		char device[64];
		enum timing kind;
		struct emit *e;

		if (t->lines[i].state != LINE_OPEN || !behind_start(t->lines[i].s, &kind))
			continue;
		/* the last word is checked as far as it is there: "MB/sec" */
		if (!look_at(t, i, &k)) {
			text_claim(t, i, LINE_DAMAGED, SECTION);
			continue;
		}
		find_device(t, i, device, sizeof(device));
		e = posted_on(&p, device, i);
		if (!e)
			continue;
		if (k.kind == TIMING_MEMORY)
			put_memory(e, &k);
		else if (k.ms)
			put_run(&p, e, &k);
		found++;
		text_claim(t, i, LINE_READ, SECTION);
		text_claim(t, k.last, LINE_READ, SECTION);
		claim_rest(im, i);
	}
	r = posted_done(&p);
	return r < 0 ? r : found;
}

const struct importer importer_hdparm_timing = {
	.name = "hdparm-timing",
	.describe = "hdparm -t, -T and --direct",
	.read = read_timing,
};
