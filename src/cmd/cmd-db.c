/* SPDX-License-Identifier: GPL-2.0-or-later */
/* db lookup [BUS] MODEL [FIRMWARE], db lint: the knowledge behind a verdict. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "cmd/session.h"

static void print_escaped(const char *text)
{
	struct buf b cleanup_buf = { 0 };

	str_add_escaped(&b, text, SIZE_MAX);
	(void)fputs(buf_text(&b), stdout);
}

static void print_property(const struct db_property *p, const char *before)
{
	(void)fputs(before, stdout);
	print_escaped(p->key);
	(void)putchar('=');
	print_escaped(p->value);
	(void)putchar('\t');
	print_escaped(p->file);
	(void)printf(":%u", p->line);
	if (p->source) {
		(void)putchar('\t');
		print_escaped(p->source);
	}
	(void)putchar('\n');
}

/* What an installed smartmontools adds; what ours overrule is shown, and shown as such. */
static int print_installed(struct session *s, const struct drive_id *id,
			   const struct db_match *ours)
{
	const struct db_property *class = db_match_get(ours, "CLASS");
	int solid = !class			      ? -1
		    : str_starts(class->value, "ssd") ? 1
		    : str_starts(class->value, "hdd") ? 0
						      : -1;
	struct db_match theirs = { 0 };

	if (drivedb_match_installed(s->db, id, solid, &s->diag, &theirs) < 0)
		return EXIT_INTERNAL;
	for (size_t i = 0; i < theirs.n; i++)
		print_property(&theirs.items[i], db_match_get(ours, theirs.items[i].key)
							 ? "# not used: "
							 : "");
	db_match_done(&theirs);
	return EXIT_OK;
}

static int lookup(struct session *s, const struct drive_id *id)
{
	struct db_match match = { 0 };
	int status;

	if (drivedb_match(s->db, id, &match) < 0)
		return EXIT_INTERNAL;
	for (size_t i = 0; i < match.n; i++)
		print_property(&match.items[i], "");
	if (!db_match_get(&match, "FAMILY"))
		(void)printf(id->bus ? "# nothing is known of this one\n"
				     : "# unknown model: class defaults\n");
	status = print_installed(s, id, &match);
	db_match_done(&match);
	return status;
}

/* "152d:0578" is how lsusb and lspci write it, the records have "152d-0578". */
static void plain_id(const char *text, char *ret, size_t size)
{
	size_t len = strnlen(text, size - 1);

	for (size_t i = 0; i < len; i++)
		ret[i] = text[i] == ':'			    ? '-'
			 : text[i] >= 'A' && text[i] <= 'F' ? (char)(text[i] - 'A' + 'a')
							    : text[i];
	ret[len] = '\0';
}

/* [BUS] MODEL [FIRMWARE]; a drive on SATA is meant when no bus is named. */
static int lookup_words(struct session *s, char *const *words, int n)
{
	static const char *const buses[] = { "ata", "nvme", "scsi", "class",
					     "usb", "pci",  "hba" };
	struct drive_id id = { 0 };
	char plain[64];

	for (size_t i = 0; n > 1 && i < array_size(buses); i++)
		if (str_equal(words[0], buses[i]))
			id.bus = buses[i];
	if (id.bus) {
		words++;
		n--;
	}
	if (n < 1 || n > 2)
		return EXIT_USAGE_ERROR;
	id.model = words[0];
	id.firmware = n == 2 ? words[1] : NULL;
	if (str_equal(id.bus, "usb") || str_equal(id.bus, "pci")) {
		plain_id(words[0], plain, sizeof(plain));
		id.model = plain;
	}
	return lookup(s, &id);
}

static int run_db(const struct options *o)
{
	struct session s = { 0 };
	const char *what = o->n_targets ? o->targets[0] : "";
	int status = session_load_db(&s, o);

	if (!status && str_equal(what, "lookup")) {
		status = lookup_words(&s, o->targets + 1, o->n_targets - 1);
	} else if (!status && str_equal(what, "lint") && o->n_targets == 1) {
		int faults = drivedb_lint(s.db, &s.diag);

		status = faults < 0 ? EXIT_INTERNAL : faults ? EXIT_DATA_ERROR : EXIT_OK;
		(void)printf("%s: %d fault%s\n", drivedb_version(s.db), faults,
			     str_plural((uint64_t)faults));
	} else if (!status) {
		status = EXIT_USAGE_ERROR;
	}
	if (status == EXIT_USAGE_ERROR)
		(void)fprintf(stderr, "drivewhy: db lookup [BUS] MODEL [FIRMWARE], or db "
				      "lint\n");
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
