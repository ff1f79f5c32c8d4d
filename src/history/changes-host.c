/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is told of the host, after its drives. */
#include "base/str.h"
#include "history/findings.h"
#include "history/sentence.h"

static void tell(struct history *h, struct check_report *r, enum change_kind kind,
		 enum severity severity, const char *text)
{
	changes_add(h, r,
		    (struct change){ .kind = kind,
				     .severity = severity,
				     .text = text,
				     .drive = SIZE_MAX },
		    0);
}

static void tell_gone(struct history *h, const struct check_rules *rules,
		      const struct past_drive *p, struct check_report *r)
{
	const struct who w = { .device = p->device,
			       .serial = p->serial,
			       .port = p->port,
			       .model = p->model };
	bool ignored = changes_is_ignored(rules, &w, false, CODE_COUNT, FACT_COUNT);

	sql_do(h, SQL_DRIVE_STATE, "ii", p->id, (int64_t)CHECK_GONE);
	if (!ignored)
		changes_add(
			h, r,
			(struct change){ .kind = CHANGE_GONE,
					 .severity = SEVERITY_WARNING,
					 .head = sentence_past_head(h, &r->arena, p),
					 .text = sentence_text(
						 h, &r->arena, "is gone; last seen %s",
						 sentence_when(h, &r->arena, p->last)),
					 .drive = SIZE_MAX },
			p->id);
}

/* In its words: a run that could not read the log says so when that is new, not every hour. */
static void tell_log(struct history *h, struct check_report *r)
{
	int64_t before = sql_get(h, SQL_META_GET, CHECK_LOG_UNKNOWN, "t", "kernel_log");

	if (r->kernel_log == CHECK_LOG_UNKNOWN || (int64_t)r->kernel_log == before)
		return;
	sql_do(h, SQL_META_SET, "ti", "kernel_log", (int64_t)r->kernel_log);
	if (r->kernel_log == CHECK_LOG_MISSING)
		tell(h, r, CHANGE_LOG, SEVERITY_NOTE,
		     "the kernel log was not read: link trouble of now is seen from the "
		     "drive's side only");
	else if (before == CHECK_LOG_MISSING)
		tell(h, r, CHANGE_LOG, SEVERITY_NOTE, "the kernel log is read again");
}

static void tell_clock(struct history *h, struct check_report *r)
{
	if (h->run_before && h->now < h->run_before)
		tell(h, r, CHANGE_CLOCK, SEVERITY_NOTE,
		     "the clock was set back since the last run: times and rates of "
		     "before "
		     "are not compared");
}

static void tell_well(struct history *h, const struct check_rules *rules,
		      struct check_report *r)
{
	int64_t said = sql_get(h, SQL_META_GET, 0, "t", "said");
	enum severity worst = check_worst(r);
	const char *since = sentence_since(h, &r->arena, said);

	if (r->changes.n) {
		sql_do(h, SQL_META_SET, "ti", "said", h->now);
		return;
	}
	if (!rules->well_days || h->now - said < rules->well_days * 86400)
		return;
	sql_do(h, SQL_META_SET, "ti", "said", h->now);
	tell(h, r, CHANGE_WELL, SEVERITY_OK,
	     worst <= SEVERITY_NOTE
		     ? sentence_text(h, &r->arena,
				     "all is well: %zu drive%s looked after, nothing "
				     "changed%s",
				     r->n_drives, r->n_drives == 1 ? "" : "s", since)
		     : sentence_text(h, &r->arena,
				     "nothing changed%s, but not all is well: see "
				     "drivewhy why",
				     since));
}

void changes_end(struct history *h, const struct check_rules *rules,
		 const struct past_drives *past, struct check_report *ret)
{
	for (size_t i = 0; rules->whole_host && i < past->n; i++)
		if (!past->items[i].taken && past->items[i].state != CHECK_GONE &&
		    past->items[i].checked_run)
			tell_gone(h, rules, &past->items[i], ret);
	tell_log(h, ret);
	tell_clock(h, ret);
	tell_well(h, rules, ret);
}
