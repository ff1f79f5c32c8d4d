/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an NVMe drive says of itself: read-only (D07), spare used up (D01), unreliable (M04), heat (D08),
 * data lost since the last reading (M01), and entries of its error log that mean nothing (N06).
 */
#include <string.h>

#include "base/str.h"
#include "judge/limits.h"
#include "judge/rules.h"

/* NVMe 2.0 base specification 5.16.1.3: critical warning bits of the health log. */
enum {
	WARNS_SPARE = 0x01,
	WARNS_TEMPERATURE = 0x02,
	WARNS_RELIABILITY = 0x04,
	WARNS_READ_ONLY = 0x08,
	WARNS_BACKUP_MEMORY = 0x10,
	WARNS_PERSISTENT_MEMORY = 0x20,
	WARNS_UNKNOWN = 0xc0,
};

static const struct fact *warning_of(const struct judge *j, uint64_t bits)
{
	const struct fact *f = drive_fact(j->d, FACT_NVME_WARNING, 0, 0);

	return f && (f->u & bits) ? f : NULL;
}

static void add_backup(struct judge *j, struct finding *f)
{
	judge_next(j, f,
		   "Back up now: copy what matters off this drive before anything else.");
}

/* --- D07, M04 ------------------------------------------------------------------------------------- */

static enum rule_answer rule_read_only(struct judge *j)
{
	const struct fact *w = warning_of(j, WARNS_READ_ONLY);
	struct finding *f;

	if (!drive_fact(j->d, FACT_NVME_WARNING, 0, 0))
		return ANSWER_CANNOT_TELL;
	if (!w)
		return ANSWER_FINE;
	f = judge_found(j, CODE_D07, SEVERITY_CRITICAL, CONFIDENCE_CERTAIN,
			"The drive takes no more writes: it has made itself read-only.");
	f->where = "in the drive";
	f->where_confidence = CONFIDENCE_CERTAIN;
	judge_for(j, f, SIDE_DRIVE, w, "critical warning %02Xh, bit 3: read-only",
		  (unsigned int)w->u);
	judge_next(j, f, "Copy everything off now, while it still reads.");
	judge_next(j, f,
		   "Replace it; some makers have a firmware that lets it write again.");
	return ANSWER_FOUND;
}

static enum rule_answer rule_unreliable(struct judge *j)
{
	static const struct {
		uint64_t bit;
		const char *text;
	} rows[] = {
		{ WARNS_RELIABILITY, "bit 2: its reliability is degraded" },
		{ WARNS_BACKUP_MEMORY,
		  "bit 4: the backup of its volatile memory has failed, so a power loss "
		  "costs data" },
		{ WARNS_PERSISTENT_MEMORY,
		  "bit 5: its persistent memory region is unreliable" },
		{ WARNS_UNKNOWN, "a bit that the standard does not name" },
	};
	const struct fact *w =
		warning_of(j, WARNS_RELIABILITY | WARNS_BACKUP_MEMORY |
				      WARNS_PERSISTENT_MEMORY | WARNS_UNKNOWN);
	struct finding *f;

	if (!drive_fact(j->d, FACT_NVME_WARNING, 0, 0))
		return ANSWER_CANNOT_TELL;
	if (!w)
		return ANSWER_FINE;
	f = judge_found(j, CODE_M04, SEVERITY_CRITICAL, CONFIDENCE_CERTAIN,
			"The drive warns that it cannot be relied upon any more.");
	f->where = "in the drive";
	f->where_confidence = CONFIDENCE_CERTAIN;
	for (size_t i = 0; i < array_size(rows); i++)
		if (w->u & rows[i].bit)
			judge_for(j, f, SIDE_DRIVE, w, "critical warning %02Xh, %s",
				  (unsigned int)w->u, rows[i].text);
	add_backup(j, f);
	judge_next(j, f, "Replace it; within the warranty the maker takes it back.");
	return ANSWER_FOUND;
}

/* --- D01: spare ------------------------------------------------------------------------------------- */

static enum rule_answer rule_spare(struct judge *j)
{
	const struct fact *spare = drive_fact(j->d, FACT_NVME_SPARE, 0, 0);
	const struct fact *limit = drive_fact(j->d, FACT_NVME_SPARE_LIMIT, 0, 0);
	const struct fact *w = warning_of(j, WARNS_SPARE);
	struct finding *f;
	bool below;

