/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Disks: weak places (M05), spindle (M06), electronics (M07), shingles (M08), shaking (M09), heat (M10),
 * and the time-out of the kernel against the disk's own (K04).
 */
#include <string.h>

#include "base/str.h"
#include "judge/kernel.h"
#include "judge/rules.h"
#include "judge/speed.h"

static void add_backup(struct judge *j, struct finding *f)
{
	judge_next(j, f,
		   "Back up now: copy what matters off this drive before anything else.");
}

static uint32_t silent(const struct kernel_view *k)
{
	return k->n[KERNEL_SILENT] + k->n[KERNEL_QUEUED] + k->n[KERNEL_FLUSH];
}

/* --- M08: shingles ------------------------------------------------------------------------------ */

static void add_smr_evidence(struct judge *j, struct finding *f,
			     const struct kernel_view *k, const struct speed_view *v,
			     bool slow)
{
	judge_for(j, f, SIDE_DATABASE, drive_fact(j->d, FACT_DB_SMR, 0, 0),
		  "this model records in shingles and hides it%s",
		  drive_text(j->d, FACT_DB_FAMILY, 0, 0)
			  ? judge_text(j, " (%s)", drive_text(j->d, FACT_DB_FAMILY, 0, 0))
			  : "");
	kernel_for(j, f, k, KERNEL_IDNF);
	kernel_for(j, f, k, KERNEL_QUEUED);
	kernel_for(j, f, k, KERNEL_SILENT);
	kernel_for(j, f, k, KERNEL_FLUSH);
	kernel_for_class(j, f, k, EVENT_ARRAY);
	if (slow) {
		speed_for(j, f, &v->write_worst, "writes");
		speed_for(j, f, &v->read_best, "reads");
	}
	if (!rules_has_media_trouble(j))
		judge_for(j, f, SIDE_DRIVE, NULL, "no unreadable sector by its own word");
}

static enum rule_answer rule_shingles(struct judge *j)
{
	struct kernel_view k = kernel_look(j);
	struct speed_view v = speed_look(j);
	bool slow = speed_is_times(&v.read_best, &v.write_worst, LIMIT_WRITE_SHARE);
	bool hangs = k.n[KERNEL_IDNF] || silent(&k) || k.classes[EVENT_ARRAY];
	bool pool = rules_number(j, FACT_FS_WRITE_ERRORS) ||
		    drive_flag(j->d, FACT_ARRAY_FAILED, 0) ||
		    rules_text(j, FACT_ARRAY_WORK);
	struct finding *f;

	if (!drive_text(j->d, FACT_MODEL, 0, 0))
		return ANSWER_CANNOT_TELL;
	if (!drive_flag(j->d, FACT_DB_SMR, 0))
		return ANSWER_FINE;
	if (!slow && !hangs && !pool) {
		if (!rules_is_member(j))
			return ANSWER_FINE;
		f = judge_found(
			j, CODE_M08, SEVERITY_NOTE, CONFIDENCE_STRONG,
			"A shingled drive in an array: rebuilds will be slow, and may "
			"throw it out.");
	} else {
		f = judge_found(
			j, CODE_M08, SEVERITY_WARNING, CONFIDENCE_STRONG,
			"The drive records in shingles and stalls on this load; it is "
			"not failing.");
	}
	f->where = "in the drive: its way of recording";
	f->where_confidence = CONFIDENCE_STRONG;
	add_smr_evidence(j, f, &k, &v, slow);
	judge_next(j, f,
		   "Do not use it in RAID or ZFS: exchange it for a conventional (CMR) "
		   "model; "
		   "within the warranty makers have done that.");
	judge_next(j, f,
		   "To be sure: leave it idle for an hour and write again; fast at first "
		   "and "
		   "then slow is the shingles. A read test cannot see this.");
	return ANSWER_FOUND;
}

/* --- M07: the drive itself breaks down ------------------------------------------------------------- */

static bool is_tiny(const struct judge *j, const struct fact *capacity)
{
	/* a drive holds whole sectors: "120 bytes" is what a tool made of "120 GB" */
	return capacity && judge_is_current(j, capacity) && capacity->u % 512 == 0 &&
	       capacity->u < (uint64_t)LIMIT_TINY_CAPACITY_MB * 1000000 &&
	       drive_text(j->d, FACT_MODEL, 0, 0) && !rules_is_usb(j);
}

