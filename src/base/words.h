/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times as a person says them. */
#pragma once

#include <stdint.h>

#include "base/buf.h"

/* "14 minutes", "1 hour", "2 days": rounded down to one unit; below two minutes in seconds. */
void words_add_span(struct buf *b, uint64_t seconds);
/*
 * "today 03:00", "yesterday 03:00", "2026-11-28 03:00", in the time zone of the process. Seconds
 * since 1970. What is later than now is written with its date.
 */
void words_add_when(struct buf *b, int64_t at, int64_t now);
