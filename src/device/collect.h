/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading a drive in few commands into a capture. */
#pragma once

#include "ata/pages.h"
#include "base/diag.h"
#include "capture/capture.h"
#include "device/transport.h"
#include "drivedb/drivedb.h"

struct collect_options {
	enum page_level level;
	bool wake;	     /* read a sleeping drive all the same */
	uint32_t command_ms; /* deadline of one command, 0: 10 s */
	uint32_t drive_ms;   /* deadline of the drive, 0: 60 s */
	const struct drivedb
		*db; /* commands that must not be sent to this model; may be NULL */
	/*
	 * IDENTIFY DEVICE data that the kernel has kept, or empty. It saves a command at LEVEL_LINK,
	 * and says whether a drive that claims to sleep is one that rotates.
	 */
	struct span identify;
	bool solid_state; /* the kernel is sure of it: nothing to be left asleep */
	/* Called after each command: for --trace. May be NULL. */
	void (*trace)(void *context, const struct ata_command *c,
		      const struct transport_result *r, int error);
	void *context;
};

struct collect_stats {
	unsigned commands; /* sent to the drive */
	uint64_t took_us;
	bool asleep, timed_out, gone, no_passthrough, no_permission, interrupted;
};

/*
 * Add one snapshot of ROLE to SUBJECT. What the drive refused is recorded too. Returns 0 even when
 * the drive stopped answering half way (what was read is there, STATS and the items tell);
 * -ENOMEM or -E2BIG only.
 */
int collect_drive(struct capture *c, struct cap_subject *subject, enum cap_role role,
		  const char *source, struct transport *t,
		  const struct collect_options *o, struct diag *d,
		  struct collect_stats *ret) must_check;

/*
 * Reset the phy event counters: READ LOG EXT of log 11h that clears what it returns, for everybody
 * who looks later. Needs GATE_RESET_PHY, and a page that is kept already: nothing is recorded.
 * 0 or as transport_send().
 */
int collect_reset_phy(struct transport *t, const struct collect_options *o) must_check;

/* One drive of several that are read side by side. */
struct collect_job {
	/* in */
	struct transport *transport; /* borrowed */
	struct collect_options options;
	enum cap_role role;
	const char *source;
	/* Done before the first command, in the job's thread; may be NULL. */
	int (*open)(struct transport *t, uint32_t ms);
	/* out: one drive with one snapshot, and what there is to say */
	struct capture capture;
	struct diag diag;
	struct collect_stats stats;
	int error; /* of open or of collect_drive */
};

/* Do all jobs, each in a thread. The results are to be freed: collect_job_done(). */
void collect_jobs(struct collect_job *jobs, size_t n);
void collect_job_done(struct collect_job *job);
/* Copy the snapshot of a finished job to a drive of another capture. 0, -ENOMEM or -E2BIG. */
int collect_take(const struct collect_job *job, struct capture *c,
		 struct cap_subject *subject) must_check;
