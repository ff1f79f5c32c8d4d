/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "drivedb/drivedb-private.h"

#include <errno.h>
#include <string.h>

#include "base/sha256.h"
#include "base/str.h"
#include "drivedb/builtin.h"
#include "drivedb/keys.h"
#include "drivedb/match.h"

static void add_digest(struct buf *b, struct span text)
{
	uint8_t digest[SHA256_BYTES];
	struct sha256 h;

	sha256_init(&h);
	sha256_add(&h, text);
	sha256_finish(&h, digest);
	buf_puts(b, b->len ? " + sha256:" : " sha256:");
	for (unsigned i = 0; i < 8; i++) /* enough to tell two versions apart */
		buf_printf(b, "%02x", digest[i]);
}

/* The parts FIRST..LAST - 1 are one file. */
static int add_file(struct drivedb *db, size_t first, size_t last, struct diag *d)
{
	size_t len = 0, at = 0;
	char *text;

	for (size_t i = first; i < last; i++)
		len += drivedb_builtin[i].len;
	text = arena_alloc(&db->arena, len);
	if (!text)
		return -ENOMEM;
	for (size_t i = first; i < last; i++) {
		memcpy(text + at, drivedb_builtin[i].text, drivedb_builtin[i].len);
		at += drivedb_builtin[i].len;
	}
	return hwdb_add(db->hwdb, span_of(text, len), drivedb_builtin[first].file, 0, d);
}

static int add_builtin(struct drivedb *db, struct diag *d)
{
	int r = 0;

	for (size_t i = 0, next; i < drivedb_builtin_n && !r; i = next) {
		for (next = i + 1; next < drivedb_builtin_n; next++)
			if (!str_equal(drivedb_builtin[i].file,
				       drivedb_builtin[next].file))
				break;
		r = add_file(db, i, next, d);
	}
	buf_puts(&db->version->text, drivedb_builtin_version);
	return r ? r : buf_error(&db->version->text);
}

struct drivedb *drivedb_new_empty(void)
{
	struct drivedb *db = calloc(1, sizeof(*db));

	if (!db)
		return NULL;
	db->hwdb = calloc(1, sizeof(*db->hwdb));
	db->reading = calloc(1, sizeof(*db->reading));
	if (db->reading)
		(void)pthread_mutex_init(db->reading, NULL);
	db->installed = calloc(1, sizeof(*db->installed));
	db->version = calloc(1, sizeof(*db->version));
	if (db->hwdb && db->reading && db->installed && db->version)
		return db;
	drivedb_free(db);
	return NULL;
}

struct drivedb *drivedb_new(struct diag *d)
{
	struct drivedb *db = drivedb_new_empty();

	if (db && add_builtin(db, d) < 0) {
		drivedb_free(db);
		return NULL;
	}
	return db;
}

int drivedb_take(struct drivedb *db, struct buf *text, const char *file, struct diag *d)
{
	const char *name = arena_strdup(&db->arena, file ? file : "-");
	struct buf *slot = arena_push(&db->arena, &db->overlays, &db->layers,
				      &db->cap_layers, sizeof(*slot));

	if (!name || !slot)
		return -ENOMEM;
	*slot = *text;
	*text = (struct buf){ 0 };
	return hwdb_add(db->hwdb, buf_span(slot), name, (uint32_t)db->layers, d);
}

int drivedb_add(struct drivedb *db, struct span text, const char *file, struct diag *d)
{
	struct buf copy cleanup_buf = { 0 };

	buf_add(&copy, text.data, text.len);
	return buf_error(&copy) ? -ENOMEM : drivedb_take(db, &copy, file, d);
}

void drivedb_free(struct drivedb *db)
{
	if (!db)
		return;
	if (db->hwdb)
		hwdb_done(db->hwdb);
	for (size_t i = 0; i < db->layers; i++)
		buf_done(&db->overlays[i]);
	if (db->version)
		buf_done(&db->version->text);
	if (db->installed)
		arena_done(&db->installed->arena);
	arena_done(&db->arena);
	if (db->reading)
		(void)pthread_mutex_destroy(db->reading);
	free(db->reading);
	free(db->hwdb);
	free(db->version);
	free(db->installed);
	free(db);
}

const char *drivedb_version(const struct drivedb *db)
{
	struct db_version *v = db->version;

	for (; v->hashed < db->layers; v->hashed++)
		add_digest(&v->text, buf_span(&db->overlays[v->hashed]));
	return buf_text(&v->text);
}

size_t drivedb_count(const struct drivedb *db)
{
	return db->hwdb->n;
}

/* A property on its way through the overlay. Class records rank below all others. */
struct candidate {
	struct db_property p;
	uint32_t rank;
	size_t order;
};

struct overlay {
	struct arena arena;
	struct candidate *items;
	size_t n, cap;
	size_t n_records;
};

