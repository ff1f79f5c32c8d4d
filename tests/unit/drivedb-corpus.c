/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every ATA drive of the large corpus must have a family in the built-in database, or fall to a
 * class default. Those that do not are listed, and may not become more.
 */
#include "unit.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "drivedb/drivedb.h"
#include "files.h"

/*
 * Measured when the test was written. Without a family are drives of before 2010 whose attributes
 * no paper describes (Maxtor, IBM and Hitachi of then), OEM part names that say nothing of the
 * maker (HPE), and boards sold under many names: a family would vouch for their attributes.
 */
#define MOST_WITHOUT_FAMILY 26
/* Of these, reports that hold no rotation rate either, on models nobody has a record for. */
#define MOST_WITHOUT_CLASS 2

struct seen {
	char *model, *firmware;
	bool rotating, solid;
	uint64_t rpm;
};

struct corpus {
	char folder[FILES_PATH];
	struct seen *items;
	size_t n, cap;
	struct arena arena;
};

static char *read_file(const char *path)
{
	struct buf b = { 0 };

	(void)files_read(path, &b);
	return b.data;
}

/* Forums turn blanks into U+00A0; the importer undoes it, here it is enough at the start. */
static char *trimmed(struct arena *a, const char *s, size_t len)
{
	char *copy;

	while (len && (str_is_space(*s) || *s == '\xc2' || *s == '\xa0')) {
		s++;
		len--;
	}
	while (len && str_is_space(s[len - 1]))
		len--;
	copy = arena_strndup(a, s, len);
	assert_non_null(copy);
	return copy;
}

static struct seen *add_seen(struct corpus *c, char *model)
{
	struct seen *s = arena_push(&c->arena, &c->items, &c->n, &c->cap, sizeof(*s));

	assert_non_null(s);
	*s = (struct seen){ .model = model };
	return s;
}

/* The value behind "Label:" in this line, or NULL. Quoted mail and indents are passed over. */
static const char *labelled(const char *line, const char *label)
{
	while (*line == '>' || *line == ' ' || *line == '\t')
		line++;
	return str_after(line, label);
}

static void scan_text(struct corpus *c, const char *text)
{
	struct seen *now = NULL;

	for (const char *line = text; line && *line;) {
		const char *end = strchr(line, '\n'), *v;
		size_t len = end ? (size_t)(end - line) : strlen(line);
		char *copy = trimmed(&c->arena, line, len);

		v = labelled(copy, "Device Model:");
		if (v)
			now = add_seen(c, trimmed(&c->arena, v, strlen(v)));
		v = labelled(copy, "Firmware Version:");
		if (v && now)
			now->firmware = trimmed(&c->arena, v, strlen(v));
		v = labelled(copy, "Rotation Rate:");
		if (v && now) {
			now->solid = strstr(v, "Solid") != NULL;
			now->rotating = strstr(v, "rpm") != NULL;
			now->rpm = strtoul(trimmed(&c->arena, v, strlen(v)), NULL, 10);
		}
		line = end ? end + 1 : NULL;
	}
}

/* "KEY": "VALUE" or "KEY": NUMBER, without a JSON reader: the corpus is not hostile. */
static char *json_value(struct arena *a, const char *text, const char *key)
{
	const char *p = strstr(text, key), *end;

	if (!p)
		return NULL;
	p += strlen(key);
	while (*p == ' ' || *p == ':' || *p == '"')
		p++;
	end = p + strcspn(p, "\",\n}");
	return trimmed(a, p, (size_t)(end - p));
}

static void scan_json(struct corpus *c, const char *text)
{
	char *protocol = json_value(&c->arena, text, "\"protocol\"");
	char *model = json_value(&c->arena, text, "\"model_name\"");
	char *rotation = json_value(&c->arena, text, "\"rotation_rate\"");
	struct seen *now;

	if (!str_equal(protocol, "ATA") || !model)
		return;
	now = add_seen(c, model);
	now->firmware = json_value(&c->arena, text, "\"firmware_version\"");
	now->solid = str_equal(rotation, "0");
	now->rotating = rotation && !now->solid;
	now->rpm = rotation ? strtoul(rotation, NULL, 10) : 0;
}

static void scan_folder(struct corpus *c, const char *name,
			void (*scan)(struct corpus *, const char *))
{
	char path[8192];
	DIR *d;

	(void)snprintf(path, sizeof(path), "%s/%s", c->folder, name);
	d = opendir(path);
	assert_non_null(d);
	for (struct dirent *e = readdir(d); e; e = readdir(d)) {
		char *text;

		if (e->d_name[0] == '.')
			continue;
		(void)snprintf(path, sizeof(path), "%s/%s/%s", c->folder, name,
			       e->d_name);
		text = read_file(path);
		if (text)
			scan(c, text);
		free(text);
	}
	(void)closedir(d);
}

