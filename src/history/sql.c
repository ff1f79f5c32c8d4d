/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "history/sql.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

#include "history/values.h"

static const char *const texts[] = {
#define SQL(id, text) [SQL_##id] = (text),
#include "history/sql.def"
#undef SQL
};

int sql_errno(int sqlite_error)
{
	static const struct {
		int sqlite, number;
	} rows[] = {
		{ SQLITE_NOMEM, -ENOMEM },   { SQLITE_BUSY, -EBUSY },
		{ SQLITE_LOCKED, -EBUSY },   { SQLITE_FULL, -ENOSPC },
		{ SQLITE_READONLY, -EROFS }, { SQLITE_CANTOPEN, -EACCES },
		{ SQLITE_PERM, -EACCES },    { SQLITE_CORRUPT, -EUCLEAN },
		{ SQLITE_NOTADB, -EUCLEAN },
	};

	for (size_t i = 0; i < array_size(rows); i++)
		if ((sqlite_error & 0xff) == rows[i].sqlite)
			return rows[i].number;
	return -EIO;
}

void sql_fail(struct history *h, int sqlite_error)
{
	if (sqlite_error == SQLITE_OK || h->error)
		return;
	h->error = sql_errno(sqlite_error);
	(void)snprintf(h->why, sizeof(h->why), "%s",
		       h->db ? sqlite3_errmsg(h->db) : sqlite3_errstr(sqlite_error));
}

void sql_out_of_memory(struct history *h)
{
	sql_fail(h, SQLITE_NOMEM);
}

static sqlite3_stmt *prepared(struct history *h, enum sql_id id)
{
	if (!h->statements[id] && !h->error)
		sql_fail(h, sqlite3_prepare_v3(h->db, texts[id], -1,
					       SQLITE_PREPARE_PERSISTENT,
					       &h->statements[id], NULL));
	return h->error ? NULL : h->statements[id];
}

static void bind(struct history *h, enum sql_id id, const char *letters, va_list ap)
{
	sqlite3_stmt *s = prepared(h, id);

	if (!s)
		return;
	(void)sqlite3_reset(s);
	(void)sqlite3_clear_bindings(s);
	for (int i = 0; letters[i]; i++) {
		const char *text;

		if (letters[i] == 'i') {
			sql_fail(h, sqlite3_bind_int64(s, i + 1, va_arg(ap, int64_t)));
		} else if (letters[i] == 't') {
			text = va_arg(ap, const char *);
			sql_fail(h,
				 sqlite3_bind_text(s, i + 1, text, -1, SQLITE_TRANSIENT));
		}
	}
}

void sql_start(struct history *h, enum sql_id id, const char *letters, ...)
{
	va_list ap;

	va_start(ap, letters);
	bind(h, id, letters, ap);
	va_end(ap);
}

bool sql_next(struct history *h, enum sql_id id)
{
	sqlite3_stmt *s = prepared(h, id);
	int e = s ? sqlite3_step(s) : SQLITE_DONE;

	if (e == SQLITE_ROW)
		return true;
	if (e != SQLITE_DONE)
		sql_fail(h, e);
	if (s)
		(void)sqlite3_reset(s);
	return false;
}

void sql_do(struct history *h, enum sql_id id, const char *letters, ...)
{
	va_list ap;

	va_start(ap, letters);
	bind(h, id, letters, ap);
	va_end(ap);
	while (sql_next(h, id))
		;
}

int64_t sql_get(struct history *h, enum sql_id id, int64_t other, const char *letters,
		...)
{
	int64_t value = other;
	va_list ap;

	va_start(ap, letters);
	bind(h, id, letters, ap);
	va_end(ap);
	while (sql_next(h, id))
		if (!sql_is_null(h, id, 0))
			value = sql_int(h, id, 0);
	return value;
}

int64_t sql_int(struct history *h, enum sql_id id, int column)
{
	return sqlite3_column_int64(h->statements[id], column);
}

bool sql_is_null(struct history *h, enum sql_id id, int column)
{
	return sqlite3_column_type(h->statements[id], column) == SQLITE_NULL;
}

const char *sql_text(struct history *h, struct arena *a, enum sql_id id, int column)
{
	const char *text = (const char *)sqlite3_column_text(h->statements[id], column);
	char *copy = text ? arena_strdup(a, text) : NULL;

	if (text && !copy)
		sql_out_of_memory(h);
	return copy;
}

void sql_finish_all(struct history *h)
{
	for (size_t i = 0; i < SQL_COUNT; i++) {
		(void)sqlite3_finalize(h->statements[i]);
		h->statements[i] = NULL;
	}
}

/* --- names of facts ------------------------------------------------------------------------------ */

static void add_row(struct history *h, int64_t id, const char *name)
{
	struct fact_row row = { .id = id, .key = { FACT_COUNT, 0, 0 } }, *slot;

	/* a name of another version stays in the file and means nothing here */
	if (fact_parse_name(name, strlen(name), &row.key) < 0)
		row.key = (struct fact_key){ FACT_COUNT, 0, 0 };
	slot = arena_push(&h->arena, &h->facts, &h->n_facts, &h->cap_facts,
			  sizeof(*slot));
	if (slot)
		*slot = row;
	else
		sql_out_of_memory(h);
}

static void load_rows(struct history *h)
{
	if (h->n_facts)
		return;
	sql_start(h, SQL_FACT_ALL, "");
	while (sql_next(h, SQL_FACT_ALL)) {
		const char *name = sql_text(h, &h->arena, SQL_FACT_ALL, 1);

		if (name)
			add_row(h, sql_int(h, SQL_FACT_ALL, 0), name);
	}
}

static bool same_key(struct fact_key a, struct fact_key b)
{
	return a.id == b.id && a.i == b.i && a.j == b.j;
}

int64_t fact_row_id(struct history *h, struct fact_key key)
{
	struct buf name cleanup_buf = { 0 };
	int64_t id;

	load_rows(h);
	for (size_t i = 0; i < h->n_facts; i++)
		if (same_key(h->facts[i].key, key))
			return h->facts[i].id;
	fact_add_name(&name, key);
	if (buf_error(&name) < 0)
		sql_out_of_memory(h);
	sql_do(h, SQL_FACT_ADD, "ti", buf_text(&name), (int64_t)kept_is_thinned(key.id));
	if (h->error)
		return 0;
	id = sqlite3_last_insert_rowid(h->db);
	add_row(h, id, buf_text(&name));
	return id;
}

bool fact_row_key(struct history *h, int64_t id, struct fact_key *ret)
{
	load_rows(h);
	for (size_t i = 0; i < h->n_facts; i++) {
		if (h->facts[i].id != id || h->facts[i].key.id == FACT_COUNT)
			continue;
		*ret = h->facts[i].key;
		return true;
	}
	return false;
}
