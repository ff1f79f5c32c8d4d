/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "import/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every line that an import writes can be read as a fact. */
static void check_item(struct arena *a, struct span body)
{
	const char *p = (const char *)body.data, *end = p + body.len;

	while (p < end) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		struct fact f = { 0 };

		if (!stop || fact_parse_line(a, p, (size_t)(stop - p), &f) < 0)
			abort();
		p = stop + 1;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct capture c = { 0 };
	struct arena a = { 0 };
	struct diag d = { 0 };
	struct import_stats st;

	if (import_read(span_of(data, size), "fuzz", &c, &d, &st) == 0 && !st.reports)
		abort();
	for (size_t i = 0; i < c.n_subjects; i++)
		for (size_t k = 0; k < c.subjects[i].n_snapshots; k++)
			if (strncmp(c.subjects[i].snapshots[k].items[0].id, "facts/",
				    6) == 0)
				check_item(&a, c.subjects[i].snapshots[k].items[0].body);
	arena_done(&a);
	capture_done(&c);
	diag_done(&d);
	return 0;
}
