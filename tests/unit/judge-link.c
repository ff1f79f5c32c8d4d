/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Link counters. The values are those of published reports; what must come out follows from how
 * such tables are distributed over 51,906 of them.
 */
#include "unit.h"

#include <string.h>

#include "case-fixture.h"

#define PHY(id, value) "phy[" id "].value=" value "\n"

/* The fourteen constants of the Samsung 830 family, and its two counters that live. */
#define CONSTANTS_830                                                                    \
	PHY("001", "0")                                                                  \
	PHY("002", "49152")                                                              \
	PHY("003", "53248")                                                              \
	PHY("004", "57344")                                                              \
	PHY("005", "7952")                                                               \
	PHY("006", "2562")                                                               \
	PHY("007", "4096")                                                               \
	PHY("008", "7952")                                                               \
	PHY("009", "7953")                                                               \
	PHY("00a", "25")                                                                 \
	PHY("00b", "6145")                                                               \
	PHY("00d", "7953")                                                               \
	PHY("00f", "8176") PHY("010", "15") PHY("012", "49153") PHY("013", "12112")

#define ATTR(id, value, raw)                                                             \
	"attr[" id "].value=" value "\nattr[" id "].raw=" raw "\nattr[" id               \
	"].raw_text=\"" raw "\"\n"

#define CLEAN_ATTRIBUTES                                                                 \
	"smart_passed=1\n" ATTR("5", "100", "0") ATTR("9", "99", "36")                   \
		ATTR("187", "100", "0")

static const char samsung_830[] =
	"model=\"SAMSUNG SSD 830 Series\"\nfirmware=\"CXM03B1Q\"\nrotation_rpm=0\n"
	"error_count=0\nposted_section[0]=\"selftest\"\n" CLEAN_ATTRIBUTES ATTR(
		"199", "253", "0") CONSTANTS_830;

static const uint32_t fourteen[] = { 0x002, 0x003, 0x004, 0x005, 0x006, 0x007, 0x008,
				     0x009, 0x00b, 0x00d, 0x00f, 0x010, 0x012, 0x013 };

static void known_constants_say_nothing(void **state)
{
	const char *drives[] = { samsung_830, NULL };
	struct fixture f;

	(void)state;
	fixture_judge(&f, drives);
	for (size_t i = 0; i < array_size(fourteen); i++)
		assert_int_equal(fixture_phy(&f, fourteen[i])->trust, PHY_CONSTANT);
	assert_int_equal(fixture_phy(&f, 0x001)->trust, PHY_LIVE);
	assert_int_equal(fixture_phy(&f, 0x00a)->trust, PHY_LIVE);
	assert_int_equal(f.report.drives[0].phy.trust_percent, 13); /* 2 of 16 */
	assert_null(fixture_finding(&f, CODE_L01));
	assert_null(fixture_finding(&f, CODE_L09));
	assert_int_equal(f.report.drives[0].findings[0].code, CODE_Z00);
	assert_true(fixture_has(&f.report.drives[0].findings[0].evidence,
				"strongly against a bad cable"));
	fixture_done(&f);
}

static void unknown_constants_are_doubted(void **state)
{
	const char *drives[] = { samsung_830, NULL };
	struct fixture f;

	(void)state;
	fixture_judge_db(&f, drives,
			 "ata:mn*:fw*:\n ATTR_199_MEANS=interface_crc_errors\n");
	for (size_t i = 0; i < array_size(fourteen); i++)
		assert_int_equal(fixture_phy(&f, fourteen[i])->trust, PHY_DOUBTFUL);
	assert_int_equal(fixture_phy(&f, 0x001)->trust, PHY_LIVE);
	assert_int_equal(fixture_phy(&f, 0x00a)->trust, PHY_LIVE);
	assert_null(fixture_finding(&f, CODE_L01));
	fixture_done(&f);
}

