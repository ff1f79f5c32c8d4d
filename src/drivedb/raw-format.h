/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Raw values of attributes as text, in the formats that users know from smartctl's option -v
 * (smartctl(8), -v ID,FORMAT[:BYTEORDER]). The words a record may say in ATTR_#_FORMAT.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/* The bytes of one entry of the attribute table that a format may show. */
struct raw_value {
	uint8_t raw[6]; /* lowest first, as on the wire */
	uint8_t value, worst;
	uint8_t reserved; /* the byte behind the raw value */
	bool has_reserved;
};

/* Six bytes of a number, lowest first. */
struct raw_value raw_value_of(uint64_t raw48);

/*
 * The format of attribute ID where nobody says otherwise: "This is the default for Attributes ..."
 * (smartctl(8)); NULL for one plain number.
 */
const char *raw_format_usual(uint32_t id);
/* Is this FORMAT or FORMAT:BYTEORDER, of 1 to 8 characters of 012345rvwz? */
bool raw_format_is_valid(const char *format);
/*
 * Append the text of V. 0, -EINVAL when there is no such format, -ENODATA when it needs the
 * reserved byte and nobody knows it; nothing is appended then.
 */
int raw_format_add(struct buf *b, const char *format,
		   const struct raw_value *v) must_check;
