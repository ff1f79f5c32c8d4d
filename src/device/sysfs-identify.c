/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * IDENTIFY DEVICE data that the kernel read when the drive was attached, for commands that send
 * nothing: the ATA Information VPD page (SAT-4 12.4.2), or ata_device/id of libata.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "device/disk-path.h"
#include "device/sysfile.h"

#define PAGE_BYTES   512u
#define VPD_BYTES    572u
#define VPD_PAGE     0x89u
#define VPD_COMMAND  56u /* that gave the data: ECh */
#define VPD_IDENTIFY 60u

static bool from_vpd(const struct disk *disk, uint8_t ret[PAGE_BYTES])
{
	struct buf page cleanup_buf = { 0 };
	char path[4200];
	const uint8_t *bytes;

	(void)snprintf(path, sizeof(path), "%s/device/vpd_pg89", disk->syspath);
	if (sysfile_read(path, &page) < 0 || page.len < VPD_BYTES)
		return false;
	bytes = (const uint8_t *)buf_text(&page);
	if (bytes[1] != VPD_PAGE || bytes[VPD_COMMAND] != 0xec)
		return false;
	memcpy(ret, bytes + VPD_IDENTIFY, PAGE_BYTES);
	return true;
}

/* 256 words of four hex digits, show_ata_dev_id() of libata-transport.c. */
static bool from_words(const char *text, uint8_t ret[PAGE_BYTES])
{
	for (size_t i = 0; i < PAGE_BYTES; i += 2) {
		const char *at;
		uint64_t word;

		while (str_is_space(*text))
			text++;
		at = text;
		if (str_take_u64(&text, 16, &word) < 0 || text != at + 4)
			return false;
		ret[i] = (uint8_t)word;
		ret[i + 1] = (uint8_t)(word >> 8);
	}
	return true;
}

static bool from_id(const struct disk *disk, uint8_t ret[PAGE_BYTES])
{
	const char *name = disk->link ? strrchr(disk->link, '/') : NULL;
	const char *number = name ? str_after(name, "/link") : NULL;
	struct buf text cleanup_buf = { 0 };
	char path[4300];

	if (!number)
		return false;
	(void)snprintf(path, sizeof(path), "%s/dev%s.0/ata_device/dev%s.0/id", disk->link,
		       number, number);
	return sysfile_read(path, &text) == 0 && from_words(buf_text(&text), ret);
}

int sysfs_collect_identify(struct capture *c, struct cap_snapshot *s,
			   const struct disk *disk)
{
	uint8_t page[PAGE_BYTES];

	if (!from_vpd(disk, page) && !from_id(disk, page))
		return 0;
	return capture_add_item(c, s, "ata/identify", CAP_OK, span_of(page, sizeof(page)))
		       ? 0
		       : -ENOMEM;
}
