/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines for a terminal: paragraphs wrapped at word boundaries with a hanging indent, optional
 * colour, everything hostile escaped. A paragraph is begun, filled with pieces, and ended.
 */
#pragma once

#include <stdint.h>

#include "render/render.h"

enum style {
	STYLE_PLAIN,
	STYLE_BOLD,
	STYLE_DIM,
	STYLE_STRUCK,
	STYLE_GOOD,
	STYLE_NOTE,
	STYLE_WARNING,
	STYLE_CRITICAL
};

struct sheet {
	struct buf *out;
	struct buf line; /* the paragraph so far; may hold our own SGR sequences */
	unsigned columns;
	unsigned hang; /* columns that all lines but the first are indented by */
	bool colour;
	const char *file; /* named above this part: places in it need no name, or NULL */
};

/* Labels stand in a column of their own: two spaces, the label, and the text from here on. */
#define SHEET_HANG 13u
/* A space where no line is broken: it keeps two words of ours together. */
#define SHEET_GLUE "\x01"
/* No string of a drive or a file is worth more than this on a screen. */
#define SHEET_TEXT_MAX 2000u

void sheet_init(struct sheet *s, const struct render_options *o, struct buf *out);
void sheet_done(struct sheet *s);

/* Begin a paragraph: INDENT spaces, further lines HANG spaces. */
void sheet_begin(struct sheet *s, unsigned indent, unsigned hang);
/* Begin one with a label in the first column; LABEL "" continues the part above. */
void sheet_label(struct sheet *s, const char *label);
/* Pieces. sheet_text() escapes and may be given anything; sheet_raw() is for our own words. */
void sheet_text(struct sheet *s, enum style style, const char *text);
void sheet_raw(struct sheet *s, enum style style, const char *format, ...)
	printf_like(3, 4);
void sheet_spaces(struct sheet *s, size_t n);
/* A helper buffer whose text went into the paragraph: when it failed, so did the sheet. */
void sheet_check(struct sheet *s, const struct buf *helper);
/* Wrap what was gathered and write it with its newline. */
void sheet_end(struct sheet *s);
/* Write it on one line, cut with "..." when it is too long. */
void sheet_end_cut(struct sheet *s);
/* begin with label, text, end */
void sheet_item(struct sheet *s, const char *label, const char *text);
void sheet_gap(struct sheet *s); /* one empty line, never two */

/*
 * str_add_escaped() without doubled backslashes: what it makes cannot be read back, but a command
 * in the text can be copied from the screen.
 */
void sheet_add_safe(struct buf *b, const char *text, size_t max);
/* What stands behind the last slash of a path. */
const char *sheet_base_name(const char *path);
/* Columns that LEN bytes of escaped UTF-8 take on a terminal; SGR sequences take none. */
size_t sheet_width(const char *text, size_t len);
