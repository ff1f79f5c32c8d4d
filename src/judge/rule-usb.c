/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drives behind USB: the bridge (U01, U04), its link (U02), its power (U03). */
#include <string.h>

#include "base/str.h"
#include "judge/kernel.h"
#include "judge/rules.h"
#include "judge/speed.h"

static bool on_uas(const struct judge *j, const struct kernel_view *k)
{
	return str_equal(rules_text(j, FACT_DRIVER), "uas") ||
	       k->classes[EVENT_UAS_ABORT] || k->classes[EVENT_UAS_RESET];
}

static enum rule_answer rule_uas(struct judge *j)
{
	struct kernel_view k = kernel_look(j);
	struct speed_view v = speed_look(j);
	bool known = drive_flag(j->d, FACT_DB_UAS_TROUBLE, 0) ||
		     rules_fact(j, FACT_DB_UAS_TROUBLE);
	bool aborts = k.classes[EVENT_UAS_ABORT] || k.classes[EVENT_UAS_RESET];
	bool crawl = v.read_worst.fact &&
		     v.read_worst.bytes_s < (uint64_t)LIMIT_UAS_SLOW_KB_S * 1000;
	bool hangs = k.classes[EVENT_USB_RESET] || k.classes[EVENT_HUNG_TASK] ||
		     k.classes[EVENT_IO_ERROR] || k.classes[EVENT_TASK_ABORT];
	const char *driver = rules_text(j, FACT_DRIVER);
	struct finding *f;

	if (!rules_is_usb(j) && !k.classes[EVENT_UAS_ABORT])
		return ANSWER_NOT_FOR_IT;
	if (!driver && !k.there)
		return ANSWER_CANNOT_TELL;
	if (!on_uas(j, &k) ||
	    (!aborts && !crawl && !(known && (hangs || !v.n_reads || driver))))
		return ANSWER_FINE;
	if (!aborts && !crawl && !hangs && !known)
		return ANSWER_FINE;
	f = judge_found(
		j, CODE_U01, aborts || crawl || hangs ? SEVERITY_WARNING : SEVERITY_NOTE,
		aborts || (crawl && known) ? CONFIDENCE_STRONG : CONFIDENCE_MODERATE,
		"The USB bridge loses commands under UAS.");
	f->where = "in the USB bridge, not in the drive";
	f->where_confidence = f->confidence;
	kernel_for_class(j, f, &k, EVENT_UAS_ABORT);
	kernel_for_class(j, f, &k, EVENT_UAS_RESET);
	kernel_for_class(j, f, &k, EVENT_USB_RESET);
	if (driver)
		judge_for(j, f, SIDE_HOST, rules_fact(j, FACT_DRIVER), "its driver is %s",
			  driver);
	if (crawl)
		speed_for(j, f, &v.read_worst, "it reads");
	if (known)
		judge_for(j, f, SIDE_DATABASE, rules_fact(j, FACT_DB_UAS_TROUBLE),
			  "UAS is known to fail with this bridge%s%s",
			  rules_text(j, FACT_DB_BRIDGE) ? ", " : "",
			  rules_text(j, FACT_DB_BRIDGE) ? rules_text(j, FACT_DB_BRIDGE)
							: "");
	judge_next(j, f,
		   "Kernel command line: usb-storage.quirks=%s:u, then boot and measure "
		   "again. "
		   "Fast and quiet: that was it.",
		   rules_text(j, FACT_USB_ID) ? rules_text(j, FACT_USB_ID) : "VID:PID");
	judge_next(j, f, "Still there: power and cable of the box; then another bridge.");
	return ANSWER_FOUND;
}

static enum rule_answer rule_usb_power(struct judge *j)
{
	struct kernel_view k = kernel_look(j);
	uint64_t flags = rules_number(j, FACT_THROTTLED_FLAGS);
	bool low = k.classes[EVENT_UNDER_VOLTAGE] || (flags & 0x10001);
	bool gone = k.classes[EVENT_USB_DISCONNECT] || k.classes[EVENT_USB_POWER];
	struct finding *f;

