/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The shape of smartmontools' drivedb.h: a C table without its frame. Each entry is five strings
 * in braces: family, expression for the model, one for the firmware, warning, presets. Strings
 * that follow each other are one; comments stand anywhere. smartctl(8), option -B.
 */
#pragma once

#include <stdbool.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/span.h"

enum smart_part {
	SMART_FAMILY,
	SMART_MODEL,
	SMART_FIRMWARE,
	SMART_WARNING,
	SMART_PRESETS,
	SMART_PARTS
};

#define SMART_MAX_BYTES	 (16u << 20)
#define SMART_MAX_STRING (64u << 10)
#define SMART_MAX_PIECES 1024u

/* Where a piece of the presets begins, in the string and in the file. */
struct smart_piece {
	size_t at;
	uint32_t line;
};

struct smart_reader {
	/* set these, zero the rest */
	struct span text;
	const char *file;
	struct diag *diag; /* NULL: no messages */
	/* of the entry that was read last */
	struct buf parts[SMART_PARTS];
	uint32_t line;
	struct smart_piece pieces[SMART_MAX_PIECES];
	size_t n_pieces;
	/* private */
	size_t pos;
	uint32_t now;
};

/*
 * Read the next entry. False at the end. An entry with a fault is left out, with a message that
 * names file and line.
 */
bool smart_read_entry(struct smart_reader *r);
/* The line on which the character at AT of the presets stands. */
uint32_t smart_line_at(const struct smart_reader *r, size_t at);
void smart_reader_done(struct smart_reader *r);
