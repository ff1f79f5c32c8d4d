/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * smartctl's JSON in two other dresses: "-j=g", a line a value ("json.smartctl.version[0] = 7;"), and
 * "-j=y", YAML. Both are put together as the objects they are, and read like JSON.
 */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/smartctl-json.h"

#define DEPTH_MAX 24u
#define INDEX_MAX 4096u
#define KEY_MAX	  80u

static bool is_key_char(char c)
{
	return str_is_alpha(c) || str_is_digit(c) || c == '_';
}

static size_t key_len(const char *s)
{
	size_t n = 0;

	while (is_key_char(s[n]))
		n++;
	return n && n < KEY_MAX ? n : 0;
}

/* A number, true, false, null, {}, [] or a text in double quotes; all of S. NULL O is null. */
static bool get_value(const char *s, size_t len, struct json_object **ret)
{
	struct buf text cleanup_buf = { 0 };
	enum json_tokener_error error;

	buf_add(&text, s, len);
	if (!len || buf_error(&text) < 0 || !strchr("{[\"tfn-0123456789", s[0]) ||
	    ((s[0] == '{' || s[0] == '[') && len != 2) ||
	    (strchr("-0123456789", s[0]) && strspn(s, "-+.eE0123456789") < len))
		return false;
	*ret = json_tokener_parse_verbose(buf_text(&text), &error);
	return error == json_tokener_success;
}

/* --- "json.smartctl.version[0] = 7;" ------------------------------------------------------------- */

struct step {
	char key[KEY_MAX];
	size_t index;
	bool is_index;
};

/* One ".key" or "[index]" of a path; NULL at its end or when it is none. */
static const char *next_step(const char *p, struct step *ret)
{
	size_t n;
	uint64_t index;

	if (*p == '.') {
		n = key_len(++p);
		if (!n)
			return NULL;
		memcpy(ret->key, p, n);
		ret->key[n] = '\0';
		ret->is_index = false;
		return p + n;
	}
	if (*p++ != '[' || str_take_u64(&p, 10, &index) < 0 || *p != ']' ||
	    index >= INDEX_MAX)
		return NULL;
	ret->index = (size_t)index;
	ret->is_index = true;
	return p + 1;
}

static struct json_object *child_of(struct json_object *o, const struct step *step)
{
	struct json_object *child = NULL;

	if (step->is_index && json_object_is_type(o, json_type_array))
		return json_object_array_get_idx(o, step->index);
	if (!step->is_index && json_object_is_type(o, json_type_object))
		(void)json_object_object_get_ex(o, step->key, &child);
	return child;
}

/* Takes VALUE. */
static bool put_child(struct json_object *o, const struct step *step,
		      struct json_object *value)
{
	bool ok = false;

	if (step->is_index && json_object_is_type(o, json_type_array))
		ok = json_object_array_put_idx(o, step->index, value) == 0;
	else if (!step->is_index && json_object_is_type(o, json_type_object))
		ok = json_object_object_add(o, step->key, value) == 0;
	if (!ok)
		json_object_put(value);
	return ok;
}

/* Every container stands on a line of its own before what is in it. */
static bool put_line(struct json_object *root, const char *line)
{
	const char *p = line + strlen("json"), *equals = strstr(line, " = ");
	struct json_object *o = root, *value;
	struct step step, next;
	const char *after;
	size_t len;

	if (!equals || !str_ends(line, ";"))
		return false;
	len = strlen(equals + 3) - 1;
	after = next_step(p, &step);
	for (size_t depth = 0; after && *after != ' '; depth++) {
		const char *then = next_step(after, &next);

		o = child_of(o, &step);
		if (!then || !o || depth == DEPTH_MAX)
			return false;
		step = next;
		after = then;
	}
	return after == equals && get_value(equals + 3, len, &value) &&
	       put_child(o, &step, value);
}

static bool is_flat(const char *line)
{
	return str_starts(line, "json.") || str_starts(line, "json[");
}

static void say(struct import *im, size_t line, const char *what)
{
	diag_add(im->diag, DIAG_WARNING, im->text->file, im->text->lines[line].number,
		 "%s", what);
}

static int finish(struct import *im, struct json_object *root, size_t line)
{
	int r = smartctl_json_is_report(root)
			? smartctl_json_report(im, root, span_of("", 0), line, 1)
			: 0;

	json_object_put(root);
	return r;
}

/* The lines from I on; *RET_END behind the last one. */
static int read_flat(struct import *im, size_t i, size_t *ret_end)
{
	struct json_object *root = json_object_new_object();
	size_t first = i;

	if (!root)
		return -ENOMEM;
	for (i++; i < im->text->n; i++) {
		const char *line = im->text->lines[i].s;
		bool ok;

		if (!*line)
			continue;
		if (!is_flat(line))
			break;
		ok = put_line(root, line);
		text_claim(im->text, i, ok ? LINE_READ : LINE_DAMAGED, "smartctl-json");
	}
	text_claim(im->text, first, LINE_KNOWN, "smartctl-json");
	*ret_end = i;
	return finish(im, root, first);
}

/* --- YAML ---------------------------------------------------------------------------------------- */

