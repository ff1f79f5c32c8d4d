/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "What the desktop will tell you": libatasmart's answers from the same pages, beside ours, and why
 * they differ. Its ways are known from its published source (atasmart.c, version 0.19).
 */
#include <string.h>

#include "base/str.h"
#include "render/text-show.h"
#include "render/units.h"

/* What its words mean; it looks at thresholds, and at attributes 5 and 197. */
static const struct {
	const char *word, *means;
	enum severity severity;
} overalls[] = {
	{ "GOOD", "no threshold is passed, and 5 and 197 are 0", SEVERITY_OK },
	{ "BAD_ATTRIBUTE_IN_THE_PAST", "some attribute once was at its threshold",
	  SEVERITY_NOTE },
	{ "BAD_SECTOR", "attributes 5 and 197 are not both 0", SEVERITY_NOTE },
	{ "BAD_ATTRIBUTE_NOW", "some attribute is at its threshold", SEVERITY_WARNING },
	{ "BAD_SECTOR_MANY",
	  "attributes 5 and 197 are more than the size of the drive allows",
	  SEVERITY_WARNING },
	{ "BAD_STATUS", "the drive itself says that it is failing", SEVERITY_CRITICAL },
};

static void begin(struct sheet *s, const char *what)
{
	sheet_begin(s, 2, 17);
	show_cell(s, what, 14, false);
}

static void write_why(struct sheet *s, const char *why)
{
	if (why)
		sheet_raw(s, STYLE_DIM, ": %s", why);
	sheet_end(s);
}

/* Neither is wrong where the reason is that they look at different things. */
static const char *why_overall(const struct drive_report *r, size_t word)
{
	const struct finding *f = r->n_findings ? &r->findings[0] : NULL;
	bool theirs = overalls[word].severity >= SEVERITY_WARNING,
	     ours = f && f->severity >= SEVERITY_WARNING;

	if (!f || f->severity == SEVERITY_UNKNOWN)
		return "here it is not enough to tell, which it never says";
	if (ours && !theirs)
		return "it does not look at the link, at the logs, at statistics or "
		       "speed";
	if (theirs && !ours)
		return "it takes each raw value as a count, and knows no families";
	return NULL;
}

static void write_overall(struct sheet *s, const struct drive_report *r)
{
	const char *text = drive_text(r->drive, FACT_OPINION_OVERALL, 0, 0);
	const struct finding *f = r->n_findings ? &r->findings[0] : NULL;
	size_t i = 0;

	if (!text)
		return;
	while (i < array_size(overalls) && !str_equal(overalls[i].word, text))
		i++;
	begin(s, "overall");
	sheet_text(s, STYLE_PLAIN, text);
	if (i < array_size(overalls))
		sheet_raw(s, STYLE_PLAIN, " (%s)", overalls[i].means);
	sheet_raw(s, STYLE_PLAIN, "; here: %s", f ? code_title(f->code) : "not judged");
	write_why(s, i < array_size(overalls) ? why_overall(r, i) : NULL);
}

struct answer {
	const char *what;
	enum fact_id theirs, ours;
	int64_t slack; /* what rounding may differ by */
	const char *why;
};

static const struct answer answers[] = {
	{ "temperature", FACT_OPINION_TEMPERATURE, FACT_TEMPERATURE, 2,
	  "it takes the hottest of the attributes that it calls temperatures, by "
	  "number" },
	{ "power-on hours", FACT_OPINION_HOURS, FACT_POWER_ON_HOURS, 1,
	  "it takes the whole raw value of attribute 9, in a unit it knows for some "
	  "models" },
};

static int64_t number_of(const struct fact *f)
{
	if (fact_get_info(f->key.id)->type == FACT_S64)
		return f->s;
	return f->u > INT64_MAX ? INT64_MAX : (int64_t)f->u;
}

static void write_answer(struct sheet *s, const struct drive *d, const struct answer *a)
{
	const struct fact *theirs = drive_fact(d, a->theirs, 0, 0),
			  *ours = drive_fact(d, a->ours, 0, 0);
	struct buf text cleanup_buf = { 0 };
	int64_t n, m;

	if (!theirs)
		return;
	units_add_fact(&text, theirs);
	buf_puts(&text, "; here: ");
	if (ours)
		units_add_fact(&text, ours);
	else
		buf_puts(&text, "not known");
	begin(s, a->what);
	sheet_text(s, STYLE_PLAIN, buf_text(&text));
	sheet_check(s, &text);
	n = number_of(theirs);
	m = ours ? number_of(ours) : 0;
	write_why(s, !ours || n > m + a->slack || n < m - a->slack ? a->why : NULL);
}

static void write_bad(struct sheet *s, const struct drive *d)
{
	uint64_t bad, reallocated = 0, pending = 0;
	bool known;

	if (!drive_u64(d, FACT_OPINION_BAD, 0, 0, &bad))
		return;
	known = drive_u64(d, FACT_REALLOCATED, 0, 0, &reallocated);
	known |= drive_u64(d, FACT_PENDING, 0, 0, &pending);
	begin(s, "bad sectors");
	sheet_raw(s, STYLE_PLAIN, "%llu; here: ", (unsigned long long)bad);
	if (known)
		sheet_raw(s, STYLE_PLAIN, "%llu replaced, %llu pending",
			  (unsigned long long)reallocated, (unsigned long long)pending);
	else
		sheet_raw(s, STYLE_PLAIN, "not known");
	write_why(
		s,
		bad == reallocated + pending
			? NULL
			: "it adds the raw values of 5 and 197 as they stand, packed or "
			  "not");
}

void show_opinion(struct sheet *s, const struct drive_report *r)
{
	const struct drive *d = r->drive;

	if (!drive_text(d, FACT_OPINION_OVERALL, 0, 0) &&
	    !drive_fact(d, FACT_OPINION_TEMPERATURE, 0, 0) &&
	    !drive_fact(d, FACT_OPINION_BAD, 0, 0) &&
	    !drive_fact(d, FACT_OPINION_HOURS, 0, 0))
		return;
	show_heading(s, "What the desktop will tell you (libatasmart)");
	write_overall(s, r);
	write_bad(s, d);
	for (size_t i = 0; i < array_size(answers); i++)
		write_answer(s, d, &answers[i]);
}
