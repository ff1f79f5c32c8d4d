/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The same bytes as a file of JSON and as a text with JSON in it. */
#include "importer.h"

#include "import/binary.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct capture c = { 0 };
	struct diag d = { 0 };
	struct span s = span_of(data, size);

	if (importer_smartctl_json_file.is(s))
		(void)importer_smartctl_json_file.read(s, "fuzz", &c, &d);
	for (size_t i = 0; i < c.n_subjects; i++)
		check_facts(c.subjects[i].snapshots[0].items[0].body);
	capture_done(&c);
	diag_done(&d);
	run_importer(&importer_smartctl_json, data, size);
	return 0;
}
