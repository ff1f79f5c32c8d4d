/* SPDX-License-Identifier: GPL-2.0-or-later */
/* phy: the link alone, in one command to a drive that cannot sleep; and resetting its counters. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"
#include "capture/file.h"
#include "cmd/diagnose.h"
#include "cmd/link-only.h"
#include "config.h"

/* A file of its own: nothing is overwritten. Returns 0 or -errno. */
static int write_file(const char *name, struct span text)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666), r = 0;

	if (fd < 0)
		return -errno;
	while (r == 0 && text.len) {
		ssize_t n = write(fd, text.data, text.len);

		if (n < 0 && errno != EINTR)
			r = -errno;
		if (n > 0)
			text = span_of(text.data + n, text.len - (size_t)n);
	}
	if (r == 0 && fsync(fd) < 0 && errno != EINVAL)
		r = -errno;
	if (close(fd) < 0 && r == 0)
		r = -errno;
	return r;
}

static void default_name(const struct session *s, char *ret, size_t size)
{
	time_t now = time(NULL);
	struct tm t = { 0 };
	char when[32] = "";

	(void)gmtime_r(&now, &t);
	(void)strftime(when, sizeof(when), "%Y%m%dT%H%M%SZ", &t);
	(void)snprintf(ret, size, "drivewhy-%s-%s.cap", s->live.drives[0].disk->name,
		       when);
}

/* What is about to be cleared is on the disk first. 0 or an exit status. */
static int save(struct session *s, const struct options *o)
{
	struct buf text cleanup_buf = { 0 };
	char name[128];
	const char *file = o->reset_file ? o->reset_file : name;
	int r;

	default_name(s, name, sizeof(name));
	if (capture_file_write(&s->capture, PACKAGE_STRING, &text) < 0)
		return EXIT_INTERNAL;
	r = write_file(file, buf_span(&text));
	if (r < 0) {
		(void)fprintf(stderr, "drivewhy: %s: %s: nothing was reset\n", file,
			      strerror(-r));
		return EXIT_INTERNAL;
	}
	(void)fprintf(stderr, "drivewhy: the counters are saved in %s\n", file);
	return 0;
}

static bool has_page(const struct session *s, const struct live_drive *d)
{
	const struct cap_subject *subject = &s->capture.subjects[d->subject];
	const struct cap_snapshot *last = &subject->snapshots[subject->n_snapshots - 1];

	for (size_t i = 0; i < last->n_items; i++)
		if (str_equal(last->items[i].id, "ata/log/11/00"))
			return last->items[i].status == CAP_OK;
	return false;
}

static int reset_drive(struct session *s, struct live_drive *d)
{
	struct collect_options none = { 0 };
	int r = has_page(s, d) ? collect_reset_phy(d->transport, &none) : -ENODATA;

	if (r == -ENODATA)
		(void)fprintf(stderr, "drivewhy: %s: no counters were read: not reset\n",
			      d->disk->node);
	else if (r < 0)
		(void)fprintf(stderr, "drivewhy: %s: the reset failed: %s\n",
			      d->disk->node, strerror(-r));
	else
		(void)fprintf(
			stderr,
			"drivewhy: %s: phy event counters reset, for every program\n",
			d->disk->node);
	return r;
}

static int reset(struct session *s, const struct options *o)
{
	int status = save(s, o);

	for (size_t i = 0; !status && i < s->live.n; i++)
		if (!s->live.drives[i].transport ||
		    reset_drive(s, &s->live.drives[i]) < 0)
			status = EXIT_CANNOT_TELL;
	return status;
}

static int run_phy(const struct options *o)
{
	struct session s = { 0 };
	int status = 0;

	/* what clears something is told exactly where */
	if (!o->reset_phy || o->n_targets)
		status = session_read(&s, o);
	if (!status && o->reset_phy && !s.live.n) {
		(void)fprintf(stderr, "drivewhy: --reset-phy needs a drive\n");
		status = EXIT_USAGE_ERROR;
	}
	if (!status)
		status = diagnose_judge(&s, o);
	if (!status && link_only(&s.report) < 0)
		status = EXIT_INTERNAL;
	if (!status)
		status = diagnose_print(&s, o, o->verbose);
	if (status) {
		session_print_messages(&s);
	} else {
		status = diagnose_exit(&s, o, true);
		/* what could not be printed, or was stopped, is not cleared */
		if (o->reset_phy && !live_is_stopped() && fflush(stdout) == 0) {
			int r = reset(&s, o);

			status = r ? r : status;
		}
	}
	session_done(&s);
	return status;
}

const struct command cmd_phy = {
	.name = "phy",
	.arguments = "[TARGET]...",
	.help = "look at the link alone",
	.run = run_phy,
};
