/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands that answer in registers: SMART RETURN STATUS and CHECK POWER MODE. */
#include "ata/command.h"
#include "ata/decoders.h"

const struct ata_registers *page_registers(struct page_sink *s)
{
	const struct ata_registers *r = s->registers;

	s->trust = TRUST_BYTES;
	if (!r || !r->known) {
		page_note(s, "the registers are not known: that is no answer");
		return NULL;
	}
	/* a bridge that drops registers gives zeros: COUNT 0 would read as "standby" */
	if ((r->status & (ATA_STATUS_BSY | ATA_STATUS_DRDY | ATA_STATUS_DF |
			  ATA_STATUS_ERR)) != ATA_STATUS_DRDY) {
		page_note(s,
			  "Status %02Xh: the command did not end well, or this is "
			  "no answer of the drive",
			  r->status);
		return NULL;
	}
	return r;
}

/* LBA 15:8 and 23:16 after SMART RETURN STATUS, ATA8-ACS 7.52.9. */
static const struct {
	uint8_t mid, high;
	bool passed;
} signatures[] = {
	{ 0x4f, 0xc2, true },
	{ 0xf4, 0x2c, false },
};

/*
 * Some bridges lose one of the two bytes and give 0 for it; the other one alone still tells which
 * answer it was. Anything else is no answer, least of all "passed".
 */
void decode_smart_status(struct page_sink *s, struct span bytes, uint16_t page_number)
{
	const struct ata_registers *r = page_registers(s);
	uint8_t mid, high;

	(void)bytes;
	(void)page_number;
	if (!r)
		return;
	mid = (uint8_t)(r->lba >> 8);
	high = (uint8_t)(r->lba >> 16);
	for (size_t i = 0; i < array_size(signatures); i++) {
		bool has_mid = mid == signatures[i].mid,
		     has_high = high == signatures[i].high;

		if ((has_mid && has_high) || (has_mid && !high) || (has_high && !mid)) {
			if (!has_mid || !has_high)
				page_note(
					s,
					"half an answer only: LBA mid %02Xh, high %02Xh",
					mid, high);
			page_flag(s, FACT_SMART_PASSED, 0, signatures[i].passed, 0, 0);
			return;
		}
	}
	page_note(s, "LBA mid %02Xh, high %02Xh is neither passed nor failed", mid, high);
}

/* COUNT after CHECK POWER MODE, ACS-4 table 28; 40h and 41h: ATA8-ACS, obsolete since. */
static const struct {
	uint8_t count;
	const char *name;
} modes[] = {
	{ 0x00, "STANDBY" },	  { 0x01, "STANDBY_Y" }, { 0x40, "ACTIVE_NV_DOWN" },
	{ 0x41, "ACTIVE_NV_UP" }, { 0x80, "IDLE" },	 { 0x81, "IDLE_A" },
	{ 0x82, "IDLE_B" },	  { 0x83, "IDLE_C" },	 { 0xff, "ACTIVE or IDLE" },
};

void decode_power_mode(struct page_sink *s, struct span bytes, uint16_t page_number)
{
	const struct ata_registers *r = page_registers(s);

	(void)bytes;
	(void)page_number;
	if (!r)
		return;
	for (size_t i = 0; i < array_size(modes); i++) {
		if (modes[i].count != (r->count & 0xff))
			continue;
		page_text(s, FACT_POWER_MODE, 0, 0, modes[i].name, 0, 0);
		return;
	}
	page_note(s, "COUNT %02Xh is no power mode", r->count & 0xffu);
}
