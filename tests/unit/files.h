/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that tests read: those of the project, and the large corpus, which may not be there. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define FILES_PATH 4096u

/* "tests/import/x.txt" below the sources, in RET, which has FILES_PATH bytes. */
const char *files_source(const char *name, char *ret);
/* "corpus/skdump-blobs" below $DRIVEWHY_SHARED, or ../shared of the sources. */
const char *files_shared(const char *name, char *ret);
/* Whether that can be opened: a file or a folder. */
bool files_exist(const char *path);
/* Append the whole of a file. False when it cannot be opened or memory is out. */
bool files_read(const char *path, struct buf *ret);
