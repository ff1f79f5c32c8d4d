/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The diagnosis for a person: one screen a drive, the answer first. */
#include "render/text.h"

#include "base/str.h"

#include "render/formats.h"

const struct text_limits text_screen = {
	.evidence = 6,
	.against = 3,
	.also = 4,
	.next = 6,
	.counters = 12,
	.ignored = 4,
	.missing = 6,
	.reads = 4,
	.messages = 3,
};

const struct text_limits text_brief = {
	.brief = true,
	.evidence = 3,
	.against = 2,
	.also = 3,
	.next = 3,
	.counters = 6,
	.ignored = 2,
	.missing = 3,
	.reads = 2,
	.messages = 3,
};

static const struct text_limits text_summary = {
	.summary = true,
	.brief = true,
	.evidence = 3,
	.against = 2,
	.also = 3,
	.next = 3,
	.messages = SIZE_MAX,
};

const struct text_limits text_all = {
	.everything = true,
	.evidence = SIZE_MAX,
	.against = SIZE_MAX,
	.also = SIZE_MAX,
	.next = SIZE_MAX,
	.counters = SIZE_MAX,
	.ignored = SIZE_MAX,
	.missing = SIZE_MAX,
	.reads = SIZE_MAX,
	.messages = SIZE_MAX,
};

/* When data is at risk the steps come before the reasons. */
static bool steps_first(const struct finding *f, size_t n)
{
	return n && f->severity == SEVERITY_CRITICAL;
}

static void write_findings(struct sheet *s, const struct finding *f, size_t n,
			   const struct text_limits *l)
{
	if (!n)
		return;
	sheet_gap(s);
	text_verdict(s, f);
	sheet_gap(s);
	if (steps_first(f, n))
		text_next(s, f, l);
	text_reasons(s, f, l);
	text_others(s, f + 1, n - 1, l);
}

static const struct finding *verdict_of(const struct drive_report *d)
{
	return d->n_findings ? &d->findings[0] : NULL;
}

/* Whoever asks how fast something reads need not be told what its drive did not say. */
static void write_probe(struct sheet *s, const struct drive_report *d,
			const struct text_limits *l)
{
	const struct finding *f = verdict_of(d);
	bool found = f && f->severity != SEVERITY_OK && f->severity != SEVERITY_UNKNOWN;

	text_probe_head(s, d->drive);
	if (found)
		write_findings(s, d->findings, d->n_findings, l);
	else
		text_probe_fine(s, d->drive);
	text_reads(s, d->drive, l);
	if (found && !steps_first(d->findings, d->n_findings))
		text_next(s, d->findings, l);
	sheet_gap(s);
	sheet_item(s, "Not tested", "writes, and the link from host to drive");
	if (l->everything)
		text_show(s, d, l->explain);
}

static void write_drive(struct sheet *s, const struct drive_report *d,
			const struct text_limits *l, const struct drive_report *before)
{
	const struct finding *f = verdict_of(d);
	bool fine = f && f->severity == SEVERITY_OK;

	if (l->probe) {
		write_probe(s, d, l);
		return;
	}
	text_identity(s, d->drive);
	if (l->brief && fine) {
		/* of a drive among many it is enough to know that nothing was found */
		sheet_gap(s);
		text_verdict(s, f);
		sheet_gap(s);
		text_others(s, f + 1, d->n_findings - 1, l);
		text_coverage(s, d, l, before);
		return;
	}
	write_findings(s, d->findings, d->n_findings, l);
	text_path(s, d->drive);
	text_link(s, d->drive, &d->phy, l);
	text_events(s, d->drive, l);
	text_vitals(s, d->drive);
	text_reads(s, d->drive, l);
	if (d->n_findings && !steps_first(d->findings, d->n_findings))
		text_next(s, d->findings, l);
	text_coverage(s, d, l, before);
	if (l->everything)
		text_show(s, d, l->explain);
}

/* With several drives: one line each first, so that the bad one is seen at once. */
static void write_summary(struct sheet *s, const struct report *r)
{
	sheet_begin(s, 0, 2);
	sheet_raw(s, STYLE_BOLD, "%zu drive%s", r->n_drives, r->n_drives > 1 ? "s" : "");
	sheet_end(s);
	for (size_t i = 0; i < r->n_drives; i++) {
		const struct finding *f = verdict_of(&r->drives[i]);
		const char *device = drive_text(r->drives[i].drive, FACT_DEVICE, 0, 0);
		const char *model = drive_text(r->drives[i].drive, FACT_MODEL, 0, 0);
		enum severity severity = f ? f->severity : SEVERITY_UNKNOWN;

		sheet_begin(s, 2, 8);
		sheet_raw(s, text_severity_style(severity), "%s",
			  text_severity_mark(severity));
		sheet_raw(s, STYLE_PLAIN, " %*zu. ", r->n_drives > 9 ? 2 : 1, i + 1);
		if (device) {
			sheet_text(s, STYLE_PLAIN, device);
			sheet_spaces(s, 1);
		}
		sheet_text(s, STYLE_PLAIN, model ? model : "unknown drive");
		if (f)
			sheet_raw(s, STYLE_PLAIN, ": %s", code_title(f->code));
		sheet_end(s);
	}
}

