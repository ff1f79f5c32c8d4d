/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Findings on the screen: said in words and in shape, so that colour only helps. */
#include <string.h>

#include "base/str.h"
#include "render/text.h"

static const struct {
	const char *mark, *word;
	enum style style;
} severities[] = {
	[SEVERITY_OK] = { "[ok] ", "OK", STYLE_GOOD },
	[SEVERITY_NOTE] = { "[ i ]", "NOTE", STYLE_NOTE },
	[SEVERITY_UNKNOWN] = { "[ ? ]", "UNKNOWN", STYLE_NOTE },
	[SEVERITY_WARNING] = { "[ ! ]", "WARNING", STYLE_WARNING },
	[SEVERITY_CRITICAL] = { "[!!!]", "CRITICAL", STYLE_CRITICAL },
};

/* fact_clock_name() in the words of somebody who asks "when was that?" */
static const char *const clock_words[] = {
	[CLOCK_LIFETIME] = "lifetime",
	[CLOCK_POWER_ON] = "since power-on",
	[CLOCK_HOST_BOOT] = "since boot",
	[CLOCK_NOW] = "now",
	[CLOCK_NO_CLOCK] = "",
};

enum style text_severity_style(enum severity severity)
{
	return severities[severity].style;
}

const char *text_severity_mark(enum severity severity)
{
	return severities[severity].mark;
}

void text_rest(struct sheet *s, size_t n, size_t max)
{
	if (n <= max)
		return;
	sheet_label(s, "");
	sheet_raw(s, STYLE_DIM, "... and %zu more (-v shows all)", n - max);
	sheet_end(s);
}

/* "M01, confidence: certain"; a confidence that says "cannot tell" says no more than Z01 does */
static void add_code(struct sheet *s, const struct finding *f)
{
	if (f->confidence == CONFIDENCE_CANNOT_TELL)
		sheet_raw(s, STYLE_PLAIN, " (%s)", code_name(f->code));
	else
		sheet_raw(s, STYLE_PLAIN,
			  " (%s," SHEET_GLUE "confidence:" SHEET_GLUE "%s)",
			  code_name(f->code), confidence_name(f->confidence));
}

void text_verdict(struct sheet *s, const struct finding *f)
{
	sheet_begin(s, 2, 8);
	sheet_raw(s, severities[f->severity].style, "%s %s: %s",
		  severities[f->severity].mark, severities[f->severity].word,
		  code_title(f->code));
	add_code(s, f);
	sheet_end(s);
	if (f->headline) {
		sheet_begin(s, 8, 8);
		sheet_text(s, STYLE_PLAIN, f->headline);
		sheet_end(s);
	}
}

/* Of a file the name is enough; "database db/x.hwdb:1" is more than a path. */
static void add_place(struct sheet *s, const char *source)
{
	const char *line = s->file ? str_after(source, s->file) : NULL;

	if (line && *line == ':') {
		sheet_raw(s, STYLE_DIM, "line ");
		sheet_text(s, STYLE_DIM, line + 1);
		return;
	}
	sheet_text(s, STYLE_DIM, strchr(source, ' ') ? source : sheet_base_name(source));
}

static void add_source(struct sheet *s, const struct evidence *e)
{
	const char *clock = clock_words[e->clock];
	bool source = e->source && e->source[0];

	if (!source && !clock[0])
		return;
	sheet_raw(s, STYLE_DIM, " (");
	if (source)
		add_place(s, e->source);
	if (source && clock[0])
		sheet_raw(s, STYLE_DIM, "; ");
	sheet_raw(s, STYLE_DIM, "%s)", clock);
}

static void write_evidence(struct sheet *s, const char *label, const char *mark,
			   const struct evidence_list *list, size_t max)
{
	for (size_t i = 0; i < list->n && i < max; i++) {
		sheet_label(s, i ? "" : label);
		s->hang = SHEET_HANG + 2;
		sheet_raw(s, STYLE_PLAIN, "%s" SHEET_GLUE, mark);
		sheet_text(s, STYLE_PLAIN, list->items[i].text);
		add_source(s, &list->items[i]);
		sheet_end(s);
	}
	text_rest(s, list->n, max);
}

void text_reasons(struct sheet *s, const struct finding *f, const struct text_limits *l)
{
	if (f->where) {
		sheet_label(s, "Where");
		sheet_text(s, STYLE_PLAIN, f->where);
		if (f->where_confidence != CONFIDENCE_CANNOT_TELL)
			sheet_raw(s, STYLE_DIM, " (confidence: %s)",
				  confidence_name(f->where_confidence));
		sheet_end(s);
	}
	write_evidence(s, "Evidence", "+", &f->evidence, l->evidence);
	write_evidence(s, "Against", "-", &f->against, l->against);
}

/* The rival of the verdict, and the step that tells the two apart. */
static void write_rival(struct sheet *s, const struct finding *f)
{
	sheet_label(s, "Or else");
	sheet_raw(s, STYLE_PLAIN, "%s", code_title(f->code));
	add_code(s, f);
	if (f->next.n) {
		sheet_raw(s, STYLE_PLAIN, "; to tell: ");
		sheet_text(s, STYLE_PLAIN, f->next.items[0]);
	} else if (f->headline) {
		sheet_raw(s, STYLE_PLAIN, ": ");
		sheet_text(s, STYLE_PLAIN, f->headline);
	}
	sheet_end(s);
}

static void write_other(struct sheet *s, const struct finding *f, bool first)
{
	sheet_label(s, first ? "Also" : "");
	sheet_raw(s, severities[f->severity].style, "%s", severities[f->severity].mark);
	sheet_raw(s, STYLE_PLAIN, " %s %s", code_name(f->code), code_title(f->code));
	if (f->headline) {
		sheet_raw(s, STYLE_PLAIN, ": ");
		sheet_text(s, STYLE_PLAIN, f->headline);
	}
	s->hang = SHEET_HANG + 6;
	sheet_end(s);
}

void text_others(struct sheet *s, const struct finding *f, size_t n,
		 const struct text_limits *l)
{
	size_t others = 0;

	for (size_t i = 0; i < n; i++)
		if (f[i].runner_up)
			write_rival(s, &f[i]);
	for (size_t i = 0; i < n; i++) {
		if (f[i].runner_up)
			continue;
		if (others < l->also)
			write_other(s, &f[i], others == 0);
		others++;
	}
	text_rest(s, others, l->also);
}

void text_next(struct sheet *s, const struct finding *f, const struct text_limits *l)
{
	sheet_gap(s);
	for (size_t i = 0; i < f->next.n && i < l->next; i++) {
		sheet_label(s, i ? "" : "Do next");
		s->hang = SHEET_HANG + 3;
		sheet_raw(s, STYLE_PLAIN, "%zu." SHEET_GLUE, i + 1);
		sheet_text(s, STYLE_PLAIN, f->next.items[i]);
		sheet_end(s);
	}
	text_rest(s, f->next.n, l->next);
	sheet_gap(s);
}
