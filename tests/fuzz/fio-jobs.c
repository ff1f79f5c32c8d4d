/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hostile job file: what is taken has sound numbers, what is refused says so. Nothing is run. */
#include <stdlib.h>

#include "probe/fio-jobs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool what)
{
	if (!what)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fio_specs s;
	struct diag d = { 0 };
	int r;

	fio_specs_init(&s);
	r = fio_specs_add_file(&s, (struct span){ data, size }, "fuzz", &d);
	must(r == 0 || d.n == 1);
	must(s.n <= FIO_SPECS_MAX);
	for (size_t i = 0; r == 0 && i < s.n; i++) {
		const struct fio_spec *j = &s.items[i];

		must(j->name && j->engine);
		must(j->block_min > 0 && j->block_min <= j->block_max);
		must(!j->size.percent || j->size.value <= 100);
	}
	fio_specs_done(&s);
	diag_done(&d);
	return 0;
}
