/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who the drive is, how it stands, how fast it read, what was not looked at. */
#include <string.h>

#include "base/str.h"
#include "render/text.h"
#include "render/units.h"

/* Add a piece to a line of pieces: the first stands alone, others behind a comma. */
static void add_part(struct sheet *s, size_t *n, const char *before, const char *text,
		     const char *after)
{
	sheet_raw(s, STYLE_PLAIN, "%s%s", (*n)++ ? ", " : "", before);
	sheet_text(s, STYLE_PLAIN, text);
	sheet_raw(s, STYLE_PLAIN, "%s", after);
}

static void add_text_fact(struct sheet *s, size_t *n, const struct drive *d,
			  enum fact_id id, const char *before)
{
	const char *text = drive_text(d, id, 0, 0);

	if (text && text[0])
		add_part(s, n, before, text, "");
}

static void add_number_fact(struct sheet *s, size_t *n, const struct drive *d,
			    enum fact_id id, const char *before, const char *after)
{
	struct buf b cleanup_buf = { 0 };
	const struct fact *f = drive_fact(d, id, 0, 0);

	if (!f)
		return;
	if (fact_get_info(id)->unit == UNIT_BYTES)
		units_add_bytes(&b, f->u);
	else if (fact_get_info(id)->type == FACT_S64)
		buf_printf(&b, "%lld", (long long)f->s);
	else
		str_add_grouped(&b, f->u);
	add_part(s, n, before, buf_text(&b), after);
	sheet_check(s, &b);
}

static void add_kind(struct sheet *s, size_t *n, const struct drive *d)
{
	uint64_t rpm;

	if (!drive_u64(d, FACT_ROTATION, 0, 0, &rpm))
		return;
	if (rpm == 0)
		add_part(s, n, "", "SSD", "");
	else
		add_number_fact(s, n, d, FACT_ROTATION, "", " rpm");
}

/* Hours as the drive counts them; from a year on also in years, which people remember. */
static void add_hours(struct sheet *s, size_t *n, const struct drive *d)
{
	uint64_t hours;

	if (!drive_u64(d, FACT_POWER_ON_HOURS, 0, 0, &hours))
		return;
	add_number_fact(s, n, d, FACT_POWER_ON_HOURS, "", SHEET_GLUE "h" SHEET_GLUE "on");
	if (hours >= 8766 && hours < 8766 * 50)
		sheet_raw(s, STYLE_PLAIN, " (%llu.%llu" SHEET_GLUE "years)",
			  (unsigned long long)(hours / 8766),
			  (unsigned long long)(hours % 8766 * 10 / 8766));
}

void text_identity(struct sheet *s, const struct drive *d)
{
	const char *model = drive_text(d, FACT_MODEL, 0, 0);
	size_t n = 1;

	sheet_begin(s, 0, 2);
	sheet_text(s, STYLE_BOLD,
		   model && model[0]		      ? model
		   : drive_text(d, FACT_DEVICE, 0, 0) ? "A drive of unknown model"
						      : "A drive not named in the input");
	add_number_fact(s, &n, d, FACT_CAPACITY, "", "");
	add_kind(s, &n, d);
	add_text_fact(s, &n, d, FACT_FIRMWARE, "firmware" SHEET_GLUE);
	add_hours(s, &n, d);
	add_text_fact(s, &n, d, FACT_DEVICE, "");
	add_text_fact(s, &n, d, FACT_BUS, "");
	add_text_fact(s, &n, d, FACT_SERIAL, "serial" SHEET_GLUE);
	sheet_end(s);
}

/* Where both are told they say the same, or the verdict tells of both. */
static void add_life(struct sheet *s, size_t *n, const struct drive *d)
{
	if (drive_fact(d, FACT_LIFE_USED, 0, 0))
		add_number_fact(s, n, d, FACT_LIFE_USED, "", " % of rated life used");
	else
		add_number_fact(s, n, d, FACT_LIFE_LEFT, "", " % of rated life left");
}

static bool is_one(const struct drive *d, enum fact_id id)
{
	uint64_t n;

	return drive_u64(d, id, 0, 0, &n) && n == 1;
}

/* Counts that a person asks for first. Facts only: what they mean is the verdict's business. */
void text_vitals(struct sheet *s, const struct drive *d)
{
	size_t n = 0;

	sheet_label(s, "Health");
	add_number_fact(s, &n, d, FACT_REALLOCATED, "",
			is_one(d, FACT_REALLOCATED) ? " reallocated sector"
						    : " reallocated sectors");
	add_number_fact(s, &n, d, FACT_PENDING, "", " pending");
	add_number_fact(s, &n, d, FACT_OFFLINE_UNCORR, "", " offline uncorrectable");
	add_number_fact(s, &n, d, FACT_REPORTED_UNCORR, "", " reported uncorrectable");
	add_life(s, &n, d);
	add_number_fact(s, &n, d, FACT_LBA_WRITTEN, "", " written");
	add_number_fact(s, &n, d, FACT_TEMPERATURE, "", SHEET_GLUE "C");
	add_number_fact(s, &n, d, FACT_TEMPERATURE_MAX, "hottest" SHEET_GLUE,
			SHEET_GLUE "C");
	if (n)
		sheet_end(s);
}

