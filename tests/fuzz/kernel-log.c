/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A text or a capture to events: what the importer writes reads back, all counts add up, and nothing
 * that could steer a terminal comes out of the texts as they are shown.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/file.h"
#include "capture/kernel-log.h"
#include "decode/decode.h"
#include "import/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_body(struct span body)
{
	struct klog_line l;

	while (body.len)
		if (klog_take_line(&body, &l) < 0)
			abort();
}

static void check_drive(const struct drive *d)
{
	uint64_t faults, kept = 0;
	const struct fact *f = drive_fact(d, FACT_KLOG_FAULTS, 0, 0);

	for (size_t i = 0; i < d->n_events; i++) {
		const struct event *e = &d->events[i];

		if ((unsigned)e->class >= EVENT_COUNT || !e->text ||
		    strchr(e->text, '\n'))
			abort();
		kept += !e->boots_ago && event_class_kind(e->class) == EVENT_KIND_FAULT;
	}
	faults = f ? f->u : UINT64_MAX;
	if (kept > faults)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span s = span_of(data, size);
	struct capture c = { 0 };
	struct diag d = { 0 };
	struct case_file the_case = { 0 };
	struct import_stats st;
	struct drivedb *db = drivedb_new(&d);
	bool is_capture = capture_file_is(s);

	if (is_capture)
		(void)!capture_file_read(s, "fuzz", &d, &c);
	else
		(void)!import_read(s, "fuzz", &c, &d, &st);
	for (size_t i = 0; i < c.n_subjects && !is_capture; i++)
		for (size_t k = 0; k < c.subjects[i].n_snapshots; k++)
			if (strcmp(c.subjects[i].snapshots[k].items[0].id,
				   "kernel-log") == 0)
				check_body(c.subjects[i].snapshots[k].items[0].body);
	if (db && decode_case(&c, db, &d, &the_case) == 0) {
		check_drive(&the_case.host);
		for (size_t i = 0; i < the_case.n_drives; i++)
			check_drive(the_case.drives[i]);
		case_done(&the_case);
	}
	drivedb_free(db);
	capture_done(&c);
	diag_done(&d);
	return 0;
}
