/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ata/command.h"

#include <stdio.h>
#include <string.h>

#include "base/attrs.h"

struct ata_command ata_identify(void)
{
	return (struct ata_command){ .opcode = ATA_IDENTIFY_DEVICE,
				     .protocol = ATA_PIO_IN,
				     .count = 1 };
}

struct ata_command ata_check_power_mode(void)
{
	return (struct ata_command){ .opcode = ATA_CHECK_POWER_MODE,
				     .protocol = ATA_NON_DATA,
				     .want_registers = true };
}

static struct ata_command smart(enum smart_feature feature, enum ata_protocol protocol,
				uint16_t count, uint8_t lba_low)
{
	return (struct ata_command){ .opcode = ATA_SMART,
				     .protocol = protocol,
				     .features = (uint16_t)feature,
				     .count = count,
				     .lba = SMART_LBA_MID_HIGH | lba_low };
}

struct ata_command ata_smart_data(void)
{
	return smart(SMART_READ_DATA, ATA_PIO_IN, 1, 0);
}

/* Some firmware wants 1 in LBA 7:0 here; none is known to mind. */
struct ata_command ata_smart_thresholds(void)
{
	return smart(SMART_READ_THRESHOLDS, ATA_PIO_IN, 1, 1);
}

struct ata_command ata_smart_status(void)
{
	struct ata_command c = smart(SMART_RETURN_STATUS, ATA_NON_DATA, 0, 0);

	c.want_registers = true;
	return c;
}

struct ata_command ata_smart_enable(void)
{
	return smart(SMART_ENABLE, ATA_NON_DATA, 0, 1);
}

struct ata_command ata_smart_read_log(uint8_t address, uint8_t pages)
{
	return smart(SMART_READ_LOG, ATA_PIO_IN, pages, address);
}

struct ata_command ata_read_log_ext(uint8_t address, uint16_t page, uint16_t pages,
				    bool dma, bool reset_phy)
{
	return (struct ata_command){
		.opcode = dma ? ATA_READ_LOG_DMA_EXT : ATA_READ_LOG_EXT,
		.protocol = dma ? ATA_DMA_IN : ATA_PIO_IN,
		.ext = true,
		.features = reset_phy ? 1 : 0,
		.count = pages,
		.lba = address | (uint64_t)(page & 0xff) << 8 |
		       (uint64_t)(page >> 8) << 32,
	};
}

struct ata_command ata_selftest(uint8_t test)
{
	return smart(SMART_EXECUTE_OFFLINE, ATA_NON_DATA, 0, test);
}

/* ATA8-ACS 8.2.2: SCT commands are a key sector written to log E0h, words little-endian. */
static struct ata_command sct(uint8_t *sector, const uint8_t *words, size_t n)
{
	struct ata_command c = smart(SMART_WRITE_LOG, ATA_PIO_OUT, 1, 0xe0);

	memset(sector, 0, ATA_SECTOR);
	for (size_t i = 0; i < n; i++)
		sector[i * 2] = words[i];
	c.data_out = sector;
	return c;
}

struct ata_command ata_sct_history(uint8_t *sector)
{
	/* action 5 data table, function 1 read, table 2 temperature history */
	return sct(sector, (const uint8_t[]){ 5, 1, 2 }, 3);
}

struct ata_command ata_sct_erc_get(uint8_t selection, uint8_t *sector)
{
	/* action 3 error recovery control, function 2 get, selection 1 read or 2 write */
	struct ata_command c = sct(sector, (const uint8_t[]){ 3, 2, selection }, 3);

	c.want_registers = true;
	return c;
}

struct ata_command ata_selective_write(const uint8_t *sector)
{
	struct ata_command c = smart(SMART_WRITE_LOG, ATA_PIO_OUT, 1, 0x09);

	c.data_out = sector;
	return c;
}

size_t ata_command_bytes(const struct ata_command *c)
{
	if (c->protocol != ATA_PIO_IN && c->protocol != ATA_DMA_IN)
		return 0;
	return (size_t)c->count * ATA_SECTOR;
}

static const char *smart_name(uint16_t feature)
{
	switch (feature) {
	case SMART_READ_DATA:
		return "SMART READ DATA";
	case SMART_READ_THRESHOLDS:
		return "SMART READ THRESHOLDS";
	case SMART_EXECUTE_OFFLINE:
		return "SMART EXECUTE OFF-LINE";
	case SMART_READ_LOG:
		return "SMART READ LOG";
	case SMART_WRITE_LOG:
		return "SMART WRITE LOG";
	case SMART_ENABLE:
		return "SMART ENABLE OPERATIONS";
	case SMART_RETURN_STATUS:
		return "SMART RETURN STATUS";
	default:
		return "SMART (unknown)";
	}
}

void ata_command_describe(const struct ata_command *c, char *ret, size_t size)
{
	unsigned address = (unsigned)(c->lba & 0xff);
	unsigned page = (unsigned)(c->lba >> 8 & 0xff) | (unsigned)(c->lba >> 32 & 0xff)
								 << 8;

	if (c->opcode == ATA_READ_LOG_EXT || c->opcode == ATA_READ_LOG_DMA_EXT)
		(void)snprintf(ret, size, "READ LOG %sEXT %02Xh page %u, %u%s",
			       c->opcode == ATA_READ_LOG_EXT ? "" : "DMA ", address, page,
			       c->count, c->features ? ", then reset" : "");
	else if (c->opcode == ATA_SMART &&
		 (c->features == SMART_READ_LOG || c->features == SMART_WRITE_LOG ||
		  c->features == SMART_EXECUTE_OFFLINE))
		(void)snprintf(ret, size, "%s %02Xh", smart_name(c->features), address);
	else if (c->opcode == ATA_SMART)
		(void)snprintf(ret, size, "%s", smart_name(c->features));
	else if (c->opcode == ATA_IDENTIFY_DEVICE)
		(void)snprintf(ret, size, "IDENTIFY DEVICE");
	else if (c->opcode == ATA_CHECK_POWER_MODE)
		(void)snprintf(ret, size, "CHECK POWER MODE");
	else
		(void)snprintf(ret, size, "command %02Xh", c->opcode);
}
