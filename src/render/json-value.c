/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/json-value.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "render/units.h"

/* The largest integer up to which a double holds every integer. */
#define EXACT_MAX ((uint64_t)1 << 53)

static struct json_object *checked(struct json_writer *w, struct json_object *o)
{
	if (!o)
		w->failed = true;
	return o;
}

void json_check(struct json_writer *w, const struct buf *helper)
{
	if (buf_error(helper) < 0)
		w->failed = true;
}

struct json_object *json_new_object(struct json_writer *w)
{
	return checked(w, json_object_new_object());
}

struct json_object *json_new_array(struct json_writer *w)
{
	return checked(w, json_object_new_array());
}

static struct json_object *new_string(struct json_writer *w, const char *text, size_t len)
{
	if (len > INT32_MAX) {
		w->failed = true;
		return NULL;
	}
	return checked(w, json_object_new_string_len(text, (int)len));
}

/* Length of the valid UTF-8 at the start of TEXT. */
static size_t valid_len(const char *text, size_t len)
{
	size_t i = 0, n;

	while (i < len && (n = str_utf8_len(text + i, len - i)) != 0)
		i += n;
	return i;
}

struct json_object *json_new_text(struct json_writer *w, const char *text)
{
	struct buf b cleanup_buf = { 0 };
	size_t len, valid;

	if (!text)
		return NULL;
	len = strlen(text);
	valid = valid_len(text, len);
	if (valid == len)
		return new_string(w, text, len);
	for (size_t i = 0; i < len;) {
		valid = valid_len(text + i, len - i);
		buf_add(&b, text + i, valid);
		i += valid;
		if (i < len)
			buf_printf(&b, "\\x%02x", (unsigned)(uint8_t)text[i++]);
	}
	json_check(w, &b);
	return new_string(w, buf_text(&b), b.len);
}

struct json_object *json_new_ready(struct json_writer *w, struct buf *text)
{
	struct json_object *o = json_new_array(w);

	json_check(w, text);
	if (!o || w->failed || !text->len) {
		w->failed = true;
		buf_done(text);
		return o;
	}
	json_object_set_serializer(o, json_object_userdata_to_json_string, text->data,
				   json_object_free_userdata);
	*text = (struct buf){ 0 };
	return o;
}

struct json_object *json_new_decimal(struct json_writer *w, int64_t value,
				     unsigned digits)
{
	struct buf b cleanup_buf = { 0 };
	double approximate = (double)value;

	units_add_decimal(&b, value, digits);
	for (unsigned i = 0; i < digits; i++)
		approximate /= 10;
	json_check(w, &b);
	/* json-c prints the text, so 0.1 stays 0.1 */
	return checked(w, json_object_new_double_s(approximate, buf_text(&b)));
}

void json_put(struct json_writer *w, struct json_object *o, const char *key,
	      struct json_object *value)
{
	if (!o || json_object_object_add(o, key, value) < 0) {
		json_object_put(value);
		w->failed = true;
	}
}

void json_append(struct json_writer *w, struct json_object *array,
		 struct json_object *value)
{
	if (!array || json_object_array_add(array, value) < 0) {
		json_object_put(value);
		w->failed = true;
	}
}

void json_put_text(struct json_writer *w, struct json_object *o, const char *key,
		   const char *text)
{
	json_put(w, o, key, json_new_text(w, text));
}

void json_put_bool(struct json_writer *w, struct json_object *o, const char *key,
		   bool value)
{
	json_put(w, o, key, checked(w, json_object_new_boolean(value)));
}

static void put_exact(struct json_writer *w, struct json_object *o, const char *key,
		      const char *digits)
{
	char name[80];

	(void)snprintf(name, sizeof(name), "%s_s", key);
	json_put_text(w, o, name, digits);
}

void json_put_u64(struct json_writer *w, struct json_object *o, const char *key,
		  uint64_t value)
{
	char digits[24];

	json_put(w, o, key, checked(w, json_object_new_uint64(value)));
	if (value <= EXACT_MAX)
		return;
	(void)snprintf(digits, sizeof(digits), "%" PRIu64, value);
	put_exact(w, o, key, digits);
}

bool json_is_exact(int64_t value)
{
	return value <= (int64_t)EXACT_MAX && value >= -(int64_t)EXACT_MAX;
}

void json_put_s64(struct json_writer *w, struct json_object *o, const char *key,
		  int64_t value)
{
	char digits[24];

	json_put(w, o, key, checked(w, json_object_new_int64(value)));
	if (json_is_exact(value))
		return;
	(void)snprintf(digits, sizeof(digits), "%" PRId64, value);
	put_exact(w, o, key, digits);
}

void json_put_decimal(struct json_writer *w, struct json_object *o, const char *key,
		      int64_t value, unsigned digits)
{
	json_put(w, o, key, json_new_decimal(w, value, digits));
}

void json_put_texts(struct json_writer *w, struct json_object *o, const char *key,
		    const struct text_list *list)
{
	struct json_object *array = json_new_array(w);

	for (size_t i = 0; i < list->n; i++)
		json_append(w, array, json_new_text(w, list->items[i]));
	json_put(w, o, key, array);
}

void json_put_fact(struct json_writer *w, struct json_object *o, const char *key,
		   const struct fact *f)
{
	if (!f) {
		json_put(w, o, key, NULL);
		return;
	}
	switch (fact_get_info(f->key.id)->type) {
	case FACT_U64:
		json_put_u64(w, o, key, f->u);
		break;
	case FACT_S64:
		json_put_s64(w, o, key, f->s);
		break;
	case FACT_FLAG:
		json_put_bool(w, o, key, f->u != 0);
		break;
	case FACT_TEXT:
		json_put_text(w, o, key, f->text);
		break;
	}
}

void json_put_drive_fact(struct json_writer *w, struct json_object *o, const char *key,
			 const struct drive *d, enum fact_id id, uint32_t i, uint32_t j)
{
	json_put_fact(w, o, key, drive_fact(d, id, i, j));
}

void json_put_drive_decimal(struct json_writer *w, struct json_object *o, const char *key,
			    const struct drive *d, enum fact_id id, uint32_t i,
			    uint32_t j, unsigned digits)
{
	const struct fact *f = drive_fact(d, id, i, j);

	if (f && f->u <= INT64_MAX)
		json_put_decimal(w, o, key, (int64_t)f->u, digits);
	else
		json_put(w, o, key, NULL);
}