static void add_ns(struct sheet *s, const char *what, const struct drive *d,
		   enum fact_id id, uint32_t i, uint32_t j, size_t *n)
{
	struct buf b cleanup_buf = { 0 };
	uint64_t ns;

	if (!drive_u64(d, id, i, j, &ns))
		return;
	units_add_ns(&b, ns);
	sheet_check(s, &b);
	for (size_t k = 0; k < b.len; k++)
		if (b.data[k] == ' ')
			b.data[k] = SHEET_GLUE[0];
	sheet_raw(s, STYLE_PLAIN, "%s%s" SHEET_GLUE "%s", (*n)++ ? ", " : " ", what,
		  buf_text(&b));
}

/* Full latency where it was posted, else completion latency. */
static bool has_fact(const struct drive *d, enum fact_id id, uint32_t i)
{
	return drive_fact(d, id, i, 0) != NULL;
}

static void add_latency(struct sheet *s, const struct drive *d, uint32_t i, size_t *n)
{
	/* the median tells more than the mean where two kinds of reads are mixed */
	if (drive_fact(d, FACT_READ_PERCENTILE, i, 50000))
		add_ns(s, "p50", d, FACT_READ_PERCENTILE, i, 50000, n);
	else
		add_ns(s, "mean", d,
		       has_fact(d, FACT_READ_LAT_MEAN, i) ? FACT_READ_LAT_MEAN
							  : FACT_READ_CLAT_MEAN,
		       i, 0, n);
	add_ns(s, "p99", d, FACT_READ_PERCENTILE, i, 99000, n);
	add_ns(s, "max", d,
	       has_fact(d, FACT_READ_LAT_MAX, i) ? FACT_READ_LAT_MAX : FACT_READ_CLAT_MAX,
	       i, 0, n);
}

/*
 * What people compare: requests a second for small random ones, else bytes a second; both where it is not
 * told which they were.
 */
static void add_rate(struct sheet *s, const struct drive *d, uint32_t i, bool everything,
		     size_t *n)
{
	struct buf b cleanup_buf = { 0 };
	const char *pattern = drive_text(d, FACT_READ_PATTERN, i, 0);
	bool random = pattern && str_starts(pattern, "rand"), iops, bytes;
	uint64_t ios_milli, bandwidth;

	iops = drive_u64(d, FACT_READ_IOPS, i, 0, &ios_milli) ||
	       drive_u64(d, FACT_READ_POSTED_IOPS, i, 0, &ios_milli);
	bytes = drive_u64(d, FACT_READ_BANDWIDTH, i, 0, &bandwidth);
	if (iops && (random || everything || !bytes || !pattern)) {
		str_add_grouped(&b, ios_milli / 1000);
		sheet_raw(s, STYLE_PLAIN, " %s/s", buf_text(&b));
		(*n)++;
	}
	buf_clear(&b);
	if (bytes && (!random || everything || !iops)) {
		units_add_bytes(&b, bandwidth);
		sheet_raw(s, STYLE_PLAIN, "%s%s/s", (*n)++ ? ", " : " ", buf_text(&b));
	}
	sheet_check(s, &b);
}

static void write_read(struct sheet *s, const struct drive *d, uint32_t i,
		       bool everything)
{
	const char *pattern = drive_text(d, FACT_READ_PATTERN, i, 0);
	const char *cache = drive_text(d, FACT_READ_PAGE_CACHE, i, 0);
	const char *source = drive_text(d, FACT_READ_SOURCE, i, 0);
	uint64_t value;
	size_t n = 0;

	if (!pattern)
		pattern = drive_text(d, FACT_READ_DIRECTION, i, 0);
	sheet_text(s, STYLE_PLAIN, pattern ? pattern : "run");
	if (drive_u64(d, FACT_READ_BLOCK, i, 0, &value)) {
		struct buf b cleanup_buf = { 0 };

		units_add_block(&b, value);
		sheet_check(s, &b);
		sheet_raw(s, STYLE_PLAIN, " %s", buf_text(&b));
	}
	if (drive_u64(d, FACT_READ_DEPTH, i, 0, &value))
		sheet_raw(s, STYLE_PLAIN, " qd%llu", (unsigned long long)value);
	sheet_raw(s, STYLE_PLAIN, ":");
	add_rate(s, d, i, everything, &n);
	add_latency(s, d, i, &n);
	if (!cache || !source)
		return;
	sheet_raw(s, STYLE_PLAIN, " (");
	sheet_text(s, STYLE_PLAIN, source);
	sheet_raw(s, STYLE_PLAIN, "; page cache ");
	sheet_text(s, STYLE_PLAIN, cache);
	sheet_raw(s, STYLE_PLAIN, ")");
}

