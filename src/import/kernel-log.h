/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernel logs: what the files that read them share. */
#pragma once

#include "base/buf.h"
#include "capture/kernel-log.h"
#include "import/import.h"

/*
 * kernel-log-time.c: pieces of a time at *S, which moves behind them; false, and *S where it was, when
 * they are not there. Years, days and zones are set in T as far as they are told.
 */
bool klog_is_space(char c); /* or the line break of a wrapped line */
const char *klog_skip_spaces(const char *s);
bool klog_take_char(const char **s, char c);
/* MIN to MAX digits, not followed by one more */
bool klog_take_digits(const char **s, unsigned min, unsigned max, unsigned *ret);
bool klog_take_seconds(const char **s, int64_t *ret_us); /* "614.263599" */
bool klog_take_clock(const char **s, struct klog_time *t,
		     int64_t *ret_us); /* "18:58:49" */
void klog_skip_zone(const char **s);
bool klog_take_iso(const char **s, struct klog_time *t); /* "2026-05-12T08:14:02+02:00" */
bool klog_take_syslog(const char **s, struct klog_time *t); /* "Dec 10 18:58:49" */
bool klog_take_full(const char **s,
		    struct klog_time *t); /* "Thu 2026-05-14 18:58:49 UTC" */
bool klog_take_ctime(const char **s,
		     struct klog_time *t); /* "Thu Dec 10 18:58:49 2020" */
bool klog_take_minute(const char **s, struct klog_time *t); /* "Dec10 18:58" */

/* What stands before a message: its time in one of the many forms, the host, whose it is. */
struct klog_head {
	size_t len; /* bytes; the message begins behind them */
	struct klog_time time;
	bool kernel;   /* the kernel's, by its own words or by its form */
	bool relative; /* monotonic_us counts from the message before (dmesg --human) */
	bool no_date; /* wall_us counts from midnight: the date stood in the line above */
	bool base_only; /* "[Dec10 18:58]": to the minute, and relative ones follow */
};

/* Whether a head stands at S. A line break counts as a space: heads are wrapped, too. */
bool klog_head_parse(const char *s, struct klog_head *ret);
/*
 * The first head inside of S, behind its first byte; NULL when there is none. Mail programs that
 * flow a paragraph put many messages into one line.
 */
const char *klog_head_find(const char *s, struct klog_head *ret);

/* Where a message without a head begins in S, behind diff marks and counts; NULL when none does. */
const char *klog_plain_start(const char *s);

/* Gathers one log. */
struct klog_out {
	struct import *im;
	struct buf body;
	struct klog_time last; /* for relative times and missing dates */
	struct klog_head
		lone;	 /* a head that ended its line: its message is in the next */
	size_t lone_end; /* that line, 0: there is none */
	size_t messages, kept;
	bool elided, new_boot, full;
};

/*
 * One message, at the lines from FIRST of the text on; line breaks in TEXT are those of the text.
 * CUT: the text ends in it. True when it was kept.
 */
bool klog_out_add(struct klog_out *o, const struct klog_head *head, const char *text,
		  size_t len, size_t first, bool cut);

/* journalctl -o json, json-pretty, json-sse, json-seq, export, verbose: returns messages, -ENOMEM */
int klog_read_journal(struct klog_out *o);
