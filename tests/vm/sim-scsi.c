/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SCSI commands of the kernel and of pass-through, translated as SAT-4 has it, or badly. */
#include <string.h>

#include "sim.h"

#define CHECK 2

static uint64_t get_be(const uint8_t *b, unsigned n)
{
	uint64_t v = 0;

	while (n--)
		v = v << 8 | *b++;
	return v;
}

static void put_be(uint8_t *b, unsigned n, uint64_t v)
{
	while (n--) {
		b[n] = (uint8_t)v;
		v >>= 8;
	}
}

static void fail(struct sim_answer *a, uint8_t key, uint8_t asc, uint8_t ascq)
{
	a->status = CHECK;
	a->sense[0] = 0x70;
	a->sense[2] = key;
	a->sense[7] = 10;
	a->sense[12] = asc;
	a->sense[13] = ascq;
}

/* --- who it is ---------------------------------------------------------------------------------------- */

/* Texts of IDENTIFY DEVICE data have the two bytes of each word swapped. */
static void copy_text(const struct sim *s, unsigned word, uint8_t *to, size_t len)
{
	for (size_t i = 0; i < len; i++)
		to[i] = s->identify[word * 2 + (i ^ 1)];
}

static size_t page_89(const struct sim *s, uint8_t *b)
{
	b[1] = 0x89;
	put_be(b + 2, 2, 568);
	memcpy(b + 8, "satasim ", 8);
	b[56] = ATA_IDENTIFY_DEVICE;
	memcpy(b + 60, s->identify, ATA_SECTOR);
	return 572;
}

static size_t vital_page(const struct sim *s, uint8_t page, uint8_t *b)
{
	static const uint8_t list[] = { 0, 0, 0, 6, 0x00, 0x80, 0x83, 0x89, 0xb0, 0xb1 };

	b[1] = page;
	switch (page) {
	case 0x00:
		memcpy(b, list, sizeof(list));
		return sizeof(list);
	case 0x80:
		b[3] = 20;
		copy_text(s, 10, b + 4, 20);
		return 24;
	case 0x83: /* NAA, from words 108 to 111 */
		b[3] = 12;
		b[4] = 1;
		b[5] = 3;
		b[7] = 8;
		for (unsigned i = 0; i < 8; i++)
			b[8 + i] = s->identify[216 + (i ^ 1)];
		return 16;
	case 0x89:
		return page_89(s, b);
	case 0xb0:
		b[3] = 60;
		return 64;
	case 0xb1:
		b[3] = 60;
		b[4] = s->identify[435];
		b[5] = s->identify[434];
		return 64;
	default:
		return 0;
	}
}

static void inquiry(const struct sim *s, const uint8_t *cdb, uint8_t *b, size_t size,
		    struct sim_answer *a)
{
	size_t most = (size_t)get_be(cdb + 3, 2);

	memset(b, 0, size < 600 ? size : 600);
	if (cdb[1] & 1) {
		a->bytes = vital_page(s, cdb[2], b);
		if (!a->bytes) {
			fail(a, 5, 0x24, 0);
			return;
		}
	} else {
		b[2] = 6;
		b[3] = 2;
		b[4] = 31;
		b[7] = 2;
		memcpy(b + 8, "ATA     ", 8);
		copy_text(s, 27, b + 16, 16);
		copy_text(s, 23, b + 32, 4);
		a->bytes = 36;
	}
	if (a->bytes > most)
		a->bytes = most;
}

static void capacity(const struct sim *s, bool sixteen, uint8_t *b, struct sim_answer *a)
{
	if (sixteen) {
		memset(b, 0, 32);
		put_be(b, 8, s->sectors - 1);
		put_be(b + 8, 4, ATA_SECTOR);
		a->bytes = 32;
		return;
	}
	put_be(b, 4, s->sectors - 1);
	put_be(b + 4, 4, ATA_SECTOR);
	a->bytes = 8;
}

/* --- reading and writing -------------------------------------------------------------------------- */

static bool covers(uint64_t lba, uint64_t n, uint64_t from, uint64_t sectors)
{
	return lba < from + sectors && from < lba + n;
}

static void fail_medium(const struct sim *s, struct sim_answer *a)
{
	fail(a, 3, 0x11, 0x04);
	a->sense[0] = 0xf0;
	put_be(a->sense + 3, 4, (uint64_t)s->bad_lba);
}

static void move(struct sim *s, const uint8_t *cdb, uint8_t *data, size_t size,
		 struct sim_answer *a)
{
	bool ten = cdb[0] < 0x80, reads = (cdb[0] & 0x7f) == 0x28 || cdb[0] == 0x88;
	uint64_t lba = ten ? get_be(cdb + 2, 4) : get_be(cdb + 2, 8),
		 n = ten ? get_be(cdb + 7, 2) : get_be(cdb + 10, 4);

	if (lba + n > s->sectors || n * ATA_SECTOR > size) {
		fail(a, 5, 0x21, 0);
		return;
	}
	s->standby = false;
	a->us = covers(lba, n, s->slow_lba, s->slow_sectors) ? s->slow_us : s->delay_us;
	if (reads && s->bad_lba >= 0 && covers(lba, n, (uint64_t)s->bad_lba, 1)) {
		fail_medium(s, a);
	} else if (reads) {
		s->reads++;
		memcpy(data, s->data + lba * ATA_SECTOR, n * ATA_SECTOR);
		a->bytes = n * ATA_SECTOR;
	} else {
		memcpy(s->data + lba * ATA_SECTOR, data, n * ATA_SECTOR);
	}
}

/* --- pass-through ------------------------------------------------------------------------------------- */

