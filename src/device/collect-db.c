/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads that the database forbids: there are drives that one of them hangs. */
#include <errno.h>

#include "base/str.h"
#include "device/collect-private.h"

/* IDENTIFY DEVICE words 23 to 26 and 27 to 46, ACS-4 7.12.7. */
#define FIRMWARE_OFFSET 46u
#define FIRMWARE_BYTES	8u
#define MODEL_OFFSET	54u
#define MODEL_BYTES	40u

/* Two characters a word, the first in its upper half; spaces at both ends are no part of it. */
static char *take_text(const uint8_t *at, size_t len, char *ret)
{
	size_t end = 0, start = 0;

	for (size_t i = 0; i < len; i++) {
		ret[i] = (char)at[i ^ 1];
		if (ret[i] == '\0')
			ret[i] = ' ';
		if (ret[i] != ' ')
			end = i + 1;
	}
	ret[end] = '\0';
	while (ret[start] == ' ')
		start++;
	return ret + start;
}

/* "06 07": addresses in hex. */
static void forbid_logs(struct collector *k, const char *list)
{
	while (*list) {
		uint64_t address;

		if (str_take_u64(&list, 16, &address) < 0 || address > 0xff)
			return;
		k->no_log[address] = true;
		while (*list == ' ')
			list++;
	}
}

void collector_ask_db(struct collector *k, struct span identify)
{
	char model[MODEL_BYTES + 1], firmware[FIRMWARE_BYTES + 1];
	struct db_match m = { 0 };
	const struct db_property *p;
	struct drive_id id = { .bus = "ata" };

	if (!k->options->db || identify.len < ATA_SECTOR)
		return;
	id.model = take_text(identify.data + MODEL_OFFSET, MODEL_BYTES, model);
	id.firmware =
		take_text(identify.data + FIRMWARE_OFFSET, FIRMWARE_BYTES, firmware);
	if (drivedb_match(k->options->db, &id, &m) < 0) {
		/* not knowing is no licence */
		k->error = -ENOMEM;
		k->over = true;
		return;
	}
	k->no_directory = db_match_get(&m, "NO_LOG_DIRECTORY") != NULL;
	p = db_match_get(&m, "NO_LOG");
	if (p)
		forbid_logs(k, p->value);
	db_match_done(&m);
}
