/* SPDX-License-Identifier: GPL-2.0-or-later */
/* why: the diagnosis. show: the same with everything that is known. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/str.h"
#include "cmd/session.h"
#include "render/render.h"

static bool wants_colour(const struct options *o)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	if (!str_equal(o->colour, "auto"))
		return str_equal(o->colour, "always");
	return !(no && *no) && isatty(STDOUT_FILENO) && term && !str_equal(term, "dumb");
}

static unsigned columns(void)
{
	struct winsize size;
	uint64_t u;
	const char *env = getenv("COLUMNS");

	if (env && str_to_u64(env, &u) == 0 && u >= 40 && u <= 1000)
		return (unsigned)u;
	if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
	    size.ws_col >= 40)
		return size.ws_col > 100 ? 100 : size.ws_col;
	return 80;
}

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
	struct render_options ro = { .colour = wants_colour(o),
				     .columns = columns(),
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
