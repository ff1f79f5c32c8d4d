/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hostile table in smartmontools' form: read, and asked for two drives. */
#include <stdint.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/str.h"
#include "drivedb/drivedb-h.h"
#include "drivedb/raw-format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct drive_id ids[] = {
		{ "ata", "TESTDISK 1000", "FW1" },
		{ NULL, NULL, NULL },
	};
	struct smart_file file = { "fuzz.h", span_of(data, size) };

	for (size_t i = 0; i < array_size(ids); i++) {
		struct diag d = { 0 };
		struct db_match m = { 0 };

		if (smart_files_match(&file, 1, &ids[i], (int)i - 1, &d, &m) < 0)
			abort();
		for (size_t k = 0; k < m.n; k++) {
			if (!m.items[k].line || !m.items[k].file)
				abort();
			if (str_ends(m.items[k].key, "_FORMAT") &&
			    !raw_format_is_valid(m.items[k].value))
				abort();
		}
		db_match_done(&m);
		diag_done(&d);
	}
	return 0;
}
