/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/compare.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "stats/special.h"

#define FIRST_BLOCK_NS	  50000000ull
#define MAX_CORRELATION	  0.2
#define LEAST_P		  0.01
#define LEAST_EFFECT	  0.05
#define MAX_EXACT	  25u
#define MAX_EXACT_U	  (MAX_EXACT * MAX_EXACT)
#define HALF_OF_5_PERCENT 0.025

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void sort(double *values, size_t n)
{
	qsort(values, n, sizeof(values[0]), compare_doubles);
}

/* ---- Mann and Whitney ---- */

/*
 * P(U <= u) when A and B are alike, without ties: the number of ways is the coefficient of x^u in
 * the Gaussian binomial product over (1 - x^(m+i)) / (1 - x^i), whole numbers below 2^53.
 */
static double exact_below(size_t n, size_t m, double u)
{
	double ways[MAX_EXACT_U + 1] = { 1 }, sum = 0, all = 0;
	size_t top = n * m;

	for (size_t i = 1; i <= n; i++) {
		for (size_t k = top; k >= m + i; k--)
			ways[k] -= ways[k - m - i];
		for (size_t k = i; k <= top; k++)
			ways[k] += ways[k - i];
	}
	for (size_t k = 0; k <= top; k++) {
		all += ways[k];
		if ((double)k <= u)
			sum += ways[k];
	}
	return sum / all;
}

/* Pairs with b < a, ties half; and the sum of t^3 - t over groups of equal values. */
static double count_u(const double *a, size_t n_a, const double *b, size_t n_b,
		      double *ret_ties)
{
	double u = 0, ties = 0;
	size_t i = 0, k = 0;

	while (i < n_a || k < n_b) {
		double value = k >= n_b || (i < n_a && a[i] < b[k]) ? a[i] : b[k];
		size_t in_a = 0, in_b = 0;

		while (i < n_a && a[i] <= value) {
			i++;
			in_a++;
		}
		while (k < n_b && b[k] <= value) {
			k++;
			in_b++;
		}
		/* of these in_a the b before them count whole, the equal ones half */
		u += (double)in_a * ((double)(k - in_b) + (double)in_b / 2);
		ties += pow((double)(in_a + in_b), 3) - (double)(in_a + in_b);
	}
	*ret_ties = ties;
	return u;
}

static double normal_p(double u, double n, double m, double ties)
{
	double total = n + m;
	double variance = n * m / 12 * (total + 1 - ties / (total * (total - 1)));
	double distance = fabs(u - n * m / 2) - 0.5; /* continuity */

	if (!(variance > 0) || distance <= 0)
		return 1;
	return fmin(1, 2 * special_normal_above(distance / sqrt(variance)));
}

double compare_mann_whitney(double *a, size_t n_a, double *b, size_t n_b)
{
	double ties, u;

	if (!n_a || !n_b)
		return 1;
	sort(a, n_a);
	sort(b, n_b);
	u = count_u(a, n_a, b, n_b, &ties);
	if (ties > 0 || n_a > MAX_EXACT || n_b > MAX_EXACT)
		return normal_p(u, (double)n_a, (double)n_b, ties);
	u = fmin(u, (double)n_a * (double)n_b - u);
	return fmin(1, 2 * exact_below(n_a, n_b, u));
}

/* ---- Hodges and Lehmann ---- */

/* Pairs with b - a <= x; both sorted. */
static size_t pairs_below(const double *a, size_t n_a, const double *b, size_t n_b,
			  double x)
{
	size_t pairs = 0, k = 0;

	for (size_t i = 0; i < n_a; i++) {
		while (k < n_b && b[k] - a[i] <= x)
			k++;
		pairs += k;
	}
	return pairs;
}

/* The RANK-th smallest difference b - a (1 = least), by halving; exact to the last digits. */
static double difference_at(const double *a, size_t n_a, const double *b, size_t n_b,
			    size_t rank)
{
	double low = b[0] - a[n_a - 1], high = b[n_b - 1] - a[0];

	if (pairs_below(a, n_a, b, n_b, low) >= rank)
		return low;
	for (int i = 0; i < 200; i++) {
		double half = low + (high - low) / 2;

		if (half <= low || half >= high)
			break;
		if (pairs_below(a, n_a, b, n_b, half) >= rank)
			high = half;
		else
			low = half;
	}
	return high;
}

