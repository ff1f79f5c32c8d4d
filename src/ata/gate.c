/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The allow-list. What stands in no row cannot be sent, whoever built it: a wrong SCT action code
 * or a WRITE would touch a person's data.
 */
#include "ata/gate.h"

#include <errno.h>
#include <string.h>

#define ANY_LOW 0x100u /* any LBA 7:0: the log address of a read */

static const struct row {
	uint8_t opcode;
	enum ata_protocol protocol;
	bool ext;
	uint16_t features; /* exact; of SMART the subcommand */
	uint16_t lba_low;  /* exact, or ANY_LOW */
	unsigned grant;	   /* 0: always */
	bool registers;	   /* CK_COND may be asked for */
} rows[] = {
	/* clang-format off */
	{ ATA_IDENTIFY_DEVICE,  ATA_PIO_IN,   false, 0, 0x00, 0, false },
	{ ATA_CHECK_POWER_MODE, ATA_NON_DATA, false, 0, 0x00, 0, true },
	{ ATA_SMART, ATA_PIO_IN,   false, SMART_READ_DATA,       0x00, 0, false },
	{ ATA_SMART, ATA_PIO_IN,   false, SMART_READ_THRESHOLDS, 0x01, 0, false },
	{ ATA_SMART, ATA_PIO_IN,   false, SMART_READ_LOG,        ANY_LOW, 0, false },
	{ ATA_SMART, ATA_NON_DATA, false, SMART_RETURN_STATUS,   0x00, 0, true },
	{ ATA_SMART, ATA_NON_DATA, false, SMART_ENABLE,          0x01, GATE_ENABLE, false },
	{ ATA_SMART, ATA_NON_DATA, false, SMART_EXECUTE_OFFLINE, 0x01, GATE_SELFTEST, false },
	{ ATA_SMART, ATA_NON_DATA, false, SMART_EXECUTE_OFFLINE, 0x02, GATE_SELFTEST, false },
	{ ATA_SMART, ATA_NON_DATA, false, SMART_EXECUTE_OFFLINE, 0x03, GATE_SELFTEST, false },
	{ ATA_SMART, ATA_NON_DATA, false, SMART_EXECUTE_OFFLINE, 0x04, GATE_SELFTEST, false },
	{ ATA_SMART, ATA_NON_DATA, false, SMART_EXECUTE_OFFLINE, 0x7f, GATE_SELFTEST, false },
	{ ATA_SMART, ATA_PIO_OUT,  false, SMART_WRITE_LOG,       0xe0, GATE_SCT, true },
	{ ATA_SMART, ATA_PIO_OUT,  false, SMART_WRITE_LOG,       0x09, GATE_SELFTEST, false },
	{ ATA_READ_LOG_EXT,     ATA_PIO_IN, true, 0, ANY_LOW, 0, false },
	{ ATA_READ_LOG_DMA_EXT, ATA_DMA_IN, true, 0, ANY_LOW, 0, false },
	{ ATA_READ_LOG_EXT,     ATA_PIO_IN, true, 1, 0x11, GATE_RESET_PHY, false },
	{ ATA_READ_LOG_DMA_EXT, ATA_DMA_IN, true, 1, 0x11, GATE_RESET_PHY, false },
	/* clang-format on */
};

static bool is_zero(const uint8_t *b, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (b[i])
			return false;
	return true;
}

/*
 * SCT key sectors: words {5,1,2} reads the temperature history, {3,2,1} and {3,2,2} get the error
 * recovery limits. Every other byte is zero; action 2 (write same) and set functions differ in
 * the words tested here.
 */
static bool is_sct_read(const uint8_t *s)
{
	static const uint8_t words[][6] = {
		{ 5, 0, 1, 0, 2, 0 },
		{ 3, 0, 2, 0, 1, 0 },
		{ 3, 0, 2, 0, 2, 0 },
	};

	for (size_t i = 0; i < array_size(words); i++)
		if (memcmp(s, words[i], sizeof(words[i])) == 0)
			return is_zero(s, sizeof(words[i]), ATA_SECTOR);
	return false;
}

/*
 * Selective self-test log, ACS-3 A.18: revision 1, five spans, everything behind them zero but the
 * feature flags (bit 1: scan the rest afterwards) and the checksum.
 */
static bool is_selective_log(const uint8_t *s)
{
	uint8_t sum = 0;

	for (size_t i = 0; i < ATA_SECTOR; i++)
		sum = (uint8_t)(sum + s[i]);
	return s[0] == 1 && s[1] == 0 && is_zero(s, 82, 502) && (s[502] & ~0x02u) == 0 &&
	       is_zero(s, 503, 511) && sum == 0;
}

static bool data_fits(const struct ata_command *c)
{
	if (c->protocol != ATA_PIO_OUT)
		return !c->data_out;
	if (!c->data_out || c->count != 1)
		return false;
	return (c->lba & 0xff) == 0xe0 ? is_sct_read(c->data_out)
				       : is_selective_log(c->data_out);
}

static bool lba_fits(const struct ata_command *c, const struct row *r)
{
	uint64_t low = c->lba & 0xff;

	if (r->lba_low != ANY_LOW && low != r->lba_low)
		return false;
	if (c->opcode == ATA_SMART)
		return c->lba >> 8 == SMART_LBA_MID_HIGH >> 8;
	/* of a log read: address, page low byte, page high byte; the rest is zero */
	if (r->ext)
		return (c->lba & ~UINT64_C(0xff0000ffff)) == 0;
	return c->lba == 0;
}

static bool count_fits(const struct ata_command *c)
{
	if (c->protocol == ATA_NON_DATA)
		return c->count == 0;
	return c->count > 0 && (c->ext || c->count <= 255);
}

int gate_check(const struct ata_command *c, unsigned grants)
{
	for (size_t i = 0; i < array_size(rows); i++) {
		const struct row *r = &rows[i];

		if (r->opcode == c->opcode && r->protocol == c->protocol &&
		    r->ext == c->ext && r->features == c->features &&
		    (!c->want_registers || r->registers) && (r->grant & ~grants) == 0 &&
		    lba_fits(c, r) && count_fits(c) && data_fits(c))
			return 0;
	}
	return -EPERM;
}
