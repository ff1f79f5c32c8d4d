/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/live.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ata/gate.h"
#include "base/str.h"
#include "cmd/session.h"
#include "device/host.h"
#include "device/kmsg.h"

#define OPEN_MS 10000u

/* Ctrl-C while drives are read: what is known is printed all the same. A handler needs a global. */
static volatile sig_atomic_t stop;

static void on_signal(int signal)
{
	(void)signal;
	stop = 1;
}

bool live_is_stopped(void)
{
	return stop != 0;
}

const volatile sig_atomic_t *live_stop_flag(void)
{
	return &stop;
}

/* Once: the second Ctrl-C ends the program. */
void live_catch_stop(void)
{
	struct sigaction a = { .sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND };

	(void)sigaction(SIGINT, &a, NULL);
}

/* --- which drives ------------------------------------------------------------------------------- */

static int add_drive(struct live *l, const struct disk *disk)
{
	struct live_drive *d;

	for (size_t i = 0; i < l->n; i++)
		if (l->drives[i].disk == disk)
			return 0;
	d = arena_push(&l->disks.arena, &l->drives, &l->n, &l->cap, sizeof(*d));
	if (!d)
		return -ENOMEM;
	d->disk = disk;
	return 0;
}

static int list_disks(struct session *s, const struct options *o)
{
	struct live *l = &s->live;
	int r = l->listed ? 0 : discover_disks(o->sysroot, &l->disks, &s->diag);

	if (r == 0)
		l->listed = true;
	return r;
}

int live_list(struct session *s, const struct options *o)
{
	int r = list_disks(s, o);

	return r < 0 ? session_fail(s, EXIT_INTERNAL, "/sys", strerror(-r)) : 0;
}

static int resolve(struct session *s, const struct options *o, const char *name)
{
	struct live *l = &s->live;
	struct disk_pick pick = { 0 };
	int r = list_disks(s, o);

	if (r == 0)
		r = discover_resolve(&l->disks, o->sysroot, name, &pick);
	if (r == 0 && pick.said)
		diag_add(&s->diag, DIAG_NOTE, name, 0, "%s", pick.said);
	for (size_t i = 0; r == 0 && i < pick.n; i++)
		r = add_drive(l, &l->disks.items[pick.items[i]]);
	return r;
}

int live_add(struct session *s, const struct options *o, const char *name)
{
	switch (resolve(s, o, name)) {
	case 0:
		return 0;
	case -ENOMEM:
		return session_fail(s, EXIT_INTERNAL, name, "out of memory");
	case -ENOENT:
		return session_fail(s, EXIT_NO_INPUT, name, "no such file or drive");
	default:
		return session_fail(s, EXIT_DATA_ERROR, name,
				    "neither a file nor a drive");
	}
}

/* A medium that can be taken out is no disk, nor is a card reader without one. */
static bool may_be_ata(const struct disk *disk)
{
	return disk->is_ata || (disk->path == PATH_USB && disk->bytes);
}

static void say_other(struct session *s, const struct disk *disk)
{
	diag_add(&s->diag, DIAG_NOTE, disk->node, 0,
		 disk->hint ? "no ATA drive, and not read; try: %s"
			    : "no ATA drive, and not read%s",
		 disk->hint ? disk->hint : "");
}

int live_add_all(struct session *s, const struct options *o)
{
	struct live *l = &s->live;
	int r = list_disks(s, o);

	for (size_t i = 0; r == 0 && i < l->disks.n; i++) {
		const struct disk *disk = &l->disks.items[i];

		if (may_be_ata(disk))
			r = add_drive(l, disk);
		else
			say_other(s, disk);
	}
	if (r < 0)
		return session_fail(s, EXIT_INTERNAL, NULL, strerror(-r));
	if (!l->n)
		return session_fail(s, EXIT_CANNOT_TELL, NULL,
				    "no ATA drive can be seen here: name a file with "
				    "posted output, or - for standard input");
	return 0;
}

/* --- opening ---------------------------------------------------------------------------------------- */

static unsigned grants(const struct options *o)
{
	return (o->sct ? (unsigned)GATE_SCT : 0) |
	       (o->reset_phy ? (unsigned)GATE_RESET_PHY : 0) |
	       (str_equal(o->command, "selftest") ? (unsigned)GATE_SELFTEST : 0);
}

