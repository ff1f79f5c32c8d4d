/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Globs over the match string of a drive, "ata:mnMODEL:fwFIRMWARE:". */
#pragma once

#include <stdbool.h>

#include "base/attrs.h"
#include "base/buf.h"
#include "drivedb/drivedb.h"

/*
 * "*" any run of characters, "?" any one, "[a-z]" one of a class, "[!a-z]" or "[^a-z]" one that
 * is not in it; nothing is special inside a class but "]" (unless first) and "-" between two.
 * Bytes are compared as they are, over the whole text. Time is bounded by the product of the two
 * lengths, and no pattern recurses. Our own, because fnmatch(3) depends on the locale.
 */
bool glob_match(const char *glob, const char *text);
/* False for a "[" that is never closed and for a range that holds nothing, as "[z-a]". */
bool glob_is_valid(const char *glob);

/*
 * Append the match string: blanks at the ends of model and firmware are cut, runs of blanks
 * become one (makers and hosts pad IDENTIFY strings in different ways), ":" and control
 * characters become "-".
 */
void match_add_string(struct buf *b, const struct drive_id *id);
