/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel knows of a device node without a command to the drive, from /sys. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "ata/command.h"
#include "base/attrs.h"

struct node {
	bool usb;	/* a USB device stands in its path */
	bool disk;	/* SCSI peripheral type 0 or Eh: PASS-THROUGH (12) may be tried */
	bool optical;	/* type 5 */
	bool suspended; /* runtime power management: opening it would wake it */
	bool solid_state;  /* the kernel is sure that nothing rotates */
	bool has_identify; /* IDENTIFY DEVICE data of the time when the kernel found it */
	uint8_t identify[ATA_SECTOR];
};

/*
 * SYSROOT: NULL, or a saved tree with /sys below it. BLOCK: a block device, else a character one.
 * What cannot be read is not known: all false.
 */
struct node node_read(const char *sysroot, bool block, dev_t number);
/* The same for a path. 0; -errno of stat(); -ENOTBLK for what is no device. */
int node_find(const char *path, struct node *ret) must_check;
