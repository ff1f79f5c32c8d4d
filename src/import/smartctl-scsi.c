/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The body of SCSI and SAS reports: single lines. Its tables are in smartctl-scsi-log.c. */
#include <string.h>

#include "base/str.h"
#include "import/smartctl.h"

/* "5.x: Temperature Warning Enabled", "Device supports SMART and is Disabled" */
static bool read_supports(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	(void)id;
	smart_flag(s, FACT_SMART_AVAILABLE, true, v->line);
	return smart_read_enabled(s, v, FACT_SMART_ENABLED);
}

static bool read_no_smart(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	smart_flag(s, id, false, v->line);
	return true;
}

/* 5.x: "SMART Sense: Ok!" */
static bool read_sense(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	if (!str_starts(v->s, "Ok!"))
		return smart_read_line(s, v, id);
	smart_flag(s, id, true, v->line);
	return true;
}

/* "14 times", "10000" */
static bool read_times(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	uint64_t n;

	if (!smart_get_count(s, v, " times", &n))
		return smart_read_count(s, v, id);
	smart_u64(s, id, n, v->line);
	return true;
}

/* "08 of year 2014"; some drives report blanks */
static bool read_week(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	struct word w[5];
	uint64_t week, year;
	struct buf text = { 0 };
	size_t n = words_split(v->s, w, 5);

	if (n != 4 || word_u64(w[0], 10, &week) < 0 || word_u64(w[3], 10, &year) < 0)
		return !v->cut;
	if (w[3].len != 4)
		return false;
	if (week && week < 54 && year > 1980)
		buf_printf(&text, "%04u-W%02u", (unsigned int)year, (unsigned int)week);
	if (text.len)
		smart_text(s, id, buf_text(&text), v->line);
	buf_done(&text);
	return true;
}

/* "22332.68", hours and hundredths */
static bool read_hours(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	struct word w[1];
	uint64_t n;

	if (words_split(v->s, w, 1) != 1 || !smart_get_decimal(w[0], 2, &n) || v->cut)
		return false;
	smart_u64(s, id, n / 100, v->line);
	return true;
}

/* "22332:41 [1339961 minutes]" */
bool smart_read_hours(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	const char *p = v->s;
	uint64_t hours, minutes;

	if (str_take_u64(&p, 10, &hours) < 0 || *p++ != ':' ||
	    str_take_u64(&p, 10, &minutes) < 0 || minutes > 59)
		return false;
	if ((!*p && v->cut) || (*p && !words_after(p, " [")))
		return false;
	smart_u64(s, id, hours, v->line);
	return true;
}

/* "837 seconds [13.9 minutes]" */
static bool read_seconds(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	uint64_t n;

	if (!smart_get_count(s, v, " seconds", &n))
		return false;
	smart_u64(s, id, n, v->line);
	return true;
}

static bool read_log_save(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	smart_flag(s, id, true, v->line);
	return true;
}

static bool read_remaining(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	uint64_t n;

	if (!smart_get_count(s, v, "% of test remaining", &n))
		return false;
	smart_text(s, id, v->s, v->line);
	return true;
}

/* "30" of the environmental reports, "unknown"; the first sensor stands */
static bool read_degrees(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	struct word w[2];
	bool below = *v->s == '-';
	uint64_t n;

	if (str_equal(v->s, "unknown"))
		return true;
	if (v->cut || words_split(v->s + below, w, 2) != 1 ||
	    word_u64(w[0], 10, &n) < 0 || n > 128)
		return false;
	smart_s64(s, id, below ? -(int64_t)n : (int64_t)n, v->line);
	return true;
}

/* A sentence that says what is not to be had. */
static bool read_sentence(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	(void)id;
	if (v->cut)
		return false;
	emit_text(&s->e, FACT_POSTED_WARNING, s->warnings++, 0, smart_line(s, v->line),
		  v->line);
	return true;
}

/* "Pending defect count:0 Pending Defects" */
static bool read_pending(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	uint64_t n;

	if (!smart_get_count(s, v, " Pending Defect", &n))
		return false;
	smart_u64(s, id, n, v->line);
	return true;
}

