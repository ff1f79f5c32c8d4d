/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * iostat of sysstat, with -x and without, in all the sets of columns it had: the head says which stand
 * where. Every report becomes one table of the host, its rows the devices. The first report of a start
 * tells the time since boot (unless -y), those that follow an interval each: the title says so.
 *
 * Every number has two places, so that rows which mail wrapped, between numbers or through them,
 * can be put together in one way only. The amounts without -x have none, and stand last: a row is
 * taken only when nothing behind it can be the rest of one.
 */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/importers.h"
#include "import/iostat.h"
#include "import/words.h"

#define MAX_JOINED 4u
#define MAX_FACTS  (900u << 10)

/* iostat.c of sysstat 9 to 12.7 */
static const char *const device_columns[] = {
	"rrqm/s",   "wrqm/s",	"drqm/s",   "r/s",	"w/s",	 "d/s",	    "f/s",
	"rsec/s",   "wsec/s",	"dsec/s",   "rkB/s",	"wkB/s", "dkB/s",   "rMB/s",
	"wMB/s",    "dMB/s",	"avgrq-sz", "avgqu-sz", "await", "r_await", "w_await",
	"d_await",  "f_await",	"svctm",    "%util",	"%rrqm", "%wrqm",   "%drqm",
	"rareq-sz", "wareq-sz", "dareq-sz", "aqu-sz",	"tps",	 "kB/s",    "MB/s",
	"rqm/s",    "areq-sz",	"sec/s",    "rkB_w/s",
};

/* Without -x: what was moved since the last report; with "/s" behind it, a rate. */
static const char *const amounts[] = {
	"kB_read", "kB_wrtn", "kB_dscd",  "kB_w+d",   "MB_read",  "MB_wrtn",
	"MB_dscd", "MB_w+d",  "Blk_read", "Blk_wrtn", "Blk_dscd", "Blk_w+d",
};

static const char *const cpu_columns[] = { "%user",   "%nice",	"%system",
					   "%iowait", "%steal", "%idle" };

struct head {
	struct word words[IOSTAT_COLUMNS];
	size_t n;
	bool cpu;
	bool joined;
};

static bool in_list(const char *const *list, size_t n, struct word w)
{
	for (size_t i = 0; i < n; i++)
		if (word_is(w, list[i]))
			return true;
	return false;
}

static bool is_amount(struct word w)
{
	return in_list(amounts, array_size(amounts), w);
}

bool iostat_is_plain(const char *column)
{
	size_t len = strlen(column), rate = len > 2 && str_ends(column, "/s") ? 2 : 0;

	return is_amount((struct word){ column, len - rate });
}

static bool is_plain(struct word w)
{
	char name[32];

	(void)snprintf(name, sizeof(name), "%.*s", (int)w.len, w.s);
	return iostat_is_plain(name);
}

static bool is_column(struct word w, bool cpu)
{
	return cpu ? in_list(cpu_columns, array_size(cpu_columns), w)
		   : is_plain(w) ||
			       in_list(device_columns, array_size(device_columns), w);
}

/* Names of columns behind "Device:" or "avg-cpu:", and nothing else. */
static bool parse_head(const char *s, struct head *ret)
{
	struct word w[IOSTAT_COLUMNS + 1];
	size_t n = words_split(s, w, array_size(w));

	ret->cpu = n && word_is(w[0], "avg-cpu:");
	if (n < 4 || n == array_size(w) ||
	    (!ret->cpu && !word_is(w[0], "Device:") && !word_is(w[0], "Device")))
		return false;
	for (size_t i = 1; i < n; i++) {
		if (!is_column(w[i], ret->cpu))
			return false;
		ret->words[i - 1] = w[i];
	}
	ret->n = n - 1;
	return true;
}

