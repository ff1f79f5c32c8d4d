/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Solid state drives: failing flash (D02), old data (D03), no TRIM (D04, U05), cache at its end (D05),
 * flushes (D06, K07), read-only (D07), heat (D08), firmware (D09), wrong data (D10).
 */
#include <string.h>

#include "base/str.h"
#include "judge/kernel.h"
#include "judge/rules.h"
#include "judge/speed.h"
#include "judge/wear.h"

/* --- D02 ------------------------------------------------------------------------------------------ */

/* Program and erase failures by the names that smartctl gives them. */
static const struct fact *flash_failures(const struct judge *j)
{
	static const uint32_t ids[] = { 171, 172, 181, 182 };
	const struct fact *worst = NULL;

	for (size_t i = 0; i < array_size(ids); i++) {
		const struct fact *raw = drive_fact(j->d, FACT_ATTR_RAW, ids[i], 0);
		const char *name = drive_text(j->d, FACT_ATTR_NAME, ids[i], 0);

		if (!raw || !name || raw->u > UINT32_MAX ||
		    !(strstr(name, "Program_Fail") || strstr(name, "Erase_Fail")))
			continue;
		if (!worst || raw->u > worst->u)
			worst = raw;
	}
	return worst;
}

static bool is_little_used(const struct wear_view *wear)
{
	return wear->n && wear->most.used_percent < LIMIT_FLASH_YOUNG_PERCENT;
}

static bool is_kernel_media(const struct judge *j)
{
	struct kernel_view k = kernel_look(j);

	return k.n[KERNEL_MEDIA] > 0;
}

static enum rule_answer rule_flash(struct judge *j)
{
	const struct fact *failures = flash_failures(j);
	bool lost = rules_found(j, CODE_M01, SEVERITY_WARNING) || is_kernel_media(j);
	bool known = drive_flag(j->d, FACT_DB_BUG_MEDIA, 0);
	bool grows = failures && failures->u >= LIMIT_FLASH_FAILURES;
	/* no surer than the lost sectors that it explains */
	bool sure = known || grows || rules_found(j, CODE_M01, SEVERITY_CRITICAL) ||
		    is_kernel_media(j);
	struct wear_view wear;
	struct finding *f;

	if (!judge_is_ssd(j) && !rules_is_nvme(j))
		return ANSWER_NOT_FOR_IT;
	if (!failures && !judge_has_section(j, "attributes") && !lost)
		return ANSWER_CANNOT_TELL;
	wear = wear_look(j);
	if (!(lost && (known || grows || is_little_used(&wear))))
		return ANSWER_FINE;
	f = judge_found(j, CODE_D02, sure ? SEVERITY_CRITICAL : SEVERITY_WARNING,
			known  ? CONFIDENCE_STRONG
			: sure ? CONFIDENCE_MODERATE
			       : CONFIDENCE_WEAK,
			"The flash of this SSD fails although it is not worn out%s.",
			known ? ": its family and firmware are known for it" : "");
	f->where = "in the drive: its flash";
	f->where_confidence = sure ? CONFIDENCE_STRONG : CONFIDENCE_WEAK;
	judge_for(j, f, SIDE_DRIVE, NULL, "it cannot read some of its sectors (M01)");
	if (known)
		judge_for(j, f, SIDE_DATABASE,
			  drive_fact(j->d, FACT_DB_FIRMWARE_BUG, 0, 0), "%s",
			  drive_text(j->d, FACT_DB_FIRMWARE_BUG, 0, 0));
	if (grows)
		judge_for(j, f, SIDE_DRIVE, failures,
			  "%s failed to program or erase (attribute %u)",
			  judge_count(j, failures->u, "block", "blocks"),
			  failures->key.i);
	if (is_little_used(&wear))
		judge_for(j, f, SIDE_DRIVE, wear.most.fact,
			  "little of its rated life is used");
	judge_next(j, f,
		   "Back up now: copy what matters off this drive before anything else.");
	if (!sure)
		judge_next(
			j, f,
			"Run the long self-test (smartctl -t long %s): what was seen is "
			"little or old. Only if it fails again:",
			judge_device(j));
	judge_next(j, f,
		   "Have it replaced under warranty. New firmware and a full erase may "
		   "make it "
		   "usable again; they bring no data back.");
	return ANSWER_FOUND;
}

/* --- D03 ------------------------------------------------------------------------------------------ */

