/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/probing.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"
#include "cmd/link-count.h"
#include "decode/decode.h"
#include "device/disk-path.h"
#include "device/sysfile.h"
#include "probe/items.h"

struct probing {
	struct session *s;
	const struct options *o;
	struct live_drive *drive; /* NULL: a target on no drive that we know */
	size_t subject;
	struct link_count link;
	struct plan plan;
	bool on_screen;
	const char *shown; /* phase on the screen */
};

/* ---- what is known before ---- */

static const struct drive *find_drive(const struct case_file *c, const char *device)
{
	for (size_t i = 0; device && i < c->n_drives; i++)
		if (str_equal(drive_text(c->drives[i], FACT_DEVICE, 0, 0), device))
			return c->drives[i];
	return NULL;
}

/* The kernel takes many virtual disks for rotating ones; it is believed of real drives only. */
static bool is_rotating(const struct drive *d)
{
	static const char *const real[] = { "sata", "sata-on-sas", "scsi", "usb", "sas" };
	const char *bus = drive_text(d, FACT_BUS, 0, 0);
	uint64_t rpm;

	if (drive_u64(d, FACT_ROTATION, 0, 0, &rpm))
		return rpm > 1;
	for (size_t i = 0; i < array_size(real); i++)
		if (str_equal(bus, real[i]))
			return drive_flag(d, FACT_HOST_ROTATIONAL, 0);
	return false;
}

static void take_temperature(const struct drive *d, struct plan_known *ret)
{
	const struct fact *now = drive_fact(d, FACT_TEMPERATURE, 0, 0);
	const struct fact *limit = drive_fact(d, FACT_TEMPERATURE_LIMIT, 0, 0);

	ret->has_temperature = now != NULL;
	ret->temperature = now ? now->s : 0;
	ret->temperature_limit = limit && limit->s > 0 ? limit->s : 0;
}

/* Strings are borrowed from the case. */
static struct plan_known known_of(const struct drive *d)
{
	struct plan_known k = { .rotating = is_rotating(d) };
	uint64_t status = 0;

	(void)drive_u64(d, FACT_EXPECT_RAND1, 0, 0, &k.expected_qd1_iops);
	(void)drive_u64(d, FACT_LINK_CURRENT, 0, 0, &k.link_mbps);
	k.power_policy = drive_text(d, FACT_LINK_POWER_POLICY, 0, 0);
	/* self-test execution status: Fh in the upper half while one runs (ACS-4 9.14) */
	(void)drive_u64(d, FACT_SELFTEST_STATUS, 0, 0, &status);
	k.selftest = status >> 4 == 0xf;
	take_temperature(d, &k);
	return k;
}

/* ---- while it runs ---- */

static void show_progress(void *context, const char *phase, uint64_t elapsed_ns,
			  uint64_t ios, uint64_t bytes)
{
	struct probing *p = context;
	double s = (double)elapsed_ns / 1e9;

	if (!p->on_screen)
		return;
	if (s > 0)
		(void)fprintf(stderr, "\r%-12s %5.1f s  %8.0f reads/s  %7.1f MB/s ",
			      phase, s, (double)ios / s, (double)bytes / s / 1e6);
	else
		(void)fprintf(stderr, "\r%-12s %40s", phase, "");
	(void)fflush(stderr);
	p->shown = phase;
}

static void clear_progress(const struct probing *p)
{
	if (p->shown)
		(void)fprintf(stderr, "\r%60s\r", "");
}

static int count_errors(void *context, uint64_t *ret)
{
	struct probing *p = context;

	return link_count_read(&p->link, ret);
}

/* ---- one probe ---- */

static uint64_t seed_now(void)
{
	struct timespec t = { 0 };

	(void)clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000003u + (uint64_t)t.tv_nsec;
}

