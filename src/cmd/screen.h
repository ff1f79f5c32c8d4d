/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the terminal can do. */
#pragma once

#include "cmd/options.h"

unsigned screen_width(void);   /* 80 when it is no terminal */
unsigned screen_columns(void); /* for prose: at most 100 */
bool screen_wants_colour(const struct options *o);
