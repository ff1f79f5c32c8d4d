/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Check all records, and remember where the good ones stand. */
#include "drivedb/hwdb-parse.h"

#include <errno.h>
#include <string.h>

#include "base/large.h"
#include "base/str.h"
#include "drivedb/hwdb-line.h"
#include "drivedb/match.h"

struct checker {
	struct hwdb *h;
	struct diag *d;
	struct hwdb_entry e; /* the record being checked */
	const char *file, *text;
	uint32_t line;
	size_t n_patterns, n_properties;
	bool clean; /* no control character in the whole text: what is usual */
	bool begun; /* it holds something besides comments */
	bool bad;   /* already reported: skip to the blank line */
};

static void refuse(struct checker *p, const char *why)
{
	if (!p->bad)
		diag_add(p->d, DIAG_WARNING, p->file, p->line, "record left out: %s",
			 why);
	p->bad = true;
}

/* Of a key; offsets in it are written in lower-case hex. A table, for the many. */
static const bool key_char[256] = {
	['A'] = true, ['B'] = true, ['C'] = true, ['D'] = true, ['E'] = true,
	['F'] = true, ['G'] = true, ['H'] = true, ['I'] = true, ['J'] = true,
	['K'] = true, ['L'] = true, ['M'] = true, ['N'] = true, ['O'] = true,
	['P'] = true, ['Q'] = true, ['R'] = true, ['S'] = true, ['T'] = true,
	['U'] = true, ['V'] = true, ['W'] = true, ['X'] = true, ['Y'] = true,
	['Z'] = true, ['0'] = true, ['1'] = true, ['2'] = true, ['3'] = true,
	['4'] = true, ['5'] = true, ['6'] = true, ['7'] = true, ['8'] = true,
	['9'] = true, ['a'] = true, ['b'] = true, ['c'] = true, ['d'] = true,
	['e'] = true, ['f'] = true, ['_'] = true,
};

static void check_property(struct checker *p, struct hwdb_line line)
{
	size_t key = 0;

	while (key < line.len && key_char[(uint8_t)line.s[key]])
		key++;
	if (!p->n_patterns)
		refuse(p, "a property without a match line above it");
	else if (key && key < line.len && line.s[key] == '=')
		p->n_properties++;
	else if (*line.s == '=' || !memchr(line.s, '=', line.len))
		refuse(p, "a property line is not ' KEY=VALUE'");
	else
		refuse(p, "a key has other characters than A-Z, 0-9 and _");
	if (p->n_properties > HWDB_MAX_PROPERTIES)
		refuse(p, "too many properties");
}

uint32_t hwdb_key(const char *glob, size_t len)
{
	static const char start[] = { 'a', 't', 'a', ':', 'm', 'n' };
	const char *text = glob + sizeof(start);
	uint32_t key;

	if (len < sizeof(start) + sizeof(key) || memcmp(glob, start, sizeof(start)) != 0)
		return 0;
	for (size_t i = 0; i < sizeof(key); i++)
		if (text[i] == '*' || text[i] == '?' || text[i] == '[')
			return 0;
	memcpy(&key, text, sizeof(key));
	return key;
}

/* LINE ends where its text does, not with a zero. */
static bool is_valid_glob(struct hwdb_line line)
{
	char glob[HWDB_MAX_PATTERN + 1];

	if (!memchr(line.s, '[', line.len))
		return true;
	hwdb_line_copy(line, glob);
	return glob_is_valid(glob);
}

static void check_pattern(struct checker *p, struct hwdb_line line)
{
	uint32_t key = hwdb_key(line.s, line.len);
	size_t first;

	if (p->n_properties)
		refuse(p, "a match line below a property (a blank line is missing)");
	else if (p->n_patterns >= HWDB_MAX_PATTERNS)
		refuse(p, "too many match lines");
	else if (line.len > HWDB_MAX_PATTERN)
		refuse(p, "a match line is too long");
	else if (!is_valid_glob(line))
		refuse(p, "a '[' without its ']', or an empty range");
	first = (size_t)(line.s - p->text) - p->e.offset;
	if (!p->n_patterns++) {
		p->e.first = first <= UINT16_MAX ? (uint16_t)first : 0;
		p->e.key = key;
	} else if (p->e.key != key) {
		p->e.key = 0;
	}
}

