/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records from a hostile overlay: read, checked and matched. */
#include <stdint.h>
#include <stdlib.h>

#include "drivedb/drivedb.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct drive_id ids[] = {
		{ "ata", "SAMSUNG SSD 830 Series", "CXM03B1Q" },
		{ "ata", "ST4000DM000-1F2168", "CC54" },
		{ NULL, NULL, NULL },
	};
	struct diag d = { 0 };
	struct drivedb *db = drivedb_new_empty();

	if (!db || drivedb_add(db, span_of(data, size), "fuzz", &d) < 0)
		abort();
	if (drivedb_lint(db, &d) < 0)
		abort();
	for (size_t i = 0; i < array_size(ids); i++) {
		struct db_match m;

		if (drivedb_match(db, &ids[i], &m) < 0)
			abort();
		if (m.n && !db_match_get(&m, m.items[m.n / 2].key))
			abort();
		db_match_done(&m);
	}
	drivedb_free(db);
	diag_done(&d);
	return 0;
}
