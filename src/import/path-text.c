/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Single lines that people post of what stands between drive and kernel: lsusb, lspci, the kernel's
 * command line, PCIe error counts, partition tables, fstrim, the write cache. They name no drive, or
 * one of many, so most of them are facts of the host; the judge takes them for the drive when there
 * is only one.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "import/importers.h"
#include "import/words.h"

#define SECTION "path"

struct reader {
	struct import *im;
	struct emit host; /* one report of the host, begun anew when a count repeats */
	bool has_aer, has_usb;
	bool has_link[2]; /* LnkCap, LnkSta of the device that is read */
	unsigned controllers;
	int n;
};

static const char *line_of(const struct reader *r, size_t i)
{
	return r->im->text->lines[i].s;
}

static void claim(struct reader *r, size_t i)
{
	if (r->im->text->lines[i].state == LINE_OPEN)
		text_claim(r->im->text, i, LINE_READ, SECTION);
	r->n++;
}

static bool has_any(const char *s, const char *const *words)
{
	for (; *words; words++)
		if (strstr(s, *words))
			return true;
	return false;
}

/* "Bus 002 Device 003: ID 152d:0578 JMicron Technology Corp. JMS578 SATA 6Gb/s" */
static bool take_lsusb(struct reader *r, size_t i)
{
	static const char *const storage[] = {
		"SATA",	    "ATA",     "Storage",  "storage", "Disk",	  "disk",
		"Drive",    "JMicron", "ASMedia",  "Seagate", "Norelsys", "Initio",
		"Passport", "SSD",     "Elements", NULL
	};
	const char *s = line_of(r, i), *id = strstr(s, ": ID ");
	char text[10];

	if (!str_starts(s, "Bus ") || !strstr(s, " Device ") || !id || strlen(id) < 14 ||
	    id[9] != ':' || !has_any(id + 14, storage) || r->has_usb)
		return false;
	(void)snprintf(text, sizeof(text), "%.9s", id + 5);
	emit_text(&r->host, FACT_USB_ID, 0, 0, text, i);
	emit_text(&r->host, FACT_BUS, 0, 0, "usb", i);
	r->has_usb = true;
	return true;
}

/* "    |__ Port 2: Dev 3, If 0, Class=Mass Storage, Driver=uas, 5000M" */
static bool take_lsusb_tree(struct reader *r, size_t i)
{
	const char *s = line_of(r, i), *driver, *speed, *comma;
	struct buf text cleanup_buf = { 0 };
	uint64_t mbps;

	if (!strstr(s, "Class=Mass Storage"))
		return false;
	driver = strstr(s, "Driver=");
	comma = driver ? strchr(driver, ',') : NULL;
	if (!comma)
		return false;
	buf_add(&text, driver + 7, (size_t)(comma - driver - 7));
	emit_text(&r->host, FACT_DRIVER, 0, 0, buf_text(&text), i);
	emit_text(&r->host, FACT_BUS, 0, 0, "usb", i);
	speed = comma + 1;
	while (*speed == ' ')
		speed++;
	if (str_take_u64(&speed, 10, &mbps) == 0 && *speed == 'M')
		emit_u64(&r->host, FACT_USB_SPEED, 0, 0, mbps, i);
	return true;
}

/* "01:00.0 SATA controller [0106]: ASMedia Technology Inc. ASM1062 ... [1b21:0612] (rev 01)" */
static bool take_lspci(struct reader *r, size_t i)
{
	static const char *const kinds[] = { "SATA controller",
					     "SAS controller",
					     "Serial Attached SCSI controller",
					     "RAID bus controller",
					     "IDE interface",
					     NULL };
	const char *s = line_of(r, i), *name = NULL, *id;
	char text[10];

	for (const char *const *k = kinds; *k && !name; k++)
		name = strstr(s, *k);
	if (!name || name - s > 16 || !strchr(s, ':') || !strchr(name, ':') ||
	    (name != s && name[-1] != ' '))
		return false;
	name = strchr(name, ':') + 1;
	while (*name == ' ')
		name++;
	id = strrchr(name, '[');
	if (id && strlen(id) > 10 && id[5] == ':' && id[10] == ']') {
		(void)snprintf(text, sizeof(text), "%.9s", id + 1);
		emit_text(&r->host, FACT_CONTROLLER_ID, 0, 0, text, i);
	}
	emit_text(&r->host, FACT_CONTROLLER_NAME, 0, 0, name, i);
	r->controllers++;
	return true;
}

