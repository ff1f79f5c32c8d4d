/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tests/cases/families.tsv: numbers that public reports print twice, once as an attribute and once
 * elsewhere. Each report is put together again from its rows and read; what the database makes of
 * the attribute must be what the report says of the same quantity. Every family of ATA drives in
 * the database has such a number, or a row in families-unproven.tsv that says what was looked at.
 */
#include "unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agreement.h"
#include "base/str.h"
#include "decode/decode.h"
#include "drivedb/builtin.h"
#include "import/import.h"
#include "tsv.h"

#define TWO_TO_32 (UINT64_C(1) << 32)
#define SECTOR	  UINT64_C(512)

enum column {
	MODEL,
	FIRMWARE,
	ATTRIBUTE,
	VALUE,
	RAW,
	QUANTITY,
	RELATION,
	NUMBER,
	PLACE,
	SOURCE,
	REASON,
	COLUMNS
};

/* The statistic of the standard that a place names, for the line of the report. */
struct place {
	unsigned page, offset;
	bool normalised; /* flag N; what is used up (07h/008h) always has it here */
};

/* What a drive makes of one row: a number, or none. */
struct told {
	bool has;
	uint64_t u;
};

struct tally {
	struct arena arena;
	struct drivedb *db;
	const char **proven; /* families */
	size_t n_proven, cap_proven;
	unsigned told[8], wrong; /* by relation */
};

static bool is_statistic(const struct tsv_row *r, struct place *ret)
{
	if (sscanf(r->cell[PLACE], "stat %x %x", &ret->page, &ret->offset) != 2)
		return false;
	ret->normalised = ret->page == 7 || str_ends(r->cell[PLACE], " N");
	return true;
}

static bool is_sct(const struct tsv_row *r)
{
	return str_equal(r->cell[PLACE], "SCT status");
}

static bool is_same_report(const struct tsv_row *a, const struct tsv_row *b)
{
	return str_equal(a->cell[SOURCE], b->cell[SOURCE]) &&
	       str_equal(a->cell[MODEL], b->cell[MODEL]);
}

/* ---- the report -------------------------------------------------------------------------------- */

/* Was that cell (attribute or place) in a row before this one? */
static bool is_repeated(const struct tsv_row *r, size_t i, enum column c)
{
	for (size_t k = 0; k < i; k++)
		if (str_equal(r[k].cell[c], r[i].cell[c]))
			return true;
	return false;
}

static void add_head(struct buf *b, const struct tsv_row *r)
{
	buf_printf(b,
		   "smartctl 7.3 2022-02-28 r5338 [x86_64-linux-6.1.0-18-amd64] (local "
		   "build)\n"
		   "\n=== START OF INFORMATION SECTION ===\n"
		   "Device Model:     %s\n"
		   "Firmware Version: %s\n"
		   "Sector Size:      512 bytes logical/physical\n"
		   "\n=== START OF READ SMART DATA SECTION ===\n"
		   "SMART overall-health self-assessment test result: PASSED\n\n",
		   r->cell[MODEL], r->cell[FIRMWARE]);
}

static void add_attributes(struct buf *b, const struct tsv_row *r, size_t n)
{
	buf_puts(b, "SMART Attributes Data Structure revision number: 16\n"
		    "Vendor Specific SMART Attributes with Thresholds:\n"
		    "ID# ATTRIBUTE_NAME          FLAGS    VALUE WORST THRESH FAIL "
		    "RAW_VALUE\n");
	for (size_t i = 0; i < n; i++)
		if (!is_repeated(r, i, ATTRIBUTE))
			buf_printf(b,
				   "%3s Unknown_Attribute       -O--CK   %s   %s   000   "
				   " -    %s\n",
				   r[i].cell[ATTRIBUTE], r[i].cell[VALUE],
				   r[i].cell[VALUE], r[i].cell[RAW]);
	buf_putc(b, '\n');
}

