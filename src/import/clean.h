/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Undoing what terminals, mail programs and forums do to the characters of a line. */
#pragma once

#include "base/buf.h"
#include "base/span.h"
#include "import/text.h"

/* PowerShell's ">" writes UTF-16 with a byte order mark. */
bool clean_is_utf16(struct span s);
void clean_utf16(struct buf *b, struct span s);

/* Append the cleaned text of RAW, set indent and quote of RET. */
void clean_line(struct buf *b, struct span raw, struct text_line *ret);

/* Drop what stands before every line of a run of lines: "| " and line numbers. */
void clean_prefixes(struct text_line *lines, size_t n);
