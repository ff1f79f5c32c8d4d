/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One text about one drive: a report without a device name, and scraps beside it (settings, a run,
 * a partition table) that name a device or nothing. When the whole text has one report at most and
 * one device at most, they are taken for the same drive.
 */
#include <string.h>

#include "base/str.h"
#include "decode/part.h"

static bool is_report(const struct part *p)
{
	static const enum fact_id ids[] = { FACT_MODEL, FACT_SERIAL, FACT_WWN,
					    FACT_POSTED_SECTION };

	for (size_t i = 0; i < array_size(ids); i++)
		if (part_fact(p, ids[i], 0))
			return true;
	/* a table of attributes is a report, whatever else was cut away */
	for (size_t i = 0; i < p->n_facts; i++)
		if (p->facts[i].key.id == FACT_ATTR_RAW ||
		    p->facts[i].key.id == FACT_ATTR_VALUE)
			return true;
	return false;
}

struct lone {
	size_t reports; /* groups that are one */
	char device[64];
	const char *port;
	bool has_device, differ;
};

static void look_at(struct lone *l, const struct part *p)
{
	const char *device = part_text(p, FACT_DEVICE);
	const char *port = part_text(p, FACT_PORT);
	char name[64];

	if (port && l->port && !str_equal(port, l->port))
		l->differ = true;
	l->port = port ? port : l->port;
	if (!device)
		return;
	merge_device_name(device, name, sizeof(name));
	if (l->has_device && !str_equal(l->device, name))
		l->differ = true;
	memcpy(l->device, name, sizeof(name));
	l->has_device = true;
}

void merge_lone(const struct decode *d, uint32_t *leader)
{
	struct lone l = { 0 };
	const struct part *first = NULL;
	uint32_t target = UINT32_MAX, reported = UINT32_MAX;

	for (uint32_t i = 0; i < d->parts.n; i++) {
		const struct part *p = &d->parts.items[i];

		if (p->subject->kind != CAP_DRIVE)
			continue;
		if (p->snapshot.role != ROLE_IMPORT ||
		    (first && !str_equal(first->snapshot.file, p->snapshot.file)))
			return;
		first = first ? first : p;
		target = target == UINT32_MAX ? leader[i] : target;
		look_at(&l, p);
		if (is_report(p) && leader[i] != reported) {
			reported = leader[i];
			l.reports++;
		}
	}
	if (!first || l.reports > 1 || l.differ)
		return;
	for (size_t i = 0; i < d->parts.n; i++)
		if (d->parts.items[i].subject->kind == CAP_DRIVE)
			leader[i] = target;
}
