/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "drivedb/hwdb-parse.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/str.h"
#include "drivedb/match.h"

struct reader {
	struct hwdb *h;
	struct diag *d;
	const char *file;
	uint32_t line, layer;
	struct hwdb_record r; /* the record being read */
	/* where its lines gather: a database of thousands would else be mostly spare room */
	struct arena scratch;
	size_t cap_patterns, cap_properties;
	bool begun; /* r holds something besides a source */
	bool bad;   /* already reported: skip to the blank line */
};

static void refuse(struct reader *p, const char *why)
{
	if (!p->bad)
		diag_add(p->d, DIAG_WARNING, p->file, p->line, "record left out: %s",
			 why);
	p->bad = true;
}

static bool is_key_char(char c)
{
	return (c >= 'A' && c <= 'Z') || str_is_digit(c) || c == '_' ||
	       (c >= 'a' && c <= 'f'); /* offsets are written in lower-case hex */
}

static int read_property(struct reader *p, char *s)
{
	char *equals = strchr(s, '=');
	struct hwdb_property *q;
	size_t key_len = equals ? (size_t)(equals - s) : 0;

	if (!p->r.n_patterns)
		refuse(p, "a property without a match line above it");
	else if (!key_len)
		refuse(p, "a property line is not ' KEY=VALUE'");
	for (size_t i = 0; i < key_len; i++)
		if (!is_key_char(s[i]))
			refuse(p, "a key has other characters than A-Z, 0-9 and _");
	if (p->r.n_properties >= HWDB_MAX_PROPERTIES)
		refuse(p, "too many properties");
	if (p->bad)
		return 0;
	q = arena_push(&p->scratch, &p->r.properties, &p->r.n_properties,
		       &p->cap_properties, sizeof(*q));
	if (!q)
		return -ENOMEM;
	*equals = '\0';
	*q = (struct hwdb_property){ .key = s, .value = equals + 1, .line = p->line };
	return 0;
}

static int read_pattern(struct reader *p, const char *s)
{
	struct hwdb_pattern *q;

	if (p->r.n_properties)
		refuse(p, "a match line below a property (a blank line is missing)");
	else if (p->r.n_patterns >= HWDB_MAX_PATTERNS)
		refuse(p, "too many match lines");
	else if (strlen(s) > HWDB_MAX_PATTERN)
		refuse(p, "a match line is too long");
	else if (!glob_is_valid(s))
		refuse(p, "a '[' without its ']', or an empty range");
	if (p->bad)
		return 0;
	q = arena_push(&p->scratch, &p->r.patterns, &p->r.n_patterns, &p->cap_patterns,
		       sizeof(*q));
	if (!q)
		return -ENOMEM;
	*q = (struct hwdb_pattern){ .glob = s, .line = p->line };
	return 0;
}

static void read_comment(struct reader *p, const char *s)
{
	const char *rest;

	while (*s == '#' || str_is_space(*s))
		s++;
	rest = str_after(s, "Source:");
	if (!rest || p->r.source)
		return;
	while (str_is_space(*rest))
		rest++;
	p->r.source = *rest ? rest : NULL;
}

/* Keep the record that was read, in as much room as it needs. */
static int keep_record(struct reader *p)
{
	struct arena *arena = &p->h->arena;
	size_t patterns = p->r.n_patterns * sizeof(*p->r.patterns);
	size_t properties = p->r.n_properties * sizeof(*p->r.properties);
	struct hwdb_record kept = p->r, *r;

	kept.patterns = arena_alloc(arena, patterns);
	kept.properties = arena_alloc(arena, properties);
	r = arena_push(arena, &p->h->records, &p->h->n, &p->h->cap, sizeof(*r));
	if (!r)
		return -ENOMEM;
	if (!kept.patterns || !kept.properties) {
		p->h->n--;
		return -ENOMEM;
	}
	memcpy(kept.patterns, p->r.patterns, patterns);
	memcpy(kept.properties, p->r.properties, properties);
	*r = kept;
	return 0;
}

static int end_record(struct reader *p)
{
	int r = 0;

	if (p->begun && !p->r.n_properties)
		refuse(p, "no properties below its match lines");
	if (p->begun && !p->bad)
		r = keep_record(p);
	p->r.n_patterns = p->r.n_properties = 0;
	p->r.source = NULL;
	p->begun = p->bad = false;
	return r;
}

/* Control characters have no place in a record; they would reach a terminal one day. */
static bool is_clean(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((uint8_t)s[i] < 0x20 || s[i] == 0x7f)
			return false;
	return true;
}

static int read_line(struct reader *p, char *s, size_t len)
{
	while (len && str_is_space(s[len - 1]))
		s[--len] = '\0';
	if (!len)
		return end_record(p);
	if (*s == '#') {
		read_comment(p, s);
		return 0;
	}
	p->begun = true;
	if (len > HWDB_MAX_LINE)
		refuse(p, "a line is too long");
	else if (!is_clean(s, len))
		refuse(p, "a line has a control character");
	else if (*s != ' ')
		return read_pattern(p, s);
	else if (s[1] == ' ')
		refuse(p, "a property line must begin with one space");
	else
		return read_property(p, s + 1);
	return 0;
}

int hwdb_parse_owned(struct hwdb *h, char *text, size_t len, const char *file,
		     uint32_t layer, struct diag *d)
{
	struct reader p = { .h = h, .d = d, .file = file, .layer = layer };
	char *s = text, *end = text + len;
	int r = 0;

	p.r = (struct hwdb_record){ .file = file, .layer = layer };
	while (s < end && !r) {
		char *newline = memchr(s, '\n', (size_t)(end - s));
		char *stop = newline ? newline : end;

		p.line++;
		*stop = '\0';
		r = read_line(&p, s, (size_t)(stop - s));
		s = stop + 1;
	}
	if (!r)
		r = end_record(&p);
	arena_done(&p.scratch);
	return r;
}

int hwdb_parse(struct hwdb *h, struct span text, const char *file, uint32_t layer,
	       struct diag *d)
{
	char *s;

	if (text.len > HWDB_MAX_BYTES) {
		diag_add(d, DIAG_ERROR, file, 0, "larger than %u MiB, not used",
			 HWDB_MAX_BYTES >> 20);
		return 0;
	}
	file = arena_strdup(&h->arena, file ? file : "-");
	s = arena_strndup(&h->arena, text.len ? (const char *)text.data : "", text.len);
	if (!file || !s)
		return -ENOMEM;
	return hwdb_parse_owned(h, s, text.len, file, layer, d);
}

void hwdb_done(struct hwdb *h)
{
	arena_done(&h->arena);
	*h = (struct hwdb){ 0 };
}
