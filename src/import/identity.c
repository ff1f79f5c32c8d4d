/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/identity.h"

#include <string.h>

#include "base/str.h"

static void copy(char *to, size_t size, const char *value, size_t len)
{
	while (len && value[len - 1] == ' ')
		len--;
	while (len && *value == ' ') {
		value++;
		len--;
	}
	if (len >= size)
		len = 0; /* half of a name is another name */
	memcpy(to, value, len);
	to[len] = '\0';
}

/* "0x5002538d40000001", and with the number behind it that LUNs of one target share */
static void copy_wwn(char *to, const char *value, size_t len)
{
	if (len < 18 || value[0] != '0' || value[1] != 'x')
		return;
	for (size_t i = 0; i < 16; i++) {
		char c = value[2 + i];

		to[i] = c >= 'A' && c <= 'F' ? (char)(c - 'A' + 'a') : c;
	}
	to[16] = '\0';
}

static int flag_of(const char *value, size_t len)
{
	if (len == 1 && (*value == '0' || *value == '1'))
		return *value - '0';
	if (len == 4 && !memcmp(value, "true", 4))
		return 1;
	return len == 5 && !memcmp(value, "false", 5) ? 0 : -1;
}

static uint64_t number_of(const char *value, size_t len)
{
	const char *p = value;
	uint64_t u;

	return str_take_u64(&p, 10, &u) == 0 && p == value + len ? u : 0;
}

bool identity_set(struct identity *d, const char *name, const char *value, size_t len)
{
	const struct {
		const char *name;
		char *to;
		size_t size;
	} texts[] = {
		{ "NAME", d->device, sizeof(d->device) },
		{ "KNAME", d->device, sizeof(d->device) },
		{ "MODEL", d->model, sizeof(d->model) },
		{ "SERIAL", d->serial, sizeof(d->serial) },
		{ "TRAN", d->bus, sizeof(d->bus) },
		{ "SCHED", d->scheduler, sizeof(d->scheduler) },
		{ "TYPE", d->type, sizeof(d->type) },
	};

	for (size_t i = 0; i < array_size(texts); i++) {
		if (!str_equal_nocase(name, texts[i].name))
			continue;
		copy(texts[i].to, texts[i].size, value, len);
		return true;
	}
	if (str_equal_nocase(name, "WWN"))
		copy_wwn(d->wwn, value, len);
	else if (str_equal_nocase(name, "ROTA"))
		d->rotational = flag_of(value, len);
	else if (str_equal_nocase(name, "SIZE"))
		d->bytes = number_of(value, len); /* only -b is exact */
	else if (str_equal_nocase(name, "LOG-SEC"))
		d->logical = number_of(value, len);
	else if (str_equal_nocase(name, "PHY-SEC"))
		d->physical = number_of(value, len);
	else
		return false;
	return true;
}

/* "sda", "nvme0n1", not "sda1", "sr0" or "dm-0" */
static bool is_whole_disk(const struct identity *d)
{
	size_t n = strlen(d->device);

	if (d->type[0] && !str_equal(d->type, "disk"))
		return false;
	if (!n || !posted_is_disk(d->device))
		return false;
	if (str_starts(d->device, "nvme") || str_starts(d->device, "mmcblk"))
		return !strchr(d->device, 'p');
	return !str_is_digit(d->device[n - 1]);
}

static void put_numbers(struct emit *e, const struct identity *d)
{
	/* a size below that of a floppy disk is one in other units */
	if (d->bytes > 1000000)
		emit_u64(e, FACT_CAPACITY, 0, 0, d->bytes, d->line);
	if (d->logical >= 512 && d->logical <= 4096)
		emit_u64(e, FACT_LOGICAL_SECTOR, 0, 0, d->logical, d->line);
	if (d->physical >= 512)
		emit_u64(e, FACT_PHYSICAL_SECTOR, 0, 0, d->physical, d->line);
	if (d->rpm)
		emit_u64(e, FACT_ROTATION, 0, 0, d->rpm == 1 ? 0 : d->rpm, d->line);
	if (d->link_mbps)
		emit_u64(e, FACT_LINK_DEVICE_MAX, 0, 0, d->link_mbps, d->line);
	if (d->rotational >= 0)
		emit_flag(e, FACT_HOST_ROTATIONAL, 0, d->rotational, d->line);
	if (d->write_cache >= 0)
		emit_flag(e, FACT_WRITE_CACHE, 0, d->write_cache, d->line);
	if (d->smart >= 0) {
		emit_flag(e, FACT_SMART_AVAILABLE, 0, true, d->line);
		emit_flag(e, FACT_SMART_ENABLED, 0, d->smart, d->line);
	}
}

int identity_put(struct import *im, const struct identity *d, const char *item)
{
	struct emit e = { .im = im };
	const struct {
		enum fact_id id;
		const char *text;
	} texts[] = {
		{ FACT_DEVICE, d->device },	  { FACT_MODEL, d->model },
		{ FACT_SERIAL, d->serial },	  { FACT_WWN, d->wwn },
		{ FACT_FIRMWARE, d->firmware },	  { FACT_BUS, d->bus },
		{ FACT_SCHEDULER, d->scheduler }, { FACT_PORT, d->port },
	};
	int r;

	if (!is_whole_disk(d))
		return 0;
	for (size_t i = 0; i < array_size(texts); i++)
		if (*texts[i].text)
			emit_text(&e, texts[i].id, 0, 0, texts[i].text, d->line);
	put_numbers(&e, d);
	r = emit_done(&e, CAP_DRIVE, item);
	return r < 0 ? r : 1;
}