/* clang-format off */
static const struct smart_key keys[] = {
	{ "Device supports SMART and is",	FACT_SMART_ENABLED,	read_supports,	true },
	{ "Device does not support SMART",	FACT_SMART_AVAILABLE,	read_no_smart,	true },
	{ "Temperature Warning",		FACT_TEMPERATURE_WARNS,	smart_read_enabled, false },
	{ "SMART Sense:",			FACT_SMART_PASSED,	read_sense,	true },
	{ "Percentage used endurance indicator:", FACT_LIFE_USED,	smart_read_percent, true },
	{ "Current Drive Temperature:",		FACT_TEMPERATURE,	smart_read_celsius, true },
	{ "Drive Trip Temperature:",		FACT_TEMPERATURE_TRIP,	smart_read_celsius, true },
	{ "Manufactured in week",		FACT_MANUFACTURED,	read_week,	true },
	{ "Current start stop count:",		FACT_START_STOPS,	read_times,	true },
	{ "Recommended start stop count:",	FACT_START_STOPS_RATED,	read_times,	true },
	{ "Recommended maximum start stop count:", FACT_START_STOPS_RATED, read_times,	true },
	{ "Specified cycle count over device lifetime:", FACT_START_STOPS_RATED, smart_read_count, true },
	{ "Accumulated start-stop cycles:",	FACT_START_STOPS,	smart_read_count, true },
	{ "Specified load-unload count over device lifetime:", FACT_LOAD_CYCLES_RATED, smart_read_count, true },
	{ "Accumulated load-unload cycles:",	FACT_LOAD_CYCLES,	smart_read_count, true },
	{ "Elements in grown defect list:",	FACT_GROWN_DEFECTS,	smart_read_count, true },
	{ "Grown defect list length=",		FACT_COUNT,		read_sentence,	true },
	{ "defect list format",			FACT_COUNT,		read_sentence,	true },
	{ "Accumulated power on time, hours:minutes", FACT_POWER_ON_HOURS, smart_read_hours, true },
	{ "Vendor (Seagate) cache information",	FACT_COUNT,		smart_read_nothing, true },
	{ "Vendor (Seagate Cache) information",	FACT_COUNT,		smart_read_nothing, true },
	{ "Vendor (Seagate/Hitachi) factory information", FACT_COUNT,	smart_read_nothing, true },
	{ "Vendor (Seagate) factory information", FACT_COUNT,		smart_read_nothing, true },
	{ "Blocks sent to initiator =",		FACT_SCSI_SENT,		smart_read_count, true },
	{ "Blocks received from initiator =",	FACT_SCSI_RECEIVED,	smart_read_count, true },
	{ "Blocks read from cache and sent to initiator =", FACT_SCSI_CACHED, smart_read_count, true },
	{ "Number of read and write commands whose size <= segment size =", FACT_SCSI_SMALL, smart_read_count, true },
	{ "Number of read and write commands whose size > segment size =", FACT_SCSI_LARGE, smart_read_count, true },
	{ "number of hours powered up =",	FACT_POWER_ON_HOURS,	read_hours,	true },
	{ "number of minutes until next internal SMART test =", FACT_SCSI_NEXT_TEST, smart_read_count, true },
	{ "Non-medium error count:",		FACT_NON_MEDIUM_ERRORS,	smart_read_count, true },
	{ "Track following error count [Hitachi]:", FACT_TRACK_ERRORS,	smart_read_count, true },
	{ "Positioning error count [Hitachi]:",	FACT_POSITION_ERRORS,	smart_read_count, true },
	{ "[GLTSD (Global Logging Target Save Disable) set.", FACT_LOG_SAVE_OFF, read_log_save, true },
	{ "Long (extended) Self Test duration:", FACT_EXTENDED_SECONDS,	read_seconds,	true },
	{ "Long (extended) Self-test duration:", FACT_EXTENDED_SECONDS,	read_seconds,	true },
	{ "Self-test execution status:",	FACT_SELFTEST_NOW,	read_remaining,	false },
	{ "Grown defects during certification =", FACT_FORMAT_DEFECTS,	smart_read_count, true },
	{ "Total blocks reassigned during format =", FACT_FORMAT_REASSIGNED, smart_read_count, true },
	{ "Total new blocks reassigned =",	FACT_FORMAT_SINCE,	smart_read_count, true },
	{ "Power on minutes since format =",	FACT_FORMAT_MINUTES,	smart_read_count, true },
	{ "Grown defects during certification <not available>", FACT_COUNT, smart_read_nothing, true },
	{ "Total blocks reassigned during format <not available>", FACT_COUNT, smart_read_nothing, true },
	{ "Total new blocks reassigned <not available>", FACT_COUNT,	smart_read_nothing, true },
	{ "Power on minutes since format <not available>", FACT_COUNT,	smart_read_nothing, true },
	{ "Format status indicates no format since manufacture", FACT_COUNT, smart_read_nothing, true },
	{ "Pending defect count:",		FACT_DEFECT_COUNT,	read_pending,	true },
	{ "Current temperature =",		FACT_TEMPERATURE,	read_degrees,	false },
	{ "Lifetime maximum temperature =",	FACT_TEMPERATURE_MAX,	read_degrees,	false },
	{ "Lifetime minimum temperature =",	FACT_COUNT,		smart_read_line, false },
	{ "Maximum temperature since power on =", FACT_COUNT,		smart_read_line, false },
	{ "Minimum temperature since power on =", FACT_COUNT,		smart_read_line, false },
	{ "Maximum other temperature =",	FACT_COUNT,		smart_read_line, false },
	{ "Minimum other temperature =",	FACT_COUNT,		smart_read_line, false },
	{ "Relative humidity =",		FACT_COUNT,		smart_read_line, false },
	{ "TapeAlert",				FACT_COUNT,		smart_read_line, true },
	{ "Error Counter logging not supported", FACT_COUNT,		read_sentence,	true },
	{ "Device does not support Error Counter logging", FACT_COUNT,	read_sentence,	true },
	{ "Device does not support Self Test logging", FACT_COUNT,	read_sentence,	true },
	{ "Device does not support Background scan results logging", FACT_COUNT, read_sentence, true },
	{ "Warning: device does not support Self Test Logging", FACT_COUNT, read_sentence, true },
	{ "No error events logged",		FACT_COUNT,		smart_read_nothing, true },
	{ "device is NOT READY",		FACT_COUNT,		read_sentence,	true },
	{ "device Test Unit Ready",		FACT_COUNT,		read_sentence,	true },
	{ "device becoming ready (wait)",	FACT_COUNT,		read_sentence,	true },
	{ "NO MEDIUM present in device",	FACT_COUNT,		read_sentence,	true },
	{ "Standard Inquiry (",			FACT_COUNT,		read_sentence,	true },
	{ "Retrying with a 64 byte Standard Inquiry", FACT_COUNT,	smart_read_nothing, true },
	{ "Log Sense",				FACT_COUNT,		read_sentence,	true },
	{ "scsiPrint",				FACT_COUNT,		read_sentence,	true },
	{ "scsiModeSense",			FACT_COUNT,		read_sentence,	true },
	{ "Request Sense failed",		FACT_COUNT,		read_sentence,	true },
	{ ">> Terminate command early due to bad response to IEC mode page", FACT_COUNT, read_sentence, true },
	{ NULL, FACT_COUNT, NULL, false },
};
/* clang-format on */