static int64_t real_ms(void)
{
	struct timespec t = { 0 };

	(void)clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int keep(struct probing *p, int64_t began_ms)
{
	struct capture *c = &p->s->capture;
	struct cap_snapshot *snapshot = capture_add_snapshot(
		c, &c->subjects[p->subject], CAP_DURING, p->plan.target->name);

	if (!snapshot)
		return -ENOMEM;
	snapshot->has_time = true;
	snapshot->taken_ms = began_ms;
	return items_add(&p->plan, c, snapshot);
}

static void say_end(const struct probing *p, const char *name)
{
	if (p->plan.refusal != PLAN_ALLOWED)
		session_warn(p->s, EXIT_CANNOT_TELL, name,
			     arena_printf(&p->s->capture.arena,
					  "not probed: %s (--force does it all the same)",
					  plan_refusal_text(p->plan.refusal)));
	if (p->plan.stopped)
		session_warn(p->s, EXIT_CANNOT_TELL, name,
			     "stopped: what was measured before is used");
}

static int run_plan(struct probing *p, struct target *t)
{
	const struct options *o = p->o;
	int64_t began = real_ms();
	struct case_file c = { 0 };
	struct diag unheard = { 0 };
	const struct drive *d;
	int r = decode_case(&p->s->capture, p->s->db, &unheard, &c);

	if (r < 0)
		return r;
	p->plan = (struct plan){ .target = t,
				 .deep = o->deep,
				 .link = o->link,
				 .idle = o->idle,
				 .no_preflight = o->no_preflight,
				 .force = o->force,
				 .seed = seed_now(),
				 .stop = live_stop_flag(),
				 .progress = show_progress,
				 .context = p };
	d = find_drive(&c, t->disk);
	if (d)
		p->plan.known = known_of(d);
	p->plan.known.asleep = p->drive && p->drive->stats.asleep && !o->wake;
	if (p->link.transport)
		p->plan.count_errors = count_errors;
	r = plan_run(&p->plan);
	clear_progress(p);
	if (r == 0)
		r = keep(p, began);
	say_end(p, t->name);
	plan_done(&p->plan);
	case_done(&c);
	diag_done(&unheard);
	return r;
}

static const char *open_error(int error)
{
	switch (error) {
	case -EACCES:
	case -EPERM:
		return "not probed: may not be read, this needs root";
	case -ENODATA:
		return "not probed: there is nothing stored that could be read";
	case -EINVAL:
		return "not probed: neither a block device nor a file";
	case -ENOMEDIUM:
		return "not probed: no medium is in it";
	default:
		return NULL;
	}
}

/* 0, or an exit status after a message. */
static int say_open_error(struct session *s, const char *name, int error, int status)
{
	const char *text = open_error(error);

	if (error == -ENOENT)
		status = EXIT_NO_INPUT;
	return session_fail(s, status, name, text ? text : strerror(-error));
}

static bool wants_progress(const struct options *o)
{
	return isatty(STDERR_FILENO) && !o->trace;
}

/* ---- drives of the session ---- */

/* The log of the link's counters was read, so it may be read again. */
static bool has_link_log(const struct session *s, size_t subject)
{
	const struct cap_subject *u = &s->capture.subjects[subject];

	for (size_t i = 0; i < u->n_snapshots; i++)
		for (size_t k = 0; k < u->snapshots[i].n_items; k++)
			if (str_equal(u->snapshots[i].items[k].id, "ata/log/11/00") &&
			    u->snapshots[i].items[k].status == CAP_OK)
				return true;
	return false;
}

static int probe_open_target(struct probing *p, struct target *t)
{
	int r;

	if (p->drive && p->drive->transport && has_link_log(p->s, p->subject))
		p->link.transport = p->drive->transport;
	p->on_screen = wants_progress(p->o);
	r = run_plan(p, t);
	if (r == -ENOMEM)
		return session_fail(p->s, EXIT_INTERNAL, t->name, "out of memory");
	if (r < 0)
		return session_fail(p->s, EXIT_DATA_ERROR, t->name, strerror(-r));
	return 0;
}

int probing_drives(struct session *s, const struct options *o)
{
	int status = 0;

	for (size_t i = 0; !status && i < s->live.n && !live_is_stopped(); i++) {
		struct live_drive *d = &s->live.drives[i];
		struct probing p = { .s = s, .o = o, .drive = d, .subject = d->subject };
		struct target t;
		int r;

		/* opening it could wake it */
		if (d->stats.asleep || d->stats.gone || d->stats.timed_out)
			continue;
		r = target_open(d->disk->node, false, &t);
		if (r < 0) {
			if (r != -EACCES && r != -EPERM)
				(void)say_open_error(s, d->disk->node, r,
						     EXIT_CANNOT_TELL);
			continue;
		}
		status = probe_open_target(&p, &t);
		target_close(&t);
	}
	if (!status && s->live.n && !live_is_stopped())
		status = live_read(s, o, CAP_AFTER);
	return status;
}

/* ---- any target ---- */

static struct live_drive *find_live(struct session *s, const char *disk)
{
	for (size_t i = 0; disk && i < s->live.n; i++)
		if (str_equal(s->live.drives[i].disk->name, disk))
			return &s->live.drives[i];
	return NULL;
}

static const struct disk *find_listed(const struct live *l, const char *disk)
{
	for (size_t i = 0; disk && i < l->disks.n; i++)
		if (str_equal(l->disks.items[i].name, disk))
			return &l->disks.items[i];
	return NULL;
}

/* Only disks of a SCSI host take ATA commands; for all others udev need not be asked: 20 ms. */
static bool has_host(const struct target *t)
{
	return t->syspath && strstr(t->syspath, "/host");
}

/* Its drive is read like any other, when it is one that answers. 0 or an exit status. */
static int look_before(struct probing *p, const struct target *t)
{
	struct session *s = p->s;
	int status = has_host(t) ? live_list(s, p->o) : 0;
	const struct disk *disk = find_listed(&s->live, t->disk);

	if (status || !disk || (!disk->is_ata && disk->path != PATH_USB))
		return status;
	status = live_add(s, p->o, disk->node);
	if (!status)
		status = live_read(s, p->o, CAP_BEFORE);
	p->drive = find_live(s, t->disk);
	if (p->drive)
		p->subject = p->drive->subject;
	return status;
}

/* What /sys alone tells of a disk. */
static int bare_disk(struct arena *a, const struct target *t, struct disk *ret)
{
	const char *sectors = sysfile_line(a, t->syspath, "size");

	*ret = (struct disk){ .name = t->disk, .syspath = t->syspath };
	ret->serial = sysfile_line(a, t->syspath, "serial");
	ret->model = sysfile_line(a, t->syspath, "device/model");
	if (sectors && str_to_u64(sectors, &ret->bytes) == 0)
		ret->bytes *= 512;
	return disk_path_find(a, ret);
}

int probing_add_target(struct session *s, const struct target *t, size_t *ret_subject)
{
	struct capture *c = &s->capture;
	struct cap_subject *u;
	struct cap_snapshot *n;
	const struct disk *listed = find_listed(&s->live, t->disk);
	struct disk bare;

	*ret_subject = c->n_subjects;
	u = capture_add_subject(c, CAP_DRIVE);
	n = u ? capture_add_snapshot(c, u, CAP_BEFORE, t->name) : NULL;
	if (!n)
		return -ENOMEM;
	n->has_time = true;
	n->taken_ms = real_ms();
	if (!t->disk)
		return 0;
	if (!listed && bare_disk(&c->arena, t, &bare) < 0)
		return -ENOMEM;
	return sysfs_collect(c, n, listed ? listed : &bare, NULL);
}

int probing_target(struct session *s, const struct options *o, const char *name)
{
	struct probing p = { .s = s, .o = o };
	struct target t;
	int status = session_load_db(s, o), r;

	if (status)
		return status;
	r = target_open(name, o->buffered, &t);
	if (r < 0)
		return say_open_error(s, name, r, EXIT_DATA_ERROR);
	live_catch_stop();
	status = look_before(&p, &t);
	if (!status && !p.drive && probing_add_target(s, &t, &p.subject) < 0)
		status = EXIT_INTERNAL;
	if (!status)
		status = probe_open_target(&p, &t);
	if (!status && p.drive && !live_is_stopped())
		status = live_read(s, o, CAP_AFTER);
	s->n_read++;
	target_close(&t);
	return status;
}
