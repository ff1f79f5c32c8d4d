/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A finished report: all that a renderer gets. Texts live in the report's arena. */
#pragma once

#include "base/diag.h"
#include "model/case.h"
#include "model/finding.h"

enum phy_trust {
	PHY_LIVE,      /* counts what its name says */
	PHY_CONSTANT,  /* never moves on this family */
	PHY_DOUBTFUL,  /* contradicts the other counters */
	PHY_SATURATED, /* at its end: at least this many */
	PHY_SWAPPED,   /* live, but this family means the other direction */
	PHY_VENDOR,    /* a maker's own counter, meaning unknown */
};

enum phy_direction {
	DIRECTION_NONE,
	DIRECTION_TO_HOST,
	DIRECTION_TO_DRIVE,
	DIRECTION_BOTH
};

/* One phy event counter, judged. */
struct phy_counter {
	uint32_t id;
	const char *name;
	enum phy_direction direction; /* after the swap, if any */
	enum phy_trust trust;
	uint64_t value, size_bytes;
	bool saturated;
	bool is_error; /* a rise means damage, if the counter is live */
	bool has_delta;
	int64_t delta;
	const struct fact *fact;
	const char *reason; /* why it is not live, or NULL */
};

struct phy_page {
	struct phy_counter *counters;
	size_t n, cap;
	bool has_trust;
	unsigned trust_percent; /* share of the standard counters that are usable */
	struct text_list reasons;
	bool swapped; /* 006 and 007 trade places on this family */
	const char *
		direction; /* the direction sentence, or NULL when nothing is to be said */
};

struct ignored {
	const char *what, *why;
};

/* What a rule said when it looked. Several rules of one code: the strongest answer. */
enum rule_answer {
	ANSWER_NOT_ASKED,
	ANSWER_NOT_FOR_IT,  /* means nothing for this kind of drive */
	ANSWER_CANNOT_TELL, /* the data it needs is not there */
	ANSWER_FINE,	    /* looked, nothing there */
	ANSWER_FOUND,	    /* at least one finding was added */
};

struct drive_report {
	const struct drive *drive;
	struct finding *findings; /* the verdict first, then what else was found */
	size_t n_findings, cap_findings;
	struct phy_page phy;
	struct ignored *ignored;
	size_t n_ignored, cap_ignored;
	struct text_list not_tested;
	struct text_list missing; /* what was not there to look at */
	unsigned coverage_percent;
	unsigned char
		answers[CODE_COUNT]; /* enum rule_answer of the rule for each code */
};

struct report {
	struct arena arena;
	const struct case_file *the_case;
	struct drive_report *drives;
	size_t n_drives, cap_drives;
	struct finding *host_findings;
	size_t n_host_findings, cap_host_findings;
};

const char *phy_trust_name(enum phy_trust trust);	      /* "live", ... */
const char *phy_direction_name(enum phy_direction direction); /* "drive->host", ..., "" */
void report_done(struct report *r);
/* The worst severity of all drives and the host: what the exit status is made of. */
enum severity report_worst(const struct report *r);
