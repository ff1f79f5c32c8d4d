/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The journal in its machine-readable forms: JSON (one object a line, or pretty), and NAME=VALUE
 * lines (export, verbose). Entries that are not the kernel's are left alone.
 */
#include <errno.h>
#include <json-c/json.h>
#include <string.h>

#include "base/str.h"
#include "import/kernel-log.h"

#define SECTION	   "kernel log"
#define MAX_FIELDS 200u /* lines of one entry */
#define MAX_DEPTH  8

struct entry {
	struct buf message;
	struct klog_head head;
	struct buf boot;
	bool has_message, is_kernel;
};

struct journal {
	struct klog_out *out;
	struct entry entry;
	struct buf boot; /* of the entry before */
	size_t wasted;	 /* lines looked at for nothing */
};

static void clear(struct entry *e)
{
	buf_clear(&e->message);
	buf_clear(&e->boot);
	e->head = (struct klog_head){ .kernel = true };
	e->has_message = e->is_kernel = false;
}

static void set_micro(const char *value, bool *ret_has, int64_t *ret)
{
	uint64_t u;

	if (str_to_u64(value, &u) < 0 || u > (uint64_t)1 << 60)
		return;
	*ret_has = true;
	*ret = (int64_t)u;
}

/* systemd.journal-fields(7) */
static void set_field(struct entry *e, const char *name, const char *value)
{
	struct klog_time *t = &e->head.time;

	if (str_equal(name, "MESSAGE")) {
		buf_clear(&e->message);
		buf_puts(&e->message, value);
		e->has_message = true;
	} else if (str_equal(name, "__REALTIME_TIMESTAMP")) {
		set_micro(value, &t->has_wall, &t->wall_us);
		t->wall_has_year = t->fine = t->has_wall;
	} else if (str_equal(name, "_SOURCE_MONOTONIC_TIMESTAMP")) {
		set_micro(value, &t->has_monotonic, &t->monotonic_us);
	} else if (str_equal(name, "_BOOT_ID")) {
		buf_clear(&e->boot);
		buf_puts(&e->boot, value);
	} else if (str_equal(name, "_TRANSPORT") ||
		   str_equal(name, "SYSLOG_IDENTIFIER")) {
		e->is_kernel |= str_equal(value, "kernel");
	}
}

/* Take the entry, if it is one of the kernel, and claim its lines. */
static void finish(struct journal *j, size_t first, size_t end)
{
	struct entry *e = &j->entry;
	struct text *t = j->out->im->text;
	const char *boot = buf_text(&e->boot);
	bool kept = false;

	if (!e->has_message || !e->is_kernel)
		return;
	if (*boot) {
		if (j->boot.len && !str_equal(buf_text(&j->boot), boot))
			j->out->new_boot = true;
		buf_clear(&j->boot);
		buf_puts(&j->boot, boot);
	}
	kept = klog_out_add(j->out, &e->head, buf_text(&e->message), e->message.len,
			    first, false);
	for (size_t i = first; i < end; i++)
		text_claim(t, i, kept ? LINE_READ : LINE_KNOWN, SECTION);
}

/* --- JSON ----------------------------------------------------------------------------------------- */

/* A message that is no UTF-8 is a list of its bytes. */
static void set_bytes(struct entry *e, const char *name, struct json_object *list)
{
	struct buf text cleanup_buf = { 0 };
	size_t n = json_object_array_length(list);

	for (size_t i = 0; i < n && i < KLOG_MAX_TEXT; i++) {
		int64_t byte = json_object_get_int64(json_object_array_get_idx(list, i));

		buf_putc(&text, byte >= ' ' && byte < 0x100 ? (char)byte : ' ');
	}
	set_field(e, name, buf_text(&text));
}

