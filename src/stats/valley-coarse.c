/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/valley.h"

#include <math.h>

/* The densest interval that surely holds enough, among those left or right of a knot. */
struct peak {
	double density; /* share an octave, at least; 0 = there is none */
	double octaves, center;
};

struct view {
	const struct coarse *c;
	size_t from, to; /* knots of the range, inclusive */
	double least;	 /* share that a peak must hold */
	struct peak left[COARSE_MAX_KNOTS], right[COARSE_MAX_KNOTS];
};

static struct peak peak_between(const struct view *v, size_t a, size_t b)
{
	const struct coarse_knot *x = &v->c->knot[a], *y = &v->c->knot[b];
	double share = y->low - x->high;

	if (share < v->least || x->ns < 1)
		return (struct peak){ 0 };
	return (struct peak){ .density = share / log2(y->ns / x->ns),
			      .octaves = log2(y->ns / x->ns),
			      .center = (log2(x->ns) + log2(y->ns)) / 2 };
}

static void find_peaks(struct view *v)
{
	for (size_t b = v->from; b <= v->to; b++) {
		v->left[b] = b > v->from ? v->left[b - 1] : (struct peak){ 0 };
		for (size_t a = v->from; a < b; a++) {
			struct peak p = peak_between(v, a, b);

			if (p.density > v->left[b].density)
				v->left[b] = p;
		}
	}
	for (size_t a = v->to + 1; a-- > v->from;) {
		v->right[a] = a < v->to ? v->right[a + 1] : (struct peak){ 0 };
		for (size_t b = a + 1; b <= v->to; b++) {
			struct peak p = peak_between(v, a, b);

			if (p.density > v->right[a].density)
				v->right[a] = p;
		}
	}
}

static bool above_noise(const struct coarse *c, const struct valley_rule *rule,
			const struct peak *p, double valley_density, double octaves)
{
	double n = (double)c->n_total * fmin(p->octaves, octaves);
	double peak = n * p->density, valley = n * valley_density;

	/* without the number of requests the shares must speak alone */
	return !c->n_total || (peak - valley) / sqrt(peak + valley + 1) >= rule->noise;
}

/* Valley depth between knots A and B relative to the smaller peak; HUGE_VAL when it is none. */
static double valley_depth(const struct view *v, const struct valley_rule *rule, size_t a,
			   size_t b)
{
	const struct peak *l = &v->left[a], *r = &v->right[b];
	const struct coarse_knot *x = &v->c->knot[a], *y = &v->c->knot[b];
	double octaves, density, depth;

	if (!(l->density > 0) || !(r->density > 0) ||
	    r->center - l->center < rule->apart_octaves)
		return HUGE_VAL;
	octaves = log2(y->ns / x->ns);
	density = (y->high - x->low) / octaves;
	depth = density / fmin(l->density, r->density);
	if (depth > rule->depth || !above_noise(v->c, rule, l, density, octaves) ||
	    !above_noise(v->c, rule, r, density, octaves))
		return HUGE_VAL;
	return depth;
}

/* Cut where F is known best. */
static double cut_between(const struct coarse *c, size_t a, size_t b)
{
	size_t best = a;

	for (size_t i = a; i <= b; i++) {
		if (c->knot[i].high - c->knot[i].low <
		    c->knot[best].high - c->knot[best].low)
			best = i;
	}
	return c->knot[best].ns;
}

static bool view_init(struct view *v, const struct coarse *c,
		      const struct valley_rule *rule, struct valley_range range)
{
	size_t from = 0, to = c->n_knots;

	while (from < c->n_knots && c->knot[from].ns < range.low_ns)
		from++;
	while (to > from && c->knot[to - 1].ns > range.high_ns)
		to--;
	if (to - from < 4) /* two peaks and a valley need four places */
		return false;
	v->c = c;
	v->from = from;
	v->to = to - 1;
	v->least = rule->least_share * range.total;
	if (c->n_total)
		v->least = fmax(v->least, rule->least_count / (double)c->n_total);
	find_peaks(v);
	return true;
}

bool valley_cut_coarse(const struct coarse *c, const struct valley_rule *rule,
		       struct valley_range range, double *ret_ns)
{
	double best = HUGE_VAL;
	size_t best_a = 0, best_b = 0;
	struct view v;

	if (!view_init(&v, c, rule, range))
		return false;
	for (size_t a = v.from; a < v.to; a++) {
		for (size_t b = a + 1; b <= v.to; b++) {
			double depth = valley_depth(&v, rule, a, b);

			if (depth < best) {
				best = depth;
				best_a = a;
				best_b = b;
			}
		}
	}
	if (!(best <= rule->depth))
		return false;
	*ret_ns = cut_between(c, best_a, best_b);
	return true;
}
