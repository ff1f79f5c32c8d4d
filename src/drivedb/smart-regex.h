/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * POSIX extended expressions of an installed file, which may be hostile. The C library compiles
 * and runs them; here is kept off it what could cost memory or time, and what cannot match.
 */
#pragma once

#include <stdbool.h>

/* NULL, or why this expression is not run. */
const char *smart_regex_fault(const char *re);
/*
 * False when no text that begins like TEXT can match: only the literal beginning of each
 * alternative is looked at. Compiling costs a thousand times more.
 */
bool smart_regex_may_begin(const char *re, const char *text);
/* Does RE match the whole of TEXT? False also for what smart_regex_fault() refuses. */
bool smart_regex_matches(const char *re, const char *text);
