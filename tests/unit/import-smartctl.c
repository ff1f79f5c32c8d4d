/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/attrs.h"
#include "import/import.h"

/* One text and what came of it; facts of all reports one after the other. */
struct fixture {
	struct capture c;
	struct diag d;
	struct import_stats st;
	char *facts;
	int r;
};

static void read_bytes(struct fixture *f, const char *text, size_t len)
{
	struct buf all = { 0 };

	*f = (struct fixture){ 0 };
	f->r = import_read(span_of(text, len), "posted.txt", &f->c, &f->d, &f->st);
	for (size_t i = 0; i < f->c.n_subjects; i++) {
		const struct cap_item *item = &f->c.subjects[i].snapshots[0].items[0];

		buf_printf(&all, "\n%s:\n%.*s", item->id, (int)item->body.len,
			   (const char *)item->body.data);
	}
	f->facts = all.data;
}

static void read_file(struct fixture *f, const char *name)
{
	static char bytes[1u << 20];
	const char *src = getenv("top_srcdir");
	char path[4096];
	FILE *file;
	size_t n;

	(void)snprintf(path, sizeof(path), "%s/tests/import/%s", src ? src : ".", name);
	file = fopen(path, "rb");
	assert_non_null(file);
	n = fread(bytes, 1, sizeof(bytes), file);
	(void)fclose(file);
	read_bytes(f, bytes, n);
}

static void done(struct fixture *f)
{
	capture_done(&f->c);
	diag_done(&f->d);
	free(f->facts);
}

/* WANT is a line of facts without its place. */
static bool has_fact(const struct fixture *f, const char *want)
{
	size_t n = strlen(want);

	for (const char *p = f->facts; p; p = strchr(p + 1, '\n'))
		if (strncmp(p + (*p == '\n'), want, n) == 0 &&
		    (p[n + 1] == ' ' || p[n + 1] == '\n'))
			return true;
	return false;
}

static void assert_facts(const struct fixture *f, const char *const *want, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!has_fact(f, want[i]))
			fail_msg("missing %s in%s", want[i], f->facts ? f->facts : "");
}

static void assert_no_fact(const struct fixture *f, const char *start)
{
	char line[128];

	(void)snprintf(line, sizeof(line), "\n%s", start);
	if (f->facts && strstr(f->facts, line))
		fail_msg("%s in%s", start, f->facts);
}

static void brief_report_is_read(void **state)
{
	static const char *const want[] = {
		"posted_tool=\"smartctl 6.6\"",
		"posted_section[0]=\"identity\"",
		"posted_section[1]=\"health\"",
		"posted_section[2]=\"attributes\"",
		"posted_section[3]=\"phy\"",
		"model=\"EXAMPLE DISK 2000\"",
		"serial=\"TEST0000001\"",
		"wwn=\"500dead000000001\"",
		"capacity_bytes=2000398934016",
		"logical_sector_bytes=512",
		"physical_sector_bytes=4096",
		"rotation_rpm=7200",
		"in_smartctl_database=0",
		"link_device_max_mbps=6000",
		"link_current_mbps=3000",
		"write_cache=0",
		"security_frozen=1",
		"setting[0]=\"Wt Cache Reorder: Enabled\"",
		"smart_passed=1",
		"attr_revision=16",
		"attr[1].flags=47",
		"attr[1].worst=199",
		"attr[5].when_failed=\"now\"",
		"attr[9].raw=5185",
		"attr[190].when_failed=\"past\"",
		"attr[194].raw=33",
		"attr[194].raw_text=\"33 (Min/Max -10/60)\"",
		"attr[195].raw=0",
		"attr[196].raw_signed=-11",
		"attr[232].raw=30004641529881",
		"phy[001].value=7",
		"phy[002].value=65535",
		"phy[002].saturated=1",
		"phy[00a].size=4",
		"phy[8000].value=98765432109",
	};
	struct fixture f;

	(void)state;
	read_file(&f, "smartctl-x-brief.txt");
	assert_int_equal(f.r, 0);
	assert_int_equal(f.st.reports, 1);
	assert_int_equal(f.st.damaged + f.st.unknown + f.st.open, 0);
	assert_facts(&f, want, array_size(want));
	assert_no_fact(&f, "attr[195].value");
	assert_no_fact(&f, "attr[196].raw=");
	assert_no_fact(&f, "phy[001].saturated");
	done(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(brief_report_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
