/* SPDX-License-Identifier: GPL-2.0-or-later */
/* probe: the read probe alone, of a block device or a file. */
#include <stdio.h>
#include <sys/stat.h>

#include "cmd/diagnose.h"
#include "cmd/fio-ways.h"
#include "cmd/probing.h"

/* What is neither a file nor a device node (sda, a mount point, UUID=...) names drives. */
static bool is_node(const char *name)
{
	struct stat st;

	return stat(name, &st) == 0 && (S_ISREG(st.st_mode) || S_ISBLK(st.st_mode));
}

static int probe_names(struct session *s, const struct options *o)
{
	int status = 0;
	bool drives = false;

	for (int i = 0; i < o->n_targets && !live_is_stopped(); i++) {
		int r;

		if (is_node(o->targets[i]))
			r = probing_target(s, o, o->targets[i]);
		else
			r = live_add(s, o, o->targets[i]);
		drives |= !is_node(o->targets[i]) && !r;
		status = r > status ? r : status;
	}
	if (!status && drives)
		status = session_load_db(s, o);
	if (!status && drives)
		status = live_read(s, o, CAP_BEFORE);
	if (!status && drives)
		status = probing_drives(s, o);
	return s->n_read ? 0 : status;
}

static int run_probe(const struct options *o)
{
	struct session s = { 0 };
	int status;

	if (!o->n_targets && !o->n_fio_words) {
		(void)fprintf(stderr, "drivewhy: probe needs a drive or a file\n");
		return EXIT_USAGE_ERROR;
	}
	status = fio_ways_wanted(o) ? fio_ways_run(&s, o) : probe_names(&s, o);
	if (!status)
		status = diagnose_judge(&s, o);
	if (!status)
		status = diagnose_print(&s, o, o->verbose);
	if (status)
		session_print_messages(&s);
	else
		status = diagnose_exit(&s, o, false);
	session_done(&s);
	return status;
}

const struct command cmd_probe = {
	.name = "probe",
	.arguments = "TARGET...",
	.help = "read from a drive or a file and say how fast that was",
	.run = run_probe,
};
