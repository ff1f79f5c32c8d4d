/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long flushes took, as fio prints it below "fsync/fdatasync/sync_file_range:". The importer of
 * runs leaves these lines alone: they are no reads and no writes.
 */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/fio-scan.h"
#include "import/importers.h"

#define LINES_BELOW 12u
#define MAX_TABLES  256u

/* "(usec): min=..., avg=1234.56," after NAME: the mean in ns. */
static bool take_mean(const char *s, uint64_t unit, uint64_t *ret)
{
	const char *at = strstr(s, "avg=");
	struct scan sc = { at ? at + 4 : "" };
	struct decimal d;

	while (*sc.p == ' ')
		sc.p++;
	return at && scan_decimal(&sc, &d) && *sc.p == ',' && decimal_scale(d, unit, ret);
}

static bool take_p99(const char *s, uint64_t unit, uint64_t *ret)
{
	const char *at = strstr(s, "99.00th=[");
	uint64_t v;

	if (!at)
		return false;
	at += strlen("99.00th=[");
	while (*at == ' ')
		at++;
	if (str_take_u64(&at, 10, &v) < 0 || *at != ']' || v > UINT64_MAX / unit)
		return false;
	*ret = v * unit;
	return true;
}

static uint64_t unit_of(const char *s)
{
	return strstr(s, "(nsec)")   ? 1
	       : strstr(s, "(usec)") ? 1000
	       : strstr(s, "(msec)") ? 1000000
				     : 0;
}

static void read_table(struct emit *e, const struct text *t, size_t i, uint32_t n)
{
	uint64_t unit = 0, ns;

	for (size_t k = i + 1; k < t->n && k <= i + LINES_BELOW; k++) {
		const char *s = t->lines[k].s;

		if (str_starts(s, "sync (") && unit_of(s) &&
		    take_mean(s, unit_of(s), &ns))
			emit_u64(e, FACT_READ_SYNC_MEAN, n, 0, ns, k);
		if (str_starts(s, "sync percentiles ("))
			unit = unit_of(s);
		if (unit && take_p99(s, unit, &ns)) {
			emit_u64(e, FACT_READ_SYNC_P99, n, 0, ns, k);
			return;
		}
	}
}

static int read_sync(struct import *im)
{
	struct emit e = { .im = im };
	uint32_t n = 0;
	int r;

	for (size_t i = 0; i < im->text->n && n < MAX_TABLES; i++)
		if (strstr(im->text->lines[i].s, "fsync/fdatasync/sync_file_range:"))
			read_table(&e, im->text, i, n++);
	r = emit_done(&e, CAP_HOST, "facts/sync");
	return r < 0 && r != -E2BIG ? r : 0; /* part of a run, no report of its own */
}

const struct importer importer_sync = {
	.name = "sync",
	.describe = "flush latencies in fio's text",
	.read = read_sync,
};
