/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe-sim.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "stats-random.h"

#define US     1000.0
#define MS     UINT64_C(1000000)
#define SECOND UINT64_C(1000000000)

double sim_unit(struct sim *s)
{
	return random_unit(&s->random);
}

double sim_normal(struct sim *s)
{
	return random_normal(&s->random);
}

/* ---- media ---- */

static double drift_of(const struct sim *s, uint64_t at)
{
	return 1 + s->drift * sin((double)at / 1e9 * 3.1);
}

/* A page from flash is about 85 us; a larger read takes several dies at once. */
uint64_t sim_flash(struct sim *s, uint64_t at, uint64_t offset, uint32_t bytes)
{
	double us = 85 * exp(0.15 * sim_normal(s)) + (double)bytes / 4096 * 2;

	(void)offset;
	/* page types: a third of the pages are read faster, a third slower */
	us *= 0.75 + 0.25 * (double)(random_next(&s->random) % 3);
	return (uint64_t)(us * US * drift_of(s, at));
}

/* 7200 rpm, 180 MB/s outside and 90 inside. */
uint64_t sim_platter(struct sim *s, uint64_t at, uint64_t offset, uint32_t bytes)
{
	double place = (double)offset / (double)s->size;
	double rate = 180e6 - 90e6 * place, ms = 0;
	double way = fabs((double)offset - (double)s->head) / (double)s->size;

	if (offset >= s->buffer_from && offset + bytes <= s->buffer_to)
		return 30000;
	if (offset != s->buffer_to)
		s->buffer_from = offset;
	s->buffer_to = offset + bytes;
	if (s->buffer_to - s->buffer_from > s->buffer_bytes)
		s->buffer_from = s->buffer_to - s->buffer_bytes;
	if (offset != s->head)
		ms = 0.8 + 14 * sqrt(way) * (way > 0.0001) + 8.33 * sim_unit(s);
	s->head = offset + bytes;
	return (uint64_t)(ms * 1e6 * drift_of(s, at) + (double)bytes / rate * 1e9);
}

static uint64_t healthy(struct sim *s, uint64_t at, uint64_t offset, uint32_t bytes)
{
	return s->rotating ? sim_platter(s, at, offset, bytes)
			   : sim_flash(s, at, offset, bytes);
}

uint64_t sim_steps(struct sim *s, uint64_t at, uint64_t offset, uint32_t bytes)
{
	uint64_t ns = healthy(s, at, offset, bytes);

	if (sim_unit(s) < s->slow_share)
		ns += (uint64_t)((double)s->step_ns *
				 (1 + floor(sim_unit(s) * s->steps)) *
				 (1 + 0.02 * sim_normal(s)));
	return ns;
}

uint64_t sim_stalls(struct sim *s, uint64_t at, uint64_t offset, uint32_t bytes)
{
	uint64_t ns = healthy(s, at, offset, bytes), phase = at % s->stall_every;

	/* whoever comes during a stall waits for its end */
	return phase < s->stall_ns ? s->stall_ns - phase + ns : ns;
}

uint64_t sim_zone(struct sim *s, uint64_t at, uint64_t offset, uint32_t bytes)
{
	double place = (double)offset / (double)s->size;
	uint64_t ns = healthy(s, at, offset, bytes);

	return place >= s->zone_from && place < s->zone_to
		       ? (uint64_t)((double)ns * s->factor)
		       : ns;
}

uint64_t sim_sleeper(struct sim *s, uint64_t at, uint64_t offset, uint32_t bytes)
{
	uint64_t ns = healthy(s, at, offset, bytes);

	return at > s->last_ns + s->wake_after ? ns + s->wake_ns : ns;
}

/* Blocks of 50 reads in their order keep what belongs together. */
uint64_t sim_recorded(struct sim *s, uint64_t at, uint64_t offset, uint32_t bytes)
{
	(void)offset;
	if (!s->left_recorded) {
		s->at_recorded = random_next(&s->random) % s->n_recorded;
		s->left_recorded = 50;
	}
	s->left_recorded--;
	s->at_recorded = (s->at_recorded + 1) % s->n_recorded;
	return (uint64_t)((double)s->recorded[s->at_recorded] * 100 * drift_of(s, at)) +
	       bytes / 4;
}

/* ---- the queue ---- */

static uint64_t serve(struct sim *s, uint64_t at, uint64_t offset, uint32_t bytes)
{
	unsigned best = 0;
	uint64_t begin, end;

	for (unsigned i = 1; i < s->servers; i++)
		if (s->free_at[i] < s->free_at[best])
			best = i;
	begin = s->free_at[best] > at ? s->free_at[best] : at;
	end = begin + s->service(s, begin, offset, bytes);
	/* the medium goes on while the link carries what it gave: one frame after the other */
	s->free_at[best] = end;
	if (end < s->link_free)
		end = s->link_free;
	end += (uint64_t)((double)bytes * 1e9 / (double)s->link_bytes_per_s);
	s->link_free = end;
	if (s->errors_per_byte > 0 && sim_unit(s) < s->errors_per_byte * (double)bytes) {
		s->link_errors++;
		end += s->retry_ns;
	}
	if (end > s->last_ns)
		s->last_ns = end;
	s->counts.reads++;
	s->counts.read_sectors += bytes / 512;
	s->waited_ns += end - at;
	s->counts.read_ms = s->counts.queue_ms = s->waited_ns / MS;
	return end;
}

