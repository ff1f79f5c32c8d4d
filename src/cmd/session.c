/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/session.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sha256.h"
#include "base/str.h"
#include "capture/file.h"
#include "decode/decode.h"
#include "import/import.h"
#include "judge/judge.h"
#include "opinion/libatasmart.h"

#define FIRST_BYTES 4096u
#define CHUNK_BYTES 65536u

/*
 * Take the memory for a file of known size at once. Pages that are filled in one go by the kernel
 * cost a third of those that are met one by one: half of the time of a large file was that.
 */
static void make_room(int fd, struct buf *ret)
{
	struct stat st;
	size_t size, page = (size_t)sysconf(_SC_PAGESIZE);
	uintptr_t start;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size <= (off_t)ret->len)
		return;
	size = (size_t)st.st_size - ret->len;
	if (size > TEXT_MAX_BYTES || size < CHUNK_BYTES)
		return;
	start = (uintptr_t)buf_room(ret, size + CHUNK_BYTES);
	if (start)
		(void)madvise((void *)(start / page * page), size,
			      MADV_POPULATE_WRITE); /* without it, slower */
}

static int read_all(int fd, struct buf *ret)
{
	size_t want = FIRST_BYTES;

	/* one byte beyond the limit is enough to see that it was passed */
	while (ret->len <= TEXT_MAX_BYTES) {
		char *chunk = buf_room(ret, want);
		ssize_t n = chunk ? read(fd, chunk, want) : 0;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		buf_fill(ret, (size_t)n);
		/* binary is seen in its first bytes: do not read a gigabyte to refuse it */
		if (ret->len == (size_t)n) {
			if (memchr(chunk, '\0', (size_t)n))
				break;
			make_room(fd, ret);
		}
		/* what there is room for, but for the zero behind it */
		want = ret->cap - ret->len - 1;
		if (want < CHUNK_BYTES)
			want = CHUNK_BYTES;
	}
	return buf_error(ret);
}

int session_fail(struct session *s, int status, const char *name, const char *text)
{
	diag_add(&s->diag, DIAG_ERROR, name, 0, "%s", text);
	if (status > s->status)
		s->status = status;
	return status;
}

void session_warn(struct session *s, int status, const char *name, const char *text)
{
	diag_add(&s->diag, DIAG_WARNING, name, 0, "%s", text);
	if (status > s->status)
		s->status = status;
}

/* Files, and "-"; a drive, or a name that only a drive can have, is none: -ENOTBLK. */
static int open_file(const char *name, int *ret_fd)
{
	struct stat st;
	int fd;

	if (str_equal(name, "-")) {
		*ret_fd = STDIN_FILENO;
		return 0;
	}
	/* a drive is not even opened here: that could wake it */
	if (stat(name, &st) < 0)
		return errno == ENOENT || errno == ENOTDIR ? -ENOTBLK : -errno;
	if (!S_ISREG(st.st_mode) && !S_ISFIFO(st.st_mode))
		return -ENOTBLK;
	/* O_NONBLOCK: opening a FIFO must not hang */
	fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return -errno;
	*ret_fd = fd;
	return 0;
}

static int take_bytes(struct session *s, const struct options *o, const char *name,
		      struct span bytes)
{
	int r;

	if (o->page) {
		r = import_page(bytes, name, o->page, &s->capture, &s->diag);
	} else if (capture_file_is(bytes)) {
		r = capture_file_read(bytes, name, &s->diag, &s->capture);
	} else {
		struct import_stats stats = { 0 };

		r = import_read(bytes, name, &s->capture, &s->diag, &stats);
	}
	if (r == -ENOMEM)
		return session_fail(s, EXIT_INTERNAL, name, "out of memory");
	if (r < 0) {
		if (s->status < EXIT_DATA_ERROR)
			s->status = EXIT_DATA_ERROR;
		return EXIT_DATA_ERROR; /* the reader has said why */
	}
	s->n_read++;
	return 0;
}

static void take_target(struct session *s, const struct options *o, const char *name)
{
	struct buf bytes cleanup_buf = { 0 };
	int fd = -1, r = open_file(name, &fd);

	if (r == -ENOTBLK) {
		(void)live_add(s, o, name);
		return;
	}
	if (r == 0) {
		r = read_all(fd, &bytes);
		if (fd != STDIN_FILENO)
			(void)close(fd);
	}
	if (r < 0)
		session_fail(s, EXIT_DATA_ERROR, name, strerror(-r));
	else
		(void)take_bytes(s, o, str_equal(name, "-") ? "standard input" : name,
				 buf_span(&bytes));
}

static enum page_level level_of(const struct options *o)
{
	if (str_equal(o->command, "phy"))
		return LEVEL_LINK;
	if (str_equal(o->command, "check"))
		return LEVEL_QUICK;
	return o->farm ? LEVEL_FARM : o->sct ? LEVEL_SCT : LEVEL_FULL;
}

/* The database comes first: it knows what must not be sent to a drive. */
int session_read_drives(struct session *s, const struct options *o)
{
	int status = session_load_db(s, o);

	s->live.level = level_of(o);
	return status ? status : live_read(s, o, CAP_BEFORE);
}

void session_add(struct session *s, const struct options *o)
{
	for (int i = 0; i < o->n_targets; i++)
		take_target(s, o, o->targets[i]);
}

