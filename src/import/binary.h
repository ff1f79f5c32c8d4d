/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formats that are bytes, not text; they are tried before a file is read as text. */
#pragma once

#include "base/diag.h"
#include "base/span.h"
#include "capture/capture.h"

struct binary_importer {
	const char *name, *describe;
	bool (*is)(struct span s);
	/* 0; -EBADMSG with the place in D; -ENOMEM, -E2BIG. */
	int (*read)(struct span s, const char *file, struct capture *c, struct diag *d);
};

extern const struct binary_importer *const binary_importers[]; /* NULL-terminated */
extern const struct binary_importer importer_skdump_blob, importer_smartctl_json_file;
extern const struct binary_importer importer_raw_page;
