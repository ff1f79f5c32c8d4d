/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the screen; text.c puts them together. Each writes nothing when it has nothing. */
#pragma once

#include "render/sheet.h"

/* How much of each list is shown; what is left out is counted on the screen. */
struct text_limits {
	bool summary;	 /* a line a drive */
	bool brief;	 /* one drive of many */
	bool explain;	 /* with everything: where each value stood */
	bool probe;	 /* only the reads of a probe were asked for */
	bool everything; /* also how what is missing could be collected, and tables */
	size_t evidence, against, also, next, counters, ignored, missing, reads, messages;
};

extern const struct text_limits text_screen, text_brief, text_all;

/* text-finding.c */
void text_verdict(struct sheet *s, const struct finding *f);
void text_reasons(struct sheet *s, const struct finding *f, const struct text_limits *l);
void text_others(struct sheet *s, const struct finding *f, size_t n,
		 const struct text_limits *l);
void text_next(struct sheet *s, const struct finding *f, const struct text_limits *l);
enum style text_severity_style(enum severity severity);
const char *
text_severity_mark(enum severity severity); /* five columns, no colour needed */
/* "... and N more" under a list of N that showed MAX */
void text_rest(struct sheet *s, size_t n, size_t max);

/* text-drive.c */
void text_identity(struct sheet *s, const struct drive *d);
void text_vitals(struct sheet *s, const struct drive *d);
void text_reads(struct sheet *s, const struct drive *d, const struct text_limits *l);
/* text-probe.c: the same of our own probe; a head and an answer when that is all there is. */
bool text_is_probe(const struct drive *d, uint32_t run);
void text_probe(struct sheet *s, const struct drive *d);
void text_probe_head(struct sheet *s, const struct drive *d);
void text_probe_fine(struct sheet *s, const struct drive *d);
/* BEFORE is the drive shown before, or NULL: what is the same there is not repeated. */
void text_coverage(struct sheet *s, const struct drive_report *d,
		   const struct text_limits *l, const struct drive_report *before);

/* text-events.c: what the kernel log says of a drive, or of the host */
/* Whether text_events() writes anything. */
bool text_has_events(const struct drive *d);
void text_events(struct sheet *s, const struct drive *d, const struct text_limits *l);

/* text-host.c */
/* Whether text_host() writes anything of a host without findings. */
bool text_host_says(const struct drive *host);
/* JUDGED: the findings name the stalls already */
void text_host(struct sheet *s, const struct drive *host, const struct text_limits *l,
	       bool judged);

/* text-path.c: how a drive without a SATA port is attached */
void text_path(struct sheet *s, const struct drive *d);

/* text-phy.c: the speed of the link and its error counters */
void text_link(struct sheet *s, const struct drive *d, const struct phy_page *p,
	       const struct text_limits *l);

/* text-show.c: everything, as tables; EXPLAIN: and where each value stood */
void text_show(struct sheet *s, const struct drive_report *r, bool explain);
