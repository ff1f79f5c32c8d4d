/* SPDX-License-Identifier: GPL-2.0-or-later */
/* NVMe on PCI Express: power states (N01), width and speed (N02), errors (N03), lost commands (D09). */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "judge/kernel.h"
#include "judge/rules.h"

static enum rule_answer rule_power_states(struct judge *j)
{
	struct kernel_view k = kernel_look(j);
	const struct event *e = k.of_class[EVENT_NVME_DOWN];
	bool ones = e && (e->has & EVENT_HAS_CODE) && e->code == UINT32_MAX;
	struct finding *f;

	if (!k.there)
		return ANSWER_CANNOT_TELL;
	if (!e)
		return ANSWER_FINE;
	f = judge_found(
		j, CODE_N01, SEVERITY_WARNING, CONFIDENCE_MODERATE,
		"The NVMe controller does not come back%s: power states of drive or "
		"link first.",
		ones ? ", its registers read as all ones" : "");
	f->where = "between drive and PCIe port";
	f->where_confidence = CONFIDENCE_STRONG;
	kernel_for_class(j, f, &k, EVENT_NVME_DOWN);
	kernel_for_class(j, f, &k, EVENT_NVME_TIMEOUT);
	kernel_for_class(j, f, &k, EVENT_NVME_RESET);
	if (rules_has_option(j, "ps_max_latency_us=0"))
		judge_against(j, f, SIDE_HOST,
			      drive_fact(&j->the_case->host, FACT_BOOT_OPTIONS, 0, 0),
			      "the drive's power states were already off");
	if (rules_has_option(j, "pcie_aspm=off"))
		judge_against(j, f, SIDE_HOST,
			      drive_fact(&j->the_case->host, FACT_BOOT_OPTIONS, 0, 0),
			      "link power management was already off");
	judge_against(j, f, SIDE_NONE, NULL,
		      "heat, a loose card and dying drives end in the same line");
	judge_next(j, f,
		   "Kernel command line nvme_core.default_ps_max_latency_us=0 for as "
		   "long as the "
		   "errors took; then pcie_aspm=off alone. One at a time: which one "
		   "helps tells "
		   "which it was.");
	judge_next(j, f,
		   "Neither helps: seat the card, newer firmware and BIOS, another slot, "
		   "then exchange it.");
	return ANSWER_FOUND;
}

/* "16.0 GT/s PCIe" x 10; 0 when it is none */
static long speed_of(const char *text)
{
	return text ? (long)(strtod(text, NULL) * 10 + 0.5) : 0;
}

static enum rule_answer rule_pcie_link(struct judge *j)
{
	uint64_t width = rules_number(j, FACT_PCIE_WIDTH);
	uint64_t most = rules_number(j, FACT_PCIE_WIDTH_MAX);
	uint64_t port = rules_number(j, FACT_PCIE_PORT_WIDTH_MAX);
	long speed = speed_of(rules_text(j, FACT_PCIE_SPEED));
	long best = speed_of(rules_text(j, FACT_PCIE_SPEED_MAX));
	long slot = speed_of(rules_text(j, FACT_PCIE_PORT_SPEED_MAX));
	bool narrow, slow, both_known = port || slot;
	struct finding *f;

	if (!rules_is_nvme(j))
		return ANSWER_NOT_FOR_IT;
	if (!width || !most)
		return ANSWER_CANNOT_TELL;
	narrow = width < most && (!port || width < port);
	slow = speed && speed < best && (!slot || speed < slot);
	if (!narrow && !slow)
		return ANSWER_FINE;
	f = judge_found(
		j, CODE_N02, narrow && both_known ? SEVERITY_WARNING : SEVERITY_NOTE,
		CONFIDENCE_CERTAIN,
		"The PCIe link runs with %s at %s; the drive can do %llu at %s.",
		judge_count(j, width, "lane", "lanes"),
		rules_text(j, FACT_PCIE_SPEED) ? rules_text(j, FACT_PCIE_SPEED) : "?",
		(unsigned long long)most,
		rules_text(j, FACT_PCIE_SPEED_MAX) ? rules_text(j, FACT_PCIE_SPEED_MAX)
						   : "?");
	f->where = "between drive and slot";
	f->where_confidence = CONFIDENCE_MODERATE;
	judge_for(j, f, SIDE_HOST, rules_fact(j, FACT_PCIE_WIDTH), "%s now",
		  judge_count(j, width, "lane", "lanes"));
	if (!both_known)
		judge_against(
			j, f, SIDE_NONE, NULL,
			"what the slot can do was not given: it may have no more lanes");
	if (slow && !narrow)
		judge_against(
			j, f, SIDE_NONE, NULL,
			"an idle link may lower its speed to save power: read it under "
			"load");
	judge_next(j, f,
		   "Seat the card again; another slot; no riser or adapter between.");
	return ANSWER_FOUND;
}

