/* SPDX-License-Identifier: GPL-2.0-or-later */
/* drivewhy.conf(5): what check looks at, and what a person does not want to hear. */
#pragma once

#include "base/diag.h"
#include "history/changes.h"

struct conf {
	struct arena arena;
	const char **drives; /* names; none: all */
	size_t n_drives, cap_drives;
	const char **skipped; /* drives that are not looked at */
	size_t n_skipped, cap_skipped;
	struct check_rules rules;
	const char *hooks; /* folder, or NULL */
	bool journal;
	unsigned deadline_s;	      /* 0: not said */
	int64_t keep_days, thin_days; /* of samples; 0: for ever, never */
};

#define CONF_MAX_BYTES (1u << 20)

void conf_init(struct conf *c);
/*
 * Take a file's text. What is wrong goes to D with its line; all of it is read, so that one look
 * shows every mistake. 0, -EBADMSG, -ENOMEM.
 */
int conf_read(struct conf *c, struct span text, const char *file,
	      struct diag *d) must_check;
/* FILE, or the usual ones when NULL: a usual one need not be there. 0, -EBADMSG, -errno. */
int conf_load(struct conf *c, const char *file, struct diag *d) must_check;
void conf_done(struct conf *c);
