/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SAS and host adapters: link (S01), power states (S02), resets (S03), heat (S04), a stopped drive (S06). */
#include <string.h>

#include "base/str.h"
#include "judge/kernel.h"
#include "judge/rules.h"

/* SPC-4 annex: B/47/xx parity and iuCRC, B/4B/xx data phase and connection errors, by transport */
static uint32_t transport_errors(const struct judge *j, const struct event **ret)
{
	uint32_t n = 0;

	*ret = NULL;
	for (size_t i = 0; i < j->d->n_events; i++) {
		const struct event *e = &j->d->events[i];

		if (e->boots_ago || e->optical || e->class != EVENT_SENSE_ABORTED ||
		    (e->asc != 0x47 && e->asc != 0x4b))
			continue;
		n += e->repeats + 1;
		*ret = *ret ? *ret : e;
	}
	return n;
}

static enum rule_answer rule_sas_link(struct judge *j)
{
	static const enum fact_id ids[] = { FACT_SAS_INVALID_DWORDS, FACT_SAS_DISPARITY,
					    FACT_SAS_LOST_SYNC, FACT_SAS_RESET_PROBLEMS };
	const struct event *e;
	uint32_t errors = transport_errors(j, &e);
	const struct fact *worst = NULL;
	int64_t most = 0, rise;
	struct finding *f;
	bool two = false;

	for (size_t i = 0; i < array_size(ids); i++) {
		if (!drive_delta(j->d, ids[i], 0, 0, &rise))
			continue;
		two = true;
		if (rise > most) {
			most = rise;
			worst = drive_fact(j->d, ids[i], 0, 0);
		}
	}
	if (!two && !errors)
		return j->d->n_events ? ANSWER_FINE : ANSWER_CANNOT_TELL;
	if (most < LIMIT_SAS_WORDS && !errors)
		return ANSWER_FINE;
	f = judge_found(j, CODE_S01, SEVERITY_WARNING,
			most >= LIMIT_SAS_WORDS && errors ? CONFIDENCE_STRONG
							  : CONFIDENCE_MODERATE,
			"The SAS link damages what it carries.");
	f->where =
		"between host adapter, expander and drive: cable, connector, backplane";
	f->where_confidence = f->confidence;
	if (worst)
		judge_for(j, f, SIDE_HOST, worst, "%s rose by %s between the readings",
			  fact_get_info(worst->key.id)->words,
			  judge_number(j, (uint64_t)most));
	if (e)
		judge_for(j, f, SIDE_DRIVE, NULL,
			  "kernel log: %s aborted by transport errors (sense B/%02X)",
			  judge_count(j, errors, "command", "commands"), e->asc);
	judge_next(
		j, f,
		"Seat the SFF cable at both ends and the drive in its bay; then another "
		"cable, another expander port. Read the counts again under load.");
	return ANSWER_FOUND;
}

static bool is_sata_on_sas(const struct judge *j)
{
	return str_equal(rules_text(j, FACT_BUS), "sata-on-sas") ||
	       drive_text(j->d, FACT_SATA_VERSION, 0, 0) ||
	       drive_text(j->d, FACT_ATA_VERSION, 0, 0);
}

static void add_adapter_evidence(struct judge *j, struct finding *f,
				 const struct kernel_view *k)
{
	kernel_for_class(j, f, k, EVENT_HBA_FAULT);
	kernel_for_class(j, f, k, EVENT_HBA_RESET);
	kernel_for_class(j, f, k, EVENT_HBA_LOG_INFO);
	kernel_for_class(j, f, k, EVENT_TASK_ABORT);
	if (rules_fact(j, FACT_DB_CONTROLLER_QUIRK))
		judge_for(j, f, SIDE_DATABASE, rules_fact(j, FACT_DB_CONTROLLER_QUIRK),
			  "%s", rules_text(j, FACT_DB_CONTROLLER_QUIRK));
}

/* A fan is a cheap test: named, without evidence of its own. */
static void add_rival_heat(struct judge *j)
{
	struct finding *f =
		judge_found(j, CODE_S04, SEVERITY_NOTE, CONFIDENCE_WEAK,
			    "A host adapter without air resets under load, too.");

	f->runner_up = true;
	judge_next(j, f,
		   "a fan on its heat sink, and its temperature (storcli, sas3ircu)");
}

/* Faults of the adapter with SATA disks that manage their power; with others its firmware. */
static enum rule_answer rule_adapter(struct judge *j)
{
	struct kernel_view k = kernel_look(j);
	bool faults = k.classes[EVENT_HBA_FAULT] || k.classes[EVENT_HBA_RESET];
	bool epc = judge_is_rotating(j) && is_sata_on_sas(j);
	struct finding *f;

	if (!k.there)
		return ANSWER_CANNOT_TELL;
	if (!faults)
		return ANSWER_FINE;
	f = judge_found(
		j, epc ? CODE_S02 : CODE_S03, SEVERITY_WARNING, CONFIDENCE_MODERATE,
		epc ? "The host adapter faults with these SATA disks: their power "
		      "states, and every look at them, upset it."
		    : "The host adapter's firmware faults and takes its drives with "
		      "it.");
	f->where = "between host adapter firmware and drive firmware";
	f->where_confidence = CONFIDENCE_MODERATE;
	add_adapter_evidence(j, f, &k);
	if (!k.n[KERNEL_WIRE])
		judge_against(
			j, f, SIDE_NONE, NULL,
			"a hot adapter (S04) resets under load too; its temperature was "
			"not given");
	if (epc) {
		judge_next(j, f,
			   "Turn the disks' power management off (EPC: "
			   "openSeaChest_PowerControl "
			   "--EPCfeature disable; again at each boot), and let smartd "
			   "and other "
			   "pollers rest for a day: SMART polling itself can be part of "
			   "it.");
		judge_next(j, f, "Then newer firmware for adapter and disks.");
	} else {
		judge_next(j, f,
			   "Newer firmware for the adapter, a fan on its heat sink, then "
			   "one drive after the other taken off.");
	}
	add_rival_heat(j);
	return ANSWER_FOUND;
}

static enum rule_answer rule_stopped(struct judge *j)
{
	struct finding *f;

	if (!j->d->n_events)
		return ANSWER_CANNOT_TELL;
	for (size_t i = 0; i < j->d->n_events; i++) {
		const struct event *e = &j->d->events[i];

		/* SPC-4: not ready, initializing command (START UNIT) required */
		if (e->boots_ago || e->optical ||
		    !((e->sense_key == 2 && e->asc == 0x04 && e->ascq == 0x02) ||
		      (e->text && strstr(e->text, "nitializing command required"))))
			continue;
		f = judge_found(j, CODE_S06, SEVERITY_WARNING, CONFIDENCE_CERTAIN,
				"The drive is stopped and waits for a start command.");
		f->where = "in the drive: its power condition";
		f->where_confidence = CONFIDENCE_CERTAIN;
		judge_for(j, f, SIDE_DRIVE, NULL, "kernel log: sense 02/04/02");
		judge_next(j, f,
			   "sg_start --start %s; let the tool that stops it use the idle "
			   "or standby condition instead.",
			   judge_device(j));
		return ANSWER_FOUND;
	}
	return ANSWER_FINE;
}

const struct rule rules_hba[] = {
	{ CODE_S06, rule_stopped, "SPC-4 sense 02/04/02; hd-idle#92" },
	{ CODE_S02, rule_adapter, "openSeaChest#162 and openSeaChest#256" },
	{ CODE_S01, rule_sas_link, "SPL phy error counters; SPC-4 sense B/47, B/4B" },
	{ CODE_COUNT, NULL, NULL },
};
