/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "judge/decision.h"

#include "base/str.h"
#include "judge/rules.h"

/*
 * In the order of the table. Safety first (locked, failing, lost data), then the cheapest explanation
 * that fits: what is certain, power, controller, wire, sleep, queue, time-outs; then why it is slow;
 * then what only happened once.
 *
 * test: what tells the cause from its most likely rival, done by hand.
 */
static const struct row {
	enum code code, rival; /* CODE_COUNT: none */
	const char *test;
} table[] = {
	{ CODE_K10, CODE_COUNT, NULL },
	{ CODE_D07, CODE_COUNT, NULL },
	{ CODE_M07, CODE_L04,
	  "another port and another power lead, once: the same there means the drive" },
	{ CODE_M04, CODE_COUNT, NULL },
	{ CODE_D02, CODE_M01,
	  "the long self-test twice: new places each time mean flash" },
	{ CODE_M01, CODE_L04,
	  "write the bad places anew (RAID repair) and run the long self-test: if they "
	  "come "
	  "back it is the medium, if not a loss of power made them" },
	{ CODE_S07, CODE_S01, "the long self-test: it never uses the link" },
	{ CODE_D01, CODE_COUNT, NULL },
	{ CODE_M06, CODE_L04, "another power lead: the count must stand still there" },
	{ CODE_S06, CODE_COUNT, NULL },
	{ CODE_M08, CODE_M01,
	  "an idle hour, then the same writes: fast at first is the shingles" },
	{ CODE_L07, CODE_L01,
	  "the same drive and cable on another controller: errors gone is the "
	  "controller" },
	{ CODE_S02, CODE_S04,
	  "a day with the disks' power management off and nobody polling" },
	{ CODE_S03, CODE_S04, "a fan on the adapter: resets gone was heat" },
	{ CODE_S04, CODE_S03, "newer firmware when it is cool" },
	{ CODE_L02, CODE_L07,
	  "swap two drives between places: what the errors follow is bad" },
	{ CODE_L01, CODE_L02,
	  "another port with the same cable: errors that stay are cable or drive, errors "
	  "that "
	  "end are the port" },
	{ CODE_S01, CODE_S07, "another cable or bay: counts that stop are the path" },
	{ CODE_L04, CODE_L01,
	  "another power lead first and alone: errors gone is power, else the data "
	  "cable" },
	{ CODE_U03, CODE_U01, "a powered hub: drop-outs gone is power" },
	{ CODE_U01, CODE_U03, "usb-storage.quirks=VID:PID:u: errors gone is UAS" },
	{ CODE_L05, CODE_L10,
	  "max_performance for as long as the errors took: gone is the link's sleep" },
	{ CODE_L10, CODE_L05,
	  "no spin-down for a day, then max_performance: which one ends it" },
	{ CODE_L08, CODE_L07, "one drive alone behind the multiplier" },
	{ CODE_N01, CODE_D09,
	  "nvme_core.default_ps_max_latency_us=0, then pcie_aspm=off alone: which one "
	  "ends it" },
	{ CODE_N03, CODE_N01, "a lower link speed: errors gone is the signal" },
	{ CODE_K04, CODE_M05,
	  "scterc,70,70: no more resets means the time-outs alone did it" },
	{ CODE_D09, CODE_N01, "the newer firmware alone, nothing else changed" },
	{ CODE_L06, CODE_K11, "queue_depth 1 for as long as the errors took" },
	{ CODE_K11, CODE_L06, "libata.noacpi=1 alone" },
	{ CODE_H02, CODE_COUNT, NULL },
	{ CODE_K06, CODE_COUNT, NULL },
	{ CODE_U02, CODE_COUNT, NULL },
	{ CODE_N02, CODE_COUNT, NULL },
	{ CODE_D08, CODE_COUNT, NULL },
	{ CODE_M10, CODE_COUNT, NULL },
	{ CODE_K08, CODE_P01, "the same measurement when the work is done" },
	{ CODE_K09, CODE_P01, "the same measurement with nothing else running" },
	{ CODE_K13, CODE_P01,
	  "the same probe without the limit, or of the drive itself" },
	{ CODE_D10, CODE_L07,
	  "the drive on another controller, after a night of memory tests: what the "
	  "errors follow" },
	{ CODE_D03, CODE_D11, "an old and a new file read one after the other" },
	{ CODE_U05, CODE_D05,
	  "fstrim, or an hour of rest: which one brings the speed back" },
	{ CODE_D04, CODE_D05,
	  "fstrim, or an hour of rest: which one brings the speed back" },
	{ CODE_K01, CODE_COUNT, NULL },
	{ CODE_D06, CODE_K09, "the same run with nothing else writing" },
	{ CODE_K07, CODE_M05, "the same run on another disk of the kind" },
	{ CODE_T01, CODE_M05,
	  "the long self-test and the kernel log of the same minutes: a weak place shows "
	  "in them" },
	{ CODE_M05, CODE_M08,
	  "the same places read three times: slow again is the medium" },
	{ CODE_D11, CODE_L05, NULL }, /* the rule has a longer one */
	{ CODE_K05, CODE_COUNT, NULL },
	{ CODE_P02, CODE_D04, "fstrim and an hour of rest, then the same load" },
	{ CODE_P01, CODE_K09, "the same measurement in a rescue system" },
	{ CODE_H01, CODE_COUNT, NULL },
	{ CODE_M02, CODE_COUNT, NULL },
	{ CODE_D05, CODE_D04,
	  "fstrim, or an hour of rest: which one brings the speed back" },
	{ CODE_L03, CODE_COUNT, NULL },
	{ CODE_M03, CODE_COUNT, NULL },
	{ CODE_K02, CODE_COUNT, NULL },
	{ CODE_K03, CODE_COUNT, NULL },
	{ CODE_M09, CODE_COUNT, NULL },
	{ CODE_L09, CODE_COUNT, NULL },
	{ CODE_F, CODE_COUNT, NULL },
	{ CODE_U04, CODE_COUNT, NULL },
	{ CODE_K12, CODE_COUNT, NULL },
	{ CODE_N06, CODE_COUNT, NULL },
};

