/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A simulated disk with a clock of its own: queues, several servers, one link, other programs that
 * use it too, and every kind of slowness that the probe is to name. A test of many seconds takes a
 * few milliseconds.
 */
#pragma once

#include "probe/lane.h"
#include "probe/plan.h"

#define SIM_SERVERS 64u

struct sim;

/* When a read that begins at AT will be done by the medium, as ns of service. */
typedef uint64_t (*sim_service)(struct sim *s, uint64_t at, uint64_t offset,
				uint32_t bytes);

struct sim {
	struct target target;
	uint64_t size;
	bool rotating;
	uint64_t now, random;
	/* the medium */
	unsigned servers;
	uint64_t free_at[SIM_SERVERS];
	sim_service service;
	uint64_t head;				       /* rotating: where it stands */
	uint64_t buffer_bytes, buffer_from, buffer_to; /* rotating: what was read last */
	uint64_t last_ns; /* end of the last request, for what sleeps */
	/* the link */
	uint64_t link_bytes_per_s, link_free;
	double errors_per_byte; /* damaged frames: each is sent again after retry_ns */
	uint64_t retry_ns, link_errors;
	/* above the request queue */
	uint64_t overhead_ns; /* of the host, each read */
	uint64_t held_ns;     /* least time between two reads that are let through */
	uint64_t held_until;
	/* others: reads of 4 KiB at random places, at random times */
	double foreign_per_s;
	uint64_t foreign_next;
	/* faults */
	uint64_t bad_from, bad_to; /* EIO */
	uint64_t gone_at;	   /* ENODEV from then on */
	double drift;		   /* service grows and shrinks slowly by this part */
	/* shape of the trouble */
	double slow_share, factor;
	uint64_t step_ns;
	unsigned steps;
	uint64_t stall_every, stall_ns;
	double zone_from, zone_to; /* parts of the disk */
	uint64_t wake_after, wake_ns;
	const uint32_t *recorded; /* latencies to be drawn from, in blocks */
	size_t n_recorded, at_recorded, left_recorded;
	/* what the kernel would count */
	struct disk_counts counts;
	uint64_t waited_ns;
	uint64_t done_at[JOB_MAX_DEPTH];
	int64_t result[JOB_MAX_DEPTH];
	bool busy[JOB_MAX_DEPTH];
};

/* A healthy SSD of 256 GB and a healthy disk of 2 TB. SEED makes runs differ. */
void sim_ssd(struct sim *s, uint64_t seed);
void sim_disk(struct sim *s, uint64_t seed);

double sim_unit(struct sim *s);	  /* evenly in 0..1 */
double sim_normal(struct sim *s); /* standard normal */

/* The service of a healthy one, for models that add to it. */
uint64_t sim_flash(struct sim *s, uint64_t at, uint64_t offset, uint32_t bytes);
uint64_t sim_platter(struct sim *s, uint64_t at, uint64_t offset, uint32_t bytes);

/* Troubles, each on top of what the disk is otherwise; they use the fields above. */
uint64_t sim_steps(struct sim *s, uint64_t at, uint64_t offset, uint32_t bytes);
uint64_t sim_stalls(struct sim *s, uint64_t at, uint64_t offset, uint32_t bytes);
uint64_t sim_zone(struct sim *s, uint64_t at, uint64_t offset, uint32_t bytes);
uint64_t sim_sleeper(struct sim *s, uint64_t at, uint64_t offset, uint32_t bytes);
uint64_t sim_recorded(struct sim *s, uint64_t at, uint64_t offset, uint32_t bytes);

/* plan.count_errors for a plan whose context is the sim. */
int sim_count_errors(void *context, uint64_t *ret);
