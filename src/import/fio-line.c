/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/fio.h"

#define WRAP_LINES 6u

/* clang-format off */
static const struct {
	const char *start; /* a blank stands for any number of them, or none */
	const char *has;   /* must stand somewhere behind it */
	enum fio_kind kind;
} starts[] = {
	{ "Jobs: ",                          "(f=",        FIO_QUIET },
	{ "Starting ",                       "process",    FIO_START },
	{ "Starting ",                       "thread",     FIO_START },
	{ "read : IOPS=",                    "",           FIO_IO3 },
	{ "write : IOPS=",                   "",           FIO_IO3 },
	{ "trim : IOPS=",                    "",           FIO_IO3 },
	{ "mixed : IOPS=",                   "",           FIO_IO3 },
	{ "read : io=",                      "",           FIO_IO2 },
	{ "write : io=",                     "",           FIO_IO2 },
	{ "trim : io=",                      "",           FIO_IO2 },
	{ "mixed : io=",                     "",           FIO_IO2 },
	{ "",                                  "percentiles (nsec",  FIO_PCT_HEAD },
	{ "",                                  "percentiles (usec",  FIO_PCT_HEAD },
	{ "",                                  "percentiles (msec",  FIO_PCT_HEAD },
	{ "slat (",                          "",           FIO_LAT },
	{ "clat (",                          "",           FIO_LAT },
	{ "lat (",                           "min=",       FIO_LAT },
	{ "lat (nsec) :",                    "=",          FIO_BUCKET },
	{ "lat (usec) :",                    "=",          FIO_BUCKET },
	{ "lat (msec) :",                    "=",          FIO_BUCKET },
	{ "bw (",                            "min=",       FIO_BW },
	{ "iops : min=",                     "",           FIO_IOPS },
	{ "fsync/fdatasync/sync_file_range", "",           FIO_SYNC },
	{ "cpu : usr=",                      "",           FIO_CPU },
	{ "IO depths :",                     "",           FIO_DEPTHS },
	{ "submit : 0=",                     "",           FIO_SUBMIT },
	{ "complete : 0=",                   "",           FIO_SUBMIT },
	{ "issued : total=",                 "",           FIO_ISSUED },
	{ "issued rwt: total=",              "",           FIO_ISSUED },
	{ "issued rwts: total=",             "",           FIO_ISSUED },
	{ "latency : target=",               "",           FIO_LATENCY },
	{ "Run status group ",               "",           FIO_GROUP_HEAD },
	{ "READ: io=",                       "",           FIO_GROUP2 },
	{ "WRITE: io=",                      "",           FIO_GROUP2 },
	{ "TRIM: io=",                       "",           FIO_GROUP2 },
	{ "MIXED: io=",                      "",           FIO_GROUP2 },
	{ "READ: bw=",                       "",           FIO_GROUP3 },
	{ "WRITE: bw=",                      "",           FIO_GROUP3 },
	{ "TRIM: bw=",                       "",           FIO_GROUP3 },
	{ "MIXED: bw=",                      "",           FIO_GROUP3 },
	{ "Disk stats (read/write)",         "",           FIO_DISK_HEAD },
	{ "sync (",                          "min=",       FIO_QUIET },
	{ "clat prio ",                      "min=",       FIO_QUIET },
	{ "lat prio ",                       "min=",       FIO_QUIET },
	{ "high prio ",                      "min=",       FIO_QUIET },
	{ "low prio ",                       "min=",       FIO_QUIET },
	{ "Description : [",                 "",           FIO_QUIET },
	{ "errors : total=",                 "",           FIO_QUIET },
	{ "steadystate :",                   "",           FIO_QUIET },
	{ "fio: ",                           "",           FIO_QUIET },
};
/* clang-format on */

/* How a whole line of a kind ends: KEY "=" and the form of what stands behind it. */
enum tail { TAIL_INT, TAIL_FLOAT, TAIL_PERCENT, TAIL_MSEC, TAIL_LIST, TAIL_PID };

static const struct {
	enum fio_kind kind;
	const char *key;
	enum tail tail;
} ends[] = {
	{ FIO_HEAD, "iodepth", TAIL_INT },    { FIO_JOB, "pid", TAIL_PID },
	{ FIO_IO2, "runt", TAIL_MSEC },	      { FIO_LAT, "stdev", TAIL_FLOAT },
	{ FIO_BW, "stdev", TAIL_FLOAT },      { FIO_BW, "samples", TAIL_INT },
	{ FIO_IOPS, "samples", TAIL_INT },    { FIO_CPU, "minf", TAIL_INT },
	{ FIO_DEPTHS, ">=64", TAIL_PERCENT }, { FIO_SUBMIT, ">=64", TAIL_PERCENT },
	{ FIO_ISSUED, "/d", TAIL_INT },	      { FIO_ISSUED, "dropped", TAIL_LIST },
	{ FIO_LATENCY, "depth", TAIL_INT },   { FIO_GROUP2, "maxt", TAIL_MSEC },
	{ FIO_GROUP3, "run", TAIL_MSEC },     { FIO_DISK, "util", TAIL_PERCENT },
};

