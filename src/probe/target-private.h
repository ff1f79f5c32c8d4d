/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside of probe/: parts of target_open(). */
#pragma once

#include <sys/types.h>

#include "probe/target.h"

/* The stored parts of a file. 0; -EOPNOTSUPP when its filesystem does not tell; -ENOMEM. */
int target_find_parts(struct target *t) must_check;
/* The whole disk below a device number. 0, also when there is none; -ENOMEM. */
int target_find_disk(struct target *t, dev_t number) must_check;
