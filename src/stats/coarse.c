/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/coarse.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define MILLION 1e6
/* Printed shares have two digits behind the point; below the last of them fio prints 0.01. */
#define ROUNDING_SHARE	0.00005
#define LEAST_SHARE_PPM 100u
#define MAX_SUM_ERROR	0.02
#define MAX_CONFLICT	0.02

static const uint32_t edges_of_a_unit[] = { 2, 4, 10, 20, 50, 100, 250, 500, 750, 1000 };

uint64_t coarse_bucket_low(uint64_t end_ns)
{
	const uint64_t last_ns = 2000000000u;
	uint64_t low = 0;

	if (end_ns >= COARSE_OPEN_NS)
		return last_ns;
	if (end_ns == last_ns)
		return last_ns / 2;
	for (uint64_t unit = 1; unit <= 1000000u; unit *= 1000u) {
		for (size_t i = 0; i < array_size(edges_of_a_unit); i++) {
			if (edges_of_a_unit[i] * unit == end_ns)
				return low;
			low = edges_of_a_unit[i] * unit;
		}
	}
	return 0;
}

/* The unit a value was printed in, as far as its trailing zeros tell. */
static double printed_unit(uint64_t ns)
{
	if (ns % 1000000u == 0)
		return 1e6;
	return ns % 1000u == 0 ? 1e3 : 1;
}

/* One unit for all percentiles of a table: fio prints a table in one unit. */
static double unit_of_table(const struct coarse_input *in)
{
	double unit = 1e6;

	for (size_t i = 0; i < in->n_quantiles; i++) {
		if (in->quantiles[i].ns)
			unit = fmin(unit, printed_unit(in->quantiles[i].ns));
	}
	return unit > 1 ? unit : 0;
}

static void add_knot(struct coarse *c, double ns, double low, double high)
{
	if (c->n_knots < COARSE_MAX_KNOTS)
		c->knot[c->n_knots++] = (struct coarse_knot){ ns, low, high };
}

static void add_point(struct coarse *c, double ns, double share)
{
	if (ns >= 1 && c->n_points < COARSE_MAX_KNOTS)
		c->point[c->n_points++] = (struct coarse_point){ ns, share };
}

static int add_quantiles(struct coarse *c, const struct coarse_input *in)
{
	double unit = unit_of_table(in);

	for (size_t i = 0; i < in->n_quantiles; i++) {
		double p = in->quantiles[i].ppm / MILLION,
		       ns = (double)in->quantiles[i].ns;

		/* fio 2.x fills unused places of its JSON list with 0 */
		if (!in->quantiles[i].ppm || !in->quantiles[i].ns ||
		    in->quantiles[i].ppm > 1000000u)
			continue;
		for (size_t k = 0; k < i; k++) {
			if ((in->quantiles[k].ppm < in->quantiles[i].ppm &&
			     in->quantiles[k].ns > in->quantiles[i].ns) ||
			    (in->quantiles[k].ppm > in->quantiles[i].ppm &&
			     in->quantiles[k].ns && in->quantiles[k].ppm <= 1000000u &&
			     in->quantiles[k].ns < in->quantiles[i].ns))
				return -EBADMSG;
		}
		add_knot(c, floor(fmax((ns - unit) * (127.0 / 128), 0)), 0, p);
		add_knot(c, ceil((ns + unit) * (129.0 / 128)), p, 1);
		add_point(c, ns, p);
	}
	return 0;
}

static double row_error(uint32_t share_ppm)
{
	if (!share_ppm)
		return 0;
	return share_ppm <= LEAST_SHARE_PPM ? LEAST_SHARE_PPM / MILLION : ROUNDING_SHARE;
}

/* F at one edge: from the rows below it and from the rows above it, whichever knows better. */
static void add_edge(struct coarse *c, const struct coarse_input *in, uint64_t edge)
{
	double below = 0, below_error = 0, above = 0, above_error = 0, low, high;

	for (size_t i = 0; i < in->n_buckets; i++) {
		double share = in->buckets[i].share_ppm / MILLION;
		double error = row_error(in->buckets[i].share_ppm);

		if (in->buckets[i].end_ns <= edge) {
			below += share;
			below_error += error;
		} else {
			above += share;
			above_error += error;
		}
	}
	low = fmax(below - below_error, 1 - above - above_error);
	high = fmin(below + below_error, 1 - above + above_error);
	add_knot(c, (double)edge, fmax(fmin(low, high), 0), fmin(fmax(low, high), 1));
	add_point(c, (double)edge, fmin((below + 1 - above) / 2, 1));
}

