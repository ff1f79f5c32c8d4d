/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/fisher.h"

#include <math.h>

#include "stats/special.h"

/* Tables that should be equally probable differ in their last digits. */
#define SAME 1.0000001
#define REST 1e-17

/* The table as numbers: upper left corner, first row, first column, all. */
struct margins {
	double a, row, column, total;
};

static struct margins margins_of(struct fisher_table t)
{
	return (struct margins){ .a = t.a,
				 .row = (double)t.a + t.b,
				 .column = (double)t.a + t.c,
				 .total = (double)t.a + t.b + t.c + t.d };
}

static double least(const struct margins *m)
{
	return fmax(0, m->row + m->column - m->total);
}

static double most(const struct margins *m)
{
	return fmin(m->row, m->column);
}

static double log_probability(const struct margins *m, double a)
{
	return special_log_choose(m->row, a) +
	       special_log_choose(m->total - m->row, m->column - a) -
	       special_log_choose(m->total, m->column);
}

/* P(a + 1) / P(a) */
static double ratio_up(const struct margins *m, double a)
{
	return (m->row - a) * (m->column - a) /
	       ((a + 1) * (m->total - m->row - m->column + a + 1));
}

/* Sum over a, a+1, ... (STEP 1) or a, a-1, ... (STEP -1), falling away from the middle. */
static double tail(const struct margins *m, double a, int step)
{
	double term = exp(log_probability(m, a)), sum = 0;

	while (a >= least(m) && a <= most(m)) {
		double factor = step > 0 ? ratio_up(m, a) : 1 / ratio_up(m, a - 1);

		sum += term;
		/* beyond the middle each term is smaller than the one before */
		if (factor < 1 && term < sum * REST)
			break;
		term *= factor;
		a += step;
	}
	return sum;
}

static double middle(const struct margins *m)
{
	return floor((m->row + 1) * (m->column + 1) / (m->total + 2));
}

double fisher_greater(struct fisher_table t)
{
	struct margins m = margins_of(t);

	if (m.a <= least(&m))
		return 1;
	/* the shorter way round: the tail that does not hold the middle */
	if (m.a > middle(&m))
		return fmin(tail(&m, m.a, 1), 1);
	return fmax(1 - tail(&m, m.a - 1, -1), 0);
}

/* The other side of A: the place nearest to the middle that is no more probable than LIMIT. */
static double mirror(const struct margins *m, double limit, int step)
{
	double near = step > 0 ? fmax(middle(m), m->a + 1) : fmin(middle(m), m->a - 1);
	double far = step > 0 ? most(m) + 1 : least(m) - 1;

	if (log_probability(m, near) <= limit)
		return near;
	while (fabs(far - near) > 1) {
		double half = floor((near + far) / 2);

		if (log_probability(m, half) <= limit)
			far = half;
		else
			near = half;
	}
	return far;
}

double fisher_two_sided(struct fisher_table t)
{
	struct margins m = margins_of(t);
	double limit = log_probability(&m, m.a) + log(SAME), sum, other;
	int side = m.a > middle(&m) ? 1 : -1;

	if (least(&m) >= most(&m))
		return 1;
	other = mirror(&m, limit, -side);
	sum = tail(&m, m.a, side);
	if (other >= least(&m) && other <= most(&m))
		sum += tail(&m, other, -side);
	return fmin(sum, 1);
}
