/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings: alignment (K01), head parking (K02), spin-down (K03), write cache (K06), work of its own
 * (K08), sleep (K12), queueing (K05). K04 stands with the disks, K09 with the reads.
 */
#include <string.h>

#include "base/str.h"
#include "judge/kernel.h"
#include "judge/reads.h"
#include "judge/rules.h"
#include "judge/speed.h"

static const struct fact *misaligned(const struct judge *j)
{
	size_t n;
	const struct fact *start = drive_facts(j->d, FACT_PARTITION_START, &n);

	for (size_t i = 0; i < n; i++)
		if (judge_is_current(j, &start[i]) &&
		    start[i].u % LIMIT_ALIGNMENT_SECTORS != 0)
			return &start[i];
	return NULL;
}

static enum rule_answer rule_alignment(struct judge *j)
{
	const struct fact *bad = misaligned(j);
	uint64_t physical;
	bool known = drive_u64(j->d, FACT_PHYSICAL_SECTOR, 0, 0, &physical);
	size_t n;
	struct finding *f;

	if (!drive_facts(j->d, FACT_PARTITION_START, &n))
		return ANSWER_CANNOT_TELL;
	if (!bad)
		return ANSWER_FINE;
	if (!known)
		return ANSWER_CANNOT_TELL; /* 512-byte sectors need no alignment */
	if (physical < LIMIT_PHYSICAL_4K)
		return ANSWER_FINE;
	f = judge_found(
		j, CODE_K01, SEVERITY_WARNING, CONFIDENCE_CERTAIN,
		"Partition %u begins in the middle of a physical sector: each small "
		"write has to read first.",
		bad->key.i);
	f->where = "on the host: the partition table";
	f->where_confidence = CONFIDENCE_CERTAIN;
	judge_for(j, f, SIDE_HOST, bad,
		  "it begins at sector %s, which is no multiple of 8",
		  judge_number(j, bad->u));
	judge_for(j, f, SIDE_DRIVE, drive_fact(j->d, FACT_PHYSICAL_SECTOR, 0, 0),
		  "physical sectors hold %s bytes", judge_number(j, physical));
	judge_next(j, f,
		   "After a backup make the partition anew at 1 MiB (sector 2048), which "
		   "every "
		   "current tool does by itself. A read test cannot see this.");
	return ANSWER_FOUND;
}

static enum rule_answer rule_parking(struct judge *j)
{
	const struct fact *loads = drive_fact(j->d, FACT_LOAD_CYCLES, 0, 0);
	uint64_t hours;
	struct finding *f;

	if (!judge_is_rotating(j))
		return ANSWER_NOT_FOR_IT;
	if (!loads || !drive_u64(j->d, FACT_POWER_ON_HOURS, 0, 0, &hours) || !hours)
		return ANSWER_CANNOT_TELL;
	if (loads->u < LIMIT_LOADS_MANY || loads->u / hours < LIMIT_LOADS_PER_HOUR)
		return ANSWER_FINE;
	f = judge_found(j, CODE_K02, SEVERITY_NOTE, CONFIDENCE_STRONG,
			"The heads are parked %s times an hour: %s times in %s hours.",
			judge_number(j, loads->u / hours), judge_number(j, loads->u),
			judge_number(j, hours));
	f->where = "in the drive: its idle timer";
	f->where_confidence = CONFIDENCE_STRONG;
	judge_for(j, f, SIDE_DRIVE, loads,
		  "%s load cycles (%s); drives are rated for some "
		  "300,000",
		  judge_number(j, loads->u), judge_teller(j, loads));
	judge_next(j, f,
		   "hdparm -B 254 %s (again at each boot), or set the timer for good: "
		   "idle3ctl "
		   "for WD, the EPC timers for others.",
		   judge_device(j));
	return ANSWER_FOUND;
}

/* One read of 5 to 15 s and no other slow one: the spindle had to start. */
static enum rule_answer rule_spun_down(struct judge *j)
{
	size_t n;
	const struct fact *max = drive_facts(j->d, FACT_READ_CLAT_MAX, &n);
	const struct fact *worst = NULL;
	struct kernel_view k = kernel_look(j);
	struct finding *f;