/* How many of the smallest differences a 95 % interval leaves out; 0 = it has no end. */
static size_t left_out(size_t n, size_t m)
{
	double middle = (double)n * (double)m / 2;
	double sigma = sqrt((double)n * (double)m * (double)(n + m + 1) / 12);
	size_t k = 0;

	if (n > MAX_EXACT || m > MAX_EXACT)
		return (size_t)fmax(floor(middle - 1.959963985 * sigma), 0);
	while (exact_below(n, m, (double)k) <= HALF_OF_5_PERCENT)
		k++;
	return k;
}

static void estimate(const double *a, size_t n_a, const double *b, size_t n_b,
		     struct compare *ret)
{
	size_t pairs = n_a * n_b, k = left_out(n_a, n_b);
	double lower = difference_at(a, n_a, b, n_b, (pairs + 1) / 2);
	double upper = difference_at(a, n_a, b, n_b, pairs / 2 + 1);

	ret->ratio = exp((lower + upper) / 2);
	ret->low = k ? exp(difference_at(a, n_a, b, n_b, k)) : 0;
	ret->high = k ? exp(difference_at(a, n_a, b, n_b, pairs + 1 - k)) : HUGE_VAL;
}

/* ---- both ---- */

static int take_logarithms(const double *from, size_t n, double *to)
{
	for (size_t i = 0; i < n; i++) {
		if (!(from[i] > 0) || !isfinite(from[i]))
			return -EINVAL;
		to[i] = log(from[i]);
	}
	return 0;
}

int compare_blocks(const double *a, size_t n_a, const double *b, size_t n_b,
		   struct compare *ret)
{
	double x[COMPARE_MAX_BLOCKS], y[COMPARE_MAX_BLOCKS];
	struct compare c = { .n_a = n_a, .n_b = n_b };

	if (n_a > COMPARE_MAX_BLOCKS || n_b > COMPARE_MAX_BLOCKS)
		return -E2BIG;
	if (n_a < COMPARE_LEAST_BLOCKS || n_b < COMPARE_LEAST_BLOCKS)
		return -ENODATA;
	if (take_logarithms(a, n_a, x) < 0 || take_logarithms(b, n_b, y) < 0)
		return -EINVAL;
	c.p = compare_mann_whitney(x, n_a, y, n_b);
	estimate(x, n_a, y, n_b, &c);
	c.significant = c.p < LEAST_P && fabs(c.ratio - 1) > LEAST_EFFECT;
	*ret = c;
	return 0;
}

size_t compare_block_medians(const struct compare_sample *s, size_t n, uint64_t block_ns,
			     double *scratch, double ret[COMPARE_MAX_BLOCKS])
{
	size_t blocks = 0, in_block = 0;

	for (size_t i = 0; i < n && blocks < COMPARE_MAX_BLOCKS; i++) {
		uint64_t block = (s[i].at_ns - s[0].at_ns) / block_ns;

		scratch[in_block++] = (double)s[i].latency_ns;
		/* the last block is full only if a later request proves it */
		if (i + 1 < n && (s[i + 1].at_ns - s[0].at_ns) / block_ns != block) {
			ret[blocks++] = special_median(scratch, in_block);
			in_block = 0;
		}
	}
	return blocks;
}

double compare_autocorrelation(const double *values, size_t n)
{
	double mean = 0, square = 0, product = 0;

	if (n < 3)
		return 0;
	for (size_t i = 0; i < n; i++)
		mean += values[i] / (double)n;
	for (size_t i = 0; i < n; i++) {
		square += (values[i] - mean) * (values[i] - mean);
		if (i)
			product += (values[i] - mean) * (values[i - 1] - mean);
	}
	return square > 0 ? product / square : 0;
}

int compare_runs(const struct compare_sample *a, size_t n_a,
		 const struct compare_sample *b, size_t n_b, double *scratch,
		 struct compare *ret)
{
	double x[COMPARE_MAX_BLOCKS], y[COMPARE_MAX_BLOCKS];

	for (uint64_t block_ns = FIRST_BLOCK_NS;; block_ns *= 2) {
		size_t blocks_a = compare_block_medians(a, n_a, block_ns, scratch, x);
		size_t blocks_b = compare_block_medians(b, n_b, block_ns, scratch, y);
		int r;

		if (blocks_a < COMPARE_LEAST_BLOCKS || blocks_b < COMPARE_LEAST_BLOCKS)
			return -ENODATA;
		if (compare_autocorrelation(x, blocks_a) >= MAX_CORRELATION ||
		    compare_autocorrelation(y, blocks_b) >= MAX_CORRELATION)
			continue;
		r = compare_blocks(x, blocks_a, y, blocks_b, ret);
		if (!r)
			ret->block_ns = block_ns;
		return r;
	}
}
