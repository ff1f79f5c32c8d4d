/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What commands are called, and what the bits of the Error register mean after them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A failed command with the registers it left behind, from any error log. */
struct ata_failure {
	uint8_t command, feature;
	uint8_t status, error, device;
	uint16_t count;
	uint64_t lba;
	bool has_lba; /* the registers held an LBA, and it is known which */
};

/* Name of a command in the standards' words; FEATURE tells SMART and SET FEATURES apart. */
const char *ata_command_name(uint8_t command, uint8_t feature);

/* Whether a command takes 48-bit addresses; *ret_known is false for commands without an address. */
bool ata_command_is_ext(uint8_t command, bool *ret_known);

/*
 * "Error: UNC 8 sectors at LBA = 0x0b8ddf91 = 193847185": which bits count depends on the command.
 * False when nothing can be said.
 */
bool ata_failure_text(const struct ata_failure *f, char *ret, size_t size);