/* It never comes back from a reset, with nothing else to say why. */
static bool hangs_for_good(const struct judge *j, const struct kernel_view *k)
{
	uint32_t busy = k->classes[EVENT_RESET_FAILED] - k->no_link;

	if (k->n[KERNEL_WIRE] || k->n[KERNEL_WAKE] || k->n[KERNEL_CONTROLLER] ||
	    k->no_link > busy || drive_flag(j->d, FACT_DB_NO_LPM, 0))
		return false;
	return busy >= LIMIT_HARD_RESETS_MANY ||
	       (k->classes[EVENT_REMOVED] && (busy || k->classes[EVENT_IDENTIFY_FAILED] ||
					      k->classes[EVENT_INTERNAL_TIMEOUT]));
}

/* It takes no writes any more: not one bad place, and no lock, for that aborts the reads too. */
static bool refuses_writes(const struct judge *j, const struct kernel_view *k)
{
	return k->n[KERNEL_ABORT] >= LIMIT_HARD_RESETS_MANY &&
	       kernel_is_write(k->first[KERNEL_ABORT]) && !k->n[KERNEL_WIRE] &&
	       !drive_flag(j->d, FACT_DB_SMR, 0);
}

static enum rule_answer rule_electronics(struct judge *j)
{
	struct kernel_view k = kernel_look(j);
	const struct fact *capacity = drive_fact(j->d, FACT_CAPACITY, 0, 0);
	bool tiny = is_tiny(j, capacity), hangs = hangs_for_good(j, &k);
	bool refuses = refuses_writes(j, &k);
	struct finding *f;

	if (!k.there && !capacity)
		return ANSWER_CANNOT_TELL;
	if (!tiny && !k.n[KERNEL_FAULT] && !hangs && !refuses)
		return ANSWER_FINE;
	if (rules_is_usb(j) || rules_is_nvme(j))
		return ANSWER_NOT_FOR_IT; /* the bridge fails in the same way */
	f = judge_found(j, CODE_M07, SEVERITY_CRITICAL,
			tiny		    ? CONFIDENCE_CERTAIN
			: k.n[KERNEL_FAULT] ? CONFIDENCE_STRONG
					    : CONFIDENCE_MODERATE,
			tiny ? "The drive has lost its capacity: its tables are gone."
			: k.n[KERNEL_FAULT] ? "The drive reports a fault of its own."
			: refuses
				? "The drive refuses to write."
				: "The drive hangs and does not come back from resets.");
	f->where = "in the drive: electronics or firmware";
	f->where_confidence = f->confidence;
	if (tiny)
		judge_for(j, f, SIDE_DRIVE, capacity, "it says that it holds %s bytes",
			  judge_number(j, capacity->u));
	kernel_for(j, f, &k, KERNEL_FAULT);
	if (refuses)
		kernel_for(j, f, &k, KERNEL_ABORT);
	kernel_for_class(j, f, &k, EVENT_RESET_FAILED);
	kernel_for_class(j, f, &k, EVENT_IDENTIFY_FAILED);
	kernel_for_class(j, f, &k, EVENT_INTERNAL_TIMEOUT);
	kernel_for_class(j, f, &k, EVENT_REMOVED);
	if (hangs && !tiny)
		judge_against(
			j, f, SIDE_NONE, NULL,
			"bad power can do this too; a firmware that is known to hang "
			"would be in the database");
	judge_next(j, f,
		   "Write nothing to it. Switch off fully, wait a minute, and copy what "
		   "can be read.");
	judge_next(j, f,
		   "Once: another port and another power lead, or another computer. The "
		   "same there: replace it.");
	return ANSWER_FOUND;
}

/* --- M06 ------------------------------------------------------------------------------------------- */

static enum rule_answer rule_spindle(struct judge *j)
{
	const struct fact *retries = drive_fact(j->d, FACT_SPIN_RETRIES, 0, 0);
	int64_t rise = 0;
	struct finding *f;

