/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's log since boot, of a running system. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "base/buf.h"
#include "capture/capture.h"

/* Where records come from: read() of /dev/kmsg gives one a call, -EAGAIN behind the last. */
struct kmsg_source {
	ssize_t (*read)(void *context, char *bytes, size_t size); /* bytes, 0 or -errno */
	void *context;
};

struct kmsg_log {
	struct buf body; /* of a kernel-log item: only what is wanted */
	uint64_t messages;
	bool complete; /* begins with the kernel's first message, nothing was lost since */
	bool has_first;
	int64_t first_us; /* time of the first message */
};

/* Read all records. 0, or -errno when nothing can be read; frees nothing. */
int kmsg_read(const struct kmsg_source *source, struct kmsg_log *ret) must_check;
/*
 * Take the journal's export format (systemd.io/JOURNAL_EXPORT_FORMATS), in pieces of any size; with
 * 0 bytes at its end.
 */
struct journal_reader;
struct journal_reader *journal_new(void);
int journal_take(struct journal_reader *j, const char *bytes, size_t n,
		 struct kmsg_log *ret) must_check;
void journal_free(struct journal_reader *j);

void kmsg_done(struct kmsg_log *log);

/*
 * Add the item "kernel-log" to a snapshot of the host: from /dev/kmsg, or from the journal when that
 * may not be read or has lost its beginning. When neither can be read the item says why. 0, -ENOMEM or
 * -E2BIG.
 */
int kmsg_collect(struct capture *c, struct cap_snapshot *s) must_check;
