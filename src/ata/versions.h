/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which standards a drive says it follows, in the words that smartctl prints. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* IDENTIFY DEVICE words 80 and 81. False when neither says anything. */
bool ata_version_text(uint16_t major, uint16_t minor, char *ret, size_t size);
/* Word 222 bits 11:0 of a serial transport. */
bool sata_version_text(uint16_t bits, char *ret, size_t size);
