/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From any name a person has to the drives below it: a partition belongs to its disk, a device made
 * of others (dm, md) has them in slaves/, a folder lies on what its mount names.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/str.h"
#include "device/discover.h"
#include "device/sysfile.h"
#include "device/target-saved.h"

#define MAX_STEPS                                                                        \
	256u /* devices on the way; a loop of dm devices cannot exist, a broken /sys can */

struct walk {
	struct disk_list *list;
	struct disk_pick *pick;
	const char *todo[MAX_STEPS]; /* folders of /sys, in the list's arena */
	size_t n, done;
	struct buf said;
};

static int pick_disk(struct disk_list *list, struct disk_pick *pick, size_t index)
{
	size_t *slot;

	for (size_t i = 0; i < pick->n; i++)
		if (pick->items[i] == index)
			return 0;
	slot = arena_push(&list->arena, &pick->items, &pick->n, &pick->cap,
			  sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	*slot = index;
	return 0;
}

static bool names_disk(const struct disk *disk, const char *name)
{
	if (str_equal(disk->name, name) || str_equal(disk->node, name))
		return true;
	for (size_t i = 0; i < disk->n_names; i++) {
		const char *slash = strrchr(disk->names[i], '/');

		if (str_equal(disk->names[i], name) ||
		    (slash && str_equal(slash + 1, name)))
			return true;
	}
	return false;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int push_step(struct walk *w, const char *dir)
{
	if (!dir)
		return -ENOMEM;
	if (w->n == MAX_STEPS)
		return -ELOOP;
	w->todo[w->n++] = dir;
	return 0;
}

/* Devices that DIR is made of; *ret_any tells whether there were any. */
static int push_slaves(struct walk *w, const char *dir, bool *ret_any)
{
	char path[PATH_MAX];
	DIR *d;
	int r = 0;

	(void)snprintf(path, sizeof(path), "%s/slaves", dir);
	*ret_any = false;
	d = opendir(path);
	if (!d)
		return 0;
	for (struct dirent *e = readdir(d); r == 0 && e; e = readdir(d)) {
		char slave[PATH_MAX + 256];

		if (e->d_name[0] == '.')
			continue;
		*ret_any = true;
		(void)snprintf(slave, sizeof(slave), "%s/%s", path, e->d_name);
		r = push_step(w, sysfile_real(&w->list->arena, slave));
	}
	(void)closedir(d);
	return r;
}

static int step(struct walk *w, const char *dir)
{
	const char *name = last_part(dir);
	bool any;
	int r;

	buf_printf(&w->said, "%s%s", w->done > 1 ? ", " : "", name);
	if (sysfile_exists(dir, "partition")) {
		size_t len = (size_t)(name - dir - 1);

		return push_step(w, arena_strndup(&w->list->arena, dir, len));
	}
	r = push_slaves(w, dir, &any);
	if (r < 0 || any)
		return r;
	for (size_t i = 0; i < w->list->n; i++)
		if (str_equal(w->list->items[i].name, name))
			return pick_disk(w->list, w->pick, i);
	return 0; /* a ram disk, a network device: no drive */
}

/* Folders have no order; drives do. */
static void sort_picked(struct disk_pick *pick, size_t from)
{
	for (size_t i = from + 1; i < pick->n; i++)
		for (size_t k = i; k > from && pick->items[k] < pick->items[k - 1]; k--) {
			size_t swap = pick->items[k];

			pick->items[k] = pick->items[k - 1];
			pick->items[k - 1] = swap;
		}
}

static int walk_down(struct disk_list *list, const char *start, struct disk_pick *ret)
{
	size_t before = ret->n;
	struct walk w = { .list = list, .pick = ret };
	int r = push_step(&w, start);

	while (r == 0 && w.done < w.n)
		r = step(&w, w.todo[w.done++]);
	/* one step is the drive itself: nothing to explain */
	if (r == 0 && w.n > 1) {
		ret->said = arena_strdup(&list->arena, buf_text(&w.said));
		r = ret->said ? 0 : -ENOMEM;
	}
	buf_done(&w.said);
	sort_picked(ret, before);
	return r == 0 && !ret->n ? -ENODEV : r;
}

/* "UUID=..." and its like are links below /dev/disk. */
static bool tag_path(const char *name, char *ret, size_t size)
{
	static const char *const tags[][2] = {
		{ "UUID=", "by-uuid" },
		{ "LABEL=", "by-label" },
		{ "PARTUUID=", "by-partuuid" },
		{ "PARTLABEL=", "by-partlabel" },
		{ "ID=", "by-id" },
	};

	for (size_t i = 0; i < array_size(tags); i++) {
		const char *value = str_after(name, tags[i][0]);

		if (!value)
			continue;
		(void)snprintf(ret, size, "/dev/disk/%s/%s", tags[i][1], value);
		return true;
	}
	return false;
}

/*
 * A file system without a device number of its own (btrfs, overlay) names its device as the
 * source of its mount: field 10 on of a line in mountinfo, proc(5).
 */
static bool mount_source(dev_t dev, char *ret, size_t size)
{
	char *line = NULL;
	size_t cap = 0;
	bool found = false;
	FILE *f = fopen("/proc/self/mountinfo", "re");

	while (f && !found && getline(&line, &cap, f) > 0) {
		unsigned major_number, minor_number;
		const char *dash = strstr(line, " - ");

		if (!dash ||
		    sscanf(line, "%*u %*u %u:%u", &major_number, &minor_number) != 2 ||
		    makedev(major_number, minor_number) != dev)
			continue;
		dash = strchr(dash + 3, ' ');
		if (!dash || dash[1] != '/')
			continue;
		(void)snprintf(ret, size, "%.*s", (int)strcspn(dash + 1, " \n"),
			       dash + 1);
		found = true;
	}
	free(line);
	if (f)
		(void)fclose(f);
	return found;
}

/* The folder in /sys of what lies behind a path of the running system. */
static int sys_of_path(struct disk_list *list, const char *path, const char **ret)
{
	char source[PATH_MAX], number[64];
	struct stat st;
	dev_t dev;

	if (stat(path, &st) < 0)
		return -errno;
	dev = S_ISBLK(st.st_mode) ? st.st_rdev : st.st_dev;
	if (!S_ISBLK(st.st_mode) && major(dev) == 0 &&
	    mount_source(dev, source, sizeof(source)) && stat(source, &st) == 0 &&
	    S_ISBLK(st.st_mode))
		dev = st.st_rdev;
	(void)snprintf(number, sizeof(number), "/sys/dev/block/%u:%u", major(dev),
		       minor(dev));
	*ret = sysfile_real(&list->arena, number);
	return *ret ? 0 : -ENODEV;
}

int discover_resolve(struct disk_list *list, const char *sysroot, const char *name,
		     struct disk_pick *ret)
{
	char path[PATH_MAX];
	const char *sys = NULL;
	int r;

	for (size_t i = 0; i < list->n; i++)
		if (names_disk(&list->items[i], name))
			return pick_disk(list, ret, i);
	(void)snprintf(path, sizeof(path), "%s/sys/class/block/%s",
		       sysroot ? sysroot : "", last_part(name));
	if (!strchr(name, '/') || str_starts(name, "/dev/"))
		sys = sysfile_real(&list->arena, path);
	if (sys)
		return walk_down(list, sys, ret);
	if (!tag_path(name, path, sizeof(path)))
		(void)snprintf(path, sizeof(path), "%s", name);
	r = sysroot ? saved_find(&list->arena, sysroot, path, &sys)
		    : sys_of_path(list, path, &sys);
	return r < 0 ? r : walk_down(list, sys, ret);
}
