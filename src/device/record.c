/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "device/record.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/attrs.h"
#include "base/str.h"

static const struct row {
	int error;
	const char *name;
	enum cap_status status;
} rows[] = {
	{ EIO, "EIO", CAP_FAILED },
	{ ETIMEDOUT, "ETIMEDOUT", CAP_FAILED },
	{ ENODEV, "ENODEV", CAP_FAILED },
	{ ENODATA, "ENODATA", CAP_FAILED }, /* fewer bytes than asked for */
	{ EINTR, "EINTR", CAP_FAILED },
	{ EPERM, "EPERM", CAP_FAILED },
	{ EOPNOTSUPP, "EOPNOTSUPP", CAP_UNSUPPORTED },
};

static const struct row *find_error(int error)
{
	for (size_t i = 0; i < array_size(rows); i++)
		if (rows[i].error == error)
			return &rows[i];
	return NULL;
}

const char *record_error_name(int error)
{
	const struct row *row = find_error(error);

	return row ? row->name : NULL;
}

int record_error_number(const char *name)
{
	for (size_t i = 0; name && i < array_size(rows); i++)
		if (str_equal(rows[i].name, name))
			return rows[i].error;
	return 0;
}

static int set_hex(struct capture *c, struct cap_item *item, const char *name,
		   uint64_t value, int digits)
{
	char text[24];

	(void)snprintf(text, sizeof(text), "%0*llx", digits, (unsigned long long)value);
	return cap_item_set(c, item, name, text);
}

static int set_registers(struct capture *c, struct cap_item *item,
			 const struct ata_registers *r)
{
	int e;

	if (!r->known)
		return cap_item_set(c, item, "registers", "unknown");
	e = set_hex(c, item, "ata_status", r->status, 2);
	if (!e)
		e = set_hex(c, item, "ata_error", r->error, 2);
	if (!e)
		e = set_hex(c, item, "ata_count", r->count, 2);
	if (!e)
		e = set_hex(c, item, "ata_lba", r->lba, 6);
	if (!e)
		e = set_hex(c, item, "ata_device", r->device, 2);
	if (!e && r->partial)
		e = cap_item_set(c, item, "registers", "partial");
	return e;
}

/* What a failure leaves behind that the registers do not hold. */
static int set_sense(struct capture *c, struct cap_item *item,
		     const struct transport_result *r)
{
	char text[2 * sizeof(r->sense) + 1] = { 0 };

	if (!r->sense_len || r->registers.known)
		return 0;
	for (unsigned i = 0; i < r->sense_len && i < sizeof(r->sense); i++)
		(void)snprintf(text + i * 2, 3, "%02x", r->sense[i]);
	return cap_item_set(c, item, "sense", text);
}

static int describe(struct capture *c, struct cap_item *item, int error, bool sends_data,
		    const struct transport_result *r)
{
	const struct row *row = find_error(-error);
	char took[24];
	int e = 0;

	if (error)
		e = cap_item_set(c, item, "error", row ? row->name : "EIO");
	/* nobody was asked, or nobody answered */
	if (!e && (!error || error == -EIO) && !(sends_data && !error))
		e = set_registers(c, item, &r->registers);
	if (!e && error)
		e = set_sense(c, item, r);
	(void)snprintf(took, sizeof(took), "%u", r->took_us);
	return e ? e : cap_item_set(c, item, "took_us", took);
}

struct cap_item *record_add(struct capture *c, struct cap_snapshot *s, const char *id,
			    struct span body, int error, bool sends_data,
			    const struct transport_result *r)
{
	const struct row *row = find_error(-error);
	enum cap_status status = !error ? CAP_OK : row ? row->status : CAP_FAILED;
	struct cap_item *item = capture_add_item(c, s, id, status, body);

	if (!item || describe(c, item, error, sends_data, r) < 0)
		return NULL;
	return item;
}

static bool get_hex(const struct cap_item *item, const char *name, uint64_t *ret)
{
	const char *text = cap_item_get(item, name);

	return text && str_take_u64(&text, 16, ret) == 0 && !*text;
}

static struct ata_registers get_registers(const struct cap_item *item)
{
	struct ata_registers r = { 0 };
	uint64_t status, error = 0, count = 0, lba = 0, device = 0;

	if (!get_hex(item, "ata_status", &status))
		return r;
	(void)get_hex(item, "ata_error", &error);
	(void)get_hex(item, "ata_count", &count);
	(void)get_hex(item, "ata_lba", &lba);
	(void)get_hex(item, "ata_device", &device);
	r.known = true;
	r.partial = str_equal(cap_item_get(item, "registers"), "partial");
	r.status = (uint8_t)status;
	r.error = (uint8_t)error;
	r.count = (uint16_t)count;
	r.lba = lba;
	r.device = (uint8_t)device;
	return r;
}

static void get_sense(const struct cap_item *item, struct transport_result *r)
{
	const char *hex = cap_item_get(item, "sense");
	size_t n = hex ? strlen(hex) / 2 : 0;

	for (size_t i = 0; i < n && i < sizeof(r->sense); i++) {
		char pair[3] = { hex[i * 2], hex[i * 2 + 1], '\0' };
		const char *p = pair;
		uint64_t byte;

		if (str_take_u64(&p, 16, &byte) < 0 || *p)
			return;
		r->sense[i] = (uint8_t)byte;
		r->sense_len = (uint8_t)(i + 1);
	}
}

int record_read(const struct cap_item *item, struct transport_result *ret)
{
	const char *took = cap_item_get(item, "took_us");
	int error = record_error_number(cap_item_get(item, "error"));
	uint64_t us;

	*ret = (struct transport_result){ .registers = get_registers(item) };
	get_sense(item, ret);
	if (took && str_to_u64(took, &us) == 0 && us <= UINT32_MAX)
		ret->took_us = (uint32_t)us;
	if (!error && item->status != CAP_OK)
		error = item->status == CAP_UNSUPPORTED ? EOPNOTSUPP : EIO;
	ret->timed_out = error == ETIMEDOUT;
	ret->gone = error == ENODEV;
	ret->received = item->body.len;
	/* it came, but short: the drive did not fail it */
	return error == ENODATA ? 0 : -error;
}
