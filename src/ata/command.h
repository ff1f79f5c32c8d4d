/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An ATA command and what came back, without any idea of how it travels. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ata_protocol { ATA_NON_DATA, ATA_PIO_IN, ATA_DMA_IN, ATA_PIO_OUT };

/* ACS-4 clause 7; the only commands this program knows. */
enum ata_opcode {
	ATA_READ_LOG_EXT = 0x2f,
	ATA_READ_LOG_DMA_EXT = 0x47,
	ATA_SMART = 0xb0,
	ATA_CHECK_POWER_MODE = 0xe5,
	ATA_IDENTIFY_DEVICE = 0xec,
};

enum smart_feature {
	SMART_READ_DATA = 0xd0,
	SMART_READ_THRESHOLDS = 0xd1,
	SMART_EXECUTE_OFFLINE = 0xd4,
	SMART_READ_LOG = 0xd5,
	SMART_WRITE_LOG = 0xd6,
	SMART_ENABLE = 0xd8,
	SMART_RETURN_STATUS = 0xda,
};

#define ATA_SECTOR	   512u
#define SMART_LBA_MID_HIGH 0xc24f00u /* LBA 23:8 of every SMART command */

struct ata_command {
	uint8_t opcode;
	enum ata_protocol protocol;
	bool ext;		 /* 48-bit registers */
	uint16_t features;	 /* 8 bits unless ext */
	uint16_t count;		 /* sectors of a transfer; 8 bits unless ext */
	uint64_t lba;		 /* 24 bits, 48 when ext */
	bool want_registers;	 /* CK_COND: only ever on non-data commands */
	const uint8_t *data_out; /* one sector, ATA_PIO_OUT only */
};

/* The registers after completion. known is false when the path does not give them. */
struct ata_registers {
	bool known;
	bool partial; /* upper halves unknown (fixed-format sense, 28-bit path) */
	uint8_t status, error, device;
	uint16_t count;
	uint64_t lba;
};

/* Status and Error bits, ACS-4 clause 6. */
#define ATA_STATUS_ERR	0x01u
#define ATA_STATUS_DRQ	0x08u
#define ATA_STATUS_DF	0x20u
#define ATA_STATUS_DRDY 0x40u
#define ATA_STATUS_BSY	0x80u
#define ATA_ERROR_ABRT	0x04u
#define ATA_ERROR_IDNF	0x10u
#define ATA_ERROR_UNC	0x40u
#define ATA_ERROR_ICRC	0x80u

/* Builders, one for each thing that is ever asked. PAGES: 512-byte pages to read. */
struct ata_command ata_identify(void);
struct ata_command ata_check_power_mode(void);
struct ata_command ata_smart_data(void);
struct ata_command ata_smart_thresholds(void);
struct ata_command ata_smart_status(void);
struct ata_command ata_smart_enable(void);
struct ata_command ata_smart_read_log(uint8_t address, uint8_t pages);
/* RESET_PHY is FEATURES bit 0, allowed by the gate for log 11h alone. */
struct ata_command ata_read_log_ext(uint8_t address, uint16_t page, uint16_t pages,
				    bool dma, bool reset_phy);
/* TEST: 1 short, 2 extended, 3 conveyance, 4 selective, 7Fh abort; never captive. */
struct ata_command ata_selftest(uint8_t test);
/* SCT temperature history, or ERC get (SELECTION 1 read, 2 write); SECTOR must hold 512 bytes. */
struct ata_command ata_sct_history(uint8_t *sector);
struct ata_command ata_sct_erc_get(uint8_t selection, uint8_t *sector);
/* Selective self-test spans, a full log 09h page. */
struct ata_command ata_selective_write(const uint8_t *sector);

/* "READ LOG EXT 11h page 0", for --trace and messages. Fits in 64 bytes. */
void ata_command_describe(const struct ata_command *c, char *ret, size_t size);
size_t ata_command_bytes(const struct ata_command *c); /* to be transferred in */
