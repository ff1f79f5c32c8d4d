/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/screen.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/str.h"

bool screen_wants_colour(const struct options *o)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	if (!str_equal(o->colour, "auto"))
		return str_equal(o->colour, "always");
	return !(no && *no) && isatty(STDOUT_FILENO) && term && !str_equal(term, "dumb");
}

unsigned screen_width(void)
{
	struct winsize size;
	uint64_t u;
	const char *env = getenv("COLUMNS");

	if (env && str_to_u64(env, &u) == 0 && u >= 40 && u <= 1000)
		return (unsigned)u;
	if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
	    size.ws_col >= 40)
		return size.ws_col;
	return 80;
}

unsigned screen_columns(void)
{
	unsigned width = screen_width();

	/* who sets COLUMNS wants it so */
	return width > 100 && !getenv("COLUMNS") ? 100 : width;
}