static void write_message(struct sheet *s, const struct diag_message *m, bool whole)
{
	whole = whole || m->severity != DIAG_NOTE;
	sheet_begin(s, 0, 2);
	if (m->file) {
		sheet_text(s, STYLE_PLAIN, whole ? m->file : sheet_base_name(m->file));
		if (m->line)
			sheet_raw(s, STYLE_PLAIN, ":%llu", (unsigned long long)m->line);
		if (m->has_byte)
			sheet_raw(s, STYLE_PLAIN, ", byte %llu",
				  (unsigned long long)m->byte);
		sheet_raw(s, STYLE_PLAIN, ": ");
	}
	if (m->severity != DIAG_NOTE)
		sheet_raw(s, STYLE_PLAIN, "%s: ", diag_severity_name(m->severity));
	sheet_text(s, STYLE_PLAIN, m->text);
	if (whole)
		sheet_end(s);
	else
		sheet_end_cut(s);
}

static size_t write_severity(struct sheet *s, const struct diag *d,
			     enum diag_severity severity, size_t max)
{
	size_t shown = 0;

	for (size_t i = 0; i < d->n && shown < max; i++) {
		if (d->items[i].severity != severity)
			continue;
		write_message(s, &d->items[i], max == SIZE_MAX);
		shown++;
	}
	return shown;
}

/* Errors before warnings before notes, of which one is enough: the answer is what matters. */
static void write_messages(struct sheet *s, const struct diag *d, size_t max)
{
	size_t shown;

	if (d->n)
		sheet_gap(s);
	shown = write_severity(s, d, DIAG_ERROR, max);
	shown += write_severity(s, d, DIAG_WARNING, max);
	shown += write_severity(s, d, DIAG_NOTE, max == SIZE_MAX ? max : 1);
	if (d->n + d->dropped > shown) {
		sheet_begin(s, 0, 2);
		sheet_raw(s, STYLE_DIM, "... and %zu more messages (--json has all)",
			  d->n + d->dropped - shown);
		sheet_end(s);
	}
}

static void write_host(struct sheet *s, const struct report *r,
		       const struct text_limits *l)
{
	if (!r->n_host_findings && !text_host_says(&r->the_case->host))
		return;
	if (r->n_drives) {
		sheet_gap(s);
		sheet_begin(s, 0, 2);
		sheet_raw(s, STYLE_BOLD, "The host");
		sheet_end(s);
	}
	write_findings(s, r->host_findings, r->n_host_findings, l);
	text_host(s, &r->the_case->host, l, r->n_host_findings > 0);
	if (r->n_host_findings && !steps_first(r->host_findings, r->n_host_findings))
		text_next(s, r->host_findings, l);
}

static const char *file_of(const struct drive *d)
{
	for (size_t i = 1; i < d->n_snapshots; i++)
		if (!str_equal(d->snapshots[i].file, d->snapshots[0].file))
			return NULL;
	return d->n_snapshots ? d->snapshots[0].file : NULL;
}

static bool are_of_one_file(const struct report *r)
{
	for (size_t i = 1; i < r->n_drives; i++)
		if (!str_equal(file_of(r->drives[i].drive), file_of(r->drives[0].drive)))
			return false;
	return true;
}

/* Between drives: which one this is, and which file it is of when there are several. */
static void write_heading(struct sheet *s, const struct report *r, size_t i,
			  bool name_file)
{
	const char *file = name_file ? file_of(r->drives[i].drive) : NULL;

	sheet_gap(s);
	sheet_begin(s, 0, 2);
	sheet_raw(s, STYLE_BOLD, "--- %zu of %zu", i + 1, r->n_drives);
	if (file) {
		sheet_raw(s, STYLE_BOLD, ": ");
		sheet_text(s, STYLE_BOLD, sheet_base_name(file));
	}
	sheet_raw(s, STYLE_BOLD, " ---");
	sheet_end(s);
	s->file = file;
}

static void write_drives(struct sheet *s, const struct report *r,
			 const struct text_limits *l)
{
	bool name_file = !are_of_one_file(r);

	if (r->n_drives > 1 || l->summary)
		write_summary(s, r);
	for (size_t i = 0; i < r->n_drives && !l->summary; i++) {
		if (r->n_drives > 1)
			write_heading(s, r, i, name_file);
		write_drive(s, &r->drives[i], l, i ? &r->drives[i - 1] : NULL);
	}
	s->file = NULL;
}

/* The answer comes first, and sometimes it is not about a drive. */
static bool is_host_first(const struct report *r)
{
	if (!r->n_host_findings)
		return false;
	for (size_t i = 0; i < r->n_drives; i++) {
		const struct finding *f = verdict_of(&r->drives[i]);

		if (f && f->severity >= r->host_findings[0].severity)
			return false;
	}
	return true;
}

int text_write(const struct report *r, const struct diag *d,
	       const struct render_options *o, struct buf *ret)
{
	bool host_first = is_host_first(r);
	struct text_limits all = text_all, only;
	const struct text_limits *limits = o->summary && !o->verbose	  ? &text_summary
					   : o->verbose			  ? &all
					   : r->n_drives + host_first > 1 ? &text_brief
									  : &text_screen;
	struct sheet s;

	all.explain = o->explain;
	if (o->probe) {
		only = *limits;
		only.probe = true;
		limits = &only;
	}
	sheet_init(&s, o, ret);
	if (host_first) {
		write_host(&s, r, o->verbose ? &all : &text_screen);
		sheet_gap(&s);
	}
	write_drives(&s, r, limits);
	if (!host_first)
		write_host(&s, r, limits);
	write_messages(&s, d, limits->messages);
	sheet_done(&s);
	return buf_error(ret);
}
