/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * make-drives DIR: drives of several makers in DIR/NN, each as drive.cap and as files for
 * fake-sata.so, with values where programs go wrong: at the ends of their widths, with signs, with
 * reserved bits set, with dirt behind the last statistic, with logs shorter than their directory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/attrs.h"
#include "base/buf.h"
#include "capture/file.h"
#include "drive.h"

#define DATA "ata/smart/data"
#define STAT "ata/log/04/00"

/* SMART data: slot N of 12 bytes from byte 2 on */
#define SLOT(n) (2 + 12 * (size_t)(n))
/* device statistics: byte OFFSET of page P */
#define AT(p, offset) (512 * (size_t)(p) + (offset))

static const struct peer_change ends[] = {
	{ DATA, SLOT(4) + 5, 6, UINT64_C(0xffffffffffff) },
	{ DATA, SLOT(8) + 5, 6, 65535 },
	{ DATA, SLOT(0) + 3, 2, 0xffff },
	{ STAT, AT(1, 8), 4, UINT32_MAX },
	{ STAT, AT(1, 0x18), 6, UINT64_C(0xffffffffffff) },
	{ STAT, AT(7, 8), 1, 255 },
	{ "ata/log/11/00", 6, 2, 0xffff },
	{ "ata/log/11/00", 4, 2, 0x1001 },
	{ NULL, 0, 0, 0 },
};

static const struct peer_change cold[] = {
	{ STAT, AT(5, 0x08), 1, 0xec },		 { STAT, AT(5, 0x20), 1, 0x7f },
	{ STAT, AT(5, 0x28), 1, 0x81 },		 { STAT, AT(5, 0x68), 1, 0x80 },
	{ "ata/smart-log/e0", 200, 1, 0xf6 },	 { "ata/smart-log/e0", 201, 1, 0x80 },
	{ "ata/sct/history", 6, 4, 0x80ff7f80 }, { "ata/sct/history", 40, 1, 0x80 },
	{ "ata/sct/history", 41, 1, 0xff },	 { NULL, 0, 0, 0 },
};

static const struct peer_change reserved[] = {
	{ STAT, AT(1, 15), 1, 0xc7 },		/* flags: three reserved bits */
	{ STAT, AT(1, 23), 1, 0xf8 },		/* normalised, DSN, condition met */
	{ STAT, AT(3, 15), 1, 0x80 },		/* supported, not valid */
	{ STAT, AT(3, 23), 1, 0x40 },		/* valid, not supported */
	{ "ata/log/11/00", 0, 4, 0xa5a5a5a5 },	/* reserved */
	{ "ata/log/11/00", 4, 2, 0x9001 },	/* a counter of the maker's own */
	{ "ata/smart-log/09", 502, 2, 0xffff }, /* flags of selective tests */
	{ "ata/identify", 2 * 206, 2, 0xffc1 }, /* SCT without its features */
	{ "ata/identify", 2 * 76, 2, 0xff1e },	{ NULL, 0, 0, 0 },
};

static const struct peer_change dirty[] = {
	{ STAT, AT(3, 8 + 8 * 10), 8, UINT64_C(0xc0112233445566ff) },
	{ STAT, AT(6, 8 + 8 * 5), 8, UINT64_C(0xffffffffffffffff) },
	{ STAT, AT(2, 2), 1, 9 }, /* the head of another page */
	{ NULL, 0, 0, 0 },
};

/* Directories that promise more than there is. */
static const struct peer_change boast[] = {
	{ "ata/log/00/00", 2 * 0x04, 2, 255 },
	{ "ata/log/00/00", 2 * 0x11, 2, 9 },
	{ "ata/log/00/00", 2 * 0xa0, 2, 0xffff },
	{ "ata/smart-log/00", 2 * 0xe0, 2, 0xff01 },
	{ "ata/smart-log/00", 2 * 0x80, 2, 16 },
	{ NULL, 0, 0, 0 },
};

/* An old disk: rotates, no TRIM, no NCQ, 28-bit LBA, no form factor, no SCT. */
static const struct peer_change old[] = {
	{ "ata/identify", 2 * 217, 2, 7200 },
	{ "ata/identify", 2 * 169, 2, 0 },
	{ "ata/identify", 2 * 69, 2, 0 },
	{ "ata/identify", 2 * 76, 2, 0x0202 },
	{ "ata/identify", 2 * 77, 2, 0 },
	{ "ata/identify", 2 * 168, 2, 0 },
	{ "ata/identify", 2 * 206, 2, 0 },
	{ "ata/identify", 2 * 80, 2, 0x00fe },
	{ "ata/identify", 2 * 81, 2, 0x001a },
	{ "ata/identify", 2 * 222, 2, 0 },
	{ "ata/identify", 2 * 106, 2, 0 },
	{ "ata/identify", 2 * 128, 2, 0 },
	{ "ata/identify", 2 * 87, 2, 0x4023 },
	{ "ata/identify", 2 * 84, 2, 0x4023 },
	{ DATA, 367, 1, 0x5b },
	{ NULL, 0, 0, 0 },
};

