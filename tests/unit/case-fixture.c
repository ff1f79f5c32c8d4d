/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "case-fixture.h"

#include <string.h>

#include "unit.h"

static void read_drives(struct fixture *f, const char *const *drives)
{
	for (size_t i = 0; drives[i]; i++) {
		struct cap_subject *s = capture_add_subject(&f->capture, CAP_DRIVE);
		struct cap_snapshot *snapshot;

		assert_non_null(s);
		snapshot = capture_add_snapshot(&f->capture, s, CAP_IMPORT, "test.txt");
		assert_non_null(snapshot);
		assert_non_null(capture_add_item(&f->capture, snapshot, "facts/smartctl",
						 CAP_OK, span_of_text(drives[i])));
	}
}

static void run(struct fixture *f, const char *const *drives)
{
	assert_non_null(f->db);
	read_drives(f, drives);
	assert_int_equal(decode_case(&f->capture, f->db, &f->diag, &f->the_case), 0);
	assert_int_equal(judge_case(&f->the_case, &f->report), 0);
}

void fixture_judge(struct fixture *f, const char *const *drives)
{
	*f = (struct fixture){ 0 };
	f->db = drivedb_new(&f->diag);
	run(f, drives);
}

void fixture_judge_db(struct fixture *f, const char *const *drives, const char *records)
{
	*f = (struct fixture){ 0 };
	f->db = drivedb_new_empty();
	assert_non_null(f->db);
	assert_int_equal(drivedb_add(f->db, span_of_text(records), "test.hwdb", &f->diag),
			 0);
	run(f, drives);
}

void fixture_done(struct fixture *f)
{
	report_done(&f->report);
	case_done(&f->the_case);
	drivedb_free(f->db);
	capture_done(&f->capture);
	diag_done(&f->diag);
}

const struct finding *fixture_finding(const struct fixture *f, enum code code)
{
	const struct drive_report *r = &f->report.drives[0];

	for (size_t i = 0; i < r->n_findings; i++)
		if (r->findings[i].code == code)
			return &r->findings[i];
	return NULL;
}

const struct phy_counter *fixture_phy(const struct fixture *f, uint32_t id)
{
	const struct phy_page *page = &f->report.drives[0].phy;

	for (size_t i = 0; i < page->n; i++)
		if (page->counters[i].id == id)
			return &page->counters[i];
	fail_msg("no counter %03x", id);
	return NULL;
}

bool fixture_has(const struct evidence_list *list, const char *words)
{
	for (size_t i = 0; i < list->n; i++)
		if (strstr(list->items[i].text, words))
			return true;
	return false;
}
