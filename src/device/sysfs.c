/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of /sys that say something of a drive and its port, as items of a capture. */
#include <dirent.h>
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
		/* without "0x", as IDENTIFY DEVICE data give it */
		{ "sysfs/disk/wwn",
		  disk->wwn && str_starts(disk->wwn, "0x") ? disk->wwn + 2 : disk->wwn },
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

/* /dev/disk/by-..., a line each, sorted: udev gives them in no order. */
static int put_names(struct capture *c, struct cap_snapshot *s, const struct disk *disk)
{
	struct buf text cleanup_buf = { 0 };
	const char *last = "";

	for (size_t n = 0; n < disk->n_names; n++) {
		const char *next = NULL;

		for (size_t i = 0; i < disk->n_names; i++)
			if (strcmp(disk->names[i], last) > 0 &&
			    (!next || strcmp(disk->names[i], next) < 0))
				next = disk->names[i];
		if (!next)
			break;
		buf_puts(&text, next);
		buf_putc(&text, '\n');
		last = next;
	}
	return buf_error(&text) < 0 ? -ENOMEM
				    : put(c, s, "sysfs/disk/names", buf_span(&text));
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

/* The bridge or root port above a PCI function: what the slot could do. */
static const char *pci_port_dir(struct arena *a, const struct disk *disk)
{
	const char *dir = disk->path == PATH_NVME ? pci_dir(a, disk) : NULL;
	const char *slash = dir ? strrchr(dir, '/') : NULL;

	return slash && slash != dir ? arena_strndup(a, dir, (size_t)(slash - dir))
				     : NULL;
}

/*
 * .../host6/port-6:0/phy-6:0 -> .../sas_phy/phy-6:0: the phy that looks at the drive. Of a wide
 * port the first; behind an expander the expander's.
 */
static const char *sas_phy_dir(struct arena *a, const struct disk *disk)
{
	const char *port = NULL, *end, *dir, *found = NULL;
	struct dirent *e;
	DIR *d;

	for (const char *p = disk->syspath; (p = strstr(p, "/port-")) != NULL; p++)
		port = p;
	end = port ? strchr(port + 1, '/') : NULL;
	if (!end)
		return NULL;
	dir = arena_strndup(a, disk->syspath, (size_t)(end - disk->syspath));
	d = dir ? opendir(dir) : NULL;
	while (d && (e = readdir(d)) != NULL)
		if (str_starts(e->d_name, "phy-") &&
		    (!found || strcmp(e->d_name, found) < 0))
			found = arena_strdup(a, e->d_name);
	if (d)
		(void)closedir(d);
	return found ? arena_printf(a, "%s/%s/sas_phy/%s", dir, found, found) : NULL;
}

/* "sda1 2048" a line: where the partitions begin, in sectors of 512 bytes. */
static int add_partition(struct buf *text, struct buf *holders, const struct disk *disk,
			 const char *name)
{
	struct buf start cleanup_buf = { 0 };
	char path[PATH_MAX];
	struct dirent *e;
	DIR *d;

	(void)snprintf(path, sizeof(path), "%s/%s/start", disk->syspath, name);
	if (sysfile_read(path, &start) == 0)
		buf_printf(text, "%s %s", name, buf_text(&start));
	(void)snprintf(path, sizeof(path), "%s/%s/holders", disk->syspath, name);
	d = opendir(path);
	while (d && (e = readdir(d)) != NULL)
		if (e->d_name[0] != '.')
			buf_printf(holders, "%s%s", holders->len ? " " : "", e->d_name);
	if (d)
		(void)closedir(d);
	return buf_error(text) < 0 || buf_error(holders) < 0 ? -ENOMEM : 0;
}

/* What the array above works on: /sys/block/md0/md/sync_action, unless it is idle. */
static int put_array_work(struct capture *c, struct cap_snapshot *s,
			  const struct disk *disk, const char *holders)
{
	const char *devices = strstr(disk->syspath, "/devices/"), *md = holders;
	struct buf text cleanup_buf = { 0 };
	char path[PATH_MAX], name[32];

	while (md && !(str_starts(md, "md") && str_is_digit(md[2]))) {
		md = strchr(md, ' ');
		md = md ? md + 1 : NULL;
	}
	if (!devices || !md || sscanf(md, "%31s", name) != 1)
		return 0;
	(void)snprintf(path, sizeof(path), "%.*s/block/%s/md/sync_action",
		       (int)(devices - disk->syspath), disk->syspath, name);
	if (sysfile_read(path, &text) < 0 || str_starts(buf_text(&text), "idle"))
		return 0;
	return put(c, s, "sysfs/block/array_work", buf_span(&text));
}

static int put_partitions(struct capture *c, struct cap_snapshot *s,
			  const struct disk *disk)
{
	struct buf text cleanup_buf = { 0 }, holders cleanup_buf = { 0 };
	struct dirent *e;
	DIR *d = opendir(disk->syspath);
	int r = d ? add_partition(&text, &holders, disk, "") : 0;

	while (r == 0 && d && (e = readdir(d)) != NULL)
		if (str_starts(e->d_name, disk->name))
			r = add_partition(&text, &holders, disk, e->d_name);
	if (d)
		(void)closedir(d);
	if (r == 0)
		r = put(c, s, "sysfs/block/partitions", buf_span(&text));
	if (r == 0)
		r = put(c, s, "sysfs/block/holders", buf_span(&holders));
	return r < 0 ? r : put_array_work(c, s, disk, buf_text(&holders));
}

/* "8086:a102" of the PCI function the drive hangs on. */
static int put_controller(struct capture *c, struct cap_snapshot *s, struct arena *a,
			  const char *dir)
{
	const char *vendor = dir ? sysfile_line(a, dir, "vendor") : NULL;
	const char *device = dir ? sysfile_line(a, dir, "device") : NULL;

	if (!vendor || !device || !str_starts(vendor, "0x") || !str_starts(device, "0x"))
		return 0;
	return put_text(c, s, "sysfs/pci/id",
			arena_printf(a, "%s:%s", vendor + 2, device + 2));
}

static const char *block_dir(struct arena *a, const struct disk *disk)
{
	(void)a;
	return disk->syspath;
}

static const char *queue_dir(struct arena *a, const struct disk *disk)
{
	return arena_printf(a, "%s/queue", disk->syspath);
}

static const char *device_dir(struct arena *a, const struct disk *disk)
{
	return arena_printf(a, "%s/device", disk->syspath);
}

/* Folders, what they are called in the items, and which of their files are kept. */
static const struct folder {
	const char *(*find)(struct arena *a, const struct disk *disk); /* NULL: none */
	const char *room;
	const char *files[9];
} folders[] = {
	{ queue_dir,
	  "queue",
	  { "rotational", "scheduler", "discard_max_bytes", "write_cache", "nr_requests",
	    "zoned", "logical_block_size", "physical_block_size" } },
	{ device_dir,
	  "device",
	  { "iodone_cnt", "ioerr_cnt", "iotmo_cnt", "timeout", "queue_depth",
	    "queue_type", "power/runtime_status" } },
	{ block_dir, "block", { "stat" } },
	{ link_class_dir, "link", { "sata_spd", "hw_sata_spd_limit", "sata_spd_limit" } },
	{ ata_device_dir, "ata_device", { "spdn_cnt", "ering" } },
	{ host_dir, "host", { "link_power_management_policy" } },
	{ pci_dir,
	  "pci",
	  { "current_link_speed", "max_link_speed", "current_link_width",
	    "max_link_width", "aer_dev_correctable", "aer_dev_nonfatal",
	    "aer_dev_fatal" } },
	{ pci_port_dir, "pci_port", { "max_link_speed", "max_link_width" } },
	{ sas_phy_dir,
	  "sas_phy",
	  { "invalid_dword_count", "running_disparity_error_count",
	    "loss_of_dword_sync_count", "phy_reset_problem_count", "negotiated_linkrate",
	    "maximum_linkrate" } },
	{ usb_dir, "usb", { "speed" } },
};

static int put_folder(struct capture *c, struct cap_snapshot *s, const struct folder *f,
		      const char *dir)
{
	for (size_t i = 0; dir && i < array_size(f->files) && f->files[i]; i++) {
		int r = put_file(c, s, dir, f->files[i], f->room);

		if (r < 0)
			return r;
	}
	return 0;
}

int sysfs_collect(struct capture *c, struct cap_snapshot *s, const struct disk *disk,
		  const char *sysroot)
{
	struct arena a = { 0 };
	int r = put_identity(c, s, disk);

	if (r == 0)
		r = put_names(c, s, disk);
	/* all paths of a disk are real paths below the saved tree already */
	if (r == 0 && !sysroot)
		r = put_file(c, s, "/proc/sys/kernel/random", "boot_id", "kernel");
	for (size_t i = 0; r == 0 && i < array_size(folders); i++)
		r = put_folder(c, s, &folders[i], folders[i].find(&a, disk));
	if (r == 0)
		r = put_partitions(c, s, disk);
	if (r == 0)
		r = put_controller(c, s, &a, pci_dir(&a, disk));
	arena_done(&a);
	return r;
}
