/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * satasim /dev/uioN BYTES CAPTURE [KEY=VALUE]...: answers what the kernel's target core puts into the
 * ring of this device. Commands end when their time is over, not in the order in which they came.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "sim.h"

/* the kernel's header would declare struct iovec once more */
#define __LINUX_UIO_H 1
#include <linux/target_core_user.h>

#define PENDING	     1024
#define IOVS	     512
#define DATA_BYTES   (4u << 20)
#define MEDIUM_BYTES (1ull << 30)

struct pending {
	bool used;
	uint16_t id;
	uint64_t due_us;
	struct sim_answer answer;
	struct iovec iov[IOVS];
	size_t n_iov, room;
	bool to_device;
	uint8_t *data;
};

static struct pending pending[PENDING];

struct ring {
	uint8_t *map;
	struct tcmu_mailbox *box;
	uint32_t next; /* not yet fetched */
	int fd;
};

static struct tcmu_cmd_entry *entry_at(const struct ring *r, uint32_t at)
{
	return (void *)(r->map + r->box->cmdr_off + at);
}

static uint32_t behind(const struct ring *r, const struct tcmu_cmd_entry *e, uint32_t at)
{
	return (at + tcmu_hdr_get_len(e->hdr.len_op)) % r->box->cmdr_size;
}

static struct pending *find_free(void)
{
	for (size_t i = 0; i < PENDING; i++)
		if (!pending[i].used)
			return &pending[i];
	abort();
}

static void copy_iov(const struct ring *r, struct pending *p, bool out)
{
	size_t done = 0, most = out ? p->room : p->answer.bytes;

	for (size_t i = 0; i < p->n_iov && done < most; i++) {
		/* offsets into the map, not addresses */
		uint8_t *there = r->map + (uintptr_t)p->iov[i].iov_base;
		size_t n = p->iov[i].iov_len;

		if (n > most - done)
			n = most - done;
		if (out)
			memcpy(p->data + done, there, n);
		else
			memcpy(there, p->data + done, n);
		done += n;
	}
}

static void take(struct ring *r, struct sim *s, const struct tcmu_cmd_entry *e)
{
	struct pending *p = find_free();
	const uint8_t *cdb = r->map + e->req.cdb_off;
	uint64_t now = sim_now_us();

	p->used = true;
	p->id = e->hdr.cmd_id;
	p->n_iov = e->req.iov_cnt < IOVS ? e->req.iov_cnt : IOVS;
	memcpy(p->iov, e->req.iov, p->n_iov * sizeof(*p->iov));
	p->room = 0;
	for (size_t i = 0; i < p->n_iov; i++)
		p->room += p->iov[i].iov_len;
	if (p->room > DATA_BYTES)
		abort();
	p->data = calloc(1, p->room > 1024 ? p->room : 1024);
	if (!p->data)
		abort();
	copy_iov(r, p, true);
	sim_scsi(s, cdb, p->data, p->room > 1024 ? p->room : 1024, &p->answer);
	p->to_device = cdb[0] == 0x2a || cdb[0] == 0x8a;
	if (p->answer.bytes > p->room)
		p->answer.bytes = p->room;
	p->due_us = sim_due_us(s, now, &p->answer);
}

static void skip_padding(struct ring *r)
{
	while (r->box->cmd_tail != r->next) {
		struct tcmu_cmd_entry *e = entry_at(r, r->box->cmd_tail);

		if (tcmu_hdr_get_op(e->hdr.len_op) == TCMU_OP_CMD)
			break;
		r->box->cmd_tail = behind(r, e, r->box->cmd_tail);
	}
}

/* The oldest entry of the ring takes the answer of whichever command is done. */
static void finish(struct ring *r, struct pending *p)
{
	struct tcmu_cmd_entry *e;

	skip_padding(r);
	e = entry_at(r, r->box->cmd_tail);
	if (!p->to_device)
		copy_iov(r, p, false);
	e->hdr.cmd_id = p->id;
	e->hdr.uflags = 0;
	memset(&e->rsp, 0, sizeof(e->rsp));
	e->rsp.scsi_status = p->answer.status;
	if (p->answer.status)
		memcpy(e->rsp.sense_buffer, p->answer.sense, SIM_SENSE);
	/* lets CHECK CONDITION carry data, and a short transfer be short */
	if (!p->to_device && p->room) {
		e->rsp.read_len = (uint32_t)p->answer.bytes;
		e->hdr.uflags |= TCMU_UFLAG_READ_LEN;
	}
	__sync_synchronize();
	r->box->cmd_tail = behind(r, e, r->box->cmd_tail);
	__sync_synchronize();
	free(p->data);
	*p = (struct pending){ 0 };
}

