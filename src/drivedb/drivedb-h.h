/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an installed smartmontools knows: its drivedb.h, read when a drive is looked up, never
 * copied. It ranks below every record of ours, and gives names and raw formats of attributes
 * only.
 */
#pragma once

#include "base/diag.h"
#include "base/span.h"
#include "drivedb/drivedb.h"

struct smart_file {
	const char *name;
	struct span text;
};

/*
 * What FILES say of a drive, as ATTR_#_NAME and ATTR_#_FORMAT with file and line. As smartctl
 * does it: the first entry whose expressions match model and firmware is taken, over the entry
 * DEFAULT. Rows for one kind of drive are taken when SOLID says that it is one (1 or 0; -1 is
 * unknown). 0 or -ENOMEM, RET untouched on failure.
 */
int smart_files_match(const struct smart_file *files, size_t n_files,
		      const struct drive_id *id, int solid, struct diag *d,
		      struct db_match *ret) must_check;
