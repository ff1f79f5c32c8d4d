/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "device/node.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/str.h"

/* ATA Information VPD page, SAT-4 12.4.2: the command at byte 56, its data from byte 60. */
#define VPD_BYTES    572u
#define VPD_PAGE     0x89u
#define VPD_COMMAND  56u
#define VPD_IDENTIFY 60u

/* Read at most SIZE bytes of FOLDER/NAME. Returns how many, or 0. */
static size_t read_file(const char *folder, const char *name, void *ret, size_t size)
{
	char path[PATH_MAX + 64];
	ssize_t n;
	int fd;

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, ret, size);
	(void)close(fd);
	return n > 0 ? (size_t)n : 0;
}

static bool says(const char *folder, const char *name, const char *word)
{
	char text[32] = { 0 };
	size_t len = read_file(folder, name, text, sizeof(text) - 1);

	while (len && str_is_space(text[len - 1]))
		text[--len] = '\0';
	return len && str_equal(text, word);
}

static void read_identify(const char *folder, struct node *n)
{
	uint8_t page[VPD_BYTES];

	if (read_file(folder, "device/vpd_pg89", page, sizeof(page)) != sizeof(page) ||
	    page[1] != VPD_PAGE || page[VPD_COMMAND] != ATA_IDENTIFY_DEVICE)
		return;
	memcpy(n->identify, page + VPD_IDENTIFY, ATA_SECTOR);
	n->has_identify = true;
}

/* A partition has no device of its own: its disk stands one folder up. */
static void find_disk(char *folder)
{
	char *slash;

	if (access(folder, F_OK) != 0)
		return;
	for (int i = 0; i < 2; i++) {
		char path[PATH_MAX + 64];

		(void)snprintf(path, sizeof(path), "%s/device", folder);
		slash = strrchr(folder, '/');
		if (access(path, F_OK) == 0 || !slash)
			return;
		*slash = '\0';
	}
}

struct node node_read(const char *sysroot, bool block, dev_t number)
{
	struct node n = { 0 };
	char link[PATH_MAX], folder[PATH_MAX];

	(void)snprintf(link, sizeof(link), "%s/sys/dev/%s/%u:%u", sysroot ? sysroot : "",
		       block ? "block" : "char", major(number), minor(number));
	if (!realpath(link, folder))
		return n;
	find_disk(folder);
	n.usb = strstr(folder, "/usb") != NULL;
	n.disk = says(folder, "device/type", "0") || says(folder, "device/type", "14");
	n.optical = says(folder, "device/type", "5");
	n.suspended = says(folder, "device/power/runtime_status", "suspended");
	n.solid_state = says(folder, "queue/rotational", "0");
	read_identify(folder, &n);
	return n;
}

int node_find(const char *path, struct node *ret)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return -errno;
	if (!S_ISBLK(st.st_mode) && !S_ISCHR(st.st_mode))
		return -ENOTBLK;
	*ret = node_read(NULL, S_ISBLK(st.st_mode), st.st_rdev);
	return 0;
}
