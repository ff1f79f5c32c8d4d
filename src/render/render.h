/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The only room that writes results. A format is one file and one row in renderers[]. */
#pragma once

#include "base/buf.h"
#include "base/diag.h"
#include "model/report.h"

struct render_options {
	bool colour;	  /* ANSI colours (text only) */
	unsigned columns; /* width of the screen, 80 when unknown */
	bool verbose;	  /* everything the drive said, not one screen */
	bool summary;	  /* text: a line a drive, and what is to be said of the host */
	bool probe;	  /* text: the reads of a probe were asked for, no diagnosis */
	bool explain;	  /* with each value where it came from (text, verbose) */
};

struct renderer {
	const char *name; /* "text", "json", "markdown" */
	const char *describe;
	/* Append the whole output. 0 or -ENOMEM. Nothing hostile leaves it unescaped. */
	int (*write)(const struct report *r, const struct diag *d,
		     const struct render_options *o, struct buf *ret);
};

extern const struct renderer *const renderers[]; /* NULL-terminated */
const struct renderer *render_find(const char *name);
