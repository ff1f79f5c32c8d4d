/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The SATA link: errors now (L01) and errors of the past (L09). The drive's counters are
 * one side of the link only: without the kernel's log or a measured rise nothing here is strong.
 */
#include <string.h>

#include "base/str.h"
#include "judge/context.h"
#include "judge/kernel.h"
#include "judge/rules.h"

static const uint32_t data_counters[] = {
	0x001, 0x002, 0x003, 0x004, 0x00b, 0x00f, 0x010
};
static const uint32_t control_counters[] = { 0x005, 0x006, 0x007, 0x008,
					     0x00d, 0x012, 0x013, 0xc02 };

static bool in_list(const uint32_t *ids, size_t n, uint32_t id)
{
	for (size_t i = 0; i < n; i++)
		if (ids[i] == id)
			return true;
	return false;
}

struct link_view {
	const struct phy_counter *worst_data,
		*worst_control;		  /* largest usable, or NULL */
	const struct phy_counter *rising; /* largest rise, or NULL */
	bool has_two;			  /* two readings to compare */
	const struct fact *crc;		  /* lifetime count */
	int64_t crc_rise;
	bool has_crc_two;
	struct kernel_view kernel;
};

static void view_counter(struct link_view *v, const struct phy_counter *c)
{
	bool data = in_list(data_counters, array_size(data_counters), c->id);
	bool control = in_list(control_counters, array_size(control_counters), c->id);
	const struct phy_counter **worst = data ? &v->worst_data : &v->worst_control;

	if (!c->is_error || c->trust == PHY_CONSTANT || c->trust == PHY_VENDOR)
		return;
	if (c->has_delta) {
		v->has_two = true;
		if (data && c->delta > 0 && (!v->rising || c->delta > v->rising->delta))
			v->rising = c;
	}
	if (phy_is_usable(c) && c->value && (data || control) &&
	    (!*worst || c->value > (*worst)->value))
		*worst = c;
}

static struct link_view look(const struct judge *j)
{
	struct link_view v = { .crc = link_crc_errors(j), .kernel = kernel_look(j) };

	for (size_t i = 0; i < j->r->phy.n; i++)
		view_counter(&v, &j->r->phy.counters[i]);
	v.has_crc_two = drive_delta(j->d, FACT_CRC_ERRORS, 0, 0, &v.crc_rise);
	return v;
}

bool link_is_clean(const struct judge *j)
{
	const struct fact *crc = link_crc_errors(j);
	uint64_t icrc;

	if (!phy_value(j, 0x001, &icrc) || icrc)
		return false;
	return !crc || crc->u == 0;
}

void link_add_clean(struct judge *j, struct finding *f, bool against)
{
	const struct fact *crc = link_crc_errors(j);
	const struct phy_counter *icrc = phy_find(j, 0x001);
	const char *text =
		crc ? judge_text(
			      j,
			      "no command of this drive ever failed on a CRC error (001h "
			      "= "
			      "0 since power-on, %s = 0 in its life): strongly against a "
			      "bad cable",
			      judge_teller(j, crc))
		    : "no command failed on a CRC error since power-on (001h = 0): "
		      "against a "
		      "bad cable";

	if (!link_is_clean(j))
		return;
	if (against)
		judge_against(j, f, SIDE_DRIVE, icrc->fact, "%s", text);
	else
		judge_for(j, f, SIDE_DRIVE, icrc->fact, "%s", text);
}

void link_add_silent(struct judge *j, struct finding *f)
{
	if (link_is_clean(j))
		judge_for(j, f, SIDE_DRIVE, phy_find(j, 0x001)->fact,
			  "no command ever failed on a CRC error");
}

static const char *count_text(struct judge *j, const struct phy_counter *c)
{
	return judge_text(j, "%s%s", c->saturated ? "at least " : "",
			  judge_number(j, c->value));
}

static void add_counters(struct judge *j, struct finding *f)
{
	for (size_t i = 0; i < j->r->phy.n; i++) {
		const struct phy_counter *c = &j->r->phy.counters[i];

		if (!c->is_error || !phy_is_usable(c) || !c->value)
			continue;
		judge_for(j, f, SIDE_DRIVE, c->fact, "%03Xh = %s %s%s", c->id,
			  count_text(j, c), c->name,
			  c->has_delta ? judge_text(j, " (%+lld between the readings)",
						    (long long)c->delta)
				       : "");
	}
	if (j->r->phy.direction)
		judge_for(j, f, SIDE_DRIVE, NULL, "%s", j->r->phy.direction);
}