bool smart_is_scsi_key(const char *line)
{
	const char *value;
	const struct smart_key *key = smart_find_key(keys, line, &value);

	return key && key->strong;
}

static const char prose[] =
	"Seagate FARM log supported [try: -l farm] "
	"protection information intervals per logical block "
	"2 bytes of protection information per logical block "
	"8 bytes of protection information per logical block "
	"16 bytes of protection information per logical block "
	"General statistics and performance log page: "
	"Zoned block device statistics log page: "
	"Device statistics (SSC, tape) log page: "
	"#Num : index, LBA and accumulated_power_on_hours follow "
	"Enable Save with '-S on'] "
	"SCSI device successfully opened "
	"Use 'smartctl -a' (or '-x') to print SMART (and more) information ";

/* Statistics pages that only few ask for: "    Number of read commands: 5", kept as they are. */
static bool is_statistic(const char *line)
{
	const char *colon = strrchr(line, ':');

	if (!colon || colon[1] != ' ' || !str_is_digit(colon[2]))
		return false;
	return !colon[2 + strspn(colon + 2, "0123456789.")];
}

/* "     1:  0x1a2b            ,  12345" below the pending defect count */
static size_t take_defect(struct smart *s, size_t i)
{
	struct word w[5];
	size_t n = words_split(smart_line(s, i), w, 5);
	uint64_t number, lba, hours;

	if (n < 3 || w[0].len < 2 || w[0].s[w[0].len - 1] != ':' || w[n - 1].len == 0)
		return 0;
	w[0].len--;
	w[1].len -= w[1].s[w[1].len - 1] == ',';
	if (word_u64(w[0], 10, &number) < 0 || word_hex(w[1], &lba) < 0)
		return 0;
	if (n > 4 || smart_is_cut(s, i) || word_u64(w[n - 1], 10, &hours) < 0)
		return smart_claim(s, i, 1, LINE_DAMAGED);
	emit_u64(&s->e, FACT_DEFECT_LBA, s->defects, 0, lba, i);
	emit_u64(&s->e, FACT_DEFECT_HOURS, s->defects++, 0, hours, i);
	return smart_claim(s, i, 1, LINE_READ);
}

static size_t take_row(struct smart *s, size_t i)
{
	size_t n = smart_take_key(s, keys, i);

	if (!n)
		n = take_defect(s, i);
	if (!n && s->section_end == i && is_statistic(smart_line(s, i))) {
		struct smart_value v = { smart_line(s, i), i, 1, smart_is_cut(s, i) };

		return smart_claim(s, i, 1,
				   smart_read_line(s, &v, FACT_COUNT) ? LINE_READ
								      : LINE_DAMAGED);
	}
	return n;
}

static bool is_seen(const struct smart *s, const char *line)
{
	const char *value;
	const struct smart_key *key = smart_find_key(keys, line, &value);

	return key && key->strong && key->id != FACT_COUNT &&
	       key->id != FACT_POWER_ON_HOURS && smart_has_bit(s->once, key->id);
}

const struct smart_section smart_scsi = {
	.name = "scsi",
	.part = PART_SCSI,
	.row = take_row,
	.is_seen = is_seen,
	.prose = prose,
};
