/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of a job's section that is about one direction. */
#include <string.h>

#include "base/str.h"
#include "import/fio.h"

static struct fio_run *run(struct fio *f)
{
	return f->run ? &f->runs[f->run - 1] : NULL;
}

/* ---- the direction's own line -------------------------------------------------------------- */

static bool take_direction(struct scan *sc, enum fio_direction *ret)
{
	for (size_t i = 0; i < FIO_DIRECTIONS; i++) {
		struct scan s = *sc;

		if (!scan_text(&s, fio_direction_names[i]) || !scan_text(&s, ":"))
			continue;
		*sc = s;
		*ret = (enum fio_direction)i;
		return true;
	}
	return false;
}

static bool take_milliseconds(struct scan *sc, uint64_t *ret)
{
	struct scan s = *sc;

	if (!scan_u64(&s, ret) || !*ret || !scan_text(&s, "msec"))
		return false;
	*sc = s;
	return true;
}

/* What JSON told of the same run is finer, and stays. */
static void keep(struct quantity *to, const struct quantity *q)
{
	if (!to->unit)
		*to = *q;
}

static void keep_runtime(struct fio_run *r, uint64_t ms, size_t line)
{
	if (!r->runtime.set)
		r->runtime = (struct fio_count){ true, ms, line };
}

/* One item of "io=60832KB, bw=1013.7KB/s, iops=253 , runt= 60012msec" */
static bool take_io2(struct fio_run *r, const struct fio_line *l,
		     const struct fio_item *it)
{
	bool sure = !it->last || !l->open;
	struct quantity q;
	struct scan sc;
	uint64_t ms;
	char text[64];

	if (!fio_item_text(it, text, sizeof(text)))
		return false;
	sc.p = text;
	if (str_equal(it->key, "runt")) {
		if (!take_milliseconds(&sc, &ms) || !scan_end(&sc))
			return false;
		keep_runtime(r, ms, l->first);
	} else if (str_equal(it->key, "iops")) {
		if (!scan_thousands(&sc, &q) || !scan_end(&sc) || !sure)
			return false;
		keep(&r->iops, &q);
	} else if (str_equal(it->key, "bw")) {
		if (!scan_size(&sc, FIO_ERA_2, &q) || !scan_text(&sc, "/s") ||
		    !scan_end(&sc))
			return false;
		keep(&r->bw, &q);
	} else if (str_equal(it->key, "io")) {
		if (!scan_size(&sc, FIO_ERA_2, &q) || !scan_end(&sc) || !sure)
			return false;
		keep(&r->io, &q);
	} else {
		return false;
	}
	return true;
}

void fio_read_io2(struct fio *f, const struct fio_line *l)
{
	struct scan sc = { l->text };
	enum fio_direction direction;
	struct fio_item it;
	struct fio_run *r;
	bool good = true;

	if (!take_direction(&sc, &direction))
		return;
	r = fio_new_run(f, direction, l->first);
	if (!r)
		return;
	r->era = FIO_ERA_2;
	while (fio_next_item(&sc, &it)) {
		if (take_io2(r, l, &it))
			continue;
		fio_note_damaged(f, l, it.key, it.value, it.len);
		good = false;
	}
	fio_claim_read(f, l, good);
}

/* "(53.2MiB/1001msec)": the last parenthesis of the line that ends so */
static bool take_io3_total(const char *s, struct quantity *ret_io, uint64_t *ret_ms)
{
	const char *end = strstr(s, "msec)"), *open = NULL;
	struct scan sc;

	for (const char *p = s; end && p < end; p++) {
		if (*p == '(')
			open = p;
	}
	if (!open)
		return false;
	sc.p = open + 1;
	return scan_size(&sc, FIO_ERA_3, ret_io) && scan_text(&sc, "/") &&
	       take_milliseconds(&sc, ret_ms) && scan_text(&sc, ")");
}

void fio_read_io3(struct fio *f, const struct fio_line *l)
{
	struct scan sc = { l->text };
	enum fio_direction direction;
	const char *bw = strstr(l->text, "BW=");
	struct quantity q;
	struct fio_run *r;
	uint64_t ms;
	bool good;

	if (!take_direction(&sc, &direction))
		return;
	r = fio_new_run(f, direction, l->first);
	if (!r)
		return;
	r->era = FIO_ERA_3;
	good = scan_text(&sc, "IOPS=") && scan_thousands(&sc, &q) && scan_text(&sc, ",");
	if (good)
		keep(&r->iops, &q);
	sc.p = bw ? bw + strlen("BW=") : "";
	if (scan_size(&sc, FIO_ERA_3, &q) && scan_text(&sc, "/s"))
		keep(&r->bw, &q);
	else
		good = false;
	if (take_io3_total(l->text, &q, &ms)) {
		keep(&r->io, &q);
		keep_runtime(r, ms, l->first);
	} else {
		good = false;
	}
	if (!good)
		fio_note(f, l->first,
			 "the line of a direction cannot be read whole: what is "
			 "damaged in it is left out");
	fio_claim_read(f, l, good);
}

