/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the read probe found, line by line in words; and the head of a report that is only that. */
#include <string.h>

#include "base/str.h"
#include "render/text.h"
#include "render/units.h"

static const char source[] = "drivewhy probe";

bool text_is_probe(const struct drive *d, uint32_t run)
{
	const char *title = drive_text(d, FACT_READ_TITLE, run, 0);

	/* jobs in fio's words are shown like any other's */
	return str_equal(drive_text(d, FACT_READ_SOURCE, run, 0), source) && title &&
	       (str_starts(title, "rand4k-") || str_starts(title, "seq128k-") ||
		str_starts(title, "zones"));
}

static bool number(const struct drive *d, enum fact_id id, uint32_t i, uint32_t j,
		   uint64_t *ret)
{
	return drive_u64(d, id, i, j, ret);
}

static void add_ns(struct sheet *s, const char *before, uint64_t ns)
{
	struct buf b cleanup_buf = { 0 };

	units_add_ns(&b, ns);
	sheet_check(s, &b);
	sheet_raw(s, STYLE_PLAIN, "%s%s", before, buf_text(&b));
}

static void add_bytes(struct sheet *s, const char *before, uint64_t bytes,
		      const char *after)
{
	struct buf b cleanup_buf = { 0 };

	units_add_bytes(&b, bytes);
	sheet_check(s, &b);
	sheet_raw(s, STYLE_PLAIN, "%s%s%s", before, buf_text(&b), after);
}

static void add_grouped(struct sheet *s, const char *before, uint64_t n,
			const char *after)
{
	struct buf b cleanup_buf = { 0 };

	str_add_grouped(&b, n);
	sheet_check(s, &b);
	sheet_raw(s, STYLE_PLAIN, "%s%s%s", before, buf_text(&b), after);
}

/* Labels are given once; what follows under one has none. */
struct part {
	struct sheet *s;
	const struct drive *d;
	bool begun;
};

static void begin(struct part *p)
{
	sheet_label(p->s, p->begun ? "" : "Reads");
	p->s->hang = SHEET_HANG + 2;
	p->begun = true;
}

/* ---- speed ---- */

static void add_latency(struct part *p, uint32_t run)
{
	uint64_t ns;

	if (number(p->d, FACT_READ_PERCENTILE, run, 50000, &ns))
		add_ns(p->s, "; median ", ns);
	if (number(p->d, FACT_READ_PERCENTILE, run, 99000, &ns))
		add_ns(p->s, ", 99" SHEET_GLUE "% within ", ns);
	if (number(p->d, FACT_READ_CLAT_MAX, run, 0, &ns))
		add_ns(p->s, ", longest ", ns);
}

static void add_memory(struct part *p, uint32_t run)
{
	if (drive_flag(p->d, FACT_READ_CACHED, run))
		sheet_raw(p->s, STYLE_WARNING,
			  "; from memory: not the speed of the drive");
	else if (!drive_flag(p->d, FACT_READ_DIRECT, run))
		sheet_raw(p->s, STYLE_WARNING,
			  "; through the page cache, maybe from memory");
}

static void write_random(struct part *p, uint32_t run, const char *what)
{
	uint64_t milli;

	if (!number(p->d, FACT_READ_IOPS, run, 0, &milli))
		return;
	begin(p);
	sheet_raw(p->s, STYLE_PLAIN, "%s:", what);
	add_grouped(p->s, " ", milli / 1000, " a second");
	add_latency(p, run);
	add_memory(p, run);
	sheet_end(p->s);
}

