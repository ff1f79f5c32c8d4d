/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What only the read probe can tell: places that cannot be read or are slow (M01, D03, M05), a drive
 * that goes away or does not answer (H02, T01), stalls (D11), what a pause costs (L05), reads that
 * are held back above the drive (K13), errors on the link while it was loaded (L01).
 */
#include <errno.h>

#include "base/str.h"
#include "judge/limits.h"
#include "judge/reads.h"
#include "judge/rules.h"

#define PAUSE_NS   (UINT64_C(1000) * LIMIT_PAUSE_US)
#define HELD_NS	   (UINT64_C(1000) * LIMIT_HELD_US)
#define STALL_LONG (UINT64_C(1000000) * LIMIT_STILL_MS)
#define SECTOR	   512u
#define ZONE_SHOWN 8u

static const char *ms_text(struct judge *j, uint64_t ns)
{
	return judge_text(j, "%llu.%llu ms", (unsigned long long)(ns / 1000000),
			  (unsigned long long)(ns % 1000000 / 100000));
}

/* The finding of this code that a rule before made, else a new one. */
static struct finding *found(struct judge *j, enum code code, enum severity severity,
			     enum confidence confidence, const char *headline)
{
	for (size_t i = 0; i < j->r->n_findings; i++) {
		struct finding *f = &j->r->findings[i];

		if (f->code != code || f->runner_up)
			continue;
		if (f->severity < severity)
			f->severity = severity;
		return f;
	}
	return judge_found(j, code, severity, confidence, "%s", headline);
}

static bool is_probed(const struct judge *j)
{
	return drive_text(j->d, FACT_PROBE_TARGET, 0, 0) != NULL;
}

/* Others that could explain a delay: then they are the finding, and nothing else is. */
static bool is_busy(struct judge *j)
{
	struct reads_view v = reads_look(j);

	return v.foreign_clear && v.demand_ppm > LIMIT_DEMAND_PPM;
}

/* ---- reads that did not come ---- */

static enum rule_answer rule_unreadable(struct judge *j)
{
	size_t n;
	const struct fact *bad = drive_facts(j->d, FACT_READ_BAD, &n), *at;
	struct finding *f;
	uint64_t error;

	if (!is_probed(j))
		return ANSWER_CANNOT_TELL;
	if (!n)
		return ANSWER_FINE;
	at = drive_fact_at(j->d, FACT_READ_BAD_AT, bad->key.i, 0, bad->snapshot);
	if (!at || !drive_u64(j->d, FACT_READ_BAD_ERROR, bad->key.i, 0, &error) ||
	    (error != EIO && error != ENODATA && error != EBADMSG && error != EREMOTEIO))
		return ANSWER_FINE;
	f = found(j, CODE_M01, SEVERITY_CRITICAL, CONFIDENCE_CERTAIN,
		  judge_text(j, "The probe could not read from byte %s (sector %s).",
			     judge_number(j, at->u), judge_number(j, at->u / SECTOR)));
	judge_for(j, f, SIDE_MEASURED, at, "%s of the probe failed, the first at byte %s",
		  judge_count(j, bad->u, "read", "reads"), judge_number(j, at->u));
	judge_next(j, f, "Back up what is on it now, beginning with what matters most.");
	return ANSWER_FOUND;
}

static enum rule_answer rule_gone(struct judge *j)
{
	size_t n;
	const struct fact *end = drive_facts(j->d, FACT_READ_END, &n);
	struct finding *f;

	for (size_t i = 0; i < n; i++) {
		if (!str_equal(end[i].text, "gone"))
			continue;
		f = found(j, CODE_H02, SEVERITY_CRITICAL, CONFIDENCE_STRONG,
			  "The drive went away while it was read.");
		judge_for(j, f, SIDE_MEASURED, &end[i],
			  "reads ended with the error of a device that is not there");
		judge_next(j, f,
			   "Look at dmesg for that moment: a lost link, a reset that "
			   "failed, or power.");
		judge_next(j, f,
			   "Check the plugs of power and data, then another cable "
			   "and port.");
		return ANSWER_FOUND;
	}
	return n ? ANSWER_FINE : ANSWER_CANNOT_TELL;
}

