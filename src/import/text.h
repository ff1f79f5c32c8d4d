/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Posted text made readable: what mail, forums and terminals do to it (quoting, CR, tabs, hard
 * spaces, Latin-1, line numbers, prompts) is undone line by line, and each line keeps its number,
 * so that every fact can name the place it came from. A ledger says what became of each line.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/span.h"

/* What became of a line; an importer claims the lines it understood. */
enum line_state {
	LINE_OPEN, /* nobody has looked at it, or nobody knows it: prose so far */
	LINE_READ, /* understood, its content is in the capture */
	LINE_KNOWN, /* known to carry nothing: headings, legends, blank lines, fixed prose */
	LINE_DAMAGED, /* looks like a row of its section, but cannot be read: reported */
	LINE_UNKNOWN, /* inside a section and not understood: reported */
};

struct text_line {
	const char *s;	 /* cleaned, NUL-terminated, no trailing space */
	uint32_t len;	 /* bytes of s */
	uint32_t number; /* line of the file, 1-based */
	uint16_t indent; /* spaces cut from its start, tabs as up to 8 */
	uint8_t quote;	 /* depth of mail quoting */
	uint8_t state;	 /* enum line_state */
	bool cut;      /* the file ends here without newline: the last word may be cut */
	bool too_long; /* cut at TEXT_MAX_LINE bytes */
	const char
		*section; /* set with the state, for the list of lines not understood */
};

struct text {
	struct arena arena;
	const char *file; /* as the user named it */
	struct text_line *lines;
	size_t n, cap;
};

#define TEXT_MAX_BYTES (16u << 20)
#define TEXT_MAX_LINE  65536u

/*
 * Split and clean. 0; -EBADMSG when it is not text (NUL bytes, mostly control characters: the
 * message names file and byte); -ENODATA when it is empty; -E2BIG; -ENOMEM.
 */
int text_read(struct text *t, const char *file, struct span s, struct diag *d) must_check;
void text_claim(struct text *t, size_t index, enum line_state state, const char *section);
void text_done(struct text *t);
