/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio's JSON: what the two files that read it share. */
#pragma once

#include "import/fio.h"
#include "import/json-text.h"

/* The document that is being read, and the lines it stands in. */
struct fio_json {
	struct fio *f;
	size_t first, end;
};

/* The line of "KEY" at or behind FROM; FROM itself when it is not found. */
size_t fio_json_line(const struct fio_json *j, size_t from, const char *key);
/* Keep that number in V; nothing happens when it is not there. */
void fio_json_set(const struct fio_json *j, struct fio_values *v, enum fact_id id,
		  uint32_t key_j, struct json_object *o, const char *key, uint64_t factor,
		  size_t line);

/* fio-json-job.c: options of the section TITLE */
void fio_json_options(const struct fio_json *j, struct json_object *o, const char *title,
		      size_t line);
/* One element of "jobs", which stands at LINE; the line behind it. */
size_t fio_json_job(const struct fio_json *j, struct json_object *o, size_t line);