static void write_places(struct part *p)
{
	size_t n, shown = 0;
	const struct fact *rate = drive_facts(p->d, FACT_PLACE_RATE, &n);

	if (!n)
		return;
	begin(p);
	sheet_raw(p->s, STYLE_PLAIN, "in sequence, from the start to the end:");
	for (size_t i = 0; i < n; i++)
		if (!i || rate[i].key.i != rate[i - 1].key.i)
			add_bytes(p->s, shown++ ? ", " : " ", rate[i].u, "/s");
	for (size_t i = 0; i < n; i++)
		if (drive_flag(p->d, FACT_READ_CACHED, rate[i].key.i)) {
			add_memory(p, rate[i].key.i);
			break;
		}
	sheet_end(p->s);
}

static void write_zones(struct part *p, uint32_t kind)
{
	uint64_t measured, slow = 0, n = 0;

	if (!number(p->d, FACT_ZONES_MEASURED, kind, 0, &measured))
		return;
	(void)number(p->d, FACT_ZONES_SLOW, kind, 0, &slow);
	begin(p);
	sheet_raw(p->s, STYLE_PLAIN,
		  "map of %llu zones, reads of %s: ", (unsigned long long)measured,
		  kind ? "512 KiB" : "4 KiB");
	if (slow)
		sheet_raw(p->s, STYLE_WARNING, "%llu slower than the others",
			  (unsigned long long)slow);
	else
		sheet_raw(p->s, STYLE_PLAIN, "none stands out");
	if (number(p->d, FACT_ZONES_SLOPE, kind, 0, &n) && (n < 900 || n > 1100))
		sheet_raw(p->s, STYLE_PLAIN,
			  "; the last takes %llu.%02llu times the first",
			  (unsigned long long)(n / 1000),
			  (unsigned long long)(n % 1000 / 10));
	sheet_end(p->s);
}

/* ---- questions ---- */

static void write_pauses(struct part *p)
{
	size_t n;
	const struct fact *median = drive_facts(p->d, FACT_GAP_MEDIAN, &n);

	if (!n)
		return;
	begin(p);
	sheet_raw(p->s, STYLE_PLAIN, "median after a pause of");
	for (size_t i = 0; i < n; i++) {
		sheet_raw(p->s, STYLE_PLAIN, "%s %u ms:", i ? "," : "", median[i].key.i);
		add_ns(p->s, " ", median[i].u);
	}
	sheet_end(p->s);
}

/* "below 25.3 in 10^12 bits" */
static void add_rate(struct part *p, enum fact_id id, const char *before)
{
	uint64_t milli;

	if (number(p->d, id, 0, 0, &milli))
		sheet_raw(p->s, STYLE_PLAIN, "%s%llu.%llu", before,
			  (unsigned long long)(milli / 1000),
			  (unsigned long long)(milli % 1000 / 100));
}

static void write_burst(struct part *p)
{
	const char *from = drive_text(p->d, FACT_BURST_FROM, 0, 0);
	uint64_t bytes, rate = 0, errors;

	if (!number(p->d, FACT_BURST_BYTES, 0, 0, &bytes))
		return;
	(void)number(p->d, FACT_BURST_RATE, 0, 0, &rate);
	begin(p);
	add_bytes(p->s, "link loaded with ", bytes, "");
	add_bytes(p->s, " at ", rate, "/s");
	if (str_equal(from, "buffer"))
		sheet_raw(p->s, STYLE_PLAIN, " from the drive's buffer");
	if (!number(p->d, FACT_BURST_ERRORS, 0, 0, &errors)) {
		sheet_raw(p->s, STYLE_PLAIN,
			  "; the drive counts no errors that we may see");
	} else {
		sheet_raw(p->s, errors ? STYLE_WARNING : STYLE_PLAIN,
			  "; drive to host: %llu error%s", (unsigned long long)errors,
			  errors == 1 ? "" : "s");
		if (errors)
			add_rate(p, FACT_BURST_ERROR_LOW, ", more than ");
		add_rate(p, FACT_BURST_ERROR_HIGH, errors ? " and below " : ", below ");
		sheet_raw(p->s, STYLE_PLAIN, " in 10^12 bits at 95 %%");
	}
	sheet_raw(p->s, STYLE_PLAIN, "; host to drive: only commands, not tested");
	sheet_end(p->s);
}

