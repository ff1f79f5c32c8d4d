/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside history/ only: one drive while its changes are told. */
#pragma once

#include "history/changes.h"
#include "history/sql.h"

struct past_findings;

struct teller {
	struct history *h;
	struct arena *arena; /* the report's */
	const struct check_rules *rules;
	const struct check_input *in;
	struct check_report *report;
	struct check_drive *drive; /* its row */
	size_t index;
	enum kept_family grew[5]; /* counts that rose since the last check */
	size_t n_grew;
	const struct past_findings *past;
};

/* Put a change into the report and the history. SUBJECT 0: the host. */
void changes_add(struct history *h, struct check_report *r, struct change change,
		 int64_t subject);

/* Findings that came, went, or got worse; fills the row's list and its severity. */
void findings_compare(struct teller *t);
