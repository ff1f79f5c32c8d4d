/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Building JSON values. json-c turns a failed allocation into a silent null, so every call goes
 * through a writer that remembers it. Strings are made valid UTF-8 first.
 */
#pragma once

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/case.h"
#include "model/finding.h"

struct json_writer {
	bool failed; /* memory ran out: nothing of this document may be used */
};

/* A helper buffer whose text went into the document: when it failed, so did the document. */
void json_check(struct json_writer *w, const struct buf *helper);

struct json_object *json_new_object(struct json_writer *w);
struct json_object *json_new_array(struct json_writer *w);
/* NULL stays null; broken bytes are written as the four characters \xNN */
struct json_object *json_new_text(struct json_writer *w, const char *text);
/*
 * A value whose text is made already: valid JSON, indented for where it will stand. For tables of
 * tens of thousands of numbers, where an object a number costs too much. TEXT is taken over.
 */
struct json_object *json_new_ready(struct json_writer *w, struct buf *text);
/* VALUE / 10^DIGITS, exactly */
struct json_object *json_new_decimal(struct json_writer *w, int64_t value,
				     unsigned digits);

/* Put VALUE (taken over) into the object or array. A NULL value is null. */
void json_put(struct json_writer *w, struct json_object *o, const char *key,
	      struct json_object *value);
void json_append(struct json_writer *w, struct json_object *array,
		 struct json_object *value);

void json_put_text(struct json_writer *w, struct json_object *o, const char *key,
		   const char *text);
void json_put_bool(struct json_writer *w, struct json_object *o, const char *key,
		   bool value);
/* Whether every reader gets the number as it is: a double holds integers up to 2^53. */
bool json_is_exact(int64_t value);
/* Integers; one that is not exact also gets KEY_s, a string, for readers that keep doubles. */
void json_put_u64(struct json_writer *w, struct json_object *o, const char *key,
		  uint64_t value);
void json_put_s64(struct json_writer *w, struct json_object *o, const char *key,
		  int64_t value);
void json_put_decimal(struct json_writer *w, struct json_object *o, const char *key,
		      int64_t value, unsigned digits);
void json_put_texts(struct json_writer *w, struct json_object *o, const char *key,
		    const struct text_list *list);

/* The value of a fact, or null when F is NULL. */
void json_put_fact(struct json_writer *w, struct json_object *o, const char *key,
		   const struct fact *f);
/* The best fact of one quantity, or null. */
void json_put_drive_fact(struct json_writer *w, struct json_object *o, const char *key,
			 const struct drive *d, enum fact_id id, uint32_t i, uint32_t j);
/* The same for a u64 that is divided by 10^DIGITS, or null. */
void json_put_drive_decimal(struct json_writer *w, struct json_object *o, const char *key,
			    const struct drive *d, enum fact_id id, uint32_t i,
			    uint32_t j, unsigned digits);

/*
 * Every document leaves through one of these two (json-text.c): in their text nothing can steer a
 * terminal. The first appends one value that stands DEPTH levels deep; out of memory is ret->failed.
 */
void json_add_value(struct buf *ret, struct json_object *o, unsigned depth);
/* ROOT (taken over) and a line's end; nothing of it when W has failed. 0 or -ENOMEM. */
int json_add_document(struct json_writer *w, struct json_object *root,
		      struct buf *ret) must_check;
