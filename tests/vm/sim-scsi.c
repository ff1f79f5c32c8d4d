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

static const struct sim_zone *find_zone(const struct sim_zone *zones, size_t n_zones,
					uint64_t lba, uint64_t n)
{
	for (size_t i = 0; i < n_zones; i++)
		if (lba <= zones[i].last && zones[i].first < lba + n)
			return &zones[i];
	return NULL;
}

static void fail_medium(uint64_t lba, struct sim_answer *a)
{
	fail(a, 3, 0x11, 0x04);
	a->sense[0] = 0xf0;
	put_be(a->sense + 3, 4, lba);
}

static uint32_t random_below(struct sim *s, uint32_t below)
{
	s->random = s->random * 1664525u + 1013904223u;
	return (s->random >> 8) % below;
}

static uint32_t read_us(struct sim *s, uint64_t lba, uint64_t n)
{
	const struct sim_zone *slow = find_zone(s->slow, s->n_slow, lba, n);
	uint64_t us = slow ? slow->us : s->delay_us, jitter;

	if (s->second_percent && random_below(s, 100) < s->second_percent)
		us = s->second_us;
	us += n * ATA_SECTOR * s->mib_us / (1u << 20);
	jitter = us * s->jitter_percent / 100;
	if (jitter)
		us += random_below(s, (uint32_t)(2 * jitter + 1)) - jitter;
	return (uint32_t)us;
}

static void move(struct sim *s, const uint8_t *cdb, uint8_t *data, size_t size,
		 struct sim_answer *a)
{
	bool ten = cdb[0] < 0x80, reads = (cdb[0] & 0x7f) == 0x28 || cdb[0] == 0x88;
	uint64_t lba = ten ? get_be(cdb + 2, 4) : get_be(cdb + 2, 8),
		 n = ten ? get_be(cdb + 7, 2) : get_be(cdb + 10, 4);
	const struct sim_zone *bad = find_zone(s->bad, s->n_bad, lba, n);

	if (lba + n > s->sectors || n * ATA_SECTOR > size) {
		fail(a, 5, 0x21, 0);
		return;
	}
	s->standby = false;
	a->us = read_us(s, lba, n);
	a->reads = true;
	if (reads && bad) {
		fail_medium(bad->first > lba ? bad->first : lba, a);
	} else if (reads) {
		s->reads++;
		if (s->data)
			memcpy(data, s->data + lba * ATA_SECTOR, n * ATA_SECTOR);
		a->bytes = n * ATA_SECTOR;
	} else if (s->data) {
		memcpy(s->data + lba * ATA_SECTOR, data, n * ATA_SECTOR);
	}
}