/* A bridge that the database knows to hang on ATA commands while uas has it. */
static bool is_deaf_bridge(const struct session *s, const struct disk *disk)
{
	char model[16];
	struct drive_id id = { .bus = "usb", .model = model };
	struct db_match m = { 0 };
	char *colon;
	bool deaf;

	if (!disk->usb_id || !str_equal(disk->driver, "uas"))
		return false;
	(void)snprintf(model, sizeof(model), "%s", disk->usb_id);
	colon = strchr(model, ':');
	if (colon)
		*colon = '-';
	if (drivedb_match(s->db, &id, &m) < 0)
		return true;
	deaf = db_match_get(&m, "NO_ATA_UAS") != NULL;
	db_match_done(&m);
	return deaf;
}

static void say_unreadable(struct session *s, const struct disk *disk, const char *why)
{
	(void)session_fail(s, EXIT_DATA_ERROR, disk->node, why);
	if (disk->hint)
		diag_add(&s->diag, DIAG_NOTE, disk->node, 0, "try: %s", disk->hint);
}

/* No fault: what the kernel tells of it is used, and its speed. */
static void say_by_kernel(struct session *s, const struct disk *disk)
{
	if (s->status < EXIT_CANNOT_TELL)
		s->status = EXIT_CANNOT_TELL;
	diag_add(&s->diag, DIAG_NOTE, disk->node, 0,
		 "takes no ATA commands: what is said of it comes from the kernel");
	if (disk->hint)
		diag_add(&s->diag, DIAG_NOTE, disk->node, 0, "try: %s", disk->hint);
}

/* Starts it only; it is waited for in the drive's own thread. */
static void start_drive(struct session *s, const struct options *o, struct live_drive *d)
{
	const char *node = d->disk->node;
	int r;

	if (d->transport)
		return;
	r = node_find(node, &d->node);
	if (r == 0 && (d->node.suspended || d->disk->asleep) && !o->wake) {
		d->stats.asleep = true;
		return;
	}
	if (r == 0 && !d->disk->is_ata && d->disk->path != PATH_USB) {
		say_by_kernel(s, d->disk);
		return;
	}
	if (r == 0 && is_deaf_bridge(s, d->disk)) {
		say_unreadable(
			s, d->disk,
			"its USB bridge is known to hang on ATA commands while the "
			"uas driver has it");
		return;
	}
	if (r == 0)
		r = transport_sgio_start(node, &d->transport);
	if (r == -EOPNOTSUPP || r == -EMEDIUMTYPE)
		say_unreadable(s, d->disk, "no ATA commands reach this drive");
	else if (r < 0)
		(void)session_fail(s, EXIT_DATA_ERROR, node, strerror(-r));
	if (r < 0)
		return;
	d->transport->grants = grants(o);
	d->transport->stop = &stop;
}

/* --- one round of reading ------------------------------------------------------------------------ */

static void trace(void *context, const struct ata_command *c,
		  const struct transport_result *r, int error)
{
	const struct live_drive *d = context;
	char name[64];

	ata_command_describe(c, name, sizeof(name));
	(void)fprintf(stderr, "%s: %8.3f ms  %s%s%s\n", d->disk->name,
		      (double)r->took_us / 1000, name, error ? ": " : "",
		      error ? strerror(-error) : "");
}

static struct collect_options
collect_options(const struct session *s, const struct options *o, struct live_drive *d)
{
	struct collect_options c = {
		.level = s->live.level,
		.wake = o->wake,
		.drive_ms = o->deadline_s * 1000u,
		.db = s->db,
		.solid_state = d->node.solid_state,
		.trace = o->trace ? trace : NULL,
		.context = d,
	};

	if (d->node.has_identify)
		c.identify = span_of(d->node.identify, sizeof(d->node.identify));
	return c;
}

static void say_open_failure(struct session *s, const struct disk *disk, int error)
{
	switch (error) {
	case -EACCES:
	case -EPERM:
		(void)session_fail(s, EXIT_DATA_ERROR, disk->node,
				   "may not be read: this needs root");
		break;
	case -ETIMEDOUT:
		(void)session_fail(s, EXIT_DATA_ERROR, disk->node,
				   "does not open: the kernel waits for it");
		break;
	default:
		(void)session_fail(s, EXIT_DATA_ERROR, disk->node, strerror(-error));
		break;
	}
}

static void say_stats(struct session *s, const struct disk *disk,
		      const struct collect_stats *c)
{
	const struct {
		bool said;
		const char *text;
	} rows[] = {
		{ c->asleep, "sleeps, and was left asleep: --wake reads it" },
		{ c->timed_out, "stopped answering: what was read before is used" },
		{ c->gone, "vanished: what was read before is used" },
		{ c->interrupted, "stopped: what was read before is used" },
		{ c->no_permission,
		  "may be opened, but takes no commands from this user: "
		  "this needs root" },
	};

	for (size_t i = 0; i < array_size(rows); i++)
		if (rows[i].said)
			session_warn(s, EXIT_CANNOT_TELL, disk->node, rows[i].text);
	if (c->no_passthrough)
		say_unreadable(s, disk, "no ATA commands reach this drive");
}