static void put_descriptor(uint8_t *b, bool ext, const struct ata_registers *r)
{
	b[0] = 0x72;
	b[7] = 14;
	b[8] = 9;
	b[9] = 12;
	b[10] = ext ? 1 : 0;
	b[11] = r->error;
	b[12] = (uint8_t)(ext ? r->count >> 8 : 0);
	b[13] = (uint8_t)r->count;
	for (unsigned i = 0; i < 3; i++) {
		b[14 + i * 2] = (uint8_t)(ext ? r->lba >> (24 + i * 8) : 0);
		b[15 + i * 2] = (uint8_t)(r->lba >> i * 8);
	}
	b[20] = r->device;
	b[21] = r->status;
}

static void put_fixed(uint8_t *b, size_t at, size_t flags, bool ext,
		      const struct ata_registers *r)
{
	b[0] = 0x70;
	b[7] = 10;
	b[at] = r->error;
	b[at + 1] = r->status;
	b[at + 2] = r->device;
	b[at + 3] = (uint8_t)r->count;
	b[flags] = ext ? 0x80 : 0;
	for (unsigned i = 0; i < 3; i++)
		b[flags + 1 + i] = (uint8_t)(r->lba >> i * 8);
}

static void put_sense(const struct sim *s, bool ext, const struct ata_registers *r,
		      struct sim_answer *a)
{
	bool bad = r->status & ATA_STATUS_ERR;
	uint8_t key = bad ? 0xb : 1, ascq = bad ? 0 : 0x1d;
	bool descriptor =
		s->sense == SIM_DESCRIPTOR || (s->sense == SIM_FIXED_OLD && !bad);

	a->status = CHECK;
	if (s->sense == SIM_ZERO || s->sense == SIM_NONE) {
		/* a bridge that loses them: all zero, and of a success not even that */
		if (bad)
			fail(a, 0xb, 0, 0);
		else
			a->status = s->sense == SIM_ZERO ? CHECK : 0;
		return;
	}
	if (descriptor) {
		put_descriptor(a->sense, ext, r);
		a->sense[1] = key;
		a->sense[3] = ascq;
		return;
	}
	if (s->sense == SIM_FIXED_OLD)
		put_fixed(a->sense, 8, 16, ext, r);
	else
		put_fixed(a->sense, 3, 8, ext, r);
	a->sense[2] = key;
	a->sense[13] = ascq;
}

static const enum ata_protocol *protocol_of(unsigned code)
{
	static const enum ata_protocol of[] = { ATA_NON_DATA, ATA_PIO_IN, ATA_PIO_OUT,
						ATA_DMA_IN };

	return code >= 3 && code <= 6 ? &of[code - 3] : NULL;
}

static bool take_command(const uint8_t *b, struct ata_command *c)
{
	const enum ata_protocol *protocol = protocol_of(b[1] >> 1 & 15);

	if (!protocol)
		return false;
	c->protocol = *protocol;
	if (b[0] == 0xa1) {
		c->features = b[3];
		c->count = b[4];
		c->lba = b[5] | (uint64_t)b[6] << 8 | (uint64_t)b[7] << 16;
		c->opcode = b[9];
		return true;
	}
	c->ext = b[1] & 1;
	c->features = b[4];
	c->count = b[6];
	c->lba = b[8] | (uint64_t)b[10] << 8 | (uint64_t)b[12] << 16;
	c->opcode = b[14];
	if (c->ext) {
		c->features = (uint16_t)(c->features | b[3] << 8);
		c->count = (uint16_t)(c->count | b[5] << 8);
		c->lba |= (uint64_t)b[7] << 24 | (uint64_t)b[9] << 32 |
			  (uint64_t)b[11] << 40;
	}
	return true;
}

static void pass_through(struct sim *s, const uint8_t *cdb, uint8_t *data, size_t size,
			 struct sim_answer *a)
{
	struct ata_command c = { 0 };
	struct ata_registers r;
	bool wants = cdb[2] & 0x20;

	if (cdb[0] == 0x85 && s->no_16) {
		fail(a, 5, 0x20, 0);
		return;
	}
	if (!take_command(cdb, &c) || (c.ext && s->no_ext)) {
		fail(a, 5, 0x24, 0);
		return;
	}
	c.data_out = c.protocol == ATA_PIO_OUT ? data : NULL;
	a->bytes = sim_ata(s, &c, data, size, &r, &a->us);
	if (r.status & ATA_STATUS_ERR)
		a->bytes = 0;
	if (wants || (r.status & ATA_STATUS_ERR))
		put_sense(s, c.ext, &r, a);
}

void sim_scsi(struct sim *s, const uint8_t *cdb, uint8_t *data, size_t size,
	      struct sim_answer *ret)
{
	*ret = (struct sim_answer){ 0 };
	switch (cdb[0]) {
	case 0x00: /* TEST UNIT READY, START STOP UNIT, SYNCHRONIZE CACHE */
	case 0x1b:
	case 0x35:
	case 0x91:
		break;
	case 0x12:
		inquiry(s, cdb, data, size, ret);
		break;
	case 0x1a: /* MODE SENSE: a header and nothing else */
		memset(data, 0, 4);
		data[0] = 3;
		ret->bytes = 4;
		break;
	case 0x5a:
		memset(data, 0, 8);
		data[1] = 6;
		ret->bytes = 8;
		break;
	case 0x25:
		capacity(s, false, data, ret);
		break;
	case 0x9e:
		capacity(s, true, data, ret);
		break;
	case 0x28:
	case 0x2a:
	case 0x88:
	case 0x8a:
		move(s, cdb, data, size, ret);
		break;
	case 0x85:
	case 0xa1:
		pass_through(s, cdb, data, size, ret);
		break;
	default:
		fail(ret, 5, 0x20, 0);
		break;
	}
}
