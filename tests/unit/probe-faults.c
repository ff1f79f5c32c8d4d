/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can go wrong while something is read. The calls of the engine are wrapped by the linker, so that
 * a read fails, vanishes or hangs when the test wants it to.
 */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/fiemap.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"
#include "probe/plan.h"

#define BLOCK	4096u
#define N_BLOCK 512u

static char path[] = "probe-faults.XXXXXX";

/* What the next reads do; inherited by the process that reads. */
static struct {
	unsigned after;		/* so many are good, then ... */
	int error;		/* they fail with this, */
	bool hang;		/* or never come back */
	off_t bad_from, bad_to; /* these places give EIO */
	bool no_direct;		/* the filesystem knows no O_DIRECT */
	bool encoded, unwritten;
} fault;

/* The reads that never come back: the process that reads tells their places here. */
static struct hung {
	_Atomic unsigned n;
	_Atomic off_t at[16];
} * hung;

ssize_t __real_preadv2(int fd, const struct iovec *v, int n, off_t offset, int flags);
ssize_t __wrap_preadv2(int fd, const struct iovec *v, int n, off_t offset, int flags);
int __real_open(const char *name, int flags, ...);
int __wrap_open(const char *name, int flags, ...);
int __real_ioctl(int fd, unsigned long request, ...);
int __wrap_ioctl(int fd, unsigned long request, void *argument);

ssize_t __wrap_preadv2(int fd, const struct iovec *v, int n, off_t offset, int flags)
{
	static _Atomic unsigned calls;

	if ((fault.error || fault.hang) && atomic_fetch_add(&calls, 1) >= fault.after) {
		if (fault.hang)
			hung->at[hung->n++ % array_size(hung->at)] = offset;
		while (fault.hang)
			(void)pause();
		errno = fault.error;
		return -1;
	}
	if (offset < fault.bad_to && offset + (off_t)v->iov_len > fault.bad_from) {
		errno = EIO;
		return -1;
	}
	return __real_preadv2(fd, v, n, offset, flags);
}

int __wrap_open(const char *name, int flags, ...)
{
	if (fault.no_direct && (flags & O_DIRECT)) {
		errno = EINVAL;
		return -1;
	}
	return __real_open(name, flags, 0600);
}

/* One extent that holds all, compressed or not yet written. */
int __wrap_ioctl(int fd, unsigned long request, void *argument)
{
	struct fiemap *m = argument;

	if (request != FS_IOC_FIEMAP || (!fault.encoded && !fault.unwritten))
		return __real_ioctl(fd, request, argument);
	m->fm_mapped_extents = 1;
	m->fm_extents[0] = (struct fiemap_extent){
		.fe_length = N_BLOCK * BLOCK,
		.fe_flags = FIEMAP_EXTENT_LAST |
			    (fault.encoded ? (uint32_t)FIEMAP_EXTENT_ENCODED : 0) |
			    (fault.unwritten ? (uint32_t)FIEMAP_EXTENT_UNWRITTEN : 0)
	};
	return 0;
}