static const struct peer_change running[] = {
	{ DATA, 362, 1, 0x03 },
	{ DATA, 363, 1, 0xf4 },
	{ DATA, 368, 2, 0x0003 },
	{ "ata/smart-log/09", 500, 2, 1 },
	{ "ata/identify", 2 * 128, 2, 0x012b },
	{ "ata/identify", 2 * 94, 2, 0xfe80 },
	{ "ata/identify", 2 * 91, 2, 0x40fe },
	{ NULL, 0, 0, 0 },
};

static const struct peer_change rotating[] = {
	{ "ata/identify", 2 * 217, 2, 5400 },
	{ "ata/identify", 2 * 169, 2, 0 },
	{ "ata/identify", 2 * 168, 2, 2 },
	{ "ata/identify", 2 * 106, 2, 0x6003 },
	{ "ata/identify", 2 * 230, 4, UINT64_C(3907029168) },
	{ DATA, 362, 1, 0x82 },
	{ DATA, 363, 1, 0x70 },
	{ NULL, 0, 0, 0 },
};

static const struct peer_change passed[] = {
	{ "ata/log/07/00", 4 + 26 * 5, 2, 0x0002 }, /* an extended test that passed */
	{ "ata/smart-log/e0", 214, 2, 0x2cf4 },
	{ "ata/smart-log/e0", 10, 1, 5 },
	{ "ata/sct/erc-read", 0, 1, 0 },
	{ NULL, 0, 0, 0 },
};

static const struct peer_change empty[] = {
	{ "ata/log/03/00", 500, 2, 0 },
	{ "ata/log/07/00", 2, 2, 0 },
	{ "ata/log/0c/00", 0, 4, 0 },
	{ "ata/smart-log/e0", 0, 2, 2 },
	{ NULL, 0, 0, 0 },
};

static const struct peer_drive drives[] = {
	{ .model = "SAMSUNG SSD 830 Series", .firmware = "CXM03B1Q", .changes = ends },
	{ .model = "Samsung SSD 860 EVO 500GB", .firmware = "RVT01B6Q", .changes = cold },
	{ .model = "WDC WD40EFRX-68N32N0", .firmware = "82.00A82", .changes = rotating },
	{ .model = "ST4000DM004-2CV104", .firmware = "0001", .changes = rotating },
	{ .model = "TOSHIBA MG04ACA400E", .firmware = "FP2A", .changes = reserved },
	{ .model = "HGST HUS726060ALE610", .firmware = "APGNTD05", .changes = boast },
	{ .model = "INTEL SSDSC2BB480G4", .firmware = "D2012370", .changes = dirty },
	{ .model = "CT500MX500SSD1", .firmware = "M3CR023", .changes = passed },
	{ .model = "KINGSTON SA400S37240G", .firmware = "SBFK71E0", .short_logs = true },
	{ .model = "SanDisk SDSSDA240G", .firmware = "Z22000RL", .changes = running },
	{ .model = "SAMSUNG HD204UI", .firmware = "1AQ10001", .changes = old },
	{ .model = "Hitachi HDS721010CLA332", .firmware = "JP4OA3EA", .failing = true },
	{ .model = "TESTDISK 1TB", .firmware = "FW000001", .plain = true },
	{ .model = "TESTDISK 1TB", .firmware = "FW000001", .changes = empty },
	{ .model = "Maxtor 6L160M0",
	  .firmware = "BACE1G10",
	  .changes = old,
	  .short_logs = true },
	{ .model = "MTFDDAK480TDS",
	  .firmware = "D3MU001",
	  .plain = true,
	  .changes = passed },
};

int main(int argc, char **argv)
{
	for (unsigned i = 0; argc > 1 && i < array_size(drives); i++) {
		struct peer_drive drive = drives[i];
		struct capture c = { 0 };
		struct buf text = { 0 };
		char path[512], name[600];
		FILE *f;

		drive.seed = i + 100;
		(void)snprintf(path, sizeof(path), "%s/%02u", argv[1], i);
		if (mkdir(path, 0777) < 0)
			return 99;
		peer_drive_make(&c, path, &drive);
		(void)snprintf(name, sizeof(name), "%s/drive.cap", path);
		f = fopen(name, "w");
		if (!f || capture_file_write(&c, NULL, &text) < 0 ||
		    fwrite(buf_text(&text), 1, text.len, f) != text.len || fclose(f) != 0)
			return 99;
		buf_done(&text);
		capture_done(&c);
	}
	return argc > 1 ? 0 : 64;
}
