/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside capture/ only: lines, words and errors of the capture file. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/attrs.h"
#include "base/buf.h"
#include "base/diag.h"
#include "capture/capture.h"

#define READER_MAX_LINE	 65536u /* bytes, without newline */
#define READER_HEX_BYTES 16u	/* of one line of a body */

/* A borrowed run of text, not NUL-terminated. */
struct word {
	const char *s;
	size_t len;
};

struct reader {
	/* input */
	struct span text;
	const char *file;
	struct diag *diag;
	struct capture *capture; /* NULL in the first pass, which only validates */

	/* the line at hand: without spaces at both ends, never empty, never a comment */
	size_t next; /* where the line behind it begins */
	uint64_t line_number;
	struct word line;
	bool cut; /* it ends with the file, not with a newline */

	/* what stands so far, counted in both passes */
	struct {
		size_t subjects, snapshots, items, bytes;
		uint32_t drive,
			drives_before; /* last drive's number; those there before */
		size_t snapshots_here;
		bool host, subject;
	} seen;
	struct cap_subject *subject; /* second pass */
	struct cap_snapshot *snapshot;
	struct buf body, word; /* scratch */
};

/* Go to the next line: 1, or 0 at the end of the file, or -EBADMSG, -E2BIG. */
int reader_next(struct reader *r) must_check;
/* Cut the next word off the front of REST: false when there is none. */
bool reader_take_word(struct word *rest, struct word *ret);
/* The next word, or an empty one. */
struct word reader_next_word(struct word *rest);
bool reader_word_is(struct word w, const char *text);
/* Decimal digits, at most 18 of them: 0 or -EINVAL. */
int word_to_number(struct word w, uint64_t *ret) must_check;
/* Split NAME=VALUE: false when it is none. */
bool word_split(struct word w, struct word *ret_name, struct word *ret_value);
/* Undo the escapes of W into r->word, which is overwritten. 0, or as reader_fail(). */
int reader_unescape(struct reader *r, struct word w) must_check;

/*
 * Report what was expected and what stands there instead (up to 24 bytes of it), at the line at
 * hand; returns -EBADMSG. A line that the file's end cuts is reported as a cut file.
 */
int reader_expected(struct reader *r, struct word got, const char *format, ...) must_check
	printf_like(3, 4);
/* The same without "got". */
int reader_fail(struct reader *r, const char *format, ...) must_check printf_like(2, 3);
/* Report a limit that is passed; returns -E2BIG. */
int reader_too_much(struct reader *r, const char *format, ...) must_check
	printf_like(2, 3);
int reader_cut(struct reader *r) must_check;

/*
 * Read the lines of a body, beginning with the line at hand, into r->body, up to the first line
 * that belongs to no body. Returns as reader_next().
 */
int reader_take_body(struct reader *r) must_check;
/* Whether the line looks like one of a body. */
bool reader_is_body(struct word line);
/* Read an item; REST is its line behind the keyword. Returns as reader_next(). */
int reader_take_item(struct reader *r, struct word rest) must_check;
