/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SipHash-2-4 (Aumasson and Bernstein, 2012): a short keyed hash that input cannot steer. */
#pragma once

#include <stdint.h>

#include "base/span.h"

uint64_t siphash(uint64_t k0, uint64_t k1, struct span data);
