/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/capture.h"

#include <errno.h>
#include <string.h>

#include "base/str.h"

static struct cap_subject *find_host(struct capture *c)
{
	for (size_t i = 0; i < c->n_subjects; i++)
		if (c->subjects[i].kind == CAP_HOST)
			return &c->subjects[i];
	return NULL;
}

/* Numbers rise through the file, so the last drive has the highest. */
static uint32_t last_drive(const struct capture *c)
{
	for (size_t i = c->n_subjects; i > 0; i--)
		if (c->subjects[i - 1].kind == CAP_DRIVE)
			return c->subjects[i - 1].number;
	return 0;
}

struct cap_subject *capture_add_subject(struct capture *c, enum cap_kind kind)
{
	struct cap_subject *s = kind == CAP_HOST ? find_host(c) : NULL;
	uint32_t number = kind == CAP_HOST ? 0 : last_drive(c) + 1;

	if (s)
		return s;
	/* a number of 0 is what wrapping around would make */
	if (c->n_subjects >= CAP_MAX_SUBJECTS || (kind == CAP_DRIVE && !number))
		return NULL;
	s = arena_push(&c->arena, &c->subjects, &c->n_subjects, &c->cap_subjects,
		       sizeof(*s));
	if (!s)
		return NULL;
	s->kind = kind;
	s->number = number;
	return s;
}

struct cap_snapshot *capture_add_snapshot(struct capture *c, struct cap_subject *s,
					  enum cap_role role, const char *source)
{
	struct cap_snapshot *snapshot;
	char *copy = NULL;

	if (c->n_snapshots >= CAP_MAX_SNAPSHOTS)
		return NULL;
	if (source) {
		if (strlen(source) > CAP_MAX_HEAD)
			return NULL;
		copy = arena_strdup(&c->arena, source);
		if (!copy)
			return NULL;
	}
	snapshot = arena_push(&c->arena, &s->snapshots, &s->n_snapshots,
			      &s->cap_snapshots, sizeof(*snapshot));
	if (!snapshot)
		return NULL;
	snapshot->role = role;
	snapshot->source = copy;
	c->n_snapshots++;
	return snapshot;
}

struct cap_item *capture_add_item(struct capture *c, struct cap_snapshot *s,
				  const char *id, enum cap_status status,
				  struct span body)
{
	struct cap_item *item;
	char *id_copy, *bytes;

	if (!*id || strlen(id) > CAP_MAX_HEAD || c->n_items >= CAP_MAX_ITEMS ||
	    body.len > CAP_MAX_ITEM_BYTES || body.len > CAP_MAX_BYTES - c->body_bytes)
		return NULL;
	id_copy = arena_strdup(&c->arena, id);
	bytes = arena_strndup(&c->arena, body.len ? (const char *)body.data : "",
			      body.len);
	if (!id_copy || !bytes)
		return NULL;
	item = arena_push(&c->arena, &s->items, &s->n_items, &s->cap_items,
			  sizeof(*item));
	if (!item)
		return NULL;
	item->id = id_copy;
	item->status = status;
	item->body = span_of(bytes, body.len);
	c->n_items++;
	c->body_bytes += body.len;
	return item;
}

bool cap_is_attribute_name(const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!str_is_digit(name[i]) && !(name[i] >= 'a' && name[i] <= 'z') &&
		    name[i] != '_')
			return false;
	return len > 0;
}

static struct cap_attribute *find_attribute(const struct cap_item *item, const char *name)
{
	for (size_t i = 0; i < item->n_attributes; i++)
		if (str_equal(item->attributes[i].name, name))
			return &item->attributes[i];
	return NULL;
}

/* What the item's line holds beside keywords and escapes. */
static size_t head_len(const struct cap_item *item)
{
	size_t n = strlen(item->id);

	for (size_t i = 0; i < item->n_attributes; i++)
		n += strlen(item->attributes[i].name) +
		     strlen(item->attributes[i].value) + 2;
	return n;
}

int cap_item_set(struct capture *c, struct cap_item *item, const char *name,
		 const char *value)
{
	struct cap_attribute *a;
	size_t old = 0, more = strlen(value);
	char *value_copy, *name_copy;

	if (!cap_is_attribute_name(name, strlen(name)))
		return -EINVAL;
	a = find_attribute(item, name);
	if (a)
		old = strlen(a->value);
	else
		more += strlen(name) + 2;
	if (more > CAP_MAX_HEAD || head_len(item) - old + more > CAP_MAX_HEAD ||
	    (!a && item->n_attributes >= CAP_MAX_ATTRIBUTES))
		return -E2BIG;
	value_copy = arena_strdup(&c->arena, value);
	name_copy = a ? NULL : arena_strdup(&c->arena, name);
	if (!value_copy || (!a && !name_copy))
		return -ENOMEM;
	if (!a) {
		a = arena_push(&c->arena, &item->attributes, &item->n_attributes,
			       &item->cap_attributes, sizeof(*a));
		if (!a)
			return -ENOMEM;
		a->name = name_copy;
	}
	a->value = value_copy;
	return 0;
}

const char *cap_item_get(const struct cap_item *item, const char *name)
{
	const struct cap_attribute *a = find_attribute(item, name);

	return a ? a->value : NULL;
}

const char *cap_role_name(enum cap_role role)
{
	static const char *const names[] = {
		[CAP_BEFORE] = "before",     [CAP_DURING] = "during",
		[CAP_AFTER] = "after",	     [CAP_IMPORT] = "import",
		[CAP_BASELINE] = "baseline",
	};

	return names[role];
}

const char *cap_status_name(enum cap_status status)
{
	static const char *const names[] = {
		[CAP_OK] = "ok",
		[CAP_UNSUPPORTED] = "unsupported",
		[CAP_FAILED] = "failed",
		[CAP_SKIPPED] = "skipped",
	};

	return names[status];
}

void capture_done(struct capture *c)
{
	arena_done(&c->arena);
	*c = (struct capture){ 0 };
}
