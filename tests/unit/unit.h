/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmocka wants these headers before its own. */
#pragma once

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