/* R may be NULL, when memory is out. */
static int collect_record(struct overlay *o, const struct hwdb_record *r, uint32_t rank)
{
	if (!r)
		return -ENOMEM;
	for (size_t i = 0; i < r->n_properties; i++) {
		const struct hwdb_property *q = &r->properties[i];
		struct candidate *c =
			arena_push(&o->arena, &o->items, &o->n, &o->cap, sizeof(*c));

		if (!c)
			return -ENOMEM;
		*c = (struct candidate){
			.p = { q->key, q->value, r->file, q->line, r->source },
			.rank = rank,
			.order = o->n,
		};
	}
	o->n_records++;
	return 0;
}

static int collect(struct overlay *o, const struct drivedb *db, const struct drive_id *id,
		   uint32_t rank)
{
	cleanup_buf struct buf text = { 0 };
	struct hwdb *h = db->hwdb;
	uint32_t key;
	int r;

	match_add_string(&text, id);
	r = buf_error(&text);
	key = hwdb_key(buf_text(&text), text.len);
	for (size_t i = 0; i < h->n && !r; i++) {
		const struct hwdb_record *record;

		if (!hwdb_matches(h, i, buf_text(&text), key))
			continue;
		(void)pthread_mutex_lock(db->reading);
		record = hwdb_record(h, i);
		(void)pthread_mutex_unlock(db->reading);
		r = collect_record(o, record, rank);
	}
	return r;
}

static int compare_candidates(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	int c = strcmp(x->p.key, y->p.key);

	if (c)
		return c;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

/* What the matching records say of the class, or NULL. */
static const char *named_class(const struct overlay *o)
{
	const char *name = NULL;

	for (size_t i = 0; i < o->n; i++)
		if (str_equal(o->items[i].p.key, "CLASS"))
			name = *o->items[i].p.value ? o->items[i].p.value : NULL;
	return name;
}

/*
 * The class of the records; but a wide one ("hdd") gives way to what the caller knows: the drive
 * itself says whether it turns, and how fast.
 */
static const char *choose_class(const char *named, const char *known)
{
	return known && (!named || !strchr(named, '-')) ? known : named;
}

static bool is_list(const char *key)
{
	const struct db_key *k = db_key_find(key);

	return k && k->many;
}

static int keep(struct db_match *m, const struct db_property *p)
{
	struct db_property *slot;

	slot = arena_push(&m->arena, &m->items, &m->n, &m->cap, sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	*slot = *p;
	return 0;
}

/*
 * The candidates FIRST..LAST - 1 have one key. An empty value takes back what stood before it; of
 * what is left a list keeps all, any other key the last.
 */
static int settle_key(struct overlay *o, size_t first, size_t last, struct db_match *m)
{
	size_t begin = first;
	int r = 0;

	for (size_t i = first; i < last; i++)
		if (!*o->items[i].p.value)
			begin = i + 1;
	if (begin < last && !is_list(o->items[first].p.key))
		begin = last - 1;
	for (size_t i = begin; i < last && !r; i++)
		r = keep(m, &o->items[i].p);
	return r;
}

static int settle(struct overlay *o, struct db_match *m)
{
	int r = 0;

	if (o->n)
		qsort(o->items, o->n, sizeof(*o->items), compare_candidates);
	for (size_t i = 0, next; i < o->n && !r; i = next) {
		for (next = i + 1; next < o->n; next++)
			if (strcmp(o->items[i].p.key, o->items[next].p.key) != 0)
				break;
		r = settle_key(o, i, next, m);
	}
	m->n_records = o->n_records;
	return r;
}

int drivedb_match_class(const struct drivedb *db, const struct drive_id *id,
			const char *class, struct db_match *ret)
{
	struct overlay o = { 0 };
	struct db_match m = { 0 };
	const char *name;
	int r;

	r = collect(&o, db, id, 1);
	name = choose_class(named_class(&o), class);
	if (!r && name)
		r = collect(&o, db, &(struct drive_id){ "class", name, NULL }, 0);
	if (!r)
		r = settle(&o, &m);
	arena_done(&o.arena);
	if (r < 0)
		db_match_done(&m);
	else
		*ret = m;
	return r;
}

int drivedb_match(const struct drivedb *db, const struct drive_id *id,
		  struct db_match *ret)
{
	return drivedb_match_class(db, id, NULL, ret);
}

const struct db_property *db_match_list(const struct db_match *m, const char *key,
					size_t *ret_n)
{
	size_t low = 0, high = m->n, end;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(m->items[middle].key, key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low; end < m->n && str_equal(m->items[end].key, key);)
		end++;
	*ret_n = end - low;
	return end > low ? &m->items[low] : NULL;
}

const struct db_property *db_match_get(const struct db_match *m, const char *key)
{
	size_t n;
	const struct db_property *p = db_match_list(m, key, &n);

	return p ? p + n - 1 : NULL;
}

void db_match_done(struct db_match *m)
{
	arena_done(&m->arena);
	*m = (struct db_match){ 0 };
}
