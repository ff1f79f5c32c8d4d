/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Media: unreadable sectors now (M01), spare sectors used (M02), uncorrectable errors of the past
 * (M03), the drive's own verdict (M04). Data at risk comes before every other cause.
 */
#include <string.h>

#include "base/str.h"
#include "judge/context.h"
#include "judge/kernel.h"
#include "judge/rules.h"

static void add_backup(struct judge *j, struct finding *f)
{
	judge_next(j, f,
		   "Back up now: copy what matters off this drive before anything else.");
}

/* The newest self-test that failed on reading, unless a newer extended test passed. */
static const struct fact *failed_selftest(const struct judge *j)
{
	size_t n;
	const struct fact *result = drive_facts(j->d, FACT_SELFTEST_RESULT, &n);

	for (size_t i = 0; i < n; i++) {
		const struct fact *type = drive_fact_at(
			j->d, FACT_SELFTEST_TYPE, result[i].key.i, 0, result[i].snapshot);

		if (!judge_is_current(j, &result[i]))
			continue;
		if (strstr(result[i].text, "read failure") ||
		    strstr(result[i].text, "read element"))
			return &result[i];
		if (type && str_starts(type->text, "Extended") &&
		    strstr(result[i].text, "without error"))
			return NULL;
	}
	return NULL;
}

static bool is_uncorrectable(const struct judge *j, const struct fact *error)
{
	const struct fact *text =
		drive_fact_at(j->d, FACT_ERROR_TEXT, error->key.i, 0, error->snapshot);

	/* AMNF: the place of the sector was not found, so it was not read either (ATA-3, error bit 0) */
	if (text && (strstr(text->text, "UNC") || strstr(text->text, "WP") ||
		     strstr(text->text, "AMNF")))
		return true;
	return !text && (error->u & 0x40) && !(error->u & 0x80);
}

/*
 * IDNF, ID not found (ATA8-ACS, error bit 4): the drive did not find the sector of an address that it
 * has. Beyond its end that is what must be answered; for want of a capacity nothing is said.
 */
static bool is_lost_address(const struct judge *j, const struct fact *error)
{
	const struct fact *text =
		drive_fact_at(j->d, FACT_ERROR_TEXT, error->key.i, 0, error->snapshot);
	const struct fact *lba =
		drive_fact_at(j->d, FACT_ERROR_LBA, error->key.i, 0, error->snapshot);
	uint64_t bytes, sector;

	if (text ? !strstr(text->text, "IDNF") : (error->u & 0xd0) != 0x10)
		return false;
	if (!drive_u64(j->d, FACT_LOGICAL_SECTOR, 0, 0, &sector) || !sector)
		sector = 512;
	return lba && drive_u64(j->d, FACT_CAPACITY, 0, 0, &bytes) &&
	       lba->u < bytes / sector;
}

/* Youngest entry of the error log that IS of the kind; NULL when there is none. */
static const struct fact *youngest_entry(const struct judge *j,
					 bool (*is)(const struct judge *j,
						    const struct fact *error),
					 bool *ret_dated, uint64_t *ret_age)
{
	size_t n;
	const struct fact *error = drive_facts(j->d, FACT_ERROR_ERROR, &n), *best = NULL;

	*ret_dated = false;
	for (size_t i = 0; i < n; i++) {
		const struct fact *hours = drive_fact_at(
			j->d, FACT_ERROR_HOURS, error[i].key.i, 0, error[i].snapshot);
		uint64_t age;

		if (!judge_is_current(j, &error[i]) || !is(j, &error[i]))
			continue;
		if (!best)
			best = &error[i];
		if (hours && judge_age_hours(j, hours->u, &age) &&
		    (!*ret_dated || age < *ret_age)) {
			best = &error[i];
			*ret_dated = true;
			*ret_age = age;
		}
	}
	return best;
}

struct media_view {
	const struct fact *pending, *offline, *defects, *selftest, *entry;
	bool entry_dated, flickers;
	uint64_t entry_age;
	bool test_dated, test_recent; /* a failed test whose age is not known is recent */
	uint64_t test_age;
	unsigned witnesses; /* independent signs of unreadable sectors now */
	struct kernel_view kernel;
};

static void date_selftest(const struct judge *j, struct media_view *v)
{
	const struct fact *hours;

	if (!v->selftest)
		return;
	hours = drive_fact_at(j->d, FACT_SELFTEST_HOURS, v->selftest->key.i, 0,
			      v->selftest->snapshot);
	v->test_dated = hours && judge_age_hours(j, hours->u, &v->test_age);
	v->test_recent = !v->test_dated || v->test_age <= LIMIT_RECENT_HOURS;
}