/* "LnkCap: Port #0, Speed 8GT/s, Width x4, ..." and "LnkSta: Speed 2.5GT/s (downgraded), Width x1" */
static bool take_pcie_link(struct reader *r, size_t i)
{
	static const struct {
		const char *head;
		enum fact_id speed, width;
	} rows[] = {
		{ "LnkCap:", FACT_PCIE_SPEED_MAX, FACT_PCIE_WIDTH_MAX },
		{ "LnkSta:", FACT_PCIE_SPEED, FACT_PCIE_WIDTH },
	};
	const char *s = line_of(r, i), *speed = strstr(s, "Speed "), *x;

	for (size_t k = 0; speed && k < array_size(rows); k++) {
		struct buf text cleanup_buf = { 0 };
		uint64_t width;
		size_t n;

		if (!str_starts(s, rows[k].head) || r->has_link[k])
			continue;
		speed += strlen("Speed ");
		n = strcspn(speed, ",( ");
		x = strstr(speed, "Width x");
		x = x ? x + strlen("Width x") : "";
		if (!n || str_take_u64(&x, 10, &width) < 0 || width > 32)
			return false;
		buf_add(&text, speed, n);
		emit_text(&r->host, rows[k].speed, 0, 0, buf_text(&text), i);
		emit_u64(&r->host, rows[k].width, 0, 0, width, i);
		r->has_link[k] = true;
		return true;
	}
	return false;
}

/* "01:00.0 Non-Volatile memory controller: ...": the links told below it are of an NVMe drive. */
static bool take_nvme_controller(struct reader *r, size_t i)
{
	if (!strstr(line_of(r, i), "Non-Volatile memory controller"))
		return false;
	emit_text(&r->host, FACT_BUS, 0, 0, "nvme", i);
	r->has_link[0] = r->has_link[1] = false;
	return true;
}

/* "/dev/sdb: Unknown USB bridge [0x152d:0x2509 (0x100)]": smartctl got no further. */
static bool take_unknown_bridge(struct reader *r, size_t i)
{
	const char *s = line_of(r, i), *at = strstr(s, ": Unknown USB bridge [0x");
	struct buf name cleanup_buf = { 0 };
	struct emit e = { .im = r->im };
	char id[10];

	if (!at || !str_starts(s, "/dev/") || strlen(at) < 37 ||
	    strncmp(at + 28, ":0x", 3) != 0)
		return false;
	(void)snprintf(id, sizeof(id), "%.4s:%.4s", at + 24, at + 31);
	buf_add(&name, s, (size_t)(at - s));
	emit_text(&e, FACT_DEVICE, 0, 0, buf_text(&name), i);
	emit_text(&e, FACT_BUS, 0, 0, "usb", i);
	emit_text(&e, FACT_USB_ID, 0, 0, id, i);
	emit_text(&e, FACT_HINT_COMMAND, 0, 0, "smartctl -x -d sat", i);
	return emit_done(&e, CAP_DRIVE, "facts/path") == 0;
}

/* One line of a report that was posted alone. */
static bool take_recovery(struct reader *r, size_t i)
{
	struct emit e = { .im = r->im };

	if (!str_equal(line_of(r, i),
		       "SCT Error Recovery Control command not supported") ||
	    r->im->text->lines[i].state != LINE_OPEN)
		return false;
	emit_text(&e, FACT_SCT_ERC_TEXT, 0, 0, "command not supported", i);
	return emit_done(&e, CAP_DRIVE, "facts/path") == 0;
}

