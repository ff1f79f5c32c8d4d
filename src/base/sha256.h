/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SHA-256 (FIPS 180-4), to name a version of some data by its content. Not for secrets. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/span.h"

#define SHA256_BYTES 32u

struct sha256 {
	uint32_t state[8];
	uint64_t total; /* bytes hashed so far */
	uint8_t block[64];
};

void sha256_init(struct sha256 *h);
void sha256_add(struct sha256 *h, struct span s);
/* Ends the computation; init again before another. */
void sha256_finish(struct sha256 *h, uint8_t ret[SHA256_BYTES]);
