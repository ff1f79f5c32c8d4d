/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Log directories (ACS-4 9.2; SMART: ATA8-ACS A.2): word 0 is the version, word n the pages of the
 * log at address n. Of a SMART directory only the low bytes count.
 */
#include "ata/decoders.h"
#include "ata/wire.h"

/* ACS-4 table 203 and its predecessors. An address in no row is reserved. */
/* clang-format off */
static const struct log_name {
	uint8_t first, last;
	const char *access, *name;
} names[] = {
	{ 0x00, 0x00, "R/O", "Log Directory" },
	{ 0x01, 0x01, "R/O", "Summary SMART error log" },
	{ 0x02, 0x02, "R/O", "Comprehensive SMART error log" },
	{ 0x03, 0x03, "R/O", "Ext. Comprehensive SMART error log" },
	{ 0x04, 0x04, "R/O", "Device Statistics log" },
	{ 0x05, 0x05, "R/O", "Reserved for CFA" },
	{ 0x06, 0x06, "R/O", "SMART self-test log" },
	{ 0x07, 0x07, "R/O", "Extended self-test log" },
	{ 0x08, 0x08, "R/O", "Power Conditions log" },
	{ 0x09, 0x09, "R/W", "Selective self-test log" },
	{ 0x0a, 0x0a, "R/W", "Device Statistics Notification" },
	{ 0x0b, 0x0b, "-",   "Reserved for CFA" },
	{ 0x0c, 0x0c, "R/O", "Pending Defects log" },
	{ 0x0d, 0x0d, "R/O", "LPS Mis-alignment log" },
	{ 0x0e, 0x0e, "-",   "Reserved for ZAC-2" },
	{ 0x0f, 0x0f, "R/O", "Sense Data for Successful NCQ Cmds log" },
	{ 0x10, 0x10, "R/O", "NCQ Command Error log" },
	{ 0x11, 0x11, "R/O", "SATA Phy Event Counters log" },
	{ 0x12, 0x12, "R/O", "SATA NCQ Non-Data log" },
	{ 0x13, 0x13, "R/O", "SATA NCQ Send and Receive log" },
	{ 0x14, 0x14, "R/O", "Hybrid Information log" },
	{ 0x15, 0x15, "R/W", "Rebuild Assist log" },
	{ 0x16, 0x16, "R/W", "Out Of Band Management Control log" },
	{ 0x17, 0x17, "-",   "Reserved for Serial ATA" },
	{ 0x18, 0x18, "R/W", "Command Duration Limits log" },
	{ 0x19, 0x19, "R/O", "LBA Status log" },
	{ 0x20, 0x20, "R/O", "Streaming performance log [OBS-8]" },
	{ 0x21, 0x21, "R/O", "Write stream error log" },
	{ 0x22, 0x22, "R/O", "Read stream error log" },
	{ 0x23, 0x23, "R/O", "Delayed sector log [OBS-8]" },
	{ 0x24, 0x24, "R/O", "Current Device Internal Status Data log" },
	{ 0x25, 0x25, "R/O", "Saved Device Internal Status Data log" },
	{ 0x2f, 0x2f, "-",   "Set Sector Configuration" },
	{ 0x30, 0x30, "R/O", "IDENTIFY DEVICE data log" },
	{ 0x42, 0x42, "R/O", "Mutate Configurations log" },
	{ 0x47, 0x47, "R/O", "Concurrent Positioning Ranges log" },
	{ 0x53, 0x53, "R/O", "Sense Data log" },
	{ 0x80, 0x9f, "R/W", "Host vendor specific log" },
	{ 0xa0, 0xdf, "VS",  "Device vendor specific log" },
	{ 0xe0, 0xe0, "R/W", "SCT Command/Status" },
	{ 0xe1, 0xe1, "R/W", "SCT Data Transfer" },
};
/* clang-format on */

static const struct log_name *find_name(unsigned address)
{
	static const struct log_name reserved = { 0, 0, "-", "Reserved" };

	for (size_t i = 0; i < array_size(names); i++)
		if (address >= names[i].first && address <= names[i].last)
			return &names[i];
	return &reserved;
}

static void add_log(struct page_sink *s, enum fact_id id, unsigned address,
		    uint32_t pages)
{
	const struct log_name *name = find_name(address);
	uint32_t at = 2 * address;

	page_u64(s, id, address, 0, pages, at, id == FACT_LOG_GPL ? 2 : 1);
	page_text(s, FACT_LOG_ACCESS, address, 0, name->access, at, 2);
	page_text(s, FACT_LOG_NAME, address, 0, name->name, at, 2);
}

static void decode(struct page_sink *s, struct span bytes, enum fact_id id)
{
	struct span page;
	bool gpl = id == FACT_LOG_GPL;
	unsigned version;

	if (!page_take_only(s, bytes, &page))
		return;
	s->trust = TRUST_UNCHECKED; /* this page has no checksum */
	version = (unsigned)le_get(page.data, 2);
	if (version != 1)
		page_note(s, "version %u of a log directory is not known", version);
	if (gpl && version != 1)
		return;
	page_u64(s, gpl ? FACT_LOG_GPL_VERSION : FACT_LOG_SMART_VERSION, 0, 0, version, 0,
		 2);
	add_log(s, id, 0, 1);
	for (unsigned i = 1; i < 256; i++) {
		uint32_t pages = (uint32_t)le_get(page.data + 2 * i, gpl ? 2 : 1);

		if (pages)
			add_log(s, id, i, pages);
	}
}

void decode_gpl_directory(struct page_sink *s, struct span bytes, uint16_t page_number)
{
	if (page_number)
		page_note(s, "this log has one page only");
	else
		decode(s, bytes, FACT_LOG_GPL);
}

void decode_smart_directory(struct page_sink *s, struct span bytes, uint16_t page_number)
{
	(void)page_number;
	decode(s, bytes, FACT_LOG_SMART);
}
