/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/json-text.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "import/fio-scan.h"

/* A document of fio with all its bins has some 100 kB. */
#define MAX_BYTES (4u << 20)
#define MAX_DEPTH 32

struct nesting {
	long depth;
	bool string; /* inside of a string: a long one may have been wrapped */
};

static void count_brackets(const char *s, struct nesting *n)
{
	for (; *s; s++) {
		if (n->string && *s == '\\' && s[1])
			s++;
		else if (*s == '"')
			n->string = !n->string;
		else if (!n->string && (*s == '{' || *s == '['))
			n->depth++;
		else if (!n->string && (*s == '}' || *s == ']') && --n->depth == 0)
			break;
	}
}

struct json_object *json_text_read(const struct text *t, size_t index, size_t *ret_end)
{
	struct nesting n = { 0 };
	struct buf b cleanup_buf = { 0 };
	struct json_tokener *tokener;
	struct json_object *root = NULL;
	size_t i;

	for (i = index; i < t->n && b.len < MAX_BYTES; i++) {
		count_brackets(t->lines[i].s, &n);
		buf_puts(&b, t->lines[i].s);
		buf_putc(&b, '\n');
		if (n.depth <= 0)
			break;
	}
	if (i == t->n || n.depth > 0)
		return NULL;
	*ret_end = i + 1;
	if (buf_error(&b) || b.len >= INT_MAX)
		return NULL;
	tokener = json_tokener_new_ex(MAX_DEPTH);
	if (!tokener)
		return NULL;
	root = json_tokener_parse_ex(tokener, buf_text(&b), (int)b.len);
	json_tokener_free(tokener);
	return root;
}

struct json_object *json_text_get(struct json_object *o, const char *key,
				  enum json_type type)
{
	struct json_object *value;

	if (!json_object_is_type(o, json_type_object) ||
	    !json_object_object_get_ex(o, key, &value) ||
	    !json_object_is_type(value, type))
		return NULL;
	return value;
}

bool json_text_number(struct json_object *o, const char *key, uint64_t factor,
		      uint64_t *ret)
{
	struct json_object *value = json_text_get(o, key, json_type_int);
	struct scan sc;
	struct decimal d;

	if (!value)
		value = json_text_get(o, key, json_type_double);
	/* json-c keeps how a number was written: no binary fraction comes between */
	sc.p = value ? json_object_get_string(value) : "";
	return scan_decimal(&sc, &d) && scan_end(&sc) && decimal_scale(d, factor, ret);
}

const char *json_text_string(struct json_object *o, const char *key)
{
	struct json_object *value = json_text_get(o, key, json_type_string);
	const char *text = value ? json_object_get_string(value) : NULL;

	/* wrapped by mail: whether a blank stood there is not known */
	return text && !strchr(text, '\n') ? text : NULL;
}

size_t json_text_line(const struct text *t, size_t from, size_t end, const char *key)
{
	char quoted[64];

	(void)snprintf(quoted, sizeof(quoted), "\"%s\"", key);
	for (size_t i = from; i < end && i < t->n; i++)
		if (strstr(t->lines[i].s, quoted))
			return i;
	return from;
}
