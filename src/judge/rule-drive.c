/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The drive as a whole: locked (K10), worn out (D01). */
#include "base/str.h"
#include "judge/context.h"
#include "judge/kernel.h"
#include "judge/limits.h"
#include "judge/rules.h"
#include "judge/wear.h"

/*
 * A locked drive aborts every read (51/04) and does all else: without its word of the lock that is the
 * best explanation of reads that are aborted and of nothing else.
 */
static enum rule_answer rule_locked_by_log(struct judge *j)
{
	struct kernel_view k = kernel_look(j);
	struct finding *f;

	if (!k.there)
		return ANSWER_CANNOT_TELL;
	if (k.n[KERNEL_ABORT] < LIMIT_HARD_RESETS_MANY || k.n[KERNEL_WIRE] ||
	    k.n[KERNEL_MEDIA] || k.n[KERNEL_QUEUED] || k.n[KERNEL_SILENT] ||
	    k.n[KERNEL_WAKE] || k.n[KERNEL_PLUG] || rules_is_nvme(j) ||
	    !kernel_is_read(k.first[KERNEL_ABORT]))
		return ANSWER_FINE;
	f = judge_found(j, CODE_K10, SEVERITY_CRITICAL, CONFIDENCE_MODERATE,
			"The drive aborts every read and nothing else: most likely it is "
			"locked with an ATA password.");
	f->where = "in the drive: its security setting";
	f->where_confidence = CONFIDENCE_MODERATE;
	kernel_for(j, f, &k, KERNEL_ABORT);
	judge_against(j, f, SIDE_NONE, NULL,
		      "the security state itself was not given (hdparm -I, smartctl -x)");
	judge_next(j, f,
		   "hdparm -I %s | grep -A8 Security: \"locked\" decides it. Then unlock "
		   "it with "
		   "the password that was set; the drive is not failing.",
		   judge_device(j));
	return ANSWER_FOUND;
}

static enum rule_answer rule_locked(struct judge *j)
{
	const struct fact *locked = drive_fact(j->d, FACT_SECURITY_LOCKED, 0, 0);
	struct finding *f;

	if (!locked)
		return rule_locked_by_log(j);
	if (!locked->u)
		return ANSWER_FINE;
	f = judge_found(
		j, CODE_K10, SEVERITY_CRITICAL, CONFIDENCE_CERTAIN,
		"The drive is locked with an ATA password: it refuses every read.");
	f->where = "in the drive: its security setting";
	f->where_confidence = CONFIDENCE_CERTAIN;
	judge_for(j, f, SIDE_DRIVE, locked, "ATA security: locked");
	judge_next(
		j, f,
		"Unlock it with the password that was set (hdparm --security-unlock, or "
		"the firmware setup). Read errors seen meanwhile mean nothing.");
	return ANSWER_FOUND;
}

static void say_wear(struct judge *j, struct finding *f, const struct wear *w,
		     bool for_it)
{
	bool left = w->fact->key.id == FACT_LIFE_LEFT;

	(for_it ? judge_for : judge_against)(
		j, f, SIDE_DRIVE, w->fact, "%s%s %% of the rated life is %s (%s)",
		for_it ? "" : "only ",
		judge_number(j, left && for_it ? w->fact->u : w->used_percent),
		left && for_it ? "left" : "used", judge_teller(j, w->fact));
}

static enum rule_answer rule_worn(struct judge *j)
{
	struct wear_view v;
	bool doubtful;
	struct finding *f;

	if (judge_is_rotating(j))
		return ANSWER_NOT_FOR_IT; /* the statistics page exists there too */
	v = wear_look(j);
	if (!v.n)
		return ANSWER_CANNOT_TELL;
	if (!v.n_near)
		return ANSWER_FINE;
	/* one word against another: nobody knows which of them measures the flash */
	doubtful = v.n_near == 1 && v.n > 1;
	f = judge_found(j, CODE_D01, SEVERITY_WARNING,
			doubtful ? CONFIDENCE_MODERATE : CONFIDENCE_CERTAIN,
			v.most.used_percent >= 100
				? "The SSD is past the life it is rated for."
				: "The SSD is near the end of the life it is rated for.");
	f->where = "in the drive: its flash";
	f->where_confidence = CONFIDENCE_CERTAIN;
	say_wear(j, f, &v.most, true);
	if (v.least.fact != v.most.fact)
		say_wear(j, f, &v.least, wear_is_near(&v.least));
	judge_against(j, f, SIDE_NONE, NULL,
		      "many SSDs work far beyond their rated life");
	judge_next(j, f, "Back up now, keep backing up, and plan to replace it.");
	return ANSWER_FOUND;
}

const struct rule rules_drive[] = {
	{ CODE_K10, rule_locked, "ACS-3 IDENTIFY DEVICE word 128" },
	{ CODE_D01, rule_worn, "ACS-4 9.5.10 percentage used endurance indicator" },
	{ CODE_COUNT, NULL, NULL },
};
