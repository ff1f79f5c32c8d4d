/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The gate over the whole space: what may pass is written down here a second time, by hand from
 * the list in drivewhy(8), and everything else must be refused.
 */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "ata/gate.h"

#define ALL_GRANTS (GATE_RESET_PHY | GATE_SELFTEST | GATE_SCT | GATE_ENABLE)

static const enum ata_protocol protocols[] = { ATA_NON_DATA, ATA_PIO_IN, ATA_DMA_IN,
					       ATA_PIO_OUT };

/* Plain data-in and non-data commands that read; no sector is written here. */
static bool may_pass(uint8_t opcode, enum ata_protocol p, bool ext, unsigned features,
		     uint8_t low, bool smart_lba, unsigned grants)
{
	if (ext)
		return !smart_lba &&
		       ((opcode == 0x2f && p == ATA_PIO_IN) ||
			(opcode == 0x47 && p == ATA_DMA_IN)) &&
		       (features == 0 ||
			(features == 1 && low == 0x11 && (grants & GATE_RESET_PHY)));
	if (opcode == 0xec)
		return !smart_lba && p == ATA_PIO_IN && features == 0 && low == 0;
	if (opcode == 0xe5)
		return !smart_lba && p == ATA_NON_DATA && features == 0 && low == 0;
	if (opcode != 0xb0 || !smart_lba)
		return false;
	if (p == ATA_PIO_IN)
		return (features == 0xd0 && low == 0) || (features == 0xd1 && low == 1) ||
		       features == 0xd5;
	if (p != ATA_NON_DATA)
		return false;
	if (features == 0xda)
		return low == 0;
	if (features == 0xd8)
		return low == 1 && (grants & GATE_ENABLE);
	return features == 0xd4 && (grants & GATE_SELFTEST) &&
	       ((low >= 1 && low <= 4) || low == 0x7f);
}

static unsigned long try_one(uint8_t opcode, enum ata_protocol p, bool ext,
			     unsigned features, uint8_t low, bool smart_lba,
			     unsigned grants)
{
	struct ata_command c = {
		.opcode = opcode,
		.protocol = p,
		.ext = ext,
		.features = (uint16_t)features,
		.lba = low | (smart_lba ? SMART_LBA_MID_HIGH : 0),
		.count = p == ATA_NON_DATA ? 0 : 1,
	};
	bool passed = gate_check(&c, grants) == 0;

	if (passed != may_pass(opcode, p, ext, features, low, smart_lba, grants))
		fail_msg("command %02x protocol %d ext %d features %03x low %02x lba %d: "
			 "%s",
			 opcode, (int)p, ext, features, low, smart_lba,
			 passed ? "passed" : "refused");
	return passed;
}

/* 256 commands x 4 protocols x 2 x 257 FEATURES x 256 LBA 7:0 x 2, with and without grants. */
static void the_whole_space(void **state)
{
	static const unsigned grants[] = { GATE_READ, ALL_GRANTS };
	unsigned long passed[2] = { 0, 0 };

	(void)state;
	for (unsigned g = 0; g < 2; g++)
		for (unsigned opcode = 0; opcode < 256; opcode++)
			for (unsigned p = 0; p < 4; p++)
				for (unsigned features = 0; features <= 256; features++)
					for (unsigned low = 0; low < 256; low++)
						for (unsigned k = 0; k < 4; k++)
							passed[g] += try_one(
								(uint8_t)opcode,
								protocols[p], k & 1,
								features, (uint8_t)low,
								k >> 1, grants[g]);
	/* E5, EC, D0, D1, DA, 256 of D5, 256 each of 2F and 47 */
	assert_int_equal(passed[0], 5 + 3 * 256);
	/* D8, five self-tests, two resets of log 11h */
	assert_int_equal(passed[1], passed[0] + 8);
}