static struct media_view look(struct judge *j)
{
	struct media_view v = {
		.pending = drive_fact(j->d, FACT_PENDING, 0, 0),
		.offline = drive_fact(j->d, FACT_OFFLINE_UNCORR, 0, 0),
		.defects = drive_fact(j->d, FACT_DEFECT_COUNT, 0, 0),
		.selftest = failed_selftest(j),
		.flickers = drive_flag(j->d, FACT_DB_PENDING_FLICKERS, 0),
		.kernel = kernel_look(j),
	};

	v.entry = youngest_entry(j, is_uncorrectable, &v.entry_dated, &v.entry_age);
	date_selftest(j, &v);
	v.witnesses += v.pending && v.pending->u && !v.flickers;
	v.witnesses += v.offline && v.offline->u;
	v.witnesses += v.defects && v.defects->u;
	v.witnesses += v.selftest != NULL;
	v.witnesses += v.entry && v.entry_dated && v.entry_age <= LIMIT_RECENT_HOURS;
	v.witnesses += v.kernel.n[KERNEL_MEDIA] > 0;
	return v;
}

static void add_selftest(struct judge *j, struct finding *f, const struct media_view *v)
{
	const struct fact *lba = drive_fact_at(
		j->d, FACT_SELFTEST_LBA, v->selftest->key.i, 0, v->selftest->snapshot);

	judge_for(j, f, SIDE_DRIVE, v->selftest, "a self-test ended with \"%s\"%s%s",
		  v->selftest->text,
		  lba ? judge_text(j, " at LBA %llu", (unsigned long long)lba->u) : "",
		  v->test_recent ? ""
				 : judge_text(j, ", %s power-on hours ago",
					      judge_number(j, v->test_age)));
}

/* Nothing of now speaks for it: what the drive said long ago may be mended since. */
static void add_none_waits(struct judge *j, struct finding *f, const struct media_view *v)
{
	if (v->pending && !v->pending->u && !(v->offline && v->offline->u) &&
	    !(v->defects && v->defects->u) && !v->test_recent &&
	    !v->kernel.n[KERNEL_MEDIA])
		judge_against(j, f, SIDE_DRIVE, v->pending,
			      "no sector waits to be replaced now: what failed may have "
			      "been written anew since");
}

static void add_media_evidence(struct judge *j, struct finding *f,
			       const struct media_view *v)
{
	if (v->selftest)
		add_selftest(j, f, v);
	if (v->pending && v->pending->u && !v->flickers)
		judge_for(j, f, SIDE_DRIVE, v->pending, "%s to be replaced (%s)",
			  judge_count(j, v->pending->u, "sector waits", "sectors wait"),
			  judge_teller(j, v->pending));
	if (v->offline && v->offline->u)
		judge_for(j, f, SIDE_DRIVE, v->offline,
			  "%s could not be read off-line (%s)",
			  judge_count(j, v->offline->u, "sector", "sectors"),
			  judge_teller(j, v->offline));
	if (v->defects && v->defects->u)
		judge_for(j, f, SIDE_DRIVE, v->defects,
			  "the pending defects log lists %s",
			  judge_number(j, v->defects->u));
	if (v->entry && v->entry_dated)
		judge_for(j, f, SIDE_DRIVE, v->entry,
			  "the error log holds an uncorrectable error of %s power-on "
			  "hours ago",
			  judge_number(j, v->entry_age));
	kernel_for(j, f, &v->kernel, KERNEL_MEDIA);
	if (v->kernel.n[KERNEL_WIRE])
		judge_against(j, f, SIDE_HOST, NULL,
			      "the link damages frames too (L01), but that cannot make a "
			      "sector "
			      "unreadable");
	add_none_waits(j, f, v);
	if (drive_flag(j->d, FACT_SMART_PASSED, 0))
		judge_against(
			j, f, SIDE_DRIVE, drive_fact(j->d, FACT_SMART_PASSED, 0, 0),
			"SMART says PASSED, which proves nothing: it reports passed "
			"thresholds only");
}

static enum rule_answer rule_unreadable(struct judge *j)
{
	struct media_view v = look(j);
	struct finding *f;
	bool ssd = judge_is_ssd(j);

