/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings over time. One that is accepted is silent until it grows: a count of its family rises,
 * or it becomes more severe. One that is gone is healed only when what it rests on was looked at,
 * and it stayed away for most of a day: what comes and goes is not told twice a day.
 */
#include "history/findings.h"

#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "history/sentence.h"

#define HEAL_SECONDS (20 * 3600)

struct past_finding {
	enum code code;
	int64_t severity, confidence, first_run, last_run;
	const char *headline;
	bool open, was_open, accepted;
	bool reported;				       /* it is in the report, */
	bool found;				       /* and was compared with it */
	int64_t accepted_run, accepted_severity, told; /* told: seconds since 1970 */
};

struct past_findings {
	struct past_finding *items; /* stays where it is while a drive is compared */
	size_t n, cap;
};

static void load(struct history *h, struct arena *a, int64_t subject,
		 struct past_findings *ret)
{
	const enum sql_id q = SQL_FINDINGS;

	sql_start(h, q, "i", subject);
	while (sql_next(h, q)) {
		const char *code = sql_text(h, a, q, 0);
		struct past_finding f = { .severity = sql_int(h, q, 1),
					  .confidence = sql_int(h, q, 2),
					  .headline = sql_text(h, a, q, 3),
					  .first_run = sql_int(h, q, 4),
					  .last_run = sql_int(h, q, 5),
					  .open = sql_int(h, q, 6) != 0,
					  .was_open = sql_int(h, q, 6) != 0,
					  .accepted = !sql_is_null(h, q, 7),
					  .accepted_run = sql_int(h, q, 7),
					  .accepted_severity = sql_int(h, q, 8),
					  .told = sql_int(h, q, 9) },
				    *slot;

		/* a code that this version does not know stays as it is in the file */
		if (!code || code_from_name(code, &f.code) < 0)
			continue;
		slot = arena_push(a, &ret->items, &ret->n, &ret->cap, sizeof(*slot));
		if (slot)
			*slot = f;
		else
			sql_out_of_memory(h);
	}
}

static struct past_finding *find(struct past_findings *l, enum code code)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->items[i].code == code)
			return &l->items[i];
	return NULL;
}

static void store(struct teller *t, const struct past_finding *f)
{
	const char *letters = f->accepted ? "itiitiiiiii" : "itiitiiinni";

	if (f->accepted)
		sql_do(t->h, SQL_FINDING_SET, letters, t->in->who->id, code_name(f->code),
		       f->severity, f->confidence, f->headline, f->first_run, f->last_run,
		       (int64_t)f->open, f->accepted_run, f->accepted_severity, f->told);
	else
		sql_do(t->h, SQL_FINDING_SET, letters, t->in->who->id, code_name(f->code),
		       f->severity, f->confidence, f->headline, f->first_run, f->last_run,
		       (int64_t)f->open, f->told);
}

static void tell(struct teller *t, enum change_kind kind, enum severity severity,
		 enum code code, const char *text)
{
	changes_add(t->h, t->report,
		    (struct change){ .kind = kind,
				     .severity = severity,
				     .has_code = true,
				     .code = code,
				     .head = t->drive->head,
				     .text = text,
				     .drive = t->index },
		    t->in->who->id);
}

static bool has_grown(const struct teller *t, const struct past_finding *f,
		      enum severity severity)
{
	if ((int64_t)severity > f->accepted_severity)
		return true;
	for (size_t i = 0; i < t->n_grew; i++)
		if ((char)t->grew[i] == *code_name(f->code))
			return true;
	return false;
}

static bool same_family(enum code a, enum code b)
{
	return *code_name(a) == *code_name(b);
}

/* A mere note in place of trouble of the same kind, which is told to be over, is no news itself. */
static bool is_remainder(const struct teller *t, const struct past_finding *f)
{
	for (size_t i = 0; i < t->past->n; i++) {
		const struct past_finding *p = &t->past->items[i];

		if (f->severity <= SEVERITY_NOTE && p->was_open && !p->reported &&
		    p->severity >= f->severity && same_family(p->code, f->code))
			return true;
	}
	return false;
}

