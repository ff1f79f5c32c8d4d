/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "decode/decode.h"
#include "history/retain.h"
#include "judge/judge.h"

/* Rules that compare drives see this many together; comparing all with all has its price. */
#define CHUNK_DRIVES 100u

/* --- how a drive was met ---------------------------------------------------------------------------- */

static bool was_read(const struct drive *d)
{
	static const enum fact_id signs[] = { FACT_PHY_VALUE,	 FACT_ATTR_VALUE,
					      FACT_SMART_PASSED, FACT_POWER_ON_HOURS,
					      FACT_TEMPERATURE,	 FACT_REALLOCATED };

	for (size_t i = 0; i < array_size(signs); i++) {
		size_t n;

		if (drive_facts(d, signs[i], &n))
			return true;
	}
	return false;
}

static bool says_asleep(const struct drive *d)
{
	const char *mode = drive_text(d, FACT_POWER_MODE, 0, 0);
	const char *runtime = drive_text(d, FACT_RUNTIME_STATUS, 0, 0);

	return str_equal(mode, "STANDBY") || str_equal(mode, "STANDBY_Y") ||
	       str_equal(mode, "ACTIVE_NV_DOWN") || str_equal(runtime, "suspended");
}

static const struct live_drive *live_of(const struct session *s, size_t subject)
{
	for (size_t i = 0; i < s->live.n; i++)
		if (s->live.drives[i].subject == subject)
			return &s->live.drives[i];
	return NULL;
}

static enum check_state state_of(const struct check *c, const struct recalled *d)
{
	const struct live_drive *live = live_of(c->session, d->subject);
	const struct drive *drive = d->the_case.n_drives ? d->the_case.drives[0] : NULL;

	if (drive && was_read(drive))
		return CHECK_READ;
	if ((live && live->stats.asleep) || (drive && says_asleep(drive)))
		return CHECK_ASLEEP;
	return CHECK_UNREADABLE;
}

static enum check_log log_of(const struct capture *c)
{
	bool host = false;

	for (size_t i = 0; i < c->n_subjects; i++) {
		const struct cap_subject *s = &c->subjects[i];

		for (size_t k = 0; s->kind == CAP_HOST && k < s->n_snapshots; k++)
			for (size_t m = 0; m < s->snapshots[k].n_items; m++) {
				const struct cap_item *item = &s->snapshots[k].items[m];

				host |= str_starts(item->id, "kernel-log") &&
					item->status == CAP_OK;
			}
	}
	return host ? CHECK_LOG_READ : CHECK_LOG_MISSING;
}

/* --- judging ------------------------------------------------------------------------------------------ */

/*
 * A check reads four to six pages and looks at no log: that is too little for a diagnosis, and what
 * a check is for. With the attributes there, nothing found is nothing wrong.
 */
static void conclude_quickly(struct report *r)
{
	for (size_t i = 0; i < r->n_drives; i++) {
		struct drive_report *d = &r->drives[i];
		size_t n;

		if (d->n_findings != 1 || d->findings[0].code != CODE_Z01 ||
		    !drive_facts(d->drive, FACT_ATTR_VALUE, &n))
			continue;
		d->findings[0].code = CODE_Z00;
		d->findings[0].severity = SEVERITY_OK;
		d->findings[0].confidence = CONFIDENCE_MODERATE;
		d->findings[0].headline = "Nothing wrong in what a check reads.";
	}
}

static int judge_chunk(struct check *c, const size_t *subjects, size_t n,
		       struct check_chunk *ret)
{
	struct arena a = { 0 };
	struct session *s = c->session;
	struct capture view = recall_view(&a, &s->capture, subjects, n);
	int r = view.subjects ? decode_case(&view, s->db, &s->diag, &ret->the_case)
			      : -ENOMEM;

	if (r == 0)
		r = judge_case(&ret->the_case, &ret->report);
	if (r == 0)
		conclude_quickly(&ret->report);
	arena_done(&a);
	return r;
}

static struct check_chunk *add_chunk(struct check *c)
{
	return &c->chunks[c->n_chunks++];
}

