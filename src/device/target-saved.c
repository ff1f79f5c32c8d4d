/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "device/target-saved.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "device/sysfile.h"

/* The next line of a text, or NULL; *s moves behind it. */
static const char *next_line(const char **s, size_t *ret_len)
{
	const char *line = *s;

	if (!*line)
		return NULL;
	*ret_len = strcspn(line, "\n");
	*s = line + *ret_len + (line[*ret_len] == '\n');
	return line;
}

/* "S:disk/by-uuid/..." of udev's data: a link in /dev to this device. */
static bool has_link(const char *data, const char *link)
{
	size_t len, want = strlen(link);
	const char *line;

	while ((line = next_line(&data, &len)) != NULL)
		if (len == want + 2 && str_starts(line, "S:") &&
		    strncmp(line + 2, link, want) == 0)
			return true;
	return false;
}

static int by_number(struct arena *a, const char *sysroot, const char *number,
		     const char **ret)
{
	char path[PATH_MAX];
	const char *dir;

	(void)snprintf(path, sizeof(path), "%s/sys/dev/block/%s", sysroot, number);
	dir = sysfile_real(a, path);
	if (!dir)
		return -ENOENT;
	*ret = dir;
	return 0;
}

/* Files of /run/udev/data are called "b8:2" for the block device 8:2. */
static int by_link(struct arena *a, const char *sysroot, const char *link,
		   const char **ret)
{
	char path[PATH_MAX];
	struct dirent *e;
	int r = -ENOENT;
	DIR *d;

	(void)snprintf(path, sizeof(path), "%s/run/udev/data", sysroot);
	d = opendir(path);
	while (d && r == -ENOENT && (e = readdir(d)) != NULL) {
		struct buf data cleanup_buf = { 0 };

		if (e->d_name[0] != 'b')
			continue;
		(void)snprintf(path, sizeof(path), "%s/run/udev/data/%s", sysroot,
			       e->d_name);
		if (sysfile_read(path, &data) == 0 && has_link(buf_text(&data), link))
			r = by_number(a, sysroot, e->d_name + 1, ret);
	}
	if (d)
		(void)closedir(d);
	return r;
}

static int by_device(struct arena *a, const char *sysroot, const char *device,
		     const char **ret)
{
	const char *link = str_after(device, "/dev/"), *dir;
	char path[PATH_MAX];

	if (!link)
		return -ENOENT;
	(void)snprintf(path, sizeof(path), "%s/sys/class/block/%s", sysroot, link);
	dir = strchr(link, '/') ? NULL : sysfile_real(a, path);
	if (dir) {
		*ret = dir;
		return 0;
	}
	return by_link(a, sysroot, link, ret);
}

/* A line of mountinfo, proc(5): "36 35 98:0 /root /mount/point rw - ext4 /dev/source rw" */
struct mount {
	char number[32], point[PATH_MAX], source[PATH_MAX];
};

static bool read_mount(const char *line, size_t len, struct mount *ret)
{
	char text[2 * PATH_MAX];
	const char *dash;

	if (len >= sizeof(text))
		return false;
	(void)snprintf(text, sizeof(text), "%.*s", (int)len, line);
	dash = strstr(text, " - ");
	return dash &&
	       sscanf(text, "%*u %*u %31s %*s %4095s", ret->number, ret->point) == 2 &&
	       sscanf(dash, " - %*s %4095s", ret->source) == 1;
}

/* NAME is the mount point or below it. */
static bool lies_on(const char *name, const char *point)
{
	size_t len = strlen(point);

	if (str_equal(point, "/"))
		return true;
	return str_starts(name, point) && (!name[len] || name[len] == '/');
}

static int by_mount(struct arena *a, const char *sysroot, const char *name,
		    const char **ret)
{
	struct buf text cleanup_buf = { 0 };
	struct mount best = { .point = "" }, m;
	const char *rest, *line;
	char path[PATH_MAX];
	size_t len;

	(void)snprintf(path, sizeof(path), "%s/proc/self/mountinfo", sysroot);
	if (name[0] != '/' || sysfile_read(path, &text) < 0)
		return -ENOENT;
	rest = buf_text(&text);
	while ((line = next_line(&rest, &len)) != NULL)
		/* of two at one place the later one hides the other */
		if (read_mount(line, len, &m) && lies_on(name, m.point) &&
		    strlen(m.point) >= strlen(best.point))
			best = m;
	if (!best.point[0])
		return -ENOENT;
	/* btrfs and overlays have numbers of their own, major 0 */
	if (!str_starts(best.number, "0:"))
		return by_number(a, sysroot, best.number, ret);
	return by_device(a, sysroot, best.source, ret);
}

int saved_find(struct arena *a, const char *sysroot, const char *name, const char **ret)
{
	if (str_starts(name, "/dev/"))
		return by_device(a, sysroot, name, ret);
	return by_mount(a, sysroot, name, ret);
}
