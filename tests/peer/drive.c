/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "drive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/page-fixture.h"
#include "../unit/page-samples.h"
#include "base/str.h"

static const char *folder;
static unsigned seed;

static unsigned chance(unsigned below)
{
	seed = seed * 1664525u + 1013904223u;
	return (seed >> 8) % below;
}

/* --- the drive ------------------------------------------------------------------------------------- */

/*
 * Where any byte is as good as another: its value is told, and changes nothing else. Runs of SIZE
 * bytes, every STEP bytes from FROM on, before TO.
 */
static const struct area {
	const char *id;
	size_t from, to, step, size;
} areas[] = {
	{ "ata/smart/data", 3, 362, 12, 10 }, /* flags, values, raw */
	{ "ata/smart/data", 362, 366, 1, 1 }, /* status, times */
	{ "ata/smart/thresholds", 3, 362, 12, 1 },
	{ "ata/log/11/00", 6, 8, 2, 2 },
	{ "ata/smart-log/06", 4, 500, 24, 2 }, /* hours */
	{ "ata/smart-log/06", 7, 500, 24, 4 }, /* LBA */
	{ "ata/log/07/00", 6, 498, 26, 2 },
	{ "ata/log/07/00", 518, 1010, 26, 2 },
	{ "ata/log/03/00", 95, 500, 124, 1 },  /* Error */
	{ "ata/log/03/00", 125, 500, 124, 3 }, /* state, hours */
	{ "ata/smart-log/01", 63, 452, 90, 1 },
	{ "ata/smart-log/01", 89, 452, 90, 3 },
	{ "ata/log/04/00", 512 + 8, 512 + 0x60, 8, 4 },
	{ "ata/log/04/00", 5 * 512 + 8, 5 * 512 + 0x70, 8, 1 },
	{ "ata/log/04/00", 6 * 512 + 8, 6 * 512 + 0x20, 8, 4 },
	{ "ata/log/0c/00", 16, 1024, 16, 4 },
	{ "ata/log/0c/00", 24, 1024, 16, 6 },
	{ "ata/smart-log/e0", 200, 205, 1, 1 },
	{ "ata/smart-log/e0", 206, 214, 4, 4 },
	{ "ata/sct/history", 34, 512, 1, 1 },
	{ "ata/sct/history", 6, 10, 1, 1 },
	{ "ata/smart-log/09", 10, 82, 16, 4 },
};

static void vary(const char *id, uint8_t *bytes)
{
	for (size_t i = 0; i < array_size(areas); i++) {
		const struct area *a = &areas[i];

		if (!str_equal(a->id, id))
			continue;
		for (size_t at = a->from; at + a->size <= a->to; at += a->step)
			for (size_t k = 0; k < a->size; k++)
				bytes[at + k] = (uint8_t)chance(256);
	}
}

/* What this drive has otherwise; the width tells how much, VALUE is little-endian. */
static void change(const struct peer_drive *drive, const char *id, uint8_t *bytes,
		   size_t len)
{
	for (const struct peer_change *c = drive->changes; c && c->id; c++)
		if (str_equal(c->id, id) && c->offset + c->width <= len)
			page_put(bytes, c->offset, c->width, c->value);
}

static void write_file(const char *id, const uint8_t *bytes, size_t len)
{
	char path[128], *c;
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/%s", folder, id);
	for (c = path + strlen(folder) + 1; *c; c++)
		if (*c == '/')
			*c = '-';
	/* a General Purpose log is one file from page 0 on */
	if (str_starts(id, "ata/log/"))
		path[strlen(path) - 3] = '\0';
	f = fopen(path, "wb");
	if (!f || fwrite(bytes, 1, len, f) != len || fclose(f) != 0)
		exit(99);
}

static void add_item(struct capture *c, struct cap_snapshot *s, const char *id,
		     const uint8_t *bytes, size_t len)
{
	write_file(id, bytes, len);
	if (!capture_add_item(c, s, id, CAP_OK, span_of(bytes, len)))
		exit(99);
}