/* Rows of the index for IDENTIFY pages and blobs: the fourth column is the model. */
static void scan_index(struct corpus *c)
{
	char path[8192], *text;

	(void)snprintf(path, sizeof(path), "%s/INDEX.tsv", c->folder);
	text = read_file(path);
	assert_non_null(text);
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		char *cell[4] = { line };
		const char *model;

		for (size_t i = 1; i < 4 && cell[i - 1]; i++) {
			cell[i] = strchr(cell[i - 1], '\t');
			if (cell[i])
				*cell[i]++ = '\0';
		}
		if (!cell[3] || (!str_equal(cell[1], "hdparm-identify") &&
				 !str_equal(cell[1], "skdump-blobs")))
			continue;
		cell[3][strcspn(cell[3], "\t")] = '\0';
		model = str_after(cell[3], "2 x ");
		model = model ? model : cell[3];
		if (!str_equal(model, "see blob") && !str_equal(model, "-"))
			add_seen(c, trimmed(&c->arena, model, strlen(model)));
	}
	free(text);
}

static int compare_seen(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;

	return strcmp(x->model, y->model);
}

struct tally {
	size_t models, without_family, without_class, wrong_class;
};

/* A class of the database against what the drive says of itself. */
static bool class_fits(const char *class, const struct seen *s)
{
	if (s->solid)
		return str_starts(class, "ssd");
	if (!s->rotating)
		return true;
	if (str_ends(class, "-7200"))
		return s->rpm >= 7000 && s->rpm < 9000;
	if (str_ends(class, "-5400"))
		return s->rpm >= 5000 && s->rpm < 7000;
	return str_starts(class, "hdd");
}

static void judge_one(const struct drivedb *db, const struct seen *s, struct tally *t)
{
	struct db_match m;
	struct drive_id id = { "ata", s->model, s->firmware };
	const char *class = s->solid ? "ssd" : s->rotating ? "hdd-7200" : NULL;
	const struct db_property *p;
	bool family, known;

	assert_int_equal(drivedb_match_class(db, &id, class, &m), 0);
	family = db_match_get(&m, "FAMILY") != NULL;
	known = db_match_get(&m, "CLASS") != NULL || class;
	t->models++;
	t->without_family += !family;
	t->without_class += !family && !known;
	if (!family)
		print_message("# no family%s: %s\n", known ? "" : ", no class", s->model);
	db_match_done(&m);
	assert_int_equal(drivedb_match(db, &id, &m), 0);
	p = db_match_get(&m, "CLASS");
	if (p && !class_fits(p->value, s)) {
		print_message("# %s is no %s\n", s->model, p->value);
		t->wrong_class++;
	}
	db_match_done(&m);
}

static void every_model_is_known(void **state)
{
	struct corpus *c = *state;
	struct diag d = { 0 };
	struct drivedb *db;
	struct tally t = { 0 };

	db = drivedb_new(&d);
	assert_non_null(db);
	scan_folder(c, "smartctl-text", scan_text);
	scan_folder(c, "smartctl-json", scan_json);
	scan_index(c);
	assert_true(c->n > 250);
	qsort(c->items, c->n, sizeof(*c->items), compare_seen);
	for (size_t i = 0; i < c->n; i++)
		if (i + 1 == c->n ||
		    strcmp(c->items[i].model, c->items[i + 1].model) != 0)
			judge_one(db, &c->items[i], &t);
	print_message(
		"# %zu reports, %zu models, %zu without a family, %zu of them without "
		"a class\n",
		c->n, t.models, t.without_family, t.without_class);
	assert_true(t.without_family <= MOST_WITHOUT_FAMILY);
	assert_true(t.without_class <= MOST_WITHOUT_CLASS);
	assert_int_equal(t.wrong_class, 0);
	drivedb_free(db);
	diag_done(&d);
}

int main(void)
{
	static struct corpus c;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(every_model_is_known, &c),
	};
	int bad;

	/* cmocka's skip() prints "not ok", which TAP reads as a failure */
	if (!files_exist(files_shared("corpus", c.folder))) {
		puts("1..0 # SKIP corpus not there");
		return 0;
	}
	bad = cmocka_run_group_tests(tests, NULL, NULL);

	arena_done(&c.arena);
	return bad;
}
