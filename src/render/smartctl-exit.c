/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/smartctl-exit.h"

#include "base/str.h"

#define PREFAIL 1u

/* Attributes at their threshold: NOW and pre-fail, or anything that ever was. */
static bool has_failed(const struct drive *d, bool prefail_now)
{
	size_t n;
	const struct fact *f = drive_facts(d, FACT_ATTR_WHEN_FAILED, &n);

	for (size_t i = 0; i < n; i++) {
		uint64_t flags = 0;
		const char *when = drive_text(d, FACT_ATTR_WHEN_FAILED, f[i].key.i, 0);

		if (!when || !*when)
			continue;
		(void)drive_u64(d, FACT_ATTR_FLAGS, f[i].key.i, 0, &flags);
		if (!prefail_now || (str_equal(when, "now") && (flags & PREFAIL)))
			return true;
	}
	return false;
}

static unsigned status_bits(const struct drive *d)
{
	uint64_t passed;

	if (!drive_u64(d, FACT_SMART_PASSED, 0, 0, &passed))
		return (has_failed(d, true) ? (unsigned)SMARTCTL_PREFAIL : 0) |
		       (has_failed(d, false) ? (unsigned)SMARTCTL_MARGINAL : 0);
	if (passed)
		return has_failed(d, false) ? (unsigned)SMARTCTL_MARGINAL : 0;
	return (unsigned)SMARTCTL_FAILING |
	       (has_failed(d, true) ? (unsigned)SMARTCTL_PREFAIL : 0);
}

/* Codes 3 to 8 of the status, ATA8-ACS table 64; without the byte its words tell the same. */
static bool test_failed(const struct drive *d, uint32_t i, const char *result)
{
	uint64_t code;

	if (drive_u64(d, FACT_SELFTEST_STATUS_CODE, i, 0, &code))
		return code >> 4 >= 3 && code >> 4 <= 8;
	return str_starts(result, "Completed:") || str_starts(result, "Fatal");
}

static bool extended_passed(const struct drive *d, uint32_t i, const char *result)
{
	const char *type = drive_text(d, FACT_SELFTEST_TYPE, i, 0);

	return type && str_starts(type, "Extended") &&
	       str_equal(result, "Completed without error");
}

struct smartctl_tests smartctl_count_tests(const struct drive *d)
{
	struct smartctl_tests t = { 0 };
	bool newer = false;
	size_t n;
	const struct fact *rows = drive_facts(d, FACT_SELFTEST_RESULT, &n);

	for (size_t i = 0; i < n; i++) {
		uint32_t key = rows[i].key.i;
		const char *result = drive_text(d, FACT_SELFTEST_RESULT, key, 0);

		if ((i && key == rows[i - 1].key.i) || !result)
			continue;
		if (extended_passed(d, key, result))
			newer = true;
		else if (test_failed(d, key, result) && newer)
			t.outdated++;
		else if (test_failed(d, key, result))
			t.failed++;
	}
	return t;
}

unsigned smartctl_exit(const struct drive *d)
{
	uint64_t errors;
	unsigned bits = status_bits(d);

	if (!drive_fact(d, FACT_MODEL, 0, 0) &&
	    !drive_fact(d, FACT_ATTR_REVISION, 0, 0) &&
	    !drive_fact(d, FACT_SMART_PASSED, 0, 0))
		return SMARTCTL_OPEN;
	if (drive_u64(d, FACT_ERROR_COUNT, 0, 0, &errors) && errors)
		bits |= SMARTCTL_ERRORS;
	if (smartctl_count_tests(d).failed)
		bits |= SMARTCTL_SELFTESTS;
	return bits;
}

unsigned smartctl_exit_of(const struct report *r)
{
	unsigned bits = r->n_drives ? 0 : (unsigned)SMARTCTL_OPEN;

	for (size_t i = 0; i < r->n_drives; i++)
		bits |= smartctl_exit(r->drives[i].drive);
	return bits;
}
