/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The case that a posted text or a capture makes, and its events as lines. */
#pragma once

#include "decode/decode.h"
#include "import/import.h"
#include "unit.h"

struct klog_case {
	struct diag diag;
	struct capture capture;
	struct drivedb *db;
	struct case_file the_case;
	struct import_stats stats;
	struct buf events; /* "1 ata3.00 media-error" a line; the host is 0 */
};

void klog_case_read(struct klog_case *c, const char *text, size_t len);
void klog_case_done(struct klog_case *c);
/* The events of TEXT are these lines and no others. */
void klog_case_expect(const char *text, const char *events);
/* The Nth event of a drive that is more than information; NULL when there are fewer. */
const struct event *klog_case_event(const struct drive *d, size_t n);
/* Sum of one class over all drives and the host, of the newest boot, or of all boots. */
unsigned klog_case_count(const struct klog_case *c, const char *class, uint32_t port,
			 bool all_boots);
