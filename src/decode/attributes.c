/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How attributes that were read as bytes are shown: their names and the text of their raw value. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "decode/part.h"
#include "drivedb/drivedb.h"
#include "drivedb/raw-format.h"

/* Lookups need the facts of a drive sorted: what is found waits here until all is asked. */
struct found {
	struct decode *d;
	struct drive *drive;
	struct fact *items;
	size_t n, cap;
};

static int keep(struct found *found, struct fact f)
{
	struct fact *slot = arena_push(found->d->arena, &found->items, &found->n,
				       &found->cap, sizeof(*slot));

	if (!slot)
		return -ENOMEM;
	*slot = f;
	return 0;
}

static int add_found(struct found *found)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < found->n; i++)
		r = drive_add_fact(found->d->the_case, found->drive, found->items[i]);
	drive_seal(found->drive);
	return r;
}

static bool is_bytes(const struct fact *f)
{
	return f->trust == TRUST_BYTES || f->trust == TRUST_UNCHECKED;
}

static const char *format_of(const struct drive *drive, uint32_t id)
{
	const char *known = drive_text(drive, FACT_DB_ATTR_FORMAT, id, 0);

	if (!known)
		known = raw_format_usual(id);
	return known ? known : "raw48";
}

static uint8_t byte_at(const struct drive *drive, enum fact_id id, const struct fact *raw)
{
	const struct fact *f = drive_fact_at(drive, id, raw->key.i, 0, raw->snapshot);

	return f ? (uint8_t)f->u : 0;
}

/* A format that needs what nobody knows gives way to the plain number. */
static int add_text(struct buf *b, const struct drive *drive, const struct fact *raw,
		    const char *format)
{
	struct raw_value v = raw_value_of(raw->u);

	v.value = byte_at(drive, FACT_ATTR_VALUE, raw);
	v.worst = byte_at(drive, FACT_ATTR_WORST, raw);
	v.reserved = byte_at(drive, FACT_ATTR_RESERVED, raw);
	v.has_reserved = drive_fact_at(drive, FACT_ATTR_RESERVED, raw->key.i, 0,
				       raw->snapshot) != NULL;
	if (raw_format_add(b, format, &v) < 0 && raw_format_add(b, "raw48", &v) < 0)
		return -EINVAL;
	return buf_error(b);
}

static int add_texts(struct decode *d, struct drive *drive)
{
	struct found found = { .d = d, .drive = drive };
	size_t n;
	const struct fact *raws = drive_facts(drive, FACT_ATTR_RAW, &n);

	for (size_t i = 0; i < n; i++) {
		struct buf b cleanup_buf = { 0 };
		struct fact f = raws[i];

		if (!is_bytes(&f) ||
		    drive_fact_at(drive, FACT_ATTR_RAW_TEXT, f.key.i, 0, f.snapshot))
			continue;
		f.text = add_text(&b, drive, &f, format_of(drive, f.key.i)) == 0
				 ? arena_strdup(d->arena, buf_text(&b))
				 : NULL;
		f.key.id = FACT_ATTR_RAW_TEXT;
		f.trust = TRUST_DERIVED;
		if (!f.text || keep(&found, f) < 0)
			return -ENOMEM;
	}
	return add_found(&found);
}

/* --- an installed smartmontools ------------------------------------------------------------------ */

/* Above 32 bits a number is packed, more often than not. */
static bool wants_help(const struct drive *drive, const struct fact *raw)
{
	uint32_t id = raw->key.i;

	if (!is_bytes(raw))
		return false;
	if (!drive_text(drive, FACT_DB_ATTR_NAME, id, 0) &&
	    !drive_fact_at(drive, FACT_ATTR_NAME, id, 0, raw->snapshot))
		return true;
	return raw->u > UINT32_MAX && str_equal(format_of(drive, id), "raw48");
}

static int solid_of(const struct drive *drive)
{
	uint64_t rpm;

	return drive_u64(drive, FACT_ROTATION, 0, 0, &rpm) ? rpm == 0 : -1;
}

static int add_installed(struct found *found, const struct db_property *p)
{
	const struct drive *drive = found->drive;
	struct arena *arena = found->d->arena;
	const char *rest = str_after(p->key, "ATTR_");
	struct fact f = { .trust = TRUST_DATABASE,
			  .snapshot = (uint32_t)(drive->n_snapshots - 1) };
	uint64_t id;

	if (!rest || str_take_u64(&rest, 10, &id) < 0)
		return 0;
	f.key.id = str_equal(rest, "_NAME") ? FACT_DB_ATTR_NAME : FACT_DB_ATTR_FORMAT;
	f.key.i = (uint32_t)id;
	if (drive_text(drive, f.key.id, f.key.i, 0) ||
	    !drive_fact(drive, FACT_ATTR_RAW, f.key.i, 0))
		return 0;
	f.text = arena_strdup(arena, p->value);
	f.origin = (struct fact_origin){ .item = "db",
					 .file = arena_strdup(arena, p->file),
					 .line = p->line };
	if (!f.text || !f.origin.file)
		return -ENOMEM;
	return keep(found, f);
}

