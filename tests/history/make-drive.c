/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a capture of simulated drives, as a live check would have read them: real pages, real
 * checksums. Arguments NAME=VALUE describe a drive; "--" begins the next one. Before the first:
 *
 *   at=SECONDS         time of the reading
 *   log=TEXT           kernel log (the host's), one line or several; without it there is no log
 *
 * and of each drive: model serial wwn(16 hex digits) fw port dev rpm sectors boot; aID=RAW for an
 * attribute, vID=VALUE for its normalised value; pID=VALUE (hex) for a phy counter; max=1 drive's
 * maximum (3: 6.0 Gb/s); speed=1.5, 3.0 or 6.0 (Gb/s); read=SECTORS, timeouts=N of /sys; asleep=1, fails=1.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "capture/file.h"

struct number {
	unsigned id;
	unsigned long long value;
};

struct drive {
	const char *model, *serial, *wwn, *fw, *port, *dev, *speed, *boot;
	unsigned long long rpm, sectors, max, read, timeouts, asleep, fails;
	struct number attrs[30], values[30], phy[32];
	size_t n_attrs, n_values, n_phy;
};

static struct capture capture;

static void die(const char *text)
{
	(void)fprintf(stderr, "make-drive: %s\n", text);
	exit(1);
}

static void put(uint8_t *page, size_t offset, unsigned width, unsigned long long value)
{
	for (unsigned i = 0; i < width; i++)
		page[offset + i] = (uint8_t)(value >> (8 * i));
}

static void put_string(uint8_t *page, size_t offset, size_t len, const char *text)
{
	size_t n = strlen(text);

	for (size_t i = 0; i < len; i++)
		page[offset + (i ^ 1)] = i < n ? (uint8_t)text[i] : ' ';
}

static void seal(uint8_t *page)
{
	unsigned sum = 0;

	for (size_t i = 0; i < 511; i++)
		sum += page[i];
	page[511] = (uint8_t)(0 - sum);
}

static struct cap_item *add(struct cap_snapshot *s, const char *id, const void *body,
			    size_t len)
{
	struct cap_item *item =
		capture_add_item(&capture, s, id, CAP_OK, span_of(body, len));

	if (!item)
		die("out of memory");
	return item;
}

static void set(struct cap_item *item, const char *name, const char *value)
{
	if (cap_item_set(&capture, item, name, value) < 0)
		die("out of memory");
}

static void add_text(struct cap_snapshot *s, const char *id, const char *text)
{
	struct buf b cleanup_buf = { 0 };

	if (!text)
		return;
	buf_printf(&b, "%s\n", text);
	(void)add(s, id, buf_text(&b), b.len);
}

static void add_identify(struct cap_snapshot *s, const struct drive *d)
{
	uint8_t b[512] = { 0 };
	static const unsigned words[][2] = {
		{ 0, 0x0040 },	{ 49, 0x2f00 },	 { 80, 0x07f0 },  { 82, 0x0061 },
		{ 83, 0x4408 }, { 84, 0x4123 },	 { 85, 0x0061 },  { 86, 0x8408 },
		{ 87, 0x4123 }, { 106, 0x6003 }, { 222, 0x1080 }, { 255, 0x00a5 },
	};

	for (size_t i = 0; i < array_size(words); i++)
		put(b, 2 * words[i][0], 2, words[i][1]);
	put(b, 152, 2, d->max >= 3 ? 0x850e : 0x8506);
	/* word 77, bits 3:1: the speed that was negotiated */
	put(b, 154, 2, *d->speed == '1' ? 2 : *d->speed == '3' ? 4 : 6);
	put(b, 200, 6, d->sectors);
	put(b, 120, 4, d->sectors > 0x0fffffff ? 0x0fffffff : d->sectors);
	put(b, 434, 2, d->rpm ? d->rpm : 1);
	put_string(b, 20, 20, d->serial);
	put_string(b, 46, 8, d->fw);
	put_string(b, 54, 40, d->model);
	for (unsigned i = 0; i < 4 && strlen(d->wwn) == 16; i++) {
		char digits[5] = { 0 };

		memcpy(digits, d->wwn + 4 * i, 4);
		put(b, 216 + 2 * i, 2, strtoull(digits, NULL, 16));
	}
	if (strlen(d->wwn) != 16)
		put(b, 174, 2, 0x4023);
	seal(b);
	(void)add(s, "ata/identify", b, sizeof(b));
}

static void add_phy(struct cap_snapshot *s, const struct drive *d)
{
	uint8_t b[512] = { 0 };
	size_t at = 4;

	for (size_t i = 0; i < d->n_phy; i++) {
		put(b, at, 2, d->phy[i].id | 2u << 12);
		put(b, at + 2, 4, d->phy[i].value);
		at += 6;
	}
	seal(b);
	if (d->n_phy)
		(void)add(s, "ata/log/11/00", b, sizeof(b));
}

static unsigned long long value_of(const struct number *list, size_t n, unsigned id,
				   unsigned long long other)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].id == id)
			return list[i].value;
	return other;
}