/* Runs that have ID, but not BUT; how many were shown or would have been. */
static size_t write_reads(struct sheet *s, const struct drive *d,
			  const struct text_limits *l, enum fact_id id, enum fact_id but,
			  size_t shown)
{
	size_t n;
	const struct fact *runs = drive_facts(d, id, &n);

	for (size_t i = 0; i < n; i++) {
		/* the same run may be told by two sources */
		if ((i && runs[i].key.i == runs[i - 1].key.i) ||
		    (but != id && has_fact(d, but, runs[i].key.i)))
			continue;
		if (text_is_probe(d, runs[i].key.i) && !l->everything)
			continue;
		if (shown < l->reads) {
			sheet_label(s, shown ? "" : "Speed");
			s->hang = SHEET_HANG + 2;
			write_read(s, d, runs[i].key.i, l->everything);
			sheet_end(s);
		}
		shown++;
	}
	return shown;
}

void text_reads(struct sheet *s, const struct drive *d, const struct text_limits *l)
{
	size_t shown;

	text_probe(s, d);
	shown = write_reads(s, d, l, FACT_READ_PATTERN, FACT_READ_PATTERN, 0);
	/* what tells neither pattern nor command */
	shown = write_reads(s, d, l, FACT_READ_SOURCE, FACT_READ_PATTERN, shown);
	text_rest(s, shown, l->reads);
}

/* "the self-test log (smartctl -l xselftest /dev/sda)" without the hint in parentheses. */
static size_t without_hint(const char *text)
{
	const char *hint = strrchr(text, '(');

	if (hint && hint > text + 1 && hint[-1] == ' ' && str_ends(text, ")"))
		return (size_t)(hint - 1 - text);
	return SHEET_TEXT_MAX;
}

static void write_missing(struct sheet *s, const struct text_list *list,
			  const struct text_limits *l)
{
	struct buf b cleanup_buf = { 0 };

	for (size_t i = 0; i < list->n && i < l->missing; i++) {
		const char *text = list->items[i];

		buf_clear(&b);
		sheet_add_safe(&b, text,
			       l->everything ? SHEET_TEXT_MAX : without_hint(text));
		sheet_raw(s, STYLE_PLAIN, "%s", i ? ", " : "; missing: ");
		buf_add(&s->line, buf_text(&b), b.len);
	}
	sheet_check(s, &b);
	if (list->n > l->missing)
		sheet_raw(s, STYLE_DIM, ", and %zu more", list->n - l->missing);
	if (list->n && !l->everything)
		sheet_raw(s, STYLE_DIM, " (-v says how to get it)");
}

/* What the link's part shows struck out with this reason need not be said again. */
static bool is_said(const struct phy_page *p, const char *why)
{
	for (size_t i = 0; why && i < p->n; i++)
		if (p->counters[i].trust != PHY_LIVE &&
		    str_equal(p->counters[i].reason, why))
			return true;
	return false;
}

static void write_ignored(struct sheet *s, const struct drive_report *d, size_t max)
{
	size_t n = 0;

	for (size_t i = 0; i < d->n_ignored; i++) {
		if (max != SIZE_MAX && is_said(&d->phy, d->ignored[i].why))
			continue;
		if (n++ >= max)
			continue;
		sheet_label(s, n > 1 ? "" : "Ignored");
		s->hang = SHEET_HANG + 2;
		sheet_text(s, STYLE_PLAIN, d->ignored[i].what);
		if (d->ignored[i].why) {
			sheet_raw(s, STYLE_DIM, ": ");
			sheet_text(s, STYLE_DIM, d->ignored[i].why);
		}
		sheet_end(s);
	}
	text_rest(s, n, max);
}

static bool same_texts(const struct text_list *a, const struct text_list *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (!str_equal(a->items[i], b->items[i]))
			return false;
	return true;
}

static void write_untested(struct sheet *s, const struct text_list *list, bool repeated)
{
	if (!list->n)
		return;
	sheet_label(s, "Not tested");
	if (repeated)
		sheet_raw(s, STYLE_PLAIN, "as above");
	for (size_t i = 0; !repeated && i < list->n; i++) {
		sheet_raw(s, STYLE_PLAIN, "%s", i ? ", " : "");
		sheet_text(s, STYLE_PLAIN, list->items[i]);
	}
	sheet_end(s);
}

void text_coverage(struct sheet *s, const struct drive_report *d,
		   const struct text_limits *l, const struct drive_report *before)
{
	bool repeated = before && same_texts(&d->not_tested, &before->not_tested);

	write_ignored(s, d, l->ignored);
	write_untested(s, &d->not_tested, repeated);
	sheet_label(s, "Coverage");
	sheet_raw(s, STYLE_PLAIN, "%u %%", d->coverage_percent);
	if (before && d->missing.n && same_texts(&d->missing, &before->missing))
		sheet_raw(s, STYLE_PLAIN, "; missing: as above");
	else
		write_missing(s, &d->missing, l);
	sheet_end(s);
}