	if (!judge_is_rotating(j))
		return ANSWER_NOT_FOR_IT;
	if (!retries)
		return ANSWER_CANNOT_TELL;
	/* packed counts of some families pass any number of starts a disk has had */
	if (!retries->u || retries->u > 65535)
		return ANSWER_FINE;
	(void)drive_delta(j->d, FACT_SPIN_RETRIES, 0, 0, &rise);
	f = judge_found(j, CODE_M06, rise > 0 ? SEVERITY_CRITICAL : SEVERITY_WARNING,
			rise > 0 ? CONFIDENCE_STRONG : CONFIDENCE_MODERATE,
			"The disk needed more than one try to spin up (%s)%s.",
			judge_count(j, retries->u, "time", "times"),
			rise > 0 ? ", and it goes on" : "");
	f->where = "in the drive: spindle and motor, or their power";
	f->where_confidence = f->confidence;
	judge_for(j, f, SIDE_DRIVE, retries, "%s (%s)",
		  judge_count(j, retries->u, "retry", "retries"),
		  judge_teller(j, retries));
	judge_against(j, f, SIDE_NONE, NULL,
		      "a weak 12 V supply does the same, to several disks at once");
	add_backup(j, f);
	judge_next(j, f,
		   "Another power lead without splitters; replace the disk if the count "
		   "grows there.");
	return ANSWER_FOUND;
}

/* --- M10, M09 ------------------------------------------------------------------------------------- */

static const struct fact *highest_of(const struct judge *j, const enum fact_id *ids,
				     size_t n)
{
	const struct fact *best = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct fact *f = drive_fact(j->d, ids[i], 0, 0);

		if (f && (!best || f->s > best->s))
			best = f;
	}
	return best;
}

/* Drives tell a recommended range, a specified one and a limit: the highest is the one that hurts. */
static const struct fact *heat_limit(const struct judge *j)
{
	static const enum fact_id ids[] = { FACT_TEMPERATURE_LIMIT, FACT_SCT_SPEC_MAX,
					    FACT_SCT_LIMIT_MAX };

	return highest_of(j, ids, array_size(ids));
}

/*
 * Seagate's disks leave the limits of SCT empty (0/0) and still count what is above: 25,027 times on an
 * ST10000NM0016 that was never hotter than 47 C of the 60 C it is made for.
 */
static bool was_never_there(struct judge *j, const struct fact *over,
			    const struct fact *limit)
{
	static const enum fact_id ids[] = { FACT_TEMPERATURE_MAX, FACT_SCT_LIFE_MAX };
	const struct fact *hottest = highest_of(j, ids, array_size(ids));

	if (!hottest || hottest->s >= limit->s)
		return false;
	judge_ignore(j,
		     judge_text(j, "%s above the limit (SCT)",
				judge_count(j, over->u, "temperature", "temperatures")),
		     judge_text(j, "hottest ever was %lld C, the limit is %lld C",
				(long long)hottest->s, (long long)limit->s));
	return true;
}

/* Minutes above the limit are of its whole life: worth knowing, no alarm. */
static enum rule_answer was_too_hot(struct judge *j, const struct fact *limit)
{
	const struct fact *over = drive_fact(j->d, FACT_SCT_OVER, 0, 0);
	struct finding *f;

	if (!over || over->u < LIMIT_OVER_LIMIT_MINUTES || over->u > UINT32_MAX ||
	    was_never_there(j, over, limit))
		return ANSWER_FINE;
	f = judge_found(
		j, CODE_M10, SEVERITY_NOTE, CONFIDENCE_MODERATE,
		"The disk is not too hot now; in its life it was, %s times at a look.",
		judge_number(j, over->u));
	judge_for(j, f, SIDE_DRIVE, over,
		  "count of temperatures above the limit (SCT): %s",
		  judge_number(j, over->u));
	judge_next(j, f, "Nothing to do now; mind the air in summer and under load.");
	return ANSWER_FOUND;
}

static enum rule_answer rule_heat(struct judge *j)
{
	const struct fact *now = drive_fact(j->d, FACT_TEMPERATURE, 0, 0);
	const struct fact *limit = heat_limit(j);
	struct finding *f;

