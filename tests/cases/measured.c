/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * measured FILE PROGRAM [ARGUMENTS]...: runs a program, writes its peak memory in KiB to FILE and
 * ends with its exit status (128 + N for signal N). A helper of the scripts in tests/cases, not a test.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static int write_peak(const char *path, long kib)
{
	FILE *f = fopen(path, "w");

	if (!f)
		return -1;
	fprintf(f, "%ld\n", kib);
	return fclose(f);
}

int main(int argc, char **argv)
{
	struct rusage usage;
	int status;
	pid_t child;

	if (argc < 3)
		return 64;
	child = fork();
	if (child == 0) {
		execv(argv[2], argv + 2);
		_exit(127);
	}
	if (child < 0 || wait4(child, &status, 0, &usage) < 0 ||
	    write_peak(argv[1], usage.ru_maxrss) < 0)
		return 70;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