static void samsung_swap_and_real_errors(void **state)
{
	const char *drives[] = {
		"model=\"SAMSUNG MZ7LH3T8HMLT-00005\"\nfirmware=\"HXT7404Q\"\n"
		"rotation_rpm=0\n" CLEAN_ATTRIBUTES ATTR("199", "99", "25493") PHY(
			"001", "25491") PHY("002", "25491") PHY("003", "25491")
			PHY("004", "0") PHY("005", "23") PHY("006", "0") PHY("007", "23")
				PHY("008", "0") PHY("009", "8") PHY("00a", "9")
					PHY("00b", "0") PHY("00d", "0") PHY("00f", "0")
						PHY("010", "0") PHY("012", "0")
							PHY("013", "0"),
		NULL
	};
	const struct finding *l01;
	struct fixture f;

	(void)state;
	fixture_judge(&f, drives);
	assert_int_equal(fixture_phy(&f, 0x001)->trust, PHY_LIVE);
	assert_int_equal(fixture_phy(&f, 0x006)->trust, PHY_SWAPPED);
	assert_int_equal(fixture_phy(&f, 0x007)->trust, PHY_SWAPPED);
	assert_int_equal(fixture_phy(&f, 0x007)->direction, DIRECTION_TO_HOST);
	assert_int_equal(f.report.drives[0].phy.trust_percent, 100);
	l01 = fixture_finding(&f, CODE_L01);
	assert_non_null(l01);
	assert_int_equal(l01->severity, SEVERITY_WARNING);
	assert_int_equal(l01->confidence,
			 CONFIDENCE_MODERATE); /* large, clear direction */
	assert_non_null(strstr(f.report.drives[0].phy.direction, "drive->host only"));
	fixture_done(&f);
}

static void broken_sum_of_a_family_is_a_note(void **state)
{
	const char *drives[] = {
		"model=\"TOSHIBA MG04ACA400E\"\nfirmware=\"FP4B\"\n"
		"rotation_rpm=7200\n" CLEAN_ATTRIBUTES ATTR("199", "200", "0")
			PHY("001", "0") PHY("002", "16") PHY("003", "0") PHY("004", "16")
				PHY("005", "0") PHY("006", "0") PHY("007", "0")
					PHY("00a", "2") PHY("00f", "14") PHY("010", "16")
						PHY("012", "0") PHY("013", "0"),
		NULL
	};
	const struct finding *l01;
	struct fixture f;
	bool noted = false;

	(void)state;
	fixture_judge(&f, drives);
	assert_int_equal(fixture_phy(&f, 0x004)->trust, PHY_LIVE);
	assert_int_equal(fixture_phy(&f, 0x00f)->trust, PHY_LIVE);
	assert_int_equal(fixture_phy(&f, 0x010)->trust, PHY_LIVE);
	for (size_t i = 0; i < f.report.drives[0].phy.reasons.n; i++)
		noted |= strstr(f.report.drives[0].phy.reasons.items[i],
				"004h should be") != NULL;
	assert_true(noted);
	l01 = fixture_finding(&f, CODE_L01);
	assert_non_null(l01);
	assert_int_equal(l01->confidence, CONFIDENCE_WEAK);
	fixture_done(&f);
}

static void power_management_is_no_fault(void **state)
{
	const char *drives[] = {
		"model=\"TESTDISK\"\nrotation_rpm=0\nerror_count=0\n"
		"posted_section[0]=\"selftest\"\n" CLEAN_ATTRIBUTES ATTR(
			"199", "200", "0") PHY("001", "0") PHY("003", "0") PHY("004", "0")
			PHY("009", "65535") "phy[009].saturated=1\n" PHY("00a", "8")
				PHY("00b", "0"),
		NULL
	};
	struct fixture f;

	(void)state;
	fixture_judge(&f, drives);
	assert_int_equal(fixture_phy(&f, 0x009)->trust, PHY_SATURATED);
	assert_null(fixture_finding(&f, CODE_L01));
	assert_null(fixture_finding(&f, CODE_L09));
	assert_int_equal(f.report.drives[0].findings[0].code, CODE_Z00);
	fixture_done(&f);
}

static void dead_199_does_not_clear_001(void **state)
{
	const char *drives[] = { "model=\"CT240BX500SSD1\"\nfirmware=\"M6CR013\"\n"
				 "rotation_rpm=0\n" CLEAN_ATTRIBUTES ATTR(
					 "199", "100", "0") PHY("001", "10")
					 PHY("002", "0") PHY("005", "0") PHY("00a", "5"),
				 NULL };
	const struct finding *l01;
	struct fixture f;

	(void)state;
	fixture_judge(&f, drives);
	assert_int_equal(fixture_phy(&f, 0x001)->trust, PHY_LIVE);
	l01 = fixture_finding(&f, CODE_L01);
	assert_non_null(l01);
	assert_int_equal(l01->severity, SEVERITY_WARNING); /* from 10 on */
	assert_true(fixture_has(&l01->evidence, "does not count"));
	assert_true(f.report.drives[0].phy.reasons.n > 0);
	fixture_done(&f);
}

