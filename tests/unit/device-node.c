/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A small /sys made by hand: a disk on a libata port with a partition, a USB one, an optical one. */
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "device/node.h"

static char root[] = "/tmp/drivewhy-node-XXXXXX";

static void make_folders(char *path)
{
	for (char *s = path + strlen(root) + 1; *s; s++)
		if (*s == '/') {
			*s = '\0';
			(void)mkdir(path, 0755);
			*s = '/';
		}
}

static void put(const char *name, const void *data, size_t len)
{
	char path[512];
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/%s", root, name);
	make_folders(path);
	f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

static void put_text(const char *name, const char *text)
{
	put(name, text, strlen(text));
}

static void put_link(const char *name, const char *target)
{
	char path[512], to[512];

	(void)snprintf(path, sizeof(path), "%s/%s", root, name);
	(void)snprintf(to, sizeof(to), "%s/%s", root, target);
	make_folders(path);
	assert_int_equal(symlink(to, path), 0);
}

#define ATA_DISK "sys/devices/pci0000:00/0000:00:17.0/ata1/host0/block/sda/"
#define USB_DISK "sys/devices/pci0000:00/0000:00:14.0/usb2/2-1/2-1:1.0/host6/block/sdb/"
#define OPTICAL	 "sys/devices/pci0000:00/0000:00:17.0/ata2/host1/block/sr0/"

static int setup(void **state)
{
	uint8_t vpd[572] = { 0, 0x89, 0x02, 0x38 };

	(void)state;
	if (!mkdtemp(root))
		return 1;
	vpd[56] = 0xec;
	memset(vpd + 60, 0x33, 512);
	put(ATA_DISK "device/vpd_pg89", vpd, sizeof(vpd));
	put_text(ATA_DISK "device/type", "0\n");
	put_text(ATA_DISK "device/power/runtime_status", "suspended\n");
	put_text(ATA_DISK "queue/rotational", "0\n");
	put_text(ATA_DISK "sda1/partition", "1\n");
	put_text(USB_DISK "device/type", "0\n");
	put_text(USB_DISK "device/power/runtime_status", "active\n");
	put_text(USB_DISK "queue/rotational", "1\n");
	put(USB_DISK "device/vpd_pg89", vpd, 100);
	put_text(OPTICAL "device/type", "5\n");
	put_link("sys/dev/block/8:0", ATA_DISK);
	put_link("sys/dev/block/8:1", ATA_DISK "sda1");
	put_link("sys/dev/block/8:16", USB_DISK);
	put_link("sys/dev/block/11:0", OPTICAL);
	return 0;
}

static int teardown(void **state)
{
	char command[64];

	(void)state;
	(void)snprintf(command, sizeof(command), "rm -r %s", root);
	return system(command);
}

static void what_sys_says(void **state)
{
	struct node n = node_read(root, true, makedev(8, 0));

	(void)state;
	assert_true(n.disk && n.suspended && n.solid_state && n.has_identify);
	assert_false(n.usb || n.optical);
	assert_int_equal(n.identify[0], 0x33);
	assert_int_equal(n.identify[511], 0x33);

	n = node_read(root, true, makedev(8, 16));
	assert_true(n.disk && n.usb);
	assert_false(n.suspended || n.solid_state || n.optical);
	assert_false(n.has_identify); /* the page is cut */

	n = node_read(root, true, makedev(11, 0));
	assert_true(n.optical);
	assert_false(n.disk);
}

static void a_partition_is_its_disk(void **state)
{
	struct node n = node_read(root, true, makedev(8, 1));

	(void)state;
	assert_true(n.disk && n.suspended && n.has_identify);
}

static void nothing_there_nothing_known(void **state)
{
	struct node n = node_read(root, true, makedev(259, 0));

	(void)state;
	assert_false(n.disk || n.usb || n.optical || n.suspended || n.has_identify);
	n = node_read(root, false, makedev(8, 0));
	assert_false(n.disk);
}

static void only_devices(void **state)
{
	struct node n = { .usb = true };

	(void)state;
	assert_int_equal(node_find("/dev/null", &n), 0);
	assert_false(n.usb);
	assert_int_equal(node_find(root, &n), -ENOTBLK);
	assert_int_equal(node_find("/nowhere/at/all", &n), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_sys_says),
		cmocka_unit_test(a_partition_is_its_disk),
		cmocka_unit_test(nothing_there_nothing_known),
		cmocka_unit_test(only_devices),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
