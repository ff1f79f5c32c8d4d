/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/recall.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "cmd/state.h"
#include "decode/decode.h"
#include "judge/judge.h"

int64_t recall_time(const struct capture *c)
{
	int64_t newest = 0;

	for (size_t i = 0; i < c->n_subjects; i++)
		for (size_t k = 0; k < c->subjects[i].n_snapshots; k++) {
			const struct cap_snapshot *s = &c->subjects[i].snapshots[k];

			if (s->has_time && s->role != CAP_BASELINE &&
			    s->taken_ms / 1000 > newest)
				newest = s->taken_ms / 1000;
		}
	return newest ? newest : (int64_t)time(NULL);
}

struct capture recall_view(struct arena *a, const struct capture *c,
			   const size_t *subjects, size_t n)
{
	struct capture view = { 0 };

	view.subjects = arena_alloc(a, (n + 1) * sizeof(*view.subjects));
	if (!view.subjects)
		return view;
	for (size_t i = 0; i < c->n_subjects; i++)
		if (c->subjects[i].kind == CAP_HOST)
			view.subjects[view.n_subjects++] = c->subjects[i];
	for (size_t i = 0; i < n; i++)
		view.subjects[view.n_subjects++] = c->subjects[subjects[i]];
	return view;
}

/* Its own past is not there yet, and what is said of it will be said again. */
static int judge_alone(struct recall *r, struct session *s, struct recalled *d)
{
	struct diag quiet = { 0 };
	struct capture view = { .subjects = &s->capture.subjects[d->subject],
				.n_subjects = 1 };
	int e = decode_case(&view, s->db, &quiet, &d->the_case);

	diag_done(&quiet);
	if (e == 0)
		e = judge_case(&d->the_case, &d->report);
	(void)r;
	return e;
}

int recall_open(struct recall *r, struct session *s, const char *folder)
{
	size_t n = 0;
	int e = history_open(folder, true, &s->diag, &r->history);

	for (size_t i = 0; i < s->capture.n_subjects; i++)
		n += s->capture.subjects[i].kind == CAP_DRIVE;
	r->drives = arena_alloc(&r->arena, (n + 1) * sizeof(*r->drives));
	if (e < 0 || !r->drives)
		return -ENOMEM;
	r->now = recall_time(&s->capture);
	for (size_t i = 0; i < s->capture.n_subjects; i++) {
		struct recalled *d = &r->drives[r->n];

		if (s->capture.subjects[i].kind != CAP_DRIVE)
			continue;
		d->subject = i;
		r->n++;
		e = judge_alone(r, s, d);
		if (e < 0)
			return e;
	}
	return 0;
}

static bool has_drive(const struct recalled *d)
{
	return d->the_case.n_drives == 1;
}

static const struct past_drive *past_of(const struct recall *r, int64_t id)
{
	for (size_t i = 0; i < r->past.n; i++)
		if (r->past.items[i].id == id) {
			r->past.items[i].taken = true;
			return &r->past.items[i];
		}
	return NULL;
}

static int find_drives(struct recall *r)
{
	struct who *who = arena_alloc(&r->arena, (r->n + 1) * sizeof(*who));
	int e;

	r->past = (struct past_drives){ 0 };
	if (!who)
		return -ENOMEM;
	for (size_t i = 0; i < r->n; i++)
		if (has_drive(&r->drives[i]))
			who[i] = who_of(r->drives[i].the_case.drives[0]);
	e = past_list(r->history, &r->arena, &r->past);
	if (e == 0)
		who_find(r->history, &r->arena, who, r->n);
	for (size_t i = 0; i < r->n; i++) {
		r->drives[i].who = who[i];
		r->drives[i].past = past_of(r, who[i].id);
	}
	return e ? e : history_error(r->history);
}

