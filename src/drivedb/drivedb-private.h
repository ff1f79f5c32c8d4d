/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/buf.h"
#include "drivedb/drivedb.h"
#include "drivedb/hwdb-parse.h"

struct smart_file;

/* Filled by the first lookup, while the database itself stays as it is. */
struct db_installed {
	struct arena arena;
	struct smart_file *files;
	size_t n, cap;
	void (*load)(struct db_installed *files, void *context);
	void *context;
	bool loaded;
};

/* Texts whose digest nobody has asked for yet: hashing takes longer than reading. */
struct db_version {
	struct arena arena;
	struct buf text;
	struct span *waiting;
	size_t n, cap;
};

struct drivedb {
	struct hwdb hwdb;
	struct db_version *version;
	uint32_t layers;
	struct db_installed *installed;
};
