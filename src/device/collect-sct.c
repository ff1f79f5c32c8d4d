/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SCT (ATA8-ACS clause 8): a key sector is written to log E0h, the answer stands in log E1h, or in
 * the registers. Only on the user's request, and only the two keys that read.
 */
#include <errno.h>

#include "base/str.h"
#include "device/collect-private.h"

#define STATUS_LOG	0xe0u
#define DATA_LOG	0xe1u
#define EXTENDED_STATUS 14u /* of the SCT status, 8.2.5: FFFFh while a command runs */

/* A command that runs, perhaps somebody else's, is not disturbed. */
static bool is_busy(const struct collector *k)
{
	for (size_t i = 0; i < k->snapshot->n_items; i++) {
		const struct cap_item *item = &k->snapshot->items[i];
		struct span word;

		if (str_equal(item->id, "ata/smart-log/e0"))
			return item->status != CAP_OK ||
			       !span_cut(item->body, EXTENDED_STATUS, 2, &word) ||
			       (word.data[0] == 0xff && word.data[1] == 0xff);
	}
	return true;
}

static void read_history(struct collector *k, const struct page *row)
{
	uint8_t key[ATA_SECTOR];
	struct ata_command write = ata_sct_history(key),
			   read = ata_smart_read_log(DATA_LOG, 1);
	struct transport_result r;
	int e = collector_send(k, &write, &r);

	if (e == 0)
		e = collector_send(k, &read, &r);
	(void)collector_record(k, row->item, span_of(k->data, r.received), e, true, &r);
}

/* The limit comes in registers; the status read behind it says whether it is an answer to this. */
static void read_erc(struct collector *k, const struct page *row, uint8_t selection)
{
	uint8_t key[ATA_SECTOR];
	struct ata_command get = ata_sct_erc_get(selection, key),
			   status = ata_smart_read_log(STATUS_LOG, 1);
	struct transport_result r, after = { 0 };
	int e = collector_send(k, &get, &r);

	if (e == 0)
		(void)collector_send(k, &status, &after);
	(void)collector_record(k, row->item, span_of(k->data, after.received), e, false,
			       &r);
}

void collector_read_sct(struct collector *k, const struct page *row)
{
	if (is_busy(k))
		collector_skip(k, row->item, "busy");
	else if (row->address == DATA_LOG)
		read_history(k, row);
	else
		read_erc(k, row, str_ends(row->item, "erc-read") ? 1 : 2);
}
