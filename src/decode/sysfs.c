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
	FORM_RATE,    /* "6.0 Gbit" -> 6000 */
	FORM_BRACKET, /* "none [mq-deadline] kyber" -> mq-deadline */
	FORM_FLAG,
	FORM_TOTAL,	 /* "RxErr 3\nBadTLP 4\nTOTAL_ERR_COR 7": the total */
	FORM_PARTITIONS, /* "sda1 2048", a line each */
	FORM_STAT,	 /* Documentation/block/stat */
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
	{ "disk/names", FACT_DISK_NAMES, FORM_LINES },
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
	{ "kernel/boot_id", FACT_BOOT_ID, FORM_TEXT },
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
	{ "pci/aer_dev_correctable", FACT_AER_CORRECTABLE, FORM_TOTAL },
	{ "pci/aer_dev_nonfatal", FACT_AER_NONFATAL, FORM_TOTAL },
	{ "pci/aer_dev_fatal", FACT_AER_FATAL, FORM_TOTAL },
	{ "pci/id", FACT_CONTROLLER_ID, FORM_TEXT },
	{ "pci_port/max_link_speed", FACT_PCIE_PORT_SPEED_MAX, FORM_TEXT },
	{ "pci_port/max_link_width", FACT_PCIE_PORT_WIDTH_MAX, FORM_NUMBER },
	{ "sas_phy/invalid_dword_count", FACT_SAS_INVALID_DWORDS, FORM_NUMBER },
	{ "sas_phy/running_disparity_error_count", FACT_SAS_DISPARITY, FORM_NUMBER },
	{ "sas_phy/loss_of_dword_sync_count", FACT_SAS_LOST_SYNC, FORM_NUMBER },
	{ "sas_phy/phy_reset_problem_count", FACT_SAS_RESET_PROBLEMS, FORM_NUMBER },
	{ "sas_phy/negotiated_linkrate", FACT_SAS_RATE, FORM_RATE },
	{ "sas_phy/maximum_linkrate", FACT_SAS_RATE_MAX, FORM_RATE },
	{ "block/partitions", FACT_PARTITION_START, FORM_PARTITIONS },
	{ "block/holders", FACT_HOLDERS, FORM_TEXT },
	{ "block/array_work", FACT_ARRAY_WORK, FORM_TEXT },
	{ "block/stat", FACT_HOST_READS, FORM_STAT },
};

/* "6.0 Gbps" in Mbit/s; false for "<unknown>". */
static bool parse_speed(const char *text, const char *unit, uint64_t *ret)
{
	uint64_t whole, tenth;

	if (str_take_u64(&text, 10, &whole) < 0 || *text++ != '.' ||
	    str_take_u64(&text, 10, &tenth) < 0 || whole > 1000 || tenth > 9 ||
	    !str_equal(text, unit))
		return false;
	*ret = whole * 1000 + tenth * 100;
	return true;
}

static bool parse_number(enum form form, const char *text, uint64_t *ret)
{
	if (form == FORM_SPEED)
		return parse_speed(text, " Gbps", ret);
	if (form == FORM_RATE)
		return parse_speed(text, " Gbit", ret);
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

static int add_number(struct decode *d, struct part *p, struct fact_key key, uint64_t u,
		      struct fact_origin origin)
{
	return part_add_fact(
		d, p,
		(struct fact){
			.key = key, .trust = TRUST_HOST, .origin = origin, .u = u });
}

/* Documentation/ABI/testing/sysfs-bus-pci-devices-aer_stats */
static int add_total(struct decode *d, struct part *p, enum fact_id id, const char *text,
		     struct fact_origin origin)
{
	const char *at = strstr(text, "TOTAL_ERR_");
	uint64_t u;

	while (at && *at && *at != ' ')
		at++;
	if (!at || *at++ != ' ' || str_take_u64(&at, 10, &u) < 0)
		return 0;
	return add_number(d, p, (struct fact_key){ id, 0, 0 }, u, origin);
}

/* "sda1 2048", "nvme0n1p2 1050624": the partition's number is the digits at the end of its name. */
static int add_partitions(struct decode *d, struct part *p, const char *text,
			  struct fact_origin origin)
{
	for (const char *line = text; line && *line;) {
		const char *space = strchr(line, ' '), *digits = space, *end, *at;
		uint64_t number, start;
		int r;

		while (digits && digits > line && str_is_digit(digits[-1]))
			digits--;
		end = strchr(line, '\n');
		at = space ? space + 1 : NULL;
		line = end ? end + 1 : NULL;
		if (!at || digits == space || str_take_u64(&digits, 10, &number) < 0 ||
		    number > 255 || str_take_u64(&at, 10, &start) < 0)
			continue;
		r = add_number(
			d, p,
			(struct fact_key){ FACT_PARTITION_START, (uint32_t)number, 0 },
			start, origin);
		if (r < 0)
			return r;
	}
	return 0;
}

/* 17 fields since Linux 5.5, 11 before 4.18; those that are not there are absent. */
static int add_stat(struct decode *d, struct part *p, const char *text,
		    struct fact_origin origin)
{
	static const struct {
		unsigned field;
		enum fact_id id;
		unsigned unit; /* sectors there are 512 bytes, whatever the drive's are */
	} fields[] = {
		{ 0, FACT_HOST_READS, 1 },     { 2, FACT_BOOT_READ, 512 },
		{ 3, FACT_HOST_READ_MS, 1 },   { 4, FACT_HOST_WRITES, 1 },
		{ 6, FACT_BOOT_WRITTEN, 512 }, { 7, FACT_HOST_WRITE_MS, 1 },
		{ 9, FACT_HOST_BUSY_MS, 1 },   { 11, FACT_HOST_DISCARDS, 1 },
		{ 15, FACT_HOST_FLUSHES, 1 },  { 16, FACT_HOST_FLUSH_MS, 1 },
	};
	uint64_t u;

	for (unsigned n = 0; *text; n++) {
		while (*text == ' ')
			text++;
		if (str_take_u64(&text, 10, &u) < 0)
			return 0;
		for (size_t i = 0; i < array_size(fields); i++) {
			int r = fields[i].field == n && u <= UINT64_MAX / fields[i].unit
					? add_number(
						  d, p,
						  (struct fact_key){ fields[i].id, 0, 0 },
						  u * fields[i].unit, origin)
					: 0;

			if (r < 0)
				return r;
		}
	}
	return 0;
}

static int add_lines(struct decode *d, struct part *p, const struct row *row,
		     const char *text, struct fact_origin origin)
{
	if (row->form == FORM_TOTAL)
		return add_total(d, p, row->fact, text, origin);
	if (row->form == FORM_PARTITIONS)
		return add_partitions(d, p, text, origin);
	return add_stat(d, p, text, origin);
}

static bool has_lines(enum form form)
{
	return form == FORM_LINES || form == FORM_TOTAL || form == FORM_PARTITIONS;
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
		if (!has_lines(rows[i].form) && len && memchr(body, '\n', len))
			len = (size_t)((const char *)memchr(body, '\n', len) - body);
		while (len && (body[len - 1] == '\n' || body[len - 1] == ' '))
			len--;
		text = arena_strndup(d->arena, len ? body : "", len);
		if (!text)
			return -ENOMEM;
		return rows[i].form >= FORM_TOTAL
			       ? add_lines(d, p, &rows[i], text, origin)
			       : add_row(d, p, &rows[i], text, origin);
	}
	return origin.item
		       ? 0
		       : -ENOMEM; /* a file that tells nothing yet is kept in the capture */
}
