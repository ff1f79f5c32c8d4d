/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A drive that answers from a capture. What it was never asked it refuses, as a drive does. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ata/pages.h"
#include "base/attrs.h"
#include "base/str.h"
#include "capture/capture.h"
#include "device/record.h"
#include "device/transport.h"

#define ID_MAX 64u

struct replay {
	struct transport transport;
	const struct cap_subject *drive;
	size_t snapshot;
	const struct cap_item *
		sct; /* the answer to the SCT key sector written last, until it is read */
};

static struct replay *replay_of(struct transport *t)
{
	return (struct replay *)t;
}

static const struct cap_snapshot *snapshot_of(const struct replay *p)
{
	return &p->drive->snapshots[p->snapshot];
}

static const struct cap_item *find_item(const struct replay *p, const char *id)
{
	const struct cap_snapshot *s = snapshot_of(p);

	for (size_t i = 0; i < s->n_items; i++)
		if (str_equal(s->items[i].id, id) && s->items[i].status != CAP_SKIPPED)
			return &s->items[i];
	return NULL;
}

static int refuse(struct transport_result *ret)
{
	ret->registers =
		(struct ata_registers){ .known = true,
					.status = ATA_STATUS_DRDY | 0x10 | ATA_STATUS_ERR,
					.error = ATA_ERROR_ABRT };
	return -EIO;
}

static int end_well(struct transport_result *ret)
{
	ret->registers =
		(struct ata_registers){ .known = true, .status = ATA_STATUS_DRDY | 0x10 };
	return 0;
}

/* The item tells the time of all its pages; the shares of its parts sum up to it. */
static uint32_t share_of(uint32_t took_us, size_t part, size_t whole)
{
	return whole ? (uint32_t)((uint64_t)took_us * part / whole) : took_us;
}

/* SKIP bytes of the body were not asked for. */
static int answer(const struct cap_item *item, size_t skip, const struct ata_command *c,
		  uint8_t *data, struct transport_result *ret)
{
	size_t want = ata_command_bytes(c), have;
	int r;

	if (!item)
		return refuse(ret);
	r = record_read(item, ret);
	have = item->body.len > skip ? item->body.len - skip : 0;
	ret->received = have < want ? have : want;
	if (ret->received) {
		memcpy(data, item->body.data + skip, ret->received);
		ret->took_us =
			share_of(ret->took_us, skip + ret->received, item->body.len) -
			share_of(ret->took_us, skip, item->body.len);
	}
	return r;
}

static uint16_t page_of(const struct ata_command *c)
{
	return (uint16_t)((c->lba >> 8 & 0xff) | (c->lba >> 24 & 0xff00));
}

/* "ata/log/AA/PP": the page with which an item of this log begins. */
static bool item_begins(const struct cap_item *item, uint8_t address, uint64_t *ret_page)
{
	char prefix[ID_MAX];
	const char *rest;

	(void)snprintf(prefix, sizeof(prefix), "ata/log/%02x/", address);
	rest = str_after(item->id, prefix);
	return rest && item->status != CAP_SKIPPED &&
	       str_take_u64(&rest, 16, ret_page) == 0 && !*rest;
}

/*
 * All pages asked for stand in one item, or the read is refused: they were read apart because this
 * drive refused it together. One page alone may have failed, and then it does so again.
 */
static int send_log_ext(const struct replay *p, const struct ata_command *c,
			uint8_t *data, struct transport_result *ret)
{
	const struct cap_snapshot *s = snapshot_of(p);
	size_t page = page_of(c);

	for (size_t i = 0; i < s->n_items; i++) {
		const struct cap_item *item = &s->items[i];
		uint64_t first;
		size_t have = item->body.len / ATA_SECTOR;

		if (!item_begins(item, (uint8_t)c->lba, &first) || first > page)
			continue;
		if (item->status != CAP_OK && first == page)
			return answer(item, 0, c, data, ret);
		if (page + c->count <= first + have)
			return answer(item, (page - first) * ATA_SECTOR, c, data, ret);
	}
	return refuse(ret);
}

static const char *item_of(enum page_source source, uint8_t address)
{
	for (const struct page *row = ata_pages; row->item; row++)
		if (row->source == source && row->address == address)
			return row->item;
	return NULL;
}

