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
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "decode/decode.h"
#include "drivedb/match.h"
#include "import/import.h"

#define GIB (UINT64_C(1) << 30)

/* How far two true numbers may lie apart, and why. */
static const struct {
	enum fact_id id;
	uint64_t apart;
	unsigned per_mille;
} quantities[] = {
	/* an hour that one of them has not counted yet */
	{ FACT_POWER_ON_HOURS, 1, 0 },
	/* the statistic counts resets at power-on, the attribute sometimes the one under way */
	{ FACT_POWER_CYCLES, 1, 0 },
	/* attributes count in units of up to 1 GiB, and are brought up to date later */
	{ FACT_LBA_WRITTEN, 2 * GIB, 2 },
	{ FACT_LBA_READ, 2 * GIB, 2 },
	{ FACT_REALLOCATED, 0, 0 },
	{ FACT_LOAD_CYCLES, 1, 0 },
	{ FACT_REPORTED_UNCORR, 0, 0 },
	/* read a moment apart, rounded in two ways */
	{ FACT_TEMPERATURE, 1, 0 },
	/* a bad link makes more of them while it is read: 3,891 and 3,894 */
	{ FACT_CRC_ERRORS, 0, 1 },
	/* rounded up or down */
	{ FACT_LIFE_USED, 1, 0 },
};

struct exception {
	const char *model, *quantity, *reason;
	bool used;
};

struct family {
	const char *name;
	unsigned agree, differ;
};

struct tally {
	struct arena arena;
	struct drivedb *db;
	struct exception *exceptions;
	size_t n_exceptions, cap_exceptions;
	struct family *families;
	size_t n_families, cap_families;
	unsigned pairs, excused, wrong;
};

static const char *folder_of(const char *name, char *path, size_t size)
{
	const char *shared = getenv("DRIVEWHY_SHARED"), *src = getenv("top_srcdir");

	if (shared)
		(void)snprintf(path, size, "%s/corpus/%s", shared, name);
	else
		(void)snprintf(path, size, "%s/../shared/corpus/%s", src ? src : ".",
			       name);
	return path;
}

static bool read_file(const char *path, struct buf *ret)
{
	FILE *f = fopen(path, "rb");
	char part[65536];
	size_t n;

	if (!f)
		return false;
	while ((n = fread(part, 1, sizeof(part), f)) > 0)
		buf_add(ret, part, n);
	(void)fclose(f);
	return true;
}

/* "MODEL-GLOB<tab>QUANTITY<tab>REASON" */
static void read_exceptions(struct tally *t)
{
	struct buf text cleanup_buf = { 0 };
	const char *src = getenv("top_srcdir");
	char path[4096];

	(void)snprintf(path, sizeof(path), "%s/tests/cases/disagreements.txt",
		       src ? src : ".");
	assert_true(read_file(path, &text));
	for (char *line = strtok(text.data, "\n"); line; line = strtok(NULL, "\n")) {
		char *quantity = strchr(line, '\t'), *reason;
		struct exception *e;

		if (*line == '#')
			continue;
		assert_non_null(quantity);
		*quantity++ = '\0';
		reason = strchr(quantity, '\t');
		assert_non_null(reason);
		*reason++ = '\0';
		e = arena_push(&t->arena, &t->exceptions, &t->n_exceptions,
			       &t->cap_exceptions, sizeof(*e));
		assert_non_null(e);
		e->model = arena_strdup(&t->arena, line);
		e->quantity = arena_strdup(&t->arena, quantity);
		e->reason = arena_strdup(&t->arena, reason);
	}
}

static bool is_excused(struct tally *t, const char *model, const char *quantity)
{
	for (size_t i = 0; i < t->n_exceptions; i++) {
		struct exception *e = &t->exceptions[i];

		if (!str_equal(e->quantity, quantity) || !glob_match(e->model, model))
			continue;
		e->used = true;
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

/* Did this number come from a row of that kind of fact? Told by its line. */
static bool came_from(const struct drive *d, const struct fact *f, enum fact_id id)
{
	size_t n;
	const struct fact *rows = drive_facts(d, id, &n);

	for (size_t i = 0; i < n; i++)
		if (rows[i].snapshot == f->snapshot &&
		    rows[i].origin.line == f->origin.line)
			return true;
	return false;
}

/* Where the standard, not the maker, says what the number is. */
static bool is_standard(const struct drive *d, const struct fact *f)
{
	return came_from(d, f, FACT_STAT_VALUE) || came_from(d, f, FACT_SCT_TEMP);
}

static bool agree(size_t row, uint64_t a, uint64_t b)
{
	uint64_t apart = a > b ? a - b : b - a, most = a > b ? a : b;

	return apart <= quantities[row].apart ||
	       apart <= most / 1000 * quantities[row].per_mille;
}

static void compare(struct tally *t, const char *file, const struct drive *d, size_t row,
		    const struct fact *attribute, const struct fact *statistic)
{
	const char *model = drive_text(d, FACT_MODEL, 0, 0);
	const char *family = drive_text(d, FACT_DB_FAMILY, 0, 0);
	const char *quantity = fact_get_info(quantities[row].id)->name;
	struct family *f = family_of(t, family ? family : "no family");
	bool same = agree(row, attribute->u, statistic->u);

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
	for (size_t row = 0; row < array_size(quantities); row++) {
		size_t n;
		const struct fact *f = drive_facts(d, quantities[row].id, &n);

		for (size_t i = 0; i < n * n; i++) {
			const struct fact *a = &f[i / n], *b = &f[i % n];

			if (a->snapshot == b->snapshot &&
			    came_from(d, a, FACT_ATTR_RAW) && is_standard(d, b))
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
	char folder[4096], path[8192];
	DIR *dir = opendir(folder_of(name, folder, sizeof(folder)));

	assert_non_null(dir);
	for (struct dirent *e = readdir(dir); e; e = readdir(dir)) {
		struct buf text cleanup_buf = { 0 };

		(void)snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
		if (e->d_name[0] != '.' && read_file(path, &text))
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
	read_exceptions(&t);
	compare_folder(&t, "smartctl-text");
	for (size_t i = 0; i < t.n_families; i++)
		print_message("# %3u agree, %u differ: %s\n", t.families[i].agree,
			      t.families[i].differ, t.families[i].name);
	print_message(
		"# %u pairs, %zu families, %u differ for a known reason, %u differ\n",
		t.pairs, t.n_families, t.excused, t.wrong);
	for (size_t i = 0; i < t.n_exceptions; i++)
		if (!t.exceptions[i].used)
			fail_msg("no drive needs the exception for %s, %s",
				 t.exceptions[i].model, t.exceptions[i].quantity);
	assert_true(t.pairs >= 900 && t.n_families >= 65);
	assert_int_equal(t.wrong, 0);
	drivedb_free(t.db);
	arena_done(&t.arena);
	diag_done(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(attributes_agree_with_the_standard_logs),
	};
	char folder[4096];
	DIR *dir = opendir(folder_of("smartctl-text", folder, sizeof(folder)));

	if (!dir) {
		puts("1..0 # SKIP corpus not there");
		return 0;
	}
	(void)closedir(dir);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
