/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A thread for each outstanding read, where io_uring is not allowed (containers, old kernels). */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/uio.h>

#include "probe/lane.h"

struct pool;

struct hand {
	struct pool *pool;
	pthread_t thread;
	uint32_t slot;
	bool started;
};

/* Two rings of slot numbers under one lock; each has room for all slots. */
struct pool {
	struct lane *lane;
	struct hand *hands;
	pthread_mutex_t lock;
	pthread_cond_t todo_cond, done_cond;
	uint32_t *todo;
	struct lane_done *done;
	uint32_t depth, todo_n, todo_at, done_n;
	bool end;
};

static int64_t read_slot(struct lane *l, uint32_t slot)
{
	struct lane_slot *s = &l->slots[slot];
	struct iovec v = { .iov_base = s->memory, .iov_len = s->bytes };
	ssize_t n;

	do
		n = preadv2(l->job->target->fd, &v, 1, (off_t)s->offset, 0);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

static void *hand_main(void *argument)
{
	struct hand *h = argument;
	struct pool *p = h->pool;

	(void)pthread_mutex_lock(&p->lock);
	for (;;) {
		struct lane_done d;

		while (!p->todo_n && !p->end)
			(void)pthread_cond_wait(&p->todo_cond, &p->lock);
		if (p->end)
			break;
		d.slot = p->todo[p->todo_at];
		p->todo_at = (p->todo_at + 1) % p->depth;
		p->todo_n--;
		(void)pthread_mutex_unlock(&p->lock);
		d.result = read_slot(p->lane, d.slot);
		(void)pthread_mutex_lock(&p->lock);
		p->done[p->done_n++] = d;
		(void)pthread_cond_signal(&p->done_cond);
	}
	(void)pthread_mutex_unlock(&p->lock);
	return NULL;
}

static void threads_close(struct lane *l)
{
	struct pool *p = l->state;

	(void)pthread_mutex_lock(&p->lock);
	p->end = true;
	(void)pthread_cond_broadcast(&p->todo_cond);
	(void)pthread_mutex_unlock(&p->lock);
	for (uint32_t i = 0; i < p->depth; i++)
		if (p->hands[i].started)
			(void)pthread_join(p->hands[i].thread, NULL);
	(void)pthread_cond_destroy(&p->todo_cond);
	(void)pthread_cond_destroy(&p->done_cond);
	(void)pthread_mutex_destroy(&p->lock);
	free(p->hands);
	free(p->todo);
	free(p->done);
	free(p);
}

static int start_hands(struct pool *p)
{
	pthread_attr_t a;
	int r = pthread_attr_init(&a);

	if (r)
		return -r;
	(void)pthread_attr_setstacksize(&a, 128 * 1024);
	for (uint32_t i = 0; i < p->depth && !r; i++) {
		p->hands[i].pool = p;
		r = pthread_create(&p->hands[i].thread, &a, hand_main, &p->hands[i]);
		p->hands[i].started = !r;
	}
	(void)pthread_attr_destroy(&a);
	return -r;
}

static int threads_open(struct lane *l)
{
	struct pool *p = calloc(1, sizeof(*p));
	uint32_t n = l->job->depth;
	int r;

	if (!p)
		return -ENOMEM;
	p->hands = calloc(n, sizeof(*p->hands));
	p->todo = calloc(n, sizeof(*p->todo));
	p->done = calloc(n, sizeof(*p->done));
	p->lane = l;
	p->depth = n;
	(void)pthread_mutex_init(&p->lock, NULL);
	(void)pthread_cond_init(&p->todo_cond, NULL);
	(void)pthread_cond_init(&p->done_cond, NULL);
	l->state = p;
	r = p->hands && p->todo && p->done ? start_hands(p) : -ENOMEM;
	if (r < 0) {
		if (!p->hands)
			p->depth = 0;
		threads_close(l);
	}
	return r;
}

static int threads_queue(struct lane *l, uint32_t slot)
{
	struct pool *p = l->state;

	(void)pthread_mutex_lock(&p->lock);
	p->todo[(p->todo_at + p->todo_n++) % p->depth] = slot;
	(void)pthread_cond_signal(&p->todo_cond);
	(void)pthread_mutex_unlock(&p->lock);
	return 0;
}

static int threads_reap(struct lane *l, struct lane_done *ret, uint32_t max)
{
	struct pool *p = l->state;
	uint32_t n;

	(void)pthread_mutex_lock(&p->lock);
	while (!p->done_n)
		(void)pthread_cond_wait(&p->done_cond, &p->lock);
	n = p->done_n < max ? p->done_n : max;
	for (uint32_t i = 0; i < n; i++)
		ret[i] = p->done[i];
	for (uint32_t i = n; i < p->done_n; i++)
		p->done[i - n] = p->done[i];
	p->done_n -= n;
	(void)pthread_mutex_unlock(&p->lock);
	return (int)n;
}

const struct lane_ops lane_threads = {
	.engine = JOB_ENGINE_THREADS,
	.open = threads_open,
	.queue = threads_queue,
	.reap = threads_reap,
	.now = lane_clock,
	.sleep = lane_sleep,
	.close = threads_close,
};
