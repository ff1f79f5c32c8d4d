/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check: for cron, timers and monitoring. What changed since the last check, and silence when
 * nothing did.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "capture/file.h"
#include "cmd/check.h"
#include "cmd/diagnose.h"
#include "cmd/file.h"
#include "cmd/notify.h"
#include "cmd/probing.h"
#include "cmd/screen.h"
#include "cmd/state.h"
#include "config.h"
#include "device/disk-path.h"
#include "render/check.h"
#include "render/smartctl-exit.h"

/* --- which drives --------------------------------------------------------------------------------------- */

static bool is_candidate(const struct disk *d)
{
	return d->is_ata || d->path == PATH_USB;
}

static bool is_skipped(const struct conf *conf, const struct disk *d)
{
	for (size_t i = 0; i < conf->n_skipped; i++) {
		const char *name = conf->skipped[i];

		if (str_equal(name, d->node) || str_equal(name, d->name) ||
		    str_equal(name, d->serial) || str_equal(name, d->wwn) ||
		    str_equal(name, d->model) || str_equal(name, d->port))
			return true;
		for (size_t k = 0; k < d->n_names; k++)
			if (str_equal(name, d->names[k]))
				return true;
	}
	return false;
}

static int add_all(struct session *s, const struct options *o, const struct conf *conf)
{
	int status = live_list(s, o);

	if (status)
		return status;
	for (size_t i = 0; i < s->live.disks.n; i++) {
		const struct disk *d = &s->live.disks.items[i];

		if (is_candidate(d) && !is_skipped(conf, d))
			(void)live_add(s, o, d->node);
	}
	return 0;
}

/* A drive that another run looks at is left to it. */
static void lock_drives(struct check *c, const char *folder)
{
	struct live *l = &c->session->live;
	size_t n = 0;

	c->locks = calloc(l->n + 1, sizeof(*c->locks));
	for (size_t i = 0; folder && c->locks && i < l->n; i++) {
		int fd = -1, r = history_lock(folder, l->drives[i].disk->name, &fd);

		if (r == -EBUSY) {
			session_warn(c->session, EXIT_CANNOT_TELL,
				     l->drives[i].disk->node,
				     "another run looks at it: left to that one");
			c->n_locked++;
			continue;
		}
		/* a folder that takes no lock takes no history either: that is said elsewhere */
		if (r == 0)
			c->locks[c->n_locks++] = fd;
		l->drives[n++] = l->drives[i];
	}
	if (folder && c->locks)
		l->n = n;
}

/* The last drive of a host may be the one that is gone: that is still to be told. */
static int say_nothing_read(struct check *c)
{
	struct session *s = c->session;
	const char *text = c->n_locked ? "every drive is being looked at"
				       : "there is no drive to look at";

	if (!c->n_locked && c->conf.rules.whole_host && !s->status) {
		session_warn(s, EXIT_CANNOT_TELL, NULL, text);
		return 0;
	}
	return session_fail(s, s->status ? s->status : EXIT_CANNOT_TELL, NULL, text);
}

static int read_targets(struct check *c, const struct options *o, const char *folder)
{
	struct session *s = c->session;
	int status = 0;

	if (!o->n_targets && !c->conf.n_drives)
		status = add_all(s, o, &c->conf);
	session_add(s, o);
	for (size_t i = 0; !o->n_targets && i < c->conf.n_drives; i++)
		(void)live_add(s, o, c->conf.drives[i]);
	if (status)
		return status;
	/* what others posted is no drive of this machine, unless a folder for it is named */
	if (s->capture.n_subjects && !o->state)
		return session_fail(s, EXIT_USAGE_ERROR, NULL,
				    "files need a history of their own: --state DIR");
	lock_drives(c, folder);
	/* one that is left to another run is not gone */
	if (c->n_locked)
		c->conf.rules.whole_host = false;
	if (s->live.n)
		status = session_read_drives(s, o);
	if (!status && s->live.n && o->check.probe)
		status = probing_drives(s, o);
	return status || s->n_read ? status : say_nothing_read(c);
}

/* --- what is printed ----------------------------------------------------------------------------------- */

static int render(const struct check *c, const char *format, struct buf *ret)
{
	const struct options *o = c->options;
	struct render_options ro = { .colour = screen_wants_colour(o),
				     .columns = screen_columns() };

	if (str_equal(format, "json"))
		return render_check_json(&c->report, &c->session->diag, ret);
	if (str_equal(format, "nagios"))
		return render_check_nagios(&c->report, ret);
	if (str_equal(format, "prometheus"))
		return render_check_prometheus(&c->report, o->check.compat, ret);
	return render_check_text(&c->report, &ro, ret);
}

static int write_output(struct check *c)
{
	struct buf out cleanup_buf = { 0 };
	int r = render(c, c->options->format, &out);

	if (r == 0)
		r = file_replace(c->options->check.output, buf_span(&out));
	return r < 0 ? session_fail(c->session, EXIT_INTERNAL, c->options->check.output,
				    strerror(-r))
		     : 0;
}

