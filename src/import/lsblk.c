/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lsblk: pairs (-P), JSON (-J) and its table with any columns. A cell of the table may be empty or
 * hold blanks, so the table is read by where its columns stand, and only as long as they do: posting
 * takes blanks away, and then nothing but the other forms is sure.
 */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/identity.h"
#include "import/importers.h"
#include "import/json-text.h"

#define SECTION	    "lsblk"
#define ITEM	    "facts/lsblk"
#define MAX_COLUMNS 80u
#define MAX_DEPTH   8u
#define TRIES	    32u

/* ---- NAME="sda" MODEL="..." ------------------------------------------------------------------- */

/* Returns behind the pair, or NULL. */
static const char *take_pair(const char *s, struct identity *d)
{
	const char *equal, *end;
	char name[24];
	size_t n;

	while (*s == ' ')
		s++;
	equal = strstr(s, "=\"");
	n = equal ? (size_t)(equal - s) : sizeof(name);
	if (n >= sizeof(name) || !n)
		return NULL;
	end = strchr(equal + 2, '"');
	if (!end)
		return NULL;
	memcpy(name, s, n);
	name[n] = '\0';
	for (size_t i = 0; i < n; i++)
		if (name[i] == '_') /* 2.39 writes LOG_SEC */
			name[i] = '-';
	(void)identity_set(d, name, equal + 2, (size_t)(end - equal - 2));
	return end + 1;
}

static int read_pairs(struct import *im, size_t line)
{
	const struct text_line *l = &im->text->lines[line];
	struct identity d = IDENTITY_NONE;
	const char *p = l->s;
	int r;

	d.line = line;
	if (l->cut && l->s[l->len - 1] != '"')
		return 0;
	while (p && *p)
		p = take_pair(p, &d);
	if (!p || !d.device[0])
		return 0;
	r = identity_put(im, &d, ITEM);
	if (r >= 0)
		text_claim(im->text, line, LINE_READ, SECTION);
	return r;
}

/* ---- JSON ------------------------------------------------------------------------------------------ */

static int put_json(struct import *im, struct json_object *o, size_t line)
{
	struct identity d = IDENTITY_NONE;

	d.line = line;
	if (!json_object_is_type(o, json_type_object))
		return 0;
	json_object_object_foreach(o, key, value)
	{
		const char *text = json_object_get_string(value);

		if (text && (json_object_is_type(value, json_type_string) ||
			     json_object_is_type(value, json_type_int) ||
			     json_object_is_type(value, json_type_boolean)))
			(void)identity_set(&d, key, text, strlen(text));
	}
	return identity_put(im, &d, ITEM);
}

/* Drives stand at the top, or below the controller or the host (lsblk -s the other way round). */
static size_t read_json(struct import *im, size_t index, int *n, unsigned *tries)
{
	struct text *t = im->text;
	size_t end = index + 1, line = index;
	struct json_object *root, *devices;

	if (*tries >= TRIES || index + 1 >= t->n ||
	    (!strstr(t->lines[index].s, "\"blockdevices\"") &&
	     !strstr(t->lines[index + 1].s, "\"blockdevices\"")))
		return index + 1;
	root = json_text_read(t, index, &end);
	devices = json_text_get(root, "blockdevices", json_type_array);
	*tries += !devices;
	for (size_t i = 0; devices && i < json_object_array_length(devices) && *n >= 0 &&
			   *n < (int)IDENTITY_MAX;
	     i++) {
		int r = put_json(im, json_object_array_get_idx(devices, i), line);

		*n = r < 0 ? r : *n + r;
	}
	for (size_t i = index; devices && i < end; i++)
		text_claim(t, i, LINE_READ, SECTION);
	if (!devices)
		end = index + 1;
	json_object_put(root);
	return end;
}

/* ---- the table --------------------------------------------------------------------------------------- */

struct column {
	char name[24];
	size_t start, end; /* of its head, counted in characters */
	bool left;
};

struct table {
	struct column columns[MAX_COLUMNS];
	size_t n;
};

static bool is_left(const char *name)
{
	static const char *const names[] = {
		"NAME",	  "KNAME",    "PATH",  "MODEL",	     "SERIAL",	    "WWN",
		"TRAN",	  "TYPE",     "REV",   "VENDOR",     "HCTL",	    "SCHED",
		"STATE",  "FSTYPE",   "LABEL", "UUID",	     "PKNAME",	    "MOUNTPOINT",
		"MODE",	  "OWNER",    "GROUP", "SUBSYSTEMS", "MOUNTPOINTS", "PTTYPE",
		"PTUUID", "PARTUUID", "ZONED",
	};

	for (size_t i = 0; i < array_size(names); i++)
		if (str_equal(names[i], name))
			return true;
	return false;
}

/* Where the CHARACTER-th character of a line stands in its bytes; its indentation was cut. */
static const char *at(const struct text_line *l, size_t character)
{
	const char *p = l->s;

	if (character < l->indent)
		return p;
	character -= l->indent;
	while (*p && character--) {
		size_t n = str_utf8_len(p, strlen(p));

		p += n ? n : 1;
	}
	return p;
}

