/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "judge/context.h"

extern const struct rule rules_host[]; /* about one drive, from tables of the host */

/* Findings about the host itself; sets judge.d to the host, so it runs last. */
void host_judge(struct judge *j);