/* Its subject in the capture, made the first time. */
static struct cap_subject *subject_of(struct session *s, struct live_drive *d, bool first)
{
	if (!first)
		return &s->capture.subjects[d->subject];
	d->subject = s->capture.n_subjects;
	return capture_add_subject(&s->capture, CAP_DRIVE);
}

static int take_job(struct session *s, const struct options *o, struct live_drive *d,
		    const struct collect_job *job, bool first)
{
	struct cap_subject *subject = subject_of(s, d, first);
	int r = subject ? collect_take(job, &s->capture, subject) : -ENOMEM;

	if (r == 0 && !subject->n_snapshots &&
	    !capture_add_snapshot(&s->capture, subject, job->role, d->disk->node))
		r = -ENOMEM;
	if (r == 0)
		r = sysfs_collect(&s->capture,
				  &subject->snapshots[subject->n_snapshots - 1], d->disk,
				  o->sysroot);
	return r;
}

static void say_job(struct session *s, const struct options *o, struct live_drive *d,
		    const struct collect_job *job)
{
	d->stats = job->stats;
	if (job->error)
		say_open_failure(s, d->disk, job->error);
	say_stats(s, d->disk, &job->stats);
	if (o->trace)
		(void)fprintf(stderr, "%s: %8.3f ms  %u commands\n", d->disk->name,
			      (double)job->stats.took_us / 1000, job->stats.commands);
}

/*
 * The host, behind the drives: its options, suspends and waiting tasks, and the kernel's log, in which
 * stands what reading the drives made it say.
 */
static int read_host(struct session *s, const struct options *o, enum cap_role role)
{
	struct cap_subject *host = capture_add_subject(&s->capture, CAP_HOST);
	struct cap_snapshot *snapshot =
		host ? capture_add_snapshot(&s->capture, host, role, NULL) : NULL;
	int r = snapshot ? host_collect(&s->capture, snapshot, o->sysroot) : -ENOMEM;

	return r < 0 || o->sysroot ? r : kmsg_collect(&s->capture, snapshot);
}

int live_read(struct session *s, const struct options *o, enum cap_role role)
{
	struct live *l = &s->live;
	struct collect_job *jobs = calloc(l->n + 1, sizeof(*jobs));
	size_t *job_of = calloc(l->n + 1, sizeof(*job_of)), n = 0;
	bool first = role == CAP_BEFORE;
	int r = jobs && job_of ? 0 : -ENOMEM;

	live_catch_stop();
	for (size_t i = 0; r == 0 && i < l->n; i++) {
		struct live_drive *d = &l->drives[i];

		if (first && !o->sysroot)
			start_drive(s, o, d);
		job_of[i] = l->n;
		if (!d->transport)
			continue;
		job_of[i] = n;
		jobs[n++] = (struct collect_job){
			.transport = d->transport,
			.options = collect_options(s, o, d),
			.role = role,
			.source = d->disk->node,
			.open = transport_sgio_wait,
		};
	}
	collect_jobs(jobs, n);
	for (size_t i = 0; r == 0 && i < l->n; i++) {
		const struct collect_job nothing = { .role = role,
						     .stats = l->drives[i].stats },
					 *job = job_of[i] < n ? &jobs[job_of[i]]
							      : &nothing;

		r = take_job(s, o, &l->drives[i], job, first);
		say_job(s, o, &l->drives[i], job);
		s->n_read++;
	}
	for (size_t i = 0; i < n; i++)
		collect_job_done(&jobs[i]);
	if (r == 0)
		r = read_host(s, o, role);
	free(job_of);
	free(jobs);
	return r < 0 ? EXIT_INTERNAL : 0;
}

int live_start(struct session *s, const struct options *o)
{
	live_catch_stop();
	for (size_t i = 0; i < s->live.n; i++) {
		struct live_drive *d = &s->live.drives[i];
		int r;

		start_drive(s, o, d);
		if (d->stats.asleep)
			return session_fail(s, EXIT_CANNOT_TELL, d->disk->node,
					    "sleeps: --wake uses it all the same");
		if (!d->transport)
			return s->status;
		r = transport_sgio_wait(d->transport, OPEN_MS);
		if (r < 0) {
			say_open_failure(s, d->disk, r);
			return s->status;
		}
	}
	return 0;
}

void live_done(struct live *l)
{
	for (size_t i = 0; i < l->n; i++)
		transport_close(l->drives[i].transport);
	disk_list_done(&l->disks);
}
