/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory runs out at every single allocation of ours in turn. Linked with --wrap for realloc. */
#include "unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "render/render.h"
#include "report-fixture.h"

static long left = -1; /* allocations before the failing one, -1: none fails */

void *__real_realloc(void *p, size_t size);
void *__wrap_realloc(void *p, size_t size);

void *__wrap_realloc(void *p, size_t size)
{
	if (left > 0)
		left--;
	return left == 0 ? NULL : __real_realloc(p, size);
}

static void fail_each(const char *fixture, const struct renderer *renderer)
{
	struct render_options o = { .columns = 80, .verbose = true };
	struct buf before = { 0 };
	struct fixture f;
	int r = 0, failures = 0;

	fixture_init(&f, fixture);
	assert_int_equal(renderer->write(&f.report, &f.diag, &o, &before), 0);
	for (long k = 1; k == 1 || r < 0; k++) {
		struct buf b = { 0 };

		left = k;
		r = renderer->write(&f.report, &f.diag, &o, &b);
		left = -1;
		/* a document with a hole in it must never pass for a good one */
		if (r == 0)
			assert_string_equal(buf_text(&b), buf_text(&before));
		else
			assert_int_equal(r, -ENOMEM);
		failures += r < 0;
		buf_done(&b);
	}
	/* a report without runs is next to nothing in fio's words */
	assert_true(failures > 1 || before.len < 512);
	fixture_done(&f);
	buf_done(&before);
}

static void no_output_has_holes(void **state)
{
	(void)state;
	for (size_t k = 0; renderers[k]; k++) {
		fail_each("constant", renderers[k]);
		fail_each("hostile", renderers[k]);
		fail_each("media", renderers[k]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(no_output_has_holes) };

	return cmocka_run_group_tests_name("render-memory", tests, NULL, NULL);
}
