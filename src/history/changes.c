/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "history/changes.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/str.h"
#include "history/findings.h"
#include "history/sentence.h"

/* --- one change ------------------------------------------------------------------------------------- */

static struct change *push(struct history *h, struct check_report *r)
{
	struct change *c = arena_push(&r->arena, &r->changes.items, &r->changes.n,
				      &r->changes.cap, sizeof(*c));

	if (!c)
		sql_out_of_memory(h);
	return c;
}

void changes_add(struct history *h, struct check_report *r, struct change change,
		 int64_t subject)
{
	struct change *c = push(h, r);

	if (!c)
		return;
	*c = change;
	c->at = h->now;
	sql_do(h, SQL_MESSAGE_ADD, "iiititt", h->run, subject, (int64_t)change.kind,
	       change.has_code ? code_name(change.code) : NULL, (int64_t)change.severity,
	       change.head, change.text);
}

struct change change_of_row(struct history *h, struct arena *a, enum sql_id q)
{
	int64_t kind = sql_int(h, q, 1), severity = sql_int(h, q, 3);
	const char *code = sql_text(h, a, q, 2), *text = sql_text(h, a, q, 5);
	struct change c = { .at = sql_int(h, q, 0),
			    .head = sql_text(h, a, q, 4),
			    .text = text ? text : "",
			    .drive = SIZE_MAX };

	c.kind = kind >= 0 && kind < CHANGE_KINDS ? (enum change_kind)kind : CHANGE_FOUND;
	c.severity = severity >= 0 && severity <= SEVERITY_CRITICAL
			     ? (enum severity)severity
			     : SEVERITY_NOTE;
	c.has_code = code && code_from_name(code, &c.code) == 0;
	return c;
}

void changes_begin(struct history *h, struct check_report *ret)
{
	const enum sql_id q = SQL_MESSAGE_UNTOLD;

	ret->at = h->now;
	sql_start(h, q, "i", h->run);
	while (sql_next(h, q)) {
		struct change *c = push(h, ret);

		if (!c)
			return;
		*c = change_of_row(h, &ret->arena, q);
	}
}

void changes_told(struct history *h)
{
	sql_do(h, SQL_MESSAGE_TOLD, "i", h->run);
}

/* --- a drive: where it is, whether it answers --------------------------------------------------------- */

static void tell(struct teller *t, enum change_kind kind, enum severity severity,
		 const char *text)
{
	changes_add(t->h, t->report,
		    (struct change){ .kind = kind,
				     .severity = severity,
				     .head = t->drive->head,
				     .text = text,
				     .drive = t->index },
		    t->in->who->id);
}

static void tell_place(struct teller *t)
{
	const struct who *w = t->in->who;
	const struct past_drive *p = t->in->past;

	if (w->clash && !(p && p->apart))
		tell(t, CHANGE_APART, SEVERITY_NOTE,
		     sentence_text(t->h, t->arena,
				   "another drive here has the same serial number or "
				   "WWN: their histories are kept apart by port (%s)",
				   w->port ? w->port : "unknown"));
	if (!p)
		return;
	if (w->port && p->told_port && !str_equal(w->port, p->told_port))
		tell(t, CHANGE_MOVED, SEVERITY_NOTE,
		     sentence_text(t->h, t->arena,
				   "moved from %s to %s; it takes its history along",
				   p->told_port, w->port));
	if (w->firmware && p->told_firmware && !str_equal(w->firmware, p->told_firmware))
		tell(t, CHANGE_FIRMWARE, SEVERITY_NOTE,
		     sentence_text(t->h, t->arena, "firmware %s, was %s", w->firmware,
				   p->told_firmware));
}

static void tell_state(struct teller *t)
{
	const struct who *w = t->in->who;
	const struct past_drive *p = t->in->past;
	bool known = p && p->checked_run;

	if (p && p->state == CHECK_GONE)
		tell(t, CHANGE_BACK, SEVERITY_NOTE, "is back");
	if (t->in->state == CHECK_UNREADABLE && !(p && p->state == CHECK_UNREADABLE))
		tell(t, CHANGE_UNREADABLE, SEVERITY_UNKNOWN,
		     "could not be looked at: nothing is known of it now");
	if (t->in->state != CHECK_READ)
		return;
	if (!known)
		tell(t, CHANGE_NEW, SEVERITY_NOTE,
		     w->serial ? "is new here: watched from now on"
			       : "is new here and tells no serial number: its history is "
				 "that of its port");
	if (p && p->state == CHECK_UNREADABLE)
		tell(t, CHANGE_READABLE, SEVERITY_NOTE, "can be looked at again");
}

/* --- counts --------------------------------------------------------------------------------------------- */

static enum severity rise_severity(enum kept_family family)
{
	return family == FAMILY_MEDIA || family == FAMILY_LINK ? SEVERITY_WARNING
							       : SEVERITY_NOTE;
}

