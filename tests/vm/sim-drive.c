/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The drive: pages of a capture, counters that grow with traffic, sleep, self-tests. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/str.h"
#include "capture/file.h"
#include "sim.h"

uint64_t sim_now_us(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_nsec / 1000u;
}

/* --- options ---------------------------------------------------------------------------------------- */

static uint32_t number(const char *text)
{
	return (uint32_t)strtoul(text, NULL, 0);
}

static int take_sense(struct sim *s, const char *name)
{
	static const char *const names[] = {
		[SIM_DESCRIPTOR] = "descriptor",
		[SIM_DESCRIPTOR_DEFERRED] = "descriptor-deferred",
		[SIM_FIXED] = "fixed",
		[SIM_FIXED_DEFERRED] = "fixed-deferred",
		[SIM_FIXED_OLD] = "fixed-old",
		[SIM_ZERO] = "zero",
		[SIM_NONE] = "none",
		[SIM_HALF] = "half",
		[SIM_WRONG] = "wrong",
		[SIM_ONES] = "ones",
	};

	for (unsigned i = 0; i < array_size(names); i++)
		if (str_equal(names[i], name)) {
			s->sense = (enum sim_sense)i;
			return 0;
		}
	return 1;
}

/* FIRST[-LAST][:US], one zone more; nothing: no zone at all. */
static int take_zone(struct sim_zone *zones, size_t *n, const char *text)
{
	struct sim_zone *z = &zones[*n];
	char *end;

	if (!*text) {
		*n = 0;
		return 0;
	}
	if (*n == SIM_ZONES)
		return 1;
	z->first = z->last = strtoull(text, &end, 0);
	z->us = 0;
	if (*end == '-')
		z->last = strtoull(end + 1, &end, 0);
	if (*end == ':')
		z->us = (uint32_t)strtoul(end + 1, &end, 0);
	*n += 1;
	return *end != '\0';
}

/* PERCENT:US */
static int take_second(struct sim *s, const char *text)
{
	char *end;

	s->second_percent = (uint32_t)strtoul(text, &end, 0);
	s->second_us = *end == ':' ? number(end + 1) : 0;
	return 0;
}

/* Options that are a number. */
static int take_number(struct sim *s, const char *key, const char *value)
{
	const struct {
		const char *key;
		uint32_t *number;
		bool *flag;
	} rows[] = {
		{ "delay_us", &s->delay_us, NULL },
		{ "mib_us", &s->mib_us, NULL },
		{ "jitter_percent", &s->jitter_percent, NULL },
		{ "arms", &s->arms, NULL },
		{ "grow", &s->grow, NULL },
		{ "ata_us", &s->ata_us, NULL },
		{ "unit", &s->unit, NULL },
		{ "hang_ms", &s->hang_ms, NULL },
		{ "selftest_ms", &s->selftest_ms, NULL },
		{ "no_16", NULL, &s->no_16 },
		{ "no_12", NULL, &s->no_12 },
		{ "no_32", NULL, &s->no_32 },
		{ "no_ext", NULL, &s->no_ext },
		{ "no_dma", NULL, &s->no_dma },
		{ "asleep", NULL, &s->standby },
	};

	for (size_t i = 0; i < array_size(rows); i++) {
		if (!str_equal(rows[i].key, key))
			continue;
		if (rows[i].number)
			*rows[i].number = number(value);
		else
			*rows[i].flag = number(value) != 0;
		return 0;
	}
	return 1;
}

static int take_option(struct sim *s, const char *key, const char *value)
{
	if (str_equal(key, "slow"))
		return take_zone(s->slow, &s->n_slow, value);
	if (str_equal(key, "bad"))
		return take_zone(s->bad, &s->n_bad, value);
	if (str_equal(key, "second"))
		return take_second(s, value);
	if (str_equal(key, "sense"))
		return take_sense(s, value);
	if (str_equal(key, "hang"))
		(void)snprintf(s->hang, sizeof(s->hang), "%s", value);
	else if (str_equal(key, "options"))
		(void)snprintf(s->options, sizeof(s->options), "%s", value);
	else if (str_equal(key, "log"))
		s->log = fopen(value, "ae");
	else
		return take_number(s, key, value);
	return 0;
}