static enum rule_answer rule_hangs(struct judge *j)
{
	size_t n;
	const struct fact *hang = drive_facts(j->d, FACT_READ_HANG, &n);
	const struct fact *at;
	struct finding *f;

	if (!is_probed(j))
		return ANSWER_CANNOT_TELL;
	if (!n)
		return ANSWER_FINE;
	at = drive_fact_at(j->d, FACT_READ_HANG_AT, hang->key.i, 0, hang->snapshot);
	f = found(j, CODE_T01, SEVERITY_CRITICAL, CONFIDENCE_STRONG,
		  judge_text(j, "A read did not come back within %llu seconds.",
			     (unsigned long long)(hang->u / 1000000000)));
	judge_for(j, f, SIDE_MEASURED, hang,
		  "the probe gave it up and went on without it");
	if (at)
		judge_for(j, f, SIDE_MEASURED, at, "it was at byte %s",
			  judge_number(j, at->u));
	judge_next(j, f, "dmesg tells which command hangs, and what the kernel tries.");
	return ANSWER_FOUND;
}

/* ---- zones ---- */

static bool is_slow_twice(const struct judge *j, uint32_t zone);

/* "3, 4, 17 and 5 more" */
static const char *zone_list(struct judge *j)
{
	struct buf b cleanup_buf = { 0 };
	size_t n, shown = 0;
	const struct fact *slow = drive_facts(j->d, FACT_ZONE_SLOW, &n);

	for (size_t i = 0; i < n; i++) {
		if ((i && slow[i].key.i == slow[i - 1].key.i) ||
		    !is_slow_twice(j, slow[i].key.i) || ++shown > ZONE_SHOWN)
			continue;
		buf_printf(&b, "%s%u", shown > 1 ? ", " : "", slow[i].key.i + 1);
	}
	if (shown > ZONE_SHOWN)
		buf_printf(&b, " and %zu more", shown - ZONE_SHOWN);
	return judge_text(j, "%s", buf_text(&b));
}

static uint64_t zone_worst(const struct judge *j, uint32_t kind)
{
	uint64_t worst = 0, ratio;
	size_t n;
	const struct fact *slow = drive_facts(j->d, FACT_ZONE_SLOW, &n);

	for (size_t i = 0; i < n; i++)
		if (slow[i].key.j == kind &&
		    drive_u64(j->d, FACT_ZONE_RATIO, slow[i].key.i, kind, &ratio) &&
		    ratio > worst)
			worst = ratio;
	return worst;
}

static uint64_t zones_slow(const struct judge *j, uint32_t kind)
{
	uint64_t n = 0;

	return drive_u64(j->d, FACT_ZONES_SLOW, kind, 0, &n) ? n : 0;
}

/* The same zone in both maps of one kind: a single flag is chance at times. */
static bool is_slow_twice(const struct judge *j, uint32_t zone)
{
	for (uint32_t kind = 0; kind < 2; kind++)
		if (drive_fact(j->d, FACT_ZONE_SLOW, zone, kind) &&
		    drive_fact(j->d, FACT_ZONE_SLOW, zone, kind + 2))
			return true;
	return false;
}

static size_t zones_agree(const struct judge *j)
{
	size_t n, agree = 0;
	const struct fact *slow = drive_facts(j->d, FACT_ZONE_SLOW, &n);

	for (size_t i = 0; i < n; i++)
		if (!i || slow[i].key.i != slow[i - 1].key.i)
			agree += is_slow_twice(j, slow[i].key.i);
	return agree;
}

static void add_zones(struct judge *j, struct finding *f, uint32_t kind)
{
	uint64_t worst = zone_worst(j, kind);
	const struct fact *measured = drive_fact(j->d, FACT_ZONES_MEASURED, kind, 0);

	if (!zones_slow(j, kind) || !measured)
		return;
	judge_for(j, f, SIDE_MEASURED, measured,
		  "reads of %s%s: %llu of %llu zones are slow, up to %llu.%llu times the "
		  "others",
		  kind & 1 ? "512 KiB" : "4 KiB", kind > 1 ? " once more" : "",
		  (unsigned long long)zones_slow(j, kind),
		  (unsigned long long)measured->u, (unsigned long long)(worst / 1000),
		  (unsigned long long)(worst % 1000 / 100));
}

