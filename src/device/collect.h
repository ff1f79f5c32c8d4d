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
	/* Called after each command: for --trace. May be NULL. */
	void (*trace)(void *context, const struct ata_command *c,
		      const struct transport_result *r, int error);
	void *context;
};

struct collect_stats {
	unsigned commands; /* sent to the drive */
	uint64_t took_us;
	bool asleep, timed_out, gone, no_passthrough, no_permission;
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