	if (!judge_is_rotating(j))
		return ANSWER_NOT_FOR_IT;
	if (!now || !limit || limit->s < 30)
		return ANSWER_CANNOT_TELL;
	if (now->s < limit->s)
		return was_too_hot(j, limit); /* a highest value of long ago is history */
	f = judge_found(j, CODE_M10, SEVERITY_WARNING, CONFIDENCE_STRONG,
			"The disk is at %lld C, its limit is %lld C.", (long long)now->s,
			(long long)limit->s);
	f->where = "around the drive: no air";
	f->where_confidence = CONFIDENCE_STRONG;
	judge_for(j, f, SIDE_DRIVE, now, "temperature now: %lld C", (long long)now->s);
	judge_for(j, f, SIDE_DRIVE, limit, "its own limit: %lld C", (long long)limit->s);
	judge_next(j, f,
		   "Air: fans, dust, space between drives. Then read the temperature "
		   "again under load.");
	return ANSWER_FOUND;
}

static bool reads_are_slow(const struct judge *j)
{
	size_t n;
	const struct fact *share = drive_facts(j->d, FACT_READ_SLOW_SHARE, &n);

	for (size_t i = 0; i < n; i++)
		if (share[i].u >= LIMIT_SLOW_SHARE_PPM)
			return true;
	return false;
}

static enum rule_answer rule_shaken(struct judge *j)
{
	const struct fact *shocks = drive_fact(j->d, FACT_ATTR_RAW, 191, 0);
	const struct fact *name = drive_fact(j->d, FACT_ATTR_NAME, 191, 0);
	struct finding *f;

	if (!judge_is_rotating(j))
		return ANSWER_NOT_FOR_IT;
	if (!shocks)
		return ANSWER_CANNOT_TELL;
	if (!name || !str_starts(name->text, "G-Sense") ||
	    shocks->u < LIMIT_SHAKES_MANY || shocks->u > UINT32_MAX || !reads_are_slow(j))
		return ANSWER_FINE;
	f = judge_found(j, CODE_M09, SEVERITY_NOTE, CONFIDENCE_WEAK,
			"The drive felt %s shocks, and some reads are slow.",
			judge_number(j, shocks->u));
	judge_for(j, f, SIDE_DRIVE, shocks, "attribute 191 = %s",
		  judge_number(j, shocks->u));
	judge_next(j, f, "Measure with the neighbours at rest, then in another bay.");
	return ANSWER_FOUND;
}

/* --- K04: who gives up first --------------------------------------------------------------------- */

/* The disk has no limit for its own recovery: off, or it does not know the command. */
static const struct fact *no_recovery_limit(const struct judge *j)
{
	const struct fact *erc = rules_fact(j, FACT_SCT_ERC_READ);
	const struct fact *text = rules_fact(j, FACT_SCT_ERC_TEXT);

	if (erc)
		return erc->u == 0 ? erc : NULL;
	return text && !strstr(text->text, "not read") ? text : NULL;
}

static enum rule_answer rule_recovery_time(struct judge *j)
{
	struct kernel_view k = kernel_look(j);
	const struct fact *off = no_recovery_limit(j);
	uint64_t timeout = rules_number(j, FACT_COMMAND_TIMEOUT_S);
	bool trouble = silent(&k) || k.classes[EVENT_ARRAY] || k.n[KERNEL_MEDIA];
	struct finding *f;

	if (judge_is_ssd(j))
		return ANSWER_NOT_FOR_IT;
	if (!off)
		return rules_fact(j, FACT_SCT_ERC_READ) ? ANSWER_FINE
							: ANSWER_CANNOT_TELL;
	if (!rules_is_member(j) || timeout >= LIMIT_RECOVERY_NEEDS_S ||
	    drive_flag(j->d, FACT_DB_SMR, 0) || k.n[KERNEL_WIRE])
		return ANSWER_FINE;
	f = judge_found(
		j, CODE_K04, trouble ? SEVERITY_WARNING : SEVERITY_NOTE,
		trouble ? CONFIDENCE_MODERATE : CONFIDENCE_STRONG,
		trouble ? "The disk tries longer than the kernel waits: the kernel "
			  "resets it and the array throws it out."
			: "A member of an array without a limit for error recovery: a "
			  "bad sector will throw it out.");
	f->where = "between the disk's error recovery and the kernel's time-out";
	f->where_confidence = f->confidence;
	judge_for(j, f, SIDE_DRIVE, off, "error recovery control is off or not there");
	judge_for(j, f, SIDE_HOST, rules_fact(j, FACT_COMMAND_TIMEOUT_S),
		  "the kernel waits %llu s%s",
		  (unsigned long long)(timeout ? timeout : LIMIT_KERNEL_TIMEOUT_S),
		  timeout ? "" : " unless it was told otherwise");
	kernel_for(j, f, &k, KERNEL_QUEUED);
	kernel_for(j, f, &k, KERNEL_SILENT);
	kernel_for_class(j, f, &k, EVENT_ARRAY);
	judge_next(j, f,
		   "At each boot: smartctl -l scterc,70,70 %s; if it refuses: echo 180 > "
		   "/sys/block/DISK/device/timeout.",
		   judge_device(j));
	judge_next(j, f,
		   "Then scrub the array, so that bad sectors are found and rewritten.");
	return ANSWER_FOUND;
}

