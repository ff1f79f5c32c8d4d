/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the reader lets pass but a maintainer of records should hear. */
#include "drivedb/drivedb-private.h"

#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "drivedb/keys.h"

struct lint {
	const struct drivedb *db;
	struct diag *d;
	int faults;
};

/* One (pattern, key) of a record, to find those set twice. */
struct setting {
	const struct hwdb_record *record;
	const struct hwdb_pattern *pattern;
	const struct hwdb_property *property;
	size_t order;
};

struct settings {
	struct arena arena;
	struct setting *items;
	size_t n, cap;
};

static void fault(struct lint *l, const struct hwdb_record *r, uint32_t line,
		  const char *what, const char *detail)
{
	l->faults++;
	diag_add(l->d, DIAG_WARNING, r->file, line, "%s: %s", what, detail);
}

/* The text of a pattern between A and B ("mn" and ":fw"); no data when they do not stand there. */
static struct span find_part(const char *glob, const char *a, const char *b)
{
	const char *begin = strstr(glob, a), *end = NULL;

	if (begin) {
		begin += strlen(a);
		end = strstr(begin, b);
	}
	return end ? span_of(begin, (size_t)(end - begin)) : span_of(NULL, 0);
}

/* The least number of characters that a part of a glob can stand for. */
static size_t least_length(struct span part)
{
	size_t n = 0;

	for (size_t i = 0; i < part.len; i++) {
		const uint8_t *close = NULL;

		n += part.data[i] != '*';
		if (part.data[i] == '[' && part.len - i > 2)
			close = memchr(part.data + i + 2, ']', part.len - i - 2);
		if (close)
			i = (size_t)(close - part.data);
	}
	return n;
}

static const char *part_fault(struct span part, size_t most)
{
	const uint8_t *p = part.data;

	if (part.len && (p[0] == ' ' || p[part.len - 1] == ' '))
		return "can never match, blanks at the ends are cut";
	if (memmem(p, part.len, "  ", 2))
		return "can never match, runs of blanks become one";
	if (memchr(p, ':', part.len))
		return "can never match, ':' in a name becomes '-'";
	if (least_length(part) > most)
		return "can never match, longer than the field in IDENTIFY DEVICE";
	return NULL;
}

static const char *pattern_fault(const char *glob)
{
	static const char *const buses[] = { "ata:mn", "nvme:mn", "scsi:mn", "usb:mn",
					     "pci:mn", "hba:mn",  "class:mn" };
	struct span model = find_part(glob, ":mn", ":fw");
	struct span firmware = find_part(glob, ":fw", ":");
	bool known = false, ata = str_starts(glob, "ata:");
	const char *why;

	for (size_t i = 0; i < array_size(buses); i++)
		known |= str_starts(glob, buses[i]);
	if (!known || !model.data || !firmware.data || firmware.data[firmware.len + 1])
		return "can never match, it is not BUS:mnMODEL:fwFIRMWARE:";
	/* IDENTIFY DEVICE words 27..46 and 23..26; other buses have longer names */
	why = part_fault(model, ata ? 40 : 256);
	return why ? why : part_fault(firmware, ata ? 8 : 256);
}

static void lint_property(struct lint *l, const struct hwdb_record *r,
			  const struct hwdb_property *p)
{
	const struct db_key *k = db_key_find(p->key);
	const char *why;

	if (!k) {
		fault(l, r, p->line, "unknown key", p->key);
		return;
	}
	why = db_key_fault(k, p->value);
	if (why)
		fault(l, r, p->line, p->key, why);
}

static int collect_settings(struct settings *s, const struct hwdb_record *r)
{
	for (size_t i = 0; i < r->n_patterns; i++) {
		for (size_t k = 0; k < r->n_properties; k++) {
			const struct db_key *key = db_key_find(r->properties[k].key);
			struct setting *t;

			if (!key || key->many)
				continue;
			t = arena_push(&s->arena, &s->items, &s->n, &s->cap, sizeof(*t));
			if (!t)
				return -ENOMEM;
			*t = (struct setting){ r, &r->patterns[i], &r->properties[k],
					       s->n };
		}
	}
	return 0;
}

static int compare_settings(const void *a, const void *b)
{
	const struct setting *x = a, *y = b;
	int c;

	if (x->record->layer != y->record->layer)
		return x->record->layer < y->record->layer ? -1 : 1;
	c = strcmp(x->pattern->glob, y->pattern->glob);
	if (!c)
		c = strcmp(x->property->key, y->property->key);
	if (!c)
		c = x->order < y->order ? -1 : 1;
	return c;
}

/* An overlay may replace what is built in; within one layer a second setting is a mistake. */
static void report_shadowed(struct lint *l, struct settings *s)
{
	if (s->n)
		qsort(s->items, s->n, sizeof(*s->items), compare_settings);
	for (size_t i = 0; i + 1 < s->n; i++) {
		const struct setting *x = &s->items[i], *y = &s->items[i + 1];

		if (x->record->layer != y->record->layer ||
		    !str_equal(x->pattern->glob, y->pattern->glob) ||
		    !str_equal(x->property->key, y->property->key))
			continue;
		l->faults++;
		diag_add(l->d, DIAG_WARNING, x->record->file, x->property->line,
			 "shadowed: %s is set again for the same pattern at %s:%u",
			 x->property->key, y->record->file, y->property->line);
	}
}

static bool has_class(const struct drivedb *db, const char *name)
{
	struct db_match m;
	struct drive_id id = { "class", name, NULL };
	bool found;

	if (drivedb_match(db, &id, &m) < 0)
		return true;
	found = m.n_records > 0;
	db_match_done(&m);
	return found;
}

static void lint_classes(struct lint *l, const struct hwdb_record *r)
{
	for (size_t i = 0; i < r->n_properties; i++)
		if (str_equal(r->properties[i].key, "CLASS") && *r->properties[i].value &&
		    !has_class(l->db, r->properties[i].value))
			fault(l, r, r->properties[i].line, "no record for this class",
			      r->properties[i].value);
}

static void lint_record(struct lint *l, const struct hwdb_record *r)
{
	if (!r->source)
		fault(l, r, r->patterns[0].line, r->patterns[0].glob,
		      "no '# Source:' comment above the record");
	for (size_t i = 0; i < r->n_patterns; i++) {
		const char *why = pattern_fault(r->patterns[i].glob);

		if (why)
			fault(l, r, r->patterns[i].line, r->patterns[i].glob, why);
	}
	for (size_t i = 0; i < r->n_properties; i++)
		lint_property(l, r, &r->properties[i]);
	lint_classes(l, r);
}

int drivedb_lint(const struct drivedb *db, struct diag *d)
{
	struct lint l = { .db = db, .d = d };
	struct settings s = { 0 };
	int r = 0;

	for (size_t i = 0; i < db->hwdb->n && !r; i++) {
		const struct hwdb_record *record = hwdb_record(db->hwdb, i);

		if (record)
			lint_record(&l, record);
		r = record ? collect_settings(&s, record) : -ENOMEM;
	}
	if (!r)
		report_shadowed(&l, &s);
	arena_done(&s.arena);
	return r ? r : l.faults;
}
