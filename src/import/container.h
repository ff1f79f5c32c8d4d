/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that hold what could be read, packed or drawn: the user undoes that, and is told how. */
#pragma once

#include "base/diag.h"
#include "base/span.h"

/* When S is an archive, a document or a picture: true, with a message in D. */
bool container_refuse(struct span s, const char *file, struct diag *d);
