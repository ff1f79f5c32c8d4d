/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of /sys as facts. Each item holds one file as read; a value that the kernel does not know
 * ("<unknown>") gives no fact.
 */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "decode/part.h"

enum form {
	FORM_TEXT,  /* the first line */
	FORM_LINES, /* all of it */
	FORM_NUMBER,
	FORM_HEX,     /* iodone_cnt and its like print 0x... */
	FORM_SPEED,   /* "6.0 Gbps" -> 6000 */
	FORM_BRACKET, /* "none [mq-deadline] kyber" -> mq-deadline */
	FORM_FLAG,
};

static const struct row {
	const char *id; /* behind "sysfs/" */
	enum fact_id fact;
	enum form form;
} rows[] = {
	{ "disk/name", FACT_DEVICE, FORM_TEXT },
	{ "disk/model", FACT_MODEL, FORM_TEXT },
	{ "disk/serial", FACT_SERIAL, FORM_TEXT },
	{ "disk/firmware", FACT_FIRMWARE, FORM_TEXT },
	{ "disk/wwn", FACT_WWN, FORM_TEXT },
	{ "disk/bytes", FACT_CAPACITY, FORM_NUMBER },
	{ "disk/bus", FACT_BUS, FORM_TEXT },
	{ "disk/port", FACT_PORT, FORM_TEXT },
	{ "disk/driver", FACT_DRIVER, FORM_TEXT },
	{ "disk/usb_id", FACT_USB_ID, FORM_TEXT },
	{ "disk/hint", FACT_HINT_COMMAND, FORM_TEXT },
	{ "usb/speed", FACT_USB_SPEED, FORM_NUMBER },
	{ "link/sata_spd", FACT_LINK_CURRENT, FORM_SPEED },
	{ "link/hw_sata_spd_limit", FACT_LINK_PORT_MAX, FORM_SPEED },
	{ "link/sata_spd_limit", FACT_LINK_LIMIT, FORM_SPEED },
	{ "ata_device/spdn_cnt", FACT_LINK_SLOWED, FORM_NUMBER },
	{ "ata_device/ering", FACT_ERROR_RING, FORM_LINES },
	{ "host/link_power_management_policy", FACT_LINK_POWER_POLICY, FORM_TEXT },
	{ "device/iodone_cnt", FACT_COMMANDS_DONE, FORM_HEX },
	{ "device/ioerr_cnt", FACT_COMMANDS_FAILED, FORM_HEX },
	{ "device/iotmo_cnt", FACT_COMMANDS_TIMED_OUT, FORM_HEX },
	{ "device/timeout", FACT_COMMAND_TIMEOUT_S, FORM_NUMBER },
	{ "device/queue_depth", FACT_QUEUE_DEPTH, FORM_NUMBER },
	{ "device/queue_type", FACT_QUEUE_TYPE, FORM_TEXT },
	{ "device/power/runtime_status", FACT_RUNTIME_STATUS, FORM_TEXT },
	{ "queue/rotational", FACT_HOST_ROTATIONAL, FORM_FLAG },
	{ "queue/scheduler", FACT_SCHEDULER, FORM_BRACKET },
	{ "queue/discard_max_bytes", FACT_DISCARD_MAX, FORM_NUMBER },
	{ "queue/write_cache", FACT_HOST_WRITE_CACHE, FORM_TEXT },
	{ "queue/nr_requests", FACT_NR_REQUESTS, FORM_NUMBER },
	{ "queue/zoned", FACT_ZONED, FORM_TEXT },
	{ "queue/logical_block_size", FACT_LOGICAL_SECTOR, FORM_NUMBER },
	{ "queue/physical_block_size", FACT_PHYSICAL_SECTOR, FORM_NUMBER },
	{ "pci/current_link_speed", FACT_PCIE_SPEED, FORM_TEXT },
	{ "pci/max_link_speed", FACT_PCIE_SPEED_MAX, FORM_TEXT },
	{ "pci/current_link_width", FACT_PCIE_WIDTH, FORM_NUMBER },
	{ "pci/max_link_width", FACT_PCIE_WIDTH_MAX, FORM_NUMBER },
};

/* "6.0 Gbps" in Mbit/s; false for "<unknown>". */
static bool parse_speed(const char *text, uint64_t *ret)
{
	uint64_t whole, tenth;

	if (str_take_u64(&text, 10, &whole) < 0 || *text++ != '.' ||
	    str_take_u64(&text, 10, &tenth) < 0 || whole > 1000 || tenth > 9 ||
	    !str_equal(text, " Gbps"))
		return false;
	*ret = whole * 1000 + tenth * 100;
	return true;
}

static bool parse_number(enum form form, const char *text, uint64_t *ret)
{
	if (form == FORM_SPEED)
		return parse_speed(text, ret);
	if (form == FORM_HEX && !str_starts(text, "0x"))
		return false;
	return str_to_u64(text, ret) == 0 && (form != FORM_FLAG || *ret <= 1);
}

static const char *bracketed(struct arena *a, const char *text)
{
	const char *open = strchr(text, '['), *shut = open ? strchr(open, ']') : NULL;

	return shut ? arena_strndup(a, open + 1, (size_t)(shut - open - 1)) : text;
}

static int add_row(struct decode *d, struct part *p, const struct row *row,
		   const char *text, struct fact_origin origin)
{
	struct fact f = { .key = { row->fact, 0, 0 },
			  .trust = TRUST_HOST,
			  .origin = origin };

	if (!*text || *text == '<')
		return 0;
	if (row->form == FORM_TEXT || row->form == FORM_LINES ||
	    row->form == FORM_BRACKET) {
		f.text = row->form == FORM_BRACKET ? bracketed(d->arena, text) : text;
		return f.text ? part_add_fact(d, p, f) : -ENOMEM;
	}
	return parse_number(row->form, text, &f.u) ? part_add_fact(d, p, f) : 0;
}

int decode_sysfs(struct decode *d, struct part *p, const struct cap_item *item)
{
	const char *id = str_after(item->id, "sysfs/");
	const char *body = (const char *)item->body.data;
	struct fact_origin origin = { .item = arena_strdup(d->arena, item->id),
				      .file = p->snapshot.file };
	size_t len = item->body.len;
	char *text;

	for (size_t i = 0; origin.item && i < array_size(rows); i++) {
		if (!str_equal(rows[i].id, id))
			continue;
		if (rows[i].form != FORM_LINES && len && memchr(body, '\n', len))
			len = (size_t)((const char *)memchr(body, '\n', len) - body);
		while (len && (body[len - 1] == '\n' || body[len - 1] == ' '))
			len--;
		text = arena_strndup(d->arena, len ? body : "", len);
		return text ? add_row(d, p, &rows[i], text, origin) : -ENOMEM;
	}
	return origin.item
		       ? 0
		       : -ENOMEM; /* a file that tells nothing yet is kept in the capture */
}
