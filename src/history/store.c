/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "history/store.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "history/sql.h"

#define BUSY_MS 20000

static void say(struct history *h, enum diag_severity severity, const char *what, int r)
{
	diag_add(h->diag, severity, h->path, 0, "%s: %s%s%s%s", what,
		 r == -EUCLEAN	 ? "the file is damaged"
		 : r == -EBUSY	 ? "another run holds it"
		 : r == -ENOTSUP ? "it comes from a newer version of this program"
				 : strerror(-r),
		 *h->why ? " (" : "", h->why, *h->why ? ")" : "");
	h->why[0] = '\0';
}

static int exec(struct history *h, const char *sql)
{
	int e = sqlite3_exec(h->db, sql, NULL, NULL, NULL);

	return e == SQLITE_OK ? 0 : sql_errno(e);
}

static void close_db(struct history *h)
{
	sql_finish_all(h);
	(void)sqlite3_close(h->db);
	h->db = NULL;
	h->error = 0;
	h->n_facts = 0;
	h->in_run = false;
}

static int open_db(struct history *h, const char *name, int flags)
{
	int e = sqlite3_open_v2(name, &h->db, flags | SQLITE_OPEN_NOMUTEX, NULL);

	if (e != SQLITE_OK) {
		close_db(h);
		return sql_errno(e);
	}
	(void)sqlite3_busy_timeout(h->db, BUSY_MS);
	return 0;
}

/* --- a file that is written ---------------------------------------------------------------------- */

static int open_write(struct history *h)
{
	int r = open_db(h, h->path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);

	/* first of all: nothing of a newer version's file is touched */
	if (r == 0)
		r = schema_test(h);
	/* Readers and a writer do not wait for each other, and a killed writer leaves no damage.
	   FULL: what was committed is on the disk when the report is printed. */
	if (r == 0)
		r = exec(h, "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;"
			    "PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF;");
	if (r == 0)
		r = schema_prepare(h);
	/* read only in SQLite's eyes shows itself with the first change only */
	if (r == 0 && sqlite3_db_readonly(h->db, "main") == 1)
		r = -EROFS;
	if (r < 0)
		close_db(h);
	return r;
}

/* The damaged file, with its journal, under a name that is free. Nothing is deleted. */
static int put_aside(struct history *h)
{
	static const char *const ends[] = { "", "-wal", "-shm" };
	char from[PATH_MAX], to[PATH_MAX];
	int r = 0;

	for (unsigned n = 1; n < 1000; n++) {
		(void)snprintf(to, sizeof(to), "%s.damaged-%u", h->path, n);
		if (access(to, F_OK) < 0)
			break;
	}
	for (size_t i = 0; i < array_size(ends); i++) {
		char target[PATH_MAX + 8];

		(void)snprintf(from, sizeof(from), "%s%s", h->path, ends[i]);
		(void)snprintf(target, sizeof(target), "%s%s", to, ends[i]);
		if (rename(from, target) < 0 && errno != ENOENT)
			r = -errno;
	}
	if (r == 0)
		diag_add(h->diag, DIAG_WARNING, h->path, 0,
			 "the file is damaged: it was put aside as %s, a new history "
			 "begins",
			 to);
	return r;
}

/* KNOWN: it is damaged where opening does not see it. */
static int put_aside_and_open(struct history *h, bool known)
{
	int r = known ? -EUCLEAN : open_write(h);

	if (r == -EUCLEAN)
		r = put_aside(h);
	else if (r == 0)
		return 0;
	return r == 0 ? open_write(h) : r;
}

/* One process puts aside; another that comes at the same time finds the new file. */
static int begin_anew(struct history *h, bool known)
{
	int lock = -1, r = history_lock(h->dir, "history", &lock);

	while (r == -EBUSY) {
		(void)usleep(100000);
		r = history_lock(h->dir, "history", &lock);
	}
	close_db(h);
	if (r == 0)
		r = put_aside_and_open(h, known);
	if (lock >= 0)
		(void)close(lock);
	return r;
}

/* --- a file that is only read ------------------------------------------------------------------------ */

static int probe_read(struct history *h)
{
	return exec(h, "SELECT count(*) FROM sqlite_master");
}

/* "file:PATH?immutable=1", with what has a meaning in it escaped. */
static int immutable_uri(const char *path, struct buf *ret)
{
	buf_puts(ret, "file:");
	for (const char *s = path; *s; s++) {
		if (*s == '?' || *s == '#' || *s == '%')
			buf_printf(ret, "%%%02x", (unsigned)(unsigned char)*s);
		else
			buf_putc(ret, *s);
	}
	buf_puts(ret, "?immutable=1");
	return buf_error(ret);
}

