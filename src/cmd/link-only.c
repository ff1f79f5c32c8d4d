/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/link-only.h"

#include <errno.h>
#include <string.h>

#include "base/str.h"

static bool is_of_link(const struct finding *f)
{
	return *code_name(f->code) == 'L';
}

static bool is_conclusion(const struct finding *f)
{
	return f->code == CODE_Z00 || f->code == CODE_Z01;
}

static void keep_findings(struct drive_report *d)
{
	size_t n = 0;

	for (size_t i = 0; i < d->n_findings; i++)
		if (is_of_link(&d->findings[i]) || is_conclusion(&d->findings[i]))
			d->findings[n++] = d->findings[i];
	d->n_findings = n;
}

static void keep_texts(struct text_list *list, const char *word)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++)
		if (strstr(list->items[i], word))
			list->items[n++] = list->items[i];
	list->n = n;
}

static bool has_live_counter(const struct phy_page *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->counters[i].is_error && (p->counters[i].trust == PHY_LIVE ||
						p->counters[i].trust == PHY_SWAPPED))
			return true;
	return false;
}

/* What the judge concluded of the whole drive, said of the link. */
static void conclude(struct drive_report *d, struct finding *f)
{
	bool known = has_live_counter(&d->phy);

	f->code = known ? CODE_Z00 : CODE_Z01;
	f->severity = known ? SEVERITY_OK : SEVERITY_UNKNOWN;
	f->confidence = known ? CONFIDENCE_MODERATE : CONFIDENCE_CANNOT_TELL;
	f->headline = known ? "No link error since the drive got power."
			    : "No counter of the link that could be believed was read.";
	f->next.n = 0;
}

static int conclude_nothing(struct arena *a, struct drive_report *d)
{
	if (!d->n_findings) {
		struct finding *f = arena_push(a, &d->findings, &d->n_findings,
					       &d->cap_findings, sizeof(*f));

		if (!f)
			return -ENOMEM;
		/* the place of one that went */
		*f = (struct finding){ 0 };
	}
	conclude(d, &d->findings[0]);
	return 0;
}

int link_only(struct report *r)
{
	r->n_host_findings = 0;
	for (size_t i = 0; i < r->n_drives; i++) {
		struct drive_report *d = &r->drives[i];
		bool found;
		int e = 0;

		keep_findings(d);
		keep_texts(&d->missing, "link");
		keep_texts(&d->not_tested, "link");
		d->coverage_percent = d->phy.n ? 100 : 0;
		found = d->n_findings && is_of_link(&d->findings[0]);
		if (!found)
			e = conclude_nothing(&r->arena, d);
		if (e < 0)
			return e;
	}
	return 0;
}
