/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <string.h>

#include "case-fixture.h"

#define ATTR(id, raw) "attr[" id "].value=100\nattr[" id "].raw=" raw "\n"

/* WD10EZEX-60ZF5A0, as published */
#define LAST_TEST                                                                        \
	"selftest[1].type=\"Extended offline\"\nselftest[1].hours=52537\n"               \
	"selftest[1].result=\"Completed: read failure\"\nselftest[1].lba=1929482048\n"

#define NOT_FOUND                                                                        \
	"rotation_rpm=5400\nattr[9].raw=8699\nattr[197].raw=0\nerror[2].hours=4957\n"    \
	"error[2].error=16\nerror[2].status=65\nerror[2].lba=328117120\n"                \
	"error[2].text=\"IDNF at LBA = 0x138eab80 = 328117120\"\n"

struct row {
	const char *name, *facts;
	enum code code; /* CODE_COUNT: none of the media, wear and lock codes */
	enum severity severity;
	enum confidence confidence;
};

static const struct row rows[] = {
	{ "pending and uncorrectable under PASSED",
	  "rotation_rpm=7200\nsmart_passed=1\n" ATTR("197", "8") ATTR("198", "8"),
	  CODE_M01, SEVERITY_CRITICAL, CONFIDENCE_STRONG },
	{ "failed self-test",
	  "rotation_rpm=7200\nselftest[1].type=\"Extended offline\"\n"
	  "selftest[1].result=\"Completed: read failure\"\nselftest[1].lba=8675309\n",
	  CODE_M01, SEVERITY_CRITICAL, CONFIDENCE_CERTAIN },
	{ "failed self-test, a later one passed",
	  "rotation_rpm=7200\nselftest[1].type=\"Extended offline\"\n"
	  "selftest[1].result=\"Completed without error\"\n"
	  "selftest[2].type=\"Extended offline\"\n"
	  "selftest[2].result=\"Completed: read failure\"\n",
	  CODE_COUNT, SEVERITY_OK, CONFIDENCE_WEAK },
	{ "failed self-test of this month",
	  "rotation_rpm=7200\nattr[9].raw=53000\n" LAST_TEST ATTR("197", "0"), CODE_M01,
	  SEVERITY_CRITICAL, CONFIDENCE_CERTAIN },
	{ "failed self-test of two years ago, no sector waits",
	  "rotation_rpm=7200\nattr[9].raw=69875\n" LAST_TEST ATTR("197", "0"), CODE_M01,
	  SEVERITY_CRITICAL, CONFIDENCE_MODERATE },
	{ "failed self-test of two years ago, sectors wait",
	  "rotation_rpm=7200\nattr[9].raw=69875\n" LAST_TEST ATTR("197", "3"), CODE_M01,
	  SEVERITY_CRITICAL, CONFIDENCE_STRONG },
	{ "a sector that was not found",
	  "rotation_rpm=7200\nattr[9].raw=18526\nerror[0].hours=18138\nerror[0].error=1\n"
	  "error[0].text=\"AMNF at LBA = 0x65249418 = 1696896024\"\n",
	  CODE_M01, SEVERITY_CRITICAL, CONFIDENCE_MODERATE },
	{ "flickering pending sector of a known model",
	  "model=\"CT500MX500SSD1\"\nfirmware=\"M3CR023\"\nrotation_rpm=0\n" ATTR("197",
										  "1"),
	  CODE_COUNT, SEVERITY_OK, CONFIDENCE_WEAK },
	{ "pending count above the capacity is another thing",
	  "rotation_rpm=7200\ncapacity_bytes=80026361856\n" ATTR("197", "4294967295000"),
	  CODE_COUNT, SEVERITY_OK, CONFIDENCE_WEAK },
	{ "few replaced sectors", "rotation_rpm=7200\n" ATTR("5", "3"), CODE_M02,
	  SEVERITY_NOTE, CONFIDENCE_WEAK },
	{ "many replaced sectors", "rotation_rpm=7200\n" ATTR("5", "312"), CODE_M02,
	  SEVERITY_WARNING, CONFIDENCE_STRONG },
	{ "FAILED", "rotation_rpm=7200\nsmart_passed=0\n", CODE_M04, SEVERITY_CRITICAL,
	  CONFIDENCE_CERTAIN },
	{ "pre-fail attribute now",
	  "smart_passed=1\nattr[5].value=3\nattr[5].threshold=36\nattr[5].flags=51\n"
	  "attr[5].when_failed=\"now\"\n",
	  CODE_M04, SEVERITY_CRITICAL, CONFIDENCE_CERTAIN },
	{ "old-age attribute now is age",
	  "smart_passed=1\nattr[9].value=1\nattr[9].threshold=1\nattr[9].flags=50\n"
	  "attr[9].when_failed=\"now\"\n",
	  CODE_M04, SEVERITY_NOTE, CONFIDENCE_WEAK },
	{ "old uncorrectable error",
	  "rotation_rpm=7200\nattr[9].raw=30000\nerror[1].hours=7\nerror[1].error=64\n"
	  "error[1].status=81\nerror[1].text=\"UNC at LBA = 0x00000000 = 0\"\n",
	  CODE_M03, SEVERITY_NOTE, CONFIDENCE_WEAK },
	/* posted: HGST HTS545050A7E680, 43 of them in its life */
	{ "an address that it has was not found",
	  "capacity_bytes=500107862016\n" NOT_FOUND, CODE_M03, SEVERITY_NOTE,
	  CONFIDENCE_WEAK },
	{ "an address beyond its end must not be found",
	  "capacity_bytes=120034123776\n" NOT_FOUND, CODE_COUNT, SEVERITY_OK,
	  CONFIDENCE_WEAK },
	{ "where it ends is not known", NOT_FOUND, CODE_COUNT, SEVERITY_OK,
	  CONFIDENCE_WEAK },
	{ "worn out",
	  "model=\"TESTSSD\"\nrotation_rpm=0\nattr[9].raw=40000\nstat[07/"
	  "008].value=104\n",
	  CODE_D01, SEVERITY_WARNING, CONFIDENCE_CERTAIN },
	{ "both places see the end",
	  "model=\"INTEL SSDSC2KB240G8\"\nrotation_rpm=0\nattr[9].raw=40000\n"
	  "attr[233].raw=0\nattr[233].value=4\nstat[07/008].value=96\n",
	  CODE_D01, SEVERITY_WARNING, CONFIDENCE_CERTAIN },
	{ "one place against the other",
	  "model=\"INTEL SSDSC2KB240G8\"\nrotation_rpm=0\nattr[9].raw=40000\n"
	  "attr[233].raw=0\nattr[233].value=1\nstat[07/008].value=10\n",
	  CODE_D01, SEVERITY_WARNING, CONFIDENCE_MODERATE },
	{ "flag N belongs to a percentage",
	  "model=\"TESTSSD\"\nrotation_rpm=0\nattr[9].raw=40000\nstat[07/"
	  "008].value=104\nstat[07/008].flags=\"N--\"\n",
	  CODE_D01, SEVERITY_WARNING, CONFIDENCE_CERTAIN },
	{ "flag N makes a count none",
	  "rotation_rpm=7200\nstat[03/020].value=200\nstat[03/020].flags=\"N--\"\n",
	  CODE_COUNT, SEVERITY_OK, CONFIDENCE_WEAK },
	{ "255 % on a young drive is a placeholder",
	  "model=\"TESTSSD\"\nrotation_rpm=0\nattr[9].raw=2449\nstat[07/008].value=255\n",
	  CODE_COUNT, SEVERITY_OK, CONFIDENCE_WEAK },
	{ "life of a rotating drive means nothing",
	  "model=\"TESTDISK\"\nrotation_rpm=7200\nstat[07/008].value=100\n", CODE_COUNT,
	  SEVERITY_OK, CONFIDENCE_WEAK },
	{ "locked", "security_locked=1\n", CODE_K10, SEVERITY_CRITICAL,
	  CONFIDENCE_CERTAIN },
	{ "not locked", "security_locked=0\n", CODE_COUNT, SEVERITY_OK, CONFIDENCE_WEAK },
};