static enum rule_answer rule_old_data(struct judge *j)
{
	struct speed_view v = speed_look(j);
	struct kernel_view k = kernel_look(j);
	bool known = drive_flag(j->d, FACT_DB_OLD_SLOW, 0);
	bool contrast =
		speed_is_times(&v.read_best, &v.read_worst, LIMIT_OLD_DATA_FACTOR);
	const struct fact *floor = drive_fact(j->d, FACT_FLOOR_SEQ, 0, 0);
	bool below =
		v.read_worst.fact && floor && v.read_worst.bytes_s < floor->u * 1000000;
	struct finding *f;

	if (!judge_is_ssd(j))
		return judge_is_rotating(j) ? ANSWER_NOT_FOR_IT : ANSWER_CANNOT_TELL;
	if (!v.n_reads)
		return ANSWER_CANNOT_TELL;
	if (!known || k.faults || (!contrast && !below))
		return ANSWER_FINE;
	f = judge_found(j, CODE_D03, SEVERITY_WARNING,
			contrast ? CONFIDENCE_STRONG : CONFIDENCE_MODERATE,
			"Data written long ago reads slowly on this family%s.",
			contrast ? ", fresh data does not" : "");
	f->where = "in the drive: its flash and how it reads it";
	f->where_confidence = f->confidence;
	speed_for(j, f, &v.read_worst, "the slow place reads");
	if (contrast)
		speed_for(j, f, &v.read_best, "another reads");
	judge_for(j, f, SIDE_DATABASE, drive_fact(j->d, FACT_DB_OLD_SLOW, 0, 0),
		  "this family is known for it");
	link_add_clean(j, f, false);
	judge_against(j, f, SIDE_NONE, NULL,
		      "which data is old was not told; heat and other work would be slow "
		      "everywhere");
	judge_next(j, f,
		   "Read one old and one new large file (dd if=FILE of=/dev/null bs=1M "
		   "iflag=direct): old slow and new fast decides it.");
	judge_next(j, f,
		   "Update the firmware, then write the old data anew (copy it off and "
		   "back).");
	return ANSWER_FOUND;
}

/* --- D04, U05, D05, K06: slow writes ----------------------------------------------------------------- */

/* Writes far below what the drive reads, or is rated for. */
static bool writes_slowly(const struct speed_view *v)
{
	return speed_is_times(&v->read_best, &v->write_worst, LIMIT_WRITE_FIFTH) ||
	       speed_is_times(&v->write_best, &v->write_worst, LIMIT_WRITE_FIFTH);
}

/* fstrim ran, and a run behind it in the text is fast again. */
static bool trim_cured(const struct judge *j, const struct speed_view *v)
{
	const struct fact *trim = rules_fact(j, FACT_TRIMMED);

	return trim && trim->u && speed_is_times(&v->write_best, &v->write_worst, 3) &&
	       v->write_best.fact->origin.line > trim->origin.line &&
	       v->write_worst.fact->origin.line < trim->origin.line;
}

/* The path passes no discard; that it hurts was not measured. */
static enum rule_answer found_no_discard(struct judge *j, bool usb,
					 const struct fact *discard)
{
	struct finding *f = judge_found(j, usb ? CODE_U05 : CODE_D04, SEVERITY_NOTE,
					CONFIDENCE_MODERATE,
					"This path passes no TRIM to the SSD: its writes "
					"get slow once it is full.");

	f->where = "on the path: no discard gets through";
	f->where_confidence = CONFIDENCE_CERTAIN;
	judge_for(j, f, SIDE_HOST, discard, "discard_max_bytes is 0");
	judge_against(j, f, SIDE_NONE, NULL, "how fast it writes was not given");
	judge_next(j, f,
		   "Measure a large write. Slow: another port, controller or bridge that "
		   "passes discards, then fstrim -av.");
	return ANSWER_FOUND;
}

static enum rule_answer rule_no_trim(struct judge *j)
{
	struct speed_view v = speed_look(j);
	struct kernel_view k = kernel_look(j);
	const struct fact *discard = rules_fact(j, FACT_DISCARD_MAX);
	bool none = discard && !discard->u, cured = trim_cured(j, &v);
	bool usb = rules_is_usb(j), off;
	struct finding *f;