static void add_statistics(struct buf *b, const struct tsv_row *r, size_t n)
{
	struct place p;

	buf_puts(b, "Device Statistics (GP Log 0x04)\n"
		    "Page  Offset Size        Value Flags Description\n");
	for (unsigned page = 1; page <= 7; page++) {
		buf_printf(b,
			   "0x%02x  =====  =               =  ===  == Statistics (rev 1) "
			   "==\n",
			   page);
		for (size_t i = 0; i < n; i++)
			if (is_statistic(&r[i], &p) && p.page == page &&
			    !is_repeated(r, i, PLACE))
				buf_printf(b, "0x%02x  0x%03x  6 %15s  %s  Value\n", page,
					   p.offset, r[i].cell[NUMBER],
					   p.normalised ? "N--" : "---");
	}
	buf_putc(b, '\n');
}

static void add_sct(struct buf *b, const struct tsv_row *r, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (is_sct(&r[i]) && !is_repeated(r, i, PLACE))
			buf_printf(
				b,
				"SCT Status Version:                  3\n"
				"Current Temperature:                    %s Celsius\n\n",
				r[i].cell[NUMBER]);
}

/* ---- what is made of it ------------------------------------------------------------------------ */

static size_t quantity_row(const char *name)
{
	for (size_t i = 0; i < agreement_rows(); i++)
		if (str_equal(fact_get_info(agreement_quantity(i))->name, name))
			return i;
	fail_msg("%s is no quantity", name);
	return 0;
}

/* The line of the report that a raw value came from. */
static uint32_t line_of_attribute(const struct drive *d, const char *number)
{
	uint64_t id;
	const struct fact *f;

	assert_int_equal(str_to_u64(number, &id), 0);
	f = drive_fact(d, FACT_ATTR_RAW, (uint32_t)id, 0);
	return f ? f->origin.line : 0;
}

static struct told told_in_line(const struct drive *d, enum fact_id id, uint32_t line)
{
	size_t n;
	const struct fact *f = drive_facts(d, id, &n);

	for (size_t i = 0; line && i < n; i++)
		if (f[i].origin.line == line)
			return (struct told){ true, f[i].u };
	return (struct told){ 0 };
}

static struct told told_by_attribute(const struct drive *d, const struct tsv_row *r)
{
	enum fact_id id = agreement_quantity(quantity_row(r->cell[QUANTITY]));
	uint32_t line = line_of_attribute(d, r->cell[ATTRIBUTE]);
	struct told t = told_in_line(d, id, line);

	if (!t.has && id == FACT_LIFE_USED) {
		t = told_in_line(d, FACT_LIFE_LEFT, line);
		t.u = 100 - t.u;
	}
	return t;
}

/* By the standard, or, of what has no place there, as it was printed. */
static struct told told_elsewhere(const struct drive *d, const struct tsv_row *r)
{
	enum fact_id id = agreement_quantity(quantity_row(r->cell[QUANTITY]));
	struct place p;
	const struct fact *f;
	uint64_t u;

	if (is_statistic(r, &p)) {
		f = drive_fact(d, FACT_STAT_VALUE, p.page, p.offset);
		return told_in_line(d, id, f ? f->origin.line : 0);
	}
	if (is_sct(r)) {
		f = drive_fact(d, FACT_SCT_TEMP, 0, 0);
		return told_in_line(d, id, f ? f->origin.line : 0);
	}
	assert_int_equal(str_to_u64(r->cell[NUMBER], &u), 0);
	return (struct told){ true, u };
}

/* ---- what a row asks for ------------------------------------------------------------------------ */

static bool is_equal(const struct tsv_row *r, struct told a, struct told b)
{
	return a.has && b.has &&
	       agreement_holds(quantity_row(r->cell[QUANTITY]), a.u, b.u);
}

/*
 * A counter of life; self-tests and errors of it happened before. Hours beyond a drive's age are
 * minutes: no ATA drive of the list has run for 20 years.
 */
static bool is_least(const struct tsv_row *r, struct told a, struct told b)
{
	const uint64_t most = 20 * 8766;

	return a.has && b.has && a.u + 1 >= b.u &&
	       (!str_equal(r->cell[QUANTITY], "power_on_hours") || a.u < most);
}