static void add_lifetime(struct judge *j, struct finding *f, const struct link_view *v)
{
	if (!v->crc)
		return;
	if (v->crc->u)
		judge_for(j, f, SIDE_DRIVE, v->crc, "%s in the drive's life (%s)",
			  judge_count(j, v->crc->u, "CRC error", "CRC errors"),
			  judge_teller(j, v->crc));
	else if (drive_flag(j->d, FACT_DB_CRC_DEAD, 0))
		judge_for(j, f, SIDE_DATABASE, drive_fact(j->d, FACT_DB_CRC_DEAD, 0, 0),
			  "attribute 199 = 0 says nothing: on this model it does not "
			  "count");
	else
		judge_against(
			j, f, SIDE_DRIVE, v->crc,
			"the lifetime CRC count (%s) is 0: no error, or it does not "
			"count on this drive",
			judge_teller(j, v->crc));
}

/* Newest entry of the drive's error log that names a CRC error, or NULL. */
static const struct fact *logged_crc_error(const struct judge *j)
{
	size_t n;
	const struct fact *text = drive_facts(j->d, FACT_ERROR_TEXT, &n);

	for (size_t i = 0; i < n; i++)
		if (judge_is_current(j, &text[i]) && strstr(text[i].text, "ICRC"))
			return drive_fact_at(j->d, FACT_ERROR_HOURS, text[i].key.i, 0,
					     text[i].snapshot);
	return NULL;
}

static bool crc_error_age(const struct judge *j, uint64_t *ret)
{
	const struct fact *hours = logged_crc_error(j);

	return hours && judge_age_hours(j, hours->u, ret);
}

static bool failed_lately(const struct judge *j)
{
	uint64_t age;

	return crc_error_age(j, &age) && age <= LIMIT_LATELY_HOURS;
}

static void add_error_log(struct judge *j, struct finding *f)
{
	const struct fact *hours = logged_crc_error(j);
	uint64_t age;

	if (!hours)
		return;
	if (!judge_age_hours(j, hours->u, &age))
		judge_for(j, f, SIDE_DRIVE, hours,
			  "the drive's error log holds a CRC error at hour %s",
			  judge_number(j, hours->u));
	else if (age == 0)
		judge_for(j, f, SIDE_DRIVE, hours,
			  "the drive's error log holds a CRC error of its last hour of "
			  "running");
	else
		judge_for(j, f, SIDE_DRIVE, hours,
			  "the drive's error log holds a CRC error of %s power-on hours "
			  "ago",
			  judge_number(j, age));
}

static void add_cable_steps(struct judge *j, struct finding *f)
{
	judge_next(j, f,
		   "Switch off, take the SATA cable off at both ends and push it home "
		   "again, or "
		   "put in another short one (50 cm or less); mind the power plug too.");
	judge_next(j, f,
		   "Then read the counters, copy a few GB, read them again (smartctl -l "
		   "sataphy "
		   "%s) and give both outputs to drivewhy: they must not rise.",
		   judge_device(j));
	judge_next(
		j, f,
		"Still rising: another port with the same cable. If it follows the port, "
		"it "
		"is the port or backplane; if it follows the drive, its own connector.");
}

static void add_read_again_steps(struct judge *j, struct finding *f)
{
	judge_next(
		j, f,
		"Read the counters again after a load: copy a few GB from the drive, run "
		"smartctl -x %s, and give both reports to drivewhy together.",
		judge_device(j));
	judge_next(
		j, f,
		"If they rise: cable and its seating first. If not: they are history.");
}

/* What the host says of the link: for, against, or that nobody asked it. */
static void add_kernel(struct judge *j, struct finding *f, const struct link_view *v)
{
	kernel_for(j, f, &v->kernel, KERNEL_WIRE);
	kernel_for_class(j, f, &v->kernel, EVENT_SPEED_LIMITED);
	kernel_for_class(j, f, &v->kernel, EVENT_HARD_RESET);
	if (!v->kernel.there)
		judge_against(
			j, f, SIDE_NONE, NULL,
			"the host's side of the link (kernel log) was not given: one "
			"side only");
	else if (!v->kernel.n[KERNEL_WIRE])
		kernel_against_silence(j, f, &v->kernel, "damaged frame");
}

static enum rule_answer found_rising(struct judge *j, const struct link_view *v)
{
	struct finding *f;

	if (v->rising)
		f = judge_found(j, CODE_L01, SEVERITY_WARNING, CONFIDENCE_MODERATE,
				"Frames are being damaged on the link: %03Xh rose by %s "
				"between the readings.",
				v->rising->id,
				judge_number(j, (uint64_t)v->rising->delta));
	else
		f = judge_found(
			j, CODE_L01, SEVERITY_WARNING, CONFIDENCE_MODERATE,
			"Frames are being damaged on the link: the CRC error count "
			"rose by %s between the readings.",
			judge_number(j, (uint64_t)v->crc_rise));
	f->where = "between drive and host: cable, connector or port";
	f->where_confidence = CONFIDENCE_MODERATE;
	add_counters(j, f);
	add_lifetime(j, f, v);
	add_error_log(j, f);
	add_kernel(j, f, v);
	if (v->kernel.n[KERNEL_WIRE])
		f->confidence = f->where_confidence = CONFIDENCE_STRONG;
	add_cable_steps(j, f);
	return ANSWER_FOUND;
}

