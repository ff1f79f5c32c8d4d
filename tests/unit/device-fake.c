/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "device-fake.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* --- script ---------------------------------------------------------------------------------------- */

static int script_send(struct transport *t, const struct ata_command *c, uint8_t *data,
		       uint32_t timeout_ms, struct transport_result *ret)
{
	struct fake_script *f = (struct fake_script *)t;
	char name[64];
	const struct fake_step *s;

	ata_command_describe(c, name, sizeof(name));
	assert_true(f->at < f->n);
	s = &f->steps[f->at++];
	assert_string_equal(name, s->command);
	f->timeout_ms = timeout_ms;
	*ret = (struct transport_result){ .took_us = 100 * (uint32_t)f->at,
					  .registers = s->registers,
					  .received = s->len,
					  .timed_out = s->result == -ETIMEDOUT,
					  .gone = s->result == -ENODEV };
	if (s->len)
		memcpy(data, s->data, s->len);
	return s->result;
}

static void no_close(struct transport *t)
{
	(void)t;
}

/* Of all that is faked here: the time never changes, so that two captures can be compared. */
static int64_t fixed_now(struct transport *t)
{
	(void)t;
	return 1764525060120;
}

static const struct transport_ops script_ops = {
	.name = "script",
	.send = script_send,
	.close = no_close,
	.now_ms = fixed_now,
};

void fake_script_init(struct fake_script *f, const struct fake_step *steps, size_t n)
{
	*f = (struct fake_script){ .transport.ops = &script_ops, .steps = steps, .n = n };
}

bool fake_script_is_done(const struct fake_script *f)
{
	return f->at == f->n;
}

/* --- drive ------------------------------------------------------------------------------------------ */

static int refuse(struct transport_result *ret)
{
	ret->registers = (struct ata_registers){
		.known = true, .status = 0x51, .error = 0x04, .device = 0x40
	};
	return -EIO;
}

static int give(const uint8_t *from, size_t len, uint8_t *data,
		struct transport_result *ret)
{
	if (!from)
		return refuse(ret);
	memcpy(data, from, len);
	ret->received = len;
	return 0;
}

static const struct fake_log *find_log(const struct fake_drive *f, bool smart,
				       uint8_t address)
{
	for (size_t i = 0; i < f->n_logs; i++)
		if (f->logs[i].smart == smart && f->logs[i].address == address)
			return &f->logs[i];
	return NULL;
}

static int give_directory(const struct fake_drive *f, bool smart, uint8_t *data,
			  struct transport_result *ret)
{
	uint8_t page[512] = { 1 };

	for (size_t i = 0; i < f->n_logs; i++)
		if (f->logs[i].smart == smart)
			fake_set_word(page, f->logs[i].address, f->logs[i].pages);
	return give(page, sizeof(page), data, ret);
}

static int read_log(const struct fake_drive *f, const struct ata_command *c,
		    uint8_t *data, struct transport_result *ret)
{
	uint8_t address = (uint8_t)c->lba;
	bool smart = c->opcode == ATA_SMART;
	unsigned page = smart ? 0 : (unsigned)(c->lba >> 8 & 0xff);
	const struct fake_log *log = find_log(f, smart, address);
	unsigned bad = smart ? 0 : f->bad_page_of[address];

	if (f->no_ext && !smart)
		return -EOPNOTSUPP;
	if ((f->no_dma && c->opcode == ATA_READ_LOG_DMA_EXT) ||
	    (f->most_pages && c->count > f->most_pages))
		return refuse(ret);
	if (!address)
		return give_directory(f, smart, data, ret);
	if (!log || page + c->count > log->pages ||
	    (bad && bad > page && bad <= page + c->count))
		return refuse(ret);
	return give(log->data + page * 512, (size_t)c->count * 512, data, ret);
}

static int end_with(const struct fake_drive *f, uint16_t count, uint64_t lba,
		    struct transport_result *ret)
{
	ret->registers = (struct ata_registers){ .known = !f->no_registers,
						 .status = 0x50,
						 .count = count,
						 .lba = lba,
						 .device = 0x40 };
	if (f->no_registers)
		ret->registers = (struct ata_registers){ 0 };
	return 0;
}

static int smart(const struct fake_drive *f, const struct ata_command *c, uint8_t *data,
		 struct transport_result *ret)
{
	switch (c->features) {
	case SMART_READ_DATA:
		return give(f->smart_data, 512, data, ret);
	case SMART_READ_THRESHOLDS:
		return give(f->thresholds, 512, data, ret);
	case SMART_RETURN_STATUS:
		return end_with(f, 0, f->failing ? 0x2cf400 : 0xc24f00, ret);
	case SMART_READ_LOG:
		return read_log(f, c, data, ret);
	case SMART_WRITE_LOG: /* of an SCT key: 7.0 s, low byte in COUNT, high one in LBA */
		return end_with(f, 70, c->data_out[0] == 3 ? 0 : 0xe0, ret);
	default:
		return end_with(f, 0, 0, ret);
	}
}

