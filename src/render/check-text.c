/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Only what changed, drive by drive. What an earlier run could not tell comes first, with its time. */
#include "base/str.h"
#include "base/words.h"
#include "render/check.h"
#include "render/sheet.h"

static enum style style_of(const struct change *c)
{
	switch (c->severity) {
	case SEVERITY_OK:
		return STYLE_GOOD;
	case SEVERITY_NOTE:
		return STYLE_NOTE;
	case SEVERITY_UNKNOWN:
	case SEVERITY_WARNING:
		return STYLE_WARNING;
	case SEVERITY_CRITICAL:
		return STYLE_CRITICAL;
	}
	return STYLE_PLAIN;
}

/* The same word for people without colour. */
static const char *word_of(const struct change *c)
{
	switch (c->severity) {
	case SEVERITY_OK:
		return "ok";
	case SEVERITY_NOTE:
		return "note";
	case SEVERITY_UNKNOWN:
		return "unknown";
	case SEVERITY_WARNING:
		return "WARNING";
	case SEVERITY_CRITICAL:
		return "CRITICAL";
	}
	return "";
}

static void write_change(struct sheet *s, const struct check_report *r,
			 const struct change *c)
{
	sheet_begin(s, c->head ? 2 : 0, c->head ? 4 : 2);
	sheet_raw(s, style_of(c), "%s", word_of(c));
	if (c->has_code)
		sheet_raw(s, STYLE_PLAIN, " %s", code_name(c->code));
	sheet_raw(s, STYLE_PLAIN, ": ");
	sheet_text(s, STYLE_PLAIN, c->text);
	if (c->at != r->at) {
		struct buf when cleanup_buf = { 0 };

		words_add_when(&when, c->at, r->at);
		sheet_raw(s, STYLE_DIM, " (seen %s, not told then)", buf_text(&when));
		sheet_check(s, &when);
	}
	sheet_end(s);
}

int render_check_text(const struct check_report *r, const struct render_options *o,
		      struct buf *ret)
{
	const char *head = NULL;
	struct sheet s;

	sheet_init(&s, o, ret);
	for (size_t i = 0; i < r->changes.n; i++) {
		const struct change *c = &r->changes.items[i];

		if (c->head && !str_equal(c->head, head)) {
			sheet_begin(&s, 0, 2);
			sheet_text(&s, STYLE_BOLD, c->head);
			sheet_end(&s);
		}
		head = c->head;
		write_change(&s, r, c);
	}
	if (!r->stored && r->changes.n) {
		sheet_begin(&s, 0, 2);
		sheet_raw(&s, STYLE_DIM,
			  "Nothing of this could be stored: the next run will say it "
			  "again.");
		sheet_end(&s);
	}
	sheet_done(&s);
	return buf_error(ret);
}