/* What kind of thing it is that has the slow part. */
static void add_zone_advice(struct judge *j, struct finding *f)
{
	if (judge_is_rotating(j))
		judge_next(j, f,
			   "An extended self-test tells whether these places can still "
			   "be read; back up first.");
	else if (judge_is_ssd(j))
		judge_next(j, f,
			   "Rewriting the data there makes it fast again; look for new "
			   "firmware.");
	else
		judge_next(j, f, "Look at what is below: the same part of another disk?");
}

static enum rule_answer rule_zones(struct judge *j)
{
	bool rotating = judge_is_rotating(j), known = rotating || judge_is_ssd(j);
	struct finding *f;
	size_t slow = zones_agree(j);
	uint64_t n;

	if (!drive_u64(j->d, FACT_ZONES_MEASURED, 0, 0, &n))
		return ANSWER_CANNOT_TELL;
	if (!slow || slow * LIMIT_ZONES_PART > n || is_busy(j))
		return ANSWER_FINE;
	f = found(j, rotating ? CODE_M05 : CODE_D03,
		  known ? SEVERITY_WARNING : SEVERITY_NOTE,
		  known ? CONFIDENCE_MODERATE : CONFIDENCE_WEAK,
		  rotating ? "Part of the disk reads slowly, the rest does not: a weak "
			     "area."
		  : known  ? "Part of the drive reads slowly, the rest does not: old "
			     "data, read with many retries."
			   : "Part of what was read is slow, the rest is not.");
	f->where =
		judge_text(j, "in zones %s of %llu", zone_list(j), (unsigned long long)n);
	f->where_confidence = CONFIDENCE_STRONG;
	for (uint32_t kind = 0; kind < 4; kind++)
		add_zones(j, f, kind);
	judge_against(j, f, SIDE_NONE, NULL, "all within a few seconds of one probe");
	judge_next(j, f, "Probe again later (drivewhy probe --deep %s): the same zones?",
		   judge_device(j));
	add_zone_advice(j, f);
	return ANSWER_FOUND;
}

/* ---- stalls and pauses ---- */

/* Over all runs: each is short, and what stalls does so in any of them. */
static const struct fact *worst_stall(const struct judge *j, uint64_t *ret_times)
{
	size_t n;
	const struct fact *f = drive_facts(j->d, FACT_READ_STALL_LONGEST, &n);
	const struct fact *worst = NULL;

	*ret_times = 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t times = 0;

		(void)drive_u64(j->d, FACT_READ_STALLS, f[i].key.i, 0, &times);
		*ret_times += times;
		if (!worst || f[i].u > worst->u)
			worst = &f[i];
	}
	return worst && (*ret_times >= 2 || worst->u >= STALL_LONG) ? worst : NULL;
}

static enum rule_answer rule_stalls(struct judge *j)
{
	uint64_t times;
	const struct fact *worst = worst_stall(j, &times);
	struct finding *f;

	if (!is_probed(j))
		return ANSWER_CANNOT_TELL;
	/* what is held back above stands still as well */
	if (!worst || is_busy(j) || rules_found(j, CODE_K13, SEVERITY_WARNING))
		return ANSWER_FINE;
	f = found(j, judge_is_rotating(j) ? CODE_M05 : CODE_D11, SEVERITY_WARNING,
		  CONFIDENCE_MODERATE,
		  judge_text(j,
			     "The drive stands still for up to %s and then goes on as if "
			     "nothing "
			     "was.",
			     ms_text(j, worst->u)));
	judge_for(j, f, SIDE_MEASURED, worst,
		  "nothing came %s during the probe, for up to %s",
		  judge_count(j, times, "time", "times"), ms_text(j, worst->u));
	judge_against(j, f, SIDE_NONE, NULL,
		      "a link that resets stands still as well: the kernel log tells");
	judge_next(j, f,
		   "Look at dmesg for the time of the probe (resetting link, "
		   "exception).");
	judge_next(j, f, "Nothing there: firmware of the drive, or the drive.");
	return ANSWER_FOUND;
}

