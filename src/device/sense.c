/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "device/sense.h"

#include <string.h>

#include "base/attrs.h"

#define DESCRIPTOR_TYPE	  0x09u /* ATA Status Return, SAT-4 12.2.2.7 */
#define DESCRIPTOR_LENGTH 0x0cu
#define DESCRIPTOR_BYTES  14u
#define DESCRIPTOR_EXTEND 0x01u
#define HEADER_BYTES	  8u
#define FIXED_BYTES	  12u /* what holds the registers */
#define FIXED_OLD_BYTES                                                                  \
	20u /* the last two of LBA; sense data of 18 bytes ends before them */
#define FIXED_EXTEND 0x80u /* byte 8: a 48-bit command, */
#define FIXED_UPPER  0x60u /* with upper bytes that are not zero and not here */

static bool is_zero(struct span s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.data[i])
			return false;
	return true;
}

/*
 * LBA 23:8 after SMART RETURN STATUS of a failing drive; half of it where a bridge drops a byte.
 * The signature of a healthy one is what the command itself carries: without a Status register
 * it may be an echo.
 */
static bool is_failed_signature(const struct ata_command *c, uint64_t lba)
{
	uint32_t mid_high = (uint32_t)(lba >> 8 & 0xffff);

	return c->opcode == ATA_SMART && c->features == SMART_RETURN_STATUS &&
	       (mid_high == 0x2cf4 || mid_high == 0x00f4 || mid_high == 0x2c00);
}

/*
 * A device that ended a command shows BSY 0 and, these decades, DRDY 1. Zeros, FFh and stray
 * numbers in the place of registers do not pass.
 */
static bool is_plausible(const struct ata_command *c, const struct ata_registers *r)
{
	if ((r->status & (ATA_STATUS_BSY | ATA_STATUS_DRDY)) == ATA_STATUS_DRDY)
		return true;
	return !r->status && is_failed_signature(c, r->lba);
}

static bool is_error(const struct ata_registers *r)
{
	return (r->status & (ATA_STATUS_ERR | ATA_STATUS_DF)) != 0;
}

/* Descriptors of other kinds may stand before it. False when there is none. */
static bool find_descriptor(struct span s, struct span *ret)
{
	size_t at = HEADER_BYTES;

	while (span_cut(s, at, DESCRIPTOR_BYTES, ret)) {
		if (ret->data[0] == DESCRIPTOR_TYPE && ret->data[1] == DESCRIPTOR_LENGTH)
			return true;
		at += 2u + ret->data[1];
	}
	return false;
}

static struct ata_registers from_descriptor(struct span s, const struct ata_command *c)
{
	struct ata_registers r = { 0 };
	struct span d = { 0 };
	const uint8_t *b;

	if (!find_descriptor(s, &d))
		return r;
	b = d.data;
	r.error = b[3];
	r.count = b[5];
	r.lba = b[7] | (uint64_t)b[9] << 8 | (uint64_t)b[11] << 16;
	r.device = b[12];
	r.status = b[13];
	if (b[2] & DESCRIPTOR_EXTEND) {
		r.count = (uint16_t)(r.count | b[4] << 8);
		r.lba |= (uint64_t)b[6] << 24 | (uint64_t)b[8] << 32 |
			 (uint64_t)b[10] << 40;
	}
	r.known = is_plausible(c, &r);
	return r;
}

/* ERROR, STATUS, DEVICE and COUNT from byte AT; flags and LBA from byte FLAGS. */
static struct ata_registers from_fixed(const uint8_t *b, size_t at, size_t flags,
				       const struct ata_command *c)
{
	struct ata_registers r = {
		.error = b[at],
		.status = b[at + 1],
		.device = b[at + 2],
		.count = b[at + 3],
		.lba = b[flags + 1] | (uint64_t)b[flags + 2] << 8 |
		       (uint64_t)b[flags + 3] << 16,
		.partial = (b[flags] & (FIXED_EXTEND | FIXED_UPPER)) != 0,
	};

	r.known = is_plausible(c, &r);
	return r;
}

