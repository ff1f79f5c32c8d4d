/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench-judge FILE...: how long judging takes, without reading and decoding: microseconds a drive, the
 * mean over many rounds and the slowest file. Reports only; the aim is below one millisecond.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/str.h"
#include "decode/decode.h"
#include "import/import.h"
#include "judge/judge.h"

#define ROUNDS 200u

static double now_us(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static bool read_file(const char *path, struct buf *ret)
{
	char block[65536];
	FILE *f = fopen(path, "rb");
	size_t n;

	while (f && (n = fread(block, 1, sizeof(block), f)) > 0)
		buf_add(ret, block, n);
	return f && fclose(f) == 0 && buf_error(ret) == 0;
}

/* Microseconds a drive, or a negative number when the file is none. */
static double time_file(const char *path, const struct drivedb *db, size_t *ret_drives)
{
	struct buf text = { 0 };
	struct capture capture = { 0 };
	struct case_file the_case = { 0 };
	struct diag diag = { 0 };
	struct import_stats stats;
	double took = -1;

	if (read_file(path, &text) &&
	    import_read(buf_span(&text), path, &capture, &diag, &stats) == 0 &&
	    decode_case(&capture, db, &diag, &the_case) == 0 && the_case.n_drives) {
		double start = now_us();

		for (unsigned i = 0; i < ROUNDS; i++) {
			struct report r;

			if (judge_case(&the_case, &r) == 0)
				report_done(&r);
		}
		*ret_drives = the_case.n_drives;
		took = (now_us() - start) / ROUNDS / (double)the_case.n_drives;
	}
	case_done(&the_case);
	capture_done(&capture);
	diag_done(&diag);
	buf_done(&text);
	return took;
}

int main(int argc, char **argv)
{
	struct diag diag = { 0 };
	struct drivedb *db = drivedb_new(&diag);
	const char *slowest = NULL;
	double sum = 0, worst = 0;
	size_t n = 0;

	for (int i = 1; db && i < argc; i++) {
		size_t drives = 0;
		double us = time_file(argv[i], db, &drives);

		if (us < 0)
			continue;
		sum += us * (double)drives;
		n += drives;
		if (us > worst) {
			worst = us;
			slowest = argv[i];
		}
	}
	if (n)
		printf("judging: %.1f us a drive over %zu drives, slowest %.1f us (%s)\n",
		       sum / (double)n, n, worst, slowest);
	drivedb_free(db);
	diag_done(&diag);
	return n ? EXIT_SUCCESS : EXIT_FAILURE;
}
