/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ata/command-names.h"

#include <stdio.h>
#include <string.h>

#include "ata/command.h"
#include "base/attrs.h"

#define ANY 0x100u /* whatever FEATURES holds */

/*
 * ACS-4 table B.2 and the tables of its predecessors; in brackets what FEATURES asked for, or the
 * standard since which a command is obsolete. Rows of one command stand together, ANY last.
 */
/* clang-format off */
static const struct {
	uint8_t command;
	uint16_t feature;
	const char *name;
} names[] = {
	{ 0x00, 0x00, "NOP [Abort queued commands]" },
	{ 0x00, 0x01, "NOP [Don't abort queued commands]" },
	{ 0x03, ANY,  "CFA REQUEST EXTENDED ERROR" },
	{ 0x06, ANY,  "DATA SET MANAGEMENT" },
	{ 0x08, ANY,  "DEVICE RESET" },
	{ 0x0b, ANY,  "REQUEST SENSE DATA EXT" },
	{ 0x10, ANY,  "RECALIBRATE [OBS-4]" },
	{ 0x20, ANY,  "READ SECTOR(S)" },
	{ 0x21, ANY,  "READ SECTOR(S) [OBS-5]" },
	{ 0x24, ANY,  "READ SECTOR(S) EXT" },
	{ 0x25, ANY,  "READ DMA EXT" },
	{ 0x26, ANY,  "READ DMA QUEUED EXT [OBS-ACS-2]" },
	{ 0x27, ANY,  "READ NATIVE MAX ADDRESS EXT [OBS-ACS-3]" },
	{ 0x29, ANY,  "READ MULTIPLE EXT" },
	{ 0x2a, ANY,  "READ STREAM DMA" },
	{ 0x2b, ANY,  "READ STREAM" },
	{ 0x2f, ANY,  "READ LOG EXT" },
	{ 0x30, ANY,  "WRITE SECTOR(S)" },
	{ 0x34, ANY,  "WRITE SECTORS(S) EXT" },
	{ 0x35, ANY,  "WRITE DMA EXT" },
	{ 0x36, ANY,  "WRITE DMA QUEUED EXT [OBS-ACS-2]" },
	{ 0x37, ANY,  "SET NATIVE MAX ADDRESS EXT [OBS-ACS-3]" },
	{ 0x39, ANY,  "WRITE MULTIPLE EXT" },
	{ 0x3a, ANY,  "WRITE STREAM DMA" },
	{ 0x3b, ANY,  "WRITE STREAM" },
	{ 0x3c, ANY,  "WRITE VERIFY [OBS-4]" },
	{ 0x3d, ANY,  "WRITE DMA FUA EXT" },
	{ 0x3e, ANY,  "WRITE DMA QUEUED FUA EXT [OBS-ACS-2]" },
	{ 0x3f, ANY,  "WRITE LOG EXT" },
	{ 0x40, ANY,  "READ VERIFY SECTOR(S)" },
	{ 0x42, ANY,  "READ VERIFY SECTOR(S) EXT" },
	{ 0x45, ANY,  "WRITE UNCORRECTABLE EXT" },
	{ 0x47, ANY,  "READ LOG DMA EXT" },
	{ 0x51, ANY,  "CONFIGURE STREAM" },
	{ 0x57, ANY,  "WRITE LOG DMA EXT" },
	{ 0x5b, ANY,  "TRUSTED NON-DATA" },
	{ 0x5c, ANY,  "TRUSTED RECEIVE" },
	{ 0x5d, ANY,  "TRUSTED RECEIVE DMA" },
	{ 0x5e, ANY,  "TRUSTED SEND" },
	{ 0x5f, ANY,  "TRUSTED SEND DMA" },
	{ 0x60, ANY,  "READ FPDMA QUEUED" },
	{ 0x61, ANY,  "WRITE FPDMA QUEUED" },
	{ 0x63, ANY,  "NCQ QUEUE MANAGEMENT" },
	{ 0x64, ANY,  "SEND FPDMA QUEUED" },
	{ 0x65, ANY,  "RECEIVE FPDMA QUEUED" },
	{ 0x70, ANY,  "SEEK [OBS-7]" },
	{ 0x77, ANY,  "SET DATE & TIME EXT" },
	{ 0x78, ANY,  "ACCESSIBLE MAX ADDRESS CONFIGURATION" },
	{ 0x90, ANY,  "EXECUTE DEVICE DIAGNOSTIC" },
	{ 0x91, ANY,  "INITIALIZE DEVICE PARAMETERS [OBS-6]" },
	{ 0x92, 0x01, "DOWNLOAD MICROCODE [Temporary] [OBS-8]" },
	{ 0x92, 0x03, "DOWNLOAD MICROCODE [Save with offsets]" },
	{ 0x92, 0x07, "DOWNLOAD MICROCODE [Save]" },
	{ 0x92, 0x0e, "DOWNLOAD MICROCODE [Save for future use]" },
	{ 0x92, 0x0f, "DOWNLOAD MICROCODE [Activate]" },
	{ 0x92, ANY,  "DOWNLOAD MICROCODE [Reserved subcommand]" },
	{ 0x93, ANY,  "DOWNLOAD MICROCODE DMA" },
	{ 0xa0, ANY,  "PACKET" },
	{ 0xa1, ANY,  "IDENTIFY PACKET DEVICE" },
	{ 0xa2, ANY,  "SERVICE [OBS-ACS-2]" },
	{ 0xb0, 0xd0, "SMART READ DATA" },
	{ 0xb0, 0xd1, "SMART READ ATTRIBUTE THRESHOLDS [OBS-4]" },
	{ 0xb0, 0xd2, "SMART ENABLE/DISABLE ATTRIBUTE AUTOSAVE" },
	{ 0xb0, 0xd3, "SMART SAVE ATTRIBUTE VALUES [OBS-6]" },
	{ 0xb0, 0xd4, "SMART EXECUTE OFF-LINE IMMEDIATE" },
	{ 0xb0, 0xd5, "SMART READ LOG" },
	{ 0xb0, 0xd6, "SMART WRITE LOG" },
	{ 0xb0, 0xd8, "SMART ENABLE OPERATIONS" },
	{ 0xb0, 0xd9, "SMART DISABLE OPERATIONS" },
	{ 0xb0, 0xda, "SMART RETURN STATUS" },
	{ 0xb0, ANY,  "SMART [other subcommand]" },
	{ 0xb1, 0xc0, "DEVICE CONFIGURATION RESTORE [OBS-ACS-3]" },
	{ 0xb1, 0xc1, "DEVICE CONFIGURATION FREEZE LOCK [OBS-ACS-3]" },
	{ 0xb1, 0xc2, "DEVICE CONFIGURATION IDENTIFY [OBS-ACS-3]" },
	{ 0xb1, 0xc3, "DEVICE CONFIGURATION SET [OBS-ACS-3]" },
	{ 0xb4, ANY,  "SANITIZE DEVICE" },
	{ 0xb6, ANY,  "NV CACHE [OBS-ACS-3]" },
	{ 0xc4, ANY,  "READ MULTIPLE" },
	{ 0xc5, ANY,  "WRITE MULTIPLE" },
	{ 0xc6, ANY,  "SET MULTIPLE MODE" },
	{ 0xc7, ANY,  "READ DMA QUEUED [OBS-ACS-2]" },
	{ 0xc8, ANY,  "READ DMA" },
	{ 0xca, ANY,  "WRITE DMA" },
	{ 0xcc, ANY,  "WRITE DMA QUEUED [OBS-ACS-2]" },
	{ 0xce, ANY,  "WRITE MULTIPLE FUA EXT" },
	{ 0xe0, ANY,  "STANDBY IMMEDIATE" },
	{ 0xe1, ANY,  "IDLE IMMEDIATE" },
	{ 0xe2, ANY,  "STANDBY" },
	{ 0xe3, ANY,  "IDLE" },
	{ 0xe4, ANY,  "READ BUFFER" },
	{ 0xe5, ANY,  "CHECK POWER MODE" },
	{ 0xe6, ANY,  "SLEEP" },
	{ 0xe7, ANY,  "FLUSH CACHE" },
	{ 0xe8, ANY,  "WRITE BUFFER" },
	{ 0xe9, ANY,  "READ BUFFER DMA" },
	{ 0xea, ANY,  "FLUSH CACHE EXT" },
	{ 0xeb, ANY,  "WRITE BUFFER DMA" },
	{ 0xec, ANY,  "IDENTIFY DEVICE" },
	{ 0xef, 0x02, "SET FEATURES [Enable write cache]" },
	{ 0xef, 0x03, "SET FEATURES [Set transfer mode]" },
	{ 0xef, 0x05, "SET FEATURES [Enable APM]" },
	{ 0xef, 0x06, "SET FEATURES [Enable Pwr-Up In Standby]" },
	{ 0xef, 0x07, "SET FEATURES [Set device spin-up]" },
	{ 0xef, 0x10, "SET FEATURES [Enable SATA feature]" },
	{ 0xef, 0x41, "SET FEATURES [Enable Free-fall Control]" },
	{ 0xef, 0x42, "SET FEATURES [Enable AAM] [OBS-ACS-2]" },
	{ 0xef, 0x4a, "SET FEATURES [Ext. Power Conditions]" },
	{ 0xef, 0x55, "SET FEATURES [Disable read look-ahead]" },
	{ 0xef, 0x66, "SET FEATURES [Disable revert defaults]" },
	{ 0xef, 0x82, "SET FEATURES [Disable write cache]" },
	{ 0xef, 0x85, "SET FEATURES [Disable APM]" },
	{ 0xef, 0x86, "SET FEATURES [Disable Pwr-Up In Standby]" },
	{ 0xef, 0x90, "SET FEATURES [Disable SATA feature]" },
	{ 0xef, 0xaa, "SET FEATURES [Enable read look-ahead]" },
	{ 0xef, 0xc1, "SET FEATURES [Disable Free-fall Control]" },
	{ 0xef, 0xc2, "SET FEATURES [Disable AAM] [OBS-ACS-2]" },
	{ 0xef, 0xc3, "SET FEATURES [Sense Data Reporting]" },
	{ 0xef, 0xcc, "SET FEATURES [Enable revert to defaults]" },
	{ 0xef, ANY,  "SET FEATURES [other subcommand]" },
	{ 0xf1, ANY,  "SECURITY SET PASSWORD" },
	{ 0xf2, ANY,  "SECURITY UNLOCK" },
	{ 0xf3, ANY,  "SECURITY ERASE PREPARE" },
	{ 0xf4, ANY,  "SECURITY ERASE UNIT" },
	{ 0xf5, ANY,  "SECURITY FREEZE LOCK" },
	{ 0xf6, ANY,  "SECURITY DISABLE PASSWORD" },
	{ 0xf8, ANY,  "READ NATIVE MAX ADDRESS [OBS-ACS-3]" },
	{ 0xf9, ANY,  "SET MAX ADDRESS [OBS-6]" },
};
/* clang-format on */