/* One that gave way to worse of the same kind is not healed. */
static bool is_outdone(const struct teller *t, const struct past_finding *f)
{
	for (size_t i = 0; i < t->past->n; i++) {
		const struct past_finding *p = &t->past->items[i];

		if (p != f && p->found && p->severity >= f->severity &&
		    same_family(p->code, f->code))
			return true;
	}
	return false;
}

/* What is found now beside what was known. Decides what is told, and updates F. */
static void compare(struct teller *t, struct past_finding *f, const struct finding *now)
{
	bool was_open = f->open, worse = was_open && (int64_t)now->severity > f->severity;
	const char *text = sentence_text(t->h, t->arena, "%s: %s", code_title(f->code),
					 now->headline ? now->headline : "");
	bool ignored =
		changes_is_ignored(t->rules, t->in->who, true, f->code, FACT_COUNT);

	f->found = f->open = true;
	f->severity = (int64_t)now->severity;
	f->confidence = (int64_t)now->confidence;
	f->headline = now->headline;
	f->last_run = t->h->run;
	if (!was_open) {
		f->first_run = t->h->run;
		f->accepted = false;
	}
	if (ignored)
		return;
	if (f->accepted && !has_grown(t, f, now->severity))
		return;
	if (!was_open && is_remainder(t, f)) {
		f->told = t->h->now;
		return;
	}
	if (f->accepted)
		tell(t, CHANGE_GREW, now->severity, f->code,
		     sentence_text(t->h, t->arena, "no longer as it was accepted: %s",
				   text));
	else if (!was_open)
		tell(t, CHANGE_FOUND, now->severity, f->code, text);
	else if (worse)
		tell(t, CHANGE_WORSE, now->severity, f->code,
		     sentence_text(t->h, t->arena, "worse now: %s", text));
	else if (t->rules->remind_days && now->severity >= SEVERITY_WARNING &&
		 t->h->now - f->told >= t->rules->remind_days * 86400)
		tell(t, CHANGE_REMIND, now->severity, f->code,
		     sentence_text(t->h, t->arena, "still: %s", text));
	else
		return;
	f->accepted = false;
	f->told = t->h->now;
}

static bool was_seen(const struct teller *t, enum kept_family family)
{
	for (size_t i = 0; i < t->in->values->n; i++) {
		const struct kept *k = kept_find(t->in->values->items[i].key.id);

		/* that the log is silent does not say that the drive is well */
		if (t->in->values->items[i].seen && k && !k->in_log &&
		    (family == FAMILY_NONE || k->family == family))
			return true;
	}
	return false;
}

/*
 * That a finding is not there means something only if what its rule needs, as a log that was not to be
 * had, and its counts were read.
 */
static bool can_tell(const struct teller *t, enum code code)
{
	char letter = *code_name(code);

	if (t->in->report && t->in->report->answers[code] == ANSWER_CANNOT_TELL)
		return false;
	if (letter == FAMILY_LINK || letter == FAMILY_MEDIA)
		return was_seen(t, letter == FAMILY_LINK ? FAMILY_LINK : FAMILY_MEDIA);
	return was_seen(t, FAMILY_NONE);
}

static void heal(struct teller *t, struct past_finding *f)
{
	int64_t last = sql_get(t->h, SQL_RUN_AT, 0, "i", f->last_run);

	/* HEAL_SECONDS of a clock that was set back never pass: then the next run decides */
	if (!f->open || f->found || !can_tell(t, f->code) ||
	    (t->h->now >= last && t->h->now - last < HEAL_SECONDS))
		return;
	f->open = f->accepted = false;
	if (!is_outdone(t, f) &&
	    !changes_is_ignored(t->rules, t->in->who, true, f->code, FACT_COUNT))
		tell(t, CHANGE_HEALED, SEVERITY_OK, f->code,
		     sentence_text(t->h, t->arena, "no more: %s", code_title(f->code)));
	store(t, f);
}

