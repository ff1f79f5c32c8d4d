/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small files of /sys and /proc, below a saved tree or the real root. */
#pragma once

#include <stddef.h>

#include "base/arena.h"
#include "base/attrs.h"
#include "base/buf.h"

/* Append the file's content, at most 64 KiB. 0 or -errno. */
int sysfile_read(const char *path, struct buf *ret) must_check;
/* First line of DIR/NAME without trailing space, in the arena; NULL when absent or empty. */
const char *sysfile_line(struct arena *a, const char *dir, const char *name);
/* Whether DIR/NAME is there. */
bool sysfile_exists(const char *dir, const char *name);
/* The real path of PATH in the arena, NULL when there is none. */
const char *sysfile_real(struct arena *a, const char *path);