const char *ata_command_name(uint8_t command, uint8_t feature)
{
	for (size_t i = 0; i < array_size(names); i++)
		if (names[i].command == command &&
		    (names[i].feature == ANY || names[i].feature == feature))
			return names[i].name;
	/* ACS-4 table B.1: ranges that belong to the makers */
	if ((command >= 0x80 && command <= 0x8f) || command == 0x9a ||
	    (command >= 0xc1 && command <= 0xc3) || command == 0xf0 || command == 0xf7 ||
	    command >= 0xfa)
		return "[VENDOR SPECIFIC]";
	return "[RESERVED]";
}

/* --- the Error register ------------------------------------------------------------------------- */

/* What bit 6 and bit 0 mean differs; the others have one name each. */
enum bit_six { SIX_UNC, SIX_WP };
enum bit_zero { ZERO_AMNF, ZERO_OBS, ZERO_CCTO };

#define ABRT	  0x04u
#define MEDIA	  0x3eu /* MC, IDNF, MCR, ABRT, NM: removable media had them all */
#define READS	  (MEDIA | 0x41u)
#define WRITES	  (MEDIA | 0x40u)
#define DMA	  0x80u
#define LOG_WRITE 0x15u
#define LOG_READ  (LOG_WRITE | 0x40u)

/* ATA/ATAPI-7 and ACS-4 clauses of each command: "Error outputs". */
/* clang-format off */
static const struct meaning {
	uint8_t command;
	uint16_t feature;
	uint8_t bits;
	enum bit_six six;
	enum bit_zero zero;
	bool lba, sectors;
} meanings[] = {
	{ 0x00, ANY, ABRT, 0, 0, false, false },
	{ 0x10, ANY, ABRT, 0, 0, false, false },
	{ 0x20, ANY, READS, SIX_UNC, ZERO_AMNF, true, false },
	{ 0x21, ANY, READS, SIX_UNC, ZERO_AMNF, true, false },
	{ 0x22, ANY, 0x15, SIX_UNC, ZERO_AMNF, true, false },
	{ 0x23, ANY, 0x15, SIX_UNC, ZERO_AMNF, true, false },
	{ 0x24, ANY, READS, SIX_UNC, ZERO_AMNF, true, false },
	{ 0x25, ANY, READS | DMA, SIX_UNC, ZERO_AMNF, true, true },
	{ 0x26, ANY, READS | DMA, SIX_UNC, ZERO_AMNF, true, false },
	{ 0x29, ANY, READS, SIX_UNC, ZERO_AMNF, true, false },
	{ 0x2a, ANY, READS | DMA, SIX_UNC, ZERO_CCTO, true, true },
	{ 0x2b, ANY, READS, SIX_UNC, ZERO_CCTO, true, true },
	{ 0x2f, ANY, LOG_READ, SIX_UNC, ZERO_OBS, false, false },
	{ 0x30, ANY, WRITES, SIX_WP, ZERO_AMNF, true, false },
	{ 0x31, ANY, WRITES, SIX_WP, ZERO_AMNF, true, false },
	{ 0x32, ANY, 0x14, SIX_WP, ZERO_AMNF, true, false },
	{ 0x33, ANY, 0x14, SIX_WP, ZERO_AMNF, true, false },
	{ 0x34, ANY, WRITES, SIX_WP, ZERO_AMNF, true, false },
	{ 0x35, ANY, WRITES | DMA | 1, SIX_WP, ZERO_AMNF, true, true },
	{ 0x36, ANY, WRITES | DMA | 1, SIX_WP, ZERO_AMNF, true, false },
	{ 0x39, ANY, WRITES, SIX_WP, ZERO_AMNF, true, false },
	{ 0x3a, ANY, WRITES | DMA | 1, SIX_WP, ZERO_CCTO, true, true },
	{ 0x3b, ANY, WRITES | 1, SIX_WP, ZERO_CCTO, true, true },
	{ 0x3c, ANY, 0x55, SIX_UNC, ZERO_AMNF, true, false },
	{ 0x3d, ANY, WRITES | DMA | 1, SIX_WP, ZERO_AMNF, true, false },
	{ 0x3e, ANY, WRITES | DMA | 1, SIX_WP, ZERO_AMNF, true, false },
	{ 0x3f, ANY, LOG_WRITE, SIX_UNC, ZERO_OBS, false, false },
	{ 0x40, ANY, READS, SIX_UNC, ZERO_AMNF, true, false },
	{ 0x41, ANY, READS, SIX_UNC, ZERO_AMNF, true, false },
	{ 0x42, ANY, READS, SIX_UNC, ZERO_AMNF, true, false },
	{ 0x60, ANY, READS | DMA, SIX_UNC, ZERO_AMNF, true, false },
	{ 0x61, ANY, WRITES | DMA | 1, SIX_WP, ZERO_AMNF, true, false },
	{ 0xa1, ANY, ABRT, 0, 0, false, false },
	{ 0xb0, 0xd0, LOG_READ, SIX_UNC, ZERO_OBS, false, false },
	{ 0xb0, 0xd1, LOG_READ, SIX_UNC, ZERO_OBS, false, false },
	{ 0xb0, 0xd2, ABRT, 0, 0, false, false },
	{ 0xb0, 0xd3, ABRT, 0, 0, false, false },
	{ 0xb0, 0xd4, 0x14, 0, 0, false, false },
	{ 0xb0, 0xd5, LOG_READ, SIX_UNC, ZERO_OBS, false, false },
	{ 0xb0, 0xd6, LOG_WRITE, SIX_UNC, ZERO_OBS, false, false },
	{ 0xb0, 0xd8, ABRT, 0, 0, false, false },
	{ 0xb0, 0xd9, ABRT, 0, 0, false, false },
	{ 0xb0, 0xda, ABRT, 0, 0, false, false },
	{ 0xb0, 0xdb, ABRT, 0, 0, false, false },
	{ 0xb1, 0xc0, ABRT, 0, 0, false, false },
	{ 0xc4, ANY, READS, SIX_UNC, ZERO_AMNF, true, false },
	{ 0xc5, ANY, WRITES, SIX_WP, ZERO_AMNF, true, false },
	{ 0xc6, ANY, ABRT, 0, 0, false, false },
	{ 0xc7, ANY, READS | DMA, SIX_UNC, ZERO_AMNF, true, false },
	{ 0xc8, ANY, READS | DMA, SIX_UNC, ZERO_AMNF, true, true },
	{ 0xc9, ANY, READS | DMA, SIX_UNC, ZERO_AMNF, true, false },
	{ 0xca, ANY, WRITES | DMA | 1, SIX_WP, ZERO_AMNF, true, false },
	{ 0xcb, ANY, WRITES | DMA | 1, SIX_WP, ZERO_AMNF, true, false },
	{ 0xcc, ANY, WRITES | DMA | 1, SIX_WP, ZERO_AMNF, true, false },
	{ 0xce, ANY, WRITES, SIX_WP, ZERO_AMNF, true, false },
	{ 0xe4, ANY, ABRT, 0, 0, false, false },
	{ 0xe8, ANY, ABRT, 0, 0, false, false },
	{ 0xef, ANY, ABRT, 0, 0, false, false },
};
/* clang-format on */