static int read_capture(struct sim *s, const char *file)
{
	static char text[1u << 20];
	FILE *f = fopen(file, "re");
	struct diag d = { 0 };
	size_t n = f ? fread(text, 1, sizeof(text), f) : 0;
	int r = f ? capture_file_read(span_of(text, n), file, &d, &s->capture) : -1;

	if (f)
		(void)fclose(f);
	for (size_t i = 0; i < d.n; i++)
		(void)fprintf(stderr, "satasim: %s\n", d.items[i].text);
	for (size_t i = 0; r == 0 && i < s->capture.n_subjects; i++)
		if (s->capture.subjects[i].kind == CAP_DRIVE)
			return transport_replay_open(&s->capture.subjects[i], &s->replay);
	return 1;
}

static void bound_arms(struct sim *s)
{
	if (s->arms < 1 || s->arms > SIM_ARMS)
		s->arms = s->arms ? SIM_ARMS : 1;
}

void sim_set(struct sim *s)
{
	FILE *f = fopen(s->options, "re");
	char line[128];

	while (f && fgets(line, sizeof(line), f)) {
		char *equal = strchr(line, '=');

		line[strcspn(line, "\n")] = '\0';
		if (!equal)
			continue;
		*equal = '\0';
		if (take_option(s, line, equal + 1))
			(void)fprintf(stderr, "satasim: %s?\n", line);
	}
	if (f)
		(void)fclose(f);
	bound_arms(s);
}

/* --- pages that change ---------------------------------------------------------------------------- */

static void mend(uint8_t *page)
{
	uint8_t sum = 0;

	for (size_t i = 0; i < ATA_SECTOR - 1; i++)
		sum = (uint8_t)(sum + page[i]);
	page[ATA_SECTOR - 1] = (uint8_t)-sum;
}

static void add_to(uint8_t *at, size_t len, uint64_t n)
{
	for (size_t i = 0; i < len; i++) {
		n += at[i];
		at[i] = (uint8_t)n;
		n >>= 8;
	}
}

/*
 * Counters 001 (a command failed), 003 (damaged on its way to the host) and 002, the sum of both
 * ways: SATA 3.4 13.7.2. After a reset all count from zero.
 */
static void grow_phy(const struct sim *s, uint8_t *page)
{
	uint64_t n = s->grow ? (s->reads - s->reads_at_reset) / s->grow : 0;

	for (size_t at = 4; at + 2 < ATA_SECTOR - 1;) {
		unsigned id = (unsigned)(page[at] | page[at + 1] << 8);
		size_t len = (id >> 12 & 7) * 2;

		if ((id & 0x8fff) == 0)
			break;
		if (s->phy_is_reset)
			memset(page + at + 2, 0, len);
		if ((id & 0x8fff) >= 1 && (id & 0x8fff) <= 3)
			add_to(page + at + 2, len, n);
		at += 2 + len;
	}
	mend(page);
}

static void grow_attribute(const struct sim *s, uint8_t *page)
{
	for (size_t i = 0; i < 30; i++) {
		uint8_t *a = page + 2 + i * 12;

		if (a[0] == 199)
			add_to(a + 5, 6, s->reads / s->grow);
	}
	mend(page);
}

/* Byte 363: what runs, and how much of it is left in tenths. */
static void show_selftest(struct sim *s, uint8_t *page)
{
	uint64_t ran;

	if (s->selftest_start_us) {
		ran = (sim_now_us() - s->selftest_start_us) / 1000;
		if (ran >= s->selftest_ms)
			s->selftest_start_us = 0;
		else
			page[363] = (uint8_t)(0xf0 | (10 - ran * 10 / s->selftest_ms));
	}
	if (!s->selftest_start_us)
		page[363] = s->selftest_result;
	mend(page);
}

/* IDENTIFY DEVICE words 10 to 19, two characters a word, and 108 to 111. */
static void number_unit(const struct sim *s, uint8_t *page)
{
	uint32_t n = s->unit;

	if (!n)
		return;
	for (size_t i = 11; i-- > 7; n /= 10)
		page[20 + (i ^ 1)] = (uint8_t)('0' + n % 10);
	page[222] = (uint8_t)s->unit;
	page[223] = (uint8_t)(s->unit >> 8);
	if (page[510] == 0xa5)
		mend(page);
}