static bool in_scope(enum code code)
{
	return code == CODE_M01 || code == CODE_M02 || code == CODE_M03 ||
	       code == CODE_M04 || code == CODE_D01 || code == CODE_K10;
}

static void table(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		const char *drives[] = { rows[i].facts, NULL };
		const struct finding *verdict;
		struct fixture f;

		fixture_judge(&f, drives);
		verdict = &f.report.drives[0].findings[0];
		print_message("# %s: %s\n", rows[i].name, code_name(verdict->code));
		if (rows[i].code == CODE_COUNT) {
			assert_false(in_scope(verdict->code));
		} else {
			assert_int_equal(verdict->code, rows[i].code);
			assert_int_equal(verdict->severity, rows[i].severity);
			assert_int_equal(verdict->confidence, rows[i].confidence);
		}
		fixture_done(&f);
	}
}

static void one_is_no_plural(void **state)
{
	static const struct {
		const char *facts, *headline;
	} one_and_more[] = {
		{ "rotation_rpm=7200\n" ATTR("5", "1"),
		  "The drive has replaced 1 bad sector by a spare one." },
		{ "rotation_rpm=7200\n" ATTR("5", "2"),
		  "The drive has replaced 2 bad sectors by spare ones." },
	};

	(void)state;
	for (size_t i = 0; i < array_size(one_and_more); i++) {
		const char *drives[] = { one_and_more[i].facts, NULL };
		struct fixture f;

		fixture_judge(&f, drives);
		assert_string_equal(f.report.drives[0].findings[0].headline,
				    one_and_more[i].headline);
		fixture_done(&f);
	}
}

