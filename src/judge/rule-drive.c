/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The drive as a whole: locked (K10), worn out (D01). */
#include "base/str.h"
#include "judge/context.h"

static enum answer rule_locked(struct judge *j)
{
	const struct fact *locked = drive_fact(j->d, FACT_SECURITY_LOCKED, 0, 0);
	struct finding *f;

	if (!locked)
		return ANSWER_CANNOT_TELL;
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

/* ACS-4 9.5.10: 255 stands for 255 or more; some firmware reports it on new drives. */
#define USED_SATURATED 255u
/* A young drive cannot be worn out by so little: then the figure is firmware's. Proposed. */
#define YOUNG_HOURS 5000u

static enum answer rule_worn(struct judge *j)
{
	const struct fact *used = drive_fact(j->d, FACT_LIFE_USED, 0, 0);
	const struct fact *left = drive_fact(j->d, FACT_LIFE_LEFT, 0, 0);
	uint64_t hours;
	struct finding *f;
	bool over;

	if (judge_is_rotating(j))
		return ANSWER_NOT_FOR_IT; /* the statistics page exists there too */
	if (used && used->u >= USED_SATURATED &&
	    drive_u64(j->d, FACT_POWER_ON_HOURS, 0, 0, &hours) && hours < YOUNG_HOURS) {
		judge_ignore(j, "life used 255 %",
			     "at its end on a drive of few hours: a placeholder");
		used = NULL;
	}
	if (!used && !left)
		return ANSWER_CANNOT_TELL;
	over = used ? used->u >= 100 : left->u <= 1;
	if (!over && (!left || left->u > 10) && (!used || used->u < 90))
		return ANSWER_FINE;
	f = judge_found(j, CODE_D01, SEVERITY_WARNING, CONFIDENCE_CERTAIN,
			over ? "The SSD is past the life it is rated for."
			     : "The SSD is near the end of the life it is rated for.");
	f->where = "in the drive: its flash";
	f->where_confidence = CONFIDENCE_CERTAIN;
	if (used)
		judge_for(j, f, SIDE_DRIVE, used, "%s %% of the rated life is used (%s)",
			  judge_number(j, used->u), judge_teller(j, used));
	if (left)
		judge_for(j, f, SIDE_DRIVE, left, "%s %% of the rated life is left (%s)",
			  judge_number(j, left->u), judge_teller(j, left));
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