/* Two PLACES, with a point or a comma: so no number can be mistaken for half of one. */
static bool parse_places(struct word w, unsigned places, int64_t *ret_micro)
{
	char text[32];
	struct scan sc = { text };
	struct decimal d;
	uint64_t u;

	if (w.len >= sizeof(text))
		return false;
	memcpy(text, w.s, w.len);
	text[w.len] = '\0';
	if (!posted_decimal(&sc, &d) || *sc.p || d.places != places ||
	    !decimal_scale(d, 1000000, &u) || u > INT64_MAX)
		return false;
	*ret_micro = (int64_t)u;
	return true;
}

static bool parse_number(struct word w, int64_t *ret_micro)
{
	return parse_places(w, 2, ret_micro);
}

/* What a line begins with that is the rest of another: part of a number, which no device is called. */
static bool is_numeric(struct word w)
{
	return strspn(w.s, "0123456789.,") >= w.len;
}

/* A name (not for the processors) and as many numbers as there are columns. */
static bool parse_row(const char *s, const struct head *h, struct iostat_row *ret)
{
	struct word w[IOSTAT_COLUMNS + 2];
	size_t n = words_split(s, w, array_size(w)), first = !h->cpu;

	if (n != h->n + first)
		return false;
	if (first) {
		if (is_numeric(w[0]) || w[0].len >= sizeof(ret->name))
			return false;
		memcpy(ret->name, w[0].s, w[0].len);
		ret->name[w[0].len] = '\0';
		if (ret->name[w[0].len - 1] == ':')
			ret->name[w[0].len - 1] = '\0';
	} else {
		(void)snprintf(ret->name, sizeof(ret->name), "processors");
	}
	ret->n = h->n;
	for (size_t i = 0; i < h->n; i++) {
		ret->text[i] = w[i + first];
		if (!parse_places(w[i + first], is_amount(h->words[i]) ? 0 : 2,
				  &ret->micro[i]))
			return false;
	}
	return true;
}

/* ---- wrapped lines ------------------------------------------------------------------------- */

/*
 * The lines from INDEX on as one, joined with a blank or through a word, whichever PARSE takes;
 * none when it takes both. Returns the line behind, 0 for none; TEXT holds the line.
 */
struct joint {
	const struct text *t;
	const struct head *head; /* NULL: it is the head that is read */
	struct head *ret_head;
	struct iostat_row *ret_row;
};

static bool takes(const struct joint *j, const char *s)
{
	return j->head ? parse_row(s, j->head, j->ret_row) : parse_head(s, j->ret_head);
}

/* Whether the next line can be the rest of one: it begins no table and no other row. */
static bool is_rest(const struct text_line *l, bool of_head)
{
	struct word w[1];

	if (!l->len || l->state != LINE_OPEN || l->cut || !words_split(l->s, w, 1))
		return false;
	if (of_head)
		return !str_starts(l->s, "Device") && !str_starts(l->s, "avg-cpu:");
	return is_numeric(w[0]);
}

/* The row ends with a number without places, and what follows may be its other half. */
static bool is_open_ended(const struct joint *j, size_t end)
{
	const struct text *t = j->t;

	if (!j->head || !is_amount(j->head->words[j->head->n - 1]))
		return false;
	end += end < t->n && !t->lines[end].len;
	return end < t->n && is_rest(&t->lines[end], false);
}

static size_t join_from(const struct joint *j, size_t index, struct buf *text)
{
	struct buf tight cleanup_buf = { 0 };

	buf_clear(text);
	buf_puts(text, j->t->lines[index].s);
	if (takes(j, buf_text(text)))
		return is_open_ended(j, index + 1) ? 0 : index + 1;
	buf_puts(&tight, buf_text(text));
	for (size_t i = index + 1; i < j->t->n && i <= index + MAX_JOINED; i++) {
		bool apart, close;

		if (!is_rest(&j->t->lines[i], !j->head))
			return 0;
		buf_putc(text, ' ');
		buf_puts(text, j->t->lines[i].s);
		buf_puts(&tight, j->t->lines[i].s);
		apart = takes(j, buf_text(text));
		close = takes(j, buf_text(&tight));
		if (apart && close)
			return 0;
		if (close) {
			buf_clear(text);
			buf_puts(text, buf_text(&tight));
		}
		if (apart || close) {
			(void)takes(j, buf_text(text)); /* words point into TEXT */
			return is_open_ended(j, i + 1) ? 0 : i + 1;
		}
	}
	return 0;
}