static const struct meaning *find_meaning(uint8_t command, uint8_t feature)
{
	for (size_t i = 0; i < array_size(meanings); i++)
		if (meanings[i].command == command &&
		    (meanings[i].feature == ANY || meanings[i].feature == feature))
			return &meanings[i];
	return NULL;
}

static const char *bit_name(const struct meaning *m, unsigned bit)
{
	static const char *const common[] = { "",     "NM", "ABRT", "MCR",
					      "IDNF", "MC", "",	    "ICRC" };
	static const char *const six[] = { [SIX_UNC] = "UNC", [SIX_WP] = "WP" };
	static const char *const zero[] = {
		[ZERO_AMNF] = "AMNF", [ZERO_OBS] = "obs", [ZERO_CCTO] = "CCTO"
	};

	if (bit == 6)
		return six[m->six];
	return bit == 0 ? zero[m->zero] : common[bit];
}

bool ata_command_is_ext(uint8_t command, bool *ret_known)
{
	static const uint8_t ext[] = { 0x24, 0x25, 0x26, 0x29, 0x2a, 0x2b, 0x34,
				       0x35, 0x36, 0x39, 0x3a, 0x3b, 0x3d, 0x3e,
				       0x42, 0x45, 0x60, 0x61, 0xce };
	const struct meaning *m = find_meaning(command, 0);

	for (size_t i = 0; i < array_size(ext); i++) {
		if (ext[i] != command)
			continue;
		*ret_known = true;
		return true;
	}
	*ret_known = m && m->lba;
	return false;
}

