/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The formats that are read; each is defined in its own file and stands in importers[]. */
#pragma once

#include "import/import.h"

extern const struct importer importer_comparison;
extern const struct importer importer_dd;
extern const struct importer importer_fio;
extern const struct importer importer_fio_log;
extern const struct importer importer_hdparm_identify;
extern const struct importer importer_hdparm_timing;
extern const struct importer importer_ioping;
extern const struct importer importer_iostat;
extern const struct importer importer_kernel_log;
extern const struct importer importer_lsblk;
extern const struct importer importer_nvme_cli;
extern const struct importer importer_pages;
extern const struct importer importer_path;
extern const struct importer importer_pool;
extern const struct importer importer_seachest;
extern const struct importer importer_sg_logs;
extern const struct importer importer_sg_phy_event;
extern const struct importer importer_skdump_text;
extern const struct importer importer_smartctl_json;
extern const struct importer importer_smartctl_scan;
extern const struct importer importer_smartctl_text;
extern const struct importer importer_stalled;
extern const struct importer importer_sync;
extern const struct importer importer_sysfs_text;
extern const struct importer importer_udevadm;
