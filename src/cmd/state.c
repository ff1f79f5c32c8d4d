/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/state.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/str.h"

/* XDG Base Directory Specification: only absolute paths count. */
static const char *user_folder(struct arena *a)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

	if (state && *state == '/')
		return arena_printf(a, "%s/drivewhy", state);
	if (home && *home == '/')
		return arena_printf(a, "%s/.local/state/drivewhy", home);
	return NULL;
}

const char *state_folder(const struct options *o, struct arena *a)
{
	const char *name = o->state;

	if (!name)
		name = getenv("DRIVEWHY_STATE");
	if (name && *name)
		return str_equal(name, "none") ? NULL : name;
	return geteuid() == 0 ? DW_STATEDIR : user_folder(a);
}
