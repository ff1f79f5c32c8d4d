/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text form of a capture, drivewhy-capture(5): mail-safe, reviewable, editable by hand. */
#pragma once

#include "base/buf.h"
#include "base/diag.h"
#include "capture/capture.h"

/* Whether a text starts like a capture file. */
bool capture_file_is(struct span text);

/*
 * Read a capture file and add it to a capture (zeroed, or with something in it: drives are then
 * numbered behind those already there, and the host is one). Two passes: all of it is validated
 * first, then taken; on an error nothing is taken, and the message names FILE and the line.
 * 0, -EBADMSG or -E2BIG (see D), -ENOMEM.
 */
int capture_file_read(struct span text, const char *file, struct diag *d,
		      struct capture *ret) must_check;

/* Append the canonical text. COMMENT (or NULL) becomes a # line. 0 or -ENOMEM. */
int capture_file_write(const struct capture *c, const char *comment,
		       struct buf *ret) must_check;
