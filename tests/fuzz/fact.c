/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line of a facts/... item from a hostile capture: what can be read is written and read as the same. */
#include <stdlib.h>

#include "base/str.h"
#include "model/fact.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool what)
{
	if (!what)
		abort();
}

static void same(const struct fact *a, const struct fact *b)
{
	must(a->key.id == b->key.id && a->key.i == b->key.i && a->key.j == b->key.j);
	must(a->origin.line == b->origin.line);
	if (fact_get_info(a->key.id)->type == FACT_TEXT)
		must(str_equal(a->text, b->text));
	else
		must(a->u == b->u);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	struct buf line = { 0 };
	struct fact f = { 0 }, again = { 0 };

	if (fact_parse_line(&a, (const char *)data, size, &f) == 0) {
		fact_add_line(&line, &f);
		must(fact_parse_line(&a, buf_text(&line), line.len - 1, &again) == 0);
		same(&f, &again);
	}
	buf_done(&line);
	arena_done(&a);
	return 0;
}
