/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ATA commands inside of SCSI ones: the three forms of ATA PASS-THROUGH, SAT-4 clause 12.2. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "ata/command.h"

/*
 * In the order in which they are tried. The 12-byte form has no 48-bit registers; its operation
 * code A1h is BLANK to an optical drive and must never reach one.
 */
enum cdb_form { CDB_16, CDB_12, CDB_32, CDB_FORM_COUNT };

#define CDB_MAX 32u

/*
 * Write the command into RET, the rest of which becomes zero. Returns the length of the command
 * block, or 0 when the form cannot hold it: 48-bit registers in 12 bytes.
 */
size_t cdb_build(const struct ata_command *c, enum cdb_form form, uint8_t ret[CDB_MAX]);