static int make_file(void **state)
{
	uint8_t block[BLOCK];
	int fd = mkstemp(path);

	(void)state;
	hung = mmap(NULL, sizeof(*hung), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (hung == MAP_FAILED)
		return -1;
	for (unsigned i = 0; fd >= 0 && i < N_BLOCK; i++) {
		memset(block, (int)(i % 250) + 1, sizeof(block));
		if (write(fd, block, sizeof(block)) != (ssize_t)sizeof(block))
			return -1;
	}
	if (fd < 0 || fsync(fd) < 0)
		return -1;
	return close(fd);
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

static int no_fault(void **state)
{
	(void)state;
	memset(&fault, 0, sizeof(fault));
	return 0;
}

static struct probe_job job_of(struct target *t)
{
	return (struct probe_job){ .name = "test",
				   .target = t,
				   .pattern = JOB_SEQUENTIAL,
				   .block_min = BLOCK,
				   .block_max = BLOCK,
				   .depth = 1 };
}

static struct job_result *run_one(struct probe_job *j, uint64_t hang_ns)
{
	struct engine_watch w = { .hang_ns = hang_ns };
	struct job_result *r = calloc(1, sizeof(*r));

	assert_non_null(r);
	assert_int_equal(engine_run(j, 1, &w, r), 0);
	return r;
}

/*
 * Of several threads one may be held up on its way and arrive last, with an early place: so the reads
 * themselves say which of them hang.
 */
static bool is_hung(uint64_t offset)
{
	bool found = false;

	for (unsigned i = 0; i < hung->n; i++)
		found |= (uint64_t)hung->at[i] == offset;
	return found;
}

/* Given up, with what came before it, and where it was. */
static void read_that_never_returns(void **state)
{
	static const uint32_t depths[] = { 1, 4 };
	time_t began = time(NULL);

	(void)state;
	for (size_t i = 0; i < array_size(depths); i++) {
		struct target t;
		struct probe_job j;
		struct job_result *r;

		memset(&fault, 0, sizeof(fault));
		assert_int_equal(target_open(path, false, &t), 0);
		fault.after = 50;
		fault.hang = true;
		hung->n = 0;
		j = job_of(&t);
		j.depth = depths[i];
		j.engine = depths[i] > 1 ? JOB_ENGINE_THREADS : JOB_ENGINE_SYNC;
		r = run_one(&j, 300000000);
		assert_int_equal(r->end, JOB_HANGS);
		assert_int_equal(r->ios, 50);
		assert_int_equal(r->lat.n_total, 50);
		assert_true(r->hang_ns >= 300000000);
		assert_true(hung->n >= 1 && hung->n <= depths[i]);
		assert_true(is_hung(r->hang_offset));
		free(r);
		target_close(&t);
	}
	assert_true(time(NULL) - began < 10);
}

static void bad_places(void **state)
{
	struct target t;
	struct probe_job j;
	struct job_result *r;

	(void)state;
	assert_int_equal(target_open(path, false, &t), 0);
	fault.bad_from = 10 * BLOCK;
	fault.bad_to = 13 * BLOCK;
	j = job_of(&t);
	r = run_one(&j, 0);
	assert_int_equal(r->end, JOB_FAILED);
	assert_int_equal(r->error, EIO);
	assert_int_equal(r->n_errors, 1);
	assert_int_equal(r->errors[0].offset, 10 * BLOCK);
	assert_int_equal(r->lat.n_total, 10);
	free(r);
	j.go_on = true;
	r = run_one(&j, 0);
	assert_int_equal(r->end, JOB_DONE);
	assert_int_equal(r->n_errors, 3);
	assert_int_equal(r->lat.n_total, N_BLOCK - 3);
	free(r);
	/* not for ever */
	fault.bad_to = N_BLOCK * BLOCK;
	r = run_one(&j, 0);
	assert_int_equal(r->end, JOB_FAILED);
	assert_int_equal(r->n_errors, JOB_ERRORS);
	free(r);
	target_close(&t);
}

static void removed_while_read(void **state)
{
	struct target t;
	struct probe_job j;
	struct job_result *r;

	(void)state;
	assert_int_equal(target_open(path, false, &t), 0);
	fault.after = 20;
	fault.error = ENODEV;
	j = job_of(&t);
	j.go_on = true;
	r = run_one(&j, 0);
	assert_int_equal(r->end, JOB_GONE);
	assert_int_equal(r->lat.n_total, 20);
	free(r);
	target_close(&t);
}

/* The page cache answers then, and nobody says otherwise. */
static void direct_refused(void **state)
{
	struct target t;

	(void)state;
	fault.no_direct = true;
	assert_int_equal(target_open(path, false, &t), 0);
	assert_false(t.direct);
	target_close(&t);
	fault.no_direct = false;
	assert_int_equal(target_open(path, true, &t), 0);
	assert_false(t.direct);
	target_close(&t);
}

/* Sectors of 4096 bytes: nothing smaller is asked for. */
static void large_sectors(void **state)
{
	struct target t;
	struct probe_job j;
	struct job_result *r = calloc(1, sizeof(*r));

	(void)state;
	assert_non_null(r);
	assert_int_equal(target_open(path, false, &t), 0);
	t.logical = t.physical = t.align = 4096;
	t.direct = true;
	j = job_of(&t);
	j.block_min = j.block_max = 2048;
	assert_int_equal(engine_run(&j, 1, NULL, r), -EINVAL);
	j.block_min = 4096;
	j.block_max = 16384;
	j.pattern = JOB_RANDOM;
	j.repeat = true;
	j.most_ios = 100;
	assert_int_equal(engine_run(&j, 1, NULL, r), 0);
	assert_int_equal(r->end, JOB_DONE);
	assert_int_equal(r->n_errors, 0);
	free(r);
	target_close(&t);
}

static void what_a_file_stores(void **state)
{
	struct target t;

	(void)state;
	fault.encoded = true;
	assert_int_equal(target_open(path, false, &t), 0);
	assert_true(t.compressed);
	target_close(&t);
	fault.encoded = false;
	fault.unwritten = true;
	assert_int_equal(target_open(path, false, &t), -ENODATA);
}

/* In a process of its own: what is forbidden stays so. */
static int run_forbidden(void)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_io_uring_setup, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = array_size(rules), .filter = rules };
	struct job_result *r = calloc(1, sizeof(*r));
	struct target t;
	struct probe_job j;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
		return 77;
	if (!r || target_open(path, false, &t) < 0)
		return 1;
	j = job_of(&t);
	j.depth = 16;
	if (engine_run(&j, 1, NULL, r) < 0)
		return 2;
	return r->end == JOB_DONE && r->engine == JOB_ENGINE_THREADS &&
			       r->lat.n_total == N_BLOCK
		       ? 0
		       : 3;
}