static void add_buckets(struct coarse *c, const struct coarse_input *in)
{
	double sum = 0;

	for (size_t i = 0; i < in->n_buckets; i++)
		sum += in->buckets[i].share_ppm / MILLION;
	if (!in->n_buckets || fabs(sum - 1) > MAX_SUM_ERROR)
		return;
	c->buckets_used = true;
	for (size_t i = 0; i < in->n_buckets; i++) {
		uint64_t end = in->buckets[i].end_ns;

		/* the lower edge matters when fio left the row below it out */
		add_edge(c, in, coarse_bucket_low(end));
		if (end < COARSE_OPEN_NS)
			add_edge(c, in, end);
	}
}

static int compare_knots(const void *a, const void *b)
{
	const struct coarse_knot *x = a, *y = b;

	return (x->ns > y->ns) - (x->ns < y->ns);
}

static int compare_points(const void *a, const void *b)
{
	const struct coarse_point *x = a, *y = b;

	return x->ns != y->ns ? (x->ns > y->ns) - (x->ns < y->ns)
			      : (x->share > y->share) - (x->share < y->share);
}

/* Two statements about one place hold both. */
static void join_equal_knots(struct coarse *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n_knots; i++) {
		struct coarse_knot *k = &c->knot[n ? n - 1 : 0];

		if (!n || c->knot[i].ns > k->ns) {
			c->knot[n++] = c->knot[i];
			continue;
		}
		k->low = fmax(k->low, c->knot[i].low);
		k->high = fmin(k->high, c->knot[i].high);
	}
	c->n_knots = n;
}

/* F never falls: what holds at one place bounds all the others. */
static void spread_bounds(struct coarse *c)
{
	for (size_t i = 1; i < c->n_knots; i++)
		c->knot[i].low = fmax(c->knot[i].low, c->knot[i - 1].low);
	for (size_t i = c->n_knots; i-- > 1;)
		c->knot[i - 1].high = fmin(c->knot[i - 1].high, c->knot[i].high);
	for (size_t i = 0; i < c->n_knots; i++) {
		double low = c->knot[i].low, high = c->knot[i].high;

		if (low > high) {
			c->conflict = fmax(c->conflict, low - high);
			c->knot[i].low = high;
			c->knot[i].high = low;
		}
	}
}

static void sort_points(struct coarse *c)
{
	qsort(c->point, c->n_points, sizeof(c->point[0]), compare_points);
	for (size_t i = 1; i < c->n_points; i++)
		c->point[i].share = fmax(c->point[i].share, c->point[i - 1].share);
}

int coarse_init(struct coarse *c, const struct coarse_input *in)
{
	int r;

	*c = (struct coarse){ .n_total = in->n_total };
	if (in->n_quantiles > COARSE_MAX_INPUT || in->n_buckets > COARSE_MAX_INPUT)
		return -E2BIG;
	r = add_quantiles(c, in);
	if (r < 0)
		return r;
	add_buckets(c, in);
	if (!c->n_knots)
		return -ENODATA;
	if (in->min_ns) {
		add_knot(c, (double)in->min_ns, 0, 0);
		add_point(c, (double)in->min_ns, 0);
	}
	if (in->max_ns) {
		/* the printed maximum is cut or rounded to its unit */
		add_knot(c, (double)in->max_ns + printed_unit(in->max_ns), 1, 1);
		add_point(c, (double)in->max_ns, 1);
	}
	qsort(c->knot, c->n_knots, sizeof(c->knot[0]), compare_knots);
	join_equal_knots(c);
	spread_bounds(c);
	sort_points(c);
	return c->conflict > MAX_CONFLICT ? -EBADMSG : 0;
}

void coarse_share_below(const struct coarse *c, double ns, double *ret_low,
			double *ret_high)
{
	*ret_low = 0;
	*ret_high = 1;
	for (size_t i = 0; i < c->n_knots; i++) {
		if (c->knot[i].ns <= ns)
			*ret_low = fmax(*ret_low, c->knot[i].low);
		if (c->knot[i].ns >= ns)
			*ret_high = fmin(*ret_high, c->knot[i].high);
	}
}

