/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ack DRIVE CODE: accept what is found as it is, until it grows. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "cmd/past.h"
#include "cmd/state.h"
#include "history/changes.h"

static int list(struct session *s, struct history *h, struct arena *a, int64_t drive)
{
	struct check_finding *f = NULL;
	size_t n = 0;

	changes_open(h, a, drive, &f, &n);
	for (size_t i = 0; i < n; i++)
		(void)printf("%s  %s (%s)%s\n", code_name(f[i].code),
			     code_title(f[i].code), severity_name(f[i].severity),
			     f[i].acknowledged ? ", accepted" : "");
	if (!n)
		(void)printf("nothing is open on this drive\n");
	return history_error(h)
		       ? session_fail(s, EXIT_INTERNAL, "history", "it cannot be read")
		       : EXIT_OK;
}

static int accept_one(struct session *s, const struct options *o, struct history *h,
		      int64_t drive, const char *name)
{
	enum code code;
	int r;

	if (code_from_name(name, &code) < 0)
		return session_fail(s, EXIT_USAGE_ERROR, name,
				    "no finding has this code: see drivewhy explain");
	r = changes_accept(h, drive, code, !o->undo);
	if (r == -ENOENT)
		return session_fail(s, EXIT_NO_INPUT, name,
				    "this is not open on that drive");
	if (r < 0)
		return session_fail(s, EXIT_INTERNAL, "history", strerror(-r));
	(void)printf("%s: %s\n", name,
		     o->undo ? "no longer accepted" : "accepted until it grows");
	return EXIT_OK;
}

static int work(struct session *s, const struct options *o, struct history *h,
		struct arena *a)
{
	struct past_drives drives = { 0 };
	int status = EXIT_OK;
	int64_t drive;
	long at;

	if (past_list(h, a, &drives) < 0)
		return session_fail(s, EXIT_INTERNAL, "history", "it cannot be read");
	at = past_choose(s, o, &drives, o->targets[0]);
	if (at < 0)
		return EXIT_NO_INPUT;
	drive = drives.items[at].id;
	if (o->n_targets == 1)
		return list(s, h, a, drive);
	if (history_begin(h, HISTORY_EDIT, 0) < 0)
		return session_fail(s, EXIT_INTERNAL, "history", "it cannot be written");
	for (int i = 1; status == EXIT_OK && i < o->n_targets; i++)
		status = accept_one(s, o, h, drive, o->targets[i]);
	/* all of the codes, or none */
	if (status != EXIT_OK)
		history_rollback(h);
	else if (history_commit(h) < 0)
		status =
			session_fail(s, EXIT_INTERNAL, "history", "it cannot be written");
	return status;
}

static int run_ack(const struct options *o)
{
	struct session s = { 0 };
	struct arena a = { 0 };
	struct history *h = NULL;
	const char *folder = state_folder(o, &a);
	int status = EXIT_OK;

	if (!o->n_targets || !folder)
		status = session_fail(&s, EXIT_USAGE_ERROR, NULL,
				      "ack DRIVE [CODE]...: name a drive");
	else if (history_open(folder, false, &s.diag, &h) < 0)
		status = session_fail(&s, EXIT_NO_INPUT, folder,
				      "no history yet: drivewhy check makes one");
	history_close(h);
	h = NULL;
	if (!status && history_open(folder, o->n_targets > 1, &s.diag, &h) < 0)
		status = EXIT_INTERNAL;
	if (!status && o->n_targets > 1 && !history_is_kept(h))
		status = session_fail(&s, EXIT_INTERNAL, folder, "it cannot be written");
	if (!status)
		status = work(&s, o, h, &a);
	session_print_messages(&s);
	history_close(h);
	session_done(&s);
	arena_done(&a);
	return status;
}

const struct command cmd_ack = {
	.name = "ack",
	.arguments = "DRIVE [CODE]...",
	.help = "accept a finding as it is, until it grows",
	.run = run_ack,
};