static void counts_and_registers(void **state)
{
	struct ata_command c = ata_smart_data();

	(void)state;
	assert_int_equal(gate_check(&c, 0), 0);
	c.want_registers = true; /* CK_COND on data-in loses the data on some paths */
	assert_int_equal(gate_check(&c, 0), -EPERM);
	c = ata_smart_read_log(0x06, 0);
	assert_int_equal(gate_check(&c, 0), -EPERM);
	c = ata_smart_read_log(0x06, 255);
	assert_int_equal(gate_check(&c, 0), 0);
	c.count = 256;
	assert_int_equal(gate_check(&c, 0), -EPERM);
	c = ata_read_log_ext(0x04, 0xffff, 0xffff, true, false);
	assert_int_equal(gate_check(&c, 0), 0);
	c.lba |= UINT64_C(1) << 16; /* reserved */
	assert_int_equal(gate_check(&c, 0), -EPERM);
	c = ata_smart_status();
	c.count = 1;
	assert_int_equal(gate_check(&c, 0), -EPERM);
}

/* Each byte of the two fixed sectors matters: a neighbour may be "write same". */
static void sct_sectors_byte_for_byte(void **state)
{
	uint8_t sector[ATA_SECTOR];
	struct ata_command made[] = { ata_sct_history(sector), ata_sct_erc_get(1, sector),
				      ata_sct_erc_get(2, sector) };

	(void)state;
	for (size_t i = 0; i < array_size(made); i++) {
		struct ata_command c;

		c = i == 0 ? ata_sct_history(sector)
			   : ata_sct_erc_get((uint8_t)i, sector);
		assert_int_equal(gate_check(&c, GATE_SCT), 0);
		assert_int_equal(gate_check(&c, ALL_GRANTS & ~GATE_SCT), -EPERM);
		for (size_t at = 0; at < ATA_SECTOR; at++) {
			for (unsigned bit = 0; bit < 8; bit++) {
				bool other_erc;

				sector[at] ^= (uint8_t)(1u << bit);
				other_erc = sector[0] == 3 &&
					    (sector[4] == 1 || sector[4] == 2) && at == 4;
				if (!other_erc)
					assert_int_equal(gate_check(&c, ALL_GRANTS),
							 -EPERM);
				sector[at] ^= (uint8_t)(1u << bit);
			}
		}
	}
}

static void selective_log(void **state)
{
	uint8_t sector[ATA_SECTOR] = { 1 };
	struct ata_command c = ata_selective_write(sector);

	(void)state;
	sector[502] = 2;
	sector[511] = (uint8_t)-3;
	assert_int_equal(gate_check(&c, GATE_SELFTEST), 0);
	assert_int_equal(gate_check(&c, 0), -EPERM);
	sector[511] = 0; /* wrong checksum */
	assert_int_equal(gate_check(&c, GATE_SELFTEST), -EPERM);
	sector[100] = 1; /* reserved */
	sector[511] = (uint8_t)-4;
	assert_int_equal(gate_check(&c, GATE_SELFTEST), -EPERM);
	c.data_out = NULL;
	assert_int_equal(gate_check(&c, GATE_SELFTEST), -EPERM);
}

/* ACS-4: log address in LBA 7:0, page number in LBA 15:8 and 39:32. */
static void log_addresses(void **state)
{
	struct ata_command c = ata_read_log_ext(0x11, 0x1234, 2, false, true);
	char text[64];

	(void)state;
	assert_true(c.lba == UINT64_C(0x1200003411));
	assert_int_equal(c.features, 1);
	assert_int_equal(ata_command_bytes(&c), 1024);
	ata_command_describe(&c, text, sizeof(text));
	assert_string_equal(text, "READ LOG EXT 11h page 4660, 2, then reset");
	c = ata_smart_status();
	assert_int_equal(ata_command_bytes(&c), 0);
	assert_true(c.lba == 0xc24f00);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_whole_space),
		cmocka_unit_test(counts_and_registers),
		cmocka_unit_test(sct_sectors_byte_for_byte),
		cmocka_unit_test(selective_log),
		cmocka_unit_test(log_addresses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
