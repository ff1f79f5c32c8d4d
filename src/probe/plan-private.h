/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside of probe/: what the parts of a plan share. */
#pragma once

#include "probe/plan.h"

/* How long a phase may last, and how far it goes; [1]: rotating. Times are caps. */
struct plan_shape {
	uint64_t decide_ns[2], seq_ns[2], depth_ns[2], zones_ns[2];
	uint32_t zone_reads[2], large_reads[2]; /* for each zone; 0: left out */
	uint64_t burst_ns;
};

const struct plan_shape *plan_shape_of(const struct plan *p);
/* Nothing more is to be read. */
bool plan_is_over(const struct plan *p);
/* Run one job as a phase of this name; does nothing when the plan is over. 0 or -errno. */
int plan_do_phase(struct plan *p, const char *name, struct probe_job job) must_check;
/* BYTES, aligned as the target wants it. */
uint32_t plan_block_of(const struct plan *p, uint32_t bytes);
struct probe_job plan_random_job(const struct plan *p, uint32_t depth);

/* plan-link.c: as much as the link carries; reads after pauses. */
int plan_burst(struct plan *p) must_check;
int plan_idle(struct plan *p) must_check;