static int ask_installed(struct decode *d, struct drive *drive, const struct drivedb *db)
{
	struct drive_id id = { .bus = "ata",
			       .model = drive_text(drive, FACT_MODEL, 0, 0),
			       .firmware = drive_text(drive, FACT_FIRMWARE, 0, 0) };
	struct found found = { .d = d, .drive = drive };
	struct db_match match = { 0 };
	int r = drivedb_match_installed(db, &id, solid_of(drive), d->diag, &match);

	for (size_t i = 0; r == 0 && i < match.n; i++)
		r = add_installed(&found, &match.items[i]);
	db_match_done(&match);
	return r < 0 ? r : add_found(&found);
}

/* --- in smartctl's words, for output in its form --------------------------------------------------- */

static const char *property_of(const struct db_match *m, uint32_t id, const char *what)
{
	char key[40];
	const struct db_property *p;

	(void)snprintf(key, sizeof(key), "ATTR_%u_%s", id, what);
	p = db_match_get(m, key);
	return p ? p->value : NULL;
}

static int keep_text(struct found *found, struct fact f, enum fact_id id,
		     const char *text)
{
	if (!text)
		return 0;
	f.key.id = id;
	f.text = arena_strdup(found->d->arena, text);
	return f.text ? keep(found, f) : -ENOMEM;
}

static int word_attribute(struct found *found, const struct db_match *m,
			  const struct fact *raw)
{
	struct buf b cleanup_buf = { 0 };
	struct fact f = *raw;
	const char *format = property_of(m, raw->key.i, "FORMAT");
	int r;

	f.trust = TRUST_DATABASE;
	r = keep_text(found, f, FACT_SMARTCTL_NAME, property_of(m, raw->key.i, "NAME"));
	f.trust = TRUST_DERIVED;
	if (r == 0 && add_text(&b, found->drive, raw, format ? format : "raw48") == 0)
		r = keep_text(found, f, FACT_SMARTCTL_TEXT, buf_text(&b));
	return r;
}

static int word_as_smartctl(struct decode *d, struct drive *drive,
			    const struct drivedb *db)
{
	struct drive_id id = { .bus = "ata",
			       .model = drive_text(drive, FACT_MODEL, 0, 0),
			       .firmware = drive_text(drive, FACT_FIRMWARE, 0, 0) };
	struct fact f = { .trust = TRUST_DATABASE,
			  .origin.item = "db",
			  .snapshot = (uint32_t)(drive->n_snapshots - 1) };
	struct found found = { .d = d, .drive = drive };
	struct db_match match = { 0 };
	const struct db_property *family;
	size_t n;
	const struct fact *raws = drive_facts(drive, FACT_ATTR_RAW, &n);
	int r = n ? drivedb_match_installed(db, &id, solid_of(drive), d->diag, &match)
		  : 0; /* its database is of ATA drives */

	/* without its database nothing is known, not even that it knows no such drive */
	for (size_t i = 0; r == 0 && match.n && i < n; i++)
		if (is_bytes(&raws[i]))
			r = word_attribute(&found, &match, &raws[i]);
	family = db_match_get(&match, "SMARTCTL_FAMILY");
	if (r == 0 && family)
		r = keep_text(&found, f, FACT_SMARTCTL_FAMILY, family->value);
	if (r == 0 && match.n && !drive_fact(drive, FACT_IN_SMARTCTL_DB, 0, 0)) {
		f.key.id = FACT_IN_SMARTCTL_DB;
		f.u = family != NULL;
		r = keep(&found, f);
	}
	db_match_done(&match);
	return r < 0 ? r : add_found(&found);
}

int attributes_describe(struct decode *d, struct drive *drive, const struct drivedb *db)
{
	size_t n;
	const struct fact *raws = drive_facts(drive, FACT_ATTR_RAW, &n);

	for (size_t i = 0; drive->n_snapshots && i < n; i++) {
		int r;

		if (!wants_help(drive, &raws[i]))
			continue;
		r = ask_installed(d, drive, db);
		if (r < 0)
			return r;
		break;
	}
	if (drive->n_snapshots && drivedb_wants_installed(db)) {
		int r = word_as_smartctl(d, drive, db);

		if (r < 0)
			return r;
	}
	return add_texts(d, drive);
}
