/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One read after another with preadv2(2): at depth 1 nothing is faster. */
#include <errno.h>
#include <sys/uio.h>
#include <time.h>

#include "probe/lane.h"

uint64_t lane_clock(struct lane *l)
{
	struct timespec t;

	(void)l;
	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void lane_sleep(struct lane *l, uint64_t ns)
{
	struct timespec t = { .tv_sec = (time_t)(ns / 1000000000u),
			      .tv_nsec = (long)(ns % 1000000000u) };

	(void)l;
	while (clock_nanosleep(CLOCK_MONOTONIC, 0, &t, &t) == EINTR)
		;
}

uint64_t target_now(struct target *t)
{
	const struct probe_job job = { .target = t };
	struct lane l = { .job = &job };

	return t->ops ? t->ops->now(&l) : lane_clock(&l);
}

void target_sleep(struct target *t, uint64_t ns)
{
	const struct probe_job job = { .target = t };
	struct lane l = { .job = &job };

	if (t->ops)
		t->ops->sleep(&l, ns);
	else
		lane_sleep(&l, ns);
}

static int sync_open(struct lane *l)
{
	return l->job->depth == 1 ? 0 : -EINVAL;
}

static int sync_queue(struct lane *l, uint32_t slot)
{
	(void)l;
	(void)slot;
	return 0;
}

static int sync_reap(struct lane *l, struct lane_done *ret, uint32_t max)
{
	struct lane_slot *s = &l->slots[0];
	struct iovec v = { .iov_base = s->memory, .iov_len = s->bytes };
	ssize_t n;

	(void)max;
	do
		n = preadv2(l->job->target->fd, &v, 1, (off_t)s->offset, 0);
	while (n < 0 && errno == EINTR);
	ret->slot = 0;
	ret->result = n < 0 ? -errno : n;
	return 1;
}

static void sync_close(struct lane *l)
{
	(void)l;
}

const struct lane_ops lane_sync = {
	.engine = JOB_ENGINE_SYNC,
	.open = sync_open,
	.queue = sync_queue,
	.reap = sync_reap,
	.now = lane_clock,
	.sleep = lane_sleep,
	.close = sync_close,
};
