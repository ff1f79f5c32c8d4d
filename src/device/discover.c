/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "device/discover.h"

#include <dirent.h>
#include <errno.h>
#include <libudev.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "device/disk-path.h"
#include "device/sysfile.h"

/* Block devices that are no drive of their own. */
static bool is_virtual(const char *name)
{
	static const char *const prefixes[] = { "loop", "ram", "zram", "dm-", "md",
						"sr",	"fd",  "nbd",  "zd",  "drbd" };

	for (size_t i = 0; i < array_size(prefixes); i++)
		if (str_starts(name, prefixes[i]))
			return true;
	return false;
}

/* udev's properties of one disk: from the running system, or a saved /run/udev/data file. */
struct properties {
	struct udev_device *device;
	struct buf saved;
};

/* "E:KEY=VALUE" lines of the saved file. */
static const char *saved_property(struct arena *a, const char *text, const char *key)
{
	size_t len = strlen(key);

	for (const char *line = text; line && *line; line = strchr(line, '\n')) {
		while (*line == '\n')
			line++;
		if (str_starts(line, "E:") && strncmp(line + 2, key, len) == 0 &&
		    line[2 + len] == '=')
			return arena_strndup(a, line + 3 + len,
					     strcspn(line + 3 + len, "\n"));
	}
	return NULL;
}

static const char *property(struct arena *a, const struct properties *p, const char *key)
{
	const char *value;

	if (!p->device)
		return saved_property(a, buf_text(&p->saved), key);
	value = udev_device_get_property_value(p->device, key);
	return value && *value ? arena_strdup(a, value) : NULL;
}

static int add_name(struct arena *a, struct disk *disk, size_t *cap, const char *name)
{
	const char **slot =
		arena_push(a, &disk->names, &disk->n_names, cap, sizeof(*slot));

	if (!slot)
		return -ENOMEM;
	*slot = name;
	return 0;
}

static int take_names(struct arena *a, const struct properties *p, struct disk *disk)
{
	struct udev_list_entry *e;
	size_t cap = 0;
	int r = 0;

	if (p->device) {
		udev_list_entry_foreach(e, udev_device_get_devlinks_list_entry(p->device))
		{
			const char *name = arena_strdup(a, udev_list_entry_get_name(e));

			r = name ? add_name(a, disk, &cap, name) : -ENOMEM;
			if (r < 0)
				return r;
		}
		return 0;
	}
	for (const char *line = buf_text(&p->saved); line && *line;
	     line = strchr(line, '\n')) {
		while (*line == '\n')
			line++;
		if (!str_starts(line, "S:"))
			continue;
		r = add_name(a, disk, &cap,
			     arena_printf(a, "/dev/%.*s", (int)strcspn(line + 2, "\n"),
					  line + 2));
		if (r < 0)
			return r;
	}
	return 0;
}

static const char *first_of(struct arena *a, const struct properties *p,
			    const char *const *keys, const char *dir,
			    const char *const *files)
{
	const char *value = NULL;

	for (; !value && *keys; keys++)
		value = property(a, p, *keys);
	for (; !value && *files; files++)
		value = sysfile_line(a, dir, *files);
	return value;
}

/* ID_MODEL_ENC holds the whole model with blanks as \x20; ID_MODEL has lost them. */
static const char *whole_model(struct arena *a, const struct properties *p)
{
	const char *encoded = property(a, p, "ID_MODEL_ENC");
	struct buf text cleanup_buf = { 0 };
	size_t len;

	if (!encoded || str_add_unescaped(&text, encoded, strlen(encoded)) < 0)
		return NULL;
	len = text.len;
	while (len && buf_text(&text)[len - 1] == ' ')
		len--;
	return len ? arena_strndup(a, buf_text(&text), len) : NULL;
}

static void take_identity(struct arena *a, const struct properties *p, struct disk *disk)
{
	static const char *const no_keys[] = { NULL };
	static const char *const model_files[] = { "device/model", NULL };
	static const char *const serial_keys[] = { "ID_SERIAL_SHORT", "ID_SCSI_SERIAL",
						   NULL };
	static const char *const serial_files[] = { "device/serial", "serial", NULL };
	static const char *const wwn_keys[] = { "ID_WWN_WITH_EXTENSION", "ID_WWN", NULL };
	static const char *const wwn_files[] = { "wwid", "device/wwid", NULL };
	static const char *const rev_keys[] = { "ID_REVISION", NULL };
	static const char *const rev_files[] = { "device/firmware_rev", "device/rev",
						 NULL };
	const char *sectors = sysfile_line(a, disk->syspath, "size");
	uint64_t n;

	disk->model = whole_model(a, p);
	if (!disk->model)
		disk->model = first_of(a, p, no_keys, disk->syspath, model_files);
	disk->serial = first_of(a, p, serial_keys, disk->syspath, serial_files);
	disk->wwn = first_of(a, p, wwn_keys, disk->syspath, wwn_files);
	disk->firmware = first_of(a, p, rev_keys, disk->syspath, rev_files);
	/* the size file counts 512-byte units whatever the logical sector is */
	if (sectors && str_to_u64(sectors, &n) == 0 && n <= UINT64_MAX / 512)
		disk->bytes = n * 512;
}

