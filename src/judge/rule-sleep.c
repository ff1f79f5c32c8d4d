/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Errors of a link that wakes: the link slept (L05), or the drive did (L10). */
#include <string.h>

#include "base/str.h"
#include "judge/kernel.h"
#include "judge/rules.h"

static bool policy_is_awake(const struct judge *j)
{
	return str_equal(rules_text(j, FACT_LINK_POWER_POLICY), "max_performance");
}

/* Errors of a link that wakes: the drive slept (a disk, LinkSeq, near a stop or start), or the link. */
static bool drive_slept(const struct judge *j, const struct kernel_view *k)
{
	return k->wake_linkseq || 2 * k->near_sleep[KERNEL_WAKE] >= k->n[KERNEL_WAKE] ||
	       (judge_is_rotating(j) && !drive_flag(j->d, FACT_DB_NO_LPM, 0));
}

static void add_sleep_evidence(struct judge *j, struct finding *f,
			       const struct kernel_view *k)
{
	unsigned ports = kernel_ports_with(j, KERNEL_WAKE);

	kernel_for(j, f, k, KERNEL_WAKE);
	kernel_for(j, f, k, KERNEL_FLUSH);
	if (k->near_sleep[KERNEL_WAKE])
		judge_for(j, f, SIDE_HOST, NULL, "%u of them beside a sleep or a wake",
			  k->near_sleep[KERNEL_WAKE]);
	if (ports >= LIMIT_PORTS_TOGETHER)
		judge_for(j, f, SIDE_HOST, NULL,
			  "%u drives behave alike: not a single drive", ports);
	if (!k->n[KERNEL_WIRE])
		judge_for(
			j, f, SIDE_HOST, NULL,
			"no damaged frame (BadCRC, 10B8B, Handshk) in the log: against a "
			"cable");
}

static enum rule_answer rule_link_sleep(struct judge *j)
{
	struct kernel_view k = kernel_look(j);
	bool known = drive_flag(j->d, FACT_DB_NO_LPM, 0);
	bool hangs = known && (k.n[KERNEL_FLUSH] || k.n[KERNEL_QUEUED] ||
			       k.n[KERNEL_SILENT] || k.classes[EVENT_RESET_FAILED]);
	const char *policy = rules_text(j, FACT_LINK_POWER_POLICY);
	/* a flush is the first command after a pause; with a link that may sleep that is the rest */
	bool flush = policy && k.n[KERNEL_FLUSH] && !k.n[KERNEL_QUEUED] &&
		     !k.n[KERNEL_SILENT] && !rules_has_media_trouble(j) &&
		     !str_equal(policy, "keep_firmware_settings");
	struct finding *f;

	if (!k.there)
		return ANSWER_CANNOT_TELL;
	if ((!k.n[KERNEL_WAKE] && !hangs && !flush) || k.n[KERNEL_WIRE] ||
	    policy_is_awake(j) || (k.n[KERNEL_WAKE] && !known && drive_slept(j, &k)))
		return ANSWER_FINE;
	f = judge_found(
		j, CODE_L05, SEVERITY_WARNING,
		known || policy ? CONFIDENCE_STRONG : CONFIDENCE_MODERATE,
		"The link does not come back from its sleep: link power management.");
	f->where = "on the link: its power management";
	f->where_confidence = f->confidence;
	add_sleep_evidence(j, f, &k);
	if (known)
		judge_for(j, f, SIDE_DATABASE, drive_fact(j->d, FACT_DB_NO_LPM, 0, 0),
			  "the kernel keeps link power management off for this model");
	if (policy)
		judge_for(j, f, SIDE_HOST, rules_fact(j, FACT_LINK_POWER_POLICY),
			  "the policy lets the link sleep: %s", policy);
	judge_next(j, f,
		   "As root: for p in /sys/class/scsi_host/host*/"
		   "link_power_management_policy; do echo max_performance > $p; done; "
		   "make it "
		   "stay (udev rule, TLP), and wait as long as the errors took.");
	judge_next(j, f,
		   "Errors gone: that was it. Still there: cable and power (L01, L04).");
	return ANSWER_FOUND;
}

static enum rule_answer rule_drive_sleep(struct judge *j)
{
	struct kernel_view k = kernel_look(j);
	bool wakes = k.n[KERNEL_WAKE] && drive_slept(j, &k) &&
		     !drive_flag(j->d, FACT_DB_NO_LPM, 0);
	bool others = false;
	struct finding *f;

	if (!k.there)
		return ANSWER_CANNOT_TELL;
	for (int g = KERNEL_PLUG; g < KERNEL_GROUPS; g++)
		if (g != KERNEL_WAKE && g != KERNEL_MEDIA && k.n[g])
			others |= k.near_sleep[g] == k.n[g];
	if ((!wakes && !others) || k.n[KERNEL_WIRE])
		return ANSWER_FINE;
	f = judge_found(
		j, CODE_L10, SEVERITY_WARNING, CONFIDENCE_MODERATE,
		"The errors come with the drive's sleep: it is put to rest and does not "
		"wake cleanly.");
	f->where = "on the host: whatever puts the drive to sleep";
	f->where_confidence = CONFIDENCE_MODERATE;
	add_sleep_evidence(j, f, &k);
	for (int g = KERNEL_PLUG; others && g < KERNEL_GROUPS; g++)
		if (g != KERNEL_WAKE && k.n[g] && k.near_sleep[g] == k.n[g])
			kernel_for(j, f, &k, (enum kernel_group)g);
	judge_against(
		j, f, SIDE_NONE, NULL,
		"what put it to sleep was not given; link power management (L05) would "
		"look alike");
	judge_next(j, f,
		   "Stop what spins it down for a day (a spin-down tool, hdparm -S 0 %s, "
		   "the disk "
		   "settings of the desktop or NAS): no errors then means that was it.",
		   judge_device(j));
	judge_next(j, f, "Then let it use standby instead of sleep, or a longer timer.");
	return ANSWER_FOUND;
}

const struct rule rules_sleep[] = {
	{ CODE_L05, rule_link_sleep, "Serial ATA slumber; kernel NOLPM list; TLP#84" },
	{ CODE_L10, rule_drive_sleep, "hd-idle#78; openSeaChest#256" },
	{ CODE_COUNT, NULL, NULL },
};