static void take_object(struct journal *j, struct json_object *o, size_t first,
			size_t end)
{
	static const char *const names[] = {
		"MESSAGE",  "__REALTIME_TIMESTAMP", "_SOURCE_MONOTONIC_TIMESTAMP",
		"_BOOT_ID", "_TRANSPORT",	    "SYSLOG_IDENTIFIER"
	};
	struct json_object *value;

	clear(&j->entry);
	for (size_t i = 0; i < array_size(names); i++) {
		if (!json_object_object_get_ex(o, names[i], &value))
			continue;
		if (json_object_is_type(value, json_type_array))
			set_bytes(&j->entry, names[i], value);
		else if (value)
			set_field(&j->entry, names[i], json_object_get_string(value));
	}
	finish(j, first, end);
}

/* "{", "data: {" of json-sse, with the record separator of json-seq before it */
static const char *object_start(const char *s)
{
	const char *rest = str_after(s, "data: ");

	if (rest)
		s = rest;
	while ((unsigned char)*s >= 0x80 || *s == ' ')
		s++;
	return *s == '{' ? s : NULL;
}

/* The object that starts at line FIRST; returns the line behind it, FIRST when it is none. */
static size_t read_object(struct journal *j, struct json_tokener *tok, size_t first)
{
	const struct text *t = j->out->im->text;
	const char *s = object_start(t->lines[first].s);
	struct json_object *o = NULL;
	size_t i = first;

	json_tokener_reset(tok);
	for (; s && i < t->n && i - first < MAX_FIELDS && j->wasted < t->n; i++) {
		size_t len = i == first ? strlen(s) : t->lines[i].len;

		o = json_tokener_parse_ex(tok, i == first ? s : t->lines[i].s, (int)len);
		if (o || json_tokener_get_error(tok) != json_tokener_continue)
			break;
	}
	if (!o) {
		j->wasted += i - first;
		return first;
	}
	i++;
	if (json_object_is_type(o, json_type_object))
		take_object(j, o, first, i);
	(void)json_object_put(o);
	return i;
}

/* --- NAME=VALUE ------------------------------------------------------------------------------------ */

static bool is_field(const char *s)
{
	const char *p = s;

	while ((*p >= 'A' && *p <= 'Z') || *p == '_' || (p > s && str_is_digit(*p)))
		p++;
	return p - s > 2 && *p == '=';
}

static size_t read_fields(struct journal *j, size_t first)
{
	const struct text *t = j->out->im->text;
	size_t i = first;

	clear(&j->entry);
	for (; i < t->n && i - first < MAX_FIELDS && is_field(t->lines[i].s); i++) {
		const char *s = t->lines[i].s, *eq = strchr(s, '=');
		char name[64];
		size_t len = (size_t)(eq - s);

		if (len >= sizeof(name) || t->lines[i].state != LINE_OPEN)
			continue;
		memcpy(name, s, len);
		name[len] = '\0';
		set_field(&j->entry, name, eq + 1);
	}
	finish(j, first, i);
	return i;
}

static bool is_open(const struct text *t, size_t i)
{
	return t->lines[i].state == LINE_OPEN && t->lines[i].len;
}

int klog_read_journal(struct klog_out *o)
{
	const struct text *t = o->im->text;
	struct json_tokener *tok = json_tokener_new_ex(MAX_DEPTH);
	struct journal j = { .out = o };
	int r = tok ? 0 : -ENOMEM;

	for (size_t i = 0; r == 0 && i < t->n;) {
		size_t next = i;

		if (is_open(t, i) && object_start(t->lines[i].s))
			next = read_object(&j, tok, i);
		else if (is_open(t, i) && is_field(t->lines[i].s))
			next = read_fields(&j, i);
		i = next > i ? next : i + 1;
	}
	if (buf_error(&j.entry.message) < 0 || buf_error(&j.boot) < 0 ||
	    buf_error(&j.entry.boot) < 0)
		r = -ENOMEM;
	buf_done(&j.entry.message);
	buf_done(&j.entry.boot);
	buf_done(&j.boot);
	if (tok)
		json_tokener_free(tok);
	return r;
}
