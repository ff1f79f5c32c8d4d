/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The place of a disk in /sys tells how it is attached:
 *   .../0000:00:1f.2/ata3/host2/target2:0:0/2:0:0:0/block/sda            a libata port
 *   .../ata3/link3.1/...  port multiplier; .../usb1/1-2/1-2:1.0/host6/...  a USB bridge
 * Source: libata-transport.c, Documentation/ABI/testing/sysfs-ata.
 */
#include "device/disk-path.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "device/sysfile.h"

const char *disk_path_name(enum drive_path path)
{
	static const char *const names[] = {
		[PATH_ATA] = "sata",	[PATH_SAS_HBA] = "sata-on-sas",
		[PATH_USB] = "usb",	[PATH_SCSI] = "scsi",
		[PATH_SAS] = "sas",	[PATH_RAID] = "raid",
		[PATH_NVME] = "nvme",	[PATH_VIRTIO] = "virtio",
		[PATH_OTHER] = "other",
	};

	return names[path];
}

/* The path component that starts with PREFIX and goes on in digits; its end in *ret_end. */
static const char *component(const char *path, const char *prefix, const char **ret_end)
{
	size_t n = strlen(prefix);

	for (const char *p = path; (p = strchr(p, '/')) != NULL; p++) {
		const char *end = p + 1 + n;

		if (strncmp(p + 1, prefix, n) != 0 || !str_is_digit(*end))
			continue;
		while (str_is_digit(*end))
			end++;
		if (*end && *end != '/')
			continue;
		*ret_end = end;
		return p + 1;
	}
	return NULL;
}

static const char *upto(struct arena *a, const char *path, const char *end)
{
	return arena_strndup(a, path, (size_t)(end - path));
}

/* ata3 has link3, and link3.0 ... behind a port multiplier; the device's target tells which. */
static int find_ata(struct arena *a, struct disk *disk)
{
	const char *end, *at = component(disk->syspath, "ata", &end), *target;
	const char *dir, *number;
	char link[64];
	unsigned pmp = 0;

	if (!at)
		return 0;
	dir = upto(a, disk->syspath, end);
	number = arena_strndup(a, at + 3, (size_t)(end - at - 3));
	if (!dir || !number)
		return -ENOMEM;
	disk->path = PATH_ATA;
	disk->is_ata = true;
	/* targetH:C:I: libata uses the channel for links of a multiplier */
	target = strstr(end, "/target");
	if (target)
		(void)sscanf(target, "/target%*u:%u:", &pmp);
	(void)snprintf(link, sizeof(link), "link%s.%u", number, pmp);
	if (sysfile_exists(dir, link)) {
		disk->port = arena_printf(a, "ata%s.%02u", number, pmp);
	} else {
		(void)snprintf(link, sizeof(link), "link%s", number);
		disk->port = arena_printf(a, "ata%s", number);
	}
	disk->link = arena_printf(a, "%s/%s", dir, link);
	return disk->port && disk->link ? 0 : -ENOMEM;
}

/* Upwards to the USB device: the first folder that has idVendor. */
static int find_usb(struct arena *a, struct disk *disk)
{
	char *dir = arena_strdup(a, disk->syspath);

	if (!dir)
		return -ENOMEM;
	for (char *slash = strrchr(dir, '/'); slash && slash != dir;
	     slash = strrchr(dir, '/')) {
		const char *vendor, *product;

		*slash = '\0';
		vendor = sysfile_line(a, dir, "idVendor");
		product = vendor ? sysfile_line(a, dir, "idProduct") : NULL;
		if (!product)
			continue;
		disk->path = PATH_USB;
		disk->is_ata = true; /* if the bridge lets ATA through; trying tells */
		disk->usb_id = arena_printf(a, "%s:%s", vendor, product);
		return disk->usb_id ? 0 : -ENOMEM;
	}
	return 0;
}