static void change_page(struct sim *s, const struct ata_command *c, uint8_t *data)
{
	bool is_gpl = c->opcode == ATA_READ_LOG_EXT || c->opcode == ATA_READ_LOG_DMA_EXT;

	if (is_gpl && (c->lba & 0xff) == 0x11) {
		grow_phy(s, data);
		/* the values come first, then they are cleared */
		if (c->features & 1) {
			s->phy_is_reset = true;
			s->reads_at_reset = s->reads;
		}
	}
	if (c->opcode == ATA_IDENTIFY_DEVICE)
		number_unit(s, data);
	if (c->opcode == ATA_SMART && c->features == SMART_READ_DATA) {
		if (s->grow)
			grow_attribute(s, data);
		show_selftest(s, data);
	}
}

/* --- commands --------------------------------------------------------------------------------------- */

static void refuse(struct ata_registers *ret)
{
	*ret = (struct ata_registers){ .status = 0x51, .error = ATA_ERROR_ABRT };
}

/* Whatever reads more than its memory wakes it; that it need not is not to be relied on. */
static uint32_t wake(struct sim *s, const struct ata_command *c)
{
	if (!s->standby || c->protocol == ATA_NON_DATA ||
	    c->opcode == ATA_IDENTIFY_DEVICE)
		return 0;
	s->standby = false;
	s->spin_ups++;
	if (s->log)
		(void)fprintf(s->log, "SPIN-UP\n");
	return 300000;
}

static size_t execute_offline(struct sim *s, const struct ata_command *c)
{
	uint8_t test = (uint8_t)c->lba;

	if (test == 0x7f) {
		if (s->selftest_start_us)
			s->selftest_result = 0x19; /* aborted by the host, 90 % left */
		s->selftest_start_us = 0;
	} else {
		s->selftest_start_us = sim_now_us();
		s->selftest_result = 0;
	}
	return 0;
}

static size_t answer(struct sim *s, const struct ata_command *c, uint8_t *data,
		     size_t size, struct ata_registers *ret)
{
	struct transport_result r = { 0 };

	*ret = (struct ata_registers){ .status = 0x50, .count = 0xff, .lba = c->lba };
	if (c->opcode == ATA_CHECK_POWER_MODE) {
		ret->count = s->standby ? 0x00 : 0xff;
		return 0;
	}
	if (c->opcode == ATA_SMART && c->features == SMART_EXECUTE_OFFLINE)
		return execute_offline(s, c);
	if ((s->no_dma && c->opcode == ATA_READ_LOG_DMA_EXT) ||
	    ata_command_bytes(c) > size ||
	    s->replay->ops->send(s->replay, c, data, 0, &r) < 0) {
		refuse(ret);
		if (r.registers.known)
			*ret = r.registers;
		return 0;
	}
	if (c->protocol == ATA_NON_DATA && r.registers.known)
		*ret = r.registers;
	if (r.received >= ATA_SECTOR)
		change_page(s, c, data);
	return r.received;
}

size_t sim_ata(struct sim *s, const struct ata_command *c, uint8_t *data, size_t size,
	       struct ata_registers *ret, uint32_t *ret_us)
{
	char name[64];
	size_t n;

	ata_command_describe(c, name, sizeof(name));
	if (s->log) {
		(void)fprintf(s->log, "%s\n", name);
		(void)fflush(s->log);
	}
	*ret_us = s->ata_us + wake(s, c);
	n = answer(s, c, data, size, ret);
	if (s->hang_ms && strstr(name, s->hang))
		*ret_us += s->hang_ms * 1000u;
	return n;
}

/* --- beginning ---------------------------------------------------------------------------------------- */

int sim_init(struct sim *s, int argc, char **argv)
{
	struct ata_command identify = ata_identify();
	struct transport_result r;

	*s = (struct sim){ .arms = 1, .selftest_ms = 2000 };
	for (int i = 0; i < argc; i++) {
		char *equal = strchr(argv[i], '=');
		int bad;

		if (!equal)
			bad = read_capture(s, argv[i]);
		else {
			*equal = '\0';
			bad = take_option(s, argv[i], equal + 1);
		}
		if (bad) {
			(void)fprintf(stderr, "satasim: %s?\n", argv[i]);
			return 1;
		}
	}
	if (!s->replay)
		return 1;
	bound_arms(s);
	(void)s->replay->ops->send(s->replay, &identify, s->identify, 0, &r);
	number_unit(s, s->identify);
	return 0;
}