static int end_record(struct checker *p, const char *next)
{
	struct hwdb *h = p->h;

	if (p->begun && !p->n_properties)
		refuse(p, "no properties below its match lines");
	if (p->begun && !p->bad) {
		struct hwdb_entry *e =
			arena_push(&h->arena, &h->entries, &h->n, &h->cap, sizeof(*e));

		if (!e)
			return -ENOMEM;
		*e = p->e;
		e->len = (uint32_t)(next - p->text) - e->offset;
	}
	p->n_patterns = p->n_properties = 0;
	p->begun = p->bad = false;
	p->e.offset = (uint32_t)(next - p->text);
	p->e.line = p->line + 1;
	return 0;
}

#define USUAL_BYTES 150u /* of a record; those of db/ have twice as many */
/* Sixteen bytes at once, in what the processor has for that. */
typedef uint8_t bytes16 __attribute__((vector_size(16)));

/* Control characters have no place in a record; they would reach a terminal one day. */
static bool is_clean(const char *s, size_t len)
{
	bytes16 bad16 = { 0 };
	uint8_t bad = 0;
	size_t i = 0;

	for (; i + sizeof(bad16) <= len; i += sizeof(bad16)) {
		bytes16 c;

		memcpy(&c, s + i, sizeof(c));
		bad16 |= (bytes16)(((c < 0x20) & (c != '\n')) | (c == 0x7f));
	}
	for (size_t k = 0; k < sizeof(bad16); k++)
		bad |= bad16[k];
	for (; i < len; i++)
		bad |= ((uint8_t)s[i] < 0x20 && s[i] != '\n') || s[i] == 0x7f;
	return !bad;
}

static void check_line(struct checker *p, struct hwdb_line line)
{
	p->begun = true;
	if (p->bad)
		return;
	if (line.len > HWDB_MAX_LINE)
		refuse(p, "a line is too long");
	else if (!p->clean && !is_clean(line.s, line.len))
		refuse(p, "a line has a control character");
	else if (*line.s != ' ')
		check_pattern(p, line);
	else if (line.s[1] == ' ')
		refuse(p, "a property line must begin with one space");
	else
		check_property(p, (struct hwdb_line){ line.s + 1, line.len - 1 });
}

static int check_all(struct checker *p, const char *s, const char *end)
{
	int r = 0;

	while (s < end && !r) {
		struct hwdb_line line = hwdb_line_next(&s, end);

		p->line++;
		if (!line.len)
			r = end_record(p, s);
		else if (*line.s != '#')
			check_line(p, line);
	}
	return r ? r : end_record(p, end);
}

/* For the entries of so long a text: an array that grows leaves its smaller selves behind. */
static int make_room(struct hwdb *h, size_t len)
{
	size_t want = h->n + len / USUAL_BYTES;

	if (len >= LARGE_PAGE / 2 &&
	    !arena_add_large(&h->arena, want * sizeof(*h->entries)))
		return -ENOMEM;
	return arena_reserve(&h->arena, &h->entries, h->n, &h->cap, want,
			     sizeof(*h->entries))
		       ? 0
		       : -ENOMEM;
}

int hwdb_add(struct hwdb *h, struct span text, const char *file, uint32_t layer,
	     struct diag *d)
{
	const char *s = (const char *)text.data;
	struct checker p = { .h = h, .d = d, .file = file, .text = s };
	struct hwdb_file *f;

	if (text.len > HWDB_MAX_BYTES) {
		diag_add(d, DIAG_ERROR, file, 0, "larger than %u MiB, not used",
			 HWDB_MAX_BYTES >> 20);
		return 0;
	}
	if (h->n_files >= HWDB_MAX_FILES)
		return -EMFILE;
	p.e = (struct hwdb_entry){ .file = (uint16_t)h->n_files, .line = 1 };
	f = arena_push(&h->arena, &h->files, &h->n_files, &h->cap_files, sizeof(*f));
	if (!f)
		return -ENOMEM;
	*f = (struct hwdb_file){ file, s, layer };
	if (make_room(h, text.len) < 0)
		return -ENOMEM;
	p.clean = is_clean(s, text.len);
	return check_all(&p, s, s + text.len);
}

void hwdb_done(struct hwdb *h)
{
	arena_done(&h->arena);
	*h = (struct hwdb){ 0 };
}
