/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats-families.h"

#include <math.h>

#include "../unit/stats-random.h"
#include "base/attrs.h"

#define US 1e3
#define MS 1e6

static double lognormal(uint64_t *r, double middle, double sigma)
{
	return middle * exp(sigma * random_normal(r));
}

static double exponential(uint64_t *r, double mean)
{
	return -mean * log(random_unit(r));
}

static double lognormal_015(uint64_t *r)
{
	return lognormal(r, 100 * US, 0.15);
}

static double lognormal_04(uint64_t *r)
{
	return lognormal(r, 100 * US, 0.4);
}

static double lognormal_1(uint64_t *r)
{
	return lognormal(r, 100 * US, 1);
}

static double gamma_3(uint64_t *r)
{
	return exponential(r, 30 * US) + exponential(r, 30 * US) +
	       exponential(r, 30 * US);
}

static double exponential_100(uint64_t *r)
{
	return exponential(r, 100 * US);
}

/* Seek grows with the root of the distance between two random places; half a turn at 7200/min. */
static double rotating(uint64_t *r)
{
	double distance = fabs(random_unit(r) - random_unit(r));

	return (1 + 14 * sqrt(distance) + 8.33 * random_unit(r)) * MS;
}

static double outliers(uint64_t *r)
{
	return lognormal(r, random_unit(r) < 0.005 ? 5 * MS : 100 * US, 0.3);
}

const struct family one_mode[] = {
	{ "lognormal, sigma 0.15", lognormal_015 },
	{ "lognormal, sigma 0.4", lognormal_04 },
	{ "lognormal, sigma 1", lognormal_1 },
	{ "gamma, shape 3", gamma_3 },
	{ "exponential", exponential_100 },
	{ "rotating, seek and turn", rotating },
	{ "lognormal, 0.5 % at x50", outliers },
};
const size_t n_one_mode = array_size(one_mode);

static double page_types(uint64_t *r)
{
	static const double us[] = { 50, 70, 95 };

	return lognormal(r, us[random_next(r) % 3] * US, 0.04);
}

/* The shares and places of a published slow SSD. */
static double slow_ssd(uint64_t *r)
{
	double u = random_unit(r);

	if (u < 0.28)
		return lognormal(r, 55 * US, 0.2);
	if (u < 0.575)
		return lognormal(r, 170 * US, 0.25);
	if (u < 0.785)
		return lognormal(r, 5.5 * MS, 0.06);
	return u < 0.995 ? lognormal(r, 12.1 * MS, 0.04) : lognormal(r, 17.8 * MS, 0.04);
}

static double mix(uint64_t *r, double share, double factor, double sigma)
{
	return lognormal(r, random_unit(r) < share ? factor * 100 * US : 100 * US, sigma);
}

static double mix_30_4(uint64_t *r)
{
	return mix(r, 0.3, 4, 0.15);
}

static double mix_10_30(uint64_t *r)
{
	return mix(r, 0.1, 30, 0.3);
}

static double mix_5_30(uint64_t *r)
{
	return mix(r, 0.05, 30, 0.3);
}

static double mix_20_wide(uint64_t *r)
{
	return mix(r, 0.2, 3.7, 0.3);
}

static double rotating_retries(uint64_t *r)
{
	return rotating(r) + (random_unit(r) < 0.1 ? lognormal(r, 600 * MS, 0.2) : 0);
}

const struct family several_modes[] = {
	{ "page types 50/70/95 us", page_types },
	{ "slow SSD, as published", slow_ssd },
	{ "70/30 at x4", mix_30_4 },
	{ "90/10 at x30", mix_10_30 },
	{ "95/5 at x30", mix_5_30 },
	{ "80/20 at x3.7, wide", mix_20_wide },
	{ "rotating, 10 % retries", rotating_retries },
};
const size_t n_several_modes = array_size(several_modes);

static double slow_narrow(uint64_t *r)
{
	return lognormal(r, 8 * MS, 0.05);
}

static double slow_02(uint64_t *r)
{
	return lognormal(r, 8 * MS, 0.2);
}

static double slow_05(uint64_t *r)
{
	return lognormal(r, 8 * MS, 0.5);
}

static double slow_even(uint64_t *r)
{
	return (4 + 12 * random_unit(r)) * MS;
}

static double slow_queue(uint64_t *r)
{
	return 4 * MS + exponential(r, 4 * MS);
}

const struct family one_step[] = {
	{ "lognormal, sigma 0.05", slow_narrow }, { "lognormal, sigma 0.2", slow_02 },
	{ "lognormal, sigma 0.5", slow_05 },	  { "even, 4..16 ms", slow_even },
	{ "4 ms + exponential", slow_queue },	  { "rotating", rotating },
};
const size_t n_one_step = array_size(one_step);

static double steps(uint64_t *r, unsigned n, double sigma)
{
	return lognormal(r, 6 * MS * (double)(1 + random_next(r) % n), sigma);
}

static double steps_2(uint64_t *r)
{
	return steps(r, 2, 0.05);
}

static double steps_2_wide(uint64_t *r)
{
	return steps(r, 2, 0.12);
}

static double steps_3(uint64_t *r)
{
	return steps(r, 3, 0.05);
}

const struct family several_steps[] = {
	{ "T, 2T, sigma 0.05", steps_2 },
	{ "T, 2T, sigma 0.12", steps_2_wide },
	{ "T, 2T, 3T, sigma 0.05", steps_3 },
};
const size_t n_several_steps = array_size(several_steps);

struct drift drift_start(double rho, uint64_t *random)
{
	return (struct drift){ rho, random_normal(random), random };
}

double drift_next(struct drift *d)
{
	if (d->rho > 0)
		d->state = d->rho * d->state +
			   sqrt(1 - d->rho * d->rho) * random_normal(d->random);
	else
		d->state = random_normal(d->random);
	return d->state;
}

double drift_next_ns(struct drift *d)
{
	return 100 * US * exp(0.3 * drift_next(d));
}
