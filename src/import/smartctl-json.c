/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finding the reports: a file of one, a list of many, one a line, an object that holds them, or one
 * pasted into a mail. Where a report is cut or damaged, what stands whole before that place is taken.
 */
#include "import/smartctl-json.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/str.h"
#include "import/binary.h"
#include "import/importers.h"

#define MAX_BYTES (4u << 20) /* of one report */
#define MAX_DEPTH 24
#define MAX_SCAN                                                                         \
	(128u << 20) /* bytes looked at in all, also when brackets do not match */

struct scan {
	struct import *im;
	struct span s;	 /* all of the text */
	size_t line, at; /* line of offset AT, for counting on */
	size_t budget;
	size_t reports, left_out;
	bool claim;
};

/* --- where an object ends ---------------------------------------------------------------------- */

struct extent {
	size_t end; /* behind the object; of a cut one: of the text */
	bool closed;
	size_t comma;		  /* the last one outside of strings, in the text */
	char open[MAX_DEPTH + 1]; /* brackets open at that comma */
	size_t depth;
};

/* Strings are left out; a bracket of the wrong kind ends it like the end of the text. */
static struct extent find_end(struct scan *sc, size_t start, size_t limit)
{
	struct extent x = { .end = limit };
	char open[MAX_DEPTH + 1];
	size_t depth = 0, i;
	bool string = false;

	for (i = start; i < limit && i - start < MAX_BYTES; i++) {
		char c = (char)sc->s.data[i];

		if (string) {
			i += c == '\\';
			string = c != '"';
		} else if (c == '"') {
			string = true;
		} else if (c == '{' || c == '[') {
			if (depth == MAX_DEPTH)
				break;
			open[depth++] = c == '{' ? '}' : ']';
		} else if (c == '}' || c == ']') {
			if (!depth || open[depth - 1] != c)
				break;
			if (--depth == 0) {
				x.end = i + 1;
				x.closed = true;
				break;
			}
		} else if (c == ',') {
			x.comma = i;
			x.depth = depth;
			memcpy(x.open, open, depth);
		}
	}
	sc->budget -= i - start < sc->budget ? i - start : sc->budget;
	if (!x.closed)
		x.end = i < limit ? i : limit;
	return x;
}

/* --- one object ---------------------------------------------------------------------------------- */

static struct json_object *parse(struct span s, size_t *ret_error)
{
	struct json_tokener *t = json_tokener_new_ex(MAX_DEPTH + 1);
	struct json_object *o;

	if (!t)
		return NULL;
	o = s.len < INT_MAX ? json_tokener_parse_ex(t, (const char *)s.data, (int)s.len)
			    : NULL;
	*ret_error = json_tokener_get_parse_end(t);
	json_tokener_free(t);
	return o;
}

/* What stands before the last comma, with the open brackets closed. */
static struct json_object *parse_cut(const struct scan *sc, size_t start,
				     const struct extent *x)
{
	struct buf b cleanup_buf = { 0 };
	size_t error;

	if (x->comma <= start || !x->depth)
		return NULL;
	buf_add(&b, sc->s.data + start, x->comma - start);
	for (size_t k = x->depth; k > 0; k--)
		buf_putc(&b, x->open[k - 1]);
	return buf_error(&b) < 0 ? NULL : parse(buf_span(&b), &error);
}

static size_t line_of(struct scan *sc, size_t offset)
{
	if (offset < sc->at)
		sc->line = sc->at = 0;
	for (; sc->at < offset; sc->at++)
		sc->line += sc->s.data[sc->at] == '\n';
	return sc->line;
}

static void say(struct scan *sc, size_t offset, const char *what)
{
	size_t line = line_of(sc, offset);

	diag_add(sc->im->diag, DIAG_WARNING, sc->im->text->file,
		 line < sc->im->text->n ? sc->im->text->lines[line].number : 0, "%s",
		 what);
}

static void claim(struct scan *sc, size_t start, size_t end)
{
	size_t first = line_of(sc, start), last = line_of(sc, end ? end - 1 : 0);

	for (size_t i = first; sc->claim && i <= last; i++)
		text_claim(sc->im->text, i, LINE_READ, "smartctl-json");
}

static int take(struct scan *sc, struct json_object *o, size_t start, size_t end)
{
	struct span text;
	size_t first = line_of(sc, start);
	int r;

	if (!smartctl_json_is_report(o) || !span_cut(sc->s, start, end - start, &text))
		return 0;
	r = smartctl_json_report(sc->im, o, text, first, 1);
	if (r == -E2BIG && !sc->left_out++)
		say(sc, start, "left out: too many reports");
	if (r < 0 && r != -E2BIG)
		return r;
	sc->reports += r == 1;
	claim(sc, start, end);
	return 1;
}

/* The object at START, when it is a report: 1 and its end; 0, or -E... */
static int try_object(struct scan *sc, size_t start, size_t *ret_end)
{
	struct extent x = find_end(sc, start, sc->s.len);
	struct json_object *o = NULL;
	struct span text;
	size_t error = 0;
	int r;

	if (x.closed && span_cut(sc->s, start, x.end - start, &text))
		o = parse(text, &error);
	if (x.closed && !o) {
		x = find_end(sc, start, start + error);
		x.closed = false;
	}
	if (!o)
		o = parse_cut(sc, start, &x);
	if (!o)
		return 0;
	r = take(sc, o, start, x.end);
	json_object_put(o);
	if (r == 1 && !x.closed)
		say(sc, x.end ? x.end - 1 : 0,
		    "this JSON is cut or damaged here: only what stands whole above was "
		    "taken");
	*ret_end = x.end;
	return r;
}

/* --- the text -------------------------------------------------------------------------------------- */

