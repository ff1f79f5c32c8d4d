/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "import/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What text.h promises of every line. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diag d = { 0 };
	struct text t;

	if (text_read(&t, "fuzz", span_of(data, size), &d) == 0) {
		for (size_t i = 0; i < t.n; i++) {
			const struct text_line *line = &t.lines[i];

			if (strlen(line->s) != line->len || line->number == 0 ||
			    (line->len && line->s[line->len - 1] == ' '))
				abort();
		}
		text_done(&t);
	}
	diag_done(&d);
	return 0;
}