static const struct fact *worst_pause(const struct judge *j)
{
	size_t n;
	const struct fact *f = drive_facts(j->d, FACT_GAP_EXTRA, &n), *worst = NULL;

	for (size_t i = 0; i < n; i++)
		if (!worst || f[i].u > worst->u)
			worst = &f[i];
	return worst;
}

static enum rule_answer rule_pause(struct judge *j)
{
	const struct fact *worst = worst_pause(j), *policy;
	bool may_sleep;
	struct finding *f;
	uint64_t n;

	if (!drive_u64(j->d, FACT_GAP_MEDIAN, 0, 0, &n))
		return ANSWER_CANNOT_TELL;
	if (!worst || worst->u < PAUSE_NS || is_busy(j))
		return ANSWER_FINE;
	policy = reads_host_fact(j, FACT_LINK_POWER_POLICY);
	may_sleep = !policy || !str_equal(policy->text, "max_performance");
	f = found(j, may_sleep ? CODE_L05 : CODE_D11, SEVERITY_WARNING,
		  may_sleep && policy ? CONFIDENCE_STRONG : CONFIDENCE_MODERATE,
		  judge_text(j, "After a pause of %u ms a read takes %s longer: %s.",
			     worst->key.i, ms_text(j, worst->u),
			     may_sleep ? "link or drive sleep, and take that long to wake"
				       : "the drive sleeps by itself, the link may not"));
	judge_for(j, f, SIDE_MEASURED, worst,
		  "median after %u ms: %s more than without a pause", worst->key.i,
		  ms_text(j, worst->u));
	if (policy)
		judge_for(j, f, SIDE_HOST, policy, "link power management policy: %s",
			  policy->text);
	judge_next(j, f,
		   "As root: echo max_performance > "
		   "/sys/class/scsi_host/hostN/link_power_management_policy, then "
		   "drivewhy probe --idle %s.",
		   judge_device(j));
	return ANSWER_FOUND;
}

/* ---- above the drive ---- */

static enum rule_answer rule_held(struct judge *j)
{
	size_t n;
	const struct fact *ios = drive_facts(j->d, FACT_READ_IOS, &n);
	struct finding *f;

	if (!is_probed(j))
		return ANSWER_CANNOT_TELL;
	for (size_t i = 0; i < n; i++) {
		uint32_t k = ios[i].key.i, s = ios[i].snapshot;
		const struct fact *mean =
			drive_fact_at(j->d, FACT_READ_CLAT_MEAN, k, 0, s);
		const struct fact *disk =
			drive_fact_at(j->d, FACT_READ_DISK_WAIT, k, 0, s);
		const struct fact *depth = drive_fact_at(j->d, FACT_READ_DEPTH, k, 0, s);

		if (!mean || !disk || !depth || depth->u != 1 || !ios[i].u ||
		    drive_fact_at(j->d, FACT_READ_CACHED, k, 0, s) ||
		    mean->u < LIMIT_HELD_FACTOR * disk->u || mean->u - disk->u < HELD_NS)
			continue;
		f = found(j, CODE_K13, SEVERITY_WARNING, CONFIDENCE_STRONG,
			  judge_text(j,
				     "Reads wait %s, the disk needs %s of it: they are "
				     "held back "
				     "before they reach it.",
				     ms_text(j, mean->u), ms_text(j, disk->u)));
		f->where = "above the request queue: a limit or a layer, not the drive";
		f->where_confidence = CONFIDENCE_STRONG;
		judge_for(j, f, SIDE_HOST, disk,
			  "the disk's own statistics show %s a read, the probe %s",
			  ms_text(j, disk->u), ms_text(j, mean->u));
		judge_next(j, f,
			   "Look for a limit: io.max or blkio.throttle of the control "
			   "group, and the layers above (dm-crypt, LVM).");
		return ANSWER_FOUND;
	}
	return ANSWER_FINE;
}