/* "One reading", unless the error log dates the last command that failed, which 001h counts. */
static const char *how_old(struct judge *j, bool lately, bool old, uint64_t age)
{
	if (lately)
		return "The last one is at most a day of running old.";
	if (old)
		return judge_text(j, "The last one is %s power-on hours old.",
				  judge_number(j, age));
	return "One reading does not tell whether they still rise.";
}

/* One reading: the count may be hours or months old, unless the error log dates it. */
static enum rule_answer found_since_power_on(struct judge *j, const struct link_view *v)
{
	const struct phy_counter *c = v->worst_data;
	bool whole_life = v->crc && v->crc->u && c->id == 0x001 && v->crc->u == c->value;
	bool large = c->value >= LIMIT_LINK_VERY_MANY && j->r->phy.direction;
	uint64_t age = 0;
	bool dated = crc_error_age(j, &age), lately = dated && age <= LIMIT_LATELY_HOURS;
	bool old = dated && age > LIMIT_RECENT_HOURS && c->id == 0x001;
	/* a whole log since boot would hold the line of every frame that a libata port lost */
	bool silent = v->kernel.complete && !v->kernel.faults && !rules_is_usb(j);
	enum severity severity =
		(c->value >= LIMIT_LINK_MANY || (whole_life && !old) || lately) && !silent
			? SEVERITY_WARNING
			: SEVERITY_NOTE;
	struct finding *f =
		judge_found(j, CODE_L01, severity,
			    large || lately ? CONFIDENCE_MODERATE : CONFIDENCE_WEAK,
			    "Link errors since the drive was switched on: %03Xh = %s. %s",
			    c->id, count_text(j, c), how_old(j, lately, old, age));

	f->where = "between drive and host: cable, connector or port";
	f->where_confidence = f->confidence;
	add_counters(j, f);
	add_lifetime(j, f, v);
	if (whole_life)
		judge_for(j, f, SIDE_DRIVE, c->fact,
			  "every CRC error of its life fell into this power-on");
	add_error_log(j, f);
	if (lately) {
		add_kernel(j, f, v);
		add_cable_steps(j, f);
		return ANSWER_FOUND;
	}
	if (v->kernel.there)
		add_kernel(j, f, v);
	judge_against(j, f, SIDE_NONE, NULL,
		      old ? "an error that old, and none since, is history"
			  : "one reading only: the errors may be hours or months old");
	add_read_again_steps(j, f);
	return ANSWER_FOUND;
}

static enum rule_answer found_control_only(struct judge *j, const struct link_view *v)
{
	bool many = v->worst_control->value >= LIMIT_CONTROL_MANY;
	struct finding *f = judge_found(
		j, CODE_L01, many ? SEVERITY_WARNING : SEVERITY_NOTE, CONFIDENCE_WEAK,
		"%s damaged and sent again since the drive was switched on; no data "
		"frame "
		"was.",
		judge_text(j, "%s %s", count_text(j, v->worst_control),
			   v->worst_control->value == 1 ? "control frame was"
							: "control frames were"));

	add_counters(j, f);
	judge_against(j, f, SIDE_NONE, NULL,
		      "the link repeats control frames by itself within microseconds");
	add_read_again_steps(j, f);
	return ANSWER_FOUND;
}

/* Counted in this power-on, but two readings say that it has stopped. */
static enum rule_answer found_stopped(struct judge *j, const struct link_view *v)
{
	struct finding *f = judge_found(
		j, CODE_L09, SEVERITY_NOTE, CONFIDENCE_MODERATE,
		"Link errors happened in this power-on, but none between the readings.");

	add_counters(j, f);
	add_lifetime(j, f, v);
	judge_against(j, f, SIDE_NONE, NULL,
		      "how much the link carried between the readings is not known");
	judge_next(j, f,
		   "Nothing to do now. Keep these counts as the baseline; a rise under "
		   "load means cable or port.");
	return ANSWER_FOUND;
}

