/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The link runs slower than the drive can (L03): a fact with a cost, a fault only with evidence. */
#include "judge/context.h"
#include "judge/kernel.h"
#include "judge/rules.h"

static const char *gbps(struct judge *j, uint64_t mbps)
{
	return judge_text(j, "%llu.%llu Gb/s", (unsigned long long)(mbps / 1000),
			  (unsigned long long)(mbps % 1000 / 100));
}

/* Serial ATA sends 10 bits a byte; framing leaves about nine tenths of that. */
static uint64_t ceiling_mb_s(uint64_t mbps)
{
	return mbps / 10 * 9 / 10;
}

/* Told by the kernel alone: it lowers the speed when commands fail again and again. */
static enum rule_answer found_lowered(struct judge *j)
{
	struct kernel_view k = kernel_look(j);
	struct finding *f = judge_found(j, CODE_L03, SEVERITY_NOTE, CONFIDENCE_CERTAIN,
					"The kernel has lowered the speed of the link.");

	f->where = "between drive and host";
	f->where_confidence = CONFIDENCE_MODERATE;
	kernel_for_class(j, f, &k, EVENT_SPEED_LIMITED);
	judge_next(j, f,
		   "Cure the errors before that line, then boot or attach it again: the "
		   "limit "
		   "stays until then.");
	return ANSWER_FOUND;
}

/* What the host or the drive says, else what the kernel's log or the database does. */
static const struct fact *first_of(const struct judge *j, enum fact_id best,
				   enum fact_id other)
{
	const struct fact *f = drive_fact(j->d, best, 0, 0);

	return f ? f : drive_fact(j->d, other, 0, 0);
}

static enum rule_answer rule_link_speed(struct judge *j)
{
	uint64_t now, most, port;
	const struct fact *fact = first_of(j, FACT_LINK_CURRENT, FACT_KLOG_LINK_SPEED);
	const struct fact *able = first_of(j, FACT_LINK_DEVICE_MAX, FACT_DB_INTERFACE);
	bool slowest, port_known = drive_u64(j->d, FACT_LINK_PORT_MAX, 0, 0, &port);
	struct finding *f;

	if (kernel_look(j).classes[EVENT_SPEED_LIMITED] &&
	    !drive_fact(j->d, FACT_LINK_CURRENT, 0, 0))
		return found_lowered(j);
	if (!fact || !able)
		return ANSWER_CANNOT_TELL;
	now = fact->u;
	most = able->u;
	if (now >= most)
		return ANSWER_FINE;
	/* 1.5 of 6.0 is ten to thirty times as common on links with errors; 3.0 is an old port */
	slowest = now <= LIMIT_SLOWEST_LINK_MBPS && most >= 3000;
	f = judge_found(j, CODE_L03,
			slowest && !judge_is_rotating(j) ? SEVERITY_WARNING
							 : SEVERITY_NOTE,
			CONFIDENCE_CERTAIN, "The link runs at %s, the drive can do %s.",
			gbps(j, now), gbps(j, most));
	f->where = "between drive and host: port, cable or a limit set by the kernel";
	f->where_confidence = CONFIDENCE_MODERATE;
	judge_for(j, f, SIDE_DRIVE, fact, "sequential reads cannot pass about %llu MB/s",
		  (unsigned long long)ceiling_mb_s(now));
	if (port_known && port < most)
		judge_for(j, f, SIDE_HOST, drive_fact(j->d, FACT_LINK_PORT_MAX, 0, 0),
			  "the port itself can do no more than %s", gbps(j, port));
	else if (slowest)
		judge_for(j, f, SIDE_NONE, NULL,
			  "of drives at 1.5 of 6.0 Gb/s 14 %% show link errors, at full "
			  "speed 1 %%");
	else
		judge_against(
			j, f, SIDE_NONE, NULL,
			"most links like this are just older ports, without any error");
	if (judge_is_rotating(j))
		judge_against(j, f, SIDE_NONE, NULL,
			      "a rotating drive loses little: only its outer tracks read "
			      "faster");
	link_add_clean(j, f, true);
	judge_next(j, f,
		   "See what the port can do and whether the kernel slowed it: dmesg | "
		   "grep -iE 'SATA link|limiting SATA'");
	judge_next(j, f,
		   "If the port can do more: another port or cable, then switch off and "
		   "on (a limit set by the kernel lasts until then).");
	return ANSWER_FOUND;
}

const struct rule rules_link_speed[] = {
	{ CODE_L03, rule_link_speed,
	  "Serial ATA: 10 bits a byte; 51,906 published tables" },
	{ CODE_COUNT, NULL, NULL },
};
