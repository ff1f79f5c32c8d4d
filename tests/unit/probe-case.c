/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe-case.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/str.h"
#include "capture/file.h"
#include "probe/items.h"
#include "unit.h"

/* What such a drive says of itself; nothing that a rule could find fault with. */
static const char ssd_facts[] = "model=\"TEST SSD 256GB\"\n"
				"serial=\"TEST0000001\"\n"
				"rotation_rpm=0\n"
				"bus=\"sata\"\n"
				"capacity_bytes=256060514304\n"
				"link_power_policy=\"max_performance\"\n"
				"scheduler=\"none\"\n"
				"queue_depth=32\n"
				"smart_passed=1\n";
static const char disk_facts[] = "model=\"TEST DISK 2TB\"\n"
				 "serial=\"TEST0000002\"\n"
				 "rotation_rpm=7200\n"
				 "bus=\"sata\"\n"
				 "capacity_bytes=2000398934016\n"
				 "selftest_extended_minutes=247\n"
				 "queue_depth=32\n"
				 "smart_passed=1\n";

static void add_items(struct probe_case *c, const char *facts)
{
	struct cap_subject *u = capture_add_subject(&c->f.capture, CAP_DRIVE);
	struct cap_snapshot *s;

	assert_non_null(u);
	s = capture_add_snapshot(&c->f.capture, u, CAP_BEFORE, "/dev/simulated");
	assert_non_null(s);
	assert_non_null(capture_add_item(&c->f.capture, s, "facts/smartctl", CAP_OK,
					 span_of_text(facts)));
	s = capture_add_snapshot(&c->f.capture, u, CAP_DURING, "/dev/simulated");
	assert_non_null(s);
	assert_int_equal(items_add(&c->plan, &c->f.capture, s), 0);
}

void probe_case_run(struct probe_case *c, struct sim *s, const char *facts)
{
	uint64_t began = s->now;

	c->plan.target = &s->target;
	c->plan.known.rotating = s->rotating;
	c->plan.seed = s->random;
	c->plan.root = "/nonexistent";
	if (s->errors_per_byte > 0) {
		c->plan.count_errors = sim_count_errors;
		c->plan.context = s;
	}
	assert_int_equal(plan_run(&c->plan), 0);
	c->took_ns = s->now - began;
	c->f.db = drivedb_new(&c->f.diag);
	assert_non_null(c->f.db);
	add_items(c, facts ? facts : s->rotating ? disk_facts : ssd_facts);
	assert_int_equal(decode_case(&c->f.capture, c->f.db, &c->f.diag, &c->f.the_case),
			 0);
	assert_int_equal(judge_case(&c->f.the_case, &c->f.report), 0);
}

void probe_case_done(struct probe_case *c)
{
	target_close(c->plan.target);
	plan_done(&c->plan);
	fixture_done(&c->f);
}

const char *probe_case_verdict(const struct probe_case *c)
{
	const struct drive_report *r = &c->f.report.drives[0];

	return r->n_findings && r->findings[0].severity >= SEVERITY_WARNING
		       ? code_name(r->findings[0].code)
		       : "Z00";
}

uint64_t probe_case_fact(const struct probe_case *c, enum fact_id id, uint32_t i,
			 uint32_t j)
{
	const struct fact *f = drive_fact(c->f.the_case.drives[0], id, i, j);

	assert_non_null(f);
	return f->u;
}

const struct phase *probe_case_phase(const struct probe_case *c, const char *name)
{
	for (size_t i = 0; i < c->plan.n_phases; i++)
		if (str_equal(c->plan.phases[i]->name, name))
			return c->plan.phases[i];
	return NULL;
}

void probe_case_dump(const struct probe_case *c)
{
	const char *name = getenv("PROBE_DUMP");
	struct buf text cleanup_buf = { 0 };
	FILE *f cleanup_file = name ? fopen(name, "w") : NULL;

	if (f && capture_file_write(&c->f.capture, "test", &text) == 0)
		(void)fwrite(buf_text(&text), 1, text.len, f);
}
