/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a job reads next. */
#include <errno.h>

#include "probe/lane.h"

/* splitmix64 (S. Vigna, public domain): any seed will do, 0 too */
static uint64_t draw(struct places *p)
{
	uint64_t z = p->random += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* 0 .. n - 1; the bias of n in 2^64 is nothing here. */
static uint64_t draw_below(struct places *p, uint64_t n)
{
	return draw(p) % n;
}

static uint64_t align_of(const struct probe_job *j)
{
	return j->block_align ? j->block_align : j->block_min;
}

int places_init(struct places *p, const struct probe_job *job)
{
	uint64_t stored = job->target->stored;

	*p = (struct places){ .job = job, .random = job->seed };
	if (job->start >= stored || stored - job->start < job->block_min)
		return -ENODATA;
	p->start = job->start;
	p->size = stored - job->start;
	if (job->size && job->size < p->size)
		p->size = job->size;
	if (p->size < job->block_min)
		return -ENODATA;
	for (uint32_t z = 0; z < job->zones && z < JOB_MAX_ZONES; z++)
		p->turn[z] = z;
	return 0;
}

static uint32_t next_bytes(struct places *p)
{
	const struct probe_job *j = p->job;
	uint64_t step = j->target->align ? j->target->align : 1, span;

	if (j->block_max <= j->block_min)
		return j->block_min;
	span = (j->block_max - j->block_min) / step + 1;
	return (uint32_t)(j->block_min + draw_below(p, span) * step);
}

/* Somewhere in [from, from + size) of the stored bytes, aligned, with room for BYTES. */
static uint64_t random_in(struct places *p, uint64_t from, uint64_t size, uint32_t bytes)
{
	uint64_t align = align_of(p->job), room = size > bytes ? size - bytes : 0;

	return from + draw_below(p, room / align + 1) * align;
}

static uint64_t zone_start(const struct places *p, uint32_t z)
{
	uint32_t n = p->job->zones;

	return p->size / n * z + p->size % n * z / n;
}

/* Every zone once in each round, each round in another order: drift in time hits all alike. */
static uint64_t zone_place(struct places *p, uint32_t bytes)
{
	uint32_t zones = p->job->zones, at = (uint32_t)(p->n % zones);
	uint32_t with = at + (uint32_t)draw_below(p, zones - at), z = p->turn[with];
	uint64_t align = align_of(p->job), from, end;

	p->turn[with] = p->turn[at];
	p->turn[at] = z;
	p->zone = z;
	from = zone_start(p, z);
	end = zone_start(p, z + 1);
	from = (from + align - 1) / align * align;
	if (from + bytes > p->size)
		from = (p->size - bytes) / align * align;
	return random_in(p, p->start + from, end > from ? end - from : 0, bytes);
}

/* False: at the end, and not to start over. */
static bool sequential_place(struct places *p, uint32_t *bytes, uint64_t *ret)
{
	uint64_t left = p->size - p->at;

	if (left < *bytes)
		*bytes = (uint32_t)(left / align_of(p->job) * align_of(p->job));
	if (!*bytes) {
		if (!p->job->repeat)
			return false;
		p->at = 0;
		*bytes = next_bytes(p);
		if (*bytes > p->size)
			*bytes = p->job->block_min;
	}
	*ret = p->start + p->at;
	p->at += *bytes;
	return true;
}

bool places_next(struct places *p, uint64_t *ret_offset, uint32_t *ret_bytes)
{
	const struct probe_job *j = p->job;
	uint32_t bytes = next_bytes(p);
	uint64_t position, left;

	if (bytes > p->size)
		bytes = j->block_min;
	if (j->pattern != JOB_SEQUENTIAL && !j->repeat && j->size && p->taken >= j->size)
		return false;
	if (j->pattern == JOB_SEQUENTIAL) {
		if (!sequential_place(p, &bytes, &position))
			return false;
	} else if (j->pattern == JOB_ZONES) {
		position = zone_place(p, bytes);
	} else {
		position = random_in(p, p->start, p->size, bytes);
	}
	*ret_offset = target_place(j->target, position, &left);
	/* a read never crosses from one stored part into a hole */
	if (left < bytes && left >= j->block_min) {
		left -= left % align_of(j);
		if (j->pattern == JOB_SEQUENTIAL)
			p->at -= bytes - left;
		bytes = (uint32_t)left;
	}
	*ret_bytes = bytes;
	p->taken += bytes;
	p->n++;
	return true;
}