static const struct row *row_of(enum code code)
{
	for (size_t i = 0; i < array_size(table); i++)
		if (table[i].code == code)
			return &table[i];
	return NULL;
}

unsigned decision_rank(enum code code)
{
	const struct row *row = row_of(code);

	return row ? (unsigned)(row - table) : (unsigned)array_size(table);
}

/* A weak case does not lead before a better one of the same severity. */
static bool leads(const struct finding *a, const struct finding *b)
{
	bool weak_a = a->confidence <= CONFIDENCE_WEAK,
	     weak_b = b->confidence <= CONFIDENCE_WEAK;

	if (a->runner_up != b->runner_up)
		return !a->runner_up;
	if (a->severity != b->severity)
		return a->severity > b->severity;
	if (weak_a != weak_b)
		return weak_b;
	return decision_rank(a->code) < decision_rank(b->code);
}

/* A stable insertion sort: equal findings keep the order of the rules. */
void decision_sort(struct drive_report *r)
{
	struct finding *f = r->findings;

	for (size_t i = 1; i < r->n_findings; i++) {
		for (size_t k = i; k > 0 && leads(&f[k], &f[k - 1]); k--) {
			struct finding swap = f[k];

			f[k] = f[k - 1];
			f[k - 1] = swap;
		}
	}
}

void decision_add_test(struct judge *j)
{
	struct finding *verdict = &j->r->findings[0];
	const struct row *row = row_of(verdict->code);

	if (!row || !row->test || verdict->confidence >= CONFIDENCE_CERTAIN ||
	    verdict->severity < SEVERITY_WARNING ||
	    (row->rival == CODE_S01 && rules_is_without_sas(j)))
		return;
	for (size_t i = 0; i < verdict->next.n; i++)
		if (str_starts(verdict->next.items[i], "The one test"))
			return;
	judge_next(j, verdict, "The one test that tells it from \"%s\" (%s): %s.",
		   code_title(row->rival), code_name(row->rival), row->test);
}
