/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "device/host.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "device/sysfile.h"

/* More waiting tasks than this say nothing new. */
#define MAX_TASKS 64u
/* A machine with more processes is read in part: this is evidence, not an inventory. */
#define MAX_LOOKS 20000u

static int put(struct capture *c, struct cap_snapshot *s, const char *id,
	       const struct buf *text)
{
	if (buf_error(text) < 0)
		return -ENOMEM;
	if (!text->len)
		return 0;
	return capture_add_item(c, s, id, CAP_OK, buf_span(text)) ? 0 : -ENOMEM;
}

static int put_file(struct capture *c, struct cap_snapshot *s, const char *root,
		    const char *file, const char *id)
{
	struct buf text cleanup_buf = { 0 };
	char path[PATH_MAX];

	(void)snprintf(path, sizeof(path), "%s%s", root, file);
	return sysfile_read(path, &text) < 0 ? 0 : put(c, s, id, &text);
}

/* A command line may hold names and passwords: only options of storage drivers are kept. */
static const char *const options[] = {
	"libata.",     "ahci.",	    "nvme.",	"nvme_core.", "usb-storage.", "usbcore.",
	"uas.",	       "scsi_mod.", "mpt3sas.", "pcie_aspm",  "pci=",	      "iommu",
	"intel_iommu", "amd_iommu", "sata_",	"irqpoll",    "noapic",	      NULL,
};

static bool is_storage_option(const char *word)
{
	for (const char *const *o = options; *o; o++)
		if (str_starts(word, *o))
			return true;
	return false;
}

static int put_options(struct capture *c, struct cap_snapshot *s, const char *root)
{
	struct buf text cleanup_buf = { 0 }, kept cleanup_buf = { 0 };
	char path[PATH_MAX], word[128];
	const char *p;
	int n;

	(void)snprintf(path, sizeof(path), "%s/proc/cmdline", root);
	if (sysfile_read(path, &text) < 0)
		return 0;
	for (p = buf_text(&text); sscanf(p, "%127s%n", word, &n) == 1; p += n)
		if (is_storage_option(word))
			buf_printf(&kept, "%s%s", kept.len ? " " : "", word);
	return put(c, s, "host/boot_options", &kept);
}

/* "state" of /proc/PID/stat stands behind the name, which may hold anything but ends in ')'. */
static bool is_waiting(const char *stat)
{
	const char *p = strrchr(stat, ')');

	return p && p[1] == ' ' && p[2] == 'D';
}

static void add_task(struct buf *text, const char *dir, const char *stat)
{
	const char *open = strchr(stat, '('), *shut = strrchr(stat, ')');
	struct buf where cleanup_buf = { 0 };
	char path[PATH_MAX + 310];

	if (!open || !shut || shut < open)
		return;
	(void)snprintf(path, sizeof(path), "%s/wchan", dir);
	if (sysfile_read(path, &where) < 0 || str_equal(buf_text(&where), "0"))
		buf_clear(&where);
	for (const char *p = open + 1; p < shut; p++)
		buf_putc(text, *p == '\t' || *p == '\n' ? ' ' : *p);
	buf_printf(text, "\t%s\n", where.len ? buf_text(&where) : "?");
}

static int put_tasks(struct capture *c, struct cap_snapshot *s, const char *root)
{
	struct buf text cleanup_buf = { 0 };
	char path[PATH_MAX];
	unsigned looks = 0, found = 0;
	struct dirent *e;
	DIR *d;

	(void)snprintf(path, sizeof(path), "%s/proc", root);
	d = opendir(path);
	while (d && found < MAX_TASKS && (e = readdir(d)) != NULL) {
		struct buf stat cleanup_buf = { 0 };
		char dir[PATH_MAX + 300], file[PATH_MAX + 310];

		if (!str_is_digit(e->d_name[0]) || looks++ >= MAX_LOOKS)
			continue;
		(void)snprintf(dir, sizeof(dir), "%s/%s", path, e->d_name);
		(void)snprintf(file, sizeof(file), "%s/stat", dir);
		if (sysfile_read(file, &stat) < 0 || !is_waiting(buf_text(&stat)))
			continue;
		add_task(&text, dir, buf_text(&stat));
		found++;
	}
	if (d)
		(void)closedir(d);
	return put(c, s, "host/waiting_tasks", &text);
}

int host_collect(struct capture *c, struct cap_snapshot *s, const char *root)
{
	static const struct {
		const char *file, *id;
	} files[] = {
		{ "/sys/power/suspend_stats/success", "host/suspends" },
	};
	const char *base = root ? root : "";
	int r = put_options(c, s, base);

	for (size_t i = 0; r == 0 && i < array_size(files); i++)
		r = put_file(c, s, base, files[i].file, files[i].id);
	return r < 0 ? r : put_tasks(c, s, base);
}
