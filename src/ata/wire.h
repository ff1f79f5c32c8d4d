/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Little-endian numbers as ATA pages hold them: the byte order is in the type, alignment is 1,
 * and nothing can be read without converting. Wire structs stand beside their decoders.
 */
#pragma once

#include <stdint.h>

typedef struct {
	uint8_t b[2];
} le16_t;

typedef struct {
	uint8_t b[4];
} le32_t;

typedef struct {
	uint8_t b[8];
} le64_t;

static inline uint16_t le16_get(le16_t v)
{
	return (uint16_t)(v.b[0] | v.b[1] << 8);
}

static inline uint32_t le32_get(le32_t v)
{
	return (uint32_t)v.b[0] | (uint32_t)v.b[1] << 8 | (uint32_t)v.b[2] << 16 |
	       (uint32_t)v.b[3] << 24;
}

/* LEN (1..8) bytes, least significant first. */
static inline uint64_t le_get(const uint8_t *b, unsigned len)
{
	uint64_t v = 0;

	while (len--)
		v = v << 8 | b[len];
	return v;
}

static inline uint64_t le64_get(le64_t v)
{
	return le_get(v.b, 8);
}