double coarse_quantile_estimate(const struct coarse *c, double share)
{
	const struct coarse_point *p = c->point;

	if (!c->n_points)
		return (double)NAN;
	for (size_t i = 1; i < c->n_points; i++) {
		double part;

		if (p[i].share < share)
			continue;
		if (p[i].share <= p[i - 1].share || share <= p[i - 1].share)
			return p[i - 1].ns;
		part = (share - p[i - 1].share) / (p[i].share - p[i - 1].share);
		return exp(log(p[i - 1].ns) + part * log(p[i].ns / p[i - 1].ns));
	}
	return p[c->n_points - 1].ns;
}

double coarse_share_estimate(const struct coarse *c, double ns)
{
	const struct coarse_point *p = c->point;

	if (!c->n_points || ns < p[0].ns)
		return 0;
	for (size_t i = 1; i < c->n_points; i++) {
		if (p[i].ns > ns)
			return p[i - 1].share + (p[i].share - p[i - 1].share) *
							log(ns / p[i - 1].ns) /
							log(p[i].ns / p[i - 1].ns);
	}
	return p[c->n_points - 1].share;
}

/* Does some factor of 2 inside the gap hold next to nothing? Only bucket edges can tell. */
static bool gap_is_empty(const struct coarse *c, const struct coarse_gap *g)
{
	double side = fmin(g->below.ppm / MILLION, 1 - g->above.ppm / MILLION);

	for (size_t i = 0; i < c->n_knots; i++) {
		for (size_t k = i + 1; k < c->n_knots; k++) {
			if (c->knot[i].ns >= (double)g->below.ns &&
			    c->knot[k].ns <= (double)g->above.ns &&
			    c->knot[k].ns >= 2 * c->knot[i].ns &&
			    c->knot[k].high - c->knot[i].low < side / 10)
				return true;
		}
	}
	return false;
}

bool coarse_find_gap(const struct coarse *c, const struct coarse_input *in,
		     struct coarse_gap *ret)
{
	struct coarse_gap g = { .ratio = 0 };
	double low[2], high[2];

	for (size_t i = 0; i + 1 < in->n_quantiles; i++) {
		const struct coarse_quantile *q = &in->quantiles[i];

		if (!q[0].ns || q[0].ppm < 50000u || q[1].ppm > 950000u ||
		    q[1].ppm <= q[0].ppm ||
		    (double)q[1].ns / (double)q[0].ns <= fmax(g.ratio, 3))
			continue;
		g = (struct coarse_gap){ .below = q[0],
					 .above = q[1],
					 .ratio = (double)q[1].ns / (double)q[0].ns };
	}
	if (g.ratio < 3)
		return false;
	coarse_share_below(c, (double)g.below.ns * (129.0 / 128), &low[0], &high[0]);
	coarse_share_below(c, (double)g.above.ns * (127.0 / 128), &low[1], &high[1]);
	g.between_low = fmax(low[1] - high[0], 0);
	g.between_high = high[1] - low[0];
	g.confirmed = c->buckets_used && gap_is_empty(c, &g);
	*ret = g;
	return true;
}

/*
 * With F for the share below x: the fast part is the integral of F(from) - F(x) over 0..from, the
 * slow part is from * (1 - F(from)) plus the integral of 1 - F(x) above it. Between two knots F
 * is at least the lower bound of the left one and at most the upper bound of the right one.
 */
void coarse_time_split(const struct coarse *c, double from_ns, struct coarse_time *ret)
{
	struct coarse_time t = { 0 };
	double low, high, left = 0, left_low = 0;

	coarse_share_below(c, from_ns, &low, &high);
	t.fast_high = high * from_ns;
	t.slow_low = (1 - high) * from_ns;
	t.slow_high = (1 - low) * from_ns;
	for (size_t i = 0; i <= c->n_knots; i++) {
		bool end = i == c->n_knots;
		double right = end ? HUGE_VAL : c->knot[i].ns;
		double right_high = end ? 1 : c->knot[i].high;
		double fast = fmin(right, from_ns) - fmin(left, from_ns);
		double slow = fmax(right, from_ns) - fmax(left, from_ns);

		t.fast_high -= left_low * fast;
		t.fast_low += fmax(low - right_high, 0) * fast;
		if (right_high < 1)
			t.slow_low += (1 - right_high) * slow;
		if (left_low < 1)
			t.slow_high += (1 - left_low) * slow;
		left = right;
		left_low = end ? 1 : c->knot[i].low;
	}
	*ret = t;
}
