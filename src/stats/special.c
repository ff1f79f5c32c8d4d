/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/special.h"

#include <float.h>
#include <math.h>

#define MAX_STEPS 100000
#define TINY	  1e-300 /* stands for 0 in a continued fraction */

/* lgamma() keeps the sign in a global; this does not, and the sign is always + here. */
static double log_gamma(double x)
{
	int sign;

	return lgamma_r(x, &sign);
}

double special_log_factorial(double n)
{
	return log_gamma(n + 1);
}

double special_log_choose(double n, double k)
{
	return log_gamma(n + 1) - log_gamma(k + 1) - log_gamma(n - k + 1);
}

/*
 * x^a e^-x / Gamma(a). For a large a both factors are huge and nearly cancel, so they are taken
 * together around x = a: a log(x/a) - (x - a), with Stirling's series for Gamma(a).
 */
static double gamma_factor(double a, double x)
{
	double d = (x - a) / a;

	if (a < 20)
		return exp(a * log(x) - x - log_gamma(a));
	return exp(a * (log1p(d) - d) - 1 / (12 * a) + 1 / (360 * a * a * a) -
		   1 / (1260 * a * a * a * a * a)) *
	       sqrt(a / 6.283185307179586);
}

/* 6.5.29: fast for x < a + 1 */
static double gamma_series(double a, double x)
{
	double term = 1 / a, sum = term;

	for (int i = 1; i < MAX_STEPS && term > sum * DBL_EPSILON / 4; i++) {
		term *= x / (a + i);
		sum += term;
	}
	return sum * gamma_factor(a, x);
}

/* 6.5.31 by Lentz's method: fast for x > a + 1 */
static double gamma_fraction(double a, double x)
{
	double b = x + 1 - a, c = 1 / TINY, d = 1 / b, product = d;

	for (int i = 1; i < MAX_STEPS; i++) {
		double factor = -i * (i - a);

		b += 2;
		d = factor * d + b;
		c = b + factor / c;
		d = 1 / (fabs(d) < TINY ? TINY : d);
		c = fabs(c) < TINY ? TINY : c;
		product *= c * d;
		if (fabs(c * d - 1) < DBL_EPSILON)
			break;
	}
	return product * gamma_factor(a, x);
}

double special_gamma_p(double a, double x)
{
	if (!(x > 0))
		return 0;
	return x < a + 1 ? gamma_series(a, x) : 1 - gamma_fraction(a, x);
}

double special_gamma_q(double a, double x)
{
	if (!(x > 0))
		return 1;
	return x < a + 1 ? 1 - gamma_series(a, x) : gamma_fraction(a, x);
}

/* One step of the fraction: c and d of Lentz's method, and the product so far. */
static double lentz_step(double factor, double *c, double *d)
{
	*d = 1 + factor * *d;
	*d = 1 / (fabs(*d) < TINY ? TINY : *d);
	*c = 1 + factor / *c;
	if (fabs(*c) < TINY)
		*c = TINY;
	return *c * *d;
}

/* DLMF 8.17.22: fast for x < (a + 1) / (a + b + 2) */
static double beta_fraction(double a, double b, double x)
{
	double c = 1, d = 0, product = 1;

	for (int m = 0; m < MAX_STEPS; m++) {
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double even =
			(m + 1) * (b - m - 1) * x / ((a + 2 * m + 1) * (a + 2 * m + 2));
		double change;

		product *= lentz_step(odd, &c, &d);
		change = lentz_step(even, &c, &d);
		product *= change;
		if (fabs(change - 1) < DBL_EPSILON)
			break;
	}
	return product;
}

double special_beta(double a, double b, double x)
{
	double log_factor;

	if (!(x > 0))
		return 0;
	if (x >= 1)
		return 1;
	log_factor = a * log(x) + b * log1p(-x) + log_gamma(a + b) - log_gamma(a) -
		     log_gamma(b);
	if (x < (a + 1) / (a + b + 2))
		return exp(log_factor) / (a * beta_fraction(a, b, x));
	return 1 - exp(log_factor) / (b * beta_fraction(b, a, 1 - x));
}

double special_student_above(double t, double df)
{
	/* 26.7.1; of two equal forms the one that keeps its digits */
	double tail =
		t * t < df ? 0.5 * (1 - special_beta(0.5, df / 2, t * t / (df + t * t)))
			   : 0.5 * special_beta(df / 2, 0.5, df / (df + t * t));

	return t >= 0 ? tail : 1 - tail;
}

double special_f_above(double f, double df1, double df2)
{
	return f > 0 ? special_beta(df2 / 2, df1 / 2, df2 / (df2 + df1 * f)) : 1;
}

double special_normal_above(double z)
{
	return 0.5 * erfc(z / 1.4142135623730951);
}

static void swap(double *a, double *b)
{
	double t = *a;

	*a = *b;
	*b = t;
}

/* Hoare's selection; the middle as pivot keeps sorted and equal values fast. */
double special_select(double *values, size_t n, size_t k)
{
	size_t low = 0, high = n - 1;

	while (low < high) {
		double pivot = values[low + (high - low) / 2];
		size_t i = low, j = high;

		for (;;) {
			while (values[i] < pivot)
				i++;
			while (values[j] > pivot)
				j--;
			if (i >= j)
				break;
			swap(&values[i++], &values[j--]);
		}
		/* all of low..j are <= pivot, all of j+1..high are >= pivot */
		if (k <= j)
			high = j;
		else
			low = j + 1;
	}
	return values[k];
}

double special_median(double *values, size_t n)
{
	double upper = special_select(values, n, n / 2), lower;

	if (n % 2)
		return upper;
	/* after selecting, the lower half stands in front */
	lower = values[0];
	for (size_t i = 1; i < n / 2; i++)
		lower = fmax(lower, values[i]);
	return (lower + upper) / 2;
}