/* What smartctl wants to know before it reads a log: 03h, 04h, 07h, 0Ch, 11h; SCT. */
static void add_directories(struct capture *c, struct cap_snapshot *s,
			    const struct peer_drive *drive)
{
	static const struct {
		uint8_t address, pages;
	} gpl[] = { { 3, 2 }, { 4, 8 }, { 7, 2 }, { 0x0c, 2 }, { 0x11, 1 } },
	  smart[] = { { 1, 1 }, { 6, 1 }, { 9, 1 }, { 0xe0, 1 }, { 0xe1, 1 } };
	bool short_logs = drive->short_logs;
	uint8_t page[512] = { 1 };

	for (size_t i = 0; i < array_size(smart); i++)
		page[2 * smart[i].address] = smart[i].pages;
	change(drive, "ata/smart-log/00", page, sizeof(page));
	add_item(c, s, "ata/smart-log/00", page, sizeof(page));
	memset(page + 2, 0, sizeof(page) - 2);
	for (size_t i = 0; i < array_size(gpl); i++)
		if (!short_logs || (gpl[i].address != 3 && gpl[i].address != 7))
			page[2 * gpl[i].address] = gpl[i].pages;
	change(drive, "ata/log/00/00", page, sizeof(page));
	add_item(c, s, "ata/log/00/00", page, sizeof(page));
}

static void add_answer(struct capture *c, struct cap_snapshot *s, const char *id,
		       const char *name, const char *value, const char *bytes)
{
	struct cap_item *item = capture_add_item(c, s, id, CAP_OK, span_of("", 0));

	write_file(id, (const uint8_t *)bytes, 2);
	if (!item || cap_item_set(c, item, name, value) < 0 ||
	    (!cap_item_get(item, "ata_count") &&
	     cap_item_set(c, item, "ata_count", "46") < 0))
		exit(99);
}

void peer_drive_make(struct capture *c, const char *where, const struct peer_drive *drive)
{
	static uint8_t bytes[SAMPLE_MAX];
	bool short_logs = drive->short_logs;
	struct cap_snapshot *s = capture_add_snapshot(
		c, capture_add_subject(c, CAP_DRIVE), CAP_IMPORT, NULL);

	folder = where;
	seed = drive->seed;
	if (!s)
		exit(99);
	for (const struct page_sample *p = page_samples; p->id; p++) {
		bool ring = str_equal(p->id, "ata/log/03/00") ||
			    str_equal(p->id, "ata/log/07/00");
		size_t len = page_sample_make(p, bytes);

		/* the same tables again, what smartctl does not read, and directories */
		if (strstr(p->id, "log/30") || strstr(p->id, "log/00") ||
		    strstr(p->id, "log/10") || strstr(p->id, "log/a6") ||
		    str_equal(p->id, "ata/smart-log/04") ||
		    str_equal(p->id, "ata/log/e0/00") || (ring && short_logs))
			continue;
		if (!drive->plain)
			vary(p->id, bytes);
		if (str_equal(p->id, "ata/identify")) {
			bytes[256] = 1; /* not locked */
			if (drive->model)
				page_put_string(bytes, 54, 40, drive->model);
			if (drive->firmware)
				page_put_string(bytes, 46, 8, drive->firmware);
		}
		change(drive, p->id, bytes, len);
		for (size_t at = 0; p->sealed && at < len; at += 512)
			page_seal(bytes + at);
		add_item(c, s, p->id, bytes, len);
	}
	add_directories(c, s, drive);
	if (drive->failing)
		add_answer(c, s, "ata/smart/status", "ata_lba", "2cf400", "\xf4\x2c");
	else
		add_answer(c, s, "ata/smart/status", "ata_lba", "c24f00", "\x4f\xc2");
	add_answer(c, s, "ata/sct/erc-read", "ata_lba", "000000", "\x46");
	add_answer(c, s, "ata/sct/erc-write", "ata_lba", "000001", "\x46\x01");
}
