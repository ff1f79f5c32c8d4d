/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/noise.h"

#include <errno.h>
#include <math.h>

#include "stats/special.h"

#define LEAST_P	     0.01
#define LEAST_EFFECT 0.05

static bool row_is_usable(const struct noise_row *r)
{
	return r->n >= 2 && isfinite(r->mean) && isfinite(r->stddev) && r->stddev >= 0;
}

/* t with 2.5 % above it */
static double student_limit(double df)
{
	double low = 0, high = 1e4;

	for (int i = 0; i < 100; i++) {
		double half = (low + high) / 2;

		if (special_student_above(half, df) > 0.025)
			low = half;
		else
			high = half;
	}
	return high;
}

int noise_means(const struct noise_row *a, const struct noise_row *b, struct noise *ret)
{
	struct noise r = { 0 };
	double va, vb, error;

	if (!row_is_usable(a) || !row_is_usable(b))
		return -EINVAL;
	va = a->stddev * a->stddev / (double)a->n;
	vb = b->stddev * b->stddev / (double)b->n;
	if (!(va + vb > 0) || !isfinite(va + vb))
		return -EDOM;
	error = sqrt(va + vb);
	r.difference = b->mean - a->mean;
	r.t = r.difference / error;
	/* Welch and Satterthwaite; as shares, so that tiny variances do not underflow */
	va /= va + vb;
	vb = 1 - va;
	r.df = 1 / (va * va / (double)(a->n - 1) + vb * vb / (double)(b->n - 1));
	r.p = 2 * special_student_above(fabs(r.t), r.df);
	r.low = r.difference - student_limit(r.df) * error;
	r.high = r.difference + student_limit(r.df) * error;
	r.is_noise = r.p >= LEAST_P || fabs(r.difference) < LEAST_EFFECT * fabs(a->mean);
	*ret = r;
	return 0;
}

int noise_deviations(const struct noise_row *a, const struct noise_row *b, double *ret_p)
{
	double df1, df2, f;

	if (!row_is_usable(a) || !row_is_usable(b))
		return -EINVAL;
	if (!(a->stddev > 0) || !(b->stddev > 0))
		return -EDOM;
	df1 = (double)(b->n - 1);
	df2 = (double)(a->n - 1);
	f = (b->stddev / a->stddev) * (b->stddev / a->stddev);
	*ret_p = fmin(1, 2 * fmin(special_f_above(f, df1, df2),
				  special_f_above(1 / f, df2, df1)));
	return 0;
}

unsigned noise_runs_needed(const struct noise_row *a, const struct noise_row *b)
{
	struct noise_row x = *a, y = *b;

	for (unsigned n = 2; n <= NOISE_MAX_RUNS; n++) {
		struct noise r;

		x.n = n;
		y.n = n;
		if (noise_means(&x, &y, &r) < 0)
			return 0;
		if (r.p < LEAST_P)
			return n;
	}
	return 0;
}