static int drive_send(struct transport *t, const struct ata_command *c, uint8_t *data,
		      uint32_t timeout_ms, struct transport_result *ret)
{
	struct fake_drive *f = (struct fake_drive *)t;
	unsigned ms = f->delay_ms;
	bool hangs = f->hang_at == f->n_commands + 1;

	if (f->n_commands < FAKE_COMMANDS)
		ata_command_describe(c, f->commands[f->n_commands], 64);
	f->n_commands++;
	if (hangs)
		ms = timeout_ms;
	if (ms)
		(void)nanosleep(
			&(struct timespec){ ms / 1000, (long)(ms % 1000) * 1000000 },
			NULL);
	*ret = (struct transport_result){ .took_us = 100 + ms * 1000,
					  .timed_out = hangs };
	if (hangs)
		return -ETIMEDOUT;
	switch (c->opcode) {
	case ATA_IDENTIFY_DEVICE:
		return give(f->identify, 512, data, ret);
	case ATA_CHECK_POWER_MODE:
		return end_with(f, f->power_mode, 0, ret);
	case ATA_SMART:
		return smart(f, c, data, ret);
	default:
		return read_log(f, c, data, ret);
	}
}

static const struct transport_ops drive_ops = {
	.name = "fake",
	.send = drive_send,
	.close = no_close,
	.now_ms = fixed_now,
};

void fake_drive_init(struct fake_drive *f)
{
	*f = (struct fake_drive){ .transport.ops = &drive_ops, .power_mode = 0xff };
}

void fake_drive_add_log(struct fake_drive *f, bool is_smart, uint8_t address,
			uint16_t pages, const uint8_t *data)
{
	assert_true(f->n_logs < sizeof(f->logs) / sizeof(*f->logs));
	f->logs[f->n_logs++] = (struct fake_log){ address, is_smart, pages, data };
}

size_t fake_drive_count(const struct fake_drive *f, const char *name)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n_commands && i < FAKE_COMMANDS; i++)
		n += strstr(f->commands[i], name) != NULL;
	return n;
}

/* --- pages ------------------------------------------------------------------------------------------- */

void fake_set_word(uint8_t *page, unsigned word, unsigned value)
{
	page[word * 2] = (uint8_t)value;
	page[word * 2 + 1] = (uint8_t)(value >> 8);
}

void fake_checksum(uint8_t page[512])
{
	uint8_t sum = 0;

	for (size_t i = 0; i < 511; i++)
		sum = (uint8_t)(sum + page[i]);
	page[511] = (uint8_t)-sum;
}

static void set_text(uint8_t *page, unsigned word, unsigned words, const char *text)
{
	size_t len = strlen(text);

	for (size_t i = 0; i < words * 2; i++)
		page[word * 2 + (i ^ 1)] = (uint8_t)(i < len ? text[i] : ' ');
}

/* Words of ACS-4 table 45. */
void fake_identify(uint8_t page[512], const char *model, uint16_t rotation)
{
	static const struct {
		unsigned word, value;
	} words[] = {
		{ 0, 0x0040 },	 { 49, 0x2f00 },  { 53, 0x0006 },  { 60, 0xffff },
		{ 61, 0x0fff },	 { 76, 0x050e },  { 77, 0x0006 },  { 80, 0x07f0 },
		{ 82, 0x346b },	 { 83, 0x7d01 },  { 84, 0x4123 },  { 85, 0x3469 },
		{ 86, 0xbc01 },	 { 87, 0x4123 },  { 100, 0x6db0 }, { 101, 0x7470 },
		{ 119, 0x4008 }, { 120, 0x4008 }, { 206, 0x003d }, { 222, 0x107f },
	};

	memset(page, 0, 512);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		fake_set_word(page, words[i].word, words[i].value);
	set_text(page, 10, 10, FAKE_SERIAL);
	set_text(page, 23, 4, "FW01");
	set_text(page, 27, 20, model);
	fake_set_word(page, 217, rotation);
	page[510] = 0xa5;
	fake_checksum(page);
}

static void set_attribute(uint8_t *page, unsigned slot, uint8_t id, uint8_t value,
			  uint32_t raw)
{
	uint8_t *a = page + 2 + slot * 12;

	a[0] = id;
	a[1] = 0x32;
	a[3] = a[4] = value;
	for (unsigned i = 0; i < 4; i++)
		a[5 + i] = (uint8_t)(raw >> 8 * i);
}

void fake_smart_data(uint8_t page[512])
{
	memset(page, 0, 512);
	page[0] = 1;
	set_attribute(page, 0, 5, 100, 0);
	set_attribute(page, 1, 9, 99, 1234);
	set_attribute(page, 2, 194, 66, 34);
	set_attribute(page, 3, 197, 100, 0);
	set_attribute(page, 4, 199, 200, 0);
	page[367] = 0x7b;
	page[368] = 3;
	page[370] = 1;
	page[372] = 2;
	page[373] = 90;
	page[374] = 5;
	fake_checksum(page);
}

void fake_thresholds(uint8_t page[512])
{
	static const uint8_t ids[] = { 5, 9, 194, 197, 199 };

	memset(page, 0, 512);
	page[0] = 1;
	for (unsigned i = 0; i < sizeof(ids); i++)
		page[2 + i * 12] = ids[i];
	page[3] = 10;
	fake_checksum(page);
}

void fake_phy(uint8_t page[512], uint16_t crc, uint16_t resets)
{
	memset(page, 0, 512);
	fake_set_word(page, 2, 0x1001);
	fake_set_word(page, 3, crc);
	fake_set_word(page, 4, 0x100a);
	fake_set_word(page, 5, resets);
	fake_checksum(page);
}