/*
 * libata wrote the registers of failed commands from byte 8 on until 38dab832c3f4 (6.11 and
 * stable releases of 2024). Bytes 3 to 6 are zero then, and the command did fail.
 */
static bool is_old_layout(struct span s, const struct ata_registers *r)
{
	return is_zero(span_of(s.data + 3, 4)) && r->known && is_error(r);
}

static void decode_old_layout(struct span s, const struct ata_command *c,
			      struct sense *out)
{
	uint8_t whole[FIXED_OLD_BYTES] = { 0 };
	struct ata_registers r;

	memcpy(whole, s.data, s.len < sizeof(whole) ? s.len : sizeof(whole));
	r = from_fixed(whole, 8, 16, c);
	if (!is_old_layout(s, &r))
		return;
	if (s.len < sizeof(whole))
		r.partial = true;
	out->shape = SENSE_FIXED_OLD;
	out->registers = r;
}

static void decode_fixed(struct span s, const struct ata_command *c, struct sense *out)
{
	out->shape = SENSE_FIXED;
	if (s.len > 2)
		out->key = s.data[2] & 0x0f;
	if (s.len > 13) {
		out->asc = s.data[12];
		out->ascq = s.data[13];
	}
	if (s.len < FIXED_BYTES)
		return;
	out->registers = from_fixed(s.data, 3, 8, c);
	if (!out->registers.known)
		decode_old_layout(s, c, out);
}

static void decode_descriptor(struct span s, const struct ata_command *c,
			      struct sense *out)
{
	out->shape = SENSE_DESCRIPTOR;
	if (s.len > 1)
		out->key = s.data[1] & 0x0f;
	if (s.len > 3) {
		out->asc = s.data[2];
		out->ascq = s.data[3];
	}
	out->registers = from_descriptor(s, c);
}

struct sense sense_decode(struct span bytes, const struct ata_command *c)
{
	struct sense out = { .shape = SENSE_NONE };

	if (is_zero(bytes))
		return out;
	switch (bytes.data[0] & 0x7f) {
	case 0x70:
	case 0x71:
		decode_fixed(bytes, c, &out);
		break;
	case 0x72:
	case 0x73:
		decode_descriptor(bytes, c, &out);
		break;
	default:
		out.shape = SENSE_ALIEN;
		break;
	}
	/* nobody shall look at what is not known */
	if (!out.registers.known)
		out.registers = (struct ata_registers){ 0 };
	return out;
}

/* ASC and ASCQ, SPC-5 annex F. */
static const struct row {
	uint8_t key, asc, ascq;
	enum sense_verdict verdict;
} rows[] = {
	{ SENSE_KEY_ILLEGAL_REQUEST, 0x20, 0x00, SENSE_NO_OPCODE },
	{ SENSE_KEY_ILLEGAL_REQUEST, 0x24, 0x00, SENSE_NO_FIELD },
	{ SENSE_KEY_ILLEGAL_REQUEST, 0x26, 0x00, SENSE_NO_FIELD },
	{ SENSE_KEY_NOT_READY, 0x08, 0x01, SENSE_TIME_OUT },
	{ SENSE_KEY_ABORTED, 0x08, 0x01, SENSE_TIME_OUT },
};

enum sense_verdict sense_judge(const struct sense *s)
{
	if (s->registers.known && is_error(&s->registers))
		return SENSE_FAILED;
	for (size_t i = 0; i < array_size(rows); i++)
		if (rows[i].key == s->key && rows[i].asc == s->asc &&
		    rows[i].ascq == s->ascq)
			return rows[i].verdict;
	/* some bridges give a sense key of error to commands that the drive ended well */
	if (s->registers.known)
		return SENSE_GOOD;
	if (s->key == SENSE_KEY_UNIT_ATTENTION)
		return SENSE_AGAIN;
	if (s->shape == SENSE_DESCRIPTOR || s->shape == SENSE_FIXED)
		return s->key <= SENSE_KEY_RECOVERED ? SENSE_GOOD : SENSE_FAILED;
	return SENSE_FAILED;
}