static void add_row(struct teller *t, const struct past_finding *f)
{
	struct check_finding *slot =
		arena_push(t->arena, &t->drive->findings, &t->drive->n_findings,
			   &t->drive->cap_findings, sizeof(*slot));
	bool ignored =
		changes_is_ignored(t->rules, t->in->who, true, f->code, FACT_COUNT);

	if (!slot) {
		sql_out_of_memory(t->h);
		return;
	}
	*slot = (struct check_finding){
		.code = f->code,
		.severity = (enum severity)f->severity,
		.confidence = (enum confidence)f->confidence,
		.headline = sentence_text(t->h, t->arena, "%s",
					  f->headline ? f->headline : ""),
		.acknowledged = f->accepted || ignored,
		.since = f->first_run == t->h->run
				 ? t->h->now
				 : sql_get(t->h, SQL_RUN_AT, 0, "i", f->first_run),
	};
	if (!slot->acknowledged && slot->severity > t->drive->severity)
		t->drive->severity = slot->severity;
}

static bool is_tracked(const struct finding *f)
{
	return !f->runner_up && f->severity != SEVERITY_OK;
}

static void note_reported(const struct drive_report *r, struct past_findings *past)
{
	for (size_t i = 0; r && i < r->n_findings; i++) {
		struct past_finding *f = find(past, r->findings[i].code);

		if (f && is_tracked(&r->findings[i]))
			f->reported = true;
	}
}

static void compare_all(struct teller *t, struct past_findings *past)
{
	const struct drive_report *r = t->in->report;

	note_reported(r, past);
	for (size_t i = 0; r && i < r->n_findings; i++) {
		struct past_finding *f;

		if (!is_tracked(&r->findings[i]))
			continue;
		f = find(past, r->findings[i].code);
		if (f && f->found)
			continue; /* the first of a code is the worst */
		if (!f)
			f = arena_push(t->arena, &past->items, &past->n, &past->cap,
				       sizeof(*f));
		if (!f) {
			sql_out_of_memory(t->h);
			return;
		}
		f->code = r->findings[i].code;
		compare(t, f, &r->findings[i]);
		store(t, f);
		add_row(t, f);
	}
	for (size_t i = 0; i < past->n; i++)
		heal(t, &past->items[i]);
}

void findings_compare(struct teller *t)
{
	struct past_findings *past = arena_alloc(t->arena, sizeof(*past));

	if (!past) {
		sql_out_of_memory(t->h);
		return;
	}
	load(t->h, t->arena, t->in->who->id, past);
	t->past = past;
	if (t->in->state == CHECK_READ) {
		compare_all(t, past);
		return;
	}
	/* a sleeping drive is as well as it was; one that cannot be read is not known to be */
	for (size_t i = 0; i < past->n; i++)
		if (past->items[i].open)
			add_row(t, &past->items[i]);
	if (t->in->state == CHECK_UNREADABLE && t->drive->severity < SEVERITY_UNKNOWN)
		t->drive->severity = SEVERITY_UNKNOWN;
}

/* --- what a person accepts ------------------------------------------------------------------------------ */

int changes_accept(struct history *h, int64_t drive, enum code code, bool accept)
{
	if (accept)
		sql_do(h, SQL_FINDING_ACK, "iti", drive, code_name(code), h->run);
	else
		sql_do(h, SQL_FINDING_UNACK, "it", drive, code_name(code));
	if (h->error)
		return h->error;
	return sqlite3_changes(h->db) ? 0 : -ENOENT;
}

void changes_open(struct history *h, struct arena *a, int64_t drive,
		  struct check_finding **ret, size_t *ret_n)
{
	struct past_findings past = { 0 };

	load(h, a, drive, &past);
	*ret_n = 0;
	*ret = arena_alloc(a, (past.n + 1) * sizeof(**ret));
	if (!*ret) {
		sql_out_of_memory(h);
		return;
	}
	for (size_t i = 0; i < past.n; i++) {
		const struct past_finding *f = &past.items[i];

		if (f->open)
			(*ret)[(*ret_n)++] = (struct check_finding){
				.code = f->code,
				.severity = (enum severity)f->severity,
				.confidence = (enum confidence)f->confidence,
				.headline = f->headline ? f->headline : "",
				.acknowledged = f->accepted,
				.since = sql_get(h, SQL_RUN_AT, 0, "i", f->first_run),
			};
	}
}