/* ---- who else ---- */

static void write_users(struct part *p)
{
	size_t n;
	const struct fact *user = drive_facts(p->d, FACT_PROBE_USER, &n);

	for (size_t i = 0; i < n && i < 3; i++) {
		begin(p);
		sheet_raw(p->s, STYLE_PLAIN, "at work just before, on some drive: ");
		sheet_text(p->s, STYLE_PLAIN, user[i].text);
		sheet_end(p->s);
	}
}

static void write_alone(struct part *p)
{
	uint64_t reads, writes, ppm;

	if (drive_flag(p->d, FACT_PROBE_UNWATCHED, 0)) {
		begin(p);
		sheet_raw(p->s, STYLE_WARNING,
			  "nobody looked whether the drive was alone (--no-preflight)");
		sheet_end(p->s);
	}
	if (number(p->d, FACT_FOREIGN_READS, 0, 0, &reads) &&
	    number(p->d, FACT_FOREIGN_WRITES, 0, 0, &writes) &&
	    number(p->d, FACT_FOREIGN_SHARE, 0, 0, &ppm)) {
		begin(p);
		if (!reads && !writes)
			sheet_raw(p->s, STYLE_PLAIN,
				  "nobody else used the drive meanwhile");
		else
			sheet_raw(p->s, STYLE_PLAIN,
				  "others meanwhile: %llu read%s (%llu.%llu %% of all), "
				  "%llu write%s",
				  (unsigned long long)reads, str_plural(reads),
				  (unsigned long long)(ppm / 10000),
				  (unsigned long long)(ppm % 10000 / 1000),
				  (unsigned long long)writes, str_plural(writes));
		sheet_end(p->s);
	}
	write_users(p);
}

static void write_layers(struct part *p)
{
	size_t n;
	const struct fact *layer = drive_facts(p->d, FACT_PROBE_LAYER, &n);

	for (size_t i = 0; i < n; i++) {
		begin(p);
		sheet_raw(p->s, STYLE_PLAIN, "through ");
		sheet_text(p->s, STYLE_PLAIN, layer[i].text);
		sheet_end(p->s);
	}
}

static void write_blank(struct part *p, uint32_t run)
{
	uint64_t ppm, blank = 0, data;

	if (!number(p->d, FACT_READ_BLANK_SHARE, run, 0, &ppm) || ppm < 10000)
		return;
	(void)number(p->d, FACT_READ_BLANK_MEDIAN, run, 0, &blank);
	begin(p);
	sheet_raw(p->s, STYLE_PLAIN,
		  "%llu %% of these places hold zeroes only, maybe never written",
		  (unsigned long long)(ppm / 10000));
	add_ns(p->s, ": median ", blank);
	if (number(p->d, FACT_READ_DATA_MEDIAN, run, 0, &data))
		add_ns(p->s, ", of the others ", data);
	sheet_end(p->s);
}

/* ---- all of it ---- */

static bool find_run(const struct drive *d, const char *title, uint32_t *ret)
{
	size_t n;
	const struct fact *f = drive_facts(d, FACT_READ_TITLE, &n);

	for (size_t i = 0; i < n; i++)
		if (str_equal(f[i].text, title) && text_is_probe(d, f[i].key.i)) {
			*ret = f[i].key.i;
			return true;
		}
	return false;
}

void text_probe(struct sheet *s, const struct drive *d)
{
	struct part p = { .s = s, .d = d };
	uint32_t run;

	if (!drive_text(d, FACT_PROBE_TARGET, 0, 0))
		return;
	if (find_run(d, "rand4k-qd1", &run)) {
		write_random(&p, run, "4 KiB at random, one at a time");
		write_blank(&p, run);
	}
	if (find_run(d, "rand4k-qd32", &run))
		write_random(&p, run, "4 KiB at random, 32 at a time");
	write_places(&p);
	write_zones(&p, 0);
	write_zones(&p, 1);
	write_pauses(&p);
	write_burst(&p);
	write_layers(&p);
	write_alone(&p);
}

