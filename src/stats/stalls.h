/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stalls: the drive answers nothing for a while. An event is a longest run of consecutive
 * requests that each took more than max(100 ms, 50 times the median). Stalls are found when
 *   - there were at least 2 events, or
 *   - one event lasted at least 1 s, or
 *   - at least 20 % of the wall time lay inside requests above 10 times the median, in at least
 *     3 separate events.
 * One short stall alone is no finding: the host may have had it.
 *
 * Time is wall time: with several requests outstanding, time that they share counts once.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum stalls_reason {
	STALLS_EVENTS = 1, /* two events or more */
	STALLS_LONG = 2,   /* one of 1 s or more */
	STALLS_TIME = 4,   /* a fifth of the time */
};

/* Runs of requests above one threshold. */
struct stalls_level {
	uint64_t above_ns; /* longer than this */
	uint64_t n_ios, n_events;
	uint64_t time_ns;    /* wall time inside them */
	uint64_t longest_ns; /* of one event */
	/* of the event that is going on */
	bool in_event;
	uint64_t event_ns, covered_to_ns;
};

struct stalls {
	struct stalls_level stall; /* max(100 ms, 50 * median) */
	struct stalls_level slow;  /* 10 * median */
	uint64_t n_ios, first_ns, last_ns;
};

/* MEDIAN_NS: of this drive and job, as from a histogram of the same requests. */
void stalls_init(struct stalls *s, uint64_t median_ns);
/* One request, in order of completion. START_NS on any clock. */
void stalls_add(struct stalls *s, uint64_t start_ns, uint64_t latency_ns);
/* Reasons found so far (enum stalls_reason, ORed); 0 = none. */
unsigned stalls_found(const struct stalls *s);
/* Share of the wall time inside requests of the level; 0 when no time has passed. */
double stalls_time_share(const struct stalls *s, const struct stalls_level *l);
