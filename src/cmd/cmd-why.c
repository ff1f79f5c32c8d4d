/* SPDX-License-Identifier: GPL-2.0-or-later */
/* why: the diagnosis. show: the same with everything that is known. */
#include "cmd/diagnose.h"

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
	.arguments = "[TARGET]...",
	.help = "say what is wrong, and how sure that is",
	.run = run_why,
};

const struct command cmd_show = {
	.name = "show",
	.arguments = "[TARGET]...",
	.help = "show everything that was read, decoded",
	.run = run_show,
};
