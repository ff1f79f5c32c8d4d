/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of a report, the lines they stand in, and facts made of them. */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/smartctl-json.h"

/* Keys are looked for no further than this: a hostile text must not make it long. */
#define SEARCH_MAX 65536u

static size_t find_key(const struct json_report *r, size_t at, const char *key)
{
	char quoted[80];
	size_t n = (size_t)snprintf(quoted, sizeof(quoted), "\"%s\"", key), len;
	const uint8_t *found;

	if (at >= r->text.len || n >= sizeof(quoted))
		return at;
	len = r->text.len - at;
	found = memmem(r->text.data + at, len < SEARCH_MAX ? len : SEARCH_MAX, quoted, n);
	return found ? (size_t)(found - r->text.data) : at;
}

struct json_node sj_node_get(const struct json_report *r, struct json_node n,
			     const char *key)
{
	struct json_node value = { NULL, n.at };

	if (!json_object_is_type(n.o, json_type_object) ||
	    !json_object_object_get_ex(n.o, key, &value.o))
		return (struct json_node){ NULL, n.at };
	value.at = find_key(r, n.at, key);
	return value;
}

struct json_node sj_node_path(const struct json_report *r, struct json_node n,
			      const char *path)
{
	while (n.o) {
		size_t len = strcspn(path, ".");
		char key[80];

		if (len >= sizeof(key))
			return (struct json_node){ NULL, n.at };
		memcpy(key, path, len);
		key[len] = '\0';
		n = sj_node_get(r, n, key);
		if (!path[len])
			break;
		path += len + 1;
	}
	return n;
}

size_t sj_node_count(struct json_node n)
{
	return json_object_is_type(n.o, json_type_array) ? json_object_array_length(n.o)
							 : 0;
}

struct json_node sj_node_item(const struct json_report *r, struct json_node array,
			      size_t k, size_t *cursor)
{
	struct json_node item = { json_object_array_get_idx(array.o, k), *cursor };
	struct json_object_iterator first, end;

	if (!json_object_is_type(item.o, json_type_object))
		return item;
	first = json_object_iter_begin(item.o);
	end = json_object_iter_end(item.o);
	if (json_object_iter_equal(&first, &end))
		return item;
	item.at = find_key(r, *cursor, json_object_iter_peek_name(&first));
	*cursor = item.at + 1;
	return item;
}

/* A number that did not fit was put at the end of its range: that is no value. */
bool sj_node_u64(struct json_node n, uint64_t *ret)
{
	if (!json_object_is_type(n.o, json_type_int) || json_object_get_int64(n.o) < 0 ||
	    json_object_get_uint64(n.o) == UINT64_MAX)
		return false;
	*ret = json_object_get_uint64(n.o);
	return true;
}

bool sj_node_s64(struct json_node n, int64_t *ret)
{
	if (!json_object_is_type(n.o, json_type_int) ||
	    json_object_get_int64(n.o) == INT64_MAX ||
	    json_object_get_int64(n.o) == INT64_MIN)
		return false;
	*ret = json_object_get_int64(n.o);
	return true;
}

bool sj_node_flag(struct json_node n, bool *ret)
{
	if (!json_object_is_type(n.o, json_type_boolean))
		return false;
	*ret = json_object_get_boolean(n.o);
	return true;
}

const char *sj_node_text(struct json_node n)
{
	const char *text = json_object_is_type(n.o, json_type_string)
				   ? json_object_get_string(n.o)
				   : NULL;

	/* wrapped by mail or a terminal: whether a blank stood there is not known */
	return text && !strchr(text, '\n') ? text : NULL;
}

size_t sj_node_line(const struct json_report *r, struct json_node n)
{
	size_t low = 0, high = r->lines;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (r->starts[middle] <= n.at)
			low = middle;
		else
			high = middle;
	}
	return r->line + (r->starts ? low : 0);
}

/* --- facts ------------------------------------------------------------------------------------- */

bool sj_is_new(struct json_report *r, enum fact_id id)
{
	uint32_t bit = 1u << id % 32;
	bool is_new = !(r->once[id / 32] & bit);

	r->once[id / 32] |= bit;
	return is_new;
}

/* Blanks single, as the text importer has them; a wrapped text may have lost one. */
void sj_put_text(struct json_report *r, enum fact_id id, uint32_t i, uint32_t j,
		 const char *text, struct json_node n)
{
	struct buf b cleanup_buf = { 0 };

	for (const char *p = text ? text : ""; *p; p++) {
		bool blank = str_is_space(*p);

		if (!blank)
			buf_putc(&b, *p);
		else if (b.len && b.data[b.len - 1] != ' ')
			buf_putc(&b, ' ');
	}
	while (b.len && b.data[b.len - 1] == ' ')
		b.data[--b.len] = '\0';
	if (b.len || id == FACT_ATTR_WHEN_FAILED)
		emit_text(&r->e, id, i, j, buf_text(&b), sj_node_line(r, n));
}

