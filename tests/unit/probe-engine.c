/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine on real files: what is read, how it ends, and what it says when it cannot. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe/engine.h"

#define BLOCK	4096u
#define N_BLOCK 512u

static char path[] = "probe-engine.XXXXXX";

/* Blocks 0..N-1; the first quarter is zeroes. */
static int make_file(void **state)
{
	uint8_t block[BLOCK];
	int fd = mkstemp(path);

	(void)state;
	if (fd < 0)
		return -1;
	for (unsigned i = 0; i < N_BLOCK; i++) {
		memset(block, i < N_BLOCK / 4 ? 0 : (int)(i % 250) + 1, sizeof(block));
		if (write(fd, block, sizeof(block)) != (ssize_t)sizeof(block))
			return -1;
	}
	/* what is not on the disk yet has no place that could be asked for */
	if (fsync(fd) < 0)
		return -1;
	return close(fd);
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

static struct probe_job job_of(struct target *t)
{
	return (struct probe_job){ .name = "test",
				   .target = t,
				   .block_min = BLOCK,
				   .block_max = BLOCK,
				   .depth = 1,
				   .seed = 1 };
}

static struct job_result *run_one(const struct probe_job *j)
{
	struct job_result *r = calloc(1, sizeof(*r));

	assert_non_null(r);
	assert_int_equal(engine_run(j, 1, NULL, r), 0);
	return r;
}

static void check_whole(const struct job_result *r)
{
	assert_int_equal(r->end, JOB_DONE);
	assert_int_equal(r->ios, N_BLOCK);
	assert_int_equal(r->bytes, N_BLOCK * BLOCK);
	assert_int_equal(r->lat.n_total, N_BLOCK);
	assert_int_equal(r->zero.n_total, N_BLOCK / 4);
	assert_int_equal(r->n_errors, 0);
	assert_true(r->runtime_ns > 0);
}

/* Each block once, in order or nearly so, whatever engine. */
static void test_sequential(void **state)
{
	static const struct {
		enum job_engine engine, used;
		uint32_t depth;
	} rows[] = {
		{ JOB_ENGINE_AUTO, JOB_ENGINE_SYNC, 1 },
		{ JOB_ENGINE_SYNC, JOB_ENGINE_SYNC, 1 },
		{ JOB_ENGINE_THREADS, JOB_ENGINE_THREADS, 1 },
		{ JOB_ENGINE_THREADS, JOB_ENGINE_THREADS, 8 },
	};
	struct target t;

	(void)state;
	assert_int_equal(target_open(path, false, &t), 0);
	assert_int_equal(t.stored, N_BLOCK * BLOCK);
	for (size_t i = 0; i < array_size(rows); i++) {
		struct probe_job j = job_of(&t);
		struct job_result *r;
		bool seen[N_BLOCK] = { false };

		j.pattern = JOB_SEQUENTIAL;
		j.engine = rows[i].engine;
		j.depth = rows[i].depth;
		r = run_one(&j);
		check_whole(r);
		assert_int_equal(r->engine, rows[i].used);
		for (unsigned k = 0; k < N_BLOCK; k++) {
			assert_int_equal(r->samples[k].offset % BLOCK, 0);
			assert_false(seen[r->samples[k].offset / BLOCK]);
			seen[r->samples[k].offset / BLOCK] = true;
		}
		free(r);
	}
	target_close(&t);
}

/* Where io_uring is forbidden the same job runs with threads. */
static void test_depth(void **state)
{
	struct target t;
	struct probe_job j;
	struct job_result *r;

	(void)state;
	assert_int_equal(target_open(path, false, &t), 0);
	j = job_of(&t);
	j.pattern = JOB_SEQUENTIAL;
	j.depth = 32;
	r = run_one(&j);
	check_whole(r);
	assert_true(r->engine == JOB_ENGINE_URING || r->engine == JOB_ENGINE_THREADS);
	free(r);
	target_close(&t);
}

static void test_random(void **state)
{
	struct target t;
	struct probe_job j;
	struct job_result *a, *b;

	(void)state;
	assert_int_equal(target_open(path, false, &t), 0);
	j = job_of(&t);
	j.start = 100 * BLOCK;
	j.size = 50 * BLOCK;
	j.repeat = true;
	j.most_ios = 1000;
	a = run_one(&j);
	b = run_one(&j);
	assert_int_equal(a->ios, 1000);
	for (unsigned i = 0; i < 1000; i++) {
		assert_true(a->samples[i].offset >= 100 * BLOCK);
		assert_true(a->samples[i].offset < 150 * BLOCK);
		/* the same seed reads the same places */
		assert_int_equal(a->samples[i].offset, b->samples[i].offset);
	}
	free(a);
	free(b);
	target_close(&t);
}

/* Every zone as often as any other. */
static void test_zones(void **state)
{
	struct target t;
	struct probe_job j;
	struct job_result *r;

	(void)state;
	assert_int_equal(target_open(path, false, &t), 0);
	j = job_of(&t);
	j.pattern = JOB_ZONES;
	j.zones = 16;
	j.repeat = true;
	j.most_ios = 16 * 8;
	j.most_ns = UINT64_C(60000000000);
	r = run_one(&j);
	for (unsigned z = 0; z < 16; z++) {
		assert_int_equal(r->zone_n[z], 8);
		for (unsigned k = 0; k < 8; k++)
			assert_int_equal(r->zone_ns[z][k] == 0, z < 4);
		assert_int_equal(r->zone_zero[z], z < 4 ? 8 : 0);
	}
	free(r);
	target_close(&t);
}

static void test_several(void **state)
{
	struct job_result *r = calloc(3, sizeof(*r)), *sum = calloc(1, sizeof(*sum));
	struct probe_job jobs[3];
	struct target t;

	(void)state;
	assert_non_null(r);
	assert_non_null(sum);
	assert_int_equal(target_open(path, false, &t), 0);
	for (unsigned i = 0; i < 3; i++) {
		jobs[i] = job_of(&t);
		jobs[i].pattern = JOB_SEQUENTIAL;
		jobs[i].depth = i + 1;
	}
	assert_int_equal(engine_run(jobs, 3, NULL, r), 0);
	for (unsigned i = 0; i < 3; i++) {
		check_whole(&r[i]);
		job_result_merge(sum, &r[i]);
	}
	assert_int_equal(sum->ios, 3 * N_BLOCK);
	assert_int_equal(sum->lat.n_total, 3 * N_BLOCK);
	target_close(&t);
	free(r);
	free(sum);
}

static int stop_at_once(struct engine_watch *w, uint64_t elapsed_ns, uint64_t ios,
			uint64_t bytes)
{
	unsigned *calls = w->context;

	(void)elapsed_ns;
	(void)bytes;
	++*calls;
	return ios > 0;
}

static void test_stop(void **state)
{
	unsigned calls = 0;
	struct engine_watch w = { .tick_ns = 50000000,
				  .tick = stop_at_once,
				  .context = &calls };
	struct job_result *r = calloc(1, sizeof(*r));
	struct target t;
	struct probe_job j;

	(void)state;
	assert_non_null(r);
	assert_int_equal(target_open(path, false, &t), 0);
	j = job_of(&t);
	j.repeat = true;
	assert_int_equal(engine_run(&j, 1, &w, r), 0);
	assert_int_equal(r->end, JOB_STOPPED);
	assert_int_equal(calls, 1);
	assert_true(r->ios > 0);
	free(r);
	target_close(&t);
}

static void test_refused(void **state)
{
	struct target t;
	struct probe_job j;
	struct job_result *r = calloc(1, sizeof(*r));

	(void)state;
	assert_non_null(r);
	assert_int_equal(target_open("/nonexistent", false, &t), -ENOENT);
	assert_int_equal(target_open("/dev/null", false, &t), -EINVAL);
	assert_int_equal(target_open(".", false, &t), -EINVAL);
	assert_int_equal(target_open(path, false, &t), 0);
	j = job_of(&t);
	j.depth = 0;
	assert_int_equal(engine_run(&j, 1, NULL, r), -EINVAL);
	/* larger than the file */
	j.depth = 1;
	j.block_min = j.block_max = N_BLOCK * BLOCK * 2;
	assert_int_equal(engine_run(&j, 1, NULL, r), 0);
	assert_int_equal(r->end, JOB_FAILED);
	assert_int_equal(r->error, ENODATA);
	target_close(&t);
	free(r);
}

/* A hole is not read: what is stored is seen as one run. */
static void test_sparse(void **state)
{
	char name[] = "probe-sparse.XXXXXX";
	int fd = mkstemp(name);
	uint8_t block[BLOCK];
	struct target t;
	uint64_t left;

	(void)state;
	assert_true(fd >= 0);
	memset(block, 7, sizeof(block));
	assert_int_equal(pwrite(fd, block, BLOCK, 1 << 20), BLOCK);
	assert_int_equal(pwrite(fd, block, BLOCK, 8 << 20), BLOCK);
	assert_int_equal(ftruncate(fd, 16 << 20), 0);
	assert_int_equal(fsync(fd), 0);
	assert_int_equal(target_open(name, false, &t), 0);
	assert_true(t.sparse);
	assert_int_equal(t.stored, 2 * BLOCK);
	assert_int_equal(target_place(&t, 0, &left), 1 << 20);
	assert_int_equal(left, BLOCK);
	assert_int_equal(target_place(&t, BLOCK, &left), 8 << 20);
	target_close(&t);
	assert_int_equal(ftruncate(fd, 0), 0);
	assert_int_equal(target_open(name, false, &t), -ENODATA);
	(void)close(fd);
	(void)unlink(name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sequential), cmocka_unit_test(test_depth),
		cmocka_unit_test(test_random),	   cmocka_unit_test(test_zones),
		cmocka_unit_test(test_several),	   cmocka_unit_test(test_stop),
		cmocka_unit_test(test_refused),	   cmocka_unit_test(test_sparse),
	};

	return cmocka_run_group_tests_name("probe engine", tests, make_file, remove_file);
}