/* Cases that hold one drive each: when what was given does not fall into one drive a subject. */
static int judge_singly(struct check *c, size_t first, size_t n)
{
	for (size_t i = first; i < first + n; i++) {
		struct check_chunk *chunk = add_chunk(c);
		int r = judge_chunk(c, &c->recall.drives[i].subject, 1, chunk);

		if (r < 0)
			return r;
		if (chunk->report.n_drives)
			c->report_of[i] = &chunk->report.drives[0];
	}
	return 0;
}

static int judge_some(struct check *c, size_t first, size_t n)
{
	size_t subjects[CHUNK_DRIVES];
	struct check_chunk *chunk = add_chunk(c);
	int r;

	for (size_t i = 0; i < n; i++)
		subjects[i] = c->recall.drives[first + i].subject;
	r = judge_chunk(c, subjects, n, chunk);
	if (r < 0)
		return r;
	/* drives of a case stand in the order of their subjects, unless two became one */
	if (chunk->report.n_drives != n)
		return judge_singly(c, first, n);
	for (size_t i = 0; i < n; i++)
		c->report_of[first + i] = &chunk->report.drives[i];
	return 0;
}

static int judge_all(struct check *c)
{
	size_t n = c->recall.n;

	if (c->chunks)
		return 0; /* judged already, before the history failed */
	c->chunks = calloc(n + n / CHUNK_DRIVES + 2, sizeof(*c->chunks));
	c->report_of = calloc(n + 1, sizeof(struct drive_report *));
	if (!c->chunks || !c->report_of)
		return -ENOMEM;
	for (size_t i = 0; i < n; i += CHUNK_DRIVES) {
		int r = judge_some(c, i, n - i < CHUNK_DRIVES ? n - i : CHUNK_DRIVES);

		if (r < 0)
			return r;
	}
	return 0;
}

/* --- comparing ------------------------------------------------------------------------------------------ */

static void compare_drives(struct check *c)
{
	struct history *h = c->recall.history;

	changes_begin(h, &c->report);
	for (size_t i = 0; i < c->recall.n; i++) {
		struct recalled *d = &c->recall.drives[i];
		struct check_input in = { .who = &d->who,
					  .values = &d->values,
					  .past = d->past,
					  .report = c->report_of[i],
					  .state = state_of(c, d) };

		if (in.report && in.state == CHECK_READ)
			values_take_log(h, &c->recall.arena, &d->values,
					in.report->drive);
		d->asleep = in.state == CHECK_ASLEEP;
		d->unreadable = in.state == CHECK_UNREADABLE;
		changes_drive(h, &c->conf.rules, &in, &c->report);
	}
	c->report.kernel_log = log_of(&c->session->capture);
	changes_end(h, &c->conf.rules, &c->recall.past, &c->report);
}

/* All of one run: what is stored is what is reported, or nothing is stored. */
static int attempt(struct check *c)
{
	int r = recall_begin(&c->recall, c->session, HISTORY_CHECK);

	if (r == 0)
		r = judge_all(c);
	if (r == 0) {
		compare_drives(c);
		recall_store(&c->recall);
		history_retain(c->recall.history, c->conf.keep_days, c->conf.thin_days);
		return history_commit(c->recall.history);
	}
	history_rollback(c->recall.history);
	return r;
}

static int compare_with(struct check *c, const char *folder)
{
	int r = recall_open(&c->recall, c->session, folder);

	if (r < 0)
		return EXIT_INTERNAL;
	r = attempt(c);
	while (r < 0 && recall_retry(&c->recall)) {
		check_done(&c->report);
		r = attempt(c);
	}
	c->report.stored = history_is_kept(c->recall.history);
	return r < 0 ? EXIT_INTERNAL : 0;
}

int check_compare(struct check *c, const char *folder)
{
	int status = session_load_db(c->session, c->options);

	return status ? status : compare_with(c, folder);
}

void check_close(struct check *c)
{
	for (size_t i = 0; i < c->n_chunks; i++) {
		report_done(&c->chunks[i].report);
		case_done(&c->chunks[i].the_case);
	}
	/* closed is unlocked */
	for (size_t i = 0; i < c->n_locks; i++)
		(void)close(c->locks[i]);
	free(c->locks);
	free(c->chunks);
	free(c->report_of);
	check_done(&c->report);
	recall_close(&c->recall);
	conf_done(&c->conf);
}
