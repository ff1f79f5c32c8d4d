/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of /sys that say something of a drive and its port, as items of a capture. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "device/disk-path.h"
#include "device/sysfile.h"

static int put(struct capture *c, struct cap_snapshot *s, const char *id,
	       struct span body)
{
	if (!body.len)
		return 0;
	return capture_add_item(c, s, id, CAP_OK, body) ? 0 : -ENOMEM;
}

static int put_file(struct capture *c, struct cap_snapshot *s, const char *dir,
		    const char *file, const char *room)
{
	struct buf text cleanup_buf = { 0 };
	char path[PATH_MAX], id[128];

	(void)snprintf(path, sizeof(path), "%s/%s", dir, file);
	(void)snprintf(id, sizeof(id), "sysfs/%s/%s", room, file);
	if (sysfile_read(path, &text) < 0)
		return 0; /* not every kernel and driver has every file */
	return put(c, s, id, buf_span(&text));
}

static int put_text(struct capture *c, struct cap_snapshot *s, const char *id,
		    const char *text)
{
	struct buf line cleanup_buf = { 0 };

	if (!text)
		return 0;
	buf_puts(&line, text);
	buf_putc(&line, '\n');
	return buf_error(&line) < 0 ? -ENOMEM : put(c, s, id, buf_span(&line));
}

/* Files below a folder, named in the item by what the folder is. */
struct folder {
	const char *dir, *room;
	const char *const *files;
};

static int put_folder(struct capture *c, struct cap_snapshot *s, const struct folder *f)
{
	for (const char *const *file = f->files; f->dir && *file; file++) {
		int r = put_file(c, s, f->dir, *file, f->room);

		if (r < 0)
			return r;
	}
	return 0;
}

static int put_identity(struct capture *c, struct cap_snapshot *s,
			const struct disk *disk)
{
	char bytes[24];
	const struct {
		const char *id, *text;
	} rows[] = {
		{ "sysfs/disk/name", disk->name },
		{ "sysfs/disk/model", disk->model },
		{ "sysfs/disk/serial", disk->serial },
		{ "sysfs/disk/firmware", disk->firmware },
		{ "sysfs/disk/bytes", disk->bytes ? bytes : NULL },
		{ "sysfs/disk/bus", disk_path_name(disk->path) },
		{ "sysfs/disk/port", disk->port },
		{ "sysfs/disk/driver", disk->driver },
		{ "sysfs/disk/usb_id", disk->usb_id },
		{ "sysfs/disk/hint", disk->hint },
	};

	(void)snprintf(bytes, sizeof(bytes), "%llu", (unsigned long long)disk->bytes);
	for (size_t i = 0; i < array_size(rows); i++) {
		int r = put_text(c, s, rows[i].id, rows[i].text);

		if (r < 0)
			return r;
	}
	return 0;
}

/* The folder of the ATA device below a link: .../link3/dev3.0/ata_device/dev3.0 */
static const char *ata_device_dir(struct arena *a, const struct disk *disk)
{
	const char *name = disk->link ? strrchr(disk->link, '/') : NULL;
	const char *number = name ? str_after(name, "/link") : NULL;

	if (!number)
		return NULL;
	return arena_printf(a, "%s/dev%s.0/ata_device/dev%s.0", disk->link, number,
			    number);
}

static const char *link_class_dir(struct arena *a, const struct disk *disk)
{
	const char *name = disk->link ? strrchr(disk->link, '/') : NULL;

	return name ? arena_printf(a, "%s/ata_link%s", disk->link, name) : NULL;
}

/* .../hostN/scsi_host/hostN, for the link power policy */
static const char *host_dir(struct arena *a, const struct disk *disk)
{
	const char *host = strstr(disk->syspath, "/host"), *end;

	if (!host)
		return NULL;
	end = strchr(host + 1, '/');
	if (!end)
		return NULL;
	return arena_printf(a, "%.*s/scsi_host%.*s", (int)(end - disk->syspath),
			    disk->syspath, (int)(end - host), host);
}

/* The last folder on the way to the disk that looks like a PCI function: 0000:00:1f.2 */
static const char *pci_dir(struct arena *a, const struct disk *disk)
{
	const char *found = NULL;

	for (const char *p = disk->syspath; (p = strchr(p, '/')) != NULL; p++) {
		unsigned v[4];
		int n = 0;

		if (sscanf(p, "/%4x:%2x:%2x.%1x%n", &v[0], &v[1], &v[2], &v[3], &n) ==
			    4 &&
		    p[n] == '/')
			found = p + n;
	}
	return found ? arena_strndup(a, disk->syspath, (size_t)(found - disk->syspath))
		     : NULL;
}

static const char *usb_dir(struct arena *a, const struct disk *disk)
{
	char *dir = disk->usb_id ? arena_strdup(a, disk->syspath) : NULL;

	for (char *slash = dir ? strrchr(dir, '/') : NULL; slash && slash != dir;
	     slash = strrchr(dir, '/')) {
		*slash = '\0';
		if (sysfile_exists(dir, "idVendor"))
			return dir;
	}
	return NULL;
}

int sysfs_collect(struct capture *c, struct cap_snapshot *s, const struct disk *disk,
		  const char *sysroot)
{
	static const char *const queue[] = {
		"rotational",	      "scheduler",	     "discard_max_bytes",
		"write_cache",	      "nr_requests",	     "zoned",
		"logical_block_size", "physical_block_size", NULL
	};
	static const char *const device[] = { "iodone_cnt",
					      "ioerr_cnt",
					      "iotmo_cnt",
					      "timeout",
					      "queue_depth",
					      "queue_type",
					      "power/runtime_status",
					      NULL };
	static const char *const link[] = { "sata_spd", "hw_sata_spd_limit",
					    "sata_spd_limit", NULL };
	static const char *const ata[] = { "spdn_cnt", "ering", NULL };
	static const char *const host[] = { "link_power_management_policy", NULL };
	static const char *const pci[] = { "current_link_speed", "max_link_speed",
					   "current_link_width", "max_link_width", NULL };
	static const char *const usb[] = { "speed", NULL };
	static const char *const block[] = { "stat", NULL };
	struct arena a = { 0 };
	const struct folder folders[] = {
		{ arena_printf(&a, "%s/queue", disk->syspath), "queue", queue },
		{ arena_printf(&a, "%s/device", disk->syspath), "device", device },
		{ disk->syspath, "block", block },
		{ link_class_dir(&a, disk), "link", link },
		{ ata_device_dir(&a, disk), "ata_device", ata },
		{ host_dir(&a, disk), "host", host },
		{ disk->path == PATH_NVME || disk->path == PATH_ATA ? pci_dir(&a, disk)
								    : NULL,
		  "pci", pci },
		{ usb_dir(&a, disk), "usb", usb },
	};
	int r = put_identity(c, s, disk);

	(void)sysroot; /* all paths of a disk are real paths below it already */
	for (size_t i = 0; r == 0 && i < array_size(folders); i++)
		r = put_folder(c, s, &folders[i]);
	arena_done(&a);
	return r;
}
