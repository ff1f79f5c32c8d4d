/* SPDX-License-Identifier: GPL-2.0-or-later */
/* history DRIVE: its counts over time, and what was told of it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/str.h"
#include "cmd/past.h"
#include "cmd/screen.h"
#include "cmd/state.h"
#include "history/changes.h"
#include "history/query.h"
#include "render/history.h"

/* "30d", "12h", "2026-01-31": false when it is neither. */
static bool parse_since(const char *text, int64_t now, int64_t *ret)
{
	static const struct {
		char letter;
		int64_t seconds;
	} units[] = { { 'h', 3600 }, { 'd', 86400 }, { 'w', 604800 }, { 'y', 31557600 } };
	const char *rest = text;
	struct tm day = { .tm_isdst = -1 };
	uint64_t n;
	time_t t;

	if (str_take_u64(&rest, 10, &n) == 0 && rest[0] && !rest[1] && n <= 100000)
		for (size_t i = 0; i < array_size(units); i++)
			if (units[i].letter == rest[0]) {
				*ret = now - (int64_t)n * units[i].seconds;
				return true;
			}
	rest = strptime(text, "%Y-%m-%d", &day);
	t = rest && !*rest ? mktime(&day) : (time_t)-1;
	if (t == (time_t)-1)
		return false;
	*ret = (int64_t)t;
	return true;
}

static int print(struct session *s, const struct options *o, const struct past_view *v)
{
	struct render_options ro = { .colour = screen_wants_colour(o),
				     .columns = screen_columns(),
				     .verbose = o->verbose };
	struct buf out cleanup_buf = { 0 };
	int r = o->csv			       ? render_history_csv(v, &out)
		: str_equal(o->format, "json") ? render_history_json(v, &out)
					       : render_history_text(v, &ro, &out);

	(void)s;
	if (r < 0)
		return EXIT_INTERNAL;
	(void)fwrite(buf_text(&out), 1, out.len, stdout);
	return EXIT_OK;
}

static bool is_table(const struct options *o)
{
	return o->csv || str_equal(o->format, "json");
}

static const char *head_of(struct arena *a, const struct past_drive *d)
{
	const char *device = d->device ? str_after(d->device, "/dev/") : NULL;

	device = device ? device : d->device;
	return arena_printf(a, "%s%s%s%s%s%s%s", device ? device : "", device ? ": " : "",
			    d->model ? d->model : "a drive", d->serial ? ", serial " : "",
			    d->serial ? d->serial : "", d->port ? ", on " : "",
			    d->port ? d->port : "");
}

static int show(struct session *s, const struct options *o, struct history *h,
		struct arena *a, struct past_view *v, int64_t subject)
{
	struct series_list series = { 0 };
	struct change_list changes = { 0 };
	struct check_finding *findings = NULL;
	struct time_slots slots;
	int64_t from;

	v->from = 0;
	v->to = query_last_run(h);
	if (o->since && !parse_since(o->since, v->to, &v->from))
		return session_fail(s, EXIT_USAGE_ERROR, "--since",
				    "a day (2026-01-31) or a time (12h, 30d, 8w, 1y) was "
				    "expected");
	from = v->from;
	if (!v->from)
		v->from = v->first;
	slots = (struct time_slots){ v->from, v->to, HISTORY_SPARKS };
	/* tables have every row, a graph shows a few marks of thousands */
	query_series(h, a, subject, from, is_table(o) ? NULL : &slots, &series);
	query_changes(h, a, subject, from, &changes);
	changes_open(h, a, subject, &findings, &v->n_findings);
	v->series = series.items;
	v->n = series.n;
	v->changes = changes.items;
	v->n_changes = changes.n;
	v->findings = findings;
	if (history_error(h) || !v->head)
		return session_fail(s, EXIT_INTERNAL, "history", "it cannot be read");
	return print(s, o, v);
}

static int show_drive(struct session *s, const struct options *o, struct history *h,
		      struct arena *a)
{
	struct past_drives drives = { 0 };
	const char *name = o->targets[0];
	int64_t bay = query_bay(h, name);
	const struct past_drive *d;
	struct past_view v = { 0 };
	long at;

	if (past_list(h, a, &drives) < 0)
		return session_fail(s, EXIT_INTERNAL, "history", "it cannot be read");
	/* "bay ata3": what that port saw, whatever drive was in it */
	if (o->n_targets == 2 && str_equal(name, "bay")) {
		bay = query_bay(h, o->targets[1]);
		v.head = arena_printf(a, "bay %s", o->targets[1]);
		v.port = o->targets[1];
		v.first = query_bay_first(h, bay);
		v.to = v.last = query_last_run(h);
		return bay ? show(s, o, h, a, &v, bay)
			   : session_fail(s, EXIT_NO_INPUT, o->targets[1],
					  "no link error was ever seen at this port");
	}
	at = past_choose(s, o, &drives, name);
	if (at < 0)
		return EXIT_NO_INPUT;
	d = &drives.items[at];
	v = (struct past_view){ .head = head_of(a, d),
				.model = d->model,
				.serial = d->serial,
				.wwn = *d->digits ? d->digits : NULL,
				.firmware = d->firmware,
				.port = d->port,
				.device = d->device,
				.first = d->first,
				.last = d->last };
	return show(s, o, h, a, &v, d->id);
}

static int run_history(const struct options *o)
{
	struct session s = { 0 };
	struct arena a = { 0 };
	struct history *h = NULL;
	const char *folder = state_folder(o, &a);
	int status = 0;

	if (!o->n_targets || !folder)
		status = session_fail(&s, EXIT_USAGE_ERROR, NULL,
				      o->n_targets ? "there is no history here"
						   : "name a drive, or: bay PORT");
	else if (history_open(folder, false, &s.diag, &h) < 0)
		status = session_fail(&s, EXIT_NO_INPUT, folder,
				      "no history yet: drivewhy check makes one");
	if (!status)
		status = show_drive(&s, o, h, &a);
	session_print_messages(&s);
	history_close(h);
	session_done(&s);
	arena_done(&a);
	return status;
}

const struct command cmd_history = {
	.name = "history",
	.arguments = "DRIVE",
	.help = "show how its counts went over time",
	.run = run_history,
};