/* A folder that cannot be written has no place for the files that WAL needs beside it. */
static int open_read(struct history *h)
{
	struct buf uri cleanup_buf = { 0 };
	int r = open_db(h, h->path, SQLITE_OPEN_READONLY);

	if (r == 0)
		r = probe_read(h);
	if (r == 0 || access(h->path, R_OK) < 0)
		return r;
	close_db(h);
	r = immutable_uri(h->path, &uri);
	if (r == 0)
		r = open_db(h, buf_text(&uri), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
	if (r == 0)
		r = probe_read(h);
	return r;
}

/* What can be read of the file, in memory. An empty history when nothing can. */
static int copy_to_memory(struct history *h)
{
	sqlite3 *from = NULL;
	sqlite3_backup *b;
	int r;

	close_db(h);
	if (open_read(h) == 0) {
		from = h->db;
		h->db = NULL;
	} else {
		close_db(h);
	}
	r = open_db(h, ":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
	b = r == 0 && from ? sqlite3_backup_init(h->db, "main", from, "main") : NULL;
	if (b) {
		int e = sqlite3_backup_step(b, -1);

		(void)sqlite3_backup_finish(b);
		if (e != SQLITE_DONE)
			r = -EUCLEAN;
	}
	(void)sqlite3_close(from);
	if (r == 0)
		r = schema_prepare(h);
	return r;
}

static int empty_memory(struct history *h)
{
	close_db(h);
	if (open_db(h, ":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) < 0)
		return -ENOMEM;
	return schema_prepare(h) < 0 ? -ENOMEM : 0;
}

static int go_to_memory(struct history *h, int why)
{
	say(h, DIAG_WARNING, "nothing of this run is stored", why);
	h->memory = true;
	/* a newer or damaged file may hold anything: without it, everything looks new */
	return copy_to_memory(h) == 0 ? 0 : empty_memory(h);
}

int history_recover(struct history *h)
{
	int why = h->error ? h->error : -EIO;

	if (why == -ENOMEM || h->empty)
		return why;
	if (!h->memory && why == -EUCLEAN && begin_anew(h, true) == 0)
		return 0;
	if (!h->memory)
		return go_to_memory(h, why);
	/* not even the copy can be used: without a past everything is new */
	h->empty = true;
	return empty_memory(h);
}

/* --- opening ------------------------------------------------------------------------------------------- */

static int make_folders(const char *dir)
{
	char path[PATH_MAX];
	size_t len = strlen(dir);

	if (len >= sizeof(path))
		return -ENAMETOOLONG;
	memcpy(path, dir, len + 1);
	for (char *s = path + 1; *s; s++) {
		if (*s != '/')
			continue;
		*s = '\0';
		if (mkdir(path, 0755) < 0 && errno != EEXIST)
			return -errno;
		*s = '/';
	}
	return mkdir(path, 0755) < 0 && errno != EEXIST ? -errno : 0;
}

static int open_for_writing(struct history *h)
{
	int r = make_folders(h->dir);

	if (r == 0)
		r = open_write(h);
	if (r == -EUCLEAN)
		r = begin_anew(h, false);
	return r < 0 && r != -ENOMEM ? go_to_memory(h, r) : r;
}

static int open_for_reading(struct history *h)
{
	int r;

	if (access(h->path, F_OK) < 0)
		return -ENOENT;
	r = open_read(h);
	/* older tables, or ones that cannot be read: only a copy can be changed */
	if (r == 0 && schema_prepare(h) == 0) {
		/* all of it as of one moment, and one lock for all statements */
		sql_do(h, SQL_BEGIN_READING, "");
		return 0;
	}
	say(h, DIAG_WARNING, "the history cannot be used as it is", r ? r : h->error);
	return copy_to_memory(h) == 0 ? 0 : empty_memory(h);
}

int history_open(const char *dir, bool write, struct diag *d, struct history **ret)
{
	struct history *h = calloc(1, sizeof(*h));
	int r;

	if (!h)
		return -ENOMEM;
	h->diag = d;
	h->dir = arena_strdup(&h->arena, dir ? dir : "");
	h->path = arena_printf(&h->arena, "%s/history.db", dir ? dir : "");
	h->memory = h->empty = !dir;
	if (!h->dir || !h->path)
		r = -ENOMEM;
	else if (!dir)
		r = empty_memory(h);
	else
		r = write ? open_for_writing(h) : open_for_reading(h);
	if (r < 0) {
		history_close(h);
		return r;
	}
	*ret = h;
	return 0;
}

void history_close(struct history *h)
{
	if (!h)
		return;
	close_db(h);
	arena_done(&h->arena);
	free(h);
}

bool history_is_kept(const struct history *h)
{
	return !h->memory;
}

int history_error(const struct history *h)
{
	return h->error;
}

/* --- a run ----------------------------------------------------------------------------------------------- */

int history_begin(struct history *h, enum history_run kind, int64_t now)
{
	h->error = 0;
	sql_do(h, SQL_BEGIN, "");
	h->in_run = h->error == 0;
	h->kind = kind;
	h->now = now;
	h->run_before = sql_get(h, SQL_RUN_LAST, 0, "");
	h->run = 0;
	if (kind != HISTORY_EDIT)
		sql_do(h, SQL_RUN_ADD, "ii", now, (int64_t)kind);
	if (kind != HISTORY_EDIT && !h->error)
		h->run = sqlite3_last_insert_rowid(h->db);
	if (h->error)
		history_rollback(h);
	return h->error;
}

int history_commit(struct history *h)
{
	sql_do(h, SQL_COMMIT, "");
	if (h->error)
		history_rollback(h);
	h->in_run = false;
	return h->error;
}

/* The error stays to be told. */
void history_rollback(struct history *h)
{
	if (h->db && sqlite3_get_autocommit(h->db) == 0)
		(void)sqlite3_exec(h->db, "ROLLBACK", NULL, NULL, NULL);
	h->in_run = false;
	h->n_facts = 0; /* names that the run added are gone */
}

int history_lock(const char *dir, const char *name, int *ret_fd)
{
	char path[PATH_MAX];
	int fd;

	if (snprintf(path, sizeof(path), "%s/lock-%s", dir, name) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	for (char *s = path + strlen(dir) + 1; *s; s++)
		if (*s == '/')
			*s = '-';
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return -errno;
	if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		int r = errno == EWOULDBLOCK ? -EBUSY : -errno;

		(void)close(fd);
		return r;
	}
	*ret_fd = fd;
	return 0;
}
