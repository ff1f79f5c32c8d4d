/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules on what SAS and NVMe drives say of themselves: each fires, and stays silent, where it should. */
#include "unit.h"

#include <string.h>

#include "base/str.h"
#include "case-fixture.h"

#define SAS  "model=\"TESTSAS\"\nserial=\"TEST0000021\"\nbus=\"sas\"\nrotation_rpm=7200\n"
#define NVME "model=\"TESTNVME\"\nserial=\"TEST0000022\"\nbus=\"nvme\"\n"
#define DISK "model=\"TESTDISK\"\nserial=\"TEST0000023\"\nrotation_rpm=7200\n"
#define SSD                                                                              \
	"model=\"TESTSSD\"\nserial=\"TEST0000024\"\nrotation_rpm=0\nstat[07/"            \
	"008].value=2\nselftest[1].type=\"Extended "                                     \
	"offline\"\nselftest[1].hours=18264\nselftest[1].result=\"Completed: read "      \
	"failure\"\nselftest[1].lba=9032584\n"
#define LOST(n)	  "scsi_errors[03].uncorrected=" n "\n"
#define WORDS(n)  "sas_port[1].phy[0].invalid_dwords=" n "\n"
#define WARNS(n)  "nvme_critical_warning=" n "\n"
#define AT(clock) "local_time=\"Mon Jun  1 " clock ":00:00 2026 UTC\"\n"

struct row {
	const char *name, *facts, *later; /* NULL: one reading */
	enum code code;
	bool found;
	enum severity severity;
	enum confidence confidence;
};

