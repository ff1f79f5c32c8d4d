/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loading the link, and reads after pauses. */
#include "probe/plan-private.h"

#define MS  UINT64_C(1000000)
#define KIB 1024u

/* Fresh sequential ranges; a small target may be read up to four times. */
static int burst_from_medium(struct plan *p)
{
	struct probe_job j = { .pattern = JOB_SEQUENTIAL,
			       .block_min = plan_block_of(p, 128 * KIB),
			       .block_max = plan_block_of(p, 128 * KIB),
			       .depth = 32,
			       .repeat = true,
			       .most_ns = plan_shape_of(p)->burst_ns,
			       .most_bytes = p->target->stored > UINT64_MAX / 4
						     ? 0
						     : p->target->stored * 4,
			       .go_on = !p->known.rotating };

	return plan_do_phase(p, "link-burst", j);
}

static double rate_of(const struct phase *f)
{
	return f->result.runtime_ns
		       ? (double)f->result.bytes * 1e9 / (double)f->result.runtime_ns
		       : 0;
}

/*
 * A rotating drive fills its link only from its buffer. One mebibyte is read once, then over and
 * over; that it came from the buffer is believed only when it came at 0.6 of what the link can
 * carry (8b/10b: ten bits a byte) and clearly faster than the first time.
 */
static int burst_from_buffer(struct plan *p)
{
	struct probe_job j = { .pattern = JOB_SEQUENTIAL,
			       .block_min = plan_block_of(p, 128 * KIB),
			       .block_max = plan_block_of(p, 128 * KIB),
			       .depth = 4,
			       .start = p->target->stored / 2 / (1024 * KIB) *
					(1024 * KIB),
			       .size = 1024 * KIB };
	double first, again, ceiling = (double)p->known.link_mbps * 1e6 / 10;
	int r = plan_do_phase(p, "link-first", j);

	if (r < 0 || plan_is_over(p))
		return r;
	first = rate_of(p->phases[p->n_phases - 1]);
	j.repeat = true;
	j.most_ns = plan_shape_of(p)->burst_ns;
	r = plan_do_phase(p, "link-burst", j);
	if (r < 0 || plan_is_over(p))
		return r;
	again = rate_of(p->phases[p->n_phases - 1]);
	p->burst_from_buffer =
		ceiling > 0 && again >= 0.6 * ceiling && again >= 1.5 * first;
	p->burst_refused = !p->burst_from_buffer;
	return r;
}

int plan_burst(struct plan *p)
{
	return p->known.rotating ? burst_from_buffer(p) : burst_from_medium(p);
}

int plan_idle(struct plan *p)
{
	static const struct {
		const char *name;
		uint64_t gap_ms;
		uint32_t reads;
	} rows[] = {
		{ "idle-0ms", 0, 64 },
		{ "idle-1ms", 1, 64 },
		{ "idle-20ms", 20, 24 },
		{ "idle-200ms", 200, 8 },
	};
	int r = 0;

	for (size_t i = 0; r == 0 && i < array_size(rows); i++) {
		struct probe_job j = plan_random_job(p, 1);

		j.gap_ns = rows[i].gap_ms * MS;
		j.most_ios = rows[i].reads;
		r = plan_do_phase(p, rows[i].name, j);
	}
	return r;
}
