/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Telling fio's options from our own on one command line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "cmd/fio-ways.h"
#include "probe/fio-jobs.h"

/* The same things by other names: fio says how to print with this one. */
static int take_output_format(const char *value, struct options *o)
{
	if (str_starts(value, "json"))
		o->format = "fio-json";
	else if (str_equal(value, "normal"))
		o->format = "fio";
	else {
		(void)fprintf(stderr,
			      "drivewhy: --output-format takes normal or json here\n");
		return EXIT_USAGE_ERROR;
	}
	return 0;
}

static int find_command(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (str_equal(argv[i], "probe"))
			return i;
	return argc;
}

int fio_words_take(int *argc, char **argv, struct options *o)
{
	int first = find_command(*argc, argv) + 1, kept = first;

	if (first >= *argc)
		return 0;
	o->fio_words = calloc((size_t)*argc, sizeof(*o->fio_words));
	if (!o->fio_words)
		return EXIT_INTERNAL;
	for (int i = first; i < *argc; i++) {
		const char *format = str_after(argv[i], "--output-format=");
		bool takes = false;

		if (format) {
			if (take_output_format(format, o))
				return EXIT_USAGE_ERROR;
		} else if (!options_is_own(argv[i]) && fio_is_word(argv[i], &takes)) {
			o->fio_words[o->n_fio_words++] = argv[i];
			if (takes && i + 1 < *argc)
				o->fio_words[o->n_fio_words++] = argv[++i];
		} else {
			argv[kept++] = argv[i];
		}
	}
	argv[kept] = NULL;
	*argc = kept;
	return 0;
}
