/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A published case typed by hand: fio 2.0.8 on a slow new SSD, 4 KiB reads at depth 1, two runs
 * of a random and a sequential job. The damaged share of the first job (19.94 %) is restored.
 */
#pragma once

#include "base/attrs.h"
#include "stats/coarse.h"

struct seed_job {
	uint64_t ios;
	double clat_mean_us, lat_mean_us;
	uint64_t clat_min_us, clat_max_us;
	struct coarse_quantile quantile[17];
	struct coarse_bucket bucket[16];
	size_t n_buckets;
};

/* clang-format off */
#define US(x) ((x) * 1000ull)
#define MS(x) ((x) * 1000000ull)
#define Q17(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q) \
	{ { 10000, US(a) }, { 50000, US(b) }, { 100000, US(c) }, { 200000, US(d) }, \
	  { 300000, US(e) }, { 400000, US(f) }, { 500000, US(g) }, { 600000, US(h) }, \
	  { 700000, US(i) }, { 800000, US(j) }, { 900000, US(k) }, { 950000, US(l) }, \
	  { 990000, US(m) }, { 995000, US(n) }, { 999000, US(o) }, { 999500, US(p) }, \
	  { 999900, US(q) } }

static const struct seed_job seed_jobs[4] = {
	{ 15208, 3915.39, 3940.35, 2, 27575,
	  Q17(41, 46, 51, 66, 113, 163, 205, 4960, 5856, 11584, 12480, 12608, 14272, 17280,
	      18816, 21120, 22912),
	  { { US(4), 500 }, { US(10), 100 }, { US(20), 100 }, { US(50), 80700 },
	    { US(100), 199400 }, { US(250), 262600 }, { US(500), 27800 }, { US(750), 3000 },
	    { US(1000), 900 }, { MS(2), 1200 }, { MS(4), 700 }, { MS(10), 207500 },
	    { MS(20), 215100 }, { MS(50), 500 } }, 14 },
	{ 22117, 2692.99, 2709.87, 1, 27356,
	  Q17(27, 29, 31, 35, 47, 61, 78, 107, 270, 5856, 11712, 12608, 16512, 17536, 18816,
	      19584, 21120),
	  { { US(2), 500 }, { US(4), 100 }, { US(20), 200 }, { US(50), 324500 },
	    { US(100), 246100 }, { US(250), 125200 }, { US(500), 14000 }, { US(750), 300 },
	    { US(1000), 300 }, { MS(2), 200 }, { MS(4), 300 }, { MS(10), 139500 },
	    { MS(20), 148500 }, { MS(50), 300 } }, 14 },
	{ 14024, 4244.27, 4272.70, 2, 38954,
	  Q17(42, 46, 53, 69, 120, 169, 211, 5024, 5920, 11584, 12480, 12608, 16768, 17536,
	      18560, 20096, 37632),
	  { { US(4), 500 }, { US(10), 300 }, { US(20), 100 }, { US(50), 78400 },
	    { US(100), 191200 }, { US(250), 258400 }, { US(500), 16100 }, { US(750), 800 },
	    { US(1000), 500 }, { MS(2), 600 }, { MS(4), 800 }, { MS(10), 219900 },
	    { MS(20), 231700 }, { MS(50), 600 } }, 14 },
	{ 24898, 2390.79, 2407.01, 1, 25530,
	  Q17(26, 28, 30, 34, 43, 57, 72, 91, 155, 5152, 11712, 12480, 12992, 16768, 18560,
	      18816, 21632),
	  { { US(2), 100 }, { US(4), 200 }, { US(20), 100 }, { US(50), 354200 },
	    { US(100), 260000 }, { US(250), 112900 }, { US(500), 13100 }, { US(750), 500 },
	    { US(1000), 100 }, { MS(2), 400 }, { MS(4), 200 }, { MS(10), 125500 },
	    { MS(20), 132500 }, { MS(50), 100 } }, 14 },
};
/* clang-format on */

static inline struct coarse_input seed_input(const struct seed_job *job)
{
	return (struct coarse_input){ .quantiles = job->quantile,
				      .n_quantiles = array_size(job->quantile),
				      .buckets = job->bucket,
				      .n_buckets = job->n_buckets,
				      .n_total = job->ios,
				      .min_ns = US(job->clat_min_us),
				      .max_ns = US(job->clat_max_us) };
}
