/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fio's options and job files: what they mean (by fio's HOWTO and fio 3.33 itself, whose units
 * tests/probe/fio-ways.t looks at), what is refused, and what is read by them.
 */
#include "unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "probe/fio-run.h"

#define FILE_BYTES (2u << 20)

static char path[] = "probe-fio.XXXXXX";

static int make_file(void **state)
{
	static uint8_t block[65536];
	int fd = mkstemp(path);

	(void)state;
	if (fd < 0)
		return -1;
	for (unsigned i = 0; i < FILE_BYTES / sizeof(block); i++) {
		memset(block, (int)i + 1, sizeof(block));
		if (write(fd, block, sizeof(block)) != (ssize_t)sizeof(block))
			return -1;
	}
	return fsync(fd) < 0 ? -1 : close(fd);
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

/* A job file of a mailing list: a German name, a range of sizes, stonewall. */
static const char posted[] = "[global]\n"
			     "ioengine=libaio\n"
			     "direct=1\n"
			     "filename=/dev/sda\n"
			     "size=476940m\n"
			     "bsrange=2k-16k\n"
			     "[zuf\303\244lliglesen]\n"
			     "rw=randread\n"
			     "runtime=60\n"
			     "[sequentielllesen]\n"
			     "stonewall\n"
			     "rw=read\n"
			     "runtime=60\n";

static void a_posted_job_file(void **state)
{
	struct fio_specs s;
	struct diag d = { 0 };

	(void)state;
	fio_specs_init(&s);
	assert_int_equal(fio_specs_add_file(&s, span_of_text(posted), "job", &d), 0);
	assert_int_equal(s.n, 2);
	assert_string_equal(s.items[0].name, "zuf\303\244lliglesen");
	assert_string_equal(s.items[0].filename, "/dev/sda");
	assert_false(s.items[0].sequential);
	assert_true(s.items[0].direct);
	assert_int_equal(s.items[0].engine_class, FIO_QUEUED);
	assert_int_equal(s.items[0].block_min, 2048);
	assert_int_equal(s.items[0].block_max, 16384);
	assert_int_equal(s.items[0].size.value, UINT64_C(476940) << 20);
	assert_int_equal(s.items[0].runtime_us, 60000000);
	assert_false(s.items[0].alone);
	assert_true(s.items[1].sequential);
	assert_true(s.items[1].alone);
	assert_int_equal(s.items[1].block_max, 16384);
	assert_int_equal(d.n, 0);
	fio_specs_done(&s);
}

/* One dash, a beginning of a name, a value as a word of its own, a second job. */
static void a_command_line(void **state)
{
	static const char *const words[] = {
		"-direct=1",	       "-time_based",	   "-iodepth=64",
		"-rw=randread",	       "-bs=1M",	   "-size=1G",
		"-numjob=16",	       "--runtime",	   "30",
		"--ioengine=io_uring", "-group_reporting", "-name=file",
		"-filename=/mnt/file", "--name=second",	   "--bs=4k,64k"
	};
	struct fio_specs s;
	struct diag d = { 0 };

	(void)state;
	fio_specs_init(&s);
	assert_int_equal(fio_specs_add_words(&s, words, array_size(words), true, &d), 0);
	assert_int_equal(s.n, 2);
	assert_int_equal(s.items[0].depth, 64);
	assert_int_equal(s.items[0].jobs, 16);
	assert_int_equal(s.items[0].block_min, 1 << 20);
	assert_int_equal(s.items[0].size.value, 1 << 30);
	assert_int_equal(s.items[0].runtime_us, 30000000);
	assert_true(s.items[0].time_based && s.items[0].grouped && s.items[0].direct);
	assert_string_equal(s.items[0].filename, "/mnt/file");
	/* what stood above the first name is for all, what stood below it is not */
	assert_int_equal(s.items[1].depth, 64);
	assert_int_equal(s.items[1].block_min, 4096);
	assert_null(s.items[1].filename);
	fio_specs_done(&s);
}

static void what_a_job_file_is(void **state)
{
	static const struct {
		const char *text;
		bool is;
	} rows[] = {
		{ posted, true },
		{ "; c\n\n[a]\n# c\ntime_based\n", true },
		{ "[a]\n rw = read\n", true },
		{ "", false },
		{ "[a]\n", false },
		{ "[a]\n[b]\nrw=read\n", false },
		{ "[    0.000000] Linux version 6.1\n", false },
		{ "[a]\nnonsense=1\n", false },
		{ "rw=read\n", false },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++)
		assert_int_equal(fio_is_job_file(span_of_text(rows[i].text)), rows[i].is);
}

static void units(void **state)
{
	static const struct {
		const char *option, *value;
		uint64_t bytes;
	} sizes[] = {
		{ "bs", "4k", 4096 },
		{ "bs", "4K", 4096 },
		{ "bs", "4kb", 4096 },
		{ "bs", "4kB", 4096 },
		{ "bs", "4Ki", 4096 },
		{ "bs", "4kib", 4000 },
		{ "bs", "1m", 1048576 },
		{ "bs", "0x1000", 4096 },
		{ "bs", "512", 512 },
		{ "blocksize", "2k,4k", 2048 },
		{ "bs", "0", 0 },
		{ "bs", "4x", 0 },
		{ "bs", "", 0 },
		{ "bs", "-4k", 0 },
		{ "bs", "9999999999g", 0 },
	};
	static const struct {
		const char *value;
		uint64_t us;
	} times[] = {
		{ "60", 60000000 },  { "1m", 60000000 },   { "500ms", 500000 },
		{ "90s", 90000000 }, { "2h", 7200000000 }, { "10us", 10 },
		{ "1x", 0 },	     { "s", 0 },
	};
	struct fio_specs s;
	const char *why;

	(void)state;
	fio_specs_init(&s);
	for (size_t i = 0; i < array_size(sizes); i++) {
		struct fio_spec j = { 0 };
		int r = fio_option_set(&s, &j, sizes[i].option, strlen(sizes[i].option),
				       sizes[i].value, &why);

		assert_int_equal(r, sizes[i].bytes ? 0 : -EINVAL);
		assert_int_equal(j.block_min, sizes[i].bytes);
	}
	for (size_t i = 0; i < array_size(times); i++) {
		struct fio_spec j = { 0 };
		int r = fio_option_set(&s, &j, "runtime", 7, times[i].value, &why);

		assert_int_equal(r, times[i].us ? 0 : -EINVAL);
		assert_int_equal(j.runtime_us, times[i].us);
	}
	fio_specs_done(&s);
}

/* Everything that writes is refused before anything is opened. */
static void writes_are_refused(void **state)
{
	static const char *const lines[] = {
		"rw=write",	   "rw=randwrite",    "rw=rw",		 "rw=readwrite",
		"rw=randrw",	   "rw=trim",	      "rw=randtrim",	 "rw=trimwrite",
		"readwrite=write", "rw=write:4k",     "overwrite=1",	 "verify=crc32c",
		"unlink=1",	   "write_lat_log=x", "exec_prerun=true"
	};

	(void)state;
	for (size_t i = 0; i < array_size(lines); i++) {
		struct buf text = { 0 };
		struct fio_specs s;
		struct diag d = { 0 };

		buf_printf(&text, "[a]\nfilename=x\n%s\n", lines[i]);
		fio_specs_init(&s);
		assert_int_equal(fio_specs_add_file(&s, buf_span(&text), "job", &d),
				 -EINVAL);
		assert_int_equal(d.n, 1);
		assert_int_equal(d.items[0].line, 3);
		assert_non_null(strstr(d.items[0].text, "would write"));
		fio_specs_done(&s);
		diag_done(&d);
		buf_done(&text);
	}
}

static void what_is_not_understood_names_its_line(void **state)
{
	static const struct {
		const char *text;
		unsigned line;
		const char *says;
	} rows[] = {
		{ "[a]\nnonsense=1\n", 2, "unknown option nonsense=1" },
		{ "rw=read\n", 1, "above the first" },
		{ "[a\nrw=read\n", 1, "']'" },
		{ "[a]\n\n# c\n; c\nrw=sideways\n", 5, "not a value" },
		{ "[a]\nrw\n", 2, "not a value" },
		{ "[a]\nioengine=net\n", 2, "an engine that reads" },
		{ "[a]\nthinktime=100\n", 2, "would change" },
		{ "[a]\nrw=read:8\n", 2, "gaps" },
		{ "[a]\ndirect=2\n", 2, "not a value" },
		{ "[a]\nx\033[2J=1\n", 2, "x\\x1b[2J=1" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct fio_specs s;
		struct diag d = { 0 };

		fio_specs_init(&s);
		assert_int_equal(
			fio_specs_add_file(&s, span_of_text(rows[i].text), "job", &d),
			-EINVAL);
		assert_int_equal(d.n, 1);
		assert_int_equal(d.items[0].line, rows[i].line);
		assert_non_null(strstr(d.items[0].text, rows[i].says));
		fio_specs_done(&s);
		diag_done(&d);
	}
}

/* TEXT with the file's name for "@". */
static void put_job(struct buf *b, const char *text)
{
	for (; *text; text++)
		if (*text == '@')
			buf_puts(b, path);
		else
			buf_putc(b, *text);
}

static void run_file(const char *text, struct fio_specs *s, struct fio_runs *ret)
{
	struct buf job = { 0 };
	struct diag d = { 0 };

	put_job(&job, text);
	fio_specs_init(s);
	assert_int_equal(fio_specs_add_file(s, buf_span(&job), "job", &d), 0);
	assert_int_equal(fio_run(s, NULL, &d, ret), 0);
	assert_int_equal(d.n, 0);
	diag_done(&d);
	buf_done(&job);
}

/* A file of 2 MiB has 512 blocks of 4 KiB; each is read once, then the job is done. */
static void all_of_a_file_is_read_once(void **state)
{
	struct fio_specs s;
	struct fio_runs r;

	(void)state;
	run_file("[global]\nfilename=@\nbs=4k\n[a]\nrw=read\n[b]\nstonewall\nrw="
		 "randread\n"
		 "size=50%\n[c]\nrw=read\noffset=25%\nnumber_ios=10\n",
		 &s, &r);
	assert_int_equal(r.n, 3);
	assert_int_equal(r.items[0].result->ios, 512);
	assert_int_equal(r.items[0].result->bytes, FILE_BYTES);
	assert_int_equal(r.items[0].group, 0);
	assert_int_equal(r.items[1].result->ios, 256);
	assert_int_equal(r.items[1].group, 1);
	assert_int_equal(r.items[2].result->ios, 10);
	assert_int_equal(r.items[2].group, 1);
	/* stonewall: b waits for a, c does not wait for b */
	assert_true(r.items[1].result->first_ns >=
		    r.items[0].result->first_ns + r.items[0].result->runtime_ns);
	fio_runs_done(&r);
	fio_specs_done(&s);
}

static void jobs_of_a_group_are_summed(void **state)
{
	struct fio_specs s;
	struct fio_runs r;

	(void)state;
	run_file("[g]\nfilename=@\nrw=randread\nbs=4k\nnumjobs=4\ngroup_"
		 "reporting\nioengine="
		 "libaio\niodepth=8\n",
		 &s, &r);
	assert_int_equal(r.n, 1);
	assert_int_equal(r.items[0].jobs, 4);
	assert_int_equal(r.items[0].result->ios, 4 * 512);
	assert_int_equal(r.items[0].result->bytes, 4 * FILE_BYTES);
	assert_int_equal(r.items[0].job.depth, 8);
	fio_runs_done(&r);
	fio_specs_done(&s);
}

/* A time ends a job that would go on for ever; sizes of a range are all within it. */
static void time_and_ranges(void **state)
{
	struct fio_specs s;
	struct fio_runs r;

	(void)state;
	run_file("[t]\nfilename=@\nrw=randread\nbsrange=2k-16k\ntime_based\nruntime="
		 "100ms\n",
		 &s, &r);
	assert_int_equal(r.n, 1);
	assert_int_equal(r.items[0].result->end, JOB_DONE);
	assert_true(r.items[0].result->ios > 10);
	assert_true(r.items[0].result->bytes >= r.items[0].result->ios * 2048);
	assert_true(r.items[0].result->bytes <= r.items[0].result->ios * 16384);
	/* 100 ms, and no more than a busy machine adds */
	assert_true(r.items[0].result->runtime_ns >= 90000000);
	fio_runs_done(&r);
	fio_specs_done(&s);
}

static void what_cannot_be_run(void **state)
{
	static const struct {
		const char *text, *says;
	} rows[] = {
		{ "[a]\nrw=read\n", "no filename" },
		{ "[a]\nfilename=/nonexistent\n", "No such file" },
		{ "[a]\nfilename=@\ntime_based\n", "without runtime" },
		{ "[a]\nfilename=@\noffset=3m\n", "behind the end" },
		{ "[a]\nfilename=@\niodepth=5000\n", "iodepth" },
		{ "[a]\nfilename=@\nnumjobs=0\n", "numjobs" },
		{ "[a]\nfilename=@\nbs=1g\n", "64 MiB" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct buf job = { 0 };
		struct fio_specs s;
		struct fio_runs r;
		struct diag d = { 0 };

		put_job(&job, rows[i].text);
		fio_specs_init(&s);
		assert_int_equal(fio_specs_add_file(&s, buf_span(&job), "job", &d), 0);
		assert_int_equal(fio_run(&s, NULL, &d, &r), -EINVAL);
		assert_int_equal(d.n, 1);
		assert_non_null(strstr(d.items[0].text, rows[i].says));
		fio_specs_done(&s);
		diag_done(&d);
		buf_done(&job);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_posted_job_file),
		cmocka_unit_test(a_command_line),
		cmocka_unit_test(what_a_job_file_is),
		cmocka_unit_test(units),
		cmocka_unit_test(writes_are_refused),
		cmocka_unit_test(what_is_not_understood_names_its_line),
		cmocka_unit_test(all_of_a_file_is_read_once),
		cmocka_unit_test(jobs_of_a_group_are_summed),
		cmocka_unit_test(time_and_ranges),
		cmocka_unit_test(what_cannot_be_run),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
