/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables. A version is never changed once it was released: the next one is a step behind it. */
#include <errno.h>

#include "history/sql.h"

/* PRAGMA application_id: "drvw"; file(1) and a person with the wrong file see what it is. */
#define APPLICATION_ID "1685222007"

/*
 * Times are kept once, in run, and everything is ordered by the number of the run: a clock that
 * is set back changes no order. A sample is a row where something changed: value is the monotone
 * total for what only grows, span the seconds since the look before, in which it changed (0
 * unknown). now holds the newest reading of each fact, and what the last check told of it.
 */
static const char *const steps[] = {
	"PRAGMA application_id = " APPLICATION_ID ";"
	"CREATE TABLE meta(key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;"
	"CREATE TABLE run(id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, "
	" kind INTEGER NOT NULL);"
	"CREATE INDEX run_at ON run(at);"
	"CREATE TABLE fact(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, "
	" thin INTEGER NOT NULL);"
	"CREATE TABLE clash(kind TEXT, value TEXT, PRIMARY KEY(kind, value)) WITHOUT "
	"ROWID;"
	"CREATE TABLE subject(id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, wwn TEXT, "
	" model TEXT, serial TEXT, capacity INTEGER, firmware TEXT, port TEXT, device "
	"TEXT,"
	" apart INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, "
	" last_run INTEGER, checked_run INTEGER, state INTEGER NOT NULL, boot TEXT, "
	" severity INTEGER, told_port TEXT, told_firmware TEXT);"
	"CREATE TABLE now(subject INTEGER, fact INTEGER, value INTEGER NOT NULL, "
	" total INTEGER NOT NULL, peak INTEGER, least INTEGER NOT NULL, run INTEGER NOT "
	"NULL,"
	" told_value INTEGER, told_total INTEGER, PRIMARY KEY(subject, fact)) WITHOUT "
	"ROWID;"
	"CREATE TABLE sample(subject INTEGER, fact INTEGER, run INTEGER, "
	" span INTEGER NOT NULL, value INTEGER NOT NULL, "
	" PRIMARY KEY(subject, fact, run)) WITHOUT ROWID;"
	"CREATE TABLE finding(subject INTEGER, code TEXT, severity INTEGER NOT NULL, "
	" confidence INTEGER NOT NULL, headline TEXT, first_run INTEGER NOT NULL, "
	" last_run INTEGER NOT NULL, open INTEGER NOT NULL, acked_run INTEGER, "
	" acked_severity INTEGER, reminded INTEGER, "
	" PRIMARY KEY(subject, code)) WITHOUT ROWID;"
	"CREATE TABLE message(id INTEGER PRIMARY KEY, run INTEGER NOT NULL, subject "
	"INTEGER,"
	" kind INTEGER NOT NULL, code TEXT, severity INTEGER NOT NULL, head TEXT, "
	" text TEXT NOT NULL, told INTEGER NOT NULL);"
	"CREATE INDEX message_subject ON message(subject);"
	"CREATE INDEX message_untold ON message(told) WHERE told = 0;",
};

#define VERSION ((int)array_size(steps))

static int read_version(struct history *h, int *ret)
{
	sqlite3_stmt *s = NULL;
	int e = sqlite3_prepare_v2(h->db, "PRAGMA user_version", -1, &s, NULL);

	if (e == SQLITE_OK)
		e = sqlite3_step(s) == SQLITE_ROW ? SQLITE_OK : sqlite3_errcode(h->db);
	if (e == SQLITE_OK)
		*ret = sqlite3_column_int(s, 0);
	(void)sqlite3_finalize(s);
	return e;
}

int schema_test(struct history *h)
{
	int version = 0, e = read_version(h, &version);

	if (e == SQLITE_OK)
		return version > VERSION ? -ENOTSUP : 0;
	sql_fail(h, e);
	return sql_errno(e);
}

static int run_step(struct history *h, int version)
{
	char set[64];
	int e = sqlite3_exec(h->db, steps[version], NULL, NULL, NULL);

	(void)snprintf(set, sizeof(set), "PRAGMA user_version = %d", version + 1);
	if (e == SQLITE_OK)
		e = sqlite3_exec(h->db, set, NULL, NULL, NULL);
	return e;
}

/* All steps in one transaction: a file has all tables of its version, or none. */
int schema_prepare(struct history *h)
{
	int version = 0, e = read_version(h, &version);

	if (e == SQLITE_OK && version == VERSION)
		return 0;
	if (e == SQLITE_OK && version > VERSION)
		return -ENOTSUP;
	if (e == SQLITE_OK)
		e = sqlite3_exec(h->db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
	/* another process may have been quicker */
	if (e == SQLITE_OK)
		e = read_version(h, &version);
	for (int i = version; e == SQLITE_OK && i < VERSION; i++)
		e = run_step(h, i);
	if (e == SQLITE_OK)
		e = sqlite3_exec(h->db, "COMMIT", NULL, NULL, NULL);
	else
		(void)sqlite3_exec(h->db, "ROLLBACK", NULL, NULL, NULL);
	sql_fail(h, e);
	return e == SQLITE_OK ? 0 : sql_errno(e);
}
