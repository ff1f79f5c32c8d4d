/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "cmd/fio-ways.h"
#include "render/render.h"

enum {
	OPT_JSON = 256,
	OPT_MARKDOWN,
	OPT_FORMAT,
	OPT_COLOUR,
	OPT_NO_COLOUR,
	OPT_DB,
	OPT_DB_BUILTIN,
	OPT_ANONYMISE,
	OPT_SYSROOT,
	OPT_TRACE,
	OPT_WAKE,
	OPT_SCT,
	OPT_FARM,
	OPT_RESET_PHY,
	OPT_DEADLINE,
	OPT_STATE,
	OPT_NO_PROBE,
	OPT_DEEP,
	OPT_LINK,
	OPT_IDLE,
	OPT_NO_PREFLIGHT,
	OPT_FORCE,
	OPT_BUFFERED,
	OPT_EXPLAIN,
	OPT_EXIT,
	OPT_PAGE,
};

static const struct row {
	int id;
	const char *name, *argument, *help;
} rows[] = {
	{ OPT_JSON, "json", NULL, "print JSON, drivewhy-json(5)" },
	{ OPT_MARKDOWN, "markdown", NULL,
	  "print a short text for a forum, without serial numbers" },
	{ OPT_FORMAT, "format", "NAME",
	  "text, json, markdown, smartctl-json, fio, fio-json;\n"
	  "                           check: nagios, prometheus too; capture: skdump" },
	{ 'v', "verbose", NULL, "print everything that is known, not one screen" },
	{ OPT_EXPLAIN, "explain", NULL,
	  "show: where each value came from, its clock and its trust" },
	{ OPT_EXIT, "exit", "HOW",
	  "exit status: drivewhy's own, or smartctl for its bit mask" },
	{ OPT_PAGE, "page", "ITEM",
	  "the files hold one page of a drive, such as ata/log/11/00" },
	{ OPT_COLOUR, "color", "WHEN",
	  "colour: auto, always or never (NO_COLOR is respected)" },
	{ OPT_DB, "db", "FILE", "add the records of a drive database file" },
	{ OPT_DB_BUILTIN, "db-builtin-only", NULL,
	  "use no database but the built-in one" },
	{ OPT_ANONYMISE, "anonymise", NULL,
	  "capture: replace serial numbers, WWNs and names" },
	{ OPT_SYSROOT, "sysroot", "DIR",
	  "list: a saved tree instead of this machine's /sys" },
	{ OPT_TRACE, "trace", NULL,
	  "print each command that is sent to a drive, with its time" },
	{ OPT_WAKE, "wake", NULL, "read sleeping drives too" },
	{ OPT_SCT, "sct", NULL,
	  "ask for SCT temperature history and error recovery limits" },
	{ OPT_FARM, "farm", NULL, "read Seagate's reliability log" },
	{ OPT_DEADLINE, "deadline", "SECONDS",
	  "give up on a drive that takes longer (60)" },
	{ OPT_NO_PROBE, "no-probe", NULL, "why: do not read from the drive to time it" },
	{ OPT_DEEP, "deep", NULL,
	  "probe: longer, and all zones of a rotating drive (a minute)" },
	{ OPT_LINK, "link", NULL, "probe: load the link and count its errors" },
	{ OPT_IDLE, "idle", NULL, "probe: time reads after pauses" },
	{ OPT_NO_PREFLIGHT, "no-preflight", NULL,
	  "probe: do not look first whether others use the drive" },
	{ OPT_FORCE, "force", NULL,
	  "probe: also during a self-test or a resync, or of a hot drive" },
	{ OPT_BUFFERED, "buffered", NULL, "probe: through the page cache" },
	{ OPT_RESET_PHY, "reset-phy", "[FILE]",
	  "phy: save the counters to FILE, then reset them in the drive" },
	{ OPT_STATE, "state", "DIR",
	  "folder of the history; none: do without (root: /var/lib/drivewhy)" },
	{ OPT_CONFIG, "config", "FILE", "check: instead of the usual drivewhy.conf(5)" },
	{ OPT_REMIND, "remind", "DAYS", "check: tell open findings again after so long" },
	{ OPT_WELL, "well", "[DAYS]", "check: say that all is well (every 30 days)" },
	{ OPT_WHOLE_HOST, "whole-host", NULL,
	  "check: the targets are all drives; a missing one is gone" },
	{ OPT_PROBE, "probe", NULL, "check: read from each drive too, for seconds" },
	{ OPT_OUTPUT, "output", "FILE", "check: what --format asks for goes to FILE" },
	{ OPT_COMPAT, "compat", "NAME",
	  "check: metrics as smartctl_exporter, smartmon.py or smartmon.sh too" },
	{ OPT_SAVE, "save", "FILE", "check: keep what was read as a capture" },
	{ OPT_HOOKS, "hooks", "DIR",
	  "check: run the programs in DIR when something changed" },
	{ OPT_JOURNAL, "journal", NULL,
	  "check: log what changed to the journal or syslog" },
	{ OPT_SINCE, "since", "TIME",
	  "history: from a day (2026-01-31) or for so long (30d) on" },
	{ OPT_CSV, "csv", NULL, "history: print a table for other programs" },
	{ OPT_UNDO, "undo", NULL, "ack: accept it no longer" },
	{ 'h', "help", NULL, "print this help and exit" },
	{ 'V', "version", NULL, "print the version and exit" },
};