/* The kernel saw damaged frames in this boot. Both sides agree when the drive counts them too. */
static enum rule_answer found_by_kernel(struct judge *j, const struct link_view *v)
{
	const struct kernel_view *k = &v->kernel;
	bool drive = v->worst_data || failed_lately(j);
	struct finding *f = judge_found(
		j, CODE_L01, SEVERITY_WARNING,
		drive ? CONFIDENCE_STRONG : CONFIDENCE_MODERATE,
		"Frames are damaged on the link: %s%s. Cable or connector first, the "
		"drive "
		"last.",
		k->n[KERNEL_WIRE] == 1 ? "once since boot"
				       : judge_text(j, "%s times since boot",
						    judge_number(j, k->n[KERNEL_WIRE])),
		k->to_host && !k->to_drive   ? ", from drive to host"
		: k->to_drive && !k->to_host ? ", from host to drive"
					     : "");

	f->where = "between drive and host: cable, connector or port";
	f->where_confidence = f->confidence;
	add_kernel(j, f, v);
	add_counters(j, f);
	add_lifetime(j, f, v);
	add_error_log(j, f);
	if (k->n[KERNEL_WIRE] == k->near_boot[KERNEL_WIRE])
		judge_against(
			j, f, SIDE_HOST, NULL,
			"only while the host started: speed and presence are tried then");
	add_cable_steps(j, f);
	return ANSWER_FOUND;
}

/* Another cause of the path speaks of the same lines already. */
static bool is_explained(const struct judge *j)
{
	return rules_found(j, CODE_L02, SEVERITY_WARNING) ||
	       rules_found(j, CODE_L07, SEVERITY_WARNING);
}

static enum rule_answer rule_link_errors(struct judge *j)
{
	struct link_view v = look(j);

	if (is_explained(j))
		return ANSWER_FINE;
	if (v.rising || (v.has_crc_two && v.crc_rise > 0))
		return found_rising(j, &v);
	if (v.kernel.n[KERNEL_WIRE] && !rules_is_nvme(j))
		return found_by_kernel(j, &v);
	if (!j->r->phy.n)
		return v.kernel.there ? ANSWER_FINE : ANSWER_CANNOT_TELL;
	if (v.worst_data && v.has_two)
		return found_stopped(j, &v);
	if (v.worst_data)
		return found_since_power_on(j, &v);
	if (v.worst_control && !v.has_two)
		return found_control_only(j, &v);
	return ANSWER_FINE;
}

/* A lifetime count alone means "happened once": 71 % of drives with one show no live error. */
static enum rule_answer rule_old_link_errors(struct judge *j)
{
	struct link_view v = look(j);
	uint64_t icrc;
	bool icrc_known = phy_value(j, 0x001, &icrc);
	bool quiet = icrc_known && !icrc && !v.worst_data, kernel_silent;
	struct finding *f;

	if (!v.crc)
		return ANSWER_CANNOT_TELL;
	if (!v.crc->u)
		return ANSWER_FINE;
	if (v.worst_data || v.rising || (v.has_crc_two && v.crc_rise > 0) ||
	    v.kernel.n[KERNEL_WIRE])
		return ANSWER_FINE; /* L01 speaks of it */
	kernel_silent = v.kernel.complete && !v.kernel.faults;
	f = judge_found(
		j, CODE_L09, SEVERITY_NOTE,
		quiet || kernel_silent ? CONFIDENCE_STRONG
		: v.has_crc_two	       ? CONFIDENCE_STRONG
				       : CONFIDENCE_WEAK,
		quiet || v.has_crc_two
			? "Link errors happened once (%s in the drive's life), not now."
			: "Link errors happened at some time (%s in the drive's life); "
			  "whether they still do cannot be seen here.",
		judge_number(j, v.crc->u));
	judge_for(j, f, SIDE_DRIVE, v.crc,
		  "%s = %s: a count of the whole life, never reset",
		  judge_teller(j, v.crc), judge_number(j, v.crc->u));
	if (quiet)
		judge_for(j, f, SIDE_DRIVE, phy_find(j, 0x001)->fact,
			  "no link error since the drive was switched on (phy event "
			  "counters)");
	if (v.has_crc_two)
		judge_for(j, f, SIDE_DRIVE, v.crc,
			  "the count is the same in both readings");
	if (v.kernel.there)
		judge_for(j, f, SIDE_HOST, NULL, "the kernel log holds no damaged frame");
	add_error_log(j, f);
	judge_next(j, f, "Nothing to do. Note the count: only a rise means trouble.");
	if (!quiet && !v.has_crc_two)
		judge_next(j, f, "To see it: smartctl -x %s, now and again after a load.",
			   judge_device(j));
	return ANSWER_FOUND;
}

const struct rule rules_link[] = {
	{ CODE_L01, rule_link_errors,
	  "51,906 published tables of phy event counters; Serial ATA; libata-eh.c" },
	{ CODE_L09, rule_old_link_errors,
	  "51,906 published tables: 71 % of drives with a lifetime count show none now" },
	{ CODE_COUNT, NULL, NULL },
};
