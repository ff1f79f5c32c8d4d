/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON inside of a posted text. */
#pragma once

#include <json-c/json.h>

#include "import/text.h"

/*
 * The document that opens in line INDEX, "{" or "[" being its first character. RET_END is the line
 * behind it, untouched when it does not close. NULL when it does not close, is damaged, or memory
 * is out; the caller puts it.
 */
struct json_object *json_text_read(const struct text *t, size_t index, size_t *ret_end);
/* A member of this type, NULL when there is none. */
struct json_object *json_text_get(struct json_object *o, const char *key,
				  enum json_type type);
/* A number x FACTOR as it was written, rounded; false when it is none or below 0. */
bool json_text_number(struct json_object *o, const char *key, uint64_t factor,
		      uint64_t *ret);
/* A text without line breaks; NULL when there is none. */
const char *json_text_string(struct json_object *o, const char *key);
/* The line of "KEY" in [FROM, END); FROM when it is not found. */
size_t json_text_line(const struct text *t, size_t from, size_t end, const char *key);
