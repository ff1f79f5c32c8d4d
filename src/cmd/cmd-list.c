/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list: the drives and their links, from /sys alone; needs no privilege and wakes nothing. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "cmd/screen.h"
#include "cmd/session.h"
#include "device/discover.h"
#include "render/list.h"

static int take_disk(struct session *s, const struct disk *disk, const char *sysroot)
{
	struct cap_subject *subject = capture_add_subject(&s->capture, CAP_DRIVE);
	struct cap_snapshot *snapshot =
		subject ? capture_add_snapshot(&s->capture, subject, CAP_BEFORE,
					       disk->node)
			: NULL;

	if (!snapshot)
		return -ENOMEM;
	if (sysfs_collect(&s->capture, snapshot, disk, sysroot) < 0)
		return -ENOMEM;
	return disk->is_ata ? sysfs_collect_identify(&s->capture, snapshot, disk) : 0;
}

static int take_disks(struct session *s, const struct options *o, struct disk_list *disks)
{
	struct disk_pick pick = { 0 };
	int r = 0;

	if (!o->n_targets)
		for (size_t i = 0; r == 0 && i < disks->n; i++)
			r = take_disk(s, &disks->items[i], o->sysroot);
	for (int i = 0; r == 0 && i < o->n_targets; i++) {
		pick.said = NULL;
		r = discover_resolve(disks, o->sysroot, o->targets[i], &pick);
		if (r == 0 && pick.said)
			diag_add(&s->diag, DIAG_NOTE, o->targets[i], 0, "%s", pick.said);
		if (r < 0)
			diag_add(&s->diag, DIAG_ERROR, o->targets[i], 0, "no drive: %s",
				 strerror(-r));
	}
	for (size_t i = 0; r == 0 && i < pick.n; i++)
		r = take_disk(s, &disks->items[pick.items[i]], o->sysroot);
	return r;
}

static int print_list(struct session *s, const struct options *o)
{
	struct buf out cleanup_buf = { 0 };
	int status = session_load_db(s, o);
	int r;

	if (!status)
		status = session_judge(s);
	if (status)
		return status;
	r = str_equal(o->format, "json")
		    ? render_list_json(&s->the_case, &out)
		    : render_list_text(&s->the_case, screen_width(), &out);
	if (r == 0 && o->verbose && !str_equal(o->format, "json"))
		r = render_list_details(
			&s->the_case,
			&(struct render_options){ .colour = screen_wants_colour(o),
						  .columns = screen_columns() },
			&out);
	if (r < 0)
		return EXIT_INTERNAL;
	(void)fwrite(buf_text(&out), 1, out.len, stdout);
	return EXIT_OK;
}

static int run_list(const struct options *o)
{
	struct session s = { 0 };
	struct disk_list disks = { 0 };
	int status, r = discover_disks(o->sysroot, &disks, &s.diag);

	if (r == 0)
		r = take_disks(&s, o, &disks);
	if (r == 0 && !s.capture.n_subjects) {
		(void)fprintf(stderr, "drivewhy: no drive can be seen here\n");
		status = EXIT_CANNOT_TELL;
	} else {
		status = r == -ENOMEM ? EXIT_INTERNAL
			 : r < 0      ? EXIT_NO_INPUT
				      : print_list(&s, o);
	}
	session_print_messages(&s);
	disk_list_done(&disks);
	session_done(&s);
	return status;
}

const struct command cmd_list = {
	.name = "list",
	.arguments = "[DRIVE...]",
	.help = "show the drives and their links; needs no root",
	.run = run_list,
};
