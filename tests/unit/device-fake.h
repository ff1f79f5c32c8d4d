/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drives that do not exist: one that follows a script, and one that has pages. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/transport.h"

/* --- a script of commands that must come in this order, and no others ------------------------- */

struct fake_step {
	const char *command; /* as ata_command_describe() writes it */
	int result;	     /* of send */
	const uint8_t *data; /* what is read, or NULL: nothing */
	size_t len;
	struct ata_registers registers;
};

struct fake_script {
	struct transport transport;
	const struct fake_step *steps;
	size_t n, at;
	uint32_t timeout_ms; /* of the last command */
};

void fake_script_init(struct fake_script *f, const struct fake_step *steps, size_t n);
/* All steps were taken. */
bool fake_script_is_done(const struct fake_script *f);

/* --- a drive with pages ---------------------------------------------------------------------------- */

struct fake_log {
	uint8_t address;
	bool smart; /* else General Purpose */
	uint16_t pages;
	const uint8_t *data;
};

#define FAKE_COMMANDS 128

struct fake_drive {
	struct transport transport;
	const uint8_t *identify, *smart_data, *thresholds; /* NULL: aborted */
	uint8_t power_mode;
	bool failing;
	struct fake_log logs[16];
	size_t n_logs;
	/* faults */
	unsigned delay_ms;   /* of each command */
	unsigned hang_at;    /* this command, from 1, never comes back in time */
	bool no_registers;   /* a bridge that drops them */
	bool no_ext, no_dma; /* refused by the path, aborted by the drive */
	uint16_t most_pages; /* more at once are aborted; 0: any */
	uint16_t
		bad_page_of[256]; /* General Purpose log: this page, from 1, is aborted */
	/* what came */
	char commands[FAKE_COMMANDS][64];
	size_t n_commands;
};

void fake_drive_init(struct fake_drive *f);
/* Add a log, also to the directories when they are asked for. */
void fake_drive_add_log(struct fake_drive *f, bool smart, uint8_t address, uint16_t pages,
			const uint8_t *data);

/* How many commands so far hold NAME in their description. */
size_t fake_drive_count(const struct fake_drive *f, const char *name);

/* --- pages -------------------------------------------------------------------------------------------- */

#define FAKE_SERIAL "TEST0000001"

/* IDENTIFY DEVICE data of a drive with SMART, General Purpose logs and phy counters. */
void fake_identify(uint8_t page[512], const char *model, uint16_t rotation);
void fake_set_word(uint8_t *page, unsigned word, unsigned value);
/* Mend byte 511, so that all bytes sum to zero. */
void fake_checksum(uint8_t page[512]);
void fake_smart_data(uint8_t page[512]);
void fake_thresholds(uint8_t page[512]);
/* Phy event counters with 16-bit values: 001 = CRC, 00A = RESETS. */
void fake_phy(uint8_t page[512], uint16_t crc, uint16_t resets);