static bool is_suspended(struct arena *a, const struct disk *disk)
{
	const char *status =
		sysfile_line(a, disk->syspath, "device/power/runtime_status");

	return status && str_equal(status, "suspended");
}

/* cciss!c0d0 in /sys is cciss/c0d0 in /dev */
static const char *node_of(struct arena *a, const char *name)
{
	char *node = arena_printf(a, "/dev/%s", name);

	for (char *s = node; s && *s; s++)
		if (*s == '!')
			*s = '/';
	return node;
}

static int add_disk(struct disk_list *l, const char *name, const char *syspath,
		    const struct properties *p)
{
	struct disk *disk =
		arena_push(&l->arena, &l->items, &l->n, &l->cap, sizeof(*disk));
	int r;

	if (!disk)
		return -ENOMEM;
	disk->name = arena_strdup(&l->arena, name);
	disk->node = node_of(&l->arena, name);
	disk->syspath = syspath;
	if (!disk->name || !disk->node)
		return -ENOMEM;
	take_identity(&l->arena, p, disk);
	disk->asleep = is_suspended(&l->arena, disk);
	r = take_names(&l->arena, p, disk);
	return r == 0 ? disk_path_find(&l->arena, disk) : r;
}

static int add_saved(struct disk_list *l, const char *sysroot, const char *name)
{
	struct properties p = { 0 };
	char path[PATH_MAX];
	const char *syspath, *dev;
	int r = 0;

	(void)snprintf(path, sizeof(path), "%s/sys/block/%s", sysroot, name);
	syspath = sysfile_real(&l->arena, path);
	dev = syspath ? sysfile_line(&l->arena, syspath, "dev") : NULL;
	if (!syspath)
		return 0; /* went away, or an incomplete tree */
	if (dev) {
		(void)snprintf(path, sizeof(path), "%s/run/udev/data/b%s", sysroot, dev);
		(void)!sysfile_read(path,
				    &p.saved); /* a tree without udev's data is fine */
	}
	r = add_disk(l, name, syspath, &p);
	buf_done(&p.saved);
	return r;
}

static int discover_saved(struct disk_list *l, const char *sysroot)
{
	char path[PATH_MAX];
	DIR *d;
	int r = 0;

	(void)snprintf(path, sizeof(path), "%s/sys/block", sysroot);
	d = opendir(path);
	if (!d)
		return -errno;
	for (struct dirent *e = readdir(d); r == 0 && e; e = readdir(d))
		if (e->d_name[0] != '.' && !is_virtual(e->d_name))
			r = add_saved(l, sysroot, e->d_name);
	(void)closedir(d);
	return r;
}

static int add_live(struct disk_list *l, struct udev *udev, const char *syspath)
{
	struct properties p = { .device = udev_device_new_from_syspath(udev, syspath) };
	const char *name = p.device ? udev_device_get_sysname(p.device) : NULL;
	const char *copy = arena_strdup(&l->arena, syspath);
	int r = 0;

	if (!copy)
		r = -ENOMEM;
	else if (name && !is_virtual(name))
		r = add_disk(l, name, copy, &p);
	udev_device_unref(p.device);
	return r;
}

static int discover_live(struct disk_list *l)
{
	struct udev *udev = udev_new();
	struct udev_enumerate *e = udev ? udev_enumerate_new(udev) : NULL;
	struct udev_list_entry *entry;
	int r = e ? 0 : -ENOMEM;

	if (r == 0)
		r = udev_enumerate_add_match_subsystem(e, "block");
	if (r == 0)
		r = udev_enumerate_add_match_property(e, "DEVTYPE", "disk");
	if (r == 0)
		r = udev_enumerate_scan_devices(e);
	if (r == 0) {
		udev_list_entry_foreach(entry, udev_enumerate_get_list_entry(e))
		{
			r = add_live(l, udev, udev_list_entry_get_name(entry));
			if (r < 0)
				break;
		}
	}
	udev_enumerate_unref(e);
	udev_unref(udev);
	return r;
}

/* sda before sdb before sdaa: by length, then by letters. */
static bool stands_before(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);

	return n != m ? n < m : strcmp(a, b) < 0;
}

static void sort_disks(struct disk_list *l)
{
	for (size_t i = 1; i < l->n; i++) {
		for (size_t k = i;
		     k > 0 && stands_before(l->items[k].name, l->items[k - 1].name);
		     k--) {
			struct disk swap = l->items[k];

			l->items[k] = l->items[k - 1];
			l->items[k - 1] = swap;
		}
	}
}

int discover_disks(const char *sysroot, struct disk_list *ret, struct diag *d)
{
	struct disk_list out = { 0 };
	int r = sysroot ? discover_saved(&out, sysroot) : discover_live(&out);

	if (r < 0) {
		if (r != -ENOMEM)
			diag_add(d, DIAG_ERROR, sysroot ? sysroot : "/sys", 0,
				 "cannot list the drives: %s", strerror(-r));
		disk_list_done(&out);
		return r;
	}
	sort_disks(&out);
	*ret = out;
	return 0;
}

void disk_list_done(struct disk_list *l)
{
	arena_done(&l->arena);
	*l = (struct disk_list){ 0 };
}