	if (judge_is_rotating(j))
		return ANSWER_NOT_FOR_IT;
	off = rules_fact(j, FACT_WRITE_CACHE) && !rules_number(j, FACT_WRITE_CACHE);
	if (!v.n_writes)
		return none && judge_is_ssd(j) ? found_no_discard(j, usb, discard)
		       : discard	       ? ANSWER_FINE
					       : ANSWER_CANNOT_TELL;
	if ((!writes_slowly(&v) && !cured) || k.faults || off ||
	    (!judge_is_ssd(j) && !none && !cured && !rules_fact(j, FACT_TRIMMED)))
		return ANSWER_FINE;
	f = judge_found(
		j, usb && none ? CODE_U05 : CODE_D04, SEVERITY_WARNING,
		cured ? CONFIDENCE_STRONG : CONFIDENCE_MODERATE,
		"The SSD writes far slower than it reads: it is not told which space "
		"is free%s.",
		none ? ", for this path passes no discards" : "");
	f->where = none ? "on the path: no discard gets through"
			: "in the drive: no free blocks to write to";
	f->where_confidence = none ? CONFIDENCE_STRONG : CONFIDENCE_MODERATE;
	speed_for(j, f, &v.write_worst, "it writes");
	speed_for(j, f, &v.write_best,
		  cured ? "after fstrim it writes" : "at best it writes");
	speed_for(j, f, &v.read_best, "it reads");
	if (none)
		judge_for(j, f, SIDE_HOST, discard, "discard_max_bytes is 0");
	if (cured)
		judge_for(j, f, SIDE_HOST, rules_fact(j, FACT_TRIMMED),
			  "fstrim gave %s bytes back, and the writes are fast again",
			  judge_number(j, rules_number(j, FACT_TRIMMED)));
	else
		judge_against(
			j, f, SIDE_NONE, NULL,
			"a small write cache at its end (D05) looks alike until it has "
			"rested");
	judge_next(j, f,
		   "fstrim -av, then the same write again; fast means that was it: "
		   "systemctl "
		   "enable fstrim.timer.");
	judge_next(j, f,
		   usb ? "If fstrim says it is not supported: another bridge, or a SATA "
			 "port."
		       : "If fstrim says it is not supported: another port or "
			 "controller, or "
			 "a secure erase after a backup.");
	return ANSWER_FOUND;
}

static enum rule_answer rule_small_cache(struct judge *j)
{
	struct speed_view v = speed_look(j);
	bool dramless = drive_flag(j->d, FACT_DB_DRAMLESS, 0);
	struct finding *f;

	if (judge_is_rotating(j))
		return ANSWER_NOT_FOR_IT;
	if (!v.n_writes || !drive_text(j->d, FACT_MODEL, 0, 0))
		return ANSWER_CANNOT_TELL;
	if (!dramless || !writes_slowly(&v))
		return ANSWER_FINE;
	f = judge_found(
		j, CODE_D05, SEVERITY_NOTE, CONFIDENCE_MODERATE,
		"A drive of this kind writes fast only as long as its cache lasts.");
	judge_for(j, f, SIDE_DATABASE, drive_fact(j->d, FACT_DB_DRAMLESS, 0, 0),
		  "it has no memory of its own for its tables");
	speed_for(j, f, &v.write_worst, "it writes");
	judge_next(
		j, f,
		"Let it rest for an hour and write again: fast at first is the cache.");
	return ANSWER_FOUND;
}

static enum rule_answer rule_flushes(struct judge *j)
{
	struct speed_view v = speed_look(j);
	bool disk = judge_is_rotating(j);
	struct finding *f;

	if (!v.flush)
		return ANSWER_CANNOT_TELL;
	if (v.flush_ns < (uint64_t)LIMIT_FLUSH_SLOW_US * 1000)
		return ANSWER_FINE;
	f = judge_found(
		j, disk ? CODE_K07 : CODE_D06, SEVERITY_WARNING, CONFIDENCE_MODERATE,
		disk ? "Flushes wait for the disk to turn: %llu.%llu ms each."
		     : "A flush takes %llu.%llu ms: the drive writes its cache to "
		       "flash each time.",
		(unsigned long long)(v.flush_ns / 1000000),
		(unsigned long long)(v.flush_ns / 100000 % 10));
	f->where = "in the drive: it must finish before it may answer";
	f->where_confidence = CONFIDENCE_STRONG;
	judge_for(j, f, SIDE_MEASURED, v.flush, "flushes as measured");
	judge_next(
		j, f,
		disk ? "Put journals and databases on an SSD with power-loss protection."
		     : "A drive with power-loss protection, or a journal of its own.");
	return ANSWER_FOUND;
}

/* --- D09 ------------------------------------------------------------------------------------------ */

/* Behind libata the kernel counts each command that its error handling saw, refused ones too. */
static bool has_timed_out(const struct judge *j)
{
	const char *port = drive_text(j->d, FACT_PORT, 0, 0);

	return rules_number(j, FACT_COMMANDS_TIMED_OUT) &&
	       !(port && str_starts(port, "ata"));
}