static int add_baseline(struct session *s, const struct recall *r,
			const struct recalled *d, bool check, struct span facts)
{
	struct cap_subject *subject = &s->capture.subjects[d->subject];
	struct cap_snapshot *snapshot = NULL;
	int64_t at = check && d->past->checked ? d->past->checked : d->past->last;

	/* a run that is done again has one already: its place is kept */
	for (size_t i = 0; i < subject->n_snapshots; i++)
		if (subject->snapshots[i].role == CAP_BASELINE)
			return 0;
	snapshot =
		capture_add_snapshot(&s->capture, subject, CAP_BASELINE, "the history");
	if (!snapshot)
		return -ENOMEM;
	/* a clock that was set back tells no time */
	snapshot->has_time = at > 0 && at < r->now;
	snapshot->taken_ms = snapshot->has_time ? at * 1000 : 0;
	return capture_add_item(&s->capture, snapshot, "facts/history", CAP_OK, facts)
		       ? 0
		       : -ENOMEM;
}

static int compare(struct recall *r, struct session *s, struct recalled *d, bool check)
{
	struct buf facts cleanup_buf = { 0 };
	const struct drive_report *report =
		d->report.n_drives ? &d->report.drives[0] : NULL;
	bool said;

	values_load(r->history, &r->arena, d->who.id, &d->values);
	if (!has_drive(d) || !report)
		return history_error(r->history);
	values_take(r->history, &r->arena, &d->values, d->past, d->the_case.drives[0],
		    &report->phy);
	said = d->past && d->past->last_run &&
	       values_baseline(r->history, &d->values, d->past, check, &facts);
	if (buf_error(&facts) < 0)
		return -ENOMEM;
	if (history_error(r->history) || !said)
		return history_error(r->history);
	return add_baseline(s, r, d, check, buf_span(&facts));
}

int recall_begin(struct recall *r, struct session *s, enum history_run kind)
{
	int e = history_begin(r->history, kind, r->now);

	if (e == 0)
		e = find_drives(r);
	for (size_t i = 0; e == 0 && i < r->n; i++)
		e = compare(r, s, &r->drives[i], kind == HISTORY_CHECK);
	if (e < 0)
		history_rollback(r->history);
	return e;
}

void recall_store(struct recall *r)
{
	for (size_t i = 0; i < r->n; i++) {
		struct recalled *d = &r->drives[i];

		if (!d->who.id)
			continue;
		/* a sleeping drive gave nothing: what is known of it stays as it is */
		if (!d->asleep && !d->unreadable)
			values_store(r->history, &d->values, d->who.port);
		history_seen(r->history, &d->who, d->asleep, d->unreadable);
	}
}

bool recall_retry(struct recall *r)
{
	return history_recover(r->history) == 0;
}

void recall_close(struct recall *r)
{
	for (size_t i = 0; i < r->n; i++) {
		report_done(&r->drives[i].report);
		case_done(&r->drives[i].the_case);
	}
	history_close(r->history);
	arena_done(&r->arena);
}

/* --- a look ------------------------------------------------------------------------------------------- */

static void note_sleepers(struct recall *r, const struct session *s)
{
	for (size_t i = 0; i < r->n; i++)
		for (size_t k = 0; k < s->live.n; k++)
			if (s->live.drives[k].subject == r->drives[i].subject) {
				r->drives[i].asleep = s->live.drives[k].stats.asleep;
				r->drives[i].unreadable = !s->live.drives[k].transport &&
							  !s->live.drives[k].stats.asleep;
			}
}

void recall_look_begin(struct recall *r, struct session *s, const struct options *o)
{
	const char *folder = state_folder(o, &r->arena);
	int e;

	/* what others posted has no place in the history of this machine */
	if (!folder || (!s->live.n && !o->state))
		return;
	e = recall_open(r, s, folder);
	if (e == 0) {
		e = recall_begin(r, s, HISTORY_LOOK);
		while (e < 0 && recall_retry(r))
			e = recall_begin(r, s, HISTORY_LOOK);
	}
	if (e == 0) {
		note_sleepers(r, s);
		return;
	}
	history_close(r->history);
	r->history = NULL;
}

void recall_look_end(struct recall *r)
{
	if (r->history) {
		recall_store(r);
		if (history_commit(r->history) < 0)
			(void)recall_retry(r);
	}
	recall_close(r);
}