static enum rule_answer rule_pcie_errors(struct judge *j)
{
	struct kernel_view k = kernel_look(j);
	const struct fact *count = rules_fact(j, FACT_AER_CORRECTABLE);
	int64_t rise = 0;
	bool two = rules_rise(j, FACT_AER_CORRECTABLE, &rise);
	bool grows = two && rise >= LIMIT_AER_GROWTH;
	bool many = !two && count && count->u >= LIMIT_AER_MANY;
	bool logged = k.classes[EVENT_AER_CORRECTED] || k.classes[EVENT_AER_UNCORRECTED];
	struct finding *f;

	if (!count && !k.there)
		return ANSWER_CANNOT_TELL;
	if (!grows && !many && !logged)
		return ANSWER_FINE;
	f = judge_found(j, CODE_N03,
			grows || k.classes[EVENT_AER_UNCORRECTED] || many ||
					k.classes[EVENT_AER_CORRECTED] > LIMIT_AER_GROWTH
				? SEVERITY_WARNING
				: SEVERITY_NOTE,
			grows		 ? CONFIDENCE_STRONG
			: many || logged ? CONFIDENCE_MODERATE
					 : CONFIDENCE_WEAK,
			"Frames on the PCIe link are damaged and sent again%s.",
			grows ? judge_text(j, ": %s more between the readings",
					   judge_number(j, (uint64_t)rise))
			      : "");
	f->where = "between processor and drive: slot, riser, flat cable, or one of the "
		   "ends";
	f->where_confidence = CONFIDENCE_STRONG;
	if (count)
		judge_for(
			j, f, SIDE_HOST, count, "%s since boot",
			judge_count(j, count->u, "corrected error", "corrected errors"));
	kernel_for_class(j, f, &k, EVENT_AER_CORRECTED);
	kernel_for_class(j, f, &k, EVENT_AER_UNCORRECTED);
	if (!count)
		judge_against(
			j, f, SIDE_NONE, NULL,
			"the log shows only a part: read aer_dev_correctable twice");
	judge_next(j, f,
		   "Read /sys/bus/pci/devices/*/aer_dev_correctable now and in a minute "
		   "(the log "
		   "leaves most out), then seat the card, without riser or flat cable.");
	judge_next(j, f,
		   "Still growing: newer firmware; a lower link speed in the BIOS is the "
		   "test (no errors then: the signal, not the drive).");
	return ANSWER_FOUND;
}

/* Commands that never end, on a link that works: the drive's firmware. */
static enum rule_answer rule_lost_commands(struct judge *j)
{
	struct kernel_view k = kernel_look(j);
	struct finding *f;

	if (!k.there)
		return ANSWER_CANNOT_TELL;
	if (!k.classes[EVENT_NVME_TIMEOUT] || k.classes[EVENT_NVME_DOWN] ||
	    k.classes[EVENT_AER_UNCORRECTED] || rules_has_media_trouble(j))
		return ANSWER_FINE;
	f = judge_found(j, CODE_D09, SEVERITY_WARNING, CONFIDENCE_MODERATE,
			"The NVMe drive loses commands while its link works: its "
			"firmware first.");
	f->where = "in the drive: its firmware";
	f->where_confidence = CONFIDENCE_MODERATE;
	kernel_for_class(j, f, &k, EVENT_NVME_TIMEOUT);
	kernel_for_class(j, f, &k, EVENT_NVME_POLLED);
	kernel_for_class(j, f, &k, EVENT_NVME_RESET);
	if (k.classes[EVENT_NVME_POLLED])
		judge_against(j, f, SIDE_HOST, NULL,
			      "some completions were only not announced: interrupts of "
			      "the host");
	judge_against(j, f, SIDE_NONE, NULL,
		      "power states (N01) and heat (D08) can delay commands as long");
	judge_next(j, f,
		   "Update the drive's firmware. Until then: "
		   "nvme_core.default_ps_max_latency_us=0 as a test, and its temperature "
		   "under load.");
	return ANSWER_FOUND;
}

const struct rule rules_pcie[] = {
	{ CODE_N01, rule_power_states, "Linux NVMe quirk list; openwrt#14557" },
	{ CODE_N03, rule_pcie_errors, "ark_jetson_kernel#120; Framework 41" },
	{ CODE_D09, rule_lost_commands, "openzfs#7473" },
	{ CODE_N02, rule_pcie_link, "PCI Express link status of both ends" },
	{ CODE_COUNT, NULL, NULL },
};