/* Drivers of RAID controllers, and how smartctl reaches the drives behind them. */
static const struct {
	const char *driver, *option;
} raids[] = {
	{ "megaraid_sas", "megaraid,N" }, { "hpsa", "cciss,N" },
	{ "cciss", "cciss,N" },		  { "aacraid", "aacraid,H,L,ID" },
	{ "arcmsr", "areca,N" },	  { "3w-9xxx", "3ware,N" },
	{ "3w-sas", "3ware,N" },
};

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The driver is the first "driver" link on the way up that is not the disk's own. */
static int find_driver(struct arena *a, struct disk *disk)
{
	char *dir = arena_strdup(a, disk->syspath);
	char link[4096];

	if (!dir)
		return -ENOMEM;
	for (char *slash = strrchr(dir, '/'); slash && slash != dir;
	     slash = strrchr(dir, '/')) {
		char path[4200];
		ssize_t n;

		*slash = '\0';
		(void)snprintf(path, sizeof(path), "%s/driver", dir);
		n = readlink(path, link, sizeof(link) - 1);
		if (n <= 0)
			continue;
		link[n] = '\0';
		/* sd is the disk driver of all SCSI disks: look further up */
		if (str_equal(base_name(link), "sd"))
			continue;
		disk->driver = arena_strdup(a, base_name(link));
		return disk->driver ? 0 : -ENOMEM;
	}
	return 0;
}

/* smartctl(8), -d aacraid,H,L,ID: H is the number of the SCSI host. */
static const char *raid_command(struct arena *a, const struct disk *disk,
				const char *option)
{
	const char *end, *host = component(disk->syspath, "host", &end);

	if (str_starts(option, "aacraid,H") && host)
		return arena_printf(a, "smartctl -d aacraid,%.*s%s -x %s | drivewhy -",
				    (int)(end - host - 4), host + 4,
				    option + strlen("aacraid,H"), disk->node);
	return arena_printf(a, "smartctl -d %s -x %s | drivewhy -", option, disk->node);
}

/*
 * Integrated RAID of mpt adapters: the volume is a SCSI disk of this name, its members are SCSI
 * generic devices without a disk (Documentation/scsi, mpt3sas_scsih.c).
 */
static bool is_integrated_raid(const struct disk *disk)
{
	return disk->driver && str_starts(disk->driver, "mpt") && disk->model &&
	       str_starts(disk->model, "Logical Volume");
}

static int find_raid(struct arena *a, struct disk *disk)
{
	for (size_t i = 0; disk->driver && i < array_size(raids); i++) {
		if (!str_equal(raids[i].driver, disk->driver))
			continue;
		disk->path = PATH_RAID;
		disk->is_ata = false;
		disk->hint = raid_command(a, disk, raids[i].option);
		return disk->hint ? 0 : -ENOMEM;
	}
	if (!is_integrated_raid(disk))
		return 0;
	disk->path = PATH_RAID;
	disk->is_ata = false;
	disk->hint = arena_strdup(a, "smartctl -x /dev/sgN | drivewhy -");
	return disk->hint ? 0 : -ENOMEM;
}

static int add_hint(struct arena *a, struct disk *disk)
{
	if (disk->is_ata || disk->hint || disk->path == PATH_VIRTIO ||
	    disk->path == PATH_OTHER)
		return 0;
	disk->hint = arena_printf(a, "smartctl -x %s | drivewhy -", disk->node);
	return disk->hint ? 0 : -ENOMEM;
}

int disk_path_find(struct arena *a, struct disk *disk)
{
	const char *vendor = sysfile_line(a, disk->syspath, "device/vendor"), *end;
	int r;

	disk->path =
		str_starts(disk->name, "nvme") ? PATH_NVME
		: component(disk->syspath, "virtio", &end) && str_starts(disk->name, "vd")
			? PATH_VIRTIO
		: str_starts(disk->name, "sd") ? PATH_SCSI
					       : PATH_OTHER;
	if (disk->path == PATH_SCSI && vendor && str_equal(vendor, "ATA")) {
		disk->path = PATH_SAS_HBA;
		disk->is_ata = true;
	}
	/* scsi_transport_sas: .../port-7:0/end_device-7:0/target7:0:0/... */
	if (disk->path == PATH_SCSI && strstr(disk->syspath, "/end_device-"))
		disk->path = PATH_SAS;
	r = find_driver(a, disk);
	if (r == 0 && disk->path != PATH_NVME && disk->path != PATH_VIRTIO)
		r = find_ata(a, disk);
	if (r == 0 && disk->path != PATH_ATA && strstr(disk->syspath, "/usb"))
		r = find_usb(a, disk);
	if (r == 0)
		r = find_raid(a, disk);
	return r == 0 ? add_hint(a, disk) : r;
}
