/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/report.h"

const char *phy_trust_name(enum phy_trust trust)
{
	static const char *const names[] = {
		[PHY_LIVE] = "live",	     [PHY_CONSTANT] = "constant",
		[PHY_DOUBTFUL] = "doubtful", [PHY_SATURATED] = "saturated",
		[PHY_SWAPPED] = "swapped",   [PHY_VENDOR] = "vendor",
	};

	return names[trust];
}

const char *phy_direction_name(enum phy_direction direction)
{
	static const char *const names[] = {
		[DIRECTION_NONE] = "",
		[DIRECTION_TO_HOST] = "drive->host",
		[DIRECTION_TO_DRIVE] = "host->drive",
		[DIRECTION_BOTH] = "both",
	};

	return names[direction];
}

void report_done(struct report *r)
{
	arena_done(&r->arena);
	*r = (struct report){ 0 };
}

static enum severity worst_of(const struct finding *findings, size_t n,
			      enum severity worst)
{
	for (size_t i = 0; i < n; i++)
		if (!findings[i].runner_up && findings[i].severity > worst)
			worst = findings[i].severity;
	return worst;
}

enum severity report_worst(const struct report *r)
{
	enum severity worst = worst_of(r->host_findings, r->n_host_findings, SEVERITY_OK);

	for (size_t i = 0; i < r->n_drives; i++)
		worst = worst_of(r->drives[i].findings, r->drives[i].n_findings, worst);
	return worst;
}
