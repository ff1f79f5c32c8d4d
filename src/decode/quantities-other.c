/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What SCSI and NVMe reports say under a name of their own, under the one that all drives share. */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "decode/part.h"

/* NVMe's health log counts in units of 1000 blocks of 512 bytes (NVMe 2.0, 5.16.1.3). */
#define NVME_UNIT 512000u

static const struct {
	enum fact_id from, to;
	uint64_t unit;
} rows[] = {
	{ FACT_NVME_UNITS_READ, FACT_LBA_READ, NVME_UNIT },
	{ FACT_NVME_UNITS_WRITTEN, FACT_LBA_WRITTEN, NVME_UNIT },
	{ FACT_GROWN_DEFECTS, FACT_REALLOCATED, 1 },
	{ FACT_NVME_MEDIA_ERRORS, FACT_REPORTED_UNCORR, 1 },
	{ FACT_TEMPERATURE_TRIP, FACT_TEMPERATURE_LIMIT, 1 },
	{ FACT_NVME_WARM_LIMIT, FACT_TEMPERATURE_LIMIT, 1 },
};

/* Adding moves the facts of the drive, so what is read is copied before. */
static int derive_row(struct decode *d, struct drive *drive, size_t row)
{
	size_t n;
	const struct fact *from = drive_facts(drive, rows[row].from, &n);
	struct fact *copy = arena_alloc(d->arena, (n + 1) * sizeof(*copy));
	int r = 0;

	if (!copy)
		return -ENOMEM;
	if (n)
		memcpy(copy, from, n * sizeof(*copy));
	for (size_t k = 0; r == 0 && k < n; k++) {
		bool is_signed = fact_get_info(copy[k].key.id)->type == FACT_S64;

		copy[k].key.id = rows[row].to;
		/* no drive works beyond these: a placeholder */
		if (is_signed ? copy[k].s <= 0 || copy[k].s > 120
			      : copy[k].u > UINT64_MAX / rows[row].unit)
			continue;
		if (!is_signed)
			copy[k].u *= rows[row].unit;
		r = drive_add_fact(d->the_case, drive, copy[k]);
	}
	drive_seal(drive);
	return r;
}

int quantities_derive_other(struct decode *d, struct drive *drive)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < array_size(rows); i++)
		r = derive_row(d, drive, i);
	return r;
}
