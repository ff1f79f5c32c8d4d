/* SPDX-License-Identifier: GPL-2.0-or-later */
/* io_uring with registered file and memory. */
#include <errno.h>
#include <liburing.h>
#include <stdlib.h>
#include <sys/uio.h>

#include "probe/lane.h"

struct uring {
	struct io_uring ring;
	bool fixed; /* memory is registered: not always allowed (RLIMIT_MEMLOCK) */
	bool file;
};

/* Newer kernels do the work of completion in this thread; older ones know neither flag. */
static int start(struct io_uring *ring, unsigned depth)
{
	struct io_uring_params p = { .flags = IORING_SETUP_SINGLE_ISSUER |
					      IORING_SETUP_DEFER_TASKRUN };
	int r = io_uring_queue_init_params(depth, ring, &p);

	if (r == -EINVAL)
		r = io_uring_queue_init(depth, ring, 0);
	return r;
}

int lane_uring_try(void)
{
	struct io_uring ring;
	int r = start(&ring, 1);

	if (r == 0)
		io_uring_queue_exit(&ring);
	return r;
}

static int register_memory(struct lane *l, struct uring *u)
{
	struct iovec v = { .iov_base = l->memory,
			   .iov_len = l->slot_bytes * l->job->depth };

	return io_uring_register_buffers(&u->ring, &v, 1);
}

static int uring_open(struct lane *l)
{
	struct uring *u = calloc(1, sizeof(*u));
	int fd = l->job->target->fd, r;

	if (!u)
		return -ENOMEM;
	r = start(&u->ring, l->job->depth);
	if (r < 0) {
		free(u);
		return r;
	}
	u->fixed = register_memory(l, u) == 0;
	u->file = io_uring_register_files(&u->ring, &fd, 1) == 0;
	l->state = u;
	return 0;
}

static int uring_queue(struct lane *l, uint32_t slot)
{
	struct uring *u = l->state;
	struct lane_slot *s = &l->slots[slot];
	struct io_uring_sqe *sqe = io_uring_get_sqe(&u->ring);
	int fd = u->file ? 0 : l->job->target->fd;

	if (!sqe)
		return -EBUSY;
	if (u->fixed)
		io_uring_prep_read_fixed(sqe, fd, s->memory, s->bytes, s->offset, 0);
	else
		io_uring_prep_read(sqe, fd, s->memory, s->bytes, s->offset);
	if (u->file)
		sqe->flags |= IOSQE_FIXED_FILE;
	sqe->user_data = slot;
	return 0;
}

static int uring_reap(struct lane *l, struct lane_done *ret, uint32_t max)
{
	struct uring *u = l->state;
	struct io_uring_cqe *cqe;
	unsigned head, n = 0;
	/* handing over what is queued and waiting is one system call */
	int r = io_uring_submit_and_wait(&u->ring, 1);

	if (r < 0 && r != -EBUSY)
		return r;
	io_uring_for_each_cqe(&u->ring, head, cqe)
	{
		if (n == max)
			break;
		ret[n].slot = (uint32_t)cqe->user_data;
		ret[n++].result = cqe->res;
	}
	io_uring_cq_advance(&u->ring, n);
	return (int)n;
}

static void uring_close(struct lane *l)
{
	struct uring *u = l->state;

	io_uring_queue_exit(&u->ring);
	free(u);
}

const struct lane_ops lane_uring = {
	.engine = JOB_ENGINE_URING,
	.open = uring_open,
	.queue = uring_queue,
	.reap = uring_reap,
	.now = lane_clock,
	.sleep = lane_sleep,
	.close = uring_close,
};
