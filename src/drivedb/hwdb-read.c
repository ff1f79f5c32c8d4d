/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Matching and reading the records that hwdb_add() found good. */
#include "drivedb/hwdb-parse.h"

#include <string.h>

#include "base/str.h"
#include "drivedb/hwdb-line.h"
#include "drivedb/match.h"

/* Up to its first special character a glob is a text: almost all are decided by that. */
static bool prefix_matches(struct hwdb_line glob, const char *match)
{
	for (size_t i = 0; i < glob.len; i++) {
		char c = glob.s[i];

		if (c == '*' || c == '?' || c == '[')
			return true;
		if (c != match[i]) /* also at the end of MATCH */
			return false;
	}
	return !match[glob.len];
}

bool hwdb_matches(const struct hwdb *h, size_t i, const char *match, uint32_t key)
{
	const struct hwdb_entry *e = &h->entries[i];
	const char *text = h->files[e->file].text + e->offset;
	const char *s = text + e->first, *end = text + e->len;
	char glob[HWDB_MAX_PATTERN + 1];

	if (e->key && key && e->key != key)
		return false;
	while (s < end && *s != ' ') {
		struct hwdb_line line = hwdb_line_next(&s, end);

		if (!line.len || *line.s == '#' || !prefix_matches(line, match))
			continue;
		hwdb_line_copy(line, glob);
		if (glob_match(glob, match))
			return true;
	}
	return false;
}

struct reader {
	struct arena *arena;
	struct hwdb_record r;
	size_t cap_patterns, cap_properties;
};

static bool read_comment(struct reader *p, struct hwdb_line line)
{
	const char *text, *rest;

	if (p->r.source)
		return true;
	text = arena_strndup(p->arena, line.s, line.len);
	if (!text)
		return false;
	while (*text == '#' || str_is_space(*text))
		text++;
	rest = str_after(text, "Source:");
	while (rest && str_is_space(*rest))
		rest++;
	p->r.source = rest && *rest ? rest : NULL;
	return true;
}

static bool read_pattern(struct reader *p, const char *text, uint32_t line)
{
	struct hwdb_pattern *q = arena_push(p->arena, &p->r.patterns, &p->r.n_patterns,
					    &p->cap_patterns, sizeof(*q));

	if (q)
		*q = (struct hwdb_pattern){ .glob = text, .line = line };
	return q;
}

static bool read_property(struct reader *p, char *text, uint32_t line)
{
	struct hwdb_property *q =
		arena_push(p->arena, &p->r.properties, &p->r.n_properties,
			   &p->cap_properties, sizeof(*q));
	char *equals = strchr(text, '=');

	if (!q || !equals)
		return false;
	*equals = '\0';
	*q = (struct hwdb_property){ .key = text, .value = equals + 1, .line = line };
	return true;
}

static bool read_line(struct reader *p, struct hwdb_line line, uint32_t number)
{
	char *text;

	if (!line.len)
		return true;
	if (*line.s == '#')
		return read_comment(p, line);
	text = arena_strndup(p->arena, line.s, line.len);
	if (!text)
		return false;
	return *text == ' ' ? read_property(p, text + 1, number)
			    : read_pattern(p, text, number);
}

static bool read_record(struct reader *p, const struct hwdb *h,
			const struct hwdb_entry *e)
{
	const struct hwdb_file *f = &h->files[e->file];
	const char *s = f->text + e->offset, *end = s + e->len;

	p->r.file = f->name;
	p->r.layer = f->layer;
	for (uint32_t line = e->line; s < end; line++)
		if (!read_line(p, hwdb_line_next(&s, end), line))
			return false;
	return true;
}

const struct hwdb_record *hwdb_record(struct hwdb *h, size_t i)
{
	struct reader p = { .arena = &h->arena };
	struct hwdb_entry *e = &h->entries[i];
	struct hwdb_record *r, **slot;

	if (e->read)
		return h->records[e->read - 1];
	r = arena_alloc(&h->arena, sizeof(*r));
	if (!r || !read_record(&p, h, e))
		return NULL;
	*r = p.r;
	slot = arena_push(&h->arena, &h->records, &h->n_records, &h->cap_records,
			  sizeof(*slot));
	if (!slot)
		return NULL;
	*slot = r;
	e->read = (uint32_t)h->n_records;
	return r;
}