/* ---- latencies ----------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	struct fio_field fields[4];
} latencies[] = {
	{ "slat",
	  { { "min", FIO_FORM_TIME, FACT_READ_SLAT_MIN },
	    { "max", FIO_FORM_TIME, FACT_READ_SLAT_MAX },
	    { "avg", FIO_FORM_FLOAT, FACT_READ_SLAT_MEAN },
	    { "stdev", FIO_FORM_FLOAT, FACT_READ_SLAT_STDDEV } } },
	{ "clat",
	  { { "min", FIO_FORM_TIME, FACT_READ_CLAT_MIN },
	    { "max", FIO_FORM_TIME, FACT_READ_CLAT_MAX },
	    { "avg", FIO_FORM_FLOAT, FACT_READ_CLAT_MEAN },
	    { "stdev", FIO_FORM_FLOAT, FACT_READ_CLAT_STDDEV } } },
	{ "lat",
	  { { "min", FIO_FORM_TIME, FACT_READ_LAT_MIN },
	    { "max", FIO_FORM_TIME, FACT_READ_LAT_MAX },
	    { "avg", FIO_FORM_FLOAT, FACT_READ_LAT_MEAN },
	    { "stdev", FIO_FORM_FLOAT, FACT_READ_LAT_STDDEV } } },
};

/* "slat (usec):": which, and its unit */
static bool take_latency_head(struct scan *sc, size_t *ret_which, uint64_t *ret_ns)
{
	for (size_t i = 0; i < array_size(latencies); i++) {
		struct scan s = *sc;

		if (!scan_text(&s, latencies[i].name) || !scan_text(&s, "(") ||
		    !scan_time_unit(&s, ret_ns) || !scan_text(&s, ")") ||
		    !scan_text(&s, ":"))
			continue;
		*sc = s;
		*ret_which = i;
		return true;
	}
	return false;
}

void fio_read_latency(struct fio *f, const struct fio_line *l)
{
	struct fio_run *r;
	struct scan sc = { l->text };
	size_t which;
	uint64_t unit;

	if (!take_latency_head(&sc, &which, &unit)) {
		fio_note_damaged(f, l, "", l->text, strlen(l->text));
		fio_claim_read(f, l, false);
		return;
	}
	/* the same line twice in one part: the head of the next part was lost */
	if (f->run && f->lat_seen & 1u << which)
		f->run = 0;
	r = run(f);
	if (!r) {
		fio_note_orphan(f, l);
		return;
	}
	f->lat_seen |= 1u << which;
	fio_claim_read(f, l,
		       fio_take_items(f, l, sc.p, latencies[which].fields,
				      array_size(latencies[which].fields), unit,
				      &r->values));
}

/* ---- percentiles ---------------------------------------------------------------------------------------- */

void fio_read_percentile_head(struct fio *f, const struct fio_line *l)
{
	const char *p = strstr(l->text, "percentiles (");
	struct fio_run *r = run(f);
	struct scan sc = { l->text };
	bool clat, lat;
	uint64_t unit;

	f->percentile_ns = 0;
	f->percentile_key = 0;
	clat = scan_text(&sc, "clat ") && sc.p == p;
	sc.p = l->text;
	lat = scan_text(&sc, "lat ") && sc.p == p;
	sc.p = p ? p + strlen("percentiles (") : "";
	if ((!clat && !lat) || !r) { /* of slat, fsync, a priority: not kept */
		fio_claim(f, l, LINE_KNOWN);
		return;
	}
	if (!scan_time_unit(&sc, &unit) || !scan_text(&sc, "):")) {
		fio_note_damaged(f, l, "", l->text, strlen(l->text));
		fio_claim_read(f, l, false);
		return;
	}
	/* one table a run is kept: the first, clat when there are both */
	if (!fio_get(&r->values, FACT_READ_PCT_KIND, 0)) {
		f->percentile_ns = unit;
		fio_set(f, &r->values,
			(struct fio_value){ .id = FACT_READ_PCT_KIND,
					    .text = clat ? "clat" : "lat",
					    .line = l->first });
	}
	fio_claim_read(f, l, true);
}