/* "Kernel command line: ...", "BOOT_IMAGE=/vmlinuz ... libata.force=noncq" */
static bool take_cmdline(struct reader *r, size_t i)
{
	const char *s = line_of(r, i), *at = strstr(s, "ommand line: ");

	if (!at)
		at = strstr(s, "BOOT_IMAGE=");
	if (!at)
		return false;
	emit_text(&r->host, FACT_BOOT_OPTIONS, 0, 0, at, i);
	return true;
}

/* "throttled=0x50005" of vcgencmd get_throttled */
static bool take_throttled(struct reader *r, size_t i)
{
	const char *value = str_after(line_of(r, i), "throttled=0x");
	uint64_t u;

	if (!value || str_take_u64(&value, 16, &u) < 0 || *value)
		return false;
	emit_u64(&r->host, FACT_THROTTLED_FLAGS, 0, 0, u, i);
	return true;
}

/* "/: 475.4 GiB (510467444736 bytes) trimmed", "/home: 510 GiB (...) trimmed on /dev/sda2" */
static bool take_fstrim(struct reader *r, size_t i)
{
	const char *s = line_of(r, i), *at = strstr(s, " bytes) trimmed"), *p;
	uint64_t u;

	if (!at)
		at = strstr(s, " bytes were trimmed");
	if (!at)
		return false;
	for (p = at; p > s && str_is_digit(p[-1]); p--)
		;
	if (str_take_u64(&p, 10, &u) < 0)
		return false;
	emit_u64(&r->host, FACT_TRIMMED, 0, 0, u, i);
	return true;
}

/* The rows of aer_dev_correctable, with or without the path that grep prints before them. */
static bool take_aer(struct reader *r, size_t i)
{
	static const struct {
		const char *total;
		enum fact_id id;
	} rows[] = {
		{ "TOTAL_ERR_COR ", FACT_AER_CORRECTABLE },
		{ "TOTAL_ERR_NONFATAL ", FACT_AER_NONFATAL },
		{ "TOTAL_ERR_FATAL ", FACT_AER_FATAL },
	};
	const char *s = line_of(r, i);

	for (size_t k = 0; k < array_size(rows); k++) {
		const char *at = strstr(s, rows[k].total);
		uint64_t u;

		if (!at)
			continue;
		at += strlen(rows[k].total);
		if (str_take_u64(&at, 10, &u) < 0 || *at)
			return false;
		if (k == 0 && r->has_aer &&
		    emit_done(&r->host, CAP_HOST, "facts/path") < 0)
			return false;
		r->has_aer |= k == 0;
		emit_u64(&r->host, rows[k].id, 0, 0, u, i);
		return true;
	}
	return false;
}

/* " write-caching =  0 (off)" below "/dev/sdb:", as hdparm -W prints it */
static bool take_write_cache(struct reader *r, size_t i)
{
	const char *s = str_after(line_of(r, i), "write-caching ="), *above;
	struct emit e = { .im = r->im };
	uint64_t u;

	while (s && *s == ' ')
		s++;
	if (!s || str_take_u64(&s, 10, &u) < 0 || u > 1)
		return false;
	above = i ? line_of(r, i - 1) : "";
	if (str_starts(above, "/dev/") && str_ends(above, ":")) {
		struct buf name cleanup_buf = { 0 };

		buf_add(&name, above, strlen(above) - 1);
		emit_text(&e, FACT_DEVICE, 0, 0, buf_text(&name), i - 1);
	}
	emit_flag(&e, FACT_WRITE_CACHE, 0, u == 1, i);
	return emit_done(&e, CAP_DRIVE, "facts/path") == 0;
}

