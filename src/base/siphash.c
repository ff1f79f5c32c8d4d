/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/siphash.h"

static uint64_t rotated(uint64_t x, unsigned n)
{
	return x << n | x >> (64 - n);
}

static void add_rotate(uint64_t *a, uint64_t *b, unsigned n)
{
	*a += *b;
	*b = rotated(*b, n) ^ *a;
}

static void rounds(uint64_t v[4], unsigned n)
{
	while (n--) {
		add_rotate(&v[0], &v[1], 13);
		v[0] = rotated(v[0], 32);
		add_rotate(&v[2], &v[3], 16);
		add_rotate(&v[0], &v[3], 21);
		add_rotate(&v[2], &v[1], 17);
		v[2] = rotated(v[2], 32);
	}
}

static void compress(uint64_t v[4], uint64_t word)
{
	v[3] ^= word;
	rounds(v, 2);
	v[0] ^= word;
}

static uint64_t word_of(const uint8_t *bytes, size_t n)
{
	uint64_t word = 0;

	for (size_t i = n; i > 0; i--)
		word = word << 8 | bytes[i - 1];
	return word;
}

uint64_t siphash(uint64_t k0, uint64_t k1, struct span data)
{
	uint64_t v[4] = {
		k0 ^ 0x736f6d6570736575, /* "somepseu" */
		k1 ^ 0x646f72616e646f6d, /* "dorandom" */
		k0 ^ 0x6c7967656e657261, /* "lygenera" */
		k1 ^ 0x7465646279746573, /* "tedbytes" */
	};
	size_t i = 0;

	for (; data.len - i >= 8; i += 8)
		compress(v, word_of(data.data + i, 8));
	compress(v, word_of(data.len ? data.data + i : NULL, data.len - i) |
			    (uint64_t)data.len << 56);
	v[2] ^= 0xff;
	rounds(v, 4);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}