static void old_errors_are_no_alarm(void **state)
{
	const char *drives[] = {
		"model=\"TESTDISK\"\nrotation_rpm=7200\n" CLEAN_ATTRIBUTES ATTR(
			"199", "200", "4739") PHY("001", "0") PHY("003", "0")
			PHY("004", "0") PHY("006", "0") PHY("007", "0") PHY("00a", "3"),
		NULL
	};
	const struct finding *verdict;
	struct fixture f;

	(void)state;
	fixture_judge(&f, drives);
	verdict = &f.report.drives[0].findings[0];
	assert_int_equal(verdict->code, CODE_L09);
	assert_int_equal(verdict->severity, SEVERITY_NOTE);
	assert_int_equal(verdict->confidence, CONFIDENCE_STRONG);
	assert_int_equal(report_worst(&f.report), SEVERITY_NOTE);
	fixture_done(&f);
}

static const char first_reading[] =
	"model=\"TESTDISK\"\nserial=\"TEST0000001\"\nrotation_rpm=0\n" CLEAN_ATTRIBUTES
		ATTR("12", "99", "7") ATTR("199", "200", "12") PHY("001", "12")
			PHY("003", "12") PHY("004", "0") PHY("00a", "3");

static void rising_counter(void **state)
{
	const char *drives[] = { first_reading,
				 "model=\"TESTDISK\"\nserial=\"TEST0000001\"\nrotation_"
				 "rpm=0\n" CLEAN_ATTRIBUTES ATTR("12", "99", "7")
					 ATTR("199", "200", "49") PHY("001", "49")
						 PHY("003", "49") PHY("004", "0")
							 PHY("00a", "3"),
				 NULL };
	const struct finding *l01;
	struct fixture f;

	(void)state;
	fixture_judge(&f, drives);
	assert_int_equal(f.the_case.n_drives, 1);
	assert_int_equal(f.the_case.drives[0]->n_snapshots, 2);
	l01 = fixture_finding(&f, CODE_L01);
	assert_non_null(l01);
	assert_int_equal(l01->severity, SEVERITY_WARNING);
	assert_int_equal(l01->confidence, CONFIDENCE_MODERATE); /* one side only */
	assert_true(fixture_phy(&f, 0x001)->has_delta);
	assert_int_equal(fixture_phy(&f, 0x001)->delta, 37);
	assert_non_null(strstr(l01->headline, "37"));
	fixture_done(&f);
}

/* HGST HUS724020ALA640, as published: one command failed, and the error log has it. */
#define ONE_FAILED(hours)                                                                \
	"model=\"HGST HUS724020ALA640\"\nfirmware=\"MF6OABY0\"\nrotation_rpm=7200\n"     \
	"smart_passed=1\n" ATTR("9", "93", "53495") ATTR("199", "200", "1")              \
		PHY("001", "1") PHY("002", "0") PHY("003", "0")                          \
			PHY("004", "0") "error[0].hours=" hours "\nerror[0].error=132\n" \
					"error[0].text=\"ICRC, ABRT at LBA = "           \
					"0x243a0480 = 607782016\"\n"

static void the_error_log_dates_what_was_counted(void **state)
{
	const char *old[] = { ONE_FAILED("44016"), NULL };
	const char *fresh[] = { ONE_FAILED("53400"), NULL };
	const struct finding *l01;
	struct fixture f;

	(void)state;
	fixture_judge(&f, old);
	l01 = fixture_finding(&f, CODE_L01);
	assert_non_null(l01);
	assert_int_equal(l01->severity, SEVERITY_NOTE);
	assert_non_null(strstr(l01->headline, "9,479 power-on hours old"));
	assert_false(fixture_has(&l01->against, "one reading only"));
	fixture_done(&f);
	fixture_judge(&f, fresh);
	l01 = fixture_finding(&f, CODE_L01);
	assert_non_null(l01);
	assert_int_equal(l01->severity, SEVERITY_WARNING);
	fixture_done(&f);
}

