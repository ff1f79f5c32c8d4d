/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The SATA link: errors now (L01), speed (L03), errors of the past (L09). The drive's counters are
 * one side of the link only: without the kernel's log or a measured rise nothing here is strong.
 */
#include <string.h>

#include "base/str.h"
#include "judge/context.h"

/*
 * Of 527 published tables with 001 > 0 the median is 12: a handful since power-on is common on
 * links that work. Proposed: a warning from 10 on.
 */
#define MANY_ERRORS 10u
/* Above this one reading makes a moderate case when the direction is clear. Proposed. */
#define VERY_MANY_ERRORS 100u
/* Control frames are resent by the link in microseconds; below this no more than a remark. */
#define MANY_CONTROL_ERRORS 1000u

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
	struct link_view v = { .crc = link_crc_errors(j) };

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
		judge_for(j, f, SIDE_DRIVE, v->crc,
			  "%s CRC errors in the drive's life (%s)",
			  judge_number(j, v->crc->u), judge_teller(j, v->crc));
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

/* Such an entry of the last day of running says that the link fails in these days. */
#define RECENT_HOURS 24u

static bool failed_lately(const struct judge *j)
{
	const struct fact *hours = logged_crc_error(j);
	uint64_t age;

	return hours && judge_age_hours(j, hours->u, &age) && age <= RECENT_HOURS;
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

static enum answer found_rising(struct judge *j, const struct link_view *v)
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
	judge_against(
		j, f, SIDE_NONE, NULL,
		"the host's side of the link (kernel log) was not given: one side only");
	add_cable_steps(j, f);
	return ANSWER_FOUND;
}

/* One reading: the count may be hours or months old, unless the error log dates it. */
static enum answer found_since_power_on(struct judge *j, const struct link_view *v)
{
	const struct phy_counter *c = v->worst_data;
	bool whole_life = v->crc && v->crc->u && c->id == 0x001 && v->crc->u == c->value;
	bool large = c->value >= VERY_MANY_ERRORS && j->r->phy.direction;
	bool lately = failed_lately(j);
	enum severity severity = c->value >= MANY_ERRORS || whole_life || lately
					 ? SEVERITY_WARNING
					 : SEVERITY_NOTE;
	struct finding *f = judge_found(
		j, CODE_L01, severity,
		large || lately ? CONFIDENCE_MODERATE : CONFIDENCE_WEAK,
		"Link errors since the drive was switched on: %03Xh = %s. %s", c->id,
		count_text(j, c),
		lately ? "The last one is at most a day of running old."
		       : "One reading does not tell whether they still rise.");

	f->where = "between drive and host: cable, connector or port";
	f->where_confidence = f->confidence;
	add_counters(j, f);
	add_lifetime(j, f, v);
	if (whole_life)
		judge_for(j, f, SIDE_DRIVE, c->fact,
			  "every CRC error of its life fell into this power-on");
	add_error_log(j, f);
	if (lately) {
		judge_against(j, f, SIDE_NONE, NULL,
			      "the host's side of the link (kernel log) was not given: "
			      "one side "
			      "only");
		add_cable_steps(j, f);
		return ANSWER_FOUND;
	}
	judge_against(j, f, SIDE_NONE, NULL,
		      "one reading only: the errors may be hours or months old");
	add_read_again_steps(j, f);
	return ANSWER_FOUND;
}

static enum answer found_control_only(struct judge *j, const struct link_view *v)
{
	bool many = v->worst_control->value >= MANY_CONTROL_ERRORS;
	struct finding *f = judge_found(
		j, CODE_L01, many ? SEVERITY_WARNING : SEVERITY_NOTE, CONFIDENCE_WEAK,
		"%s control frames were damaged and sent again since the drive was "
		"switched on; "
		"no data frame was.",
		count_text(j, v->worst_control));

	add_counters(j, f);
	judge_against(j, f, SIDE_NONE, NULL,
		      "the link repeats control frames by itself within microseconds");
	add_read_again_steps(j, f);
	return ANSWER_FOUND;
}

/* Counted in this power-on, but two readings say that it has stopped. */
static enum answer found_stopped(struct judge *j, const struct link_view *v)
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

static enum answer rule_link_errors(struct judge *j)
{
	struct link_view v = look(j);

	if (v.rising || (v.has_crc_two && v.crc_rise > 0))
		return found_rising(j, &v);
	if (!j->r->phy.n)
		return ANSWER_CANNOT_TELL;
	if (v.worst_data && v.has_two)
		return found_stopped(j, &v);
	if (v.worst_data)
		return found_since_power_on(j, &v);
	if (v.worst_control && !v.has_two)
		return found_control_only(j, &v);
	return ANSWER_FINE;
}

/* A lifetime count alone means "happened once": 71 % of drives with one show no live error. */
static enum answer rule_old_link_errors(struct judge *j)
{
	struct link_view v = look(j);
	uint64_t icrc;
	bool icrc_known = phy_value(j, 0x001, &icrc);
	bool quiet = icrc_known && !icrc && !v.worst_data;
	struct finding *f;

	if (!v.crc)
		return ANSWER_CANNOT_TELL;
	if (!v.crc->u)
		return ANSWER_FINE;
	if (v.worst_data || v.rising || (v.has_crc_two && v.crc_rise > 0))
		return ANSWER_FINE; /* L01 speaks of it */
	f = judge_found(
		j, CODE_L09, SEVERITY_NOTE,
		quiet		? CONFIDENCE_STRONG
		: v.has_crc_two ? CONFIDENCE_STRONG
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
	add_error_log(j, f);
	judge_next(j, f, "Nothing to do. Note the count: only a rise means trouble.");
	if (!quiet && !v.has_crc_two)
		judge_next(j, f, "To see it: smartctl -x %s, now and again after a load.",
			   judge_device(j));
	return ANSWER_FOUND;
}

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

static enum answer rule_link_speed(struct judge *j)
{
	uint64_t now, most, port;
	const struct fact *fact = drive_fact(j->d, FACT_LINK_CURRENT, 0, 0);
	bool slowest, port_known = drive_u64(j->d, FACT_LINK_PORT_MAX, 0, 0, &port);
	struct finding *f;

	if (!drive_u64(j->d, FACT_LINK_CURRENT, 0, 0, &now) ||
	    !drive_u64(j->d, FACT_LINK_DEVICE_MAX, 0, 0, &most))
		return ANSWER_CANNOT_TELL;
	if (now >= most)
		return ANSWER_FINE;
	/* 1.5 of 6.0 is ten to thirty times as common on links with errors; 3.0 is an old port */
	slowest = now <= 1500 && most >= 3000;
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

const struct rule rules_link[] = {
	{ CODE_L01, rule_link_errors,
	  "51,906 published phy tables; libata error handling" },
	{ CODE_L03, rule_link_speed,
	  "51,892 published tables; Serial ATA 8b/10b coding" },
	{ CODE_L09, rule_old_link_errors,
	  "1,253 of 1,755 drives with attribute 199 > 0" },
	{ CODE_COUNT, NULL, NULL },
};