/*
 * The end of fio's scale: the middle of the last bucket. What was longer is printed so too, so
 * the percentile is "at least" that. 19 groups of 64 in microseconds before 2.99, 29 in ns since.
 */
bool fio_is_beyond_scale(const struct fio_run *r, uint64_t ns)
{
	return ns >= (r->era == FIO_ERA_2 ? 16711680000u : 17112760320u);
}

/* "99.50th=[17280]" */
static bool take_percentile(struct scan *sc, uint64_t unit, uint32_t *ret_key,
			    uint64_t *ret_ns)
{
	struct scan s = *sc, end;
	struct decimal d;
	uint64_t v, key;

	if (!scan_decimal(&s, &d) || !scan_text(&s, "th") || !scan_text(&s, "=") ||
	    !scan_text(&s, "[") || !scan_u64(&s, &v) || *s.p++ != ']')
		return false;
	end = s;
	if (!scan_text(&end, ",") && !scan_end(&end))
		return false;
	while (d.places > 3 && d.mantissa % 10 == 0) {
		d.mantissa /= 10;
		d.places--;
	}
	if (d.places < 2 || d.places > 3 || !decimal_scale(d, 1000, &key) || !key ||
	    key > 100000 || !muldiv_round(v, unit, 1, ret_ns))
		return false;
	*sc = s;
	*ret_key = (uint32_t)key;
	return true;
}

void fio_read_percentile_row(struct fio *f, const struct fio_line *l)
{
	struct fio_run *r = run(f);
	struct scan sc = { l->text };
	bool good = true;

	if (!f->percentile_ns || !r) {
		fio_claim(f, l, LINE_KNOWN);
		return;
	}
	while (scan_text(&sc, "|") || scan_text(&sc, ","))
		;
	while (!scan_end(&sc)) {
		const char *from = sc.p;
		uint32_t key;
		uint64_t ns;

		if (!take_percentile(&sc, f->percentile_ns, &key, &ns) ||
		    key <= f->percentile_key) {
			sc.p += strcspn(sc.p, ",");
			fio_note_damaged(f, l, "", from, (size_t)(sc.p - from));
			good = false;
		} else if (fio_is_beyond_scale(r, ns)) {
			fio_note(f, l->first,
				 "percentile %u.%03u lies beyond the end of fio's scale: "
				 "left out",
				 key / 1000, key % 1000);
		} else {
			fio_set_u64(f, &r->values, FACT_READ_PERCENTILE, key, ns,
				    l->first);
			f->percentile_key = key;
		}
		while (scan_text(&sc, ","))
			;
	}
	fio_claim_read(f, l, good);
}

/* ---- sampled bandwidth -------------------------------------------------------------------------------------- */

/* "bw (KB  /s):", "bw (  KiB/s):" in bytes a second; false for bits */
static bool take_bandwidth_unit(struct scan *sc, uint64_t *ret)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} units[] = {
		{ "KiB", 1024 }, { "KB", 1024 },      { "kB", 1000 },
		{ "B", 1 },	 { "MiB", 1u << 20 }, { "MB", 1u << 20 },
	};

	for (size_t i = 0; i < array_size(units); i++) {
		struct scan s = *sc;

		if (!scan_text(&s, "bw (") || !scan_text(&s, units[i].text) ||
		    !scan_text(&s, "/s") || !scan_text(&s, ")") || !scan_text(&s, ":"))
			continue;
		*sc = s;
		*ret = units[i].bytes;
		return true;
	}
	return false;
}

void fio_read_bandwidth(struct fio *f, const struct fio_line *l)
{
	static const struct fio_field fields[] = {
		{ "min", FIO_FORM_COUNT, FACT_READ_BW_MIN },
		{ "max", FIO_FORM_COUNT, FACT_READ_BW_MAX },
		{ "avg", FIO_FORM_FLOAT, FACT_READ_BW_MEAN },
		{ "stdev", FIO_FORM_FLOAT, FACT_READ_BW_STDDEV },
		{ "per", FIO_FORM_IGNORED, FACT_COUNT },
		{ "samples", FIO_FORM_IGNORED, FACT_COUNT },
	};
	struct fio_run *r = run(f);
	struct scan sc = { l->text };
	uint64_t unit;

	if (!r) {
		fio_note_orphan(f, l);
		return;
	}
	if (!take_bandwidth_unit(&sc, &unit)) {
		fio_claim(f, l, LINE_KNOWN);
		return;
	}
	fio_claim_read(
		f, l,
		fio_take_items(f, l, sc.p, fields, array_size(fields), unit, &r->values));
}