static int in_child(int (*run)(void))
{
	pid_t child = fork();
	int status = 0;

	assert_true(child >= 0);
	if (!child)
		_exit(run());
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void io_uring_forbidden(void **state)
{
	int status;

	(void)state;
	status = in_child(run_forbidden);
	if (status == 77)
		skip();
	assert_int_equal(status, 0);
}

static int run_unprivileged(void)
{
	struct target t;

	if (geteuid() == 0 && (setgid(65534) < 0 || setuid(65534) < 0))
		return 77;
	return target_open(path, false, &t) == -EACCES ? 0 : 1;
}

static void not_allowed(void **state)
{
	int status;

	(void)state;
	assert_int_equal(chmod(path, 0), 0);
	status = in_child(run_unprivileged);
	assert_int_equal(chmod(path, 0600), 0);
	if (status == 77)
		skip();
	assert_int_equal(status, 0);
}

/* Two blocks: what has no room is left out, the rest is done. */
static void smaller_than_the_plan(void **state)
{
	char name[] = "probe-small.XXXXXX";
	int fd = mkstemp(name);
	uint8_t blocks[2 * BLOCK];
	struct target t;
	struct plan p = { .target = &t, .no_preflight = true, .root = "/nonexistent" };

	(void)state;
	assert_true(fd >= 0);
	memset(blocks, 5, sizeof(blocks));
	assert_int_equal(write(fd, blocks, sizeof(blocks)), sizeof(blocks));
	assert_int_equal(fsync(fd), 0);
	(void)close(fd);
	assert_int_equal(target_open(name, false, &t), 0);
	assert_int_equal(plan_run(&p), 0);
	assert_false(p.broken);
	assert_true(p.n_phases >= (p.slow ? 1 : 2));
	for (size_t i = 0; i < p.n_phases; i++) {
		assert_int_equal(p.phases[i]->result.n_errors, 0);
		assert_int_equal(p.phases[i]->job.block_min, BLOCK);
	}
	plan_done(&p);
	target_close(&t);
	(void)unlink(name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(read_that_never_returns, no_fault),
		cmocka_unit_test_setup(bad_places, no_fault),
		cmocka_unit_test_setup(removed_while_read, no_fault),
		cmocka_unit_test_setup(direct_refused, no_fault),
		cmocka_unit_test_setup(large_sectors, no_fault),
		cmocka_unit_test_setup(what_a_file_stores, no_fault),
		cmocka_unit_test_setup(io_uring_forbidden, no_fault),
		cmocka_unit_test_setup(not_allowed, no_fault),
		cmocka_unit_test_setup(smaller_than_the_plan, no_fault),
	};

	return cmocka_run_group_tests_name("probe faults", tests, make_file, remove_file);
}
