/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A drive's past: used before it was sold (H01), gone (H02); and numbers that alarm others (F). */
#include <string.h>

#include "base/str.h"
#include "judge/kernel.h"
#include "judge/rules.h"

/* "Power on Hours: 12345" among the lines of the FARM log. */
static const struct fact *farm_hours(const struct judge *j, uint64_t *ret)
{
	static const char *const names[] = { "Power on Hours", "Power On Hours",
					     "Spindle Power on Hours", NULL };
	size_t n;
	const struct fact *lines = drive_facts(j->d, FACT_FARM, &n), *best = NULL;

	for (size_t i = 0; i < n; i++) {
		for (const char *const *name = names; *name; name++) {
			const char *at = strstr(lines[i].text, *name);
			uint64_t u;

			at = at ? strchr(at, ':') : NULL;
			while (at && (*at == ':' || *at == ' '))
				at++;
			if (!at || str_take_u64(&at, 10, &u) < 0 || u > 1000000)
				continue;
			if (!best || u > *ret) {
				best = &lines[i];
				*ret = u;
			}
		}
	}
	return best;
}

/* Device statistics keep hours of their own; a reset of attribute 9 does not reach them. */
static const struct fact *statistics_hours(const struct judge *j, uint64_t *ret)
{
	const struct fact *f = drive_fact(j->d, FACT_STAT_VALUE, 0x01, 0x010);

	if (!f || f->s <= 0 || f->s > 1000000 ||
	    drive_fact(j->d, FACT_STAT_DOUBT, 0x01, 0x010) ||
	    drive_fact(j->d, FACT_DB_STAT_PLACEHOLDER, 0x01, 0x010))
		return NULL;
	*ret = (uint64_t)f->s;
	return f;
}

/* Newest entry of the self-test log: a stamp above the present hours is of another life. */
static bool is_far_above(uint64_t hours, uint64_t claimed)
{
	return hours > claimed + LIMIT_USED_BEFORE_HOURS &&
	       hours >= LIMIT_USED_BEFORE_FACTOR * claimed;
}

static enum rule_answer rule_used_before(struct judge *j)
{
	const struct fact *nine = drive_fact(j->d, FACT_ATTR_RAW, 9, 0);
	const struct fact *claim = drive_fact(j->d, FACT_POWER_ON_HOURS, 0, 0);
	const struct fact *other;
	uint64_t farm = 0, statistics = 0, most;
	const struct fact *f1 = farm_hours(j, &farm),
			  *f2 = statistics_hours(j, &statistics);
	struct finding *f;

	if (!nine || !claim || (!f1 && !f2))
		return ANSWER_CANNOT_TELL;
	other = farm >= statistics ? f1 : f2;
	most = farm >= statistics ? farm : statistics;
	/* the quantity takes the largest of its tellers; the claim is attribute 9 alone */
	if (nine->u > 1000000 || drive_fact(j->d, FACT_ATTR_DOUBT, 9, 0) ||
	    !is_far_above(most, nine->u))
		return ANSWER_FINE;
	f = judge_found(
		j, CODE_H01, SEVERITY_WARNING, CONFIDENCE_STRONG,
		"The drive says %s hours, but a log that is harder to reset says %s: it "
		"was used before.",
		judge_number(j, nine->u), judge_number(j, most));
	judge_for(j, f, SIDE_DRIVE, other, "%s: %s hours",
		  other == f1 ? "FARM log" : "device statistics 01h/010h",
		  judge_number(j, most));
	judge_for(j, f, SIDE_DRIVE, nine, "attribute 9: %s hours",
		  judge_number(j, nine->u));
	judge_next(
		j, f,
		"Bought as new: ask the seller; the maker's warranty page tells when it "
		"was sold first. Do not rely on its other counts.");
	return ANSWER_FOUND;
}

static enum rule_answer rule_gone(struct judge *j)
{
	struct kernel_view k = kernel_look(j);
	bool gone = k.classes[EVENT_REMOVED] > 0;
	size_t n;
	struct finding *f;

	if (!k.there)
		return ANSWER_CANNOT_TELL;
	if (!gone || drive_facts(j->d, FACT_ATTR_VALUE, &n) || rules_is_usb(j))
		return ANSWER_FINE; /* it answers */
	f = judge_found(j, CODE_H02, SEVERITY_WARNING, CONFIDENCE_STRONG,
			"The kernel has given the drive up: it is not there any more.");
	f->where = "nowhere: the host has no drive in this place";
	f->where_confidence = CONFIDENCE_STRONG;
	kernel_for_class(j, f, &k, EVENT_REMOVED);
	kernel_for_class(j, f, &k, EVENT_LINK_DOWN);
	kernel_for_class(j, f, &k, EVENT_RESET_FAILED);
	judge_next(
		j, f,
		"Switch off fully, wait a minute, push both plugs home, switch on. Back: "
		"back up at once. Not back: another port and lead, another computer.");
	return ANSWER_FOUND;
}

/* Only when nothing else speaks of the medium: the number alone is known to come and go. */
static enum rule_answer rule_false_alarm(struct judge *j)
{
	const struct fact *pending = drive_fact(j->d, FACT_PENDING, 0, 0);
	const struct fact *raw = drive_fact(j->d, FACT_ATTR_RAW, 197, 0);
	struct finding *f;

	if (!pending && !raw)
		return ANSWER_CANNOT_TELL;
	if (!drive_flag(j->d, FACT_DB_PENDING_FLICKERS, 0) ||
	    !((pending && pending->u) || (raw && raw->u)) ||
	    rules_found(j, CODE_M01, SEVERITY_NOTE))
		return ANSWER_FINE;
	f = judge_found(
		j, CODE_F, SEVERITY_NOTE, CONFIDENCE_STRONG,
		"Attribute 197 comes and goes on this model without any unreadable "
		"sector.");
	judge_for(j, f, SIDE_DATABASE, drive_fact(j->d, FACT_DB_PENDING_FLICKERS, 0, 0),
		  "this family is known for it");
	judge_for(j, f, SIDE_DRIVE, raw, "attribute 197 = %s",
		  judge_number(j, pending ? pending->u : raw->u));
	judge_next(j, f,
		   "Nothing to do. Unreadable sectors in the kernel log, or a failed "
		   "self-test, would be another thing.");
	return ANSWER_FOUND;
}

const struct rule rules_past[] = {
	{ CODE_H01, rule_used_before,
	  "public reports on used disks sold as new, 2025; FARM" },
	{ CODE_H02, rule_gone, "libata and SCSI messages of removal" },
	{ CODE_F, rule_false_alarm, "smartmontools#48; drivedb ticket 1227" },
	{ CODE_COUNT, NULL, NULL },
};