/*
 * The statistic holds the low 32 bits of the number of sectors, on some drives of the family all
 * of them: it is not believed.
 */
static bool is_modulo(const struct tsv_row *r, struct told a, struct told b)
{
	uint64_t sectors;

	assert_int_equal(str_to_u64(r->cell[NUMBER], &sectors), 0);
	if (sectors < TWO_TO_32)
		a.u %= TWO_TO_32 * SECTOR;
	return a.has && !b.has &&
	       agreement_holds(quantity_row(r->cell[QUANTITY]), a.u, sectors * SECTOR);
}

static bool is_attribute_only(const struct tsv_row *r, struct told a, struct told b)
{
	(void)r;
	return a.has && !b.has;
}

static bool is_statistic_only(const struct tsv_row *r, struct told a, struct told b)
{
	(void)r;
	return !a.has && b.has;
}

static bool is_neither(const struct tsv_row *r, struct told a, struct told b)
{
	(void)r;
	return !a.has && !b.has;
}

static bool is_apart(const struct tsv_row *r, struct told a, struct told b)
{
	return a.has && b.has && !is_equal(r, a, b);
}

static const struct {
	const char *word;
	bool (*holds)(const struct tsv_row *r, struct told a, struct told b);
	bool proves; /* two numbers of one quantity agree */
} relations[] = {
	{ "=", is_equal, true },
	{ ">=", is_least, true },
	{ "mod32", is_modulo, true },
	{ "attribute", is_attribute_only, false },
	{ "elsewhere", is_statistic_only, false },
	{ "neither", is_neither, false },
	{ "apart", is_apart, false },
};

static size_t relation_of(const struct tsv_row *r)
{
	for (size_t i = 0; i < array_size(relations); i++)
		if (str_equal(relations[i].word, r->cell[RELATION]))
			return i;
	fail_msg("%s is no relation", r->cell[RELATION]);
	return 0;
}

static void add_proven(struct tally *t, const char *family)
{
	const char **slot;

	for (size_t i = 0; i < t->n_proven; i++)
		if (str_equal(t->proven[i], family))
			return;
	slot = arena_push(&t->arena, &t->proven, &t->n_proven, &t->cap_proven,
			  sizeof(*slot));
	assert_non_null(slot);
	*slot = arena_strdup(&t->arena, family);
}

/* Two zeros agree whatever they count, and anything is at least a few hours. */
static bool is_telling(const struct tsv_row *r)
{
	uint64_t u;

	assert_int_equal(str_to_u64(r->cell[NUMBER], &u), 0);
	return u >= (str_equal(r->cell[RELATION], ">=") ? 24 : 1);
}

static void compare_row(struct tally *t, const struct drive *d, const struct tsv_row *r)
{
	struct told a = told_by_attribute(d, r), b = told_elsewhere(d, r);
	const char *family = drive_text(d, FACT_DB_FAMILY, 0, 0);
	size_t i = relation_of(r);

	t->told[i]++;
	if (relations[i].holds(r, a, b)) {
		if (relations[i].proves && family && is_telling(r))
			add_proven(t, family);
		return;
	}
	t->wrong++;
	print_message("# %s\t%s %s\t%s\t%s\t%s\t%s %s %s\t%s%" PRIu64 "\t%s%" PRIu64
		      "\t%s\n",
		      family ? family : "no family", r->cell[MODEL], r->cell[FIRMWARE],
		      r->cell[ATTRIBUTE], r->cell[VALUE], r->cell[RAW], r->cell[QUANTITY],
		      r->cell[RELATION], r->cell[NUMBER], a.has ? "" : "none:", a.u,
		      b.has ? "" : "none:", b.u, r->cell[PLACE]);
}