/* ---- the link under load ---- */

/* "25.0", of thousandths */
static const char *milli_text(struct judge *j, uint64_t milli)
{
	return judge_text(j, "%llu.%llu", (unsigned long long)(milli / 1000),
			  (unsigned long long)(milli % 1000 / 100));
}

static void add_burst(struct judge *j, struct finding *f)
{
	const struct fact *errors = drive_fact(j->d, FACT_BURST_ERRORS, 0, 0);
	uint64_t bytes, low, high;

	if (!errors || !drive_u64(j->d, FACT_BURST_BYTES, 0, 0, &bytes) ||
	    !drive_u64(j->d, FACT_BURST_ERROR_LOW, 0, 0, &low) ||
	    !drive_u64(j->d, FACT_BURST_ERROR_HIGH, 0, 0, &high))
		return;
	judge_for(j, f, SIDE_DRIVE, errors,
		  "link burst: %s in %llu.%llu GB, %s to %s in 10^12 bits",
		  judge_count(j, errors->u, "error", "errors"),
		  (unsigned long long)(bytes / 1000000000),
		  (unsigned long long)(bytes / 100000000 % 10), milli_text(j, low),
		  milli_text(j, high));
}

static bool windows_agree(const struct judge *j)
{
	uint64_t p, slow, moved;

	return drive_u64(j->d, FACT_WINDOWS_P, 0, 0, &p) && p < LIMIT_WINDOWS_P_PPM &&
	       drive_u64(j->d, FACT_WINDOWS_SLOW_MOVED, 0, 0, &slow) &&
	       slow >= LIMIT_WINDOWS_LEAST &&
	       drive_u64(j->d, FACT_WINDOWS_GOOD_STILL, 0, 0, &moved) &&
	       moved >= LIMIT_WINDOWS_LEAST;
}

static enum rule_answer rule_link_errors(struct judge *j)
{
	const struct fact *errors = drive_fact(j->d, FACT_PROBE_LINK_ERRORS, 0, 0);
	bool agree = windows_agree(j);
	struct finding *f;
	uint64_t bytes = 0;

	if (!errors)
		return ANSWER_CANNOT_TELL;
	if (!errors->u)
		return ANSWER_FINE;
	(void)drive_u64(j->d, FACT_PROBE_BYTES, 0, 0, &bytes);
	f = found(j, CODE_L01, SEVERITY_WARNING,
		  agree ? CONFIDENCE_STRONG : CONFIDENCE_MODERATE,
		  "The link damages data while it is read: cable, plug or port.");
	judge_for(j, f, SIDE_DRIVE, errors,
		  "the drive counted %llu link errors in %llu MB of the probe",
		  (unsigned long long)errors->u, (unsigned long long)(bytes / 1000000));
	add_burst(j, f);
	if (agree)
		judge_for(j, f, SIDE_MEASURED,
			  drive_fact(j->d, FACT_WINDOWS_SLOW_MOVED, 0, 0),
			  "slow moments and link errors are the same moments");
	judge_next(j, f,
		   "Replug both ends of the data cable, then another cable, then "
		   "another port; drivewhy probe --link %s after each.",
		   judge_device(j));
	return ANSWER_FOUND;
}

const struct rule rules_probe[] = {
	{ CODE_M01, rule_unreadable, "the read itself failed" },
	{ CODE_H02, rule_gone, "ENODEV and its like from a read" },
	{ CODE_T01, rule_hangs, "longer than the kernel's 30 s and a reset" },
	{ CODE_L01, rule_link_errors, "counters of the drive, before and after reads" },
	{ CODE_K13, rule_held, "kernel Documentation/block/stat against the probe" },
	{ CODE_D03, rule_zones, "robust outliers of 64 zones; old TLC data" },
	{ CODE_D11, rule_stalls, "runs of reads above 100 ms and 50 medians" },
	{ CODE_L05, rule_pause, "Serial ATA: slumber exit up to 10 ms; Mann-Whitney" },
	{ CODE_COUNT, NULL, NULL },
};