static void back_up_is_the_first_step(void **state)
{
	const char *drives[] = { rows[0].facts, NULL };
	struct fixture f;

	(void)state;
	fixture_judge(&f, drives);
	assert_true(strncmp(f.report.drives[0].findings[0].next.items[0], "Back up now",
			    11) == 0);
	fixture_done(&f);
}

/* The cable is the verdict, but data at risk is heard first. */
static void back_up_before_the_cable(void **state)
{
	const char *drives[] = { "model=\"TESTDISK\"\nserial=\"TEST0000001\"\nrotation_"
				 "rpm=0\nphy[001].value=1\n"
				 "attr[5].raw=500\n",
				 "model=\"TESTDISK\"\nserial=\"TEST0000001\"\nrotation_"
				 "rpm=0\nphy[001].value=90\n"
				 "attr[5].raw=500\n",
				 NULL };
	const struct drive_report *r;
	struct fixture f;

	(void)state;
	fixture_judge(&f, drives);
	r = &f.report.drives[0];
	assert_non_null(fixture_finding(&f, CODE_L01));
	assert_non_null(fixture_finding(&f, CODE_M02));
	assert_non_null(strstr(r->findings[0].next.items[0], "Back up"));
	fixture_done(&f);
}

static void old_test_is_dated_and_repeated(void **state)
{
	const char *drives[] = {
		"rotation_rpm=7200\nattr[9].raw=69875\n" LAST_TEST ATTR("197", "0"), NULL
	};
	const struct finding *m01;
	struct fixture f;

	(void)state;
	fixture_judge(&f, drives);
	m01 = fixture_finding(&f, CODE_M01);
	assert_non_null(m01);
	assert_true(fixture_has(&m01->evidence, "17,338 power-on hours ago"));
	assert_true(fixture_has(&m01->against, "no sector waits"));
	assert_non_null(strstr(m01->next.items[1], "long self-test"));
	fixture_done(&f);
}

/* PASSED is no evidence of health: it is named with what it proves. */
static void passed_is_put_in_its_place(void **state)
{
	const char *drives[] = { rows[0].facts, NULL };
	struct fixture f;

	(void)state;
	fixture_judge(&f, drives);
	assert_true(
		fixture_has(&f.report.drives[0].findings[0].against, "proves nothing"));
	fixture_done(&f);
}

static void nothing_given_is_cannot_tell(void **state)
{
	const char *drives[] = { "model=\"TESTDISK\"\n", NULL };
	struct fixture f;

	(void)state;
	fixture_judge(&f, drives);
	assert_int_equal(f.report.drives[0].findings[0].code, CODE_Z01);
	assert_int_equal(report_worst(&f.report), SEVERITY_UNKNOWN);
	assert_true(f.report.drives[0].missing.n > 5);
	fixture_done(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table),
		cmocka_unit_test(one_is_no_plural),
		cmocka_unit_test(back_up_is_the_first_step),
		cmocka_unit_test(back_up_before_the_cable),
		cmocka_unit_test(old_test_is_dated_and_repeated),
		cmocka_unit_test(passed_is_put_in_its_place),
		cmocka_unit_test(nothing_given_is_cannot_tell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
