/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words for the codes of SMART data, as smartctl(8) prints them. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Off-line data collection status, ATA8-ACS table 63; bit 7 does not count. */
const char *smart_offline_words(uint64_t status);
/* Self-test execution status, ATA8-ACS table 64; NULL for a reserved one. RET holds 40 bytes. */
const char *smart_selftest_words(uint64_t status, char ret[40]);
/* Attribute flags as letters: "PO--CK ". */
void smart_flag_letters(uint64_t flags, char ret[8]);
