/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside of the importer of smartctl's JSON (7.0 to 8.0). A text is searched for objects that are
 * reports; each is parsed alone, so that a list of many costs the memory of one. Facts are those
 * that the text of the same report gives.
 */
#pragma once

#include <json-c/json.h>

#include "import/import.h"

/* A value, and where in the text of the report to look for its keys. */
struct json_node {
	struct json_object *o; /* NULL: it is not there */
	size_t at;
};

struct json_report {
	struct import *im;
	struct emit e;
	struct span text;   /* of this report; empty when it was no JSON as it stood */
	size_t line, lines; /* first line of the text, and how many */
	size_t *starts;	    /* offsets of the lines */
	uint32_t once[(FACT_COUNT + 31) / 32];
	uint32_t sections, warnings, posted_lines, farm, tests;
	bool is_ata;
	int error;
};

/* --- smartctl-json-value.c ------------------------------------------------------------------- */

struct json_node sj_node_get(const struct json_report *r, struct json_node n,
			     const char *key);
/* "a.b.c" */
struct json_node sj_node_path(const struct json_report *r, struct json_node n,
			      const char *path);
size_t sj_node_count(struct json_node n); /* of an array, 0 for anything else */
/* Element K; *CURSOR starts as the array's place and moves on. */
struct json_node sj_node_item(const struct json_report *r, struct json_node array,
			      size_t k, size_t *cursor);

bool sj_node_u64(struct json_node n, uint64_t *ret);
bool sj_node_s64(struct json_node n, int64_t *ret);
bool sj_node_flag(struct json_node n, bool *ret);
const char *sj_node_text(struct json_node n); /* NULL when it is none */
size_t sj_node_line(const struct json_report *r, struct json_node n);

/* Emit what stands there, when it is of the fact's type. */
void sj_put(struct json_report *r, enum fact_id id, uint32_t i, uint32_t j,
	    struct json_node n);
/* The same for single facts: the first stands. */
void sj_put_once(struct json_report *r, enum fact_id id, struct json_node n);
void sj_put_text(struct json_report *r, enum fact_id id, uint32_t i, uint32_t j,
		 const char *text, struct json_node n);
void sj_put_u64(struct json_report *r, enum fact_id id, uint32_t i, uint32_t j,
		uint64_t value, struct json_node n);
bool sj_is_new(struct json_report *r, enum fact_id id);
void sj_post(struct json_report *r, const char *section, struct json_node n);
/* All that is below N, a line each: "a.b: 5". */
void sj_put_lines(struct json_report *r, enum fact_id id, uint32_t *count,
		  const char *name, struct json_node n);

struct json_row {
	const char *path;
	enum fact_id id;
};
/* Rows end with a path of NULL; those of an element go to instance I, J. */
void sj_put_rows(struct json_report *r, const struct json_row *rows, struct json_node n);
void sj_put_columns(struct json_report *r, const struct json_row *rows, uint32_t i,
		    uint32_t j, struct json_node n);

/* --- the report's parts ---------------------------------------------------------------------- */

void sj_read_identity(struct json_report *r, struct json_node root);
void sj_read_ata(struct json_report *r, struct json_node root);
void sj_read_ata_logs(struct json_report *r, struct json_node root);
void sj_read_scsi(struct json_report *r, struct json_node root);
void sj_read_nvme(struct json_report *r, struct json_node root);
/* Members that no other part knows, so that nothing is dropped. */
void sj_read_rest(struct json_report *r, struct json_node root);

/* One report: 1 when it gave facts, 0 when there were none, or -E... */
int smartctl_json_report(struct import *im, struct json_object *o, struct span text,
			 size_t line, size_t lines);
/* Reports of -j=g and -j=y: how many, or -E... */
int smartctl_json_flat(struct import *im);
bool smartctl_json_is_report(struct json_object *o);
