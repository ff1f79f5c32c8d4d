/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel log says of one drive, sorted by what it speaks for. Only events of the newest boot
 * count. An exception belongs to one group: damaged frames take everything else with them, for what
 * else stands in such a block is their consequence (libata does the same).
 */
#pragma once

#include "judge/context.h"
#include "judge/limits.h"

enum kernel_group {
	KERNEL_WIRE,   /* frames damaged: ICRC, BadCRC, Handshk, Dispar, 10B8B */
	KERNEL_PLUG,   /* the link came or went: PHYRdyChg with DevExch, link down */
	KERNEL_WAKE,   /* CommWake without damage: sleep of the link or of the drive */
	KERNEL_QUEUED, /* queued commands timed out, SErr 0 */
	KERNEL_FLUSH,  /* a flush timed out, SErr 0 */
	KERNEL_SILENT, /* other commands timed out, SErr 0 */
	KERNEL_MEDIA,  /* unreadable sectors */
	KERNEL_IDNF,   /* addresses not found */
	KERNEL_ABORT,  /* commands aborted by the drive */
	KERNEL_FAULT,  /* device fault bit, lost capacity */
	KERNEL_CONTROLLER, /* host bus, internal, registers of all ones, IOMMU, lost interrupts */
	KERNEL_OTHER, /* faults that point nowhere */
	KERNEL_GROUPS
};

struct kernel_view {
	bool there;    /* a kernel log is in the case */
	bool complete; /* since boot, without a gap */
	uint32_t n[KERNEL_GROUPS];
	const struct event *first[KERNEL_GROUPS], *last[KERNEL_GROUPS];
	uint32_t near_sleep[KERNEL_GROUPS], near_boot[KERNEL_GROUPS],
		together[KERNEL_GROUPS];
	uint32_t to_host, to_drive; /* of the wire: who saw the damage */
	bool wake_linkseq;	    /* LinkSeq in a wake */
	bool send_queued;	    /* queued TRIM among the queued ones */
	uint32_t queued_writes, silent_writes;
	uint32_t classes[EVENT_COUNT]; /* events of each class, folded ones too */
	const struct event *of_class[EVENT_COUNT];
	uint32_t no_link; /* failed resets with -32: nothing at the other end */
	uint32_t faults;  /* all of kind fault */
	uint32_t earlier; /* faults of earlier boots */
	uint32_t multiplier;
	uint32_t
		n_optical; /* faults of CD and DVD drives, in none of the numbers above */
	const struct event *optical;
};

/* Events of the drive, and those of the host that could be its own. */
struct kernel_view kernel_look(const struct judge *j);
/* Look once for all rules: a log may hold thousands of events. */
void kernel_keep(struct judge *j);
/* Direction of its command, by the words of the log or by the opcode. */
bool kernel_is_write(const struct event *e);
bool kernel_is_read(const struct event *e);
/* Of one event, without a drive. */
enum kernel_group kernel_group_of(const struct event *e);
/* The groups of another drive of the case. */
struct kernel_view kernel_look_at(const struct judge *j, const struct drive *d);
/* Drives, and ports of the host without a drive, that have events of this group. */
unsigned kernel_ports_with(const struct judge *j, enum kernel_group group);

/* "23 times "words" (text of the first)", with the line as source. */
void kernel_for(struct judge *j, struct finding *f, const struct kernel_view *v,
		enum kernel_group group);
void kernel_for_class(struct judge *j, struct finding *f, const struct kernel_view *v,
		      enum event_class c);
/* The same for the faults of an optical drive. */
void kernel_for_optical(struct judge *j, struct finding *f, const struct kernel_view *v);
/* "the kernel log holds no such line": strong when complete, nothing when it is not there. */
void kernel_against_silence(struct judge *j, struct finding *f,
			    const struct kernel_view *v, const char *what);
