/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report-build.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/attrs.h"

void *fx_need(void *p)
{
	if (!p) {
		(void)fputs("fixture: out of memory or not found\n", stderr);
		exit(99);
	}
	return p;
}

void fx_put(struct fixture *f, struct drive *d, struct fact fact)
{
	if (drive_add_fact(&f->the_case, d, fact) < 0)
		fx_need(NULL);
}

void fx_u64_at(struct fixture *f, struct drive *d, enum fact_id id, uint32_t i,
	       uint32_t j, uint64_t u)
{
	fx_put(f, d,
	       (struct fact){ .key = { id, i, j },
			      .u = u,
			      .trust = TRUST_TEXT,
			      .origin = { .item = "facts/smartctl",
					  .file = "report.txt",
					  .line = 40 + i } });
}

void fx_u64(struct fixture *f, struct drive *d, enum fact_id id, uint64_t u)
{
	fx_u64_at(f, d, id, 0, 0, u);
}

void fx_s64_at(struct fixture *f, struct drive *d, enum fact_id id, uint32_t i,
	       uint32_t j, int64_t s)
{
	fx_put(f, d, (struct fact){ .key = { id, i, j }, .s = s, .trust = TRUST_TEXT });
}

void fx_text_at(struct fixture *f, struct drive *d, enum fact_id id, uint32_t i,
		uint32_t j, const char *text)
{
	fx_put(f, d,
	       (struct fact){ .key = { id, i, j }, .text = text, .trust = TRUST_TEXT });
}

void fx_text(struct fixture *f, struct drive *d, enum fact_id id, const char *value)
{
	fx_text_at(f, d, id, 0, 0, value);
}

struct drive_report *fx_add_drive(struct fixture *f)
{
	struct report *r = &f->report;
	struct drive_report *d;
	uint32_t snapshot;

	d = fx_need(arena_push(&r->arena, &r->drives, &r->n_drives, &r->cap_drives,
			       sizeof(*d)));
	d->drive = fx_need(case_add_drive(&f->the_case));
	if (drive_add_snapshot(&f->the_case, f->the_case.drives[r->n_drives - 1],
			       (struct snapshot){ .role = ROLE_IMPORT,
						  .file = "report.txt",
						  .line = 1 },
			       &snapshot) < 0)
		fx_need(NULL);
	return d;
}

/* Drives are const in a report; the fixture still fills them. */
struct drive *fx_last_drive(struct fixture *f)
{
	return f->the_case.drives[f->the_case.n_drives - 1];
}

void fx_name_drive(struct fixture *f, const char *model, const char *firmware,
		   const char *serial, uint64_t bytes, uint64_t rpm, uint64_t hours)
{
	struct drive *d = fx_last_drive(f);

	fx_text(f, d, FACT_MODEL, model);
	fx_text(f, d, FACT_FIRMWARE, firmware);
	fx_text(f, d, FACT_SERIAL, serial);
	fx_text(f, d, FACT_WWN, "5 000000 012345678");
	fx_u64(f, d, FACT_CAPACITY, bytes);
	fx_u64(f, d, FACT_ROTATION, rpm);
	fx_u64(f, d, FACT_POWER_ON_HOURS, hours);
	fx_text(f, d, FACT_BUS, "sata");
}

struct finding *fx_add_finding(struct fixture *f, struct drive_report *d, enum code code,
			       enum severity severity, enum confidence confidence,
			       const char *headline)
{
	struct report *r = &f->report;
	struct finding *one =
		d ? arena_push(&r->arena, &d->findings, &d->n_findings, &d->cap_findings,
			       sizeof(*one))
		  : arena_push(&r->arena, &r->host_findings, &r->n_host_findings,
			       &r->cap_host_findings, sizeof(*one));

	fx_need(one);
	one->code = code;
	one->severity = severity;
	one->confidence = confidence;
	one->headline = headline;
	return one;
}

void fx_add_evidence(struct fixture *f, struct evidence_list *list, const char *words,
		     const char *source, enum side side, enum fact_clock clock)
{
	struct evidence *e = fx_need(arena_push(&f->report.arena, &list->items, &list->n,
						&list->cap, sizeof(*e)));

	*e = (struct evidence){ words, source, side, clock };
}

void fx_add_text(struct fixture *f, struct text_list *list, const char *words)
{
	const char **slot = fx_need(arena_push(&f->report.arena, &list->items, &list->n,
					       &list->cap, sizeof(*slot)));

	*slot = words;
}

void fx_add_ignored(struct fixture *f, struct drive_report *d, const char *what,
		    const char *why)
{
	struct ignored *i =
		fx_need(arena_push(&f->report.arena, &d->ignored, &d->n_ignored,
				   &d->cap_ignored, sizeof(*i)));

	*i = (struct ignored){ what, why };
}

struct phy_counter *fx_add_counter(struct fixture *f, struct phy_page *p,
				   struct phy_counter c)
{
	struct phy_counter *slot = fx_need(arena_push(&f->report.arena, &p->counters,
						      &p->n, &p->cap, sizeof(*slot)));

	*slot = c;
	return slot;
}

void fx_add_untested(struct fixture *f, struct drive_report *d)
{
	fx_add_text(f, &d->not_tested, "data from host to drive");
	fx_add_text(f, &d->not_tested, "writes");
	fx_add_text(f, &d->not_tested, "TRIM");
	fx_add_text(f, &d->not_tested, "flushes");
}

void fx_add_attribute(struct fixture *f, struct drive *d, uint32_t id, const char *name,
		      uint64_t value, uint64_t raw, const char *raw_text)
{
	fx_text_at(f, d, FACT_ATTR_NAME, id, 0, name);
	fx_u64_at(f, d, FACT_ATTR_FLAGS, id, 0, 0x0032);
	fx_u64_at(f, d, FACT_ATTR_VALUE, id, 0, value);
	fx_u64_at(f, d, FACT_ATTR_WORST, id, 0, value);
	fx_u64_at(f, d, FACT_ATTR_THRESHOLD, id, 0, 10);
	fx_u64_at(f, d, FACT_ATTR_RAW, id, 0, raw);
	fx_text_at(f, d, FACT_ATTR_RAW_TEXT, id, 0, raw_text);
}
