/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the judge says: a cause, how sure, what speaks for and against it, what to do next. */
#pragma once

#include <stddef.h>

#include "model/fact.h"

enum code {
#define CODE(id, severity, title) CODE_##id,
#include "model/codes.def"
#undef CODE
	CODE_COUNT
};

/* Order is by what a person must hear first. */
enum severity {
	SEVERITY_OK,
	SEVERITY_NOTE,
	SEVERITY_UNKNOWN,
	SEVERITY_WARNING,
	SEVERITY_CRITICAL
};

enum confidence {
	CONFIDENCE_CANNOT_TELL,
	CONFIDENCE_WEAK, /* a rival explains it as well, or only lifetime evidence */
	CONFIDENCE_MODERATE, /* best explanation of current evidence, a named test would settle it */
	CONFIDENCE_STRONG, /* drive and host agree, one of them now; or a direct test decided */
	CONFIDENCE_CERTAIN, /* the drive itself says so */
};

/* Two sources means one of each side: counters of one side only confirm each other. */
enum side { SIDE_NONE, SIDE_DRIVE, SIDE_HOST, SIDE_DATABASE, SIDE_MEASURED };

struct evidence {
	const char *text;
	const char
		*source; /* "posted text, line 87", "log 11h", "database ssd.hwdb:12" */
	enum side side;
	enum fact_clock clock;
};

struct evidence_list {
	struct evidence *items;
	size_t n, cap;
};

struct text_list {
	const char **items;
	size_t n, cap;
};

struct finding {
	enum code code;
	enum severity severity;
	enum confidence confidence;
	const char *headline; /* one sentence for this drive */
	const char *where;    /* where the delay or damage sits, or NULL */
	enum confidence where_confidence;
	struct evidence_list evidence, against;
	struct text_list next; /* steps a person can take, the cheapest first */
	bool runner_up;	       /* named only as the rival of the verdict */
};

const char *code_name(enum code code); /* "L01" */
const char *code_title(enum code code);
enum severity code_severity(enum code code); /* the least it is printed with */
/* What drivewhy-findings(7) says of it: paragraphs with an empty line between them. */
const char *code_text(enum code code);
/* The Nth other name of a code, or NULL. */
const char *code_alias(enum code code, size_t n);
int code_from_name(const char *name, enum code *ret) must_check; /* 0 or -EINVAL */
const char *severity_name(enum severity severity);
const char *confidence_name(enum confidence confidence);
const char *side_name(enum side side);