static void add_smart(struct cap_snapshot *s, const struct drive *d)
{
	uint8_t data[512] = { 0 }, limits[512] = { 0 };
	struct cap_item *item;

	data[0] = limits[0] = 16;
	for (size_t i = 0; i < d->n_attrs; i++) {
		uint8_t *a = data + 2 + 12 * i;

		a[0] = limits[2 + 12 * i] = (uint8_t)d->attrs[i].id;
		a[1] = 0x32;
		a[3] = a[4] =
			(uint8_t)value_of(d->values, d->n_values, d->attrs[i].id, 100);
		put(a, 5, 6, d->attrs[i].value);
	}
	seal(data);
	seal(limits);
	item = capture_add_item(&capture, s, "ata/smart/status", CAP_OK,
				(struct span){ 0 });
	if (!item)
		die("out of memory");
	set(item, "ata_status", "50");
	set(item, "ata_error", "00");
	set(item, "ata_count", "00");
	set(item, "ata_lba", "c24f00");
	set(item, "ata_device", "00");
	(void)add(s, "ata/smart/data", data, sizeof(data));
	(void)add(s, "ata/smart/thresholds", limits, sizeof(limits));
}

static void add_sysfs(struct cap_snapshot *s, const struct drive *d)
{
	char text[128];

	add_text(s, "sysfs/disk/name", d->dev);
	add_text(s, "sysfs/disk/model", d->model);
	if (*d->serial)
		add_text(s, "sysfs/disk/serial", d->serial);
	(void)snprintf(text, sizeof(text), "%llu", d->sectors * 512);
	add_text(s, "sysfs/disk/bytes", text);
	add_text(s, "sysfs/disk/bus", "sata");
	add_text(s, "sysfs/disk/port", d->port);
	(void)snprintf(text, sizeof(text), "%s Gbps", d->speed);
	add_text(s, "sysfs/link/sata_spd", text);
	add_text(s, "sysfs/kernel/boot_id", d->boot);
	(void)snprintf(text, sizeof(text), "0x%llx", d->timeouts);
	add_text(s, "sysfs/device/iotmo_cnt", text);
	(void)snprintf(text, sizeof(text),
		       "    1000        0 %8llu        9        0        "
		       "0        0        0 0 9 9",
		       d->read);
	add_text(s, "sysfs/block/stat", text);
}

static void add_drive(const struct drive *d, long long at)
{
	struct cap_subject *subject = capture_add_subject(&capture, CAP_DRIVE);
	struct cap_snapshot *s =
		subject ? capture_add_snapshot(&capture, subject, CAP_BEFORE, d->dev)
			: NULL;
	struct cap_item *item;

	if (!s)
		die("out of memory");
	s->has_time = true;
	s->taken_ms = at * 1000;
	item = capture_add_item(&capture, s, "ata/power-mode",
				d->fails ? CAP_FAILED : CAP_OK, (struct span){ 0 });
	if (!item)
		die("out of memory");
	if (d->fails) {
		set(item, "error", "ETIMEDOUT");
	} else {
		set(item, "ata_status", "50");
		set(item, "ata_error", "00");
		set(item, "ata_count", d->asleep ? "00" : "ff");
		set(item, "ata_lba", "000000");
		set(item, "ata_device", "00");
		add_identify(s, d);
		if (!d->asleep) {
			add_phy(s, d);
			add_smart(s, d);
		}
	}
	add_sysfs(s, d);
}