	if (v.flickers && v.pending && v.pending->u)
		judge_ignore(
			j,
			judge_text(j, "attribute 197 = %s",
				   judge_number(j, v.pending->u)),
			"on this model it comes and goes without any unreadable sector");
	if (!v.witnesses)
		return v.kernel.there || v.pending || v.offline ||
				       judge_has_section(j, "selftest")
			       ? ANSWER_FINE
			       : ANSWER_CANNOT_TELL;
	f = judge_found(j, CODE_M01,
			v.witnesses > 1 || v.test_recent || !ssd ||
					v.kernel.n[KERNEL_MEDIA]
				? SEVERITY_CRITICAL
				: SEVERITY_WARNING,
			v.test_recent || v.kernel.n[KERNEL_MEDIA] ? CONFIDENCE_CERTAIN
			: v.witnesses > 1			  ? CONFIDENCE_STRONG
			: ssd					  ? CONFIDENCE_WEAK
								  : CONFIDENCE_MODERATE,
			"Some sectors of this drive cannot be read any more.");
	f->where = "in the drive: its medium";
	f->where_confidence = f->confidence;
	add_media_evidence(j, f, &v);
	add_backup(j, f);
	if (!v.test_recent)
		judge_next(j, f,
			   "Then run the long self-test (smartctl -t long %s) and read "
			   "its result.",
			   judge_device(j));
	judge_next(
		j, f,
		"Rewriting the sectors (RAID repair, or a full overwrite after the "
		"backup) makes the drive replace them. Replace the drive if the counts "
		"grow after that, or the test fails again.");
	return ANSWER_FOUND;
}

static enum rule_answer rule_reallocated(struct judge *j)
{
	const struct fact *count = drive_fact(j->d, FACT_REALLOCATED, 0, 0);
	int64_t rise = 0;
	bool two = drive_delta(j->d, FACT_REALLOCATED, 0, 0, &rise);
	struct finding *f;
	bool many;

	if (!count)
		return ANSWER_CANNOT_TELL;
	if (!count->u)
		return ANSWER_FINE;
	many = count->u > LIMIT_REALLOCATED_MANY || rise > 0;
	f = judge_found(
		j, CODE_M02,
		many || (count->u >= LIMIT_REALLOCATED_FEW && !judge_is_ssd(j))
			? SEVERITY_WARNING
			: SEVERITY_NOTE,
		many				    ? CONFIDENCE_STRONG
		: count->u >= LIMIT_REALLOCATED_FEW ? CONFIDENCE_MODERATE
						    : CONFIDENCE_WEAK,
		rise > 0 ? "The drive is using up spare sectors: %s replaced, and the "
			   "count is rising."
			 : "The drive has replaced %s.",
		rise > 0 ? judge_number(j, count->u)
			 : judge_count(j, count->u, "bad sector by a spare one",
				       "bad sectors by spare ones"));
	f->where = "in the drive: its medium";
	f->where_confidence = f->confidence;
	judge_for(j, f, SIDE_DRIVE, count, "%s replaced (%s)%s",
		  judge_number(j, count->u), judge_teller(j, count),
		  two ? judge_text(j, ", %+lld between the readings", (long long)rise)
		      : "");
	if (!two)
		judge_against(
			j, f, SIDE_NONE, NULL,
			"one reading: a count that stands still for months is harmless");
	if (f->severity == SEVERITY_WARNING)
		add_backup(j, f);
	judge_next(
		j, f,
		"Run the long self-test (smartctl -t long %s) and read the count again "
		"in a week. Growth, or a failed test: replace the drive.",
		judge_device(j));
	return ANSWER_FOUND;
}

static enum rule_answer rule_past_uncorrectable(struct judge *j)
{
	struct media_view v = look(j);
	const struct fact *count = drive_fact(j->d, FACT_REPORTED_UNCORR, 0, 0);
	bool lost = !v.entry && !(count && count->u);
	const char *kind = lost ? "sector that was not found (IDNF)" : "one";
	struct finding *f;

	if (lost)
		v.entry =
			youngest_entry(j, is_lost_address, &v.entry_dated, &v.entry_age);
	if (!count && !v.entry)
		return judge_has_section(j, "errorlog") ? ANSWER_FINE
							: ANSWER_CANNOT_TELL;
	if (v.witnesses || ((!count || !count->u) && !v.entry))
		return ANSWER_FINE; /* M01 speaks of it, or there is nothing */
	f = judge_found(j, CODE_M03, SEVERITY_NOTE, CONFIDENCE_WEAK,
			lost ? "Sectors were not found in the past; nothing says that it "
			       "happens now."
			     : "Reads failed in the past; nothing says that they do "
			       "now.");
	if (count && count->u)
		judge_for(j, f, SIDE_DRIVE, count, "%s reported in its life (%s)",
			  judge_count(j, count->u, "uncorrectable error was",
				      "uncorrectable errors were"),
			  judge_teller(j, count));
	if (v.entry && v.entry_dated)
		judge_for(j, f, SIDE_DRIVE, v.entry,
			  "the last %s in the error log is %s power-on hours old", kind,
			  judge_number(j, v.entry_age));
	else if (v.entry)
		judge_for(j, f, SIDE_DRIVE, v.entry,
			  "the error log holds %s%s, not dated", lost ? "a " : "", kind);
	if (v.pending && !v.pending->u)
		judge_against(j, f, SIDE_DRIVE, v.pending,
			      "no sector waits to be replaced");
	judge_next(j, f,
		   "Run the long self-test (smartctl -t long %s); if it passes and the "
		   "count stays, it is history.",
		   judge_device(j));
	return ANSWER_FOUND;
}

