/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside judge/: what a rule gets, and the few ways in which it may answer. */
#pragma once

#include "model/report.h"

struct judge {
	const struct case_file *the_case;
	const struct drive *d;
	struct drive_report *r;
	struct report *report;
	bool one_file; /* all reports stand in one file: its name need not be repeated */
	int error;     /* -ENOMEM sticks; findings made after it are dropped */
	struct finding dropped;
	uint32_t latest[FACT_COUNT];	  /* newest snapshot that has this quantity */
	const struct kernel_view *kernel; /* of this drive; NULL: not looked yet */
};

/* A family of causes is a file, a rule a row: see rules[] in judge.c. */
struct rule {
	enum code code;
	enum rule_answer (*run)(struct judge *j);
	const char *source; /* standard, thread, measurement it rests on */
};

/*
 * Add a finding; the returned one stays valid until the next is added. Never NULL: when memory
 * is out it is judge.dropped, and judge.error is set.
 */
struct finding *judge_found(struct judge *j, enum code code, enum severity severity,
			    enum confidence confidence, const char *format, ...)
	printf_like(5, 6);

/* A text in the report's arena; "" when memory is out. */
const char *judge_text(struct judge *j, const char *format, ...) printf_like(2, 3);

/* FACT gives source and clock; NULL for what follows from several or none. */
void judge_for(struct judge *j, struct finding *f, enum side side,
	       const struct fact *fact, const char *format, ...) printf_like(5, 6);
void judge_against(struct judge *j, struct finding *f, enum side side,
		   const struct fact *fact, const char *format, ...) printf_like(5, 6);
void judge_next(struct judge *j, struct finding *f, const char *format, ...)
	printf_like(3, 4);
void judge_ignore(struct judge *j, const char *what, const char *why);
void judge_list(struct judge *j, struct text_list *list, const char *text);

/* "line 87", "report.txt:87", "log 11h byte 8" */
const char *judge_source(struct judge *j, const struct fact *fact);
/* N with its digits grouped. */
const char *judge_number(struct judge *j, uint64_t n);
/* "1 sector", "4,739 sectors": N and the words for one, or for more and none. */
const char *judge_count(struct judge *j, uint64_t n, const char *one, const char *more);
/* "attribute 199", "device statistics 06h/018h", "SCT status": who told a quantity. */
const char *judge_teller(struct judge *j, const struct fact *fact);
/* Device as the user should type it: /dev/sda, or /dev/sdX, /dev/nvmeX when unknown. */
const char *judge_device(struct judge *j);

bool judge_is_ssd(const struct judge *j); /* said to be one */
bool judge_is_rotating(const struct judge *j);
/* The report printed this section (FACT_POSTED_SECTION), or facts of it are there. */
bool judge_has_section(const struct judge *j, const char *name);
/* Of the newest snapshot that tells this quantity at all (a later one may hold other things). */
bool judge_is_current(const struct judge *j, const struct fact *fact);
/* Hours between an entry of a 16-bit log and now; false when it cannot be told. */
bool judge_age_hours(const struct judge *j, uint64_t stamp, uint64_t *ret);

/* --- the link --- */
void phy_judge(struct judge *j); /* fills j->r->phy; run before all rules */
const struct phy_counter *phy_find(const struct judge *j, uint32_t id);
bool phy_is_usable(const struct phy_counter *c);
/* Value of a usable counter; false when absent or not usable. */
bool phy_value(const struct judge *j, uint32_t id, uint64_t *ret);
/* Largest lifetime CRC count that any source tells, with that source; NULL when none tells. */
const struct fact *link_crc_errors(const struct judge *j);
/* 001 = 0 since power-on and no CRC error ever: adds it as evidence for or against. */
bool link_is_clean(const struct judge *j);
void link_add_clean(struct judge *j, struct finding *f, bool against);
/* The same fact where nothing is slow and no cable is in question. */
void link_add_silent(struct judge *j, struct finding *f);

/* --- how much there was to look at --- */
void coverage_judge(struct judge *j);
void not_tested_judge(struct judge *j);

void judge_note_latest(struct judge *j); /* fills latest[]; first of all */

extern const struct rule rules_link[], rules_media[], rules_drive[];
