/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the terminal can do. */
#pragma once

#include "cmd/options.h"

unsigned screen_columns(void); /* 80 when it is no terminal */
bool screen_wants_colour(const struct options *o);