uint64_t sim_due_us(struct sim *s, uint64_t now, const struct sim_answer *answer)
{
	unsigned arm = 0;

	if (!answer->reads || !answer->us)
		return now + answer->us;
	for (unsigned i = 1; i < s->arms; i++)
		if (s->arm_free_us[i] < s->arm_free_us[arm])
			arm = i;
	if (s->arm_free_us[arm] < now)
		s->arm_free_us[arm] = now;
	s->arm_free_us[arm] += answer->us;
	return s->arm_free_us[arm];
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

/* What a path makes of registers that it does return. */
static struct ata_registers bend(enum sim_sense how, const struct ata_registers *r)
{
	struct ata_registers bent = *r;

	if (how == SIM_HALF)
		bent.lba &= 0x00ffff; /* LBA high is lost: half of a signature */
	if (how == SIM_HALF || how == SIM_WRONG)
		bent.count = 0x5a;
	if (how == SIM_WRONG)
		bent.lba = 0x123456;
	if (how == SIM_ONES)
		bent = (struct ata_registers){ .status = 0xff,
					       .error = 0xff,
					       .device = 0xff,
					       .count = 0xffff,
					       .lba = 0xffffffffffff };
	return bent;
}

/* A bridge that loses them: all zero, and of a success not even that. */
static void put_no_registers(bool bad, bool zero, struct sim_answer *a)
{
	if (bad)
		fail(a, 0xb, 0, 0);
	else
		a->status = zero ? CHECK : 0;
}

static void put_sense(const struct sim *s, bool ext, const struct ata_registers *r,
		      struct sim_answer *a)
{
	bool bad = r->status & ATA_STATUS_ERR;
	uint8_t key = bad ? 0xb : 1, ascq = bad ? 0 : 0x1d;
	struct ata_registers bent = bend(s->sense, r);

	a->status = CHECK;
	switch (s->sense) {
	case SIM_ZERO:
	case SIM_NONE:
		put_no_registers(bad, s->sense == SIM_ZERO, a);
		return;
	case SIM_FIXED_OLD:
		if (!bad)
			break; /* that kernel has descriptors for successes */
		put_fixed(a->sense, 8, 16, ext, &bent);
		a->sense[2] = key;
		a->sense[13] = ascq;
		return;
	case SIM_FIXED:
	case SIM_FIXED_DEFERRED:
		put_fixed(a->sense, 3, 8, ext, &bent);
		a->sense[0] |= s->sense == SIM_FIXED_DEFERRED;
		a->sense[2] = key;
		a->sense[13] = ascq;
		return;
	case SIM_DESCRIPTOR:
	case SIM_DESCRIPTOR_DEFERRED:
	case SIM_HALF:
	case SIM_WRONG:
	case SIM_ONES:
		break;
	}
	put_descriptor(a->sense, ext, &bent);
	a->sense[0] |= s->sense == SIM_DESCRIPTOR_DEFERRED;
	a->sense[1] = key;
	a->sense[3] = ascq;
}

static const enum ata_protocol *protocol_of(unsigned code)
{
	static const enum ata_protocol of[] = { ATA_NON_DATA, ATA_PIO_IN, ATA_PIO_OUT,
						ATA_DMA_IN };

	return code >= 3 && code <= 6 ? &of[code - 3] : NULL;
}

static void take_12(const uint8_t *b, struct ata_command *c)
{
	c->features = b[3];
	c->count = b[4];
	c->lba = b[5] | (uint64_t)b[6] << 8 | (uint64_t)b[7] << 16;
	c->opcode = b[9];
}

static void take_16(const uint8_t *b, struct ata_command *c)
{
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
}

static void take_32(const uint8_t *b, struct ata_command *c)
{
	c->ext = b[10] & 1;
	c->lba = get_be(b + 14, 6);
	c->features = (uint16_t)get_be(b + 20, 2);
	c->count = (uint16_t)get_be(b + 22, 2);
	c->opcode = b[25];
}

/* The three forms: where their PROTOCOL stands, and what they are called. */
static bool take_command(const uint8_t *b, struct ata_command *c)
{
	const enum ata_protocol *protocol =
		protocol_of(b[b[0] == 0x7f ? 10 : 1] >> 1 & 15);

	if (!protocol)
		return false;
	c->protocol = *protocol;
	if (b[0] == 0xa1)
		take_12(b, c);
	else if (b[0] == 0x85)
		take_16(b, c);
	else
		take_32(b, c);
	return true;
}

static bool is_unknown(const struct sim *s, const uint8_t *cdb)
{
	switch (cdb[0]) {
	case 0x85:
		return s->no_16;
	case 0xa1:
		return s->no_12;
	default:
		return s->no_32 || get_be(cdb + 8, 2) != 0x1ff0;
	}
}

static void pass_through(struct sim *s, const uint8_t *cdb, uint8_t *data, size_t size,
			 struct sim_answer *a)
{
	struct ata_command c = { 0 };
	struct ata_registers r;
	bool wants = cdb[cdb[0] == 0x7f ? 11 : 2] & 0x20;

	if (is_unknown(s, cdb)) {
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
	case 0x7f:
		pass_through(s, cdb, data, size, ret);
		break;
	default:
		fail(ret, 5, 0x20, 0);
		break;
	}
}