/* Lines of fdisk -l: "/dev/sda1 * 63 1953520064 976760001 83 Linux" in sectors of 512 bytes. */
static bool take_partition(struct reader *r, size_t i)
{
	struct emit e = { .im = r->im };
	struct buf disk cleanup_buf = { 0 };
	struct word w[6];
	size_t n = words_split(line_of(r, i), w, array_size(w)), at = 1, digits;
	uint64_t start, end, number = 0;

	if (n < 4 || !word_starts(w[0], "/dev/"))
		return false;
	if (word_is(w[1], "*"))
		at = 2;
	if (at + 1 >= n || word_u64(w[at], 10, &start) < 0 ||
	    word_u64(w[at + 1], 10, &end) < 0 || end <= start)
		return false;
	for (digits = w[0].len; digits && str_is_digit(w[0].s[digits - 1]); digits--)
		;
	if (digits == w[0].len ||
	    word_u64((struct word){ w[0].s + digits, w[0].len - digits }, 10, &number) <
		    0 ||
	    number > 255)
		return false;
	buf_add(&disk, w[0].s, digits);
	emit_text(&e, FACT_DEVICE, 0, 0, buf_text(&disk), i);
	emit_u64(&e, FACT_PARTITION_START, (uint32_t)number, 0, start, i);
	return emit_done(&e, CAP_DRIVE, "facts/path") == 0;
}

/* "Sector size (logical/physical): 512 bytes / 4096 bytes" below "Disk /dev/sda: ..." */
static bool take_sector_size(struct reader *r, size_t i)
{
	const char *s = str_after(line_of(r, i), "Sector size (logical/physical): "), *p;
	struct emit e = { .im = r->im };
	uint64_t logical, physical;

	if (!s || str_take_u64(&s, 10, &logical) < 0)
		return false;
	p = strchr(s, '/');
	if (!p)
		return false;
	for (p++; *p == ' '; p++)
		;
	if (str_take_u64(&p, 10, &physical) < 0)
		return false;
	for (size_t k = i; k-- > 0 && i - k < 6;) {
		const char *disk = str_after(line_of(r, k), "Disk /dev/");
		const char *colon = disk ? strchr(disk, ':') : NULL;
		struct buf name cleanup_buf = { 0 };

		if (!colon)
			continue;
		buf_puts(&name, "/dev/");
		buf_add(&name, disk, (size_t)(colon - disk));
		emit_text(&e, FACT_DEVICE, 0, 0, buf_text(&name), k);
		break;
	}
	emit_u64(&e, FACT_LOGICAL_SECTOR, 0, 0, logical, i);
	emit_u64(&e, FACT_PHYSICAL_SECTOR, 0, 0, physical, i);
	return emit_done(&e, CAP_DRIVE, "facts/path") == 0;
}

static int read_path(struct import *im)
{
	static bool (*const takers[])(struct reader *, size_t) = {
		take_nvme_controller, take_pcie_link,  take_recovery, take_unknown_bridge,
		take_lsusb,	      take_lsusb_tree, take_lspci,    take_cmdline,
		take_throttled,	      take_fstrim,     take_aer,      take_partition,
		take_sector_size,     take_write_cache
	};
	struct reader r = { .im = im, .host = { .im = im } };
	int error;

	for (size_t i = 0; i < im->text->n; i++) {
		const struct text_line *l = &im->text->lines[i];

		if (l->cut || (l->state != LINE_OPEN && l->state != LINE_UNKNOWN &&
			       l->state != LINE_KNOWN))
			continue;
		for (size_t k = 0; k < array_size(takers); k++) {
			if (!takers[k](&r, i))
				continue;
			claim(&r, i);
			break;
		}
	}
	error = emit_done(&r.host, CAP_HOST, "facts/path");
	return error < 0 && error != -E2BIG ? error : r.n;
}

const struct importer importer_path = {
	.name = "path",
	.describe = "lsusb, lspci, kernel command line, PCIe error counts, fdisk -l, "
		    "fstrim -v",
	.read = read_path,
};
