/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes of ATA PASS-THROUGH, typed from SAT-4: 12.2.2 (12 and 16 bytes, tables 150 and 151)
 * and 12.2.3 (32 bytes, table 155).
 */
#include "unit.h"

#include <string.h>

#include "device/cdb.h"

struct row {
	const char *name;
	struct ata_command command;
	size_t len;
	uint8_t bytes[CDB_MAX];
};

static void compare(const struct row *rows, size_t n, enum cdb_form form)
{
	for (size_t i = 0; i < n; i++) {
		uint8_t cdb[CDB_MAX];
		size_t len;

		memset(cdb, 0xee, sizeof(cdb));
		len = cdb_build(&rows[i].command, form, cdb);
		print_message("# %s\n", rows[i].name);
		assert_int_equal(len, rows[i].len);
		assert_memory_equal(cdb, rows[i].bytes, CDB_MAX);
	}
}

#define SMART(f, p, n, low)                                                              \
	{                                                                                \
		.opcode = 0xb0, .protocol = p, .features = f, .count = n,                \
		.lba = 0xc24f00 | low                                                    \
	}

static void sixteen_bytes(void **state)
{
	const struct row rows[] = {
		{ "IDENTIFY DEVICE",
		  { .opcode = 0xec, .protocol = ATA_PIO_IN, .count = 1 },
		  16,
		  { 0x85, 0x08, 0x0e, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0xec, 0 } },
		{ "CHECK POWER MODE",
		  { .opcode = 0xe5, .protocol = ATA_NON_DATA, .want_registers = true },
		  16,
		  { 0x85, 0x06, 0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xe5, 0 } },
		{ "SMART READ DATA",
		  SMART(0xd0, ATA_PIO_IN, 1, 0),
		  16,
		  { 0x85, 0x08, 0x0e, 0, 0xd0, 0, 1, 0, 0, 0, 0x4f, 0, 0xc2, 0, 0xb0,
		    0 } },
		{ "SMART EXECUTE OFF-LINE, abort",
		  SMART(0xd4, ATA_NON_DATA, 0, 0x7f),
		  16,
		  { 0x85, 0x06, 0x00, 0, 0xd4, 0, 0, 0, 0x7f, 0, 0x4f, 0, 0xc2, 0, 0xb0,
		    0 } },
		{ "SMART WRITE LOG E0h",
		  SMART(0xd6, ATA_PIO_OUT, 1, 0xe0),
		  16,
		  { 0x85, 0x0a, 0x06, 0, 0xd6, 0, 1, 0, 0xe0, 0, 0x4f, 0, 0xc2, 0, 0xb0,
		    0 } },
		{ "READ LOG EXT 11h",
		  { .opcode = 0x2f,
		    .protocol = ATA_PIO_IN,
		    .ext = true,
		    .count = 1,
		    .lba = 0x11 },
		  16,
		  { 0x85, 0x09, 0x0e, 0, 0, 0, 1, 0, 0x11, 0, 0, 0, 0, 0, 0x2f, 0 } },
		{ "READ LOG DMA EXT, every register byte",
		  { .opcode = 0x47,
		    .protocol = ATA_DMA_IN,
		    .ext = true,
		    .features = 0x0102,
		    .count = 0x0304,
		    .lba = 0x05060708090a },
		  16,
		  { 0x85, 0x0d, 0x0e, 0x01, 0x02, 0x03, 0x04, 0x07, 0x0a, 0x06, 0x09,
		    0x05, 0x08, 0, 0x47, 0 } },
	};

	(void)state;
	compare(rows, sizeof(rows) / sizeof(*rows), CDB_16);
}

static void twelve_bytes(void **state)
{
	const struct row rows[] = {
		{ "SMART RETURN STATUS",
		  { .opcode = 0xb0,
		    .protocol = ATA_NON_DATA,
		    .features = 0xda,
		    .lba = 0xc24f00,
		    .want_registers = true },
		  12,
		  { 0xa1, 0x06, 0x20, 0xda, 0, 0, 0x4f, 0xc2, 0, 0xb0, 0, 0 } },
		{ "SMART READ LOG 06h",
		  SMART(0xd5, ATA_PIO_IN, 1, 0x06),
		  12,
		  { 0xa1, 0x08, 0x0e, 0xd5, 1, 0x06, 0x4f, 0xc2, 0, 0xb0, 0, 0 } },
		{ "48-bit registers do not fit",
		  { .opcode = 0x2f,
		    .protocol = ATA_PIO_IN,
		    .ext = true,
		    .count = 1,
		    .lba = 0x11 },
		  0,
		  { 0 } },
	};

	(void)state;
	compare(rows, sizeof(rows) / sizeof(*rows), CDB_12);
}

static void thirty_two_bytes(void **state)
{
	const struct row rows[] = {
		{ "SMART READ DATA",
		  SMART(0xd0, ATA_PIO_IN, 1, 0),
		  32,
		  { 0x7f, 0, 0, 0,    0, 0, 0,	  0x18, 0x1f, 0xf0, 0x08,
		    0x0e, 0, 0, 0,    0, 0, 0xc2, 0x4f, 0,    0,    0xd0,
		    0,	  1, 0, 0xb0, 0, 0, 0,	  0,	0,    0 } },
		{ "READ LOG DMA EXT, every register byte",
		  { .opcode = 0x47,
		    .protocol = ATA_DMA_IN,
		    .ext = true,
		    .features = 0x0102,
		    .count = 0x0304,
		    .lba = 0x05060708090a },
		  32,
		  { 0x7f, 0,	0, 0,	 0,    0,    0,	   0x18, 0x1f, 0xf0, 0x0d,
		    0x0e, 0,	0, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x01, 0x02,
		    0x03, 0x04, 0, 0x47, 0,    0,    0,	   0,	 0,    0 } },
	};

	(void)state;
	compare(rows, sizeof(rows) / sizeof(*rows), CDB_32);
}

/* SAT-4 12.2.2.2: CK_COND makes libata drop the data of PIO reads. */
static void no_check_condition_with_data_in(void **state)
{
	const enum ata_protocol in[] = { ATA_PIO_IN, ATA_DMA_IN };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct ata_command c = { .opcode = 0xb0,
					 .protocol = in[i],
					 .count = 1,
					 .want_registers = true };
		uint8_t cdb[CDB_MAX];

		(void)cdb_build(&c, CDB_16, cdb);
		assert_int_equal(cdb[2] & 0x20, 0);
		(void)cdb_build(&c, CDB_32, cdb);
		assert_int_equal(cdb[11] & 0x20, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sixteen_bytes),
		cmocka_unit_test(twelve_bytes),
		cmocka_unit_test(thirty_two_bytes),
		cmocka_unit_test(no_check_condition_with_data_in),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
