/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/fio-ways.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"
#include "cmd/probing.h"
#include "probe/fio-items.h"

/* Enough to see a job file by; devices and large files are not read for that. */
#define LOOK_BYTES 65536u

/* The text of NAME when it is a job file. */
static bool read_job_file(const char *name, struct buf *ret)
{
	struct stat st;
	char *text;
	ssize_t n = -1;
	int fd;

	if (stat(name, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size > LOOK_BYTES)
		return false;
	fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	text = fd >= 0 ? malloc(LOOK_BYTES) : NULL;
	if (text)
		n = read(fd, text, LOOK_BYTES);
	if (n > 0 && fio_is_job_file(span_of(text, (size_t)n)))
		buf_add(ret, text, (size_t)n);
	free(text);
	if (fd >= 0)
		(void)close(fd);
	return ret->len > 0;
}

static bool is_job_file(const char *name)
{
	struct buf text cleanup_buf = { 0 };

	return read_job_file(name, &text);
}

bool fio_ways_wanted(const struct options *o)
{
	if (o->n_fio_words)
		return true;
	for (int i = 0; i < o->n_targets; i++)
		if (is_job_file(o->targets[i]))
			return true;
	return false;
}

/* "sda" is /dev/sda; a file and a path are what they are. */
static const char *target_name(struct fio_specs *f, const char *name)
{
	const char *path;

	if (strchr(name, '/') || access(name, F_OK) == 0)
		return name;
	path = arena_printf(&f->arena, "/dev/%s", name);
	return path && access(path, F_OK) == 0 ? path : name;
}

/* A target behind the options is the file of all jobs that name none. */
static int set_target(struct session *s, struct fio_specs *f, const struct options *o)
{
	const char *target = NULL;

	for (int i = 0; i < o->n_targets; i++) {
		if (is_job_file(o->targets[i]))
			continue;
		if (target)
			return session_fail(s, EXIT_USAGE_ERROR, o->targets[i],
					    "jobs read one target: give each its own "
					    "filename=");
		target = target_name(f, o->targets[i]);
	}
	for (size_t i = 0; target && i < f->n; i++)
		if (!f->items[i].filename)
			f->items[i].filename = target;
	return 0;
}

/* Options first: they are what the sections of a file begin with. */
static int read_specs(struct session *s, struct fio_specs *f, const struct options *o)
{
	bool files = false;
	int r;

	for (int i = 0; i < o->n_targets; i++)
		files |= is_job_file(o->targets[i]);
	r = fio_specs_add_words(f, (const char *const *)o->fio_words, o->n_fio_words,
				!files, &s->diag);
	for (int i = 0; i < o->n_targets && r == 0; i++) {
		struct buf text cleanup_buf = { 0 };

		if (read_job_file(o->targets[i], &text))
			r = fio_specs_add_file(f, buf_span(&text), o->targets[i],
					       &s->diag);
	}
	return r == -ENOMEM ? EXIT_INTERNAL : r < 0 ? EXIT_USAGE_ERROR : 0;
}

static int show_progress(struct engine_watch *w, uint64_t elapsed_ns, uint64_t ios,
			 uint64_t bytes)
{
	double seconds = (double)elapsed_ns / 1e9;

	(void)w;
	if (seconds > 0)
		(void)fprintf(stderr, "\r%6.1f s  %9.0f reads/s  %8.1f MB/s ", seconds,
			      (double)ios / seconds, (double)bytes / seconds / 1e6);
	return 0;
}

static int keep_target(struct session *s, const struct fio_runs *r,
		       const struct target *t, int64_t began_ms)
{
	struct capture *c = &s->capture;
	struct cap_snapshot *n;
	size_t subject;
	int e = probing_add_target(s, t, &subject);

	if (e < 0)
		return e;
	n = capture_add_snapshot(c, &c->subjects[subject], CAP_DURING, t->name);
	if (!n)
		return -ENOMEM;
	n->has_time = true;
	n->taken_ms = began_ms;
	return fio_items_add(r, t, c, n);
}

static int run_specs(struct session *s, const struct options *o, struct fio_specs *f)
{
	bool on_screen = isatty(STDERR_FILENO);
	struct engine_watch watch = { .stop = live_stop_flag(),
				      .tick = on_screen ? show_progress : NULL };
	struct timespec now = { 0 };
	struct fio_runs runs;
	int e;

	live_catch_stop();
	(void)clock_gettime(CLOCK_REALTIME, &now);
	e = fio_run(f, &watch, &s->diag, &runs);
	if (on_screen)
		(void)fprintf(stderr, "\r%50s\r", "");
	if (e == -EINVAL)
		return EXIT_USAGE_ERROR;
	if (e < 0)
		return session_fail(s, EXIT_INTERNAL, "probe", strerror(-e));
	/* which drives there are is asked after the reads: that takes longer than all before them */
	if (live_list(s, o))
		e = -EIO;
	for (size_t i = 0; i < runs.n_targets && e == 0; i++)
		e = keep_target(s, &runs, runs.targets[i],
				(int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000);
	if (runs.stopped)
		session_warn(s, EXIT_CANNOT_TELL, "probe",
			     "stopped: what was measured before is used");
	fio_runs_done(&runs);
	s->n_read++;
	return e < 0 ? EXIT_INTERNAL : 0;
}

int fio_ways_run(struct session *s, const struct options *o)
{
	struct fio_specs f;
	int status;

	fio_specs_init(&f);
	status = read_specs(s, &f, o);
	if (!status)
		status = set_target(s, &f, o);
	if (!status)
		status = session_load_db(s, o);
	if (!status)
		status = run_specs(s, o, &f);
	fio_specs_done(&f);
	return status;
}