/* Members that stand first in a report, sorted or not; others only as beginnings. */
static bool is_first_key(struct span s, size_t at)
{
	static const char *const keys[] = {
		"\"json_format_version\"",
		"\"smartctl\"",
		"\"device\"",
		"\"ata_",
		"\"device_type\"",
		"\"devices\"",
		"\"endurance_used\"",
		"\"firmware_version\"",
		"\"form_factor\"",
		"\"in_smartctl_database\"",
		"\"local_time\"",
		"\"model_name\"",
		"\"model_family\"",
		"\"serial_number\"",
	};

	while (at < s.len && str_is_space((char)s.data[at]))
		at++;
	for (size_t k = 0; k < array_size(keys); k++) {
		size_t n = strlen(keys[k]);

		if (s.len - at >= n && memcmp(s.data + at, keys[k], n) == 0)
			return true;
	}
	return false;
}

static int scan_all(struct scan *sc)
{
	for (size_t i = 0; i < sc->s.len && sc->budget;) {
		const uint8_t *open = memchr(sc->s.data + i, '{', sc->s.len - i);
		size_t end = 0;
		int r;

		if (!open)
			break;
		i = (size_t)(open - sc->s.data);
		r = is_first_key(sc->s, i + 1) ? try_object(sc, i, &end) : 0;
		if (r < 0)
			return r;
		i = r == 1 && end > i ? end : i + 1;
	}
	return (int)sc->reports;
}

/* --- inside of a text ----------------------------------------------------------------------------- */

/* The lines again as one text, when there may be something in it. */
static bool join_lines(const struct text *t, struct buf *b)
{
	bool any = false;

	for (size_t i = 0; i < t->n && !any; i++)
		any = strstr(t->lines[i].s, "\"smartctl\"") ||
		      strstr(t->lines[i].s, "\"json_format_version\"") ||
		      strstr(t->lines[i].s, "\"device\"");
	for (size_t i = 0; any && i < t->n; i++) {
		/* what another importer has read is no JSON */
		if (t->lines[i].state == LINE_OPEN)
			buf_add(b, t->lines[i].s, t->lines[i].len);
		buf_putc(b, '\n');
	}
	return any;
}

static int json_read(struct import *im)
{
	struct buf all cleanup_buf = { 0 };
	struct scan sc = { .im = im, .budget = MAX_SCAN, .claim = true };

	int flat = smartctl_json_flat(im), r;

	if (flat < 0 || !join_lines(im->text, &all))
		return flat;
	if (buf_error(&all) < 0)
		return -ENOMEM;
	sc.s = buf_span(&all);
	r = scan_all(&sc);
	return r < 0 ? r : r + flat;
}

const struct importer importer_smartctl_json = {
	.name = "smartctl-json",
	.describe = "JSON of smartctl 7.0 to 8.0, one report or many",
	.read = json_read,
};

/* --- a whole file ---------------------------------------------------------------------------------- */

/*
 * A file that is JSON and nothing else may have lines longer than those of a text, up to all in one;
 * so it is read as it is. What is mixed with other things is left to the importers of text.
 */
static bool is_file(struct span s)
{
	static const char mark[] = "\"smartctl\"", other[] = "\"json_format_version\"";
	size_t first = 0, last = s.len;

	while (first < s.len && str_is_space((char)s.data[first]))
		first++;
	while (last > first && str_is_space((char)s.data[last - 1]))
		last--;
	if (first == last || s.len > TEXT_MAX_BYTES ||
	    memchr(s.data, '\0', s.len) != NULL)
		return false;
	return (s.data[first] == '{' || s.data[first] == '[') &&
	       (s.data[last - 1] == '}' || s.data[last - 1] == ']') &&
	       (memmem(s.data, s.len, mark, strlen(mark)) ||
		memmem(s.data, s.len, other, strlen(other)));
}

/* Only brackets, commas and blanks between the reports; hard spaces are for the text's cleaner. */
static bool is_only_json(struct span s)
{
	long depth = 0;
	bool string = false;

	for (size_t i = 0; i < s.len; i++) {
		char c = (char)s.data[i];

		if (string) {
			i += c == '\\';
			string = c != '"';
		} else if (c == '"') {
			string = true;
		} else if (c == '{' || c == '[') {
			depth++;
		} else if (c == '}' || c == ']') {
			depth--;
		} else if ((s.data[i] & 0x80) ||
			   (!depth && !str_is_space(c) && c != ',')) {
			return false;
		}
	}
	return !depth && !string;
}

static bool json_is_file(struct span s)
{
	return is_file(s) && is_only_json(s);
}

static int json_read_file(struct span s, const char *file, struct capture *c,
			  struct diag *d)
{
	struct text text = { .file = file };
	struct import im = { .capture = c, .diag = d, .text = &text };
	struct scan sc = { .im = &im, .s = s, .budget = MAX_SCAN };
	int r;

	for (size_t i = 0; i < s.len; i++)
		text.cap += s.data[i] == '\n';
	text.lines = arena_alloc(&text.arena, (text.cap + 1) * sizeof(*text.lines));
	if (!text.lines)
		return -ENOMEM;
	for (; text.n <= text.cap; text.n++)
		text.lines[text.n] =
			(struct text_line){ .s = "", .number = (uint32_t)text.n + 1 };
	r = scan_all(&sc);
	text_done(&text);
	if (r != 0)
		return r < 0 ? r : 0;
	diag_add(d, DIAG_ERROR, file, 0, "JSON of smartctl, but no report in it");
	return -ENOMSG;
}

const struct binary_importer importer_smartctl_json_file = {
	.name = "smartctl-json-file",
	.describe = "a file of JSON of smartctl and nothing else",
	.is = json_is_file,
	.read = json_read_file,
};
