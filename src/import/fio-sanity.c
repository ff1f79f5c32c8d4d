/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A damaged digit leaves a number that reads well. Some of these give themselves away: a mean
 * outside of least and most, a percentile below a lower one. They are left out.
 */
#include "import/fio.h"

static struct fio_value *find(struct fio_values *v, enum fact_id id)
{
	for (size_t i = 0; i < v->n; i++) {
		if (v->items[i].id == id)
			return &v->items[i];
	}
	return NULL;
}

static void drop(struct fio_value *v)
{
	if (v)
		v->id = FACT_COUNT;
}

/* What one of the last printed digits of a time is worth: least and most are cut to it. */
static uint64_t unit_of(uint64_t ns)
{
	return ns % 1000000 == 0 ? 1000000 : ns % 1000 == 0 ? 1000 : 1;
}

static void check_latency(struct fio *f, struct fio_run *r, const enum fact_id *ids)
{
	struct fio_value *least = find(&r->values, ids[0]),
			 *most = find(&r->values, ids[1]),
			 *mean = find(&r->values, ids[2]);
	uint64_t slack;

	if (!most || !mean)
		return;
	/* a number in thousands is sure to its whole part only, see scan_thousands() */
	slack = unit_of(most->u) + most->u / 1000;
	if (mean->u <= most->u + slack &&
	    (!least || (least->u <= mean->u + unit_of(least->u) && least->u <= most->u)))
		return;
	fio_note(f, most->line,
		 "the mean of a latency lies outside of its least and most: one of them "
		 "is damaged, all are left out");
	for (size_t i = 0; i < 4; i++)
		drop(find(&r->values, ids[i]));
}

static bool is_percentile(const struct fio_value *v)
{
	return v->id == FACT_READ_PERCENTILE;
}

/* fio prints them in rising order; where one falls, it or the one before is damaged. */
static void check_percentiles(struct fio *f, struct fio_run *r)
{
	struct fio_value *before = NULL;

	for (size_t i = 0; i < r->values.n; i++) {
		struct fio_value *v = &r->values.items[i];

		if (!is_percentile(v))
			continue;
		if (before && v->j > before->j && v->u < before->u) {
			fio_note(f, v->line,
				 "percentile %u.%03u is below percentile %u.%03u: one of "
				 "them is damaged, both are left out",
				 v->j / 1000, v->j % 1000, before->j / 1000,
				 before->j % 1000);
			drop(before);
			drop(v);
			before = NULL;
			continue;
		}
		before = v;
	}
}

void fio_check_values(struct fio *f, struct fio_run *r)
{
	static const enum fact_id latencies[][4] = {
		{ FACT_READ_SLAT_MIN, FACT_READ_SLAT_MAX, FACT_READ_SLAT_MEAN,
		  FACT_READ_SLAT_STDDEV },
		{ FACT_READ_CLAT_MIN, FACT_READ_CLAT_MAX, FACT_READ_CLAT_MEAN,
		  FACT_READ_CLAT_STDDEV },
		{ FACT_READ_LAT_MIN, FACT_READ_LAT_MAX, FACT_READ_LAT_MEAN,
		  FACT_READ_LAT_STDDEV },
	};

	for (size_t i = 0; i < array_size(latencies); i++)
		check_latency(f, r, latencies[i]);
	check_percentiles(f, r);
}