/* "[FILE]": it may be left out. */
static int argument_of(const struct row *row)
{
	if (!row->argument)
		return no_argument;
	return *row->argument == '[' ? optional_argument : required_argument;
}

static int take_db(struct options *o, const char *file)
{
	const char **more = realloc(o->db_files, (o->n_db_files + 1) * sizeof(*more));

	if (!more)
		return EXIT_INTERNAL;
	o->db_files = more;
	o->db_files[o->n_db_files++] = file;
	return 0;
}

static int take_format(struct options *o, const char *name)
{
	/* skdump is a form of the capture, not of a report */
	if (!render_find(name) && !str_equal(name, "nagios") &&
	    !str_equal(name, "prometheus") && !str_equal(name, "skdump")) {
		(void)fprintf(stderr, "drivewhy: unknown format '%s'\n", name);
		return EXIT_USAGE_ERROR;
	}
	o->format = name;
	return 0;
}

static int take_colour(struct options *o, const char *when)
{
	if (!str_equal(when, "auto") && !str_equal(when, "always") &&
	    !str_equal(when, "never")) {
		(void)fprintf(stderr, "drivewhy: --color takes auto, always or never\n");
		return EXIT_USAGE_ERROR;
	}
	o->colour = when;
	return 0;
}

static int take_deadline(struct options *o, const char *text)
{
	uint64_t s;

	if (str_to_u64(text, &s) < 0 || s < 1 || s > 3600) {
		(void)fprintf(stderr, "drivewhy: --deadline takes 1 to 3600 seconds\n");
		return EXIT_USAGE_ERROR;
	}
	o->deadline_s = (unsigned)s;
	return 0;
}

/* Options that are on when they are given. */
static const struct {
	int id;
	size_t at;
} flags[] = {
	{ OPT_DB_BUILTIN, offsetof(struct options, db_builtin_only) },
	{ OPT_ANONYMISE, offsetof(struct options, anonymise) },
	{ OPT_TRACE, offsetof(struct options, trace) },
	{ OPT_WAKE, offsetof(struct options, wake) },
	{ OPT_SCT, offsetof(struct options, sct) },
	{ OPT_FARM, offsetof(struct options, farm) },
	{ OPT_NO_PROBE, offsetof(struct options, no_probe) },
	{ OPT_DEEP, offsetof(struct options, deep) },
	{ OPT_LINK, offsetof(struct options, link) },
	{ OPT_IDLE, offsetof(struct options, idle) },
	{ OPT_NO_PREFLIGHT, offsetof(struct options, no_preflight) },
	{ OPT_FORCE, offsetof(struct options, force) },
	{ OPT_BUFFERED, offsetof(struct options, buffered) },
	{ OPT_EXPLAIN, offsetof(struct options, explain) },
	{ 'v', offsetof(struct options, verbose) },
	{ 'h', offsetof(struct options, help) },
	{ 'V', offsetof(struct options, version) },
};

static int take_exit(struct options *o, const char *how)
{
	if (!str_equal(how, "smartctl") && !str_equal(how, "drivewhy")) {
		(void)fprintf(stderr, "drivewhy: --exit takes smartctl or drivewhy\n");
		return EXIT_USAGE_ERROR;
	}
	o->exit_as_smartctl = str_equal(how, "smartctl");
	return 0;
}

static int take_option(struct options *o, int id)
{
	for (size_t i = 0; i < array_size(flags); i++) {
		if (flags[i].id != id)
			continue;
		*(bool *)((char *)o + flags[i].at) = true;
		return 0;
	}
	switch (id) {
	case OPT_JSON:
		return take_format(o, "json");
	case OPT_MARKDOWN:
		return take_format(o, "markdown");
	case OPT_FORMAT:
		return take_format(o, optarg);
	case OPT_COLOUR:
		return take_colour(o, optarg);
	case OPT_DB:
		return take_db(o, optarg);
	case OPT_PAGE:
		o->page = optarg;
		return 0;
	case OPT_SYSROOT:
		o->sysroot = optarg;
		return 0;
	case OPT_RESET_PHY:
		o->reset_phy = true;
		o->reset_file = optarg;
		return 0;
	case OPT_DEADLINE:
		return take_deadline(o, optarg);
	case OPT_STATE:
		o->state = optarg;
		return 0;
	case OPT_EXIT:
		return take_exit(o, optarg);
	case '?':
		(void)fprintf(stderr, "Try 'drivewhy --help'.\n");
		return EXIT_USAGE_ERROR;
	default:
		return options_take_check(o, id, optarg);
	}
}

