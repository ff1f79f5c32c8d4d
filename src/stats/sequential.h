/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slow or not, decided as early as the data allow: Wald's sequential probability ratio test
 * (A. Wald 1945) on "this request took longer than the limit". A healthy drive has at most 1 %
 * of such requests, a slow one at least 5 %; errors of both kinds at most 0.1 % for requests that
 * are independent. Each slow request adds ln(p1/p0) = 1.6094 to the sum, each other one
 * ln((1-p1)/(1-p0)) = -0.0412; beyond +-ln((1-beta)/alpha) = +-6.907 the matter is decided.
 *
 * Slow requests often come in bursts, and then the plain test calls one drive in twenty slow that
 * is not. So a run of consecutive slow requests counts once. A drive that only stalls in bursts
 * is not called slow by this; that is for stats/stalls.h.
 *
 * No verdict before a floor (requests and time: waking up is not an illness). The sum goes on
 * meanwhile, and looking later never raises the error. At the cap the answer is "undecided":
 * the share lies between the two.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/attrs.h"

enum sequential_verdict {
	SEQUENTIAL_OPEN, /* go on */
	SEQUENTIAL_OK,
	SEQUENTIAL_SLOW,
	SEQUENTIAL_UNDECIDED, /* the cap was reached */
};

struct sequential_rule {
	double p0, p1;	    /* share of slow requests: healthy, slow; 0 < p0 < p1 < 1 */
	double alpha, beta; /* wrongly slow, wrongly ok */
	uint64_t least_n, least_ns; /* floor: both must be passed */
	uint64_t most_n, most_ns;   /* cap: either */
	bool plain; /* count every request of a run, for comparison only */
};

extern const struct sequential_rule sequential_flash, sequential_rotating;

struct sequential {
	struct sequential_rule rule;
	uint64_t limit_ns; /* longer than this is slow */
	double sum;
	uint64_t n, n_slow, n_runs; /* requests, slow ones, runs of slow ones */
	bool in_run;
	enum sequential_verdict verdict;
};

/*
 * What counts as slow: flash 5 times the median expected of the drive, at least 1 ms (also when
 * none is known: 0); rotating 60 ms, several times seek and turn of the slowest.
 */
uint64_t sequential_limit_ns(bool rotating, uint64_t expected_median_ns);

/* 0, or -EINVAL when the rule is none. */
int sequential_init(struct sequential *s, const struct sequential_rule *rule,
		    uint64_t limit_ns) must_check;
/* One request, in order of completion; ELAPSED_NS since the first. Final once it is not OPEN. */
enum sequential_verdict sequential_add(struct sequential *s, uint64_t latency_ns,
				       uint64_t elapsed_ns);