/* The head goes on as long as names of columns follow. */
static size_t read_head(const struct text *t, size_t index, struct head *h,
			struct buf *text)
{
	struct joint j = { .t = t, .ret_head = h };
	size_t end = join_from(&j, index, text);

	while (end && end < t->n && end < index + MAX_JOINED &&
	       is_rest(&t->lines[end], true)) {
		struct buf more cleanup_buf = { 0 };
		struct head longer;

		buf_printf(&more, "%s %s", buf_text(text), t->lines[end].s);
		if (!parse_head(buf_text(&more), &longer))
			break;
		buf_clear(text);
		buf_puts(text, buf_text(&more));
		(void)parse_head(buf_text(text), h);
		end++;
	}
	return end;
}

/* ---- facts ------------------------------------------------------------------------------------- */

void iostat_column(struct iostat *o, uint32_t j, const char *name, size_t line)
{
	emit_text(&o->e, FACT_CMP_COLUMN, o->tables, j, name, line);
}

bool iostat_row(struct iostat *o, const struct iostat_row *row, size_t line)
{
	if (o->e.body.len > MAX_FACTS)
		return false;
	emit_u64(&o->e, FACT_CMP_ROW_TABLE, o->rows, 0, o->tables, line);
	emit_text(&o->e, FACT_CMP_ROW_NAME, o->rows, 0, row->name, line);
	for (uint32_t j = 0; j < row->n; j++) {
		char text[32];

		(void)snprintf(text, sizeof(text), "%.*s", (int)row->text[j].len,
			       row->text[j].s);
		emit_text(&o->e, FACT_CMP_ROW_TEXT, o->rows, j, text, line);
		emit_s64(&o->e, FACT_CMP_ROW_MICRO, o->rows, j, row->micro[j], line);
	}
	o->rows++;
	return true;
}

void iostat_title(struct iostat *o, const char *what, uint32_t report, size_t line)
{
	char title[64];

	(void)snprintf(title, sizeof(title), "%s, report %u%s", what, report,
		       report == 1 ? " (since boot, unless -y)" : "");
	emit_text(&o->e, FACT_CMP_TITLE, o->tables, 0, title, line);
}

static void put_head(struct iostat *o, const struct head *h, uint32_t report, size_t line)
{
	bool plain = false;

	for (size_t j = 0; j < h->n; j++)
		plain |= is_plain(h->words[j]);
	iostat_title(o,
		     h->cpu  ? "iostat, processors"
		     : plain ? "iostat"
			     : "iostat -x",
		     report, line);
	for (uint32_t j = 0; j < h->n; j++) {
		char name[32];

		(void)snprintf(name, sizeof(name), "%.*s", (int)h->words[j].len,
			       h->words[j].s);
		iostat_column(o, j, name, line);
	}
}

/* ---- the walk ----------------------------------------------------------------------------------- */

static void claim(struct text *t, size_t from, size_t end, enum line_state state)
{
	for (; from < end; from++)
		text_claim(t, from, state, IOSTAT_SECTION);
}

static bool looks_like_row(const struct text_line *l)
{
	struct word w[4];
	size_t n = words_split(l->s, w, array_size(w));
	int64_t v;

	return n >= 3 && parse_number(w[1], &v) && parse_number(w[2], &v);
}

