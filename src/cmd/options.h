/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line, as one table: parsing and --help come from it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/attrs.h"

/* sysexits(3) numbers, so that a script tells bad input from a bad drive. */
enum exit_status {
	EXIT_OK = 0,
	EXIT_WARNING = 1,
	EXIT_CRITICAL = 2,
	EXIT_CANNOT_TELL = 3,
	EXIT_USAGE_ERROR = 64,
	EXIT_DATA_ERROR = 65,
	EXIT_NO_INPUT = 66,
	EXIT_INTERNAL = 70,
	EXIT_INTERRUPTED = 130,
};

/* Of check, and of what it prints. */
struct check_options {
	int remind_days, well_days; /* -1: as configured */
	const char *output;	    /* file for the format asked for, or NULL */
	const char *compat;	    /* whose metrics beside ours, or NULL */
	const char *save;	    /* file for the capture, or NULL */
	const char *hooks;	    /* folder of programs, NULL: as configured */
	const char *config;	    /* NULL: the usual file */
	bool journal, whole_host, probe;
};

struct options {
	const char *format;  /* a name in renderers[] */
	const char *colour;  /* auto, always, never */
	const char *sysroot; /* NULL: this machine */
	const char *page;    /* files hold this item of a capture; NULL: by content */
	const char **db_files;
	size_t n_db_files;
	bool db_builtin_only;
	bool anonymise;
	bool verbose, explain;
	bool exit_as_smartctl; /* end with smartctl's bit mask */
	/* of drives that are read */
	bool trace, wake, sct, farm, reset_phy;
	const char *reset_file; /* NULL: a name of its own */
	unsigned deadline_s;	/* of one drive; 0: the usual one */
	const char *state;	/* folder of the history, "none", NULL: the usual one */
	/* of the read probe */
	bool no_probe, deep, link, idle, no_preflight, force, buffered;
	char **fio_words; /* of probe: fio's options, as they stood there */
	size_t n_fio_words;
	struct check_options check;
	const char *since; /* history: from when on */
	bool csv;
	bool undo; /* ack: no longer accepted */
	bool help, version;
	const char *command; /* name in commands[], never NULL */
	char **targets;
	int n_targets;
};

struct command {
	const char *name, *arguments, *help;
	int (*run)(const struct options *o); /* returns an exit status */
};

extern const struct command
	*const commands[]; /* NULL-terminated, the default one first */

/* Options of check, history and ack: options-check.c takes them. */
enum {
	OPT_REMIND = 512,
	OPT_WELL,
	OPT_OUTPUT,
	OPT_COMPAT,
	OPT_SAVE,
	OPT_HOOKS,
	OPT_CONFIG,
	OPT_JOURNAL,
	OPT_WHOLE_HOST,
	OPT_PROBE,
	OPT_SINCE,
	OPT_CSV,
	OPT_UNDO,
};

/* 0 or EXIT_USAGE_ERROR; ID is one of those above, VALUE its argument. */
int options_take_check(struct options *o, int id, const char *value);

/*
 * Fill RET from the arguments; what is wrong goes to stderr. Returns 0 or EXIT_USAGE_ERROR.
 * The arrays borrow from argv; db_files is owned: options_done().
 */
int options_parse(int argc, char **argv, struct options *ret) must_check;
void options_done(struct options *o);
/* Is this word, "--name" or "--name=value", an option of the program's own? */
bool options_is_own(const char *word);
void options_print_help(void);

extern const struct command cmd_why, cmd_phy, cmd_selftest, cmd_list, cmd_show, cmd_probe,
	cmd_capture, cmd_db, cmd_explain, cmd_check, cmd_history, cmd_ack;