static void take_number(struct number *list, size_t *n, size_t max, const char *word,
			int base)
{
	char *end;
	struct number x = { .id = (unsigned)strtoul(word + 1, &end, base) };

	if (*end != '=' || *n == max)
		die(word);
	x.value = strtoull(end + 1, NULL, 10);
	for (size_t i = 0; i < *n; i++)
		if (list[i].id == x.id) {
			list[i] = x;
			return;
		}
	list[(*n)++] = x;
}

static bool take_text(struct drive *d, const char *word)
{
	const struct {
		const char *name;
		const char **text;
		unsigned long long *number;
	} rows[] = {
		{ "model=", &d->model, NULL },	     { "serial=", &d->serial, NULL },
		{ "wwn=", &d->wwn, NULL },	     { "fw=", &d->fw, NULL },
		{ "port=", &d->port, NULL },	     { "dev=", &d->dev, NULL },
		{ "speed=", &d->speed, NULL },	     { "boot=", &d->boot, NULL },
		{ "rpm=", NULL, &d->rpm },	     { "sectors=", NULL, &d->sectors },
		{ "max=", NULL, &d->max },	     { "read=", NULL, &d->read },
		{ "timeouts=", NULL, &d->timeouts }, { "asleep=", NULL, &d->asleep },
		{ "fails=", NULL, &d->fails },
	};

	for (size_t i = 0; i < array_size(rows); i++) {
		const char *value = str_after(word, rows[i].name);

		if (value && rows[i].text)
			*rows[i].text = value;
		else if (value)
			*rows[i].number = strtoull(value, NULL, 10);
		if (value)
			return true;
	}
	return false;
}

static void take_word(struct drive *d, const char *word)
{
	if (take_text(d, word))
		return;
	if (word[0] == 'a')
		take_number(d->attrs, &d->n_attrs, array_size(d->attrs), word, 10);
	else if (word[0] == 'v')
		take_number(d->values, &d->n_values, array_size(d->values), word, 10);
	else if (word[0] == 'p')
		take_number(d->phy, &d->n_phy, array_size(d->phy), word, 16);
	else
		die(word);
}

static void add_log(long long at, const char *line)
{
	struct cap_subject *host = capture_add_subject(&capture, CAP_HOST);
	struct cap_snapshot *s =
		host ? capture_add_snapshot(&capture, host, CAP_BEFORE, NULL) : NULL;
	struct cap_item *item;

	if (!s)
		die("out of memory");
	s->has_time = true;
	s->taken_ms = at * 1000;
	item = add(s, "kernel-log", line, strlen(line));
	set(item, "source", "dmesg");
	set(item, "complete", "1");
}

static const struct drive usual = {
	.model = "TESTDISK 4TB",
	.serial = "TEST0000001",
	.wwn = "5000000000000001",
	.fw = "FW01",
	.port = "ata1",
	.dev = "sda",
	.speed = "6.0",
	.rpm = 7200,
	.sectors = 7814037168,
	.max = 3,
	.boot = "11111111-1111-4111-8111-111111111111",
};

int main(int argc, char **argv)
{
	struct buf out cleanup_buf = { 0 };
	struct drive d = usual;
	long long at = 0;
	bool described = false;

	for (int i = 1; i < argc; i++) {
		if (str_starts(argv[i], "at=")) {
			at = strtoll(argv[i] + 3, NULL, 10);
		} else if (str_starts(argv[i], "log=")) {
			add_log(at, argv[i] + 4);
		} else if (str_equal(argv[i], "--")) {
			if (described)
				add_drive(&d, at);
			d = usual;
			described = false;
		} else {
			take_word(&d, argv[i]);
			described = true;
		}
	}
	if (described)
		add_drive(&d, at);
	if (capture_file_write(&capture, NULL, &out) < 0)
		die("out of memory");
	(void)fwrite(buf_text(&out), 1, out.len, stdout);
	capture_done(&capture);
	return fflush(stdout) ? 1 : 0;
}
