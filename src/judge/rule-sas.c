/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a SAS drive says of itself: media errors (S07), and of its side of the link (S01). */
#include <string.h>

#include "base/str.h"
#include "judge/limits.h"
#include "judge/rules.h"

/* --- S07 ------------------------------------------------------------------------------------------ */

struct sas_media {
	const struct fact *lost; /* an operation with errors that were not corrected */
	uint64_t all_lost;	 /* of all operations */
	int64_t rise;		 /* between two readings, of all */
	bool two;		 /* there are two readings */
	const struct fact *test; /* a self-test that failed, no later long one passed */
	const struct fact *unrepaired; /* a block that waits to be written or replaced */
	unsigned int unrepaired_count;
};

static const char *operation_of(const struct fact *f)
{
	return f->key.i == 2 ? "writes" : f->key.i == 3 ? "reads" : "verifications";
}

/* The newest test that failed, unless a long one passed after it. */
static const struct fact *failed_test(const struct judge *j)
{
	size_t n;
	const struct fact *result = drive_facts(j->d, FACT_SELFTEST_RESULT, &n);

	for (size_t i = 0; i < n; i++) {
		const struct fact *type = drive_fact_at(
			j->d, FACT_SELFTEST_TYPE, result[i].key.i, 0, result[i].snapshot);

		if (!judge_is_current(j, &result[i]) || !type)
			continue;
		if (str_starts(result[i].text, "Failed in") ||
		    strstr(result[i].text, "segment failed"))
			return &result[i];
		if (strstr(type->text, "long") && str_equal(result[i].text, "Completed"))
			return NULL;
	}
	return NULL;
}

static void look_at_counters(const struct judge *j, struct sas_media *m)
{
	size_t n;
	const struct fact *f = drive_facts(j->d, FACT_SCSI_ERR_UNCORRECTED, &n);

	for (size_t i = 0; i < n; i++) {
		int64_t rise;

		if (!judge_is_current(j, &f[i]))
			continue;
		if (f[i].u && (!m->lost || f[i].u > m->lost->u))
			m->lost = &f[i];
		m->all_lost += f[i].u;
		if (drive_delta(j->d, FACT_SCSI_ERR_UNCORRECTED, f[i].key.i, 0, &rise)) {
			m->two = true;
			m->rise += rise > 0 ? rise : 0;
		}
	}
}

static void look_at_scans(const struct judge *j, struct sas_media *m)
{
	size_t n;
	const struct fact *f = drive_facts(j->d, FACT_BMS_REASSIGN, &n);

	for (size_t i = 0; i < n; i++) {
		if (!judge_is_current(j, &f[i]) ||
		    (!str_starts(f[i].text, "Require Write") &&
		     !str_starts(f[i].text, "Reassignment by disk failed")))
			continue;
		m->unrepaired = m->unrepaired ? m->unrepaired : &f[i];
		m->unrepaired_count++;
	}
}

static void add_media(struct judge *j, struct finding *f, const struct sas_media *m)
{
	const struct fact *lba;

	if (m->test) {
		lba = drive_fact_at(j->d, FACT_SELFTEST_LBA, m->test->key.i, 0,
				    m->test->snapshot);
		judge_for(j, f, SIDE_DRIVE, m->test, "a self-test ended with \"%s\"%s",
			  m->test->text,
			  lba ? judge_text(j, " at LBA %llu", (unsigned long long)lba->u)
			      : "");
	}
	if (m->unrepaired)
		judge_for(j, f, SIDE_DRIVE, m->unrepaired,
			  "background scans found %s to be written anew",
			  judge_count(j, m->unrepaired_count, "block that waits",
				      "blocks that wait"));
	if (m->lost)
		judge_for(j, f, SIDE_DRIVE, m->lost, "%s not corrected, %s%s%s",
			  judge_count(j, m->all_lost, "error was", "errors were"),
			  m->all_lost == 1 ? "of its " : "most of them ",
			  operation_of(m->lost),
			  m->rise > 0 ? judge_text(j, ", %s of them between the readings",
						   judge_number(j, (uint64_t)m->rise))
				      : "");
	if (m->lost && m->two && !m->rise)
		judge_against(j, f, SIDE_DRIVE, m->lost,
			      "none was added between the readings");
	else if (m->lost && !m->two)
		judge_against(j, f, SIDE_NONE, NULL,
			      "one reading: when these errors happened is not known");
}

/*
 * A count of all its life says that it happened, not that it does: it warns when it grows, or when it
 * is too large for one bad day.
 */
static enum rule_answer rule_sas_media(struct judge *j)
{
	struct sas_media m = { .test = failed_test(j) };
	struct finding *f;
	bool now, many;

