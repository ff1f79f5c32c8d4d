/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <pthread.h>

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
	bool loaded, wanted;
};

/* The digests of overlays are taken when somebody asks: hashing takes longer than reading. */
struct db_version {
	struct buf text;
	size_t hashed;
};

struct drivedb {
	struct arena arena; /* of built-in texts, names of files, the overlays' array */
	struct hwdb *hwdb;  /* records are read when first needed, */
	pthread_mutex_t
		*reading; /* by one thread at a time: drives are read side by side */
	struct buf *overlays;
	size_t layers, cap_layers;
	struct db_version *version;
	struct db_installed *installed;
};
