/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The layout of every hand-made report in every format, compared with tests/golden. This shows
 * what a change does to the look; that the values are right is asserted elsewhere. "make golden"
 * (DRIVEWHY_GOLDEN=write) writes the files anew: read the difference like code.
 */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "config.h"
#include "files.h"
#include "render/render.h"
#include "report-fixture.h"

static const struct {
	const char *format, *suffix;
	bool verbose, explain;
} kinds[] = {
	{ "text", "txt", false, false },
	{ "text", "show.txt", true, false },
	{ "text", "explain.txt", true, true },
	{ "json", "json", false, false },
	{ "markdown", "md", false, false },
	{ "smartctl-json", "smartctl", false, false },
};

/* The version of the program is no part of the layout. */
static void forget_version(struct buf *b)
{
	static const char *const texts[][2] = {
		{ "\"version\": \"" PACKAGE_VERSION "\"", "\"version\": \"VERSION\"" },
		{ PACKAGE_STRING, PACKAGE_NAME " VERSION" },
	};

	for (size_t i = 0; i < array_size(texts); i++) {
		struct buf out = { 0 };
		const char *rest = buf_text(b), *found;

		while ((found = strstr(rest, texts[i][0])) != NULL) {
			buf_add(&out, rest, (size_t)(found - rest));
			buf_puts(&out, texts[i][1]);
			rest = found + strlen(texts[i][0]);
		}
		buf_puts(&out, rest);
		buf_done(b);
		*b = out;
	}
}

static void write_file(const char *path, const struct buf *b)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(buf_text(b), 1, b->len, f), b->len);
	assert_int_equal(fclose(f), 0);
}

static void compare(const char *path, const struct buf *now)
{
	struct buf before = { 0 };
	size_t line = 1, at = 0;

	if (str_equal(getenv("DRIVEWHY_GOLDEN"), "write")) {
		write_file(path, now);
		return;
	}
	(void)files_read(path, &before);
	while (at < before.len && at < now->len && before.data[at] == now->data[at])
		line += before.data[at++] == '\n';
	if (before.len != now->len || at != now->len)
		fail_msg("%s differs in line %zu; see \"make golden\"", path, line);
	buf_done(&before);
}

static void layout_is_as_reviewed(void **state)
{
	const char *top = getenv("top_srcdir");
	char path[4096];

	(void)state;
	for (const struct fixture_row *row = fixtures; row->name; row++) {
		for (size_t k = 0; k < array_size(kinds); k++) {
			struct render_options o = { .columns = 80,
						    .verbose = kinds[k].verbose,
						    .explain = kinds[k].explain };
			struct fixture f;
			struct buf b = { 0 };

			fixture_init(&f, row->name);
			assert_int_equal(render_find(kinds[k].format)
						 ->write(&f.report, &f.diag, &o, &b),
					 0);
			forget_version(&b);
			(void)snprintf(path, sizeof(path), "%s/tests/golden/%s.%s",
				       top ? top : ".", row->name, kinds[k].suffix);
			compare(path, &b);
			buf_done(&b);
			fixture_done(&f);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(layout_is_as_reviewed) };

	return cmocka_run_group_tests_name("render-golden", tests, NULL, NULL);
}
