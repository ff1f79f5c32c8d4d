/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The body of a kernel-log item: one message a line,
 *
 *   TIME PLACE TEXT
 *   614.263599 17 ata1: limiting SATA link speed to 3.0 Gbps
 *
 * TIME is "-", seconds since boot, "@" and a date, or both (614.263599@2026-05-12T08:14:02). A
 * date without its year begins with "--". PLACE is the line of the posted text, 0 for none, with
 * marks: "+" the text goes on from the line above (mail and terminals wrap), "!" it was cut here,
 * "=" another boot begins. Lines as dmesg prints them, "[  614.263599] TEXT", are read too. Who makes such items need not know what the kernel says; the grammar
 * of TEXT is decode's alone.
 */
#pragma once

#include "base/buf.h"
#include "base/span.h"

struct klog_time {
	bool has_monotonic, has_wall;
	bool wall_has_year; /* without it the year is 2000, which is a leap year */
	bool fine;	    /* told in parts of a second */
	int64_t monotonic_us, wall_us;
};

struct klog_line {
	struct klog_time time;
	uint32_t line;
	bool continues, cut, new_boot;
	const char *text; /* borrowed, LEN bytes, not NUL-terminated */
	size_t len;
};

/* Longer messages are cut; the kernel's own limit is about 1,000 bytes. */
#define KLOG_MAX_TEXT 2000u

void klog_add_line(struct buf *b, const struct klog_line *l);
/*
 * Take the next line from *REST. 0; -ENODATA at the end; -EBADMSG for a line of another form, which
 * is passed over.
 */
int klog_take_line(struct span *rest, struct klog_line *ret) must_check;

/*
 * Whether a message is worth keeping: of a storage driver, of the bus it hangs on, of what power does
 * to it, or the mark of a boot. Nothing else of a log belongs into a capture.
 */
bool klog_is_wanted(const char *text, size_t len);
/* Whether a text without time looks like such a message all the same: "ata3.00: ...". */
bool klog_is_message(const char *text, size_t len);