size_t fio_width(const struct text_line *l)
{
	return (size_t)l->indent + l->len + 2u * l->quote;
}

/* "fio-3.33", "fio 1.59", and up to 2.0.8 the bare version */
static bool is_banner(const char *s)
{
	const char *version = str_after(s, "fio-");
	size_t dots = 0;

	if (!version)
		version = str_after(s, "fio ");
	for (const char *p = version ? version : s; *p; p++) {
		dots += *p == '.';
		if (!str_is_digit(*p) && *p != '.' && (!version || str_is_space(*p)))
			return false;
	}
	return version ? str_is_digit(*version) && dots : str_is_digit(*s) && dots == 2;
}

/* One word, then ": ios=" */
static bool is_disk(const char *s)
{
	struct scan sc = { s };

	while (*sc.p && !str_is_space(*sc.p) && *sc.p != ':')
		sc.p++;
	return sc.p > s && scan_text(&sc, ": ios=");
}

/* A name, then what only fio writes. */
static bool is_named(const char *s, const char *start, const char *has)
{
	const char *p = strstr(s, start);

	return p && p > s && strstr(p, has);
}

static enum fio_kind classify_text(const char *s, size_t len)
{
	const char *program, *options;

	for (size_t i = 0; i < array_size(starts); i++) {
		struct scan sc = { s };

		if (scan_text(&sc, starts[i].start) && strstr(sc.p, starts[i].has))
			return starts[i].kind;
	}
	if (str_equal(s, "..."))
		return FIO_REPEAT;
	if (is_named(s, ": (groupid=", "jobs="))
		return FIO_JOB;
	if (is_named(s, ": (g=", "rw="))
		return FIO_HEAD;
	if (is_disk(s))
		return FIO_DISK;
	if (is_banner(s))
		return FIO_BANNER;
	if (*s == '|' && strstr(s, "th="))
		return FIO_PCT_ROW;
	if (fio_is_terse(s))
		return FIO_TERSE;
	if (*s == '{' && (len == 1 || s[1 + strspn(s + 1, " \t")] == '"'))
		return FIO_JSON;
	if (*s == '[' && len > 2 && strchr(s, ']') == s + len - 1)
		return FIO_JOBFILE;
	if (strstr(s, ": Laying out IO file"))
		return FIO_QUIET;
	return fio_is_command(s, &program, &options) ? FIO_COMMAND : FIO_OTHER;
}

enum fio_kind fio_classify(const struct text_line *l)
{
	if (!l->len)
		return FIO_BLANK;
	return l->state == LINE_OPEN ? classify_text(l->s, l->len) : FIO_TAKEN;
}

static bool tail_is_list(struct scan *sc)
{
	uint64_t n;

	do {
		if (!scan_u64(sc, &n))
			return false;
	} while (scan_text(sc, ","));
	return true;
}

static bool tail_fits(enum tail tail, const char *s)
{
	struct scan sc = { s };
	struct decimal d;
	uint64_t n;

	switch (tail) {
	case TAIL_INT:
		return scan_u64(&sc, &n) && scan_end(&sc);
	case TAIL_FLOAT:
		return scan_decimal(&sc, &d) && d.places == 2 && scan_end(&sc);
	case TAIL_PERCENT:
		return scan_decimal(&sc, &d) && scan_text(&sc, "%") && scan_end(&sc);
	case TAIL_MSEC:
		return scan_u64(&sc, &n) && (!scan_text(&sc, "-") || scan_u64(&sc, &n)) &&
		       scan_text(&sc, "msec") && scan_end(&sc);
	case TAIL_LIST:
		return tail_is_list(&sc) && scan_end(&sc);
	case TAIL_PID:
		return scan_u64(&sc, &n) && (scan_end(&sc) || scan_text(&sc, ":"));
	}
	return false;
}

/* What stands behind the last "KEY =" of S, NULL when it is not there. */
static const char *behind_last(const char *s, const char *key)
{
	const char *found = NULL;

	for (const char *p = strstr(s, key); p; p = strstr(p + 1, key)) {
		struct scan sc = { p + strlen(key) };

		if (scan_text(&sc, "="))
			found = sc.p;
	}
	return found;
}

