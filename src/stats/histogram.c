/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/histogram.h"

#include <math.h>

/* Values that have a bucket each: two groups, because the first power of two cut in 64 is 2^7. */
#define EXACT (2u * HISTOGRAM_GROUP)
#define LAST  (HISTOGRAM_BUCKETS - 1u)

/* Bits below the 7 highest: how far a value is shifted to name its bucket. 0 for exact ones. */
static unsigned spare_bits(uint64_t ns)
{
	unsigned bits = 0;

	for (unsigned step = 32; step; step /= 2) {
		if (ns >> (bits + step) >= HISTOGRAM_GROUP)
			bits += step;
	}
	return bits;
}

size_t histogram_index(uint64_t ns)
{
	unsigned bits = spare_bits(ns);
	/* the shifted value is 64..127 (or less when bits is 0): group number and place in one */
	size_t index = (size_t)bits * HISTOGRAM_GROUP + (size_t)(ns >> bits);

	return index < LAST ? index : LAST;
}

uint64_t histogram_index_low(size_t index)
{
	unsigned bits;

	if (index > HISTOGRAM_BUCKETS)
		index = HISTOGRAM_BUCKETS;
	if (index < EXACT)
		return index;
	bits = (unsigned)(index / HISTOGRAM_GROUP) - 1u;
	return (HISTOGRAM_GROUP + index % HISTOGRAM_GROUP) << bits;
}

uint64_t histogram_index_value(size_t index)
{
	uint64_t low = histogram_index_low(index < LAST ? index : LAST);

	return low + (histogram_index_low((index < LAST ? index : LAST) + 1u) - low) / 2u;
}

void histogram_add_many(struct histogram *h, uint64_t ns, uint64_t n)
{
	uint32_t *count = &h->count[histogram_index(ns)];
	double value = (double)ns;

	if (n > UINT32_MAX - *count)
		n = UINT32_MAX - *count;
	if (!n)
		return;
	*count += (uint32_t)n;
	if (!h->n_total || ns < h->min_ns)
		h->min_ns = ns;
	if (!h->n_total || ns > h->max_ns)
		h->max_ns = ns;
	h->n_total += n;
	h->sum_ns += value * (double)n;
	h->sum_square_ns += value * value * (double)n;
}

void histogram_add(struct histogram *h, uint64_t ns)
{
	histogram_add_many(h, ns, 1);
}

void histogram_merge(struct histogram *to, const struct histogram *from)
{
	if (!from->n_total)
		return;
	if (!to->n_total || from->min_ns < to->min_ns)
		to->min_ns = from->min_ns;
	if (!to->n_total || from->max_ns > to->max_ns)
		to->max_ns = from->max_ns;
	for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
		uint32_t room = UINT32_MAX - to->count[i];
		uint32_t n = from->count[i] < room ? from->count[i] : room;

		to->count[i] += n;
		to->n_total += n;
	}
	to->sum_ns += from->sum_ns;
	to->sum_square_ns += from->sum_square_ns;
}

bool histogram_rank(const struct histogram *h, uint64_t rank, uint64_t *ret_ns)
{
	uint64_t seen = 0;

	if (!rank || rank > h->n_total)
		return false;
	for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
		seen += h->count[i];
		if (seen < rank)
			continue;
		/* the last bucket is open: only max_ns knows how long its values are */
		*ret_ns = i == LAST && rank == h->n_total ? h->max_ns
							  : histogram_index_value(i);
		return true;
	}
	return false;
}

bool histogram_quantile(const struct histogram *h, uint32_t ppm, uint64_t *ret_ns)
{
	const uint64_t million = 1000000u;
	uint64_t n = h->n_total, rank;

	if (!n)
		return false;
	if (ppm > million)
		ppm = (uint32_t)million;
	/* ceil(n * ppm / 10^6) without overflow: n is cut into millions and a rest */
	rank = n / million * ppm + (n % million * ppm + million - 1u) / million;
	return histogram_rank(h, rank ? rank : 1u, ret_ns);
}

uint64_t histogram_count_below(const struct histogram *h, uint64_t ns)
{
	size_t end = histogram_index(ns);
	uint64_t n = 0;

	for (size_t i = 0; i < end; i++)
		n += h->count[i];
	return n;
}

bool histogram_mean(const struct histogram *h, double *ret_mean_ns, double *ret_stddev_ns)
{
	double n = (double)h->n_total, mean, variance = 0;

	if (!h->n_total)
		return false;
	mean = h->sum_ns / n;
	if (h->n_total > 1)
		variance = (h->sum_square_ns - n * mean * mean) / (n - 1);
	*ret_mean_ns = mean;
	/* rounding may leave a hair below zero when all values are equal */
	*ret_stddev_ns = variance > 0 ? sqrt(variance) : 0;
	return true;
}