void sj_put_u64(struct json_report *r, enum fact_id id, uint32_t i, uint32_t j,
		uint64_t value, struct json_node n)
{
	emit_u64(&r->e, id, i, j, value, sj_node_line(r, n));
}

void sj_put(struct json_report *r, enum fact_id id, uint32_t i, uint32_t j,
	    struct json_node n)
{
	uint64_t u;
	int64_t s;
	bool flag;

	switch (fact_get_info(id)->type) {
	case FACT_U64:
		if (sj_node_u64(n, &u))
			sj_put_u64(r, id, i, j, u, n);
		break;
	case FACT_S64:
		if (sj_node_s64(n, &s))
			emit_s64(&r->e, id, i, j, s, sj_node_line(r, n));
		break;
	case FACT_FLAG:
		/* flags have one key in emit.c: the second is 0 for all of them */
		if (sj_node_flag(n, &flag))
			emit_flag(&r->e, id, i, flag, sj_node_line(r, n));
		break;
	case FACT_TEXT:
		sj_put_text(r, id, i, j, sj_node_text(n), n);
		break;
	}
}

void sj_put_once(struct json_report *r, enum fact_id id, struct json_node n)
{
	if (n.o && sj_is_new(r, id))
		sj_put(r, id, 0, 0, n);
}

void sj_put_rows(struct json_report *r, const struct json_row *rows, struct json_node n)
{
	for (; rows->path; rows++)
		sj_put_once(r, rows->id, sj_node_path(r, n, rows->path));
}

void sj_put_columns(struct json_report *r, const struct json_row *rows, uint32_t i,
		    uint32_t j, struct json_node n)
{
	for (; rows->path; rows++)
		sj_put(r, rows->id, i, j, sj_node_path(r, n, rows->path));
}

void sj_post(struct json_report *r, const char *section, struct json_node n)
{
	if (n.o)
		emit_text(&r->e, FACT_POSTED_SECTION, r->sections++, 0, section,
			  sj_node_line(r, n));
}

/* --- what has no quantity of its own -------------------------------------------------------- */

#define LINES_DEPTH 8u
#define LINES_MAX   2000u

struct level {
	struct json_object *o;
	struct json_object_iterator at, end;
	size_t k, name_len;
};

static void push(struct level *l, struct json_object *o, size_t name_len)
{
	*l = (struct level){ .o = o, .name_len = name_len };
	if (json_object_is_type(o, json_type_object)) {
		l->at = json_object_iter_begin(o);
		l->end = json_object_iter_end(o);
	}
}

/* The next member or element, its name added to NAME; false behind the last one. */
static bool next(struct level *l, struct buf *name, struct json_object **ret)
{
	name->len = l->name_len;
	if (json_object_is_type(l->o, json_type_object)) {
		if (json_object_iter_equal(&l->at, &l->end))
			return false;
		buf_printf(name, ".%s", json_object_iter_peek_name(&l->at));
		*ret = json_object_iter_peek_value(&l->at);
		json_object_iter_next(&l->at);
		return true;
	}
	if (l->k >= json_object_array_length(l->o))
		return false;
	buf_printf(name, "[%zu]", l->k);
	*ret = json_object_array_get_idx(l->o, l->k++);
	return true;
}

static bool is_group(struct json_object *o)
{
	return json_object_is_type(o, json_type_object) ||
	       json_object_is_type(o, json_type_array);
}

static void put_line(struct json_report *r, enum fact_id id, uint32_t *count,
		     struct buf *name, struct json_object *o, struct json_node n)
{
	size_t len = name->len;

	if (*count >= LINES_MAX || !o)
		return;
	buf_printf(name, ": %s", json_object_get_string(o));
	sj_put_text(r, id, (*count)++, 0, buf_text(name), n);
	name->len = len;
}

void sj_put_lines(struct json_report *r, enum fact_id id, uint32_t *count,
		  const char *name, struct json_node n)
{
	struct level levels[LINES_DEPTH];
	struct buf text cleanup_buf = { 0 };
	struct json_object *o;
	size_t depth = 1;

	buf_puts(&text, name);
	if (!is_group(n.o)) {
		put_line(r, id, count, &text, n.o, n);
		return;
	}
	push(&levels[0], n.o, text.len);
	while (depth && *count < LINES_MAX) {
		if (!next(&levels[depth - 1], &text, &o))
			depth--;
		else if (!is_group(o))
			put_line(r, id, count, &text, o, n);
		else if (depth < LINES_DEPTH)
			push(&levels[depth++], o, text.len);
	}
	if (buf_error(&text) < 0)
		r->error = -ENOMEM;
}
