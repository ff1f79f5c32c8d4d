/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/diagnose.h"

#include <stdio.h>

#include "base/str.h"
#include "cmd/fio-ways.h"
#include "cmd/probing.h"
#include "cmd/recall.h"
#include "cmd/screen.h"
#include "render/render.h"
#include "render/smartctl-exit.h"

int diagnose_exit_of(enum severity worst)
{
	static const int status[] = {
		[SEVERITY_OK] = EXIT_OK,
		[SEVERITY_NOTE] = EXIT_OK,
		[SEVERITY_UNKNOWN] = EXIT_CANNOT_TELL,
		[SEVERITY_WARNING] = EXIT_WARNING,
		[SEVERITY_CRITICAL] = EXIT_CRITICAL,
	};

	return status[worst];
}

int diagnose_print(const struct session *s, const struct options *o, bool verbose)
{
	struct render_options ro = { .colour = screen_wants_colour(o),
				     .columns = screen_columns(),
				     .verbose = verbose,
				     .summary = !o->n_targets && !o->n_fio_words,
				     .probe = str_equal(o->command, "probe") &&
					      !fio_ways_wanted(o),
				     .explain = o->explain };
	struct buf out cleanup_buf = { 0 };

	if (render_find(o->format)->write(&s->report, &s->diag, &ro, &out) < 0)
		return EXIT_INTERNAL;
	(void)fwrite(buf_text(&out), 1, out.len, stdout);
	return 0;
}

int diagnose_judge(struct session *s, const struct options *o)
{
	bool remembers = str_equal(o->command, "why") || str_equal(o->command, "phy");
	struct recall recall = { 0 };
	int status = session_load_db(s, o);

	if (status)
		return status;
	if (remembers)
		recall_look_begin(&recall, s, o);
	status = session_judge(s);
	recall_look_end(&recall);
	return status;
}

int diagnose_exit(const struct session *s, const struct options *o, bool by_verdict)
{
	if (live_is_stopped())
		return EXIT_INTERRUPTED;
	if (o->exit_as_smartctl)
		return (int)smartctl_exit_of(&s->report);
	if (by_verdict)
		return diagnose_exit_of(report_worst(&s->report));
	return s->status ? EXIT_CANNOT_TELL : EXIT_OK;
}

int diagnose(const struct options *o, bool verbose, bool by_verdict)
{
	struct session s = { 0 };
	int status = session_read(&s, o);

	/* drives that are named: all of them, one after the other, would take minutes */
	if (!status && by_verdict && o->n_targets && !o->no_probe && !o->sysroot)
		status = probing_drives(&s, o);
	if (!status)
		status = diagnose_judge(&s, o);
	if (!status)
		status = diagnose_print(&s, o, verbose);
	if (status)
		session_print_messages(&s);
	else
		status = diagnose_exit(&s, o, by_verdict);
	session_done(&s);
	return status;
}
