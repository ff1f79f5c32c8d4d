/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the history is. */
#pragma once

#include "base/arena.h"
#include "cmd/options.h"

/*
 * --state, DRIVEWHY_STATE, the configuration, then the machine's folder for root and the user's own
 * for others. NULL when there shall be none, or memory is out.
 */
const char *state_folder(const struct options *o, struct arena *a);