int session_read(struct session *s, const struct options *o)
{
	int status = o->n_targets ? 0 : live_add_all(s, o);

	session_add(s, o);
	if (!status && s->live.n)
		status = session_read_drives(s, o);
	if (status)
		return status;
	return s->n_read ? 0 : s->status;
}

/* "db.hwdb sha256:...", as the built-in records are named. */
static void log_db_file(struct session *s, const char *name, struct span bytes)
{
	uint8_t digest[SHA256_BYTES];
	struct sha256 h;

	if (!s->db_log)
		return;
	sha256_init(&h);
	sha256_add(&h, bytes);
	sha256_finish(&h, digest);
	str_add_escaped(s->db_log, name, SIZE_MAX);
	buf_puts(s->db_log, " sha256:");
	for (unsigned i = 0; i < 8; i++)
		buf_printf(s->db_log, "%02x", digest[i]);
	buf_putc(s->db_log, '\n');
}

/* Where distributions, and update-smart-drivedb, put the database of smartmontools. */
static void load_installed(struct db_installed *files, void *context)
{
	static const char *const names[] = {
		"/etc/smart_drivedb.h", /* the administrator's: first, and beside the other */
		"/var/lib/smartmontools/drivedb/drivedb.h",
		"/usr/share/smartmontools/drivedb.h",
	};
	struct session *s = context;

	for (size_t i = 0; i < array_size(names); i++) {
		struct buf bytes cleanup_buf = { 0 };
		int r, fd = open(names[i], O_RDONLY | O_CLOEXEC | O_NONBLOCK);

		if (fd < 0)
			continue;
		r = read_all(fd, &bytes);
		(void)close(fd);
		if (r == 0)
			log_db_file(s, names[i], buf_span(&bytes));
		if (r == 0)
			r = db_installed_add(files, buf_span(&bytes), names[i]);
		if (r < 0)
			diag_add(&s->diag, DIAG_WARNING, names[i], 0, "%s", strerror(-r));
		else if (i > 0)
			break;
	}
}

static int add_db_file(struct session *s, const char *name)
{
	struct buf bytes cleanup_buf = { 0 };
	int r, fd = open(name, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return session_fail(s, EXIT_NO_INPUT, name, strerror(errno));
	r = read_all(fd, &bytes);
	(void)close(fd);
	if (r == 0)
		log_db_file(s, name, buf_span(&bytes));
	/* a table of smartmontools, by the name it has everywhere */
	if (r == 0 && str_ends(name, ".h"))
		r = drivedb_add_installed(s->db, buf_span(&bytes), name);
	else if (r == 0)
		r = drivedb_take(s->db, &bytes, name, &s->diag);
	return r < 0 ? session_fail(s, EXIT_DATA_ERROR, name, strerror(-r)) : 0;
}

/* Installed records first, the administrator's over them, both in the order of their names. */
static void add_db_folders(struct session *s)
{
	static const char *const folders[] = { DW_DATADIR "/db.d/*.hwdb",
					       DW_SYSCONFDIR "/db.d/*.hwdb" };

	for (size_t i = 0; i < array_size(folders); i++) {
		glob_t found = { 0 };

		if (glob(folders[i], 0, NULL, &found) == 0)
			for (size_t k = 0; k < found.gl_pathc; k++)
				(void)add_db_file(s, found.gl_pathv[k]);
		globfree(&found);
	}
}

int session_load_db(struct session *s, const struct options *o)
{
	if (s->db)
		return 0;
	s->db = drivedb_new(&s->diag);
	if (!s->db)
		return EXIT_INTERNAL;
	if (!o->db_builtin_only) {
		add_db_folders(s);
		drivedb_set_installed(s->db, load_installed, s);
	}
	if (str_equal(o->format, "smartctl-json"))
		drivedb_want_installed(s->db);
	/* a file that the user names must be there */
	for (size_t i = 0; i < o->n_db_files; i++) {
		int status = add_db_file(s, o->db_files[i]);

		if (status)
			return status;
	}
	return 0;
}

int session_judge(struct session *s)
{
	int r = opinion_add(&s->capture);

	if (r == 0)
		r = decode_case(&s->capture, s->db, &s->diag, &s->the_case);
	if (r == 0)
		r = judge_case(&s->the_case, &s->report);
	return r < 0 ? EXIT_INTERNAL : 0;
}

static void print_message(const struct diag_message *m)
{
	struct buf line cleanup_buf = { 0 };

	buf_puts(&line, "drivewhy: ");
	if (m->file) {
		str_add_escaped(&line, m->file, SIZE_MAX);
		if (m->line)
			buf_printf(&line, ":%llu", (unsigned long long)m->line);
		if (m->has_byte)
			buf_printf(&line, ": byte %llu", (unsigned long long)m->byte);
		buf_puts(&line, ": ");
	}
	str_add_escaped(&line, m->text, SIZE_MAX);
	(void)fprintf(stderr, "%s\n", buf_text(&line));
}

void session_print_messages(const struct session *s)
{
	for (size_t i = 0; i < s->diag.n; i++)
		print_message(&s->diag.items[i]);
}

void session_print_warnings(const struct session *s)
{
	for (size_t i = 0; i < s->diag.n; i++)
		if (s->diag.items[i].severity != DIAG_NOTE)
			print_message(&s->diag.items[i]);
}

void session_done(struct session *s)
{
	live_done(&s->live);
	report_done(&s->report);
	case_done(&s->the_case);
	drivedb_free(s->db);
	capture_done(&s->capture);
	diag_done(&s->diag);
}
