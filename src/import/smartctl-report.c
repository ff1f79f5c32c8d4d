/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One report while it is read: its lines, its facts, its begin and end. */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/smartctl.h"

const char *smart_line(const struct smart *s, size_t i)
{
	return i < s->text->n ? s->text->lines[i].s : "";
}

bool smart_is_cut(const struct smart *s, size_t i)
{
	return i < s->text->n && (s->text->lines[i].cut || s->text->lines[i].too_long);
}

const char *smart_join(struct smart *s, size_t i, size_t n)
{
	buf_clear(&s->join);
	for (size_t k = 0; k < n; k++) {
		if (k)
			buf_putc(&s->join, ' ');
		buf_puts(&s->join, smart_line(s, i + k));
	}
	return buf_text(&s->join);
}

const char *smart_glue(struct smart *s, size_t i, size_t n)
{
	(void)smart_join(s, i, n - 1);
	buf_puts(&s->join, smart_line(s, i + n - 1));
	return buf_text(&s->join);
}

size_t smart_claim(struct smart *s, size_t i, size_t n, enum line_state state)
{
	for (size_t k = 0; k < n; k++)
		text_claim(s->text, i + k, state, s->section ? s->section->name : NULL);
	return n;
}

bool smart_bit(uint32_t *bits, uint32_t i)
{
	uint32_t bit = 1u << i % 32;
	bool is_new = !(bits[i / 32] & bit);

	bits[i / 32] |= bit;
	return is_new;
}

bool smart_has_bit(const uint32_t *bits, uint64_t i)
{
	return bits[i / 32] & 1u << i % 32;
}

bool smart_once(struct smart *s, enum fact_id id)
{
	return smart_bit(s->once, (uint32_t)id);
}

void smart_u64(struct smart *s, enum fact_id id, uint64_t value, size_t line)
{
	if (smart_once(s, id))
		emit_u64(&s->e, id, 0, 0, value, line);
}

void smart_s64(struct smart *s, enum fact_id id, int64_t value, size_t line)
{
	if (smart_once(s, id))
		emit_s64(&s->e, id, 0, 0, value, line);
}

void smart_flag(struct smart *s, enum fact_id id, bool value, size_t line)
{
	if (smart_once(s, id))
		emit_flag(&s->e, id, 0, value, line);
}

void smart_text(struct smart *s, enum fact_id id, const char *value, size_t line)
{
	smart_text_len(s, id, value, strlen(value), line);
}

void smart_text_len(struct smart *s, enum fact_id id, const char *value, size_t len,
		    size_t line)
{
	struct buf text = { 0 };

	buf_add(&text, value, len);
	smart_squeeze(&text);
	if (text.len && smart_once(s, id))
		emit_text(&s->e, id, 0, 0, buf_text(&text), line);
	buf_done(&text);
}

void smart_squeeze(struct buf *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->len; i++)
		if (b->data[i] != ' ' || (n && b->data[n - 1] != ' '))
			b->data[n++] = b->data[i];
	while (n && b->data[n - 1] == ' ')
		n--;
	if (b->data)
		b->data[n] = '\0';
	b->len = n;
}

void smart_emit_words(struct smart *s, enum fact_id id, uint32_t key, const char *text,
		      size_t len, size_t i)
{
	struct buf b = { 0 };

	buf_add(&b, text, len);
	smart_squeeze(&b);
	if (b.len)
		emit_text(&s->e, id, key, 0, buf_text(&b), i);
	buf_done(&b);
}

bool smart_is_prose(const struct smart *s, size_t i)
{
	struct buf single = { 0 };
	bool known;

	if (!s->section || !s->section->prose)
		return false;
	buf_puts(&single, smart_line(s, i));
	smart_squeeze(&single);
	known = strstr(s->section->prose, buf_text(&single)) != NULL;
	buf_done(&single);
	return known;
}

size_t smart_warning(struct smart *s, size_t i)
{
	bool block = str_starts(smart_line(s, i), "==> WARNING");
	size_t n = 1;

	/* advice about a drive ends at a blank line */
	while (block && n < 16 && *smart_line(s, i + n) &&
	       !smart_is_head(smart_line(s, i + n)))
		n++;
	/* a sentence goes on in small letters, or in the brackets of what went wrong */
	while (!block && n < 8 && !smart_is_fresh(s, i + n) &&
	       ((*smart_line(s, i + n) >= 'a' && *smart_line(s, i + n) <= 'z') ||
		*smart_line(s, i + n) == '['))
		n++;
	emit_text(&s->e, FACT_POSTED_WARNING, s->warnings++, 0, smart_join(s, i, n), i);
	return smart_claim(s, i, n, LINE_READ);
}

/* --- reports ------------------------------------------------------------------------------- */

static void clear_report(struct smart *s)
{
	struct smart clear = {
		.im = s->im,
		.text = s->text,
		.e = { .im = s->im },
		.join = s->join,
		.first = s->first,
		.reports = s->reports,
		.left_out = s->left_out,
		.error = s->error,
	};

	*s = clear;
}

static void say(struct smart *s, enum diag_severity severity, const char *what)
{
	diag_add(s->im->diag, severity, s->text->file, s->text->lines[s->start].number,
		 "%s", what);
}

void smart_end_report(struct smart *s)
{
	int r = 0;

	if (s->e.n > s->echoed) {
		r = emit_done(&s->e, CAP_DRIVE, "facts/smartctl");
		if (r == 0)
			r = smart_add_pages(s);
		s->reports += r == 0;
	} else if (s->stage == STAGE_BANNER) {
		say(s, DIAG_NOTE, "smartctl began here, but no report of it follows");
	}
	if (r == -E2BIG && !s->left_out++)
		say(s, DIAG_WARNING,
		    "left out: too many facts in one report, or too many reports");
	else if (r < 0 && r != -E2BIG)
		s->error = r;
	buf_done(&s->e.body);
	clear_report(s);
}

/* A row without its heading keeps the section it is tried in. */
void smart_begin_report(struct smart *s, size_t i)
{
	const struct smart_section *section = s->headless ? s->section : NULL;
	bool headless = s->headless;

	smart_end_report(s);
	s->start = i;
	s->section = section;
	s->headless = headless;
}

void smart_post(struct smart *s, const char *name, size_t i)
{
	for (uint32_t k = 0; k < s->sections; k++)
		if (str_equal(s->posted[k], name))
			return;
	s->posted[s->sections] = name;
	emit_text(&s->e, FACT_POSTED_SECTION, s->sections++, 0, name, i);
}

void smart_enter(struct smart *s, const struct smart_section *section, size_t i)
{
	if (s->rows[section->part])
		smart_begin_report(s, i);
	smart_post(s, section->name, i);
	s->section = section;
	s->section_end = i;
	if (section->part != PART_IDENTITY)
		s->stage = STAGE_DATA;
}