	if (!spare && !w)
		return ANSWER_CANNOT_TELL;
	/* a percentage above 100 is none; a limit of 0 was never set */
	below = spare && limit && spare->u <= 100 && limit->u && limit->u <= 100 &&
		spare->u < limit->u;
	if (!below && !w)
		return ANSWER_FINE;
	f = judge_found(j, CODE_D01, SEVERITY_CRITICAL, CONFIDENCE_CERTAIN,
			"The spare blocks of the SSD are nearly used up.");
	f->where = "in the drive: its flash";
	f->where_confidence = CONFIDENCE_CERTAIN;
	if (w)
		judge_for(j, f, SIDE_DRIVE, w,
			  "critical warning %02Xh, bit 0: spare below its threshold",
			  (unsigned int)w->u);
	if (spare)
		judge_for(j, f, SIDE_DRIVE, spare, "%s %% of the spare is left%s",
			  judge_number(j, spare->u),
			  limit ? judge_text(j, ", the drive's own threshold is %s %%",
					     judge_number(j, limit->u))
				: "");
	add_backup(j, f);
	judge_next(j, f, "Replace it: when no spare is left it goes read-only.");
	return ANSWER_FOUND;
}

/* --- M01: data lost between two readings -------------------------------------------------------------- */

static enum rule_answer rule_media_errors(struct judge *j)
{
	const struct fact *errors = drive_fact(j->d, FACT_NVME_MEDIA_ERRORS, 0, 0);
	struct finding *f;
	int64_t rise;

	if (!errors)
		return ANSWER_CANNOT_TELL;
	/* of one reading M03 speaks: it happened once */
	if (!drive_delta(j->d, FACT_NVME_MEDIA_ERRORS, 0, 0, &rise) || rise <= 0 ||
	    rules_found(j, CODE_M01, SEVERITY_WARNING))
		return ANSWER_FINE;
	f = judge_found(j, CODE_M01, SEVERITY_CRITICAL, CONFIDENCE_STRONG,
			"The drive loses data: %s that it could not recover.",
			judge_count(j, (uint64_t)rise, "more error", "more errors"));
	f->where = "in the drive: its flash";
	f->where_confidence = CONFIDENCE_STRONG;
	judge_for(j, f, SIDE_DRIVE, errors,
		  "media and data integrity errors: %s, %s of them between the readings",
		  judge_number(j, errors->u), judge_number(j, (uint64_t)rise));
	add_backup(j, f);
	judge_next(j, f, "Replace it; within the warranty the maker takes it back.");
	return ANSWER_FOUND;
}

/* --- D08: heat, by the drive's own limits ------------------------------------------------------------- */

struct heat {
	const struct fact *now, *limit, *minutes, *warning;
	int64_t rise; /* of minutes above a limit, or of slow-downs, between two readings */
	bool over;
};

static struct heat look_at_heat(const struct judge *j)
{
	static const enum fact_id ids[] = { FACT_NVME_WARM_MINUTES, FACT_NVME_HOT_MINUTES,
					    FACT_NVME_THROTTLE1, FACT_NVME_THROTTLE2 };
	struct heat h = {
		.now = drive_fact(j->d, FACT_TEMPERATURE, 0, 0),
		.limit = drive_fact(j->d, FACT_NVME_WARM_LIMIT, 0, 0),
		.warning = warning_of(j, WARNS_TEMPERATURE),
	};

	for (size_t i = 0; i < array_size(ids); i++) {
		const struct fact *f = drive_fact(j->d, ids[i], 0, 0);
		int64_t rise;

		if (f && f->u && (!h.minutes || ids[i] == FACT_NVME_HOT_MINUTES))
			h.minutes = f;
		if (drive_delta(j->d, ids[i], 0, 0, &rise) && rise > h.rise) {
			h.rise = rise;
			h.minutes = f;
		}
	}
	h.over = h.now && h.limit && h.limit->s > 0 && h.now->s >= h.limit->s;
	return h;
}

static enum rule_answer rule_heat(struct judge *j)
{
	struct heat h = look_at_heat(j);
	bool present = h.warning || h.over || h.rise > 0;
	struct finding *f;

