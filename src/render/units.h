/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers as a person reads them, without floating point. */
#pragma once

#include <stdint.h>

#include "base/buf.h"
#include "model/fact.h"

/* 512 GB, 1.00 TB: decimal, as on the drive's label */
void units_add_bytes(struct buf *b, uint64_t bytes);
/* 4 KiB, 1 MiB: a block size */
void units_add_block(struct buf *b, uint64_t bytes);
/* 205 us, 3.94 ms, 31.2 s: three digits */
void units_add_ns(struct buf *b, uint64_t ns);
/* VALUE / 10^DIGITS as an exact decimal; zeros at the end are cut but one: 253.42, 6.0, -1.5 */
void units_add_decimal(struct buf *b, int64_t value, unsigned digits);
/* 6.0 Gb/s */
void units_add_mbps(struct buf *b, uint64_t mbps);
/* The value of a number, flag or text with its unit; text is escaped. */
void units_add_fact(struct buf *b, const struct fact *f);
/* Where a fact stood: "log.txt, line 87", "ata/log/11/00, byte 8", "database ssd.hwdb:12". */
void units_add_origin(struct buf *b, const struct fact *f);
