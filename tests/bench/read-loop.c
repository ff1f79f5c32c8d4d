/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The least that reads at depth 1 can cost: pread(2) at random places, each timed into a histogram.
 * read-loop FILE SECONDS prints reads a second and processor time a read in us.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "stats/histogram.h"

static uint64_t now_ns(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int main(int argc, char **argv)
{
	static struct histogram h;
	uint64_t start, end, before, seed = 1, blocks;
	struct rusage u;
	void *memory;
	off_t size;
	int fd;

	if (argc != 3)
		return 64;
	fd = open(argv[1], O_RDONLY | O_DIRECT | O_CLOEXEC);
	size = fd < 0 ? 0 : lseek(fd, 0, SEEK_END);
	if (size < 4096 || posix_memalign(&memory, 4096, 4096))
		return 66;
	blocks = (uint64_t)size / 4096;
	start = before = now_ns();
	end = start + strtoull(argv[2], NULL, 10) * 1000000000u;
	while (before < end) {
		uint64_t after;

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		before = now_ns();
		if (pread(fd, memory, 4096, (off_t)((seed >> 20) % blocks * 4096)) !=
		    4096)
			return 74;
		after = now_ns();
		histogram_add(&h, after - before);
	}
	(void)getrusage(RUSAGE_SELF, &u);
	(void)printf("%.0f %.2f\n", (double)h.n_total * 1e9 / (double)(now_ns() - start),
		     ((double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e6 +
		      (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec)) /
			     (double)h.n_total);
	free(memory);
	return 0;
}