	if (!drive_fact(j->d, FACT_NVME_WARNING, 0, 0) && !h.minutes)
		return ANSWER_CANNOT_TELL;
	if (rules_found(j, CODE_D08, SEVERITY_NOTE) ||
	    (!present && (!h.minutes || h.minutes->key.id != FACT_NVME_HOT_MINUTES)))
		return ANSWER_FINE;
	f = judge_found(j, CODE_D08, present ? SEVERITY_WARNING : SEVERITY_NOTE,
			h.warning || h.over ? CONFIDENCE_STRONG
			: present	    ? CONFIDENCE_MODERATE
					    : CONFIDENCE_WEAK,
			h.warning || h.over
				? "The drive is hotter than its own limit and slows down."
			: present ? "The drive got hotter than its own limit between the "
				    "readings."
				  : "The drive was critically hot for some time.");
	f->where = "the drive and the air around it";
	f->where_confidence = f->confidence;
	if (h.warning)
		judge_for(j, f, SIDE_DRIVE, h.warning,
			  "critical warning %02Xh, bit 1: temperature",
			  (unsigned int)h.warning->u);
	if (h.over)
		judge_for(j, f, SIDE_DRIVE, h.now, "it has %lld C, its limit is %lld C",
			  (long long)h.now->s, (long long)h.limit->s);
	if (h.minutes)
		judge_for(j, f, SIDE_DRIVE, h.minutes, "%s: %s%s",
			  fact_get_info(h.minutes->key.id)->words,
			  judge_number(j, h.minutes->u),
			  h.rise > 0 ? judge_text(j, ", %s more between the readings",
						  judge_number(j, (uint64_t)h.rise))
				     : "");
	if (!present)
		judge_against(j, f, SIDE_NONE, NULL,
			      "minutes of its whole life: when that was is not known");
	judge_next(j, f,
		   "Give it air or a heat sink; measure again when it is cool, and look "
		   "whether the minutes still rise.");
	return ANSWER_FOUND;
}

/* --- N06 ------------------------------------------------------------------------------------------- */

/* Status field with its phase tag: SC in bits 1 to 8, SCT in bits 9 to 11 (NVMe 2.0, 3.3.3.2.1). */
static bool is_refusal(uint64_t status)
{
	uint64_t sc = status >> 1 & 0xff, sct = status >> 9 & 7;

	/* generic: invalid opcode, invalid field; command specific: invalid log page */
	return (sct == 0 && (sc == 1 || sc == 2)) || (sct == 1 && sc == 9);
}

/* Its health log was read, and has nothing to tell. */
static bool is_well(const struct judge *j)
{
	uint64_t warning, media;

	return drive_u64(j->d, FACT_NVME_WARNING, 0, 0, &warning) && !warning &&
	       drive_u64(j->d, FACT_NVME_MEDIA_ERRORS, 0, 0, &media) && !media;
}

/*
 * Only a list of ignored things, and a word beside other findings or a clean health log: entries alone must not look like a
 * verdict on a drive of which nothing else is known.
 */
static enum rule_answer rule_refusals(struct judge *j)
{
	size_t n, refused = 0, seen = 0;
	const struct fact *status = drive_facts(j->d, FACT_NVME_ERR_STATUS, &n);
	const struct fact *all = drive_fact(j->d, FACT_NVME_ERROR_ENTRIES, 0, 0);
	struct finding *f;

	for (size_t i = 0; i < n; i++) {
		if (!judge_is_current(j, &status[i]))
			continue;
		seen++;
		refused += is_refusal(status[i].u);
	}
	if (!seen)
		return ANSWER_CANNOT_TELL;
	if (refused < seen)
		return ANSWER_FINE; /* something else is among them */
	judge_ignore(j,
		     all ? judge_text(j, "%s entries of the NVMe error log",
				      judge_number(j, all->u))
			 : "entries of the NVMe error log",
		     "all that can be read are commands that the drive does not know; "
		     "tools send such commands");
	if (!j->r->n_findings && !is_well(j))
		return ANSWER_FINE;
	f = judge_found(j, CODE_N06, SEVERITY_OK, CONFIDENCE_STRONG,
			"The entries of its error log are refused commands, no faults.");
	judge_for(j, f, SIDE_DRIVE, &status[0],
		  "%zu entries, each \"invalid field\" or the like", seen);
	return ANSWER_FOUND;
}

const struct rule rules_nvme[] = {
	{ CODE_D07, rule_read_only, "NVMe base specification, health log, bit 3" },
	{ CODE_M04, rule_unreliable,
	  "NVMe base specification, health log, bits 2, 4, 5" },
	{ CODE_D01, rule_spare, "NVMe base specification, health log, bit 0" },
	{ CODE_M01, rule_media_errors,
	  "NVMe base specification, media and data integrity errors" },
	{ CODE_D08, rule_heat, "NVMe base specification, WCTEMP and CCTEMP" },
	{ CODE_N06, rule_refusals, "nvme-cli#1224" },
	{ CODE_COUNT, NULL, NULL },
};