static void fetch(struct ring *r, struct sim *s)
{
	__sync_synchronize();
	while (r->next != *(volatile uint32_t *)&r->box->cmd_head) {
		struct tcmu_cmd_entry *e = entry_at(r, r->next);

		if (tcmu_hdr_get_op(e->hdr.len_op) == TCMU_OP_CMD)
			take(r, s, e);
		r->next = behind(r, e, r->next);
	}
}

/* Finish what is due. Returns us until the next, or -1. */
static int64_t finish_due(struct ring *r)
{
	const uint32_t one = 1;
	uint64_t now = sim_now_us(), next = UINT64_MAX;
	bool any = false;

	for (size_t i = 0; i < PENDING; i++) {
		if (!pending[i].used)
			continue;
		if (pending[i].due_us <= now) {
			finish(r, &pending[i]);
			any = true;
		} else if (pending[i].due_us < next) {
			next = pending[i].due_us;
		}
	}
	if (any && write(r->fd, &one, sizeof(one)) != sizeof(one))
		perror("satasim: ring");
	return next == UINT64_MAX ? -1 : (int64_t)(next - now);
}

/* SIGUSR1: the drive falls asleep, after the kernel has looked at it. SIGHUP: other options. */
static volatile sig_atomic_t sleep_now, options_now;

static void on_signal(int number)
{
	if (number == SIGUSR1)
		sleep_now = 1;
	else
		options_now = 1;
}

static int serve(struct ring *r, struct sim *s)
{
	for (;;) {
		struct pollfd p = { .fd = r->fd, .events = POLLIN };
		struct timespec t;
		uint32_t event;
		int64_t us;

		if (sleep_now)
			s->standby = true;
		if (options_now)
			sim_set(s);
		sleep_now = options_now = 0;
		fetch(r, s);
		us = finish_due(r);
		t = (struct timespec){ .tv_sec = us / 1000000,
				       .tv_nsec = us % 1000000 * 1000 };
		if (ppoll(&p, 1, us < 0 ? NULL : &t, NULL) < 0 && errno != EINTR)
			return 1;
		if ((p.revents & POLLIN) && read(r->fd, &event, sizeof(event)) < 0 &&
		    errno != EAGAIN && errno != EINTR)
			return 1;
	}
}

static size_t map_size(const char *uio)
{
	char path[256], line[64] = "";
	const char *name = strrchr(uio, '/');
	FILE *f;

	(void)snprintf(path, sizeof(path), "/sys/class/uio/%s/maps/map0/size",
		       name ? name + 1 : uio);
	f = fopen(path, "re");
	if (f) {
		if (!fgets(line, sizeof(line), f))
			line[0] = '\0';
		(void)fclose(f);
	}
	return strtoull(line, NULL, 0);
}

int main(int argc, char **argv)
{
	struct ring r = { 0 };
	struct sim s;
	size_t size, bytes;

	if (argc < 4 || sim_init(&s, argc - 3, argv + 3))
		return 2;
	bytes = strtoull(argv[2], NULL, 0);
	s.sectors = bytes / ATA_SECTOR;
	/* a large one has no memory: what is written is gone */
	s.data = bytes > MEDIUM_BYTES
			 ? NULL
			 : mmap(NULL, bytes, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	size = map_size(argv[1]);
	r.fd = open(argv[1], O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (r.fd < 0 || !size || s.data == MAP_FAILED) {
		perror(argv[1]);
		return 1;
	}
	r.map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, r.fd, 0);
	if (r.map == MAP_FAILED) {
		perror("satasim: map");
		return 1;
	}
	r.box = (void *)r.map;
	r.next = r.box->cmd_tail;
	(void)signal(SIGUSR1, on_signal);
	(void)signal(SIGHUP, on_signal);
	return serve(&r, &s);
}