/* --- M05 ------------------------------------------------------------------------------------------- */

/* Mean wait of a read by the kernel's statistics since boot; 0 when too few were done. */
static uint64_t wait_us(const struct drive *d)
{
	uint64_t reads, ms;

	if (!drive_u64(d, FACT_HOST_READS, 0, 0, &reads) ||
	    !drive_u64(d, FACT_HOST_READ_MS, 0, 0, &ms) || reads < LIMIT_TWIN_READS)
		return 0;
	return ms * 1000 / reads;
}

/* One of several drives of a model waits many times as long as each of its twins. */
static bool is_slow_twin(const struct judge *j, uint64_t *ret_own, uint64_t *ret_other)
{
	const char *model = drive_text(j->d, FACT_MODEL, 0, 0);
	unsigned twins = 0;

	*ret_own = wait_us(j->d);
	*ret_other = 0;
	for (size_t i = 0; model && i < j->the_case->n_drives; i++) {
		const struct drive *d = j->the_case->drives[i];
		uint64_t wait = d == j->d ? 0 : wait_us(d);

		if (!wait || !str_equal(drive_text(d, FACT_MODEL, 0, 0), model))
			continue;
		twins++;
		if (wait > *ret_other)
			*ret_other = wait;
	}
	return twins >= 2 && *ret_own >= LIMIT_TWIN_FACTOR * *ret_other;
}

static enum rule_answer rule_weak_place(struct judge *j)
{
	struct kernel_view k = kernel_look(j);
	uint64_t own, other;
	bool twin = is_slow_twin(j, &own, &other);
	bool log = silent(&k) && rules_has_media_trouble(j);
	struct finding *f;

	if (!judge_is_rotating(j))
		return ANSWER_NOT_FOR_IT;
	if (!log && !twin)
		return k.there ? ANSWER_FINE : ANSWER_CANNOT_TELL;
	if (k.n[KERNEL_WIRE] || drive_flag(j->d, FACT_DB_SMR, 0))
		return ANSWER_FINE;
	f = judge_found(j, CODE_M05, SEVERITY_WARNING, CONFIDENCE_MODERATE,
			"The disk reads some places only after many tries.");
	f->where = "in the drive: some of its tracks";
	f->where_confidence = CONFIDENCE_MODERATE;
	if (twin)
		judge_for(j, f, SIDE_HOST, drive_fact(j->d, FACT_HOST_READ_MS, 0, 0),
			  "a read waits %s us on average, on its twins at most %s us",
			  judge_number(j, own), judge_number(j, other));
	kernel_for(j, f, &k, KERNEL_QUEUED);
	kernel_for(j, f, &k, KERNEL_SILENT);
	add_backup(j, f);
	judge_next(j, f,
		   "Run the long self-test (smartctl -t long %s) and read the whole "
		   "surface. "
		   "Slow again after the places were rewritten: replace it.",
		   judge_device(j));
	return ANSWER_FOUND;
}

const struct rule rules_disk[] = {
	{ CODE_M07, rule_electronics, "ACS-3 status register DF; libata resets" },
	{ CODE_M06, rule_spindle, "scrutiny's bins of Backblaze data, attribute 10" },
	{ CODE_M08, rule_shingles,
	  "unix.stackexchange 211550; openzfs#9800, openzfs#10214" },
	{ CODE_K04, rule_recovery_time, "raid.wiki.kernel.org, Timeout Mismatch" },
	{ CODE_M05, rule_weak_place,
	  "repeated slow places; time-outs beside bad sectors" },
	{ CODE_M10, rule_heat, "SCT status; device statistics page 05h" },
	{ CODE_M09, rule_shaken, "general knowledge: G-sense count" },
	{ CODE_COUNT, NULL, NULL },
};