	if (!rules_is_usb(j) && !gone && !low)
		return k.there ? ANSWER_NOT_FOR_IT : ANSWER_CANNOT_TELL;
	if (!k.there && !flags)
		return ANSWER_CANNOT_TELL;
	if (!low && !gone)
		return ANSWER_FINE;
	/* a reset that follows aborts of uas ends in a disconnect, too */
	if (!low && k.classes[EVENT_UAS_ABORT])
		return ANSWER_FINE;
	f = judge_found(
		j, CODE_U03, SEVERITY_WARNING,
		low && gone ? CONFIDENCE_STRONG
		: k.classes[EVENT_USB_POWER] || k.classes[EVENT_USB_DISCONNECT] > 1 ||
				k.classes[EVENT_IO_ERROR] || low
			? CONFIDENCE_MODERATE
			: CONFIDENCE_WEAK,
		low ? "The board reports under-voltage: the drive is starved."
		    : "The drive drops off the USB bus: power first, then the cable.");
	f->where = "between power supply, hub and drive";
	f->where_confidence = f->confidence;
	kernel_for_class(j, f, &k, EVENT_UNDER_VOLTAGE);
	kernel_for_class(j, f, &k, EVENT_USB_POWER);
	kernel_for_class(j, f, &k, EVENT_USB_DISCONNECT);
	kernel_for_class(j, f, &k, EVENT_USB_ENUMERATION);
	kernel_for_class(j, f, &k, EVENT_IO_ERROR);
	if (flags & 0x10001)
		judge_for(j, f, SIDE_HOST, rules_fact(j, FACT_THROTTLED_FLAGS),
			  "under-voltage flags 0x%llx", (unsigned long long)flags);
	if (!low)
		judge_against(j, f, SIDE_NONE, NULL,
			      "a loose cable or a bridge that crashes does the same");
	judge_next(j, f,
		   "A powered hub or a supply of its own for the drive, without switches "
		   "and "
		   "long thin cables; then the same load again.");
	judge_next(j, f, "Still there: another cable, another port, another bridge.");
	return ANSWER_FOUND;
}

static enum rule_answer rule_usb_speed(struct judge *j)
{
	const struct fact *speed = rules_fact(j, FACT_USB_SPEED);
	struct finding *f;

	if (!rules_is_usb(j))
		return ANSWER_NOT_FOR_IT;
	if (!speed)
		return ANSWER_CANNOT_TELL;
	if (speed->u > LIMIT_USB_SLOW_MBPS)
		return ANSWER_FINE;
	f = judge_found(
		j, CODE_U02, SEVERITY_WARNING, CONFIDENCE_CERTAIN,
		"The USB link runs at %llu Mb/s: no more than about %u MB/s pass.",
		(unsigned long long)speed->u, speed->u >= LIMIT_USB_SLOW_MBPS ? 40u : 1u);
	f->where = "between host and bridge: port, cable or hub";
	f->where_confidence = CONFIDENCE_STRONG;
	judge_for(j, f, SIDE_HOST, speed, "speed of the USB device: %llu Mb/s",
		  (unsigned long long)speed->u);
	judge_against(j, f, SIDE_NONE, NULL, "an old port or bridge can do no more");
	judge_next(j, f, "Another port (blue, or marked SS), another cable, no hub.");
	return ANSWER_FOUND;
}

/* Everything that a SATA drive says of itself stayed away, or came back empty. */
static enum rule_answer rule_bridge_hides(struct judge *j)
{
	size_t n;
	struct finding *f;

	if (!rules_is_usb(j))
		return ANSWER_NOT_FOR_IT;
	if (drive_facts(j->d, FACT_ATTR_VALUE, &n) ||
	    drive_facts(j->d, FACT_LIFE_USED, &n))
		return ANSWER_FINE;
	if (!drive_fact(j->d, FACT_SMART_AVAILABLE, 0, 0) &&
	    !drive_facts(j->d, FACT_POSTED_SECTION, &n) &&
	    !rules_fact(j, FACT_HINT_COMMAND))
		return ANSWER_CANNOT_TELL;
	f = judge_found(
		j, CODE_U04, SEVERITY_NOTE, CONFIDENCE_STRONG,
		"The USB bridge lets no SMART data through: nothing can be said of the "
		"drive behind it.");
	f->where = "in the USB bridge";
	f->where_confidence = CONFIDENCE_STRONG;
	if (rules_fact(j, FACT_DB_BRIDGE_QUIRK))
		judge_for(j, f, SIDE_DATABASE, rules_fact(j, FACT_DB_BRIDGE_QUIRK), "%s",
			  rules_text(j, FACT_DB_BRIDGE_QUIRK));
	judge_next(j, f,
		   "Try smartctl -x with -d sat, -d sat,12, -d usbjmicron, -d "
		   "sntasmedia; or put "
		   "the drive on a SATA port.");
	return ANSWER_FOUND;
}

const struct rule rules_usb[] = {
	{ CODE_U01, rule_uas, "umbrel-os#95; raspberrypi/firmware#1209" },
	{ CODE_U03, rule_usb_power, "raspberrypi/linux#777" },
	{ CODE_U02, rule_usb_speed, "USB 2.0; raspberrypi/linux#4498" },
	{ CODE_U04, rule_bridge_hides, "smartmontools#159" },
	{ CODE_COUNT, NULL, NULL },
};