/* The first word is a command if it is one; a file of that name is given as ./NAME. */
static void take_command(struct options *o)
{
	o->command = commands[0]->name;
	for (size_t i = 0; o->n_targets && commands[i]; i++) {
		if (!str_equal(commands[i]->name, o->targets[0]))
			continue;
		o->command = commands[i]->name;
		o->targets++;
		o->n_targets--;
	}
}

bool options_is_own(const char *word)
{
	const char *name = str_after(word, "--");
	size_t len = name ? strcspn(name, "=") : 0;

	for (size_t i = 0; len && i < array_size(rows); i++)
		if (strlen(rows[i].name) == len && !strncmp(rows[i].name, name, len))
			return true;
	return false;
}

/* What writes the formats that are none of a report. */
static const char *command_of_format(const char *format)
{
	return str_equal(format, "skdump") ? "capture" : "check";
}

int options_parse(int argc, char **argv, struct options *ret)
{
	struct option longs[array_size(rows) + 1] = { 0 };
	struct options o = { .format = "text",
			     .colour = "auto",
			     .check = { .remind_days = -1, .well_days = -1 } };
	int id, status = fio_words_take(&argc, argv, &o);

	if (status) {
		options_done(&o);
		return status;
	}

	for (size_t i = 0; i < array_size(rows); i++)
		longs[i] = (struct option){ .name = rows[i].name,
					    .has_arg = argument_of(&rows[i]),
					    .val = rows[i].id };
	while ((id = getopt_long(argc, argv, "vhV", longs, NULL)) != -1) {
		int r = take_option(&o, id);

		if (r) {
			options_done(&o);
			return r;
		}
	}
	o.targets = argv + optind;
	o.n_targets = argc - optind;
	take_command(&o);
	if (o.reset_phy && !str_equal(o.command, "phy")) {
		(void)fprintf(stderr, "drivewhy: --reset-phy is for the command phy\n");
		options_done(&o);
		return EXIT_USAGE_ERROR;
	}
	if (!render_find(o.format) &&
	    !str_equal(o.command, command_of_format(o.format))) {
		(void)fprintf(stderr, "drivewhy: --format=%s is for the command %s\n",
			      o.format, command_of_format(o.format));
		options_done(&o);
		return EXIT_USAGE_ERROR;
	}
	*ret = o;
	return 0;
}

void options_done(struct options *o)
{
	free(o->db_files);
	free(o->fio_words);
	o->db_files = NULL;
	o->fio_words = NULL;
}

void options_print_help(void)
{
	(void)printf(
		"Usage: drivewhy [OPTION]... [COMMAND] [TARGET]...\n"
		"Say why a drive is slow or about to fail, with the evidence.\n\n"
		"TARGET is a drive by any name (sda, a partition, a mount point), a file "
		"with\nposted output (smartctl, fio, ...), a capture, or - for standard "
		"input. Files given\ntogether are one case.\n\nCommands:\n");
	for (size_t i = 0; commands[i]; i++)
		(void)printf("  %-8s %-14s %s%s\n", commands[i]->name,
			     commands[i]->arguments, commands[i]->help,
			     i ? "" : " (the default)");
	(void)printf("\nOptions:\n");
	for (size_t i = 0; i < array_size(rows); i++) {
		char name[40], letter[5] = "    ";
		bool maybe = argument_of(&rows[i]) == optional_argument;

		(void)snprintf(name, sizeof(name), "--%s%s%s", rows[i].name,
			       maybe		  ? "[="
			       : rows[i].argument ? "="
						  : "",
			       rows[i].argument ? rows[i].argument + maybe : "");
		if (rows[i].id < 256)
			(void)snprintf(letter, sizeof(letter), "-%c, ", rows[i].id);
		(void)printf("  %s%-20s %s\n", letter, name, rows[i].help);
	}
	(void)printf(
		"\nExit status: 0 no fault found, 1 warning, 2 critical, 3 cannot tell,\n"
		"64 usage, 65 input not understood, 66 no such input, 70 internal "
		"error, 130 stopped.\n\n"
		"Manual: drivewhy(8), verdicts: drivewhy-findings(7)\n");
}