	if (!judge_is_rotating(j))
		return ANSWER_NOT_FOR_IT;
	if (!n)
		return ANSWER_CANNOT_TELL;
	for (size_t i = 0; i < n; i++)
		if (!worst || max[i].u > worst->u)
			worst = &max[i];
	if (worst->u < (uint64_t)LIMIT_SPIN_UP_MIN_MS * 1000000 ||
	    worst->u > (uint64_t)LIMIT_SPIN_UP_MAX_MS * 1000000 || k.faults)
		return ANSWER_FINE;
	for (size_t i = 0; i < n; i++)
		if (&max[i] != worst && max[i].u > UINT64_C(1000000000))
			return ANSWER_FINE;
	f = judge_found(j, CODE_K03, SEVERITY_NOTE, CONFIDENCE_WEAK,
			"One read took %llu s: the disk may have had to spin up first.",
			(unsigned long long)(worst->u / 1000000000));
	judge_for(j, f, SIDE_MEASURED, worst, "the longest read took %llu.%llu s",
		  (unsigned long long)(worst->u / 1000000000),
		  (unsigned long long)(worst->u / 100000000 % 10));
	judge_next(j, f,
		   "Measure again at once: no such read then means it was the start. A "
		   "longer timer: hdparm -S.");
	return ANSWER_FOUND;
}

static const struct fact *cache_is_off(const struct judge *j)
{
	const struct fact *drive = rules_fact(j, FACT_WRITE_CACHE);

	return drive && !drive->u ? drive : NULL;
}

static enum rule_answer rule_write_cache(struct judge *j)
{
	const struct fact *off = cache_is_off(j);
	struct speed_view v = speed_look(j);
	bool crawl = v.write_worst.fact &&
		     v.write_worst.bytes_s < (uint64_t)LIMIT_SYNC_WRITE_KB_S * 1000;
	bool slow =
		crawl || speed_is_times(&v.read_best, &v.write_worst, LIMIT_WRITE_SHARE);
	struct finding *f;

	if (!off)
		return rules_fact(j, FACT_WRITE_CACHE) ? ANSWER_FINE : ANSWER_CANNOT_TELL;
	f = judge_found(
		j, CODE_K06, slow ? SEVERITY_WARNING : SEVERITY_NOTE,
		slow ? CONFIDENCE_STRONG : CONFIDENCE_CERTAIN,
		slow ? "The drive's write cache is off: each write waits for the medium."
		     : "The drive's write cache is off.");
	f->where = "in the drive: a setting";
	f->where_confidence = CONFIDENCE_CERTAIN;
	judge_for(j, f, SIDE_DRIVE, off, "write cache: disabled");
	if (slow)
		speed_for(j, f, &v.write_worst, "it writes");
	judge_against(
		j, f, SIDE_NONE, NULL,
		"RAID controllers with a cache of their own, and careful databases, turn "
		"it off on purpose");
	judge_next(j, f,
		   "If power is safe or the data can be made again: hdparm -W1 %s, and "
		   "measure again.",
		   judge_device(j));
	return ANSWER_FOUND;
}

/* Self-test execution status: the high nibble is 15 while one runs (ACS-3 table 132). */
static enum rule_answer rule_own_work(struct judge *j)
{
	const struct fact *status = drive_fact(j->d, FACT_SELFTEST_STATUS, 0, 0);
	const char *work = rules_text(j, FACT_ARRAY_WORK);
	bool test = status && (status->u >> 4) == 15;
	size_t n;
	bool measured = drive_facts(j->d, FACT_READ_IOS, &n) ||
			drive_facts(j->d, FACT_READ_BANDWIDTH, &n);
	struct finding *f;

	if (!status && !work)
		return ANSWER_CANNOT_TELL;
	if (!test && !work)
		return ANSWER_FINE;
	f = judge_found(
		j, CODE_K08, measured ? SEVERITY_WARNING : SEVERITY_NOTE,
		measured ? CONFIDENCE_MODERATE : CONFIDENCE_CERTAIN,
		test ? "A self-test runs on the drive: it is slower until it is done."
		     : "The array works on itself (%s): its drives are slower until it "
		       "is done.",
		work ? work : "");
	f->where = "in the drive or its array: work of their own";
	f->where_confidence = f->confidence;
	if (test)
		judge_for(j, f, SIDE_DRIVE, status,
			  "self-test execution status: %llu %% remain",
			  (unsigned long long)(status->u & 15) * 10);
	if (work)
		judge_for(j, f, SIDE_HOST, rules_fact(j, FACT_ARRAY_WORK), "array: %s",
			  work);
	judge_next(j, f, "Wait until it is done, then measure again.");
	return ANSWER_FOUND;
}