struct yaml {
	struct json_object *root;
	struct {
		size_t indent;
		struct json_object *o;
	} stack[DEPTH_MAX];
	size_t depth;
	char key[KEY_MAX]; /* of a container whose first line is not seen yet */
	bool waits;
};

/* 'it''s', "a\"b", true, 7, or a plain text; NULL is null */
static struct json_object *yaml_scalar(const char *s)
{
	size_t len = strlen(s);
	struct json_object *o = NULL;
	struct buf b cleanup_buf = { 0 };

	if (len >= 2 && s[0] == '\'' && s[len - 1] == '\'') {
		for (size_t i = 1; i + 1 < len; i++) {
			i += s[i] == '\'' && s[i + 1] == '\'';
			buf_putc(&b, s[i]);
		}
		return json_object_new_string(buf_text(&b));
	}
	if (str_equal(s, "null"))
		return NULL;
	if (strspn(s, "-0123456789") == len || s[0] == '"' || str_equal(s, "true") ||
	    str_equal(s, "false") || str_equal(s, "{}") || str_equal(s, "[]"))
		if (get_value(s, len, &o))
			return o;
	return json_object_new_string(s);
}

static bool yaml_add(struct json_object *to, const char *key, struct json_object *value)
{
	bool ok = false;

	if (key && json_object_is_type(to, json_type_object))
		ok = json_object_object_add(to, key, value) == 0;
	else if (!key && json_object_is_type(to, json_type_array) &&
		 json_object_array_length(to) < INDEX_MAX)
		ok = json_object_array_add(to, value) == 0;
	if (!ok)
		json_object_put(value);
	return ok;
}

static bool yaml_push(struct yaml *y, const char *key, struct json_object *o,
		      size_t indent)
{
	if (y->depth == DEPTH_MAX || !o) {
		json_object_put(o);
		return false;
	}
	if (!yaml_add(y->stack[y->depth - 1].o, key, o))
		return false;
	y->stack[y->depth].indent = indent;
	y->stack[y->depth++].o = o;
	return true;
}

/* "key:" or "key: value" at INDENT */
static bool yaml_member(struct yaml *y, const char *s)
{
	size_t n = key_len(s);
	char key[KEY_MAX];

	if (!n || s[n] != ':' || (s[n + 1] && s[n + 1] != ' '))
		return false;
	memcpy(key, s, n);
	key[n] = '\0';
	s += n + 1 + strspn(s + n + 1, " ");
	if (*s)
		return yaml_add(y->stack[y->depth - 1].o, key, yaml_scalar(s));
	memcpy(y->key, key, n + 1);
	y->waits = true;
	return json_object_is_type(y->stack[y->depth - 1].o, json_type_object);
}

static bool yaml_line(struct yaml *y, const char *s, size_t indent)
{
	bool item = str_starts(s, "- ");

	if (y->waits) {
		y->waits = false;
		if (indent > y->stack[y->depth - 1].indent &&
		    !yaml_push(y, y->key,
			       item ? json_object_new_array() : json_object_new_object(),
			       indent))
			return false;
	}
	while (y->depth > 1 && y->stack[y->depth - 1].indent > indent)
		y->depth--;
	if (y->stack[y->depth - 1].indent != indent)
		return false;
	if (!item)
		return yaml_member(y, s);
	s += 2;
	indent += 2;
	s += strspn(s, " ");
	if (!key_len(s) || s[key_len(s)] != ':')
		return yaml_add(y->stack[y->depth - 1].o, NULL, yaml_scalar(s));
	return yaml_push(y, NULL, json_object_new_object(), indent) && yaml_member(y, s);
}

/* A line that does not fit its indentation ends it: nobody knows where the rest belongs. */
static int read_yaml(struct import *im, size_t i, size_t *ret_end)
{
	struct yaml y = { .root = json_object_new_object(), .depth = 1 };
	size_t first = i, base = im->text->lines[i].indent;

	if (!y.root)
		return -ENOMEM;
	y.stack[0].o = y.root;
	for (; i < im->text->n; i++) {
		const struct text_line *l = &im->text->lines[i];

		if (!*l->s)
			continue;
		if (l->indent < base || l->cut || !yaml_line(&y, l->s, l->indent - base))
			break;
		text_claim(im->text, i, LINE_READ, "smartctl-json");
	}
	if (i < im->text->n)
		say(im, i,
		    "this YAML is cut or damaged here: only what stands above was "
		    "taken");
	*ret_end = i > first ? i : first + 1;
	return finish(im, y.root, first);
}

/* --- both ------------------------------------------------------------------------------------------- */

int smartctl_json_flat(struct import *im)
{
	const struct text *t = im->text;
	int reports = 0;

	for (size_t i = 0; i < t->n;) {
		size_t end = i + 1;
		int r = 0;

		if (t->lines[i].state != LINE_OPEN)
			;
		else if (str_equal(t->lines[i].s, "json = {};"))
			r = read_flat(im, i, &end);
		else if (str_equal(t->lines[i].s, "json_format_version:"))
			r = read_yaml(im, i, &end);
		if (r < 0 && r != -E2BIG)
			return r;
		reports += r > 0;
		i = end;
	}
	return reports;
}
