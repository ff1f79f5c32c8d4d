/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Short words for building a report by hand. Each exits when memory is out. */
#pragma once

#include "report-fixture.h"

void *fx_need(void *p);
void fx_put(struct fixture *f, struct drive *d, struct fact fact);
void fx_u64_at(struct fixture *f, struct drive *d, enum fact_id id, uint32_t i,
	       uint32_t j, uint64_t u);
void fx_u64(struct fixture *f, struct drive *d, enum fact_id id, uint64_t u);
void fx_s64_at(struct fixture *f, struct drive *d, enum fact_id id, uint32_t i,
	       uint32_t j, int64_t s);
void fx_text_at(struct fixture *f, struct drive *d, enum fact_id id, uint32_t i,
		uint32_t j, const char *text);
void fx_text(struct fixture *f, struct drive *d, enum fact_id id, const char *value);
struct drive_report *fx_add_drive(struct fixture *f);
struct drive *fx_last_drive(struct fixture *f);
void fx_name_drive(struct fixture *f, const char *model, const char *firmware,
		   const char *serial, uint64_t bytes, uint64_t rpm, uint64_t hours);
struct finding *fx_add_finding(struct fixture *f, struct drive_report *d, enum code code,
			       enum severity severity, enum confidence confidence,
			       const char *headline);
void fx_add_evidence(struct fixture *f, struct evidence_list *list, const char *words,
		     const char *source, enum side side, enum fact_clock clock);
void fx_add_text(struct fixture *f, struct text_list *list, const char *words);
void fx_add_ignored(struct fixture *f, struct drive_report *d, const char *what,
		    const char *why);
struct phy_counter *fx_add_counter(struct fixture *f, struct phy_page *p,
				   struct phy_counter c);
void fx_add_untested(struct fixture *f, struct drive_report *d);
void fx_add_attribute(struct fixture *f, struct drive *d, uint32_t id, const char *name,
		      uint64_t value, uint64_t raw, const char *raw_text);

/* the fixtures of report-drives.c */
void build_media(struct fixture *f);
void build_link(struct fixture *f);
void build_host(struct fixture *f);
/* report-other.c */
void build_other(struct fixture *f);