static int save_capture(struct check *c)
{
	struct buf out cleanup_buf = { 0 };
	int r = capture_file_write(&c->session->capture, PACKAGE_STRING, &out);

	if (r == 0)
		r = file_replace(c->options->check.save, buf_span(&out));
	return r < 0 ? session_fail(c->session, EXIT_INTERNAL, c->options->check.save,
				    strerror(-r))
		     : 0;
}

/* What goes to a file is for a program; a person still reads what changed. */
static int print(struct check *c)
{
	bool to_file = c->options->check.output != NULL;
	struct buf out cleanup_buf = { 0 };
	int status = to_file ? write_output(c) : 0;

	if (c->options->check.save && save_capture(c))
		status = EXIT_INTERNAL;
	if (render(c, to_file ? "text" : c->options->format, &out) < 0)
		return EXIT_INTERNAL;
	(void)fwrite(buf_text(&out), 1, out.len, stdout);
	c->printed = true;
	/* only what has left this program was told: else the next run tells it */
	if (fflush(stdout) == 0 && c->recall.history)
		changes_told(c->recall.history);
	return status;
}

static void notify(struct check *c)
{
	const char *hooks =
		c->options->check.hooks ? c->options->check.hooks : c->conf.hooks;

	if (c->options->check.journal || c->conf.journal)
		notify_journal(&c->report, getenv("DRIVEWHY_JOURNAL"));
	if (hooks)
		notify_hooks(&c->report, hooks, &c->session->diag);
}

/* smartctl's bits of all drives together; bit 1 is a device that could not be opened, or sleeps. */
static int smartctl_bits(const struct check *c)
{
	unsigned bits = 0;

	for (size_t i = 0; i < c->n_chunks; i++)
		bits |= smartctl_exit_of(&c->chunks[i].report);
	for (size_t i = 0; i < c->report.n_drives; i++)
		if (c->report.drives[i].state != CHECK_READ)
			bits |= 1u << 1;
	return (int)bits;
}

static int exit_of(const struct check *c)
{
	int status = diagnose_exit_of(check_worst(&c->report));

	if (live_is_stopped())
		return EXIT_INTERRUPTED;
	if (c->options->exit_as_smartctl)
		return smartctl_bits(c);
	/* what could not be looked at is not fine, and no worse than what is known to be bad */
	if (status == EXIT_OK && c->session->status)
		status = EXIT_CANNOT_TELL;
	return status;
}

/* --- the command ---------------------------------------------------------------------------------------- */

static int take_rules(struct check *c, const struct options *o)
{
	struct check_rules *rules = &c->conf.rules;

	if (o->check.remind_days >= 0)
		rules->remind_days = o->check.remind_days;
	if (o->check.well_days >= 0)
		rules->well_days = o->check.well_days;
	rules->whole_host = o->check.whole_host || (!o->n_targets && !c->conf.n_drives);
	/* what is left out is not gone */
	for (size_t i = 0; i < c->conf.n_skipped; i++)
		if (check_rules_ignore(rules, &c->conf.arena,
				       (struct check_ignore){ .drive = c->conf.skipped[i],
							      .fact = FACT_COUNT }) < 0)
			return -ENOMEM;
	return 0;
}

static int check(struct check *c, struct options *o, const char *folder)
{
	int status = 0;

	conf_init(&c->conf);
	if (conf_load(&c->conf, o->check.config, &c->session->diag) < 0)
		return EXIT_DATA_ERROR;
	if (take_rules(c, o) < 0)
		return EXIT_INTERNAL;
	if (!o->deadline_s)
		o->deadline_s = c->conf.deadline_s;
	status = read_targets(c, o, folder);
	if (!status)
		status = check_compare(c, folder);
	if (status)
		return status;
	status = print(c);
	notify(c);
	return status ? status : exit_of(c);
}

/* An error is UNKNOWN to a monitoring system, whatever its kind; and it wants its line. */
static int for_nagios(const struct check *c, int status)
{
	const struct options *o = c->options;

	if (!str_equal(o->format, "nagios") || o->check.output)
		return status;
	if (!c->printed) {
		(void)printf("DRIVEWHY UNKNOWN - the check failed, see its messages\n");
		return EXIT_CANNOT_TELL;
	}
	return status > EXIT_CANNOT_TELL && status != EXIT_INTERRUPTED ? EXIT_CANNOT_TELL
								       : status;
}

static int run_check(const struct options *given)
{
	struct arena a = { 0 };
	struct session s = { 0 };
	struct options o = *given;
	struct check c = { .session = &s, .options = &o };
	const char *folder = state_folder(&o, &a);
	int status = check(&c, &o, folder);

	session_print_warnings(&s);
	status = for_nagios(&c, status);
	check_close(&c);
	session_done(&s);
	arena_done(&a);
	return status;
}

const struct command cmd_check = {
	.name = "check",
	.arguments = "[TARGET...]",
	.help = "tell only what changed, for cron and monitoring",
	.run = run_check,
};
