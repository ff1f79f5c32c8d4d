/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Times whole commands side by side:
 *
 *   alternate ROUNDS NAME COMMAND [ARGUMENT]... [-- NAME COMMAND [ARGUMENT]...]...
 *
 * Each round runs every command once, and each round begins with another one, so that a busy
 * moment of the machine hits all of them alike. The ratio to the first command is the median of
 * the ratios of the rounds. Peak memory is the child's own, as wait4() tells it; it has a floor at
 * what this small program needs itself. It reports and judges nothing.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_COMMANDS 16u
#define MAX_ROUNDS   10000u

struct command {
	const char *name;
	char **argv;
	double *wall_ms; /* one a round */
	double cpu_ms;	 /* sum */
	long peak_kib;
	int status;   /* of the last run */
	double ratio; /* to the first command */
};

static double now_ms(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double timeval_ms(struct timeval t)
{
	return (double)t.tv_sec * 1e3 + (double)t.tv_usec / 1e3;
}

static void become(char **argv)
{
	int null = open("/dev/null", O_RDWR);

	if (null >= 0) {
		(void)dup2(null, STDIN_FILENO);
		(void)dup2(null, STDOUT_FILENO);
		(void)dup2(null, STDERR_FILENO);
	}
	(void)execvp(argv[0], argv);
	_exit(127);
}

/* Run it once; false when it could not be started. */
static bool run(struct command *c, size_t round)
{
	double start = now_ms();
	struct rusage usage;
	int status;
	pid_t child = fork();

	if (child < 0)
		return false;
	if (child == 0)
		become(c->argv);
	while (wait4(child, &status, 0, &usage) < 0)
		if (errno != EINTR)
			return false;
	c->wall_ms[round] = now_ms() - start;
	c->cpu_ms += timeval_ms(usage.ru_utime) + timeval_ms(usage.ru_stime);
	if (usage.ru_maxrss > c->peak_kib)
		c->peak_kib = usage.ru_maxrss;
	c->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
	return c->status != 127;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sorts the values. */
static double median(double *values, size_t n)
{
	qsort(values, n, sizeof(*values), by_value);
	return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/* Before any rounds are sorted. SCRATCH has room for one number a round. */
static void compare(struct command *commands, size_t n, size_t rounds, double *scratch)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < rounds; k++)
			scratch[k] = commands[i].wall_ms[k] / commands[0].wall_ms[k];
		commands[i].ratio = median(scratch, rounds);
	}
}

static void print_table(struct command *commands, size_t n, size_t rounds)
{
	(void)printf("%-28s %9s %9s %9s %9s %9s %8s %6s\n", "command", "median ms",
		     "min ms", "max ms", "cpu ms", "peak KiB", "ratio", "exit");
	for (size_t i = 0; i < n; i++) {
		struct command *c = &commands[i];
		double middle = median(c->wall_ms, rounds);

		(void)printf("%-28s %9.2f %9.2f %9.2f %9.2f %9ld %8.2f %6d\n", c->name,
			     middle, c->wall_ms[0], c->wall_ms[rounds - 1],
			     c->cpu_ms / (double)rounds, c->peak_kib, c->ratio,
			     c->status);
	}
}

/* Cut the arguments at each "--"; returns the number of commands, 0 when they make no sense. */
static size_t parse(char **argv, struct command *commands)
{
	size_t n = 0;

	while (*argv) {
		if (n == MAX_COMMANDS || !argv[1] || strcmp(argv[1], "--") == 0)
			return 0;
		commands[n].name = argv[0];
		commands[n++].argv = ++argv;
		while (*argv && strcmp(*argv, "--") != 0)
			argv++;
		if (*argv)
			*argv++ = NULL;
	}
	return n;
}

/* False when a command cannot be run. */
static bool measure(struct command *commands, size_t n, size_t rounds)
{
	for (size_t round = 0; round < rounds; round++) {
		for (size_t i = 0; i < n; i++) {
			struct command *c = &commands[(round + i) % n];

			if (!run(c, round)) {
				(void)fprintf(stderr, "alternate: %s cannot be run\n",
					      c->argv[0]);
				return false;
			}
		}
	}
	return true;
}

int main(int argc, char **argv)
{
	struct command commands[MAX_COMMANDS] = { 0 };
	size_t n = argc > 3 ? parse(argv + 2, commands) : 0;
	size_t rounds = argc > 3 ? strtoul(argv[1], NULL, 10) : 0;
	double *times;
	bool done;

	if (!n || !rounds || rounds > MAX_ROUNDS) {
		(void)fputs(
			"usage: alternate ROUNDS NAME COMMAND... [-- NAME COMMAND...]\n",
			stderr);
		return 64;
	}
	times = calloc((n + 1) * rounds, sizeof(*times));
	if (!times)
		return 70;
	for (size_t i = 0; i < n; i++)
		commands[i].wall_ms = times + i * rounds;
	done = measure(commands, n, rounds);
	if (done) {
		compare(commands, n, rounds, times + n * rounds);
		print_table(commands, n, rounds);
	}
	free(times);
	return done ? 0 : 66;
}
