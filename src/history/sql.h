/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside history/ only: statements. An error sticks to the history until the run ends: every call
 * after it does nothing, so a writer checks once, at its end.
 */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "history/store.h"
#include "model/fact.h"

enum sql_id {
#define SQL(id, text) SQL_##id,
#include "history/sql.def"
#undef SQL
	SQL_COUNT
};

/* A name in table fact, and the key it stands for. */
struct fact_row {
	int64_t id;
	struct fact_key key;
};

struct history {
	sqlite3 *db;
	sqlite3_stmt *statements[SQL_COUNT];
	struct arena arena;
	struct diag *diag;
	const char *dir, *path;
	bool memory, empty; /* a copy: nothing is kept; or not even that */
	bool in_run;
	int error;		      /* -errno of the first failure */
	char why[120];		      /* SQLite's own words for it */
	int64_t run, now, run_before; /* this run, and the time of the newest before */
	enum history_run kind;
	struct fact_row *facts; /* sorted by id of the table, as read */
	size_t n_facts, cap_facts;
};

/*
 * Begin a statement: one letter a parameter, i int64_t, t text or NULL, n NULL. Rows come from
 * sql_next(). Each statement can be used once at a time.
 */
void sql_start(struct history *h, enum sql_id id, const char *letters, ...);
bool sql_next(struct history *h, enum sql_id id);
/* Begin and run to its end. */
void sql_do(struct history *h, enum sql_id id, const char *letters, ...);
/* One number, or OTHER when there is no row. */
int64_t sql_get(struct history *h, enum sql_id id, int64_t other, const char *letters,
		...);
int64_t sql_int(struct history *h, enum sql_id id, int column);
bool sql_is_null(struct history *h, enum sql_id id, int column);
/* In the arena, NULL for NULL. */
const char *sql_text(struct history *h, struct arena *a, enum sql_id id, int column);
void sql_finish_all(struct history *h);
void sql_fail(struct history *h, int sqlite_error);
void sql_out_of_memory(struct history *h);
int sql_errno(int sqlite_error);

/* The row of a fact's name, made when it is new; 0 on failure. */
int64_t fact_row_id(struct history *h, struct fact_key key);
/* The key of a row; false when this version does not know it. */
bool fact_row_key(struct history *h, int64_t id, struct fact_key *ret);

/* schema.c: make or renew the tables. -ENOTSUP for a file of a newer version. */
int schema_prepare(struct history *h) must_check;
/* Only look: 0, -ENOTSUP, or why it cannot be read. */
int schema_test(struct history *h) must_check;
