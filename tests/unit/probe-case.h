/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A simulated disk, probed and judged: from the reads to the finding. */
#pragma once

#include "case-fixture.h"
#include "probe-sim.h"

struct probe_case {
	struct plan plan;
	struct fixture f;
	uint64_t took_ns; /* of its own clock */
};

/*
 * Probe S and judge, with FACTS (lines, NULL: those of a drive of its kind) as what was known before.
 * OPTIONS and what is known are set in C->plan before.
 */
void probe_case_run(struct probe_case *c, struct sim *s, const char *facts);
void probe_case_done(struct probe_case *c);
/* The verdict, "Z00" for none. */
const char *probe_case_verdict(const struct probe_case *c);
/* A fact of the probe; fails the test when it is absent. */
uint64_t probe_case_fact(const struct probe_case *c, enum fact_id id, uint32_t i,
			 uint32_t j);
/* Write the capture to the file that PROBE_DUMP names, to look at what went wrong. */
void probe_case_dump(const struct probe_case *c);
const struct phase *probe_case_phase(const struct probe_case *c, const char *name);
