/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The numbers of limits.def as constants. */
#pragma once

enum judge_limit {
#define LIMIT(name, value, kind, words, source) LIMIT_##name = (value),
#include "judge/limits.def"
#undef LIMIT
};