	look_at_counters(j, &m);
	look_at_scans(j, &m);
	if (!m.lost && !m.test && !m.unrepaired)
		return judge_has_section(j, "scsi-errors") ? ANSWER_FINE
							   : ANSWER_CANNOT_TELL;
	now = m.test || m.rise > 0;
	many = m.unrepaired || m.all_lost >= LIMIT_SAS_LOST;
	f = judge_found(
		j, CODE_S07,
		now    ? SEVERITY_CRITICAL
		: many ? SEVERITY_WARNING
		       : SEVERITY_NOTE,
		m.test	     ? CONFIDENCE_CERTAIN
		: m.rise > 0 ? CONFIDENCE_STRONG
		: many	     ? CONFIDENCE_MODERATE
			     : CONFIDENCE_WEAK,
		now    ? "The drive loses data: errors that it cannot correct."
		: many ? "The drive has met errors that it could not correct."
		       : "A few errors of its life could not be corrected; nothing "
			 "says that they go on.");
	f->where = "in the drive: its medium";
	f->where_confidence = f->confidence;
	add_media(j, f, &m);
	if (f->severity >= SEVERITY_WARNING)
		judge_next(j, f,
			   "Back up now: copy what matters off this drive before "
			   "anything else.");
	judge_next(j, f,
		   "%s (smartctl -t long %s) and read the counters again (smartctl -x "
		   "%s) in a week: growth, or a failed test, means replace it.",
		   m.test ? "After the backup run the long self-test once more"
			  : "Run the long self-test",
		   judge_device(j), judge_device(j));
	return ANSWER_FOUND;
}

/* --- S01, by the drive's own phys ------------------------------------------------------------------ */

struct sas_link {
	const struct fact *worst;
	int64_t rise;
	bool any, two;
};

static void look_at_phys(const struct judge *j, enum fact_id id, struct sas_link *l)
{
	size_t n;
	const struct fact *f = drive_facts(j->d, id, &n);

	for (size_t i = 0; i < n; i++) {
		int64_t rise = 0;
		bool two;

		if (!judge_is_current(j, &f[i]))
			continue;
		l->any = true;
		two = drive_delta(j->d, id, f[i].key.i, f[i].key.j, &rise);
		l->two |= two;
		if (two ? rise > l->rise
			: !l->two && (!l->worst || f[i].u > l->worst->u)) {
			l->worst = &f[i];
			l->rise = rise;
		}
	}
}

/*
 * Plugging and power-up make some thousand invalid words at once, so a count alone says little; only
 * a rise does. A large count is worth a second reading.
 */
static enum rule_answer rule_sas_phy(struct judge *j)
{
	static const enum fact_id ids[] = {
		FACT_SAS_PORT_INVALID_DWORDS,
		FACT_SAS_PORT_DISPARITY,
		FACT_SAS_PORT_LOSS_OF_SYNC,
		FACT_SAS_PORT_RESET_PROBLEMS,
	};
	struct sas_link l = { 0 };
	struct finding *f;

	for (size_t i = 0; i < array_size(ids); i++)
		look_at_phys(j, ids[i], &l);
	if (!l.any)
		return ANSWER_CANNOT_TELL;
	if (!l.worst || rules_found(j, CODE_S01, SEVERITY_NOTE) ||
	    (l.two ? l.rise < LIMIT_SAS_WORDS : l.worst->u < LIMIT_SAS_WORDS_ONCE))
		return ANSWER_FINE;
	f = judge_found(j, CODE_S01, l.two ? SEVERITY_WARNING : SEVERITY_NOTE,
			l.two ? CONFIDENCE_MODERATE : CONFIDENCE_WEAK,
			l.two ? "The SAS link damages what it carries."
			      : "The drive has received damaged words on its SAS link.");
	f->where =
		"between host adapter, expander and drive: cable, connector, backplane";
	f->where_confidence = f->confidence;
	judge_for(j, f, SIDE_DRIVE, l.worst, "port %u, phy %u: %s %s%s", l.worst->key.i,
		  l.worst->key.j, judge_number(j, l.worst->u),
		  fact_get_info(l.worst->key.id)->words,
		  l.two ? judge_text(j, ", %s more between the readings",
				     judge_number(j, (uint64_t)l.rise))
			: "");
	if (!l.two)
		judge_against(j, f, SIDE_NONE, NULL,
			      "one reading: plugging the cable or the power makes such "
			      "counts at once");
	judge_next(j, f,
		   "Read it again under load (smartctl -l sasphy %s) and give both to "
		   "drivewhy: only a rise counts.",
		   judge_device(j));
	judge_next(j, f,
		   "If it rises: seat the SFF cable at both ends and the drive in its "
		   "bay, then another cable, another port.");
	return ANSWER_FOUND;
}

const struct rule rules_sas[] = {
	{ CODE_S07, rule_sas_media,
	  "SPC error counter, SBC background scan and SPC self-test result log pages" },
	{ CODE_S01, rule_sas_phy, "SPL protocol specific port log page" },
	{ CODE_COUNT, NULL, NULL },
};
