/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What came back from ATA PASS-THROUGH: sense data in all the shapes that kernels and USB bridges
 * give it. Pure: bytes in, registers out. What is in no known shape is "registers unknown", an
 * answer of its own: taken for zeros it would say "standby" and "no error".
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ata/command.h"
#include "base/span.h"

enum sense_shape {
	SENSE_NONE,	  /* no sense data, or all zero */
	SENSE_DESCRIPTOR, /* 72h, 73h */
	SENSE_FIXED,	  /* 70h, 71h; registers, if any, from byte 3 */
	SENSE_FIXED_OLD,  /* the same from byte 8: libata before 6.11, failed commands */
	SENSE_ALIEN,	  /* another response code */
};

struct sense {
	enum sense_shape shape;
	uint8_t key, asc, ascq;
	struct ata_registers registers;
};

/* Sense keys, SPC-5 table 48. */
enum sense_key {
	SENSE_KEY_NONE = 0x0,
	SENSE_KEY_RECOVERED = 0x1,
	SENSE_KEY_NOT_READY = 0x2,
	SENSE_KEY_ILLEGAL_REQUEST = 0x5,
	SENSE_KEY_UNIT_ATTENTION = 0x6,
	SENSE_KEY_ABORTED = 0xb,
};

/* C: the command they answer; some registers are believed only from one that gives them. */
struct sense sense_decode(struct span bytes, const struct ata_command *c);

/* How the command ended, by its sense data alone. */
enum sense_verdict {
	SENSE_GOOD,	 /* the drive ended it without error */
	SENSE_FAILED,	 /* the drive ended it with an error */
	SENSE_NO_OPCODE, /* nobody there knows this form of pass-through */
	SENSE_NO_FIELD,	 /* the form is known, something in it is not (48 bits, DMA) */
	SENSE_AGAIN,	 /* it was not begun: a reset is reported first */
	SENSE_TIME_OUT,	 /* the path gave up waiting for the drive */
};

/* For CHECK CONDITION; not for status GOOD, which needs no asking. */
enum sense_verdict sense_judge(const struct sense *s);
