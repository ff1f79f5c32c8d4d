/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What attributes tell by the database against what the same drive says of the same quantity
 * elsewhere, in every report of the large corpus that has both: device statistics (ACS-4 9.5) and
 * SCT status (ACS-4 8.2), which have one meaning, by the standard. Families that differ, with the
 * reason, stand in tests/cases/disagreements.txt.
 */
#include "unit.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "agreement.h"
#include "base/str.h"
#include "decode/decode.h"
#include "drivedb/match.h"
#include "files.h"
#include "import/import.h"
#include "tsv.h"

#define REPORTS "corpus/smartctl-text"

enum column { MODEL, QUANTITY, REASON, COLUMNS };

struct family {
	const char *name;
	unsigned agree, differ;
};

struct tally {
	struct arena arena;
	struct drivedb *db;
	struct tsv exceptions;
	bool used[100]; /* by row of them */
	struct family *families;
	size_t n_families, cap_families;
	unsigned pairs, excused, wrong;
};

static bool is_excused(struct tally *t, const char *model, const char *quantity)
{
	for (size_t i = 0; i < t->exceptions.n; i++) {
		const char *const *cell = t->exceptions.rows[i].cell;

		if (!str_equal(cell[QUANTITY], quantity) ||
		    !glob_match(cell[MODEL], model))
			continue;
		t->used[i] = true;
		return true;
	}
	return false;
}

static struct family *family_of(struct tally *t, const char *name)
{
	struct family *f;

	for (size_t i = 0; i < t->n_families; i++)
		if (str_equal(t->families[i].name, name))
			return &t->families[i];
	f = arena_push(&t->arena, &t->families, &t->n_families, &t->cap_families,
		       sizeof(*f));
	assert_non_null(f);
	f->name = arena_strdup(&t->arena, name);
	return f;
}

static void compare(struct tally *t, const char *file, const struct drive *d, size_t row,
		    const struct fact *attribute, const struct fact *statistic)
{
	const char *model = drive_text(d, FACT_MODEL, 0, 0);
	const char *family = drive_text(d, FACT_DB_FAMILY, 0, 0);
	const char *quantity = fact_get_info(agreement_quantity(row))->name;
	struct family *f = family_of(t, family ? family : "no family");
	bool same = agreement_holds(row, attribute->u, statistic->u);

	t->pairs++;
	f->agree += same;
	f->differ += !same;
	if (same)
		return;
	if (is_excused(t, model ? model : "", quantity)) {
		t->excused++;
		return;
	}
	t->wrong++;
	print_message("# %s: %s: %s is %llu by line %u, %llu by line %u\n", file,
		      model ? model : "-", quantity, (unsigned long long)attribute->u,
		      attribute->origin.line, (unsigned long long)statistic->u,
		      statistic->origin.line);
}

static void compare_drive(struct tally *t, const char *file, const struct drive *d)
{
	for (size_t row = 0; row < agreement_rows(); row++) {
		size_t n;
		const struct fact *f = drive_facts(d, agreement_quantity(row), &n);

		for (size_t i = 0; i < n * n; i++) {
			const struct fact *a = &f[i / n], *b = &f[i % n];

			if (a->snapshot == b->snapshot && agreement_is_attribute(d, a) &&
			    agreement_is_standard(d, b))
				compare(t, file, d, row, a, b);
		}
	}
}

static void compare_file(struct tally *t, const char *name, struct span text)
{
	struct capture capture = { 0 };
	struct case_file c = { 0 };
	struct diag d = { 0 };
	struct import_stats stats = { 0 };

	if (import_read(text, name, &capture, &d, &stats) == 0 &&
	    decode_case(&capture, t->db, &d, &c) == 0)
		for (size_t i = 0; i < c.n_drives; i++)
			compare_drive(t, name, c.drives[i]);
	case_done(&c);
	capture_done(&capture);
	diag_done(&d);
}

static void compare_folder(struct tally *t, const char *name)
{
	char folder[FILES_PATH], path[FILES_PATH + 300];
	DIR *dir = opendir(files_shared(name, folder));

	assert_non_null(dir);
	for (struct dirent *e = readdir(dir); e; e = readdir(dir)) {
		struct buf text cleanup_buf = { 0 };

		(void)snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
		if (e->d_name[0] != '.' && files_read(path, &text))
			compare_file(t, e->d_name, buf_span(&text));
	}
	(void)closedir(dir);
}

static void attributes_agree_with_the_standard_logs(void **state)
{
	struct tally t = { 0 };
	struct diag d = { 0 };

	(void)state;
	t.db = drivedb_new(&d);
	assert_non_null(t.db);
	tsv_read("disagreements.txt", COLUMNS, &t.exceptions);
	assert_true(t.exceptions.n <= array_size(t.used));
	compare_folder(&t, REPORTS);
	for (size_t i = 0; i < t.n_families; i++)
		print_message("# %3u agree, %u differ: %s\n", t.families[i].agree,
			      t.families[i].differ, t.families[i].name);
	print_message(
		"# %u pairs, %zu families, %u differ for a known reason, %u differ\n",
		t.pairs, t.n_families, t.excused, t.wrong);
	for (size_t i = 0; i < t.exceptions.n; i++)
		if (!t.used[i])
			fail_msg("no drive needs the exception for %s, %s",
				 t.exceptions.rows[i].cell[MODEL],
				 t.exceptions.rows[i].cell[QUANTITY]);
	assert_true(t.pairs >= 900 && t.n_families >= 65);
	assert_int_equal(t.wrong, 0);
	drivedb_free(t.db);
	arena_done(&t.arena);
	tsv_done(&t.exceptions);
	diag_done(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(attributes_agree_with_the_standard_logs),
	};
	char folder[FILES_PATH];

	if (!files_exist(files_shared(REPORTS, folder))) {
		puts("1..0 # SKIP corpus not there");
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
