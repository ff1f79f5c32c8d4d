/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Run one importer alone, so that the fuzzer's time goes into it. */
#pragma once

#include <stdlib.h>
#include <string.h>

#include "import/importers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every line that an importer writes can be read as a fact. */
static inline void check_facts(struct span body)
{
	const char *p = (const char *)body.data, *end = p + body.len;
	struct arena a = { 0 };

	while (p < end) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		struct fact f = { 0 };

		if (!stop || fact_parse_line(&a, p, (size_t)(stop - p), &f) < 0)
			abort();
		p = stop + 1;
	}
	arena_done(&a);
}

static inline void check_items(const struct cap_snapshot *s)
{
	for (size_t i = 0; i < s->n_items; i++)
		if (strncmp(s->items[i].id, "facts/", 6) == 0)
			check_facts(s->items[i].body);
}

static inline void run_importer(const struct importer *importer, const uint8_t *data,
				size_t size)
{
	struct capture c = { 0 };
	struct diag d = { 0 };
	struct text text;
	struct import im = { .capture = &c, .diag = &d, .text = &text };

	if (text_read(&text, "fuzz", span_of(data, size), &d) == 0) {
		(void)importer->read(&im);
		text_done(&text);
	}
	for (size_t i = 0; i < c.n_subjects; i++)
		for (size_t k = 0; k < c.subjects[i].n_snapshots; k++)
			check_items(&c.subjects[i].snapshots[k]);
	capture_done(&c);
	diag_done(&d);
}
