/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which drives there are, and which drive a name means (libudev and sysfs). */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "capture/capture.h"

enum drive_path {
	PATH_ATA, /* a libata port: phy log, link state and kernel lines belong together */
	PATH_SAS_HBA, /* a SATA drive behind a SAS HBA: pass-through, no ata port */
	PATH_USB,     /* a bridge: phy counters describe the bridge's link */
	PATH_SCSI,    /* a SCSI drive */
	PATH_SAS,     /* a SAS drive */
	PATH_RAID, /* a RAID controller's volume: the drives behind it need a tool's -d option */
	PATH_NVME,
	PATH_VIRTIO,
	PATH_OTHER,
};

struct disk {
	const char *name; /* "sda" */
	const char *node; /* "/dev/sda" */
	const char *syspath;
	const char *model, *serial, *wwn, *firmware; /* NULL when unknown */
	uint64_t bytes;				     /* 0 unknown */
	enum drive_path path;
	bool is_ata;	    /* answers ATA pass-through, as far as can be told */
	const char *port;   /* "ata3", "ata3.01" behind a multiplier, or NULL */
	const char *link;   /* sysfs folder of the ata_link, or NULL */
	const char *usb_id; /* "152d:0578", or NULL */
	const char *driver; /* "uas", "ahci", "mpt3sas", ... */
	const char *hint;   /* the line that brings its data in, when it is not ATA */
	const char **names; /* /dev/disk/by-... links */
	size_t n_names;
	bool asleep; /* runtime suspended: not to be opened */
};

struct disk_list {
	struct arena arena;
	struct disk *items;
	size_t n, cap;
};

/* SYSROOT: NULL, or a saved tree with /sys and /run/udev/data below it. 0 or -errno. */
int discover_disks(const char *sysroot, struct disk_list *ret, struct diag *d) must_check;
void disk_list_done(struct disk_list *l);

/*
 * The drives below any name a person has: sda, /dev/sda2, by-id, UUID=, LABEL=, a mount point, an LV,
 * LUKS or md device. Adds indices into LIST; SAID gets one line of how the name was resolved, or
 * stays NULL when it names a drive itself. 0; -ENODEV when nothing is there; -ENOENT.
 */
struct disk_pick {
	size_t *items;
	size_t n, cap;
	const char *said; /* in the list's arena */
};
int discover_resolve(struct disk_list *list, const char *sysroot, const char *name,
		     struct disk_pick *ret) must_check;

/* sysfs of one disk and its port as items: "sysfs/queue/rotational", "sysfs/link/sata_spd", ... */
int sysfs_collect(struct capture *c, struct cap_snapshot *s, const struct disk *disk,
		  const char *sysroot) must_check;
/* IDENTIFY DEVICE data as the kernel keeps them, as item "ata/identify"; 0 also without any. */
int sysfs_collect_identify(struct capture *c, struct cap_snapshot *s,
			   const struct disk *disk) must_check;