/* clang-format off */
static const struct row rows[] = {
	{ "a few lost reads of its life", SAS LOST("3"), NULL, CODE_S07, true, SEVERITY_NOTE, CONFIDENCE_WEAK },
	{ "many of them", SAS LOST("535"), NULL, CODE_S07, true, SEVERITY_WARNING, CONFIDENCE_MODERATE },
	{ "lost reads that grow", SAS LOST("3") AT("01"), SAS LOST("4") AT("02"), CODE_S07, true, SEVERITY_CRITICAL, CONFIDENCE_STRONG },
	{ "lost reads that stand still", SAS LOST("3") AT("01"), SAS LOST("3") AT("02"), CODE_S07, true, SEVERITY_NOTE, CONFIDENCE_WEAK },
	{ "none lost", SAS LOST("0"), NULL, CODE_S07, false, 0, 0 },
	{ "a test that failed", SAS "selftest[0].type=\"Background long\"\nselftest[0].result=\"Failed in second segment\"\nselftest[0].lba=77\n", NULL, CODE_S07, true, SEVERITY_CRITICAL, CONFIDENCE_CERTAIN },
	{ "a test that failed, and a long one passed since", SAS "selftest[0].type=\"Background long\"\nselftest[0].result=\"Completed\"\nselftest[1].type=\"Background long\"\nselftest[1].result=\"Failed in second segment\"\n", NULL, CODE_S07, false, 0, 0 },
	{ "a test that was aborted", SAS "selftest[0].type=\"Background long\"\nselftest[0].result=\"Aborted (device reset ?)\"\n", NULL, CODE_S07, false, 0, 0 },
	{ "a block that waits", SAS "background_result[1].lba=77\nbackground_result[1].reassign=\"Require Write or Reassign Blocks command\"\n", NULL, CODE_S07, true, SEVERITY_WARNING, CONFIDENCE_MODERATE },
	{ "a block that was mended", SAS "background_result[1].lba=77\nbackground_result[1].reassign=\"Recovered via rewrite in-place\"\n", NULL, CODE_S07, false, 0, 0 },

	{ "words that rise", SAS WORDS("5") AT("01"), SAS WORDS("905") AT("02"), CODE_S01, true, SEVERITY_WARNING, CONFIDENCE_MODERATE },
	{ "words that stand still", SAS WORDS("90500") AT("01"), SAS WORDS("90500") AT("02"), CODE_S01, false, 0, 0 },
	{ "many words in one reading", SAS WORDS("90500"), NULL, CODE_S01, true, SEVERITY_NOTE, CONFIDENCE_WEAK },
	{ "the words of a plug", SAS WORDS("4"), NULL, CODE_S01, false, 0, 0 },

	{ "read-only", NVME WARNS("8"), NULL, CODE_D07, true, SEVERITY_CRITICAL, CONFIDENCE_CERTAIN },
	{ "not read-only", NVME WARNS("7"), NULL, CODE_D07, false, 0, 0 },
	{ "unreliable", NVME WARNS("4") "smart_passed=0\n", NULL, CODE_M04, true, SEVERITY_CRITICAL, CONFIDENCE_CERTAIN },
	{ "its buffer is not safe", NVME WARNS("16"), NULL, CODE_M04, true, SEVERITY_CRITICAL, CONFIDENCE_CERTAIN },
	{ "a bit without a name", NVME WARNS("64") "smart_passed=0\n", NULL, CODE_M04, true, SEVERITY_CRITICAL, CONFIDENCE_CERTAIN },
	{ "heat alone is no failing drive", NVME WARNS("2") "smart_passed=0\n", NULL, CODE_M04, false, 0, 0 },
	{ "... it is heat", NVME WARNS("2") "smart_passed=0\n", NULL, CODE_D08, true, SEVERITY_WARNING, CONFIDENCE_STRONG },
	{ "FAILED without its reason", NVME "smart_passed=0\n", NULL, CODE_M04, true, SEVERITY_CRITICAL, CONFIDENCE_CERTAIN },
	{ "spare below the threshold", NVME WARNS("0") "nvme_spare_percent=4\nnvme_spare_threshold_percent=10\n", NULL, CODE_D01, true, SEVERITY_CRITICAL, CONFIDENCE_CERTAIN },
	{ "spare at the threshold", NVME WARNS("0") "nvme_spare_percent=10\nnvme_spare_threshold_percent=10\n", NULL, CODE_D01, false, 0, 0 },
	{ "a threshold that was never set", NVME WARNS("0") "nvme_spare_percent=0\nnvme_spare_threshold_percent=0\n", NULL, CODE_D01, false, 0, 0 },
	{ "a threshold that is none", NVME WARNS("0") "nvme_spare_percent=100\nnvme_spare_threshold_percent=255\n", NULL, CODE_D01, false, 0, 0 },
	{ "used up", NVME WARNS("0") "life_used_percent=106\npower_on_hours=20000\n", NULL, CODE_D01, true, SEVERITY_WARNING, CONFIDENCE_CERTAIN },
	{ "media errors of its life", NVME WARNS("0") "nvme_media_errors=9\n", NULL, CODE_M03, true, SEVERITY_NOTE, CONFIDENCE_WEAK },
	{ "media errors of its life are not of now", NVME WARNS("0") "nvme_media_errors=9\n", NULL, CODE_M01, false, 0, 0 },
	{ "media errors that rise", NVME AT("01") "nvme_media_errors=9\n", NVME AT("02") "nvme_media_errors=12\n", CODE_M01, true, SEVERITY_CRITICAL, CONFIDENCE_STRONG },
	{ "media errors that stand still", NVME AT("01") "nvme_media_errors=9\n", NVME AT("02") "nvme_media_errors=9\n", CODE_M01, false, 0, 0 },
	{ "as hot as its limit", NVME WARNS("0") "temperature_celsius=83\nnvme_warning_temperature_celsius=83\n", NULL, CODE_D08, true, SEVERITY_WARNING, CONFIDENCE_STRONG },
	{ "70 degrees below a limit of 83", NVME WARNS("0") "temperature_celsius=70\nnvme_warning_temperature_celsius=83\n", NULL, CODE_D08, false, 0, 0 },
	{ "70 degrees without a limit", NVME WARNS("0") "temperature_celsius=70\n", NULL, CODE_D08, false, 0, 0 },
	{ "warm minutes of its life", NVME WARNS("0") "nvme_warning_temperature_minutes=48\n", NULL, CODE_D08, false, 0, 0 },
	{ "critically hot minutes of its life", NVME WARNS("0") "nvme_critical_temperature_minutes=3\n", NULL, CODE_D08, true, SEVERITY_NOTE, CONFIDENCE_WEAK },
	{ "a count above a limit that was never reached", DISK "temperature_celsius=25\nstat[05/020].value=47\nstat[05/058].value=60\nsct_lifetime_max_celsius=47\nsct_over_limit_count=25027\n", NULL, CODE_M10, false, 0, 0 },
	{ "the statistic is damaged, SCT is not", DISK "temperature_celsius=25\nstat[05/020].value=-64\nstat[05/058].value=60\nsct_lifetime_max_celsius=51\nsct_over_limit_count=751\n", NULL, CODE_M10, false, 0, 0 },
	{ "a count above a limit that was passed", DISK "temperature_celsius=25\nstat[05/020].value=67\nstat[05/058].value=55\nsct_lifetime_max_celsius=67\nsct_over_limit_count=11959\n", NULL, CODE_M10, true, SEVERITY_NOTE, CONFIDENCE_MODERATE },
	{ "a young SSD whose test failed now", SSD "attr[9].raw=18300\n", NULL, CODE_D02, true, SEVERITY_CRITICAL, CONFIDENCE_MODERATE },
	{ "a young SSD whose test failed a year ago", SSD "attr[9].raw=27646\n", NULL, CODE_D02, true, SEVERITY_WARNING, CONFIDENCE_WEAK },
	{ "slow-downs that rise", NVME WARNS("0") AT("01") "nvme_thermal_1_transitions=3\n", NVME WARNS("0") AT("02") "nvme_thermal_1_transitions=30\n", CODE_D08, true, SEVERITY_WARNING, CONFIDENCE_MODERATE },
	{ "refused commands alone are no verdict", NVME WARNS("0") "nvme_error[0].status=16388\n", NULL, CODE_N06, false, 0, 0 },
	{ "refused commands beside one", NVME WARNS("8") "nvme_error[0].status=16388\n", NULL, CODE_N06, true, SEVERITY_OK, CONFIDENCE_STRONG },
	{ "a lost read is among them", NVME WARNS("8") "nvme_error[0].status=16388\nnvme_error[1].status=1282\n", NULL, CODE_N06, false, 0, 0 },
};
/* clang-format on */

