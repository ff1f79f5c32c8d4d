/* SPDX-License-Identifier: GPL-2.0-or-later */
/* FIPS 180-4: 4.1.2 functions, 4.2.2 constants, 5.1.1 padding, 5.3.3 start, 6.2.2 computation. */
#include "base/sha256.h"

#include <string.h>

/* clang-format off */
static const uint32_t constants[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};
/* clang-format on */

static uint32_t rotr(uint32_t x, unsigned n)
{
	return (x >> n) | (x << (32 - n));
}

static uint32_t get_be32(const uint8_t *b)
{
	return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static void put_be32(uint8_t *b, uint32_t x)
{
	for (unsigned i = 0; i < 4; i++)
		b[i] = (uint8_t)(x >> (24 - 8 * i));
}

static void schedule(const uint8_t *block, uint32_t w[64])
{
	for (unsigned t = 0; t < 16; t++)
		w[t] = get_be32(block + 4 * t);
	for (unsigned t = 16; t < 64; t++) {
		uint32_t a = w[t - 15], b = w[t - 2];

		w[t] = (rotr(b, 17) ^ rotr(b, 19) ^ b >> 10) + w[t - 7] +
		       (rotr(a, 7) ^ rotr(a, 18) ^ a >> 3) + w[t - 16];
	}
}

static void compress(struct sha256 *h, const uint8_t *block)
{
	uint32_t w[64], v[8];

	schedule(block, w);
	memcpy(v, h->state, sizeof(v));
	for (unsigned t = 0; t < 64; t++) {
		uint32_t e = v[4], a = v[0];
		uint32_t t1 = v[7] + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) +
			      ((e & v[5]) ^ (~e & v[6])) + constants[t] + w[t];
		uint32_t t2 = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) +
			      ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));

		memmove(v + 1, v, 7 * sizeof(*v));
		v[4] += t1;
		v[0] = t1 + t2;
	}
	for (unsigned i = 0; i < 8; i++)
		h->state[i] += v[i];
}

void sha256_init(struct sha256 *h)
{
	*h = (struct sha256){ .state = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
					 0x510e527f, 0x9b05688c, 0x1f83d9ab,
					 0x5be0cd19 } };
}

void sha256_add(struct sha256 *h, struct span s)
{
	const uint8_t *p = s.data;
	size_t len = s.len;

	while (len) {
		size_t used = (size_t)(h->total % sizeof(h->block));
		size_t room = sizeof(h->block) - used, n = len < room ? len : room;

		memcpy(h->block + used, p, n);
		h->total += n;
		p += n;
		len -= n;
		if (n == room)
			compress(h, h->block);
	}
}

void sha256_finish(struct sha256 *h, uint8_t ret[SHA256_BYTES])
{
	static const uint8_t pad[64] = { 0x80 };
	uint64_t bits = h->total * 8;
	size_t used = (size_t)(h->total % 64);
	uint8_t length[8];

	sha256_add(h, span_of(pad, used < 56 ? 56 - used : 120 - used));
	put_be32(length, (uint32_t)(bits >> 32));
	put_be32(length + 4, (uint32_t)bits);
	sha256_add(h, span_of(length, sizeof(length)));
	for (unsigned i = 0; i < 8; i++)
		put_be32(ret + 4 * i, h->state[i]);
}