static enum rule_answer rule_asleep(struct judge *j)
{
	const char *mode = drive_text(j->d, FACT_POWER_MODE, 0, 0);
	const char *status = drive_text(j->d, FACT_RUNTIME_STATUS, 0, 0);
	bool sleeps = (mode && (strstr(mode, "STANDBY") || strstr(mode, "SLEEP") ||
				strstr(mode, "standby") || strstr(mode, "sleep"))) ||
		      str_equal(status, "suspended");
	size_t n;
	struct finding *f;

	if (!mode && !status)
		return ANSWER_CANNOT_TELL;
	if (!sleeps || drive_facts(j->d, FACT_ATTR_VALUE, &n))
		return ANSWER_FINE;
	f = judge_found(j, CODE_K12, SEVERITY_NOTE, CONFIDENCE_CERTAIN,
			"The drive sleeps; its logs were not read.");
	judge_for(j, f, SIDE_DRIVE, drive_fact(j->d, FACT_POWER_MODE, 0, 0),
		  "power mode: %s", mode ? mode : status);
	judge_next(j, f, "Read it when it is awake, or wake it on purpose (--wake).");
	return ANSWER_FOUND;
}

/* Slowness of later is explained by errors of before: the kernel turned queueing off. */
static enum rule_answer found_turned_off(struct judge *j, const struct kernel_view *k)
{
	struct finding *f = judge_found(
		j, CODE_K05, SEVERITY_WARNING, CONFIDENCE_STRONG,
		"The kernel has turned command queueing off, because of errors before.");

	f->where = "on the host: the driver's queue";
	f->where_confidence = CONFIDENCE_CERTAIN;
	kernel_for_class(j, f, k, EVENT_NCQ_OFF);
	judge_next(j, f,
		   "The cause is in the errors before that line: cure them, then boot "
		   "again, "
		   "for it stays off until then.");
	return ANSWER_FOUND;
}

static enum rule_answer rule_no_queueing(struct judge *j)
{
	struct kernel_view k = kernel_look(j);
	const struct fact *depth = reads_host_fact(j, FACT_QUEUE_DEPTH);
	struct reads_view v = reads_look(j);
	struct finding *f;

	if (k.classes[EVENT_NCQ_OFF] && !judge_is_rotating(j))
		return found_turned_off(j, &k);
	if (depth && depth->u == 1 && !judge_is_rotating(j)) {
		f = judge_found(
			j, CODE_K05, SEVERITY_WARNING, CONFIDENCE_CERTAIN,
			"The host sends one command at a time: queue_depth is 1.");
		judge_for(j, f, SIDE_HOST, depth, "queue_depth = 1 (31 or 32 is usual)");
	} else if (v.depth32_milli && v.depth1_milli && judge_is_ssd(j) &&
		   v.depth32_milli < v.depth1_milli + v.depth1_milli / 2) {
		f = judge_found(
			j, CODE_K05, SEVERITY_WARNING, CONFIDENCE_MODERATE,
			"Depth 32 is hardly faster than depth 1: commands seem not to be "
			"queued.");
		judge_for(j, f, SIDE_MEASURED, v.depth32_fact,
			  "%llu reads a second at depth 32, %llu at depth 1",
			  (unsigned long long)(v.depth32_milli / 1000),
			  (unsigned long long)(v.depth1_milli / 1000));
	} else {
		return depth || v.depth32_milli ? ANSWER_FINE : ANSWER_CANNOT_TELL;
	}
	f->where = "on the host: the driver's queue";
	f->where_confidence = f->confidence;
	judge_next(j, f,
		   "Find why: dmesg | grep -i ncq; a controller in IDE mode, a kernel "
		   "option libata.force=noncq, or NCQ switched off after errors.");
	return ANSWER_FOUND;
}

const struct rule rules_config[] = {
	{ CODE_K01, rule_alignment, "ACS-3 IDENTIFY DEVICE word 106; osnews.com 22872" },
	{ CODE_K05, rule_no_queueing, "libata queue depth; depth 32 against depth 1" },
	{ CODE_K06, rule_write_cache, "ACS-3 IDENTIFY DEVICE word 85; nzombies#37" },
	{ CODE_K08, rule_own_work, "ACS-3 self-test execution status; md sync_action" },
	{ CODE_K02, rule_parking,
	  "makers' ratings of load cycles; webdiary.com 2010-04-23" },
	{ CODE_K03, rule_spun_down, "makers' spin-up times" },
	{ CODE_K12, rule_asleep, "ACS-3 CHECK POWER MODE" },
	{ CODE_COUNT, NULL, NULL },
};