static void serve_others(struct sim *s, uint64_t until)
{
	if (s->foreign_per_s <= 0)
		return;
	while (s->foreign_next <= until) {
		uint64_t offset = (uint64_t)(sim_unit(s) * (double)(s->size - 4096));

		(void)serve(s, s->foreign_next, offset / 4096 * 4096, 4096);
		s->foreign_next +=
			(uint64_t)(-log(sim_unit(s)) * 1e9 / s->foreign_per_s) + 1;
	}
}

/* ---- as an engine ---- */

static struct sim *sim_of(const struct lane *l)
{
	return l->job->target->context;
}

static int sim_open(struct lane *l)
{
	struct sim *s = sim_of(l);

	memset(s->busy, 0, sizeof(s->busy));
	return 0;
}

static int64_t result_of(const struct sim *s, uint64_t at, uint64_t offset,
			 uint32_t bytes)
{
	if (s->gone_at && at >= s->gone_at)
		return -ENODEV;
	if (offset < s->bad_to && offset + bytes > s->bad_from)
		return -EIO;
	return bytes;
}

static int sim_queue(struct lane *l, uint32_t slot)
{
	struct sim *s = sim_of(l);
	const struct lane_slot *q = &l->slots[slot];
	uint64_t at = s->now + s->overhead_ns;

	if (s->held_ns) {
		if (at < s->held_until)
			at = s->held_until;
		s->held_until = at + s->held_ns;
	}
	serve_others(s, at);
	s->result[slot] = result_of(s, at, q->offset, q->bytes);
	s->done_at[slot] = s->result[slot] == -ENODEV ? at + 1000
						      : serve(s, at, q->offset, q->bytes);
	s->busy[slot] = true;
	return 0;
}

static int sim_reap(struct lane *l, struct lane_done *ret, uint32_t max)
{
	struct sim *s = sim_of(l);
	uint64_t first = UINT64_MAX;
	uint32_t n = 0;

	for (uint32_t i = 0; i < l->job->depth; i++)
		if (s->busy[i] && s->done_at[i] < first)
			first = s->done_at[i];
	if (first > s->now)
		s->now = first;
	for (uint32_t i = 0; i < l->job->depth && n < max; i++) {
		if (!s->busy[i] || s->done_at[i] > s->now)
			continue;
		ret[n].slot = i;
		ret[n++].result = s->result[i];
		s->busy[i] = false;
	}
	return (int)n;
}

static uint64_t sim_now(struct lane *l)
{
	return sim_of(l)->now;
}

static void sim_sleep(struct lane *l, uint64_t ns)
{
	struct sim *s = sim_of(l);

	s->now += ns;
	serve_others(s, s->now);
}

static void sim_close(struct lane *l)
{
	(void)l;
}

static const struct lane_ops sim_ops = {
	.engine = JOB_ENGINE_OTHER,
	.no_memory = true,
	.open = sim_open,
	.queue = sim_queue,
	.reap = sim_reap,
	.now = sim_now,
	.sleep = sim_sleep,
	.close = sim_close,
};

static int sim_counts(struct target *t, struct disk_counts *ret)
{
	struct sim *s = t->context;

	serve_others(s, s->now);
	*ret = s->counts;
	ret->at_ns = s->now;
	return 0;
}

int sim_count_errors(void *context, uint64_t *ret)
{
	*ret = ((struct sim *)context)->link_errors;
	return 0;
}

static void start(struct sim *s, uint64_t seed, uint64_t size)
{
	*s = (struct sim){ .size = size,
			   .random = seed * 2654435761u + 88172645463325252u,
			   .now = SECOND,
			   .last_ns = SECOND,
			   .foreign_next = SECOND,
			   .overhead_ns = 8000,
			   .link_bytes_per_s = 550000000 };
}

/* Called last: the target points into S. */
static void attach(struct sim *s)
{
	s->target = (struct target){ .name = "/dev/simulated",
				     .fd = -1,
				     .is_block = true,
				     .direct = true,
				     .size = s->size,
				     .stored = s->size,
				     .logical = 512,
				     .physical = 4096,
				     .align = 512,
				     .n_parts = 1,
				     .disk = "simulated",
				     .ops = &sim_ops,
				     .counts = sim_counts,
				     .context = s };
	s->target.parts = arena_alloc(&s->target.arena, sizeof(*s->target.parts));
	if (s->target.parts)
		s->target.parts[0] = (struct target_part){ .size = s->size };
}

void sim_ssd(struct sim *s, uint64_t seed)
{
	start(s, seed, UINT64_C(256060514304));
	s->servers = 16;
	s->service = sim_flash;
	attach(s);
}

void sim_disk(struct sim *s, uint64_t seed)
{
	start(s, seed, UINT64_C(2000398934016));
	s->servers = 1;
	s->rotating = true;
	s->buffer_bytes = 16 << 20;
	s->service = sim_platter;
	attach(s);
}
