/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the history keeps of a drive: its counts as totals that never fall, and what the last look
 * and the last check saw of them. Counters restart (power loss, another boot), stand at their end,
 * or fall because the drive was told to forget: a total takes each as what it is.
 */
#pragma once

#include "base/buf.h"
#include "history/identity.h"
#include "model/report.h"

/* Which finding a count belongs to: the first letter of its code. */
enum kept_family {
	FAMILY_NONE = 0,
	FAMILY_LINK = 'L',
	FAMILY_MEDIA = 'M',
	FAMILY_DRIVE = 'D',
	FAMILY_TIME = 'T',
	FAMILY_KERNEL = 1 /* of no finding: what the kernel did about a fault */
};

struct kept {
	enum fact_id id;
	enum kept_family family;
	bool watched;	   /* a rise is told */
	bool in_log;	   /* a count of events in the kernel log of this boot */
	const char *words; /* in a message: "reallocated sectors" */
};

/* Ends with a row of no words. */
extern const struct kept kept_facts[];
const struct kept *kept_find(enum fact_id id); /* or NULL */
/* Of old samples one a day is enough: counts that tell of damage keep every step. */
bool kept_is_thinned(enum fact_id id);

struct value {
	struct fact_key key;
	int64_t row; /* of table fact */
	int64_t value, total, run;
	/* LEAST: at least this many; of the power cycles: a later look did not read them */
	bool has_peak, least, has_told;
	int64_t peak, told_value, told_total;
	/* of this run */
	bool seen, is_new, changed;
	int64_t rise; /* since the last look */
	int64_t was_value, was_total;
	bool is_error; /* a phy counter whose rise means damage */
};

struct values {
	int64_t subject;
	struct value *items;
	size_t n, cap;
	bool power_restarted, boot_restarted;
	int64_t span; /* seconds since the last look; 0 unknown */
};

/* What is stored of a drive. Errors stick to the history. */
void values_load(struct history *h, struct arena *a, int64_t subject, struct values *ret);
struct value *values_find(const struct values *v, enum fact_id id, uint32_t i);
/* Rise since the last check (CHECK) or the last look, 0 when there was none or it fell. */
int64_t value_rise(const struct value *v, bool check);

/*
 * Compare with what was read now, and remember it in V: nothing is written. PAST: the drive as it
 * was, NULL for a new one. The report may be NULL: only facts that no judgement is needed for.
 */
void values_take(struct history *h, struct arena *a, struct values *v,
		 const struct past_drive *past, const struct drive *d,
		 const struct phy_page *phy);
/*
 * The counts of the kernel log, which only the judged drive has: the log is the host's. No fact of
 * such a kind is 0 of them; without any log nothing is known, and nothing is taken. A count that falls
 * within a boot lost its oldest lines: what is there stays told, and counting goes on from there.
 */
void values_take_log(struct history *h, struct arena *a, struct values *v,
		     const struct drive *d);
/* Write what changed: rows of now and sample, and the bay's own counts. */
void values_store(struct history *h, struct values *v, const char *port);

/*
 * The facts of the last look (CHECK: of the last check) as lines of a facts/history item, so that
 * the judge sees a rise; and the SINCE_... facts. False when there is nothing to say.
 */
bool values_baseline(struct history *h, const struct values *v,
		     const struct past_drive *past, bool check, struct buf *ret);

/* The drive was met: when, where, and whether it slept or could not be read. */
void history_seen(struct history *h, const struct who *w, bool asleep, bool unreadable);
