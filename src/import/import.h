/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading what other people posted. A format is one file and one row in importers[]; it makes the
 * same captures as a live run: bytes become ata/... items, cooked values facts/... items, so that
 * nobody forges a page. All importers look at the same text in turn and claim their lines.
 */
#pragma once

#include "base/buf.h"
#include "base/diag.h"
#include "base/span.h"
#include "capture/capture.h"
#include "import/text.h"
#include "model/fact.h"

struct import {
	struct capture *capture;
	struct diag *diag;
	struct text *text;
};

struct importer {
	const char *name;     /* "smartctl-text" */
	const char *describe; /* for the list in the manual */
	/* Read what it knows from the text; returns reports or runs found, or -E... */
	int (*read)(struct import *im);
};

extern const struct importer *const importers[]; /* NULL-terminated, in order */

/* Figures of one import, for tests and for the messages. */
struct import_stats {
	size_t reports; /* over all importers */
	size_t lines, read, known, damaged, unknown, open;
};

/*
 * Recognise and read one file's bytes (a posted text; capture files are capture/file.h's), adding
 * subjects to the capture. Returns 0; -ENOMSG when nothing in it was recognised; -EBADMSG, -ENODATA,
 * -E2BIG as text_read(); -ENOMEM. Lines not understood are reported in DIAG by section.
 */
int import_read(struct span s, const char *file, struct capture *c, struct diag *d,
		struct import_stats *ret_stats) must_check;

/*
 * The same for one page of a drive that the user names by its item ("ata/log/11/00"), raw or as
 * lines of hex. -EINVAL for an item that is no page; -EBADMSG when no whole page is in it.
 */
int import_page(struct span s, const char *file, const char *id, struct capture *c,
		struct diag *d) must_check;

/*
 * Collects the facts of one report and writes them as one item: emit_...() for each value with the
 * line it stood in (index into text->lines), then emit_done() adds a subject (or uses the host's)
 * with one snapshot role=import and the item, or nothing when no fact was emitted.
 */
struct emit {
	struct import *im;
	struct buf body;
	size_t n;
};

void emit_u64(struct emit *e, enum fact_id id, uint32_t i, uint32_t j, uint64_t value,
	      size_t line);
void emit_s64(struct emit *e, enum fact_id id, uint32_t i, uint32_t j, int64_t value,
	      size_t line);
void emit_text(struct emit *e, enum fact_id id, uint32_t i, uint32_t j, const char *value,
	       size_t line);
void emit_flag(struct emit *e, enum fact_id id, uint32_t i, bool value, size_t line);
/* Returns 0, -ENOMEM, -E2BIG; frees the body. */
int emit_done(struct emit *e, enum cap_kind kind, const char *item_id) must_check;