/* Rows behind the head of a table; returns the line behind. */
static size_t read_rows(struct iostat *o, const struct head *h, size_t i)
{
	struct text *t = o->im->text;

	for (; i < t->n; i++) {
		struct buf text cleanup_buf = { 0 };
		struct iostat_row row = { 0 };
		struct joint j = { .t = t, .head = h, .ret_row = &row };
		size_t end;

		/* mail puts blank lines between rows: those of iostat end a table */
		if (!t->lines[i].len && i + 1 < t->n && looks_like_row(&t->lines[i + 1]))
			continue;
		if (!t->lines[i].len || t->lines[i].state != LINE_OPEN)
			break;
		end = t->lines[i].cut ? 0 : join_from(&j, i, &text);
		if (!end) {
			if (!looks_like_row(&t->lines[i]))
				break;
			text_claim(t, i, LINE_DAMAGED, IOSTAT_SECTION);
			while (i + 1 < t->n && is_rest(&t->lines[i + 1], false))
				text_claim(t, ++i, LINE_DAMAGED, IOSTAT_SECTION);
			continue;
		}
		if (!iostat_row(o, &row, i))
			break;
		claim(t, i, end, LINE_READ);
		i = end - 1;
		if (h->cpu)
			return end;
	}
	return i;
}

/* "Linux 6.1.0 (host) 	11/30/26 	_x86_64_	(2 CPU)" begins a start. */
static bool is_banner(const char *s)
{
	return str_starts(s, "Linux ") && strstr(s, " CPU)") && strchr(s, '_');
}

/* "11/30/26 23:08:06" and its like above a report */
static bool is_time(const char *s)
{
	return str_is_digit(*s) && strchr(s, ':') &&
	       strspn(s, "0123456789/:-.APMT+ Z") == strlen(s);
}

static void claim_time(struct text *t, size_t head)
{
	for (size_t i = head; i-- > 0 && head - i <= 3;)
		if (t->lines[i].len && t->lines[i].state == LINE_OPEN &&
		    is_time(t->lines[i].s))
			text_claim(t, i, LINE_KNOWN, IOSTAT_SECTION);
}

static size_t read_table(struct iostat *o, size_t index)
{
	struct text *t = o->im->text;
	struct buf text cleanup_buf = { 0 };
	struct head h = { .n = 0 };
	size_t end = read_head(t, index, &h, &text), behind;
	uint32_t rows = o->rows, *report = &o->report[0];

	if (!end)
		return index + 1;
	report = &o->report[h.cpu];
	++*report;
	put_head(o, &h, *report, index);
	claim(t, index, end, LINE_READ);
	claim_time(t, index);
	behind = read_rows(o, &h, end);
	if (o->rows == rows)
		o->empty++;
	o->tables++;
	return behind;
}

static int read_iostat(struct import *im)
{
	struct iostat o = { .im = im, .e = { .im = im } };
	struct text *t = im->text;
	int r;

	for (size_t i = 0; i < t->n && o.tables < IOSTAT_TABLES;) {
		const struct text_line *l = &t->lines[i];

		if (l->state != LINE_OPEN || !l->len) {
			i++;
		} else if (is_banner(l->s)) {
			o.report[0] = o.report[1] = 0;
			text_claim(t, i++, LINE_KNOWN, IOSTAT_SECTION);
		} else if (str_starts(l->s, "Device") || str_starts(l->s, "avg-cpu:")) {
			i = read_table(&o, i);
		} else if (*l->s == '{') {
			i = iostat_read_json(&o, i);
		} else {
			if (posted_command(t, i, "iostat"))
				text_claim(t, i, LINE_KNOWN, IOSTAT_SECTION);
			i++;
		}
	}
	if (o.tables == IOSTAT_TABLES || o.e.body.len > MAX_FACTS)
		diag_add(im->diag, DIAG_NOTE, t->file, 0,
			 "iostat: more reports than one case can hold: the rest is left "
			 "out");
	r = emit_done(&o.e, CAP_HOST, "facts/iostat");
	return r < 0 ? r : (int)(o.tables - o.empty);
}

const struct importer importer_iostat = {
	.name = "iostat",
	.describe = "iostat of sysstat 9 and later, with -x and without: text in any "
		    "width, JSON",
	.read = read_iostat,
};