static void tell_rises(struct teller *t)
{
	static const enum kept_family families[] = { FAMILY_MEDIA, FAMILY_LINK,
						     FAMILY_TIME, FAMILY_DRIVE,
						     FAMILY_KERNEL };

	for (size_t i = 0; i < array_size(families); i++) {
		bool grew;
		const char *text = sentence_rise(t->h, t->arena, t->rules, t->in,
						 families[i], &grew);

		if (!grew)
			continue;
		t->grew[t->n_grew++] = families[i];
		tell(t, CHANGE_RISE, rise_severity(families[i]), text);
	}
}

static const char *gbps(struct teller *t, int64_t mbps)
{
	return sentence_text(t->h, t->arena, "%" PRId64 ".%" PRId64 " Gb/s", mbps / 1000,
			     mbps % 1000 / 100);
}

static void tell_link_speed(struct teller *t)
{
	const struct value *v = values_find(t->in->values, FACT_LINK_CURRENT, 0);

	if (!v || !v->seen || !v->has_told || v->value == v->told_value ||
	    changes_is_ignored(t->rules, t->in->who, false, CODE_COUNT,
			       FACT_LINK_CURRENT))
		return;
	tell(t, v->value < v->told_value ? CHANGE_SLOWER : CHANGE_FASTER,
	     v->value < v->told_value ? SEVERITY_WARNING : SEVERITY_NOTE,
	     sentence_text(t->h, t->arena, "the link runs at %s, was %s",
			   gbps(t, v->value), gbps(t, v->told_value)));
}

static void tell_heat(struct teller *t)
{
	const struct value *v = values_find(t->in->values, FACT_TEMPERATURE, 0);
	int64_t hot = t->rules->hot_celsius;

	if (!hot || !v || !v->seen || v->value < hot)
		return;
	if (!v->has_told || v->told_value < hot)
		tell(t, CHANGE_HOT, SEVERITY_WARNING,
		     sentence_text(t->h, t->arena,
				   "%" PRId64 " C, the limit set is %" PRId64 " C",
				   v->value, hot));
}

/* --- the row of the report ------------------------------------------------------------------------------ */

static void add_totals(struct teller *t)
{
	struct check_drive *d = t->drive;

	for (size_t i = 0; i < t->in->values->n; i++) {
		const struct value *v = &t->in->values->items[i];
		struct check_total *slot;

		if (fact_get_info(v->key.id)->behaviour != BEHAVES_GROWS || v->total < 0)
			continue;
		slot = arena_push(t->arena, &d->totals, &d->n_totals, &d->cap_totals,
				  sizeof(*slot));
		if (!slot) {
			sql_out_of_memory(t->h);
			return;
		}
		*slot = (struct check_total){ .key = v->key,
					      .total = (uint64_t)v->total,
					      .least = v->least };
	}
}

static const char *copy(struct teller *t, const char *text)
{
	return text ? sentence_text(t->h, t->arena, "%s", text) : NULL;
}

static void fill_row(struct teller *t)
{
	const struct who *w = t->in->who;
	const struct past_drive *p = t->in->past;
	bool read = t->in->state == CHECK_READ;

	*t->drive = (struct check_drive){
		.state = t->in->state,
		.report = read ? t->in->report : NULL,
		.model = copy(t, w->model ? w->model
				 : p	  ? p->model
					  : NULL),
		.serial = copy(t, w->serial ? w->serial
				  : p	    ? p->serial
					    : NULL),
		.wwn = copy(t, *w->digits	 ? w->digits
			       : p && *p->digits ? p->digits
						 : NULL),
		.firmware = copy(t, w->firmware ? w->firmware
				    : p		? p->firmware
						: NULL),
		.port = copy(t, w->port),
		.device = copy(t, w->device),
		.head = sentence_head(t->h, t->arena, w),
		.last_read = read ? t->h->now
			     : p  ? p->last
				  : 0,
	};
}

void changes_drive(struct history *h, const struct check_rules *rules,
		   const struct check_input *in, struct check_report *ret)
{
	struct teller t = { .h = h,
			    .arena = &ret->arena,
			    .rules = rules,
			    .in = in,
			    .report = ret,
			    .index = ret->n_drives };

	t.drive = arena_push(&ret->arena, &ret->drives, &ret->n_drives, &ret->cap_drives,
			     sizeof(*t.drive));
	if (!t.drive) {
		sql_out_of_memory(h);
		return;
	}
	fill_row(&t);
	tell_place(&t);
	tell_state(&t);
	if (in->state == CHECK_READ) {
		tell_rises(&t);
		tell_link_speed(&t);
		tell_heat(&t);
	}
	add_totals(&t);
	findings_compare(&t);
	if (in->state == CHECK_READ)
		sql_do(h, SQL_DRIVE_CHECKED, "iii", in->who->id, h->run,
		       (int64_t)t.drive->severity);
}
