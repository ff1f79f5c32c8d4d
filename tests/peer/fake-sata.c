/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Preloaded into a program that talks to a drive by SG_IO: ATA PASS-THROUGH (16) is answered from
 * the folder $FAKE_SATA, whose files are named as the items of a capture, with "-" for "/". The
 * program may name any device, /dev/null for instance. What has no file is refused.
 */
#include <dlfcn.h>
#include <scsi/sg.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

int ioctl(int fd, unsigned long request, ...);

struct registers {
	uint8_t count, low, mid, high, status, error;
};

/* SIZE bytes at OFFSET of a file; what it does not hold is 0. */
static bool load(const char *name, long offset, void *ret, size_t size)
{
	char path[512];
	size_t got = 0;
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/%s", getenv("FAKE_SATA"), name);
	f = fopen(path, "rb");
	memset(ret, 0, size);
	if (!f)
		return false;
	if (fseek(f, offset, SEEK_SET) == 0)
		got = fread(ret, 1, size, f);
	(void)fclose(f);
	return got > 0;
}

static uint8_t last_key[4]; /* action and function of the last SCT command */

/* SCT: what the key sector asks for is read from log E1h, or stands in the registers. */
static bool write_log(const uint8_t *key, struct registers *r)
{
	uint8_t limit[2] = { 0 };

	memcpy(last_key, key, sizeof(last_key));

	if (key[0] == 5)
		return true;
	if (key[0] != 3 || !load(key[4] == 1 ? "ata-sct-erc-read" : "ata-sct-erc-write",
				 0, limit, sizeof(limit)))
		return false;
	r->count = limit[0];
	r->low = limit[1];
	return true;
}

/* SCT status tells the last command, and that it went well. */
static bool read_log(uint8_t address, uint8_t *ret, size_t size)
{
	char name[64] = "ata-sct-history";

	if (address != 0xe1)
		(void)snprintf(name, sizeof(name), "ata-smart-log-%02x", address);
	if (!load(name, 0, ret, size))
		return false;
	if (address == 0xe0 && size >= 20)
		memcpy(ret + 16, last_key, sizeof(last_key));
	return true;
}

static bool smart(const uint8_t *cdb, sg_io_hdr_t *h, struct registers *r)
{
	uint8_t answer[2];

	switch (cdb[4]) {
	case 0xd0:
		return load("ata-smart-data", 0, h->dxferp, h->dxfer_len);
	case 0xd1:
		return load("ata-smart-thresholds", 0, h->dxferp, h->dxfer_len);
	case 0xd5:
		return read_log(cdb[8], h->dxferp, h->dxfer_len);
	case 0xd6:
		return write_log(h->dxferp, r);
	case 0xda:
		if (!load("ata-smart-status", 0, answer, sizeof(answer)))
			return false;
		r->mid = answer[0];
		r->high = answer[1];
		return true;
	default:
		return false;
	}
}

static bool answer(const uint8_t *cdb, sg_io_hdr_t *h, struct registers *r)
{
	long page = cdb[9] << 8 | cdb[10];
	char name[64];

	switch (cdb[14]) {
	case 0xec:
		return load("ata-identify", 0, h->dxferp, h->dxfer_len);
	case 0xb0:
		return smart(cdb, h, r);
	case 0x2f:
	case 0x47:
		(void)snprintf(name, sizeof(name), "ata-log-%02x", cdb[8]);
		return load(name, page * 512, h->dxferp, h->dxfer_len);
	default:
		return false;
	}
}

/* SAT-4 12.2.2.6: the registers as a descriptor of type 09h. */
static void put_sense(sg_io_hdr_t *h, const struct registers *r, bool ok)
{
	uint8_t sense[22] = { 0x72, ok ? 0x01 : 0x0b,
			      0,    ok ? 0x1d : 0,
			      0,    0,
			      0,    14,
			      9,    12,
			      0,    r->error,
			      0,    r->count,
			      0,    r->low,
			      0,    r->mid,
			      0,    r->high,
			      0x40, r->status };

	if (h->mx_sb_len < sizeof(sense))
		return;
	memcpy(h->sbp, sense, sizeof(sense));
	h->sb_len_wr = sizeof(sense);
	h->status = 2;
	h->masked_status = 1;
	h->driver_status = 8;
	h->info = SG_INFO_CHECK;
}

static void inquiry(const uint8_t *cdb, sg_io_hdr_t *h)
{
	uint8_t *d = h->dxferp;

	memset(d, 0, h->dxfer_len);
	if (cdb[1] & 1) {
		d[1] = cdb[2];
		return;
	}
	d[2] = 5;
	d[4] = 31;
	if (h->dxfer_len >= 36)
		memcpy(d + 8, "ATA     TESTDISK        0001", 28);
}

static int send(sg_io_hdr_t *h)
{
	const uint8_t *cdb = h->cmdp;
	struct registers r = { .mid = cdb[10], .high = cdb[12], .status = 0x50 };
	bool ok;

	h->status = h->masked_status = h->sb_len_wr = 0;
	h->host_status = h->driver_status = 0;
	h->resid = 0;
	h->info = 0;
	if (cdb[0] == 0x12) {
		inquiry(cdb, h);
		return 0;
	}
	ok = cdb[0] == 0x85 && answer(cdb, h, &r);
	if (!ok)
		r = (struct registers){ .status = 0x51, .error = 0x04 };
	if (!ok || (cdb[2] & 0x20))
		put_sense(h, &r, ok);
	return 0;
}

int ioctl(int fd, unsigned long request, ...)
{
	static int (*next)(int fd, unsigned long request, ...);
	va_list ap;
	void *argument;

	va_start(ap, request);
	argument = va_arg(ap, void *);
	va_end(ap);
	if (request == SG_IO)
		return send(argument);
	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "ioctl");
	return next(fd, request, argument);
}
