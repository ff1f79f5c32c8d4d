/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "device/sgio-child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <scsi/sg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* How long a waiting process may overlook that the user wants to end. */
#define STOP_SLICE_MS 100

static uint64_t now_us(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_nsec / 1000u;
}

/* --- in the child: only what is safe after fork() in a process with threads ------------------ */

static void call_kernel(int fd, struct sgio_channel *c)
{
	struct sgio_answer a = { .bytes = c->to_device ? 0 : c->bytes };
	uint64_t start = now_us();
	sg_io_hdr_t h = {
		.interface_id = 'S',
		.dxfer_direction = !c->bytes	  ? SG_DXFER_NONE
				   : c->to_device ? SG_DXFER_TO_DEV
						  : SG_DXFER_FROM_DEV,
		.cmd_len = c->cdb_len,
		.cmdp = c->cdb,
		.dxferp = c->data,
		.dxfer_len = c->bytes,
		.sbp = c->answer.sense,
		.mx_sb_len = SGIO_SENSE_MAX,
		.timeout = c->timeout_ms,
	};

	memset(c->answer.sense, 0, sizeof(c->answer.sense));
	if (ioctl(fd, SG_IO, &h) < 0)
		a.error = errno;
	a.took_us = (uint32_t)(now_us() - start);
	a.status = h.status;
	a.host_status = h.host_status;
	a.driver_status = h.driver_status;
	/* a wrong residual is for the judge; more than was asked for is not a number */
	a.resid = h.resid > 0 ? (uint32_t)h.resid : 0;
	a.sense_len = h.sb_len_wr < SGIO_SENSE_MAX ? h.sb_len_wr : SGIO_SENSE_MAX;
	memcpy(a.sense, c->answer.sense, sizeof(a.sense));
	c->answer = a;
}

static bool answer(int socket)
{
	const char token = 'a';

	return write(socket, &token, 1) == 1;
}

static bool wait_question(int socket)
{
	char token;
	ssize_t n;

	do
		n = read(socket, &token, 1);
	while (n < 0 && errno == EINTR);
	return n == 1;
}

/*
 * Nobody may wait for this process by accident: it holds no file of its parent, so that a pipe
 * behind the program ends with the program.
 */
static void leave_parent(int socket)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	(void)signal(SIGINT, SIG_IGN);
	(void)signal(SIGPIPE, SIG_IGN);
	for (int i = 0; i < 3 && null >= 0; i++)
		if (i != socket)
			(void)dup2(null, i);
	if (socket > 3)
		(void)close_range(3, (unsigned)socket - 1, 0);
	(void)close_range((unsigned)socket + 1, ~0u, 0);
}

static void serve(struct sgio_channel *c, int socket, const char *path)
{
	int fd;

	leave_parent(socket);
	/* that it is a device was seen before; a write mode would make udev look at it again */
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	c->answer.error = fd < 0 ? errno : 0;
	if (!answer(socket) || fd < 0)
		_exit(1);
	while (wait_question(socket)) {
		call_kernel(fd, c);
		if (!answer(socket))
			break;
	}
	_exit(0);
}

/* --- in the parent ----------------------------------------------------------------------------- */

int sgio_child_start(struct sgio_child *ch, const char *path)
{
	struct sgio_channel *c;
	int pair[2], r;

	c = mmap(NULL, sizeof(*c), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		 0);
	if (c == MAP_FAILED)
		return -errno;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) {
		r = -errno;
		(void)munmap(c, sizeof(*c));
		return r;
	}
	*ch = (struct sgio_child){ .channel = c, .socket = pair[0] };
	ch->pid = fork();
	if (ch->pid == 0)
		serve(c, pair[1], path);
	r = -errno;
	(void)close(pair[1]);
	if (ch->pid > 0)
		return 0;
	(void)close(pair[0]);
	(void)munmap(c, sizeof(*c));
	return r;
}

static int lose(struct sgio_child *ch, int error)
{
	ch->lost = error;
	/* it dies as soon as the kernel lets go of it */
	(void)kill(ch->pid, SIGKILL);
	return error;
}

static int take_token(struct sgio_child *ch)
{
	char token;
	ssize_t n = read(ch->socket, &token, 1);

	if (n == 1)
		return 0;
	return lose(ch, -EIO);
}

int sgio_child_wait(struct sgio_child *ch, uint32_t ms, const volatile sig_atomic_t *stop)
{
	struct pollfd p = { .fd = ch->socket, .events = POLLIN };
	uint64_t end = now_us() + (uint64_t)ms * 1000u;

	if (ch->lost)
		return ch->lost;
	for (;;) {
		uint64_t now = now_us();
		uint64_t left = now < end ? (end - now + 999) / 1000 : 0;
		int n = poll(&p, 1, left < STOP_SLICE_MS ? (int)left : STOP_SLICE_MS);

		if (n > 0)
			return take_token(ch);
		if (stop && *stop)
			return lose(ch, -EINTR);
		if (n < 0 && errno != EINTR)
			return lose(ch, -EIO);
		if (now >= end)
			return lose(ch, -ETIMEDOUT);
	}
}

int sgio_child_ask(struct sgio_child *ch)
{
	const char token = 'q';

	if (ch->lost)
		return ch->lost;
	/* no SIGPIPE when it is no more */
	return send(ch->socket, &token, 1, MSG_NOSIGNAL) == 1 ? 0 : lose(ch, -EIO);
}

void sgio_child_end(struct sgio_child *ch)
{
	if (!ch->channel)
		return;
	(void)close(ch->socket);
	/* one that hangs, perhaps in open(), is init's to bury */
	if (!ch->opened)
		(void)kill(ch->pid, SIGKILL);
	(void)waitpid(ch->pid, NULL, ch->lost || !ch->opened ? WNOHANG : 0);
	(void)munmap(ch->channel, sizeof(*ch->channel));
	*ch = (struct sgio_child){ 0 };
}