/* Anything that such a fault could show itself by. */
static bool has_symptom(const struct judge *j, const struct kernel_view *k)
{
	return k->faults || k->n[KERNEL_QUEUED] || has_timed_out(j) ||
	       rules_found(j, CODE_M01, SEVERITY_WARNING) ||
	       rules_found(j, CODE_M07, SEVERITY_WARNING) ||
	       rules_found(j, CODE_D11, SEVERITY_WARNING);
}

static enum rule_answer rule_firmware(struct judge *j)
{
	struct kernel_view k = kernel_look(j);
	const struct fact *bug = drive_fact(j->d, FACT_DB_FIRMWARE_BUG, 0, 0);
	const struct fact *at = drive_fact(j->d, FACT_DB_BUG_HOURS, 0, 0);
	const struct fact *hours = drive_fact(j->d, FACT_POWER_ON_HOURS, 0, 0);
	bool near, past, symptom = has_symptom(j, &k);
	struct finding *f;

	if (!drive_text(j->d, FACT_MODEL, 0, 0) || !drive_text(j->d, FACT_FIRMWARE, 0, 0))
		return ANSWER_CANNOT_TELL;
	if (!bug)
		return ANSWER_FINE;
	past = at && hours && hours->u >= at->u;
	near = at && hours && hours->u * 100 >= at->u * LIMIT_FIRMWARE_HOURS_PERCENT;
	f = judge_found(j, CODE_D09,
			past || near || symptom ? SEVERITY_WARNING : SEVERITY_NOTE,
			past ? CONFIDENCE_CERTAIN : CONFIDENCE_STRONG,
			"Known fault of this firmware: %s.", bug->text);
	f->where = "in the drive: its firmware";
	f->where_confidence = f->confidence;
	judge_for(j, f, SIDE_DATABASE, bug, "model and firmware match a known fault");
	if (hours && at)
		judge_for(j, f, SIDE_DRIVE, hours, "%s power-on hours; it strikes at %s",
			  judge_number(j, hours->u), judge_number(j, at->u));
	kernel_for(j, f, &k, KERNEL_QUEUED);
	kernel_for(j, f, &k, KERNEL_SILENT);
	kernel_for_class(j, f, &k, EVENT_REMOVED);
	judge_next(j, f, "Copy the data, then update the firmware: %s.", bug->text);
	return ANSWER_FOUND;
}

/* --- D10 ------------------------------------------------------------------------------------------ */

static enum rule_answer rule_wrong_data(struct judge *j)
{
	struct kernel_view k = kernel_look(j);
	const struct fact *sums = rules_fact(j, FACT_FS_CHECKSUM_ERRORS);
	struct finding *f;

	if (!sums)
		return ANSWER_CANNOT_TELL;
	if (!sums->u || k.n[KERNEL_WIRE] || rules_has_media_trouble(j) ||
	    rules_found(j, CODE_L07, SEVERITY_WARNING))
		return ANSWER_FINE;
	f = judge_found(
		j, CODE_D10, SEVERITY_WARNING, CONFIDENCE_WEAK,
		"The file system finds wrong checksums (%s) while drive and link report "
		"nothing.",
		judge_number(j, sums->u));
	judge_for(j, f, SIDE_HOST, sums, "%s on this drive",
		  judge_count(j, sums->u, "wrong checksum", "wrong checksums"));
	judge_against(j, f, SIDE_NONE, NULL,
		      "memory and controller are as likely as the drive");
	judge_next(
		j, f,
		"Back up from another copy. Test the memory for a night (memtest86+).");
	judge_next(
		j, f,
		"Clear the counts, scrub, then move the drive to another port: what the "
		"errors follow is bad.");
	return ANSWER_FOUND;
}

const struct rule rules_ssd[] = {
	{ CODE_D02, rule_flash, "techpowerup.com thread 291504; makers' attributes" },
	{ CODE_D09, rule_firmware, "the record of the drive database" },
	{ CODE_D03, rule_old_data, "yktoo.com 2015-07-20; pcper.com" },
	{ CODE_D04, rule_no_trim, "EnhanceIO#83; crouton#561" },
	{ CODE_D05, rule_small_cache, "general knowledge, unverified" },
	{ CODE_D06, rule_flushes, "etcd#14181" },
	{ CODE_D10, rule_wrong_data, "home-ops#5853; Linux quirk of JMB582/585" },
	{ CODE_COUNT, NULL, NULL },
};
