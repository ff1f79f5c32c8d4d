/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts that cannot be: all ones, beyond the drive, beyond its life, packed beyond doubt. */
#include "decode/part.h"

static bool counts_bad_sectors(enum fact_id id)
{
	return id == FACT_REALLOCATED || id == FACT_PENDING || id == FACT_OFFLINE_UNCORR;
}

/*
 * A sector that cannot be read costs a drive about a second of tries: there cannot be more of them
 * than it has lived seconds. Small counts are left alone, a new drive may fail at once.
 */
static bool is_beyond_lifetime(const struct count_limits *l, enum fact_id id, uint64_t u)
{
	return (id == FACT_PENDING || id == FACT_OFFLINE_UNCORR) && u > UINT16_MAX &&
	       l->hours_on && u / 3600 > l->hours_on;
}

const char *doubt_count(const struct count_limits *l, enum fact_id id, uint64_t u)
{
	if (u == UINT32_MAX || u == 0xffffffffffffu || u == UINT64_MAX)
		return "all bits are ones: not a number";
	if (counts_bad_sectors(id) && l->capacity_sectors && u > l->capacity_sectors)
		return "more than the drive has sectors: packed or another meaning";
	if (is_beyond_lifetime(l, id, u))
		return "more than one for each second of its life: packed or another "
		       "meaning";
	/* a drive from the first day of SMART has not been on for 40 years */
	if (id == FACT_POWER_ON_HOURS && u > 40u * 8766u)
		return "longer than such drives exist: another unit";
	if ((id == FACT_REPORTED_UNCORR || id == FACT_COMMAND_TIMEOUTS) && u > 1u << 20)
		return "above 2^20: several numbers packed into one on known families";
	if (id == FACT_SPIN_RETRIES && u > 65535)
		return "above 65535: packed";
	return NULL;
}
