/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/load.h"

#include <errno.h>

#define LIMIT_UNKNOWN_BYTES (512u << 10)

static uint64_t beyond(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static uint64_t add_capped(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Requests the kernel makes of one own request. */
static uint64_t pieces(const struct load_input *in)
{
	uint64_t limit = in->limit_bytes ? in->limit_bytes : LIMIT_UNKNOWN_BYTES;

	return in->own_bytes > limit ? (in->own_bytes - 1) / limit + 1 : 1;
}

static uint64_t own_requests(uint64_t issued, uint64_t per_request)
{
	return issued > UINT64_MAX / per_request ? UINT64_MAX : issued * per_request;
}

int load_measure(const struct load_input *in, struct load *ret)
{
	uint64_t own_reads = own_requests(in->own_reads, pieces(in));
	double seconds = (double)in->runtime_ms / 1000;
	struct load l = { 0 };

	if (!in->runtime_ms || !(in->reads || in->writes))
		return -EINVAL;
	l.foreign_reads = beyond(in->reads, own_reads);
	l.foreign_reads_high = beyond(add_capped(in->reads, in->read_merges), own_reads);
	l.foreign_writes = beyond(in->writes, own_requests(in->own_writes, pieces(in)));
	if (in->reads)
		l.read_share = (double)l.foreign_reads / (double)in->reads;
	l.reads_per_s = (double)l.foreign_reads / seconds;
	l.outstanding = (double)in->queue_ms / (double)in->runtime_ms;
	l.clear = l.read_share > LOAD_CLEAR_SHARE;
	if (in->own_wait_ms > 0) {
		double rest_ms = (double)in->read_ms - in->own_wait_ms;

		l.has_own = true;
		l.outstanding_own = in->own_wait_ms / (double)in->runtime_ms;
		/* own writes would be in own_wait_ms but not in the kernel's read time */
		l.has_foreign_wait = l.clear && rest_ms > 0 && !in->own_writes;
		if (l.has_foreign_wait)
			l.foreign_wait_ms = rest_ms / (double)l.foreign_reads;
	}
	*ret = l;
	return 0;
}

double load_outstanding(double per_s, double wait_s)
{
	return per_s * wait_s;
}

double load_wait(double outstanding, double per_s)
{
	return per_s > 0 ? outstanding / per_s : 0;
}

double load_demand(double per_s, double service_s)
{
	return per_s * service_s;
}
