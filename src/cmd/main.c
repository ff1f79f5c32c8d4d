/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "cmd/options.h"
#include "config.h"

const struct command *const commands[] = {
	&cmd_why,      &cmd_phy,   &cmd_list, &cmd_show,    &cmd_capture,
	&cmd_selftest, &cmd_probe, &cmd_db,   &cmd_explain, NULL,
};

static int print_version(void)
{
	(void)printf(
		"%s\n"
		"License GPLv2+: GNU GPL version 2 or later "
		"<https://gnu.org/licenses/gpl-2.0.html>.\n"
		"This is free software: you are free to change and redistribute it.\n"
		"There is NO WARRANTY, to the extent permitted by law.\n",
		PACKAGE_STRING);
	return EXIT_OK;
}

static int run(const struct options *o)
{
	if (o->help) {
		options_print_help();
		return EXIT_OK;
	}
	if (o->version)
		return print_version();
	for (size_t i = 0; commands[i]; i++)
		if (str_equal(commands[i]->name, o->command))
			return commands[i]->run(o);
	return EXIT_INTERNAL;
}

int main(int argc, char **argv)
{
	struct options o = { 0 };
	int status = options_parse(argc, argv, &o);

	if (status)
		return status;
	status = run(&o);
	options_done(&o);
	/* a full disk or a closed pipe must not look like a short report */
	if (fflush(stdout) != 0 || ferror(stdout)) {
		(void)fprintf(stderr, "drivewhy: standard output: %s\n", strerror(errno));
		return EXIT_INTERNAL;
	}
	return status;
}
