/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/stalls.h"

#define MS	      1000000ull
#define STALL_NS      (100 * MS)
#define LONG_NS	      (1000 * MS)
#define STALL_MEDIANS 50u
#define SLOW_MEDIANS  10u
#define TIME_SHARE    0.20
#define TIME_EVENTS   3u

static uint64_t times(uint64_t ns, unsigned factor)
{
	return ns > UINT64_MAX / factor ? UINT64_MAX : ns * factor;
}

void stalls_init(struct stalls *s, uint64_t median_ns)
{
	uint64_t stall = times(median_ns, STALL_MEDIANS);

	*s = (struct stalls){ .stall.above_ns = stall > STALL_NS ? stall : STALL_NS,
			      .slow.above_ns = times(median_ns, SLOW_MEDIANS) };
}

static void add(struct stalls_level *l, uint64_t start_ns, uint64_t latency_ns)
{
	uint64_t end_ns =
		start_ns > UINT64_MAX - latency_ns ? UINT64_MAX : start_ns + latency_ns;
	uint64_t fresh_from;

	if (latency_ns <= l->above_ns) {
		l->in_event = false;
		return;
	}
	if (!l->in_event) {
		l->n_events++;
		l->event_ns = 0;
	}
	l->in_event = true;
	l->n_ios++;
	/* what an earlier request of this level covered already is not counted again */
	fresh_from = start_ns > l->covered_to_ns ? start_ns : l->covered_to_ns;
	if (end_ns > fresh_from) {
		l->time_ns += end_ns - fresh_from;
		l->event_ns += end_ns - fresh_from;
		l->covered_to_ns = end_ns;
	}
	if (l->event_ns > l->longest_ns)
		l->longest_ns = l->event_ns;
}

void stalls_add(struct stalls *s, uint64_t start_ns, uint64_t latency_ns)
{
	uint64_t end_ns =
		start_ns > UINT64_MAX - latency_ns ? UINT64_MAX : start_ns + latency_ns;

	if (!s->n_ios || start_ns < s->first_ns)
		s->first_ns = start_ns;
	if (end_ns > s->last_ns)
		s->last_ns = end_ns;
	s->n_ios++;
	add(&s->stall, start_ns, latency_ns);
	add(&s->slow, start_ns, latency_ns);
}

double stalls_time_share(const struct stalls *s, const struct stalls_level *l)
{
	uint64_t wall_ns = s->last_ns - s->first_ns;

	return wall_ns ? (double)l->time_ns / (double)wall_ns : 0;
}

unsigned stalls_found(const struct stalls *s)
{
	unsigned found = 0;

	if (s->stall.n_events >= 2)
		found |= STALLS_EVENTS;
	if (s->stall.longest_ns >= LONG_NS)
		found |= STALLS_LONG;
	if (s->slow.n_events >= TIME_EVENTS &&
	    stalls_time_share(s, &s->slow) >= TIME_SHARE)
		found |= STALLS_TIME;
	return found;
}