static bool is_prefail(const struct judge *j, uint32_t id)
{
	uint64_t flags;

	return drive_u64(j->d, FACT_ATTR_FLAGS, id, 0, &flags) && (flags & 1);
}

/* Attributes at or below their threshold now; *ret_prefail counts the pre-fail ones. */
static unsigned failing_now(const struct judge *j, unsigned *ret_prefail)
{
	size_t n;
	const struct fact *when = drive_facts(j->d, FACT_ATTR_WHEN_FAILED, &n);
	unsigned count = 0;

	*ret_prefail = 0;
	for (size_t i = 0; i < n; i++) {
		if (!judge_is_current(j, &when[i]) || !str_equal(when[i].text, "now"))
			continue;
		count++;
		*ret_prefail += is_prefail(j, when[i].key.i);
	}
	return count;
}

static void add_failing(struct judge *j, struct finding *f)
{
	size_t n;
	const struct fact *when = drive_facts(j->d, FACT_ATTR_WHEN_FAILED, &n);

	for (size_t i = 0; i < n; i++) {
		uint32_t id = when[i].key.i;
		uint64_t value, threshold;

		if (!judge_is_current(j, &when[i]) || !str_equal(when[i].text, "now"))
			continue;
		if (!drive_u64(j->d, FACT_ATTR_VALUE, id, 0, &value) ||
		    !drive_u64(j->d, FACT_ATTR_THRESHOLD, id, 0, &threshold))
			continue;
		judge_for(j, f, SIDE_DRIVE, &when[i],
			  "%s attribute %u stands at %llu, its threshold is %llu",
			  is_prefail(j, id) ? "pre-fail" : "old-age", id,
			  (unsigned long long)value, (unsigned long long)threshold);
	}
}

static enum rule_answer rule_threshold(struct judge *j)
{
	const struct fact *passed = drive_fact(j->d, FACT_SMART_PASSED, 0, 0);
	unsigned prefail, failing = failing_now(j, &prefail);
	/* for NVMe it is any bit of the critical warning, heat too: rules_nvme[] tells which */
	bool failed = passed && !passed->u && !drive_fact(j->d, FACT_NVME_WARNING, 0, 0);
	struct finding *f;

	if (!failed && !failing)
		return passed || judge_has_section(j, "attributes") ? ANSWER_FINE
								    : ANSWER_CANNOT_TELL;
	if (!failed && !prefail) {
		/* a worn or hot drive trips a usage attribute; that is age, not failure */
		f = judge_found(
			j, CODE_M04, SEVERITY_NOTE, CONFIDENCE_WEAK,
			"A usage attribute has reached its threshold: age or heat, not "
			"by itself a failing drive.");
		add_failing(j, f);
		judge_next(j, f,
			   "See which attribute it is: hours and load cycles mean age, "
			   "temperature means cooling.");
		return ANSWER_FOUND;
	}
	f = judge_found(j, CODE_M04, SEVERITY_CRITICAL, CONFIDENCE_CERTAIN,
			"Its own threshold says so: expect it to fail.");
	f->where = "in the drive";
	f->where_confidence = CONFIDENCE_CERTAIN;
	if (failed)
		judge_for(j, f, SIDE_DRIVE, passed, "SMART overall health: FAILED");
	add_failing(j, f);
	add_backup(j, f);
	judge_next(j, f,
		   "Replace the drive; within the warranty the maker takes it back for "
		   "this.");
	return ANSWER_FOUND;
}

const struct rule rules_media[] = {
	{ CODE_M04, rule_threshold, "ACS-3 SMART RETURN STATUS; makers' thresholds" },
	{ CODE_M01, rule_unreadable,
	  "published fleet statistics; drives' self-test logs" },
	{ CODE_M02, rule_reallocated, "published fleet statistics by raw count" },
	{ CODE_M03, rule_past_uncorrectable,
	  "drives' error logs, dated by power-on hour" },
	{ CODE_COUNT, NULL, NULL },
};
