/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the document; json.c puts them together. */
#pragma once

#include "model/report.h"
#include "render/json-value.h"

/* json-facts.c */
struct json_object *json_facts(struct json_writer *w, const struct drive *d);
struct json_object *json_trend(struct json_writer *w, const struct drive *d);
struct json_object *json_snapshots(struct json_writer *w, const struct drive *d);

/* json-tables.c: attributes, logs, statistics and other lists, each under its key */
void json_put_tables(struct json_writer *w, struct json_object *o, const struct drive *d);

/* json-reads.c */
struct json_object *json_reads(struct json_writer *w, const struct drive *d);

/* json-events.c: the events of kernel logs */
struct json_object *json_events(struct json_writer *w, const struct drive *d);

/* json-host.c */
void json_put_host_tables(struct json_writer *w, struct json_object *o,
			  const struct drive *host);

/*
 * The distinct instances (first and second key) that any of the facts FIRST to LAST has, sorted.
 * With SECOND false only the first key counts. *ret is freed by the caller. 0 or -ENOMEM.
 */
struct instance {
	uint32_t i, j;
};

int json_instances(const struct drive *d, enum fact_id first, enum fact_id last,
		   bool second, struct instance **ret, size_t *ret_n) must_check;

/* The facts of one quantity whose first key is I; several sources may tell the same second key. */
struct json_range {
	const struct fact *facts;
	size_t n;
};

struct json_range json_range(const struct drive *d, enum fact_id id, uint32_t i);
