/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "device/cdb.h"

#include <string.h>

#include "base/attrs.h"

/* PROTOCOL, SAT-4 table 152. libata takes Ah and Bh (UDMA) as 6; bridges know 6. */
static const uint8_t protocols[] = {
	[ATA_NON_DATA] = 3,
	[ATA_PIO_IN] = 4,
	[ATA_PIO_OUT] = 5,
	[ATA_DMA_IN] = 6,
};

#define CK_COND		0x20u
#define T_DIR_IN	0x08u
#define BYT_BLOK	0x04u
#define T_LENGTH_COUNT	0x02u
#define OPCODE_16	0x85u
#define OPCODE_12	0xa1u
#define OPCODE_VARIABLE 0x7fu
#define ACTION_32	0x1ff0u

static uint8_t protocol_byte(const struct ata_command *c, bool with_extend)
{
	return (uint8_t)(protocols[c->protocol] << 1 | (with_extend && c->ext));
}

/*
 * CK_COND on a command that reads data makes libata answer CHECK CONDITION and drop the data of
 * PIO reads, so it is asked for only where nothing is read; the gate refuses it as well.
 * T_TYPE stays 0: lengths are in blocks of 512 bytes, whatever the logical sector.
 */
static uint8_t flags_byte(const struct ata_command *c)
{
	uint8_t check = c->want_registers ? CK_COND : 0;

	switch (c->protocol) {
	case ATA_PIO_IN:
	case ATA_DMA_IN:
		return T_DIR_IN | BYT_BLOK | T_LENGTH_COUNT;
	case ATA_PIO_OUT:
		return (uint8_t)(check | BYT_BLOK | T_LENGTH_COUNT);
	case ATA_NON_DATA:
		break;
	}
	/* T_LENGTH 0 with a direction is refused by kernels since 5.16 */
	return check;
}

static uint8_t byte_of(uint64_t value, unsigned n)
{
	return (uint8_t)(value >> n * 8);
}

static size_t build_16(const struct ata_command *c, uint8_t *b)
{
	b[0] = OPCODE_16;
	b[1] = protocol_byte(c, true);
	b[2] = flags_byte(c);
	b[3] = byte_of(c->features, 1);
	b[4] = byte_of(c->features, 0);
	b[5] = byte_of(c->count, 1);
	b[6] = byte_of(c->count, 0);
	b[7] = byte_of(c->lba, 3);
	b[8] = byte_of(c->lba, 0);
	b[9] = byte_of(c->lba, 4);
	b[10] = byte_of(c->lba, 1);
	b[11] = byte_of(c->lba, 5);
	b[12] = byte_of(c->lba, 2);
	b[14] = c->opcode; /* Device stays 0: no command of ours addresses media */
	return 16;
}

static size_t build_12(const struct ata_command *c, uint8_t *b)
{
	if (c->ext)
		return 0;
	b[0] = OPCODE_12;
	b[1] = protocol_byte(c, false);
	b[2] = flags_byte(c);
	b[3] = byte_of(c->features, 0);
	b[4] = byte_of(c->count, 0);
	b[5] = byte_of(c->lba, 0);
	b[6] = byte_of(c->lba, 1);
	b[7] = byte_of(c->lba, 2);
	b[9] = c->opcode;
	return 12;
}

static size_t build_32(const struct ata_command *c, uint8_t *b)
{
	b[0] = OPCODE_VARIABLE;
	b[7] = 32 - 8; /* additional length */
	b[8] = byte_of(ACTION_32, 1);
	b[9] = byte_of(ACTION_32, 0);
	b[10] = protocol_byte(c, true);
	b[11] = flags_byte(c);
	for (unsigned n = 0; n < 6; n++)
		b[14 + n] = byte_of(c->lba, 5 - n);
	b[20] = byte_of(c->features, 1);
	b[21] = byte_of(c->features, 0);
	b[22] = byte_of(c->count, 1);
	b[23] = byte_of(c->count, 0);
	b[25] = c->opcode;
	return 32;
}

size_t cdb_build(const struct ata_command *c, enum cdb_form form, uint8_t ret[CDB_MAX])
{
	static size_t (*const builders[])(const struct ata_command *, uint8_t *) = {
		[CDB_16] = build_16,
		[CDB_12] = build_12,
		[CDB_32] = build_32,
	};

	memset(ret, 0, CDB_MAX);
	return builders[form](c, ret);
}
