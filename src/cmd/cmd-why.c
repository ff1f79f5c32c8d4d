/* SPDX-License-Identifier: GPL-2.0-or-later */
/* why: the diagnosis. show: the same with everything that is known. */
#include <stdio.h>

#include "base/str.h"
#include "cmd/screen.h"
#include "cmd/session.h"
#include "render/render.h"

static int exit_of(enum severity worst)
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

static int print_report(const struct session *s, const struct options *o, bool verbose)
{
	struct render_options ro = { .colour = screen_wants_colour(o),
				     .columns = screen_columns(),
				     .verbose = verbose };
	struct buf out cleanup_buf = { 0 };

	if (render_find(o->format)->write(&s->report, &s->diag, &ro, &out) < 0)
		return EXIT_INTERNAL;
	(void)fwrite(buf_text(&out), 1, out.len, stdout);
	return 0;
}

static int diagnose(const struct options *o, bool verbose, bool judge_status)
{
	struct session s = { 0 };
	int status = session_read(&s, o);

	if (!status)
		status = session_load_db(&s, o);
	if (!status)
		status = session_judge(&s);
	if (!status)
		status = print_report(&s, o, verbose);
	else
		session_print_messages(&s);
	if (!status)
		status = judge_status ? exit_of(report_worst(&s.report))
			 : s.status   ? EXIT_CANNOT_TELL
				      : EXIT_OK;
	session_done(&s);
	return status;
}

static int run_why(const struct options *o)
{
	return diagnose(o, o->verbose, true);
}

static int run_show(const struct options *o)
{
	return diagnose(o, true, false);
}

const struct command cmd_why = {
	.name = "why",
	.arguments = "TARGET...",
	.help = "say what is wrong, and how sure that is",
	.run = run_why,
};

const struct command cmd_show = {
	.name = "show",
	.arguments = "TARGET...",
	.help = "show everything that was read, decoded",
	.run = run_show,
};