static void check(const struct row *r)
{
	const char *const drives[] = { r->facts, r->later, NULL };
	struct fixture f;
	const struct finding *found;

	fixture_judge(&f, drives);
	assert_int_equal(f.the_case.n_drives, 1);
	found = fixture_finding(&f, r->code);
	if ((found != NULL) != r->found)
		fail_msg("%s: %s %s", r->name, code_name(r->code),
			 found ? "was found" : "was not found");
	if (found &&
	    (found->severity != r->severity || found->confidence != r->confidence))
		fail_msg("%s: %s, %s", r->name, severity_name(found->severity),
			 confidence_name(found->confidence));
	fixture_done(&f);
}

static void table(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(rows); i++)
		check(&rows[i]);
}

/* What is not in the report makes no drive well, whatever kind it is of. */
static void too_little_is_no_health(void **state)
{
	static const char *const texts[] = {
		NVME "smart_passed=1\n",
		NVME WARNS("0"),
		SAS "smart_passed=1\ngrown_defects=0\n",
		"model=\"BRIDGE\"\nscsi_version=\"SPC-4\"\nscsi_device_type=\"disk\"\n"
		"smart_passed=1\n",
		NVME "smart_passed=1\nnvme_error[0].status=16388\n",
	};

	(void)state;
	for (size_t i = 0; i < array_size(texts); i++) {
		const char *const drives[] = { texts[i], NULL };
		struct fixture f;

		fixture_judge(&f, drives);
		assert_non_null(fixture_finding(&f, CODE_Z01));
		assert_null(fixture_finding(&f, CODE_Z00));
		fixture_done(&f);
	}
}

static const char *missing_of(const struct fixture *f)
{
	static char all[2000];
	size_t n = 0;

	for (size_t i = 0; i < f->report.drives[0].missing.n; i++)
		n += (size_t)snprintf(all + n, sizeof(all) - n, "%s; ",
				      f->report.drives[0].missing.items[i]);
	return all;
}

/* Nobody is sent for a log that this kind of drive does not have. */
static void what_to_collect_fits_the_drive(void **state)
{
	static const struct {
		const char *facts, *want, *not_want;
	} kinds[] = {
		{ NVME "device=\"nvme0\"\n", "health log (smartctl -A /dev/nvme0)",
		  "sataphy" },
		{ SAS "device=\"sda\"\n", "smartctl -l sasphy /dev/sda", "attributes" },
		{ "model=\"BRIDGE\"\nscsi_version=\"SPC-4\"\nscsi_device_type=\"disk\"\n",
		  "-d sntjmicron", "sasphy" },
		{ "model=\"DISK\"\ndevice=\"sda\"\n", "smartctl -l sataphy /dev/sda",
		  "sasphy" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(kinds); i++) {
		const char *const drives[] = { kinds[i].facts, NULL };
		struct fixture f;

		fixture_judge(&f, drives);
		if (!strstr(missing_of(&f), kinds[i].want) ||
		    strstr(missing_of(&f), kinds[i].not_want))
			fail_msg("%zu: %s", i, missing_of(&f));
		fixture_done(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table),
		cmocka_unit_test(too_little_is_no_health),
		cmocka_unit_test(what_to_collect_fits_the_drive),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
