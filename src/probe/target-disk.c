/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The disk below a target, and what the kernel counts on it. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/str.h"
#include "device/sysfile.h"
#include "probe/engine.h"
#include "probe/lane.h"
#include "probe/target-private.h"

static const char *folder_of(struct arena *a, dev_t number)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "/sys/dev/block/%u:%u", major(number),
		       minor(number));
	return sysfile_real(a, path);
}

/*
 * Filesystems on several devices (btrfs) and layers have a device number of their own; the mount
 * table names a device for it. "36 35 0:30 / /mnt rw - btrfs /dev/sda2 rw"
 */
static bool mount_source(dev_t number, char *ret, size_t size)
{
	char want[32], line[4096];
	FILE *f cleanup_file = fopen("/proc/self/mountinfo", "re");
	bool found = false;

	(void)snprintf(want, sizeof(want), " %u:%u ", major(number), minor(number));
	while (f && !found && fgets(line, sizeof(line), f)) {
		const char *dash = strstr(line, " - "), *source;
		size_t len;

		if (!dash || !strstr(line, want) || strstr(line, want) > dash)
			continue;
		source = strchr(dash + 3, ' ');
		len = source ? strcspn(source + 1, " \n") : 0;
		if (len && len < size && source[1] == '/') {
			memcpy(ret, source + 1, len);
			ret[len] = 0;
			found = true;
		}
	}
	return found;
}

static const char *disk_folder(struct arena *a, dev_t number)
{
	const char *path = folder_of(a, number);
	char source[PATH_MAX];
	struct stat st;

	if (!path && mount_source(number, source, sizeof(source)) &&
	    stat(source, &st) == 0 && S_ISBLK(st.st_mode))
		path = folder_of(a, st.st_rdev);
	return path;
}

/* The one device below a dm or md device; NULL when it has none or several. */
static const char *only_slave(struct arena *a, const char *path)
{
	char name[PATH_MAX];
	const char *found = NULL;
	struct dirent *e;
	DIR *d;

	(void)snprintf(name, sizeof(name), "%s/slaves", path);
	d = opendir(name);
	while (d && (e = readdir(d))) {
		char one[PATH_MAX];

		if (e->d_name[0] == '.')
			continue;
		if (found) {
			found = NULL;
			break;
		}
		if (snprintf(one, sizeof(one), "%s/%s", name, e->d_name) <
		    (int)sizeof(one))
			found = sysfile_real(a, one);
	}
	if (d)
		(void)closedir(d);
	return found;
}

static const char *parent_of(struct arena *a, const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash > path ? arena_strndup(a, path, (size_t)(slash - path))
				     : NULL;
}

/* "dm-0 (crypt)" from dm/uuid "CRYPT-LUKS2-...", "md0 (raid1)", "loop0 (disk.img)" */
static const char *layer_name(struct arena *a, const char *path)
{
	const char *name = strrchr(path, '/') + 1,
		   *uuid = sysfile_line(a, path, "dm/uuid");
	const char *kind = sysfile_line(a, path, "md/level"), *file;

	if (kind)
		return arena_printf(a, "%s (%s)", name, kind);
	if (uuid && str_starts(uuid, "CRYPT-"))
		return arena_printf(a, "%s (dm-crypt)", name);
	if (uuid && str_starts(uuid, "LVM-"))
		return arena_printf(a, "%s (LVM)", name);
	if (sysfile_exists(path, "dm"))
		return arena_printf(a, "%s (device mapper)", name);
	file = sysfile_line(a, path, "loop/backing_file");
	return file ? arena_printf(a, "%s (loop device on a file)", name) : NULL;
}

static void add_layer(struct target *t, const char *path)
{
	const char *name =
		t->n_layers < TARGET_LAYERS ? layer_name(&t->arena, path) : NULL;

	if (name)
		t->layers[t->n_layers++] = name;
}

static uint32_t most_bytes(struct arena *a, const char *path)
{
	const char *text = sysfile_line(a, path, "queue/max_sectors_kb");
	uint64_t kb;

	return text && str_to_u64(text, &kb) == 0 && kb <= 1u << 20 ? (uint32_t)kb * 1024
								    : 0;
}

int target_find_disk(struct target *t, dev_t number)
{
	const char *path = disk_folder(&t->arena, number), *below;

	for (unsigned i = 0; path && i < TARGET_LAYERS; i++) {
		if (sysfile_exists(path, "partition"))
			path = parent_of(&t->arena, path);
		if (path)
			add_layer(t, path);
		below = path ? only_slave(&t->arena, path) : NULL;
		if (!below)
			break;
		path = below;
	}
	if (!path)
		return 0;
	t->syspath = path;
	t->most_bytes = most_bytes(&t->arena, path);
	t->disk = strrchr(path, '/') ? strrchr(path, '/') + 1 : NULL;
	return 0;
}

/* ---- counts ---- */

int disk_counts_read(struct target *t, struct disk_counts *ret)
{
	struct arena a = { 0 };
	struct disk_counts c = { 0 };
	uint64_t *const to[] = { &c.reads,	   &c.read_merges, &c.read_sectors,
				 &c.read_ms,	   &c.writes,	   &c.write_merges,
				 &c.write_sectors, &c.write_ms,	   &c.in_flight,
				 &c.busy_ms,	   &c.queue_ms };
	const char *line;
	size_t n = 0;

	if (t->counts)
		return t->counts(t, ret);
	if (!t->syspath)
		return -ENOENT;
	line = sysfile_line(&a, t->syspath, "queue/iostats");
	if (line && str_equal(line, "0")) {
		arena_done(&a);
		return -ENODATA;
	}
	line = sysfile_line(&a, t->syspath, "stat");
	while (line && n < array_size(to) && str_take_u64(&line, 10, to[n]) == 0) {
		n++;
		line += strspn(line, " ");
	}
	arena_done(&a);
	if (n < array_size(to))
		return -ENODATA;
	c.at_ns = lane_clock(NULL);
	*ret = c;
	return 0;
}

static uint64_t less(uint64_t after, uint64_t before)
{
	return after > before ? after - before : 0;
}

struct disk_counts disk_counts_since(const struct disk_counts *before,
				     const struct disk_counts *after)
{
	return (struct disk_counts){
		.reads = less(after->reads, before->reads),
		.read_merges = less(after->read_merges, before->read_merges),
		.read_sectors = less(after->read_sectors, before->read_sectors),
		.read_ms = less(after->read_ms, before->read_ms),
		.writes = less(after->writes, before->writes),
		.write_merges = less(after->write_merges, before->write_merges),
		.write_sectors = less(after->write_sectors, before->write_sectors),
		.write_ms = less(after->write_ms, before->write_ms),
		.in_flight = after->in_flight,
		.busy_ms = less(after->busy_ms, before->busy_ms),
		.queue_ms = less(after->queue_ms, before->queue_ms),
		.at_ns = less(after->at_ns, before->at_ns),
	};
}
