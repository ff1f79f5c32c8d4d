/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "agreement.h"

#include "base/attrs.h"

#define GIB (UINT64_C(1) << 30)

/* How far two true numbers may lie apart, and why. */
static const struct {
	enum fact_id id;
	uint64_t apart;
	unsigned per_mille;
} quantities[] = {
	/* an hour that one of them has not counted yet */
	{ FACT_POWER_ON_HOURS, 1, 0 },
	/* the statistic counts resets at power-on, the attribute sometimes the one under way */
	{ FACT_POWER_CYCLES, 1, 0 },
	/* attributes count in units of up to 1 GiB, and are brought up to date later */
	{ FACT_LBA_WRITTEN, 2 * GIB, 2 },
	{ FACT_LBA_READ, 2 * GIB, 2 },
	{ FACT_REALLOCATED, 0, 0 },
	{ FACT_LOAD_CYCLES, 1, 0 },
	{ FACT_REPORTED_UNCORR, 0, 0 },
	/* read a moment apart, rounded in two ways */
	{ FACT_TEMPERATURE, 1, 0 },
	/* a bad link makes more of them while it is read: 3,891 and 3,894 */
	{ FACT_CRC_ERRORS, 0, 1 },
	/* rounded up or down */
	{ FACT_LIFE_USED, 1, 0 },
};

size_t agreement_rows(void)
{
	return array_size(quantities);
}

enum fact_id agreement_quantity(size_t row)
{
	return quantities[row].id;
}

bool agreement_holds(size_t row, uint64_t a, uint64_t b)
{
	uint64_t apart = a > b ? a - b : b - a, most = a > b ? a : b;

	return apart <= quantities[row].apart ||
	       apart <= most / 1000 * quantities[row].per_mille;
}

/* Did this number come from a row of that kind of fact? Told by its line. */
static bool came_from(const struct drive *d, const struct fact *f, enum fact_id id)
{
	size_t n;
	const struct fact *rows = drive_facts(d, id, &n);

	for (size_t i = 0; i < n; i++)
		if (rows[i].snapshot == f->snapshot &&
		    rows[i].origin.line == f->origin.line)
			return true;
	return false;
}

bool agreement_is_attribute(const struct drive *d, const struct fact *f)
{
	return came_from(d, f, FACT_ATTR_RAW);
}

bool agreement_is_standard(const struct drive *d, const struct fact *f)
{
	return came_from(d, f, FACT_STAT_VALUE) || came_from(d, f, FACT_SCT_TEMP);
}