static void compare_report(struct tally *t, const struct tsv_row *r, size_t n)
{
	struct buf text cleanup_buf = { 0 };
	struct capture capture = { 0 };
	struct case_file c = { 0 };
	struct diag d = { 0 };
	struct import_stats stats = { 0 };

	add_head(&text, r);
	add_attributes(&text, r, n);
	add_sct(&text, r, n);
	add_statistics(&text, r, n);
	assert_int_equal(buf_error(&text), 0);
	assert_int_equal(
		import_read(buf_span(&text), r->cell[SOURCE], &capture, &d, &stats), 0);
	assert_int_equal(decode_case(&capture, t->db, &d, &c), 0);
	assert_int_equal(c.n_drives, 1);
	for (size_t i = 0; i < n; i++)
		compare_row(t, c.drives[0], &r[i]);
	case_done(&c);
	capture_done(&capture);
	diag_done(&d);
}

/* ---- every family ------------------------------------------------------------------------------- */

static bool is_proven(const struct tally *t, const char *family)
{
	for (size_t i = 0; i < t->n_proven; i++)
		if (str_equal(t->proven[i], family))
			return true;
	return false;
}

/* One that the list of the unproven names. Its row is used then: a second look finds it empty. */
static bool is_listed(struct tsv *unproven, const char *family)
{
	for (size_t i = 0; i < unproven->n; i++)
		if (str_equal(unproven->rows[i].cell[0], family)) {
			unproven->rows[i].cell[0] = "";
			return true;
		}
	return false;
}

/* Drives stand in files 1x, 2x and 3x; bridges and controllers, which report nothing, in others. */
static bool is_of_drives(const struct builtin_part *p)
{
	const char *name = strrchr(p->file, '/');

	name = name ? name + 1 : p->file;
	return *name >= '1' && *name <= '3';
}

/* *FAMILIES counts them, the distinct ones. The rest without proof or row is printed. */
static unsigned count_unproven(struct tally *t, struct tsv *unproven, unsigned *families)
{
	struct buf text cleanup_buf = { 0 };
	struct tally seen = { 0 };
	unsigned missing = 0;

	for (size_t i = 0; i < drivedb_builtin_n; i++)
		if (is_of_drives(&drivedb_builtin[i]))
			buf_add(&text, drivedb_builtin[i].text, drivedb_builtin[i].len);
	assert_int_equal(buf_error(&text), 0);
	for (char *line = strtok(text.data, "\n"); line; line = strtok(NULL, "\n")) {
		const char *family = str_after(line, " FAMILY=");

		if (!family || is_proven(&seen, family))
			continue;
		add_proven(&seen, family);
		if (is_proven(t, family) || is_listed(unproven, family))
			continue;
		missing++;
		print_message("# no proof: %s\n", family);
	}
	*families = (unsigned)seen.n_proven;
	arena_done(&seen.arena);
	return missing;
}

static void compare_list(struct tally *t, const struct tsv *l)
{
	for (size_t i = 0, end; i < l->n; i = end) {
		for (end = i + 1;
		     end < l->n && is_same_report(&l->rows[i], &l->rows[end]);)
			end++;
		compare_report(t, &l->rows[i], end - i);
	}
}

static void numbers_that_reports_tell_twice(void **state)
{
	struct tsv l = { 0 }, unproven = { 0 };
	struct tally t = { 0 };
	struct diag d = { 0 };
	unsigned families, missing;

	(void)state;
	tsv_read("families.tsv", COLUMNS, &l);
	tsv_read("families-unproven.tsv", 2, &unproven);
	t.db = drivedb_new(&d);
	assert_non_null(t.db);
	compare_list(&t, &l);
	for (size_t i = 0; i < array_size(relations); i++)
		print_message("# %4u %s\n", t.told[i], relations[i].word);
	missing = count_unproven(&t, &unproven, &families);
	print_message("# %zu of %u families, %zu listed as unproven, %u rows wrong\n",
		      t.n_proven, families, unproven.n, t.wrong);
	for (size_t i = 0; i < unproven.n; i++)
		if (unproven.rows[i].cell[0][0])
			fail_msg("%s is proven, or no family", unproven.rows[i].cell[0]);
	assert_int_equal(t.wrong, 0);
	assert_int_equal(missing, 0);
	assert_true(families > 280 && unproven.n < families / 20);
	drivedb_free(t.db);
	arena_done(&t.arena);
	diag_done(&d);
	tsv_done(&l);
	tsv_done(&unproven);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_that_reports_tell_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
