/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "cmd/options.h"
#include "cmd/session.h"
#include "config.h"

const struct command *const commands[] = {
	&cmd_why,     &cmd_phy,	     &cmd_check, &cmd_list,    &cmd_show,
	&cmd_capture, &cmd_selftest, &cmd_probe, &cmd_history, &cmd_ack,
	&cmd_db,      &cmd_explain,  NULL,
};

/* What the verdicts rest on: the built-in records, and each file that adds to them. */
static void print_database(const struct options *o)
{
	struct buf files cleanup_buf = { 0 };
	struct session s = { .db_log = &files };
	struct db_match nothing = { 0 };
	const char *version, *plus;

	if (session_load_db(&s, o) == 0) {
		version = drivedb_version(s.db);
		/* an installed smartmontools is read when a drive is looked up */
		if (drivedb_match_installed(s.db, &(struct drive_id){ .bus = "ata" }, -1,
					    &s.diag, &nothing) == 0)
			db_match_done(&nothing);
		plus = strstr(version, " + ");
		(void)printf("db %.*s\n",
			     plus ? (int)(plus - version) : (int)strlen(version),
			     version);
		for (const char *line = buf_text(&files); *line;) {
			size_t len = strcspn(line, "\n");

			(void)printf("db + %.*s\n", (int)len, line);
			line += len + (line[len] == '\n');
		}
	}
	session_print_messages(&s);
	session_done(&s);
}

static int print_version(const struct options *o)
{
	(void)printf("%s\n", PACKAGE_STRING);
	print_database(o);
	(void)printf(
		"License GPLv2+: GNU GPL version 2 or later "
		"<https://gnu.org/licenses/gpl-2.0.html>.\n"
		"This is free software: you are free to change and redistribute it.\n"
		"There is NO WARRANTY, to the extent permitted by law.\n");
	return EXIT_OK;
}

static int run(const struct options *o)
{
	if (o->help) {
		options_print_help();
		return EXIT_OK;
	}
	if (o->version)
		return print_version(o);
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