static void standing_counter_is_history(void **state)
{
	const char *drives[] = { first_reading, first_reading, NULL };
	struct fixture f;

	(void)state;
	fixture_judge(&f, drives);
	assert_null(fixture_finding(&f, CODE_L01));
	assert_int_equal(f.report.drives[0].findings[0].code, CODE_L09);
	assert_int_equal(report_worst(&f.report), SEVERITY_NOTE);
	fixture_done(&f);
}

/* After a power cycle the counters start again: no rise, no doubt, no delta. */
static void restart_is_no_fall(void **state)
{
	const char *drives[] = { first_reading,
				 "model=\"TESTDISK\"\nserial=\"TEST0000001\"\nrotation_"
				 "rpm=0\n" CLEAN_ATTRIBUTES ATTR("12", "99", "8")
					 ATTR("199", "200", "12") PHY("001", "0")
						 PHY("003", "0") PHY("004", "0")
							 PHY("00a", "1"),
				 NULL };
	struct fixture f;

	(void)state;
	fixture_judge(&f, drives);
	assert_false(fixture_phy(&f, 0x001)->has_delta);
	assert_int_equal(fixture_phy(&f, 0x001)->trust, PHY_LIVE);
	assert_int_equal(f.report.drives[0].findings[0].code, CODE_L09);
	fixture_done(&f);
}

static void a_fall_without_power_cycle_is_doubted(void **state)
{
	const char *drives[] = { first_reading,
				 "model=\"TESTDISK\"\nserial=\"TEST0000001\"\nrotation_"
				 "rpm=0\n" CLEAN_ATTRIBUTES ATTR("12", "99", "7")
					 ATTR("199", "200", "12") PHY("001", "12")
						 PHY("003", "4") PHY("004", "0")
							 PHY("00a", "3"),
				 NULL };
	struct fixture f;

	(void)state;
	fixture_judge(&f, drives);
	assert_int_equal(fixture_phy(&f, 0x003)->trust, PHY_DOUBTFUL);
	assert_int_equal(fixture_phy(&f, 0x001)->trust, PHY_LIVE);
	fixture_done(&f);
}

static void link_speed(void **state)
{
	static const struct {
		const char *facts;
		bool found;
		enum severity severity;
	} rows[] = {
		{ "rotation_rpm=0\nlink_current_mbps=6000\nlink_device_max_mbps=6000\n",
		  false, SEVERITY_OK },
		{ "rotation_rpm=0\nlink_current_mbps=3000\nlink_device_max_mbps=6000\n",
		  true, SEVERITY_NOTE },
		{ "rotation_rpm=0\nlink_current_mbps=1500\nlink_device_max_mbps=6000\n",
		  true, SEVERITY_WARNING },
		{ "rotation_rpm=7200\nlink_current_mbps=1500\nlink_device_max_mbps="
		  "6000\n",
		  true, SEVERITY_NOTE },
		{ "rotation_rpm=0\nlink_device_max_mbps=6000\n", false, SEVERITY_OK },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		const char *drives[] = { rows[i].facts, NULL };
		const struct finding *l03;
		struct fixture f;

		fixture_judge(&f, drives);
		l03 = fixture_finding(&f, CODE_L03);
		assert_int_equal(l03 != NULL, rows[i].found);
		if (l03)
			assert_int_equal(l03->severity, rows[i].severity);
		fixture_done(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_constants_say_nothing),
		cmocka_unit_test(unknown_constants_are_doubted),
		cmocka_unit_test(samsung_swap_and_real_errors),
		cmocka_unit_test(broken_sum_of_a_family_is_a_note),
		cmocka_unit_test(power_management_is_no_fault),
		cmocka_unit_test(dead_199_does_not_clear_001),
		cmocka_unit_test(old_errors_are_no_alarm),
		cmocka_unit_test(rising_counter),
		cmocka_unit_test(the_error_log_dates_what_was_counted),
		cmocka_unit_test(standing_counter_is_history),
		cmocka_unit_test(restart_is_no_fall),
		cmocka_unit_test(a_fall_without_power_cycle_is_doubted),
		cmocka_unit_test(link_speed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
