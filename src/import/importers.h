/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The formats that are read; each is defined in its own file and stands in importers[]. */
#pragma once

#include "import/import.h"

extern const struct importer importer_comparison;
extern const struct importer importer_fio;
extern const struct importer importer_path;
extern const struct importer importer_pool;
extern const struct importer importer_kernel_log;
extern const struct importer importer_smartctl_json;
extern const struct importer importer_smartctl_scan;
extern const struct importer importer_smartctl_text;
extern const struct importer importer_stalled;
extern const struct importer importer_sync;
extern const struct importer importer_sysfs_text;