/* Nothing of a line of this kind is missing at its end. */
static bool is_whole(enum fio_kind kind, const char *s)
{
	size_t len = strlen(s);
	bool known = false;

	if (kind == FIO_PCT_HEAD)
		return str_ends(s, ":");
	if (kind == FIO_PCT_ROW)
		return str_ends(s, "]") || str_ends(s, "],");
	if (kind == FIO_BUCKET)
		return len && s[len - 1] == '%';
	if (kind == FIO_IO3)
		return strstr(s, "msec)") != NULL;
	for (size_t i = 0; i < array_size(ends); i++) {
		const char *rest;

		if (ends[i].kind != kind)
			continue;
		known = true;
		rest = behind_last(s, ends[i].key);
		if (rest && tail_fits(ends[i].tail, rest))
			return true;
	}
	return !known;
}

static bool ends_in_number(enum fio_kind kind)
{
	return kind == FIO_HEAD || kind == FIO_BW || kind == FIO_IOPS ||
	       kind == FIO_CPU || kind == FIO_ISSUED || kind == FIO_LATENCY;
}

/* Digits and nothing else: what a hard wrap leaves of a number. */
static bool is_number(const struct text_line *l)
{
	return l->len && l->len < 12 && strspn(l->s, "0123456789,") == l->len;
}

/* The next line belongs to the one that was read up to BEFORE. */
static bool continues(enum fio_kind kind, bool whole, const struct text_line *before,
		      const struct text_line *next)
{
	enum fio_kind next_kind = fio_classify(next);

	if (next_kind == FIO_JOBFILE) /* "[22912]", cut off "99.99th=" */
		return !whole;
	if (next_kind != FIO_OTHER)
		return false;
	if (!whole || strchr(",])%/=:.", next->s[0]))
		return true;
	if (kind == FIO_PCT_ROW)
		return str_is_digit(next->s[0]) && strstr(next->s, "th=[");
	return ends_in_number(kind) && is_number(next) &&
	       fio_width(before) >= FIO_WRAP_WIDTH;
}

/* ">=64=0.0%" at a line's start was taken for a mark of quoting. */
static bool lost_its_mark(const struct text_line *before, const struct text_line *l)
{
	return l->quote > before->quote &&
	       (str_starts(l->s, "=64=") || str_starts(l->s, "=2000="));
}

struct fio_line fio_gather(struct fio *f, size_t index, enum fio_kind kind)
{
	const struct text_line *lines = f->text->lines;
	struct fio_line l = { .kind = kind, .text = lines[index].s, .first = index };
	struct buf b cleanup_buf = { 0 };
	bool whole = is_whole(kind, lines[index].s);
	size_t good = 0;

	buf_puts(&b, lines[index].s);
	l.end = whole ? index + 1 : 0;
	good = b.len;
	for (size_t i = index + 1; i < f->text->n && i < index + WRAP_LINES; i++) {
		if (!continues(kind, whole, &lines[i - 1], &lines[i]))
			break;
		/* Without a blank: fio's lines read the same with or without it, and a word
		 * that was cut in the middle is whole again. */
		if (lost_its_mark(&lines[i - 1], &lines[i]))
			buf_putc(&b, '>');
		buf_puts(&b, lines[i].s);
		whole = is_whole(kind, buf_text(&b));
		if (whole) {
			l.end = i + 1;
			good = b.len;
		}
	}
	l.open = !whole || lines[(l.end ? l.end : index + 1) - 1].cut;
	if (l.end > index + 1)
		l.text = arena_strndup(f->arena, buf_text(&b), good);
	else
		l.end = index + 1;
	if (l.end < f->text->n && is_number(&lines[l.end]) && ends_in_number(kind))
		l.open = true;
	if (buf_error(&b) || !l.text) {
		f->error = -ENOMEM;
		l.text = "";
	}
	return l;
}

/* The line without "- " before it; what follows a line of fio's with it is the same list. */
static bool cut_dash(struct text_line *l, bool before)
{
	struct text_line rest = *l;

	if (!str_starts(l->s, "- "))
		return false;
	rest.s += 2;
	rest.len -= 2;
	if (!before && fio_classify(&rest) == FIO_OTHER)
		return false;
	*l = rest;
	return true;
}

/* " | |" behind the text, or behind its rest on the next line: the borders of a table */
static bool cut_bars(struct fio *f, struct text_line *l, const struct text_line *before)
{
	size_t len = l->len;
	char *copy;

	while (len && strchr(" |", l->s[len - 1]))
		len--;
	if (len == l->len || (fio_classify(l) == FIO_OTHER &&
			      (!before || fio_classify(before) == FIO_OTHER)))
		return true;
	copy = arena_strndup(f->arena, l->s, len);
	if (!copy)
		return false;
	l->s = copy;
	l->len = (uint32_t)len;
	return true;
}

void fio_undress(struct fio *f)
{
	bool dash = false;

	for (size_t i = 0; i < f->text->n && !f->error; i++) {
		struct text_line *l = &f->text->lines[i];

		if (l->state != LINE_OPEN)
			continue;
		dash = cut_dash(l, dash);
		if (!cut_bars(f, l, i ? l - 1 : NULL))
			f->error = -ENOMEM;
	}
}
