/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "device/discover.h"

/*
 * How a disk is attached, from its place in /sys: sets path, port, link, usb_id, driver, is_ata and
 * hint of DISK, whose name, syspath and model are set. 0 or -ENOMEM.
 */
int disk_path_find(struct arena *a, struct disk *disk) must_check;
/* "sata", "sas-hba", "usb", ...: the word for FACT_BUS and the list. */
const char *disk_path_name(enum drive_path path);
