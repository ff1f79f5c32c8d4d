/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <string.h>

#include "page-fixture.h"
#include "page-samples.h"

static void identify(uint8_t *b)
{
	static const struct {
		unsigned word, value;
	} words[] = {
		{ 0, 0x0040 },	 { 49, 0x2f00 },  { 69, 0x4020 },  { 76, 0x850e },
		{ 77, 0x0006 },	 { 80, 0x07f0 },  { 81, 0x006d },  { 82, 0x0061 },
		{ 83, 0x4608 },	 { 84, 0x4123 },  { 85, 0x0061 },  { 86, 0x8608 },
		{ 87, 0x4123 },	 { 91, 0x0080 },  { 94, 0x8080 },  { 106, 0x7003 },
		{ 108, 0x5000 }, { 111, 1 },	  { 117, 256 },	   { 119, 0x4208 },
		{ 120, 0x4208 }, { 128, 0x0007 }, { 168, 0x0003 }, { 169, 0x0001 },
		{ 206, 0x003d }, { 217, 0x0001 }, { 222, 0x1080 }, { 255, 0x00a5 },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		page_put(b, 2 * words[i].word, 2, words[i].value);
	page_put(b, 200, 6, 1953525168);
	page_put_string(b, 20, 20, "TEST0000001");
	page_put_string(b, 46, 8, "FW000001");
	page_put_string(b, 54, 40, "TESTDISK 1TB");
}

static void smart_data(uint8_t *b)
{
	b[0] = 16;
	for (size_t i = 0; i < 30; i++) {
		uint8_t *a = b + 2 + 12 * i;

		a[0] = (uint8_t)(1 + i);
		a[1] = 3;
		a[3] = a[4] = 100;
		page_put(a, 5, 6, 1000 * i);
	}
	b[362] = 0x82;
	b[367] = 0x7b;
	b[372] = 1;
	b[373] = 0xff;
	b[375] = 200;
}

static void thresholds(uint8_t *b)
{
	b[0] = 16;
	for (size_t i = 0; i < 30; i++) {
		b[2 + 12 * i] = (uint8_t)(1 + i);
		b[3 + 12 * i] = (uint8_t)(i * 4);
	}
}

static void directory(uint8_t *b)
{
	b[0] = 1;
	for (size_t i = 1; i < 256; i += 3)
		page_put(b, 2 * i, 2, i);
}

static void phy(uint8_t *b)
{
	size_t at = 4;

	for (unsigned i = 1; i < 30; i++) {
		unsigned words = 1 + i % 4;

		page_put(b, at, 2, i | words << 12);
		page_put(b, at + 2, 2 * words, i == 7 ? UINT64_MAX : i);
		at += 2 + 2 * words;
	}
}

static void errors(uint8_t *b)
{
	b[0] = 1;
	b[1] = 4;
	for (size_t i = 0; i < 5; i++) {
		uint8_t *e = b + 2 + 90 * i;

		for (size_t k = 0; k < 5; k++)
			memcpy(e + 12 * k, "\x08\0\x08\x01\x02\x03\xe4\xc8\x10\x27", 10);
		memcpy(e + 60, "\0\x84\x08\x01\x02\x03\xe4\x51", 8);
		e[87] = 3;
		page_put(e, 88, 2, 100 + i);
	}
	page_put(b, 452, 2, 9);
}

static void ext_errors(uint8_t *b)
{
	for (size_t i = 0; i < 8; i++) {
		uint8_t *e = b + i / 4 * 512 + 4 + 124 * (i % 4);

		for (size_t k = 0; k < 5; k++) {
			e[18 * k + 5] = 9;
			e[18 * k + 12] = 0x60;
		}
		memcpy(e + 90, "\x08\x40\x08\0\x01\x04\x02\x05\x03\x06\x40\x51", 12);
		e[121] = 3;
		page_put(e, 122, 2, 200 + i);
	}
	b[0] = b[512] = 1;
	b[2] = 3;
	page_put(b, 500, 2, 99);
}

static void selftests(uint8_t *b)
{
	b[0] = 1;
	for (size_t i = 0; i < 21; i++) {
		b[2 + 24 * i] = 2;
		b[3 + 24 * i] = (uint8_t)(i << 4);
		page_put(b, 4 + 24 * i, 2, 300 + i);
	}
	b[508] = 20;
}

static void ext_selftests(uint8_t *b)
{
	for (size_t i = 0; i < 38; i++) {
		uint8_t *e = b + i / 19 * 512 + 4 + 26 * (i % 19);

		e[0] = 1;
		e[1] = (uint8_t)(i << 4);
		page_put(e, 2, 2, 400 + i);
		page_put(e, 5, 6, UINT64_C(0x010000000000) + i);
	}
	b[0] = b[512] = 1;
	b[2] = 25;
}

static void selective(uint8_t *b)
{
	b[0] = 1;
	for (size_t i = 0; i < 5; i++)
		page_put(b, 10 + 16 * i, 8, 1000 * i);
	b[500] = 2;
	b[502] = 0x1a;
	b[508] = 60;
}

static void statistics(uint8_t *b)
{
	b[8] = 8;
	for (size_t page = 0; page < 8; page++) {
		b[512 * page] = 1;
		b[512 * page + 2] = (uint8_t)page;
		b[9 + page] = (uint8_t)page; /* in the list of pages */
		for (size_t at = 8; page && at < 200; at += 8) {
			b[512 * page + at] = 0xf0;
			b[512 * page + at + 7] = 0xc0;
		}
	}
}

static void defects(uint8_t *b)
{
	b[0] = 60;
	for (size_t i = 1; i < 64; i++) {
		page_put(b, 16 * i, 4, 500 + i);
		page_put(b, 16 * i + 8, 8, 1000000 + i);
	}
}

static void ncq(uint8_t *b)
{
	memcpy(b, "\x05\0\x41\x40\x01\x02\x03\x40\x04\x05\x06\0\x08\0\x03\x11\0", 17);
}

static void identify_log(uint8_t *b)
{
	for (size_t page = 0; page < 9; page++) {
		page_put(b, 512 * page, 8, UINT64_C(1) << 63 | page << 16 | 1);
		for (size_t at = 8; page > 1 && page != 5 && at < 128; at += 8)
			page_put(b, 512 * page + at, 8, UINT64_C(7) << 61 | 0x1002);
	}
	page_put_string(b, 512 * 5 + 8, 20, "TEST0000001");
	page_put_string(b, 512 * 5 + 48, 40, "TESTDISK 1TB");
}

static void sct_status(uint8_t *b)
{
	b[0] = 3;
	memcpy(b + 200, "\x1f\x14\x28\xfb\x40\x3c", 6);
	page_put(b, 214, 2, 0xc24f);
	b[216] = 65;
	b[480] = 1;
}

static void sct_history(uint8_t *b)
{
	b[0] = 2;
	b[2] = b[4] = 1;
	memcpy(b + 6, "\x3c\x46\x05\xfb", 4);
	page_put(b, 30, 2, 478);
	b[32] = 100;
	memset(b + 34, 0x1f, 478);
}

static void farm(uint8_t *b)
{
	page_put(b, 0, 8, UINT64_C(0x00004641524d4552));
	for (size_t at = 16384; at < 16384 + 400; at += 8)
		page_put(b, at, 8, UINT64_C(0xc0) << 56 | (at == 16384 ? 1 : at));
}

const struct page_sample page_samples[] = {
	{ "ata/identify", 1, true, identify },
	{ "ata/smart/data", 1, true, smart_data },
	{ "ata/smart/thresholds", 1, true, thresholds },
	{ "ata/log/00/00", 1, false, directory },
	{ "ata/smart-log/00", 1, false, directory },
	{ "ata/log/11/00", 1, true, phy },
	{ "ata/smart-log/01", 1, true, errors },
	{ "ata/log/03/00", 2, true, ext_errors },
	{ "ata/smart-log/06", 1, true, selftests },
	{ "ata/log/07/00", 2, true, ext_selftests },
	{ "ata/smart-log/09", 1, true, selective },
	{ "ata/log/04/00", 8, false, statistics },
	{ "ata/smart-log/04", 8, false, statistics },
	{ "ata/log/0c/00", 2, false, defects },
	{ "ata/log/10/00", 1, true, ncq },
	{ "ata/log/30/00", 9, false, identify_log },
	{ "ata/smart-log/30", 9, false, identify_log },
	{ "ata/smart-log/e0", 1, false, sct_status },
	{ "ata/log/e0/00", 1, false, sct_status },
	{ "ata/sct/history", 1, false, sct_history },
	{ "ata/log/a6/00", 33, false, farm },
	{ NULL, 0, false, NULL },
};

size_t page_sample_make(const struct page_sample *s, uint8_t bytes[SAMPLE_MAX])
{
	memset(bytes, 0, SAMPLE_MAX);
	s->make(bytes);
	for (size_t i = 0; s->sealed && i < s->pages; i++)
		page_seal(bytes + 512 * i);
	return 512 * s->pages;
}
