/* SPDX-License-Identifier: GPL-2.0-or-later */
/* db lookup MODEL [FIRMWARE], db lint [FILE...]: the knowledge behind a verdict. */
#include <stdio.h>

#include "base/str.h"
#include "cmd/session.h"

static void print_escaped(const char *text)
{
	struct buf b cleanup_buf = { 0 };

	str_add_escaped(&b, text, SIZE_MAX);
	(void)fputs(buf_text(&b), stdout);
}

static int lookup(struct session *s, const char *model, const char *firmware)
{
	struct drive_id id = { .model = model, .firmware = firmware };
	struct db_match match = { 0 };

	if (drivedb_match(s->db, &id, &match) < 0)
		return EXIT_INTERNAL;
	for (size_t i = 0; i < match.n; i++) {
		print_escaped(match.items[i].key);
		(void)putchar('=');
		print_escaped(match.items[i].value);
		(void)printf("\t%s:%u", match.items[i].file, match.items[i].line);
		if (match.items[i].source) {
			(void)printf("\t");
			print_escaped(match.items[i].source);
		}
		(void)putchar('\n');
	}
	if (!db_match_get(&match, "FAMILY"))
		(void)printf("# unknown model: class defaults\n");
	db_match_done(&match);
	return EXIT_OK;
}

static int run_db(const struct options *o)
{
	struct session s = { 0 };
	const char *what = o->n_targets ? o->targets[0] : "";
	int status = session_load_db(&s, o);

	if (!status && str_equal(what, "lookup") && o->n_targets >= 2 &&
	    o->n_targets <= 3) {
		status = lookup(&s, o->targets[1],
				o->n_targets == 3 ? o->targets[2] : NULL);
	} else if (!status && str_equal(what, "lint") && o->n_targets == 1) {
		int faults = drivedb_lint(s.db, &s.diag);

		status = faults < 0 ? EXIT_INTERNAL : faults ? EXIT_DATA_ERROR : EXIT_OK;
		(void)printf("%s: %d faults\n", drivedb_version(s.db), faults);
	} else if (!status) {
		(void)fprintf(stderr,
			      "drivewhy: db lookup MODEL [FIRMWARE], or db lint\n");
		status = EXIT_USAGE_ERROR;
	}
	session_print_messages(&s);
	session_done(&s);
	return status;
}

const struct command cmd_db = {
	.name = "db",
	.arguments = "lookup|lint",
	.help = "look a model up in the drive database, or check the database",
	.run = run_db,
};