/* Words with one space between them. */
static void append(char *text, size_t size, const char *word)
{
	size_t n = strlen(text);

	(void)snprintf(text + n, size - n, "%s%s", n ? " " : "", word);
}

static void append_bits(const struct meaning *m, uint8_t error, char *text, size_t size)
{
	uint8_t left = error & m->bits;

	for (unsigned bit = 8; bit-- > 0;) {
		char name[8];

		if (!(left & 1u << bit))
			continue;
		left = (uint8_t)(left & ~(1u << bit));
		(void)snprintf(name, sizeof(name), "%s%s", bit_name(m, bit),
			       left ? "," : "");
		append(text, size, name);
	}
}

bool ata_failure_text(const struct ata_failure *f, char *ret, size_t size)
{
	const struct meaning *m = find_meaning(f->command, f->feature);
	bool failed = f->status & ATA_STATUS_ERR;
	char number[64];

	ret[0] = '\0';
	if (!m)
		return false;
	if (f->status & ATA_STATUS_DF)
		append(ret, size, failed ? "Device Fault;" : "Device Fault");
	if (failed) {
		append(ret, size, "Error:");
		append_bits(m, f->error, ret, size);
	}
	if (m->sectors && f->count) {
		(void)snprintf(number, sizeof(number), "%u sectors", f->count);
		append(ret, size, number);
	}
	if (m->lba && f->has_lba) {
		(void)snprintf(number, sizeof(number), "at LBA = 0x%08llx = %llu",
			       (unsigned long long)f->lba, (unsigned long long)f->lba);
		append(ret, size, number);
	}
	return ret[0] != '\0';
}
