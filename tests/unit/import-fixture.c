/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import-fixture.h"

#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"

void fixture_read_bytes(struct fixture *f, const char *text, size_t len)
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

void fixture_read_file(struct fixture *f, const char *name)
{
	struct buf bytes cleanup_buf = { 0 };
	char file[256], path[FILES_PATH];

	(void)snprintf(file, sizeof(file), "tests/import/%s", name);
	assert_true(files_read(files_source(file, path), &bytes));
	fixture_read_bytes(f, buf_text(&bytes), bytes.len);
}

void fixture_done(struct fixture *f)
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

void fixture_assert_facts(const struct fixture *f, const char *const *want, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!has_fact(f, want[i]))
			fail_msg("missing %s in%s", want[i], f->facts ? f->facts : "");
}

void fixture_assert_no_fact(const struct fixture *f, const char *start)
{
	char line[128];

	(void)snprintf(line, sizeof(line), "\n%s", start);
	if (f->facts && strstr(f->facts, line))
		fail_msg("%s in%s", start, f->facts);
}