/* ---- a report that is only a probe ---- */

static void add_drive(struct sheet *s, const struct drive *d)
{
	const char *model = drive_text(d, FACT_MODEL, 0, 0);
	const char *device = drive_text(d, FACT_DEVICE, 0, 0);
	const char *bus = drive_text(d, FACT_BUS, 0, 0);
	uint64_t bytes;

	if (device) {
		sheet_raw(s, STYLE_PLAIN, " on ");
		sheet_text(s, STYLE_PLAIN, device);
	}
	if (model) {
		sheet_raw(s, STYLE_PLAIN, ", ");
		sheet_text(s, STYLE_PLAIN, model);
	}
	if (bus && !str_equal(bus, "other")) {
		sheet_raw(s, STYLE_PLAIN, ", ");
		sheet_text(s, STYLE_PLAIN, bus);
	}
	if (number(d, FACT_CAPACITY, 0, 0, &bytes))
		add_bytes(s, ", ", bytes, "");
}

void text_probe_head(struct sheet *s, const struct drive *d)
{
	const char *target = drive_text(d, FACT_PROBE_TARGET, 0, 0);

	sheet_begin(s, 0, 2);
	sheet_text(s, STYLE_BOLD, target ? target : "a drive");
	add_drive(s, d);
	sheet_end(s);
}

static void sum_up(const struct drive *d, uint64_t *ret_ios, uint64_t *ret_bytes,
		   uint64_t *ret_ms)
{
	size_t n;
	const struct fact *ios = drive_facts(d, FACT_READ_IOS, &n);

	*ret_ios = *ret_bytes = *ret_ms = 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t bytes = 0, ms = 0;

		(void)number(d, FACT_READ_BYTES, ios[i].key.i, 0, &bytes);
		(void)number(d, FACT_READ_RUNTIME, ios[i].key.i, 0, &ms);
		*ret_ios += ios[i].u;
		*ret_bytes += bytes;
		*ret_ms += ms;
	}
}

/* The first run's sequential test is the answer when no rule had one. */
void text_probe_fine(struct sheet *s, const struct drive *d)
{
	uint64_t ios, bytes, ms, limit = 0;
	const char *decision = drive_text(d, FACT_READ_DECISION, 0, 0);
	const char *refused = drive_text(d, FACT_PROBE_REFUSED, 0, 0);
	bool ok = str_equal(decision, "ok");

	sum_up(d, &ios, &bytes, &ms);
	sheet_gap(s);
	sheet_begin(s, 2, 8);
	sheet_raw(s, ok ? STYLE_GOOD : STYLE_PLAIN, "%s",
		  text_severity_mark(ok ? SEVERITY_OK : SEVERITY_UNKNOWN));
	sheet_raw(s, STYLE_BOLD, "%s",
		  refused			     ? " Not probed"
		  : ok				     ? " Nothing slow was found"
		  : str_equal(decision, "slow")	     ? " Some reads are slow"
		  : str_equal(decision, "undecided") ? " A few reads are slow, not many"
						     : " Too little was read to say");
	if (refused) {
		sheet_raw(s, STYLE_PLAIN, ": ");
		sheet_text(s, STYLE_PLAIN, refused);
	} else {
		if (!ok && number(d, FACT_READ_LIMIT, 0, 0, &limit))
			add_ns(s, " (above ", limit);
		if (!ok && limit)
			sheet_raw(s, STYLE_PLAIN, ")");
		add_grouped(s, " in ", ios, " reads");
		add_bytes(s, ", ", bytes, "");
		add_ns(s, ", ", ms * 1000000);
	}
	sheet_end(s);
	sheet_gap(s);
}