static bool parse_head(const struct text_line *l, struct table *ret)
{
	const char *p = l->s;
	bool name = false, other = false;

	for (ret->n = 0; *p;) {
		struct column *c = &ret->columns[ret->n];
		size_t len;

		p += strspn(p, " ");
		len = strcspn(p, " ");
		if (!len)
			break;
		if (len >= sizeof(c->name) || ret->n == MAX_COLUMNS ||
		    strspn(p, "ABCDEFGHIJKLMNOPQRSTUVWXYZ-:%0123456789") < len)
			return false;
		memcpy(c->name, p, len);
		c->name[len] = '\0';
		c->start = l->indent + (size_t)(p - l->s);
		c->end = c->start + len;
		c->left = is_left(c->name);
		name |= str_equal(c->name, "NAME") || str_equal(c->name, "KNAME");
		other |= str_equal(c->name, "SIZE") || str_equal(c->name, "MODEL") ||
			 str_equal(c->name, "SERIAL") || str_equal(c->name, "MAJ:MIN");
		ret->n++;
		p += len;
	}
	return ret->n >= 2 && name && other;
}

/* Every column begins, or ends, where its head does, or has nothing there. */
static bool is_aligned(const struct text_line *l, const struct table *t)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct column *c = &t->columns[i];
		const char *p = at(l, c->left ? c->start : c->end);

		if (c->left && c->start > l->indent && *p && p[-1] != ' ')
			return false;
		if (!c->left && *p && *p != ' ')
			return false;
	}
	return true;
}

/* A cell at the left ends before the next one; one at the right of it may be wider than its head. */
static size_t cell(const struct text_line *l, const struct table *t, size_t i,
		   const char **ret)
{
	const struct column *c = &t->columns[i];
	const char *from = at(l, c->left ? c->start : 0), *to = l->s + l->len;

	if (!c->left) {
		const char *end = at(l, c->end);

		from = end;
		while (from > l->s && from[-1] != ' ')
			from--;
		*ret = from;
		return (size_t)(end - from);
	}
	if (i + 1 < t->n) {
		to = at(l, t->columns[i + 1].left ? t->columns[i + 1].start
						  : t->columns[i + 1].end);
		while (!t->columns[i + 1].left && to > from && to[-1] != ' ')
			to--;
	}
	*ret = from;
	return to > from ? (size_t)(to - from) : 0;
}

/* "├─sda1": what is below a disk is none. */
static bool is_child(const struct text_line *l)
{
	return !str_is_alpha(l->s[0]);
}

static int put_row(struct import *im, size_t line, const struct table *t)
{
	const struct text_line *l = &im->text->lines[line];
	struct identity d = IDENTITY_NONE;

	d.line = line;
	for (size_t i = 0; i < t->n; i++) {
		const char *value;
		size_t len = cell(l, t, i, &value);

		/* KNAME is the same name without the tree */
		if (!str_equal(t->columns[i].name, "KNAME") || !d.device[0])
			(void)identity_set(&d, t->columns[i].name, value, len);
	}
	return identity_put(im, &d, ITEM);
}

/* Wide enough a row to have all its cells, and nothing of the head's line lost. */
static size_t read_table(struct import *im, size_t index, const struct table *t, int *n)
{
	struct text *text = im->text;
	bool noted = false;
	size_t i;

	text_claim(text, index, LINE_KNOWN, SECTION);
	for (i = index + 1; i < text->n && *n >= 0 && *n < (int)IDENTITY_MAX; i++) {
		const struct text_line *l = &text->lines[i];
		int r;

		if (!l->len || l->state != LINE_OPEN || posted_command(text, i, "lsblk"))
			break;
		if (is_child(l)) {
			text_claim(text, i, LINE_KNOWN, SECTION);
			continue;
		}
		if (!is_aligned(l, t) || l->cut) {
			if (!noted)
				diag_add(im->diag, DIAG_NOTE, text->file, l->number,
					 "lsblk: its columns do not stand below their "
					 "heads any more: lsblk -P and -J survive "
					 "posting");
			noted = true;
			text_claim(text, i, LINE_KNOWN, SECTION);
			continue;
		}
		r = put_row(im, i, t);
		*n = r < 0 ? r : *n + r;
		text_claim(text, i, LINE_READ, SECTION);
	}
	return i;
}

static int read_lsblk(struct import *im)
{
	const struct text *t = im->text;
	unsigned tries = 0;
	int n = 0;

	for (size_t i = 0; i < t->n && n >= 0 && n < (int)IDENTITY_MAX;) {
		const struct text_line *l = &t->lines[i];
		struct table table;

		if (l->state != LINE_OPEN || !l->len) {
			i++;
		} else if (*l->s == '{') {
			i = read_json(im, i, &n, &tries);
		} else if (strstr(l->s, "NAME=\"")) {
			int r = read_pairs(im, i++);

			n = r < 0 ? r : n + r;
		} else if (strstr(l->s, "NAME") && parse_head(l, &table)) {
			i = read_table(im, i, &table, &n);
		} else {
			i++;
		}
	}
	return n;
}

const struct importer importer_lsblk = {
	.name = "lsblk",
	.describe = "lsblk: pairs, JSON and table, as identity",
	.read = read_lsblk,
};