static int send_item(const struct replay *p, enum page_source source, uint8_t address,
		     const struct ata_command *c, uint8_t *data,
		     struct transport_result *ret)
{
	const char *id = item_of(source, address);

	return answer(id ? find_item(p, id) : NULL, 0, c, data, ret);
}

/* A key sector to log E0h: its answer is kept for the read behind it, or stands in registers. */
static int write_key(struct replay *p, const uint8_t *key, struct transport_result *ret)
{
	const struct {
		uint8_t key[5];
		const char *id;
	} rows[] = {
		{ { 5, 0, 1, 0, 2 }, "ata/sct/history" },
		{ { 3, 0, 2, 0, 1 }, "ata/sct/erc-read" },
		{ { 3, 0, 2, 0, 2 }, "ata/sct/erc-write" },
	};

	p->sct = NULL;
	for (size_t i = 0; key && i < array_size(rows); i++)
		if (memcmp(key, rows[i].key, sizeof(rows[i].key)) == 0)
			p->sct = find_item(p, rows[i].id);
	if (!p->sct)
		return refuse(ret);
	if (p->sct->status == CAP_OK && key[0] == 5)
		return end_well(ret);
	return record_read(p->sct, ret);
}

/* Logs E0h and E1h behind a key sector belong to it. */
static const struct cap_item *find_smart_log(struct replay *p, uint8_t address)
{
	const struct cap_item *sct = p->sct;
	char id[ID_MAX];

	p->sct = NULL;
	if (sct && sct->body.len && (address == 0xe0 || address == 0xe1))
		return sct;
	(void)snprintf(id, sizeof(id), "ata/smart-log/%02x", address);
	return find_item(p, id);
}

static int send_smart(struct replay *p, const struct ata_command *c, uint8_t *data,
		      struct transport_result *ret)
{
	uint8_t address = (uint8_t)c->lba;

	switch (c->features) {
	case SMART_READ_DATA:
		return send_item(p, PAGE_SMART_DATA, 0, c, data, ret);
	case SMART_READ_THRESHOLDS:
		return send_item(p, PAGE_SMART_THRESHOLDS, 0, c, data, ret);
	case SMART_RETURN_STATUS:
		return send_item(p, PAGE_SMART_STATUS, 0, c, data, ret);
	case SMART_READ_LOG:
		return answer(find_smart_log(p, address), 0, c, data, ret);
	case SMART_WRITE_LOG:
		if (address == 0xe0)
			return write_key(p, c->data_out, ret);
		break;
	default:
		break;
	}
	/* a self-test or a log that is written leaves nothing in a capture */
	return end_well(ret);
}

static int replay_send(struct transport *t, const struct ata_command *c, uint8_t *data,
		       uint32_t timeout_ms, struct transport_result *ret)
{
	struct replay *p = replay_of(t);

	(void)timeout_ms;
	switch (c->opcode) {
	case ATA_IDENTIFY_DEVICE:
		return send_item(p, PAGE_IDENTIFY, 0, c, data, ret);
	case ATA_CHECK_POWER_MODE:
		return send_item(p, PAGE_POWER_MODE, 0, c, data, ret);
	case ATA_SMART:
		return send_smart(p, c, data, ret);
	case ATA_READ_LOG_EXT:
	case ATA_READ_LOG_DMA_EXT:
		return send_log_ext(p, c, data, ret);
	default:
		return refuse(ret);
	}
}

static void replay_close(struct transport *t)
{
	free(replay_of(t));
}

static int64_t replay_now(struct transport *t)
{
	return snapshot_of(replay_of(t))->taken_ms;
}

static const struct transport_ops replay_ops = {
	.name = "replay",
	.send = replay_send,
	.close = replay_close,
	.now_ms = replay_now,
};

int transport_replay_open(const struct cap_subject *drive, struct transport **ret)
{
	struct replay *p;

	if (drive->kind != CAP_DRIVE || !drive->n_snapshots)
		return -ENODEV;
	p = calloc(1, sizeof(*p));
	if (!p)
		return -ENOMEM;
	p->transport.ops = &replay_ops;
	p->drive = drive;
	*ret = &p->transport;
	return 0;
}

bool transport_replay_next(struct transport *t)
{
	struct replay *p = replay_of(t);

	if (p->snapshot + 1 >= p->drive->n_snapshots)
		return false;
	p->snapshot++;
	return true;
}
