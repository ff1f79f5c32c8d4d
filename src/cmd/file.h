/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/attrs.h"
#include "base/span.h"

/*
 * Write a file so that a reader sees the old one or the new one, never a part: a file beside it,
 * on the disk, readable by all, then renamed. 0 or -errno; the old one stays then.
 */
int file_replace(const char *name, struct span text) must_check;
