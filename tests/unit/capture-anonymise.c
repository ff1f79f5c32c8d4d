/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "capture/anonymise.h"

#define PAGE   512u
#define SERIAL "TEST0000001"
#define WWN    0x5000c50012abcdefu
#define HOMES                                                                            \
	"/ho"                                                                            \
	"me/" /* in two, as no path of a person may stand in a source */

/* ---- helpers ---- */

static struct cap_item *add(struct capture *c, const char *id, const void *data,
			    size_t len)
{
	struct cap_item *item;

	if (!c->n_subjects) {
		struct cap_subject *s = capture_add_subject(c, CAP_DRIVE);

		assert_non_null(s);
		assert_non_null(capture_add_snapshot(c, s, CAP_IMPORT, NULL));
	}
	item = capture_add_item(c, &c->subjects[0].snapshots[0], id, CAP_OK,
				span_of(data, len));
	assert_non_null(item);
	return item;
}

static struct cap_item *add_text(struct capture *c, const char *id, const char *text)
{
	return add(c, id, text, strlen(text));
}

static const struct cap_item *item(const struct capture *c, size_t i)
{
	return &c->subjects[0].snapshots[0].items[i];
}

static void put_ata_string(uint8_t *at, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		at[i ^ 1] = (uint8_t)(i < strlen(text) ? text[i] : ' ');
}

static uint8_t sum_of(const uint8_t *page)
{
	unsigned sum = 0;

	for (size_t i = 0; i < PAGE; i++)
		sum += page[i];
	return (uint8_t)sum;
}

/* Serial number in words 10-19, WWN in words 108-111, media serial from word 176, A5h, checksum. */
static void make_identify(uint8_t page[PAGE])
{
	memset(page, 0, PAGE);
	page[0] = 0x40;
	put_ata_string(page + 20, "         " SERIAL, 20);
	put_ata_string(page + 54, "TESTDISK 1TB", 40);
	put_ata_string(page + 352, "MEDIA000007", 60);
	for (unsigned i = 0; i < 4; i++) {
		page[216 + 2 * i] = (uint8_t)(WWN >> (48 - 16 * i));
		page[217 + 2 * i] = (uint8_t)(WWN >> (56 - 16 * i));
	}
	page[510] = 0xa5;
	page[511] = (uint8_t)(0 - sum_of(page));
	assert_int_equal(sum_of(page), 0);
}

/* The serial number that stands at an ATA string of 20 bytes, right aligned. */
static void get_serial(const uint8_t *at, char ret[12])
{
	for (size_t i = 0; i < 11; i++)
		ret[i] = (char)at[(i + 9) ^ 1];
	ret[11] = '\0';
}

static bool holds(struct span s, const char *text)
{
	return memmem(s.data, s.len, text, strlen(text)) != NULL;
}

/* Neither as it is nor with the bytes of each pair swapped, at both alignments. */
static void assert_gone(const struct capture *c, const char *text)
{
	for (size_t i = 0; i < c->subjects[0].snapshots[0].n_items; i++) {
		struct span body = item(c, i)->body;

		for (size_t from = 0; from < 2 && from < body.len; from++) {
			uint8_t *swapped = malloc(body.len);

			assert_non_null(swapped);
			memcpy(swapped, body.data, body.len);
			for (size_t k = from; k + 1 < body.len; k += 2) {
				swapped[k] = body.data[k + 1];
				swapped[k + 1] = body.data[k];
			}
			assert_false(holds(span_of(swapped, body.len), text));
			free(swapped);
		}
		assert_false(holds(body, text));
	}
}

/* Every character has its class: digits stay digits, letters letters of their case. */
static void assert_same_shape(const char *a, const char *b)
{
	assert_int_equal(strlen(a), strlen(b));
	for (; *a; a++, b++) {
		if (str_is_digit(*a))
			assert_true(str_is_digit(*b));
		else if (str_is_alpha(*a))
			assert_int_equal(*a & 0x20, *b & 0x20 & -str_is_alpha(*b));
		else
			assert_int_equal(*a, *b);
	}
}

/* ---- pages ---- */

static void identify_is_replaced_and_its_checksum_mended(void **state)
{
	uint8_t page[PAGE], strings[PAGE] = { 1, 0, 5, 0, 0, 0, 0, 0x80 };
	struct capture c = { 0 };
	char serial[12], again[12];
	const uint8_t *now;

	(void)state;
	make_identify(page);
	put_ata_string(strings + 8, "         " SERIAL, 20);
	put_ata_string(strings + 48, "TESTDISK 1TB", 40);
	(void)add(&c, "ata/identify", page, PAGE);
	(void)add(&c, "ata/log/30/05", strings, PAGE);
	(void)add(&c, "ata/log/30/01", page, PAGE);
	assert_int_equal(capture_anonymise(&c, 42), 0);
	now = item(&c, 0)->body.data;
	assert_gone(&c, SERIAL);
	assert_gone(&c, "MEDIA000007");
	assert_int_equal(sum_of(now), 0);
	assert_int_equal(now[510], 0xa5);
	get_serial(now + 20, serial);
	assert_same_shape(SERIAL, serial);
	/* NAA and maker stay, the rest does not */
	assert_memory_equal(now + 216, page + 216, 2);
	assert_int_equal(now[218] & 0xf0, page[218] & 0xf0);
	assert_int_equal(now[219], page[219]);
	assert_memory_not_equal(now + 220, page + 220, 4);
	/* nothing else changes */
	assert_memory_equal(now, page, 20);
	assert_memory_equal(now + 40, page + 40, 216 - 40);
	assert_memory_equal(now + 224, page + 224, 352 - 224);
	assert_memory_equal(now + 412, page + 412, 511 - 412);
	/* the log has the same pseudonym, and no checksum: its last byte stays */
	get_serial(item(&c, 1)->body.data + 8, again);
	assert_string_equal(serial, again);
	assert_int_equal(item(&c, 1)->body.data[511], 0);
	assert_memory_equal(item(&c, 1)->body.data + 28, strings + 28, PAGE - 28);
	assert_memory_equal(item(&c, 2)->body.data, now, PAGE);
	capture_done(&c);
}

static void a_checksum_that_was_wrong_or_none_stays(void **state)
{
	uint8_t page[PAGE];
	struct capture c = { 0 };

	(void)state;
	make_identify(page);
	page[511] ^= 0xff;
	(void)add(&c, "ata/identify", page, PAGE);
	page[511] ^= 0xff;
	page[510] =
		0; /* no signature: byte 511 is no checksum, even if the sum is right */
	page[511] = (uint8_t)(page[511] + 0xa5);
	assert_int_equal(sum_of(page), 0);
	(void)add(&c, "ata/identify", page, PAGE);
	assert_int_equal(capture_anonymise(&c, 42), 0);
	assert_gone(&c, SERIAL);
	assert_int_equal(item(&c, 0)->body.data[511], (uint8_t)(page[511] - 0xa5) ^ 0xff);
	assert_int_equal(item(&c, 1)->body.data[511], page[511]);
	capture_done(&c);
}

static void a_drive_without_serial_or_wwn_is_left_alone(void **state)
{
	static const char *const masks[] = { "", "XXXXXXXXXXXXXXXXXXXX", "--",
					     "00000000000000000000", "xxxx-xxxx" };

	(void)state;
	for (size_t i = 0; i < array_size(masks); i++) {
		uint8_t page[PAGE];
		struct capture c = { 0 };

		make_identify(page);
		put_ata_string(page + 20, masks[i], 20);
		put_ata_string(page + 352, "", 60);
		memset(page + 216, i & 1 ? 0xff : 0, 8);
		(void)add(&c, "ata/identify", page, PAGE);
		assert_int_equal(capture_anonymise(&c, 42), 0);
		assert_memory_equal(item(&c, 0)->body.data, page, PAGE);
		capture_done(&c);
	}
}

static void it_is_found_anywhere_in_any_order(void **state)
{
	static const uint8_t be[] = { 0x50, 0x00, 0xc5, 0x00, 0x12, 0xab, 0xcd, 0xef };
	uint8_t page[PAGE], vendor[PAGE] = { 0 }, short_page[40] = { 0 };
	struct capture c = { 0 };
	const uint8_t *now;

	(void)state;
	make_identify(page);
	memcpy(vendor + 33, SERIAL, 11);
	put_ata_string(vendor + 64, "  " SERIAL " ", 14);
	memcpy(vendor + 101, be, 8);
	for (unsigned i = 0; i < 8; i++)
		vendor[200 + i] = be[7 - i];
	vendor[511] = (uint8_t)(0 - sum_of(vendor));
	memcpy(short_page + 7, SERIAL "\0" SERIAL "7",
	       24); /* the second is another word */
	(void)add(&c, "ata/identify", page, PAGE);
	(void)add(&c, "ata/log/a1/00", vendor, PAGE);
	(void)add(&c, "vendor/x", short_page, sizeof(short_page));
	assert_int_equal(capture_anonymise(&c, 42), 0);
	now = item(&c, 1)->body.data;
	assert_int_equal(sum_of(now), 0);
	assert_false(holds(item(&c, 1)->body, SERIAL));
	assert_memory_not_equal(now + 101, be, 8);
	for (unsigned i = 0; i < 8; i++)
		assert_int_equal(now[200 + i], now[101 + 7 - i]);
	assert_memory_equal(now + 33, item(&c, 2)->body.data + 7, 11);
	assert_memory_equal(item(&c, 2)->body.data + 19, SERIAL "7", 12);
	for (unsigned i = 0; i < 11; i++)
		assert_int_equal(now[33 + i], now[64 + ((2 + i) ^ 1)]);
	capture_done(&c);
}

static void kernel_copies_are_known(void **state)
{
	uint8_t page[PAGE], pg80[24] = { 0, 0x80, 0, 20 },
			    pg83[104] = { 0, 0x83, 0, 100 };
	uint8_t pg89[572] = { 0, 0x89, 0x02, 0x38 };
	static const uint8_t naa[] = { 1,    3,	   0,	 8,    0x50, 0x00,
				       0xc5, 0x00, 0x12, 0xab, 0xcd, 0xef };
	struct capture c = { 0 };
	struct buf words = { 0 };
	const uint8_t *now;

	(void)state;
	make_identify(page);
	memcpy(pg80 + 4, "         TEST0000002", 20);
	memcpy(pg83 + 4, "\x02\x00\x00\x14         TEST0000003", 24);
	memcpy(pg83 + 28, naa, sizeof(naa));
	memcpy(pg83 + 40, "\x02\x05\x00\x3c", 4); /* another type, up to the end */
	memcpy(pg89 + 60, page, PAGE);
	for (unsigned i = 0; i < 256; i++)
		buf_printf(&words, "%02x%02x%c", page[2 * i + 1], page[2 * i],
			   i % 8 == 7 ? '\n' : ' ');
	(void)add(&c, "sysfs/device/vpd_pg80", pg80, sizeof(pg80));
	(void)add(&c, "sysfs/device/vpd_pg83", pg83, sizeof(pg83));
	(void)add(&c, "sysfs/device/vpd_pg89", pg89, sizeof(pg89));
	(void)add(&c, "sysfs/ata_device/id", words.data, words.len);
	(void)add_text(&c, "sysfs/device/serial", "TEST0000004\n");
	(void)add_text(&c, "sysfs/device/wwid", "naa.5000c50012abcdef\n");
	assert_int_equal(capture_anonymise(&c, 42), 0);
	for (unsigned i = 1; i <= 4; i++) {
		char serial[] = "TEST000000x";

		serial[10] = (char)('0' + i);
		assert_gone(&c, serial);
	}
	now = item(&c, 2)->body.data + 60;
	assert_memory_equal(item(&c, 1)->body.data, pg83, 13);
	assert_memory_equal(item(&c, 1)->body.data + 28, naa, 7);
	assert_memory_not_equal(item(&c, 1)->body.data + 36, naa + 8, 4);
	assert_false(holds(item(&c, 5)->body, "12abcdef"));
	assert_true(holds(item(&c, 5)->body, "naa.5000c50"));
	assert_int_equal(sum_of(now), 0);
	/* the hex words tell the same as the bytes */
	buf_clear(&words);
	for (unsigned i = 0; i < 256; i++)
		buf_printf(&words, "%02x%02x%c", now[2 * i + 1], now[2 * i],
			   i % 8 == 7 ? '\n' : ' ');
	assert_int_equal(item(&c, 3)->body.len, words.len);
	assert_memory_equal(item(&c, 3)->body.data, words.data, words.len);
	buf_done(&words);
	capture_done(&c);
}

/* ---- text ---- */

/* Each text with what must be gone from it, and what must stay. Same length always. */
static void texts_lose_what_is_private(void **state)
{
	static const struct {
		const char *id, *text, *gone, *stays;
	} rows[] = {
		{ "facts/smartctl", "serial=\"TEST0000001\" @6\n", "TEST0000001",
		  "\" @6\n" },
		{ "facts/smartctl", "serial=\"abcdefg\"\n", "abcdefg", "serial=\"" },
		{ "facts/smartctl", "serial=\"TEST \\x01\\\\9\"\n", "TEST",
		  " \\x01\\\\" },
		{ "facts/smartctl", "wwn=\"5 00c500 12abcdef1\" @7\n", "12abcdef1",
		  "wwn=\"5 00c500 " },
		{ "facts/smartctl", "wwn=\"0x500C50012ABCDEF1\"\n", "12ABCDEF1",
		  "wwn=\"0x500C500" },
		{ "facts/fio", "posted_command=\"jane@grotto:~# fio x\" @1\n", "grotto",
		  ":~# fio x\" @1" },
		{ "facts/fio", "posted_command=\"jane@grotto:~# fio x\" @1\n", "jane",
		  "@" },
		{ "facts/fio", "posted_command=\"[root@grotto tmp]# fio x\"\n", "grotto",
		  "[root@" },
		{ "facts/fio", "posted_command=\"grotto:~# fio x\"\n", "grotto",
		  ":~# fio" },
		{ "facts/fio", "posted_command=\"fio " HOMES "jane/x.fio\"\n", "jane",
		  "/x.fio\"" },
		{ "kernel-log", "usb 1-1: SerialNumber: ABC12345\n", "ABC12345",
		  "usb 1-1: SerialNumber: " },
		{ "kernel-log", "Nov 30 12:00:01 grotto kernel: ata1: link up\n",
		  "grotto", "kernel: ata1: link up" },
		{ "kernel-log", "2025-11-30T12:00:01+0100 grotto kernel: x\n", "grotto",
		  "2025-11-30T12:00:01+0100 " },
		{ "kernel-log", "systemd[1]: Hostname set to <grotto>.\n", "grotto",
		  "systemd[1]: Hostname set to <" },
		{ "sysfs/x", "/dev/disk/by-id/wwn-0x500c50012abcdef1-part1\n",
		  "12abcdef1", "-part1\n" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct capture c = { 0 };

		(void)add_text(&c, rows[i].id, rows[i].text);
		assert_int_equal(capture_anonymise(&c, 42), 0);
		assert_int_equal(item(&c, 0)->body.len, strlen(rows[i].text));
		if (holds(item(&c, 0)->body, rows[i].gone) ||
		    !holds(item(&c, 0)->body, rows[i].stays))
			print_message("# %.*s\n", (int)item(&c, 0)->body.len,
				      (const char *)item(&c, 0)->body.data);
		assert_false(holds(item(&c, 0)->body, rows[i].gone));
		assert_true(holds(item(&c, 0)->body, rows[i].stays));
		capture_done(&c);
	}
}

static void texts_keep_what_is_not(void **state)
{
	static const struct {
		const char *id, *text;
	} rows[] = {
		{ "facts/smartctl",
		  "serial=\"--\"\nserial=\"\"\nserial=\"XXXX-XXXX\"\n" },
		{ "facts/smartctl", "serial=\"[REDACTED]\"\nserial=\"unknown\"\n" },
		{ "facts/smartctl", "wwn=\"none\"\nwwn=\"0 000000 000000000\"\n" },
		{ "facts/smartctl", "attr[9].raw=12345678 @3\nmodel=\"TESTDISK 1TB\"\n" },
		{ "facts/fio",
		  "posted_command=\"root@localhost:~# fio --name=a@b:c\"\n" },
		{ "facts/fio", "posted_command=\"host:~# fio x\"\n" },
		{ "facts/fio", "posted_command=\"fio " HOMES "xxxx/a.fio\"\n" },
		{ "kernel-log", "sata@fea00000: version 1.0, ahci@1 f10a8000:~4\n" },
		{ "kernel-log", "[    1.0] kernel: no host here\n" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct capture c = { 0 };

		(void)add_text(&c, rows[i].id, rows[i].text);
		assert_int_equal(capture_anonymise(&c, 42), 0);
		assert_int_equal(item(&c, 0)->body.len, strlen(rows[i].text));
		assert_memory_equal(item(&c, 0)->body.data, rows[i].text,
				    strlen(rows[i].text));
		capture_done(&c);
	}
}

/* A capture with one secret of each kind, told in one place and met in all others. */
static struct capture everywhere(uint64_t key)
{
	struct capture c = { 0 };
	struct cap_item *last;
	struct cap_snapshot *s;
	uint8_t page[PAGE];

	make_identify(page);
	(void)add(&c, "ata/identify", page, PAGE);
	(void)add_text(&c, "facts/smartctl",
		       "posted_command=\"jane@grotto:~# smartctl -x /dev/sda\"\n"
		       "posted_warning[0]=\"\\x09" SERIAL ": bad\" @4\n"
		       "attr[1].raw=1\nwwn=\"5 000c50 012abcdef\"\n");
	last = add_text(&c, "kernel-log",
			"ata-TESTDISK_1TB_" SERIAL "-part1 TEST00000012 xTEST0000001\n"
			"wwn 0x5000C50012ABCDEF or 5000c50012abcdef or 012abcdef\n"
			"md/grotto:0 of jane, not janet\n");
	assert_int_equal(cap_item_set(&c, last, "device", "ata-" SERIAL), 0);
	assert_int_equal(cap_item_set(&c, last, "serial", "TEST0000009"), 0);
	s = &c.subjects[0].snapshots[0];
	s->source = arena_strdup(&c.arena, HOMES "jane/" SERIAL ".txt");
	assert_non_null(s->source);
	assert_int_equal(capture_anonymise(&c, key), 0);
	return c;
}

static void what_is_told_once_is_replaced_everywhere(void **state)
{
	struct capture c = everywhere(42);
	struct span log = item(&c, 2)->body, facts = item(&c, 1)->body;
	const char *source = c.subjects[0].snapshots[0].source;
	char serial[12], line[80];

	(void)state;
	get_serial(item(&c, 0)->body.data + 20, serial);
	(void)snprintf(line, sizeof(line),
		       "ata-TESTDISK_1TB_%s-part1 TEST00000012 xTEST0000001\n", serial);
	assert_true(holds(log, line));
	(void)snprintf(line, sizeof(line), "=\"\\x09%s: bad\" @4\n", serial);
	assert_true(holds(facts, line));
	assert_true(holds(facts, "attr[1].raw=1\nwwn=\"5 000c50 "));
	assert_false(holds(log, "12abcdef"));
	assert_false(holds(log, "12ABCDEF"));
	assert_true(holds(log, "wwn 0x5000C50"));
	assert_false(holds(log, "grotto"));
	assert_false(holds(log, "of jane,"));
	assert_true(holds(log, "not janet\n"));
	assert_false(holds(facts, "jane"));
	assert_null(strstr(source, "jane"));
	assert_non_null(strstr(source, serial));
	assert_memory_equal(source, HOMES, strlen(HOMES));
	assert_string_equal(cap_item_get(item(&c, 2), "device") + 4, serial);
	assert_string_not_equal(cap_item_get(item(&c, 2), "serial"), "TEST0000009");
	capture_done(&c);
}

static void the_key_decides(void **state)
{
	struct capture a = everywhere(42), b = everywhere(42), other = everywhere(43);
	char serial[12], serial_other[12];

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct span body = item(&a, i)->body;

		assert_memory_equal(body.data, item(&b, i)->body.data, body.len);
		assert_memory_not_equal(body.data, item(&other, i)->body.data, body.len);
	}
	get_serial(item(&a, 0)->body.data + 20, serial);
	get_serial(item(&other, 0)->body.data + 20, serial_other);
	assert_string_not_equal(serial, serial_other);
	capture_done(&a);
	capture_done(&b);
	capture_done(&other);
}

/* One digit has one chance in ten to come out as itself. */
static void a_short_serial_never_stays(void **state)
{
	(void)state;
	for (uint64_t key = 0; key < 200; key++) {
		struct capture c = { 0 };

		(void)add_text(&c, "facts/x", "serial=\"7a\"\n");
		assert_int_equal(capture_anonymise(&c, key), 0);
		assert_false(holds(item(&c, 0)->body, "7a"));
		capture_done(&c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(identify_is_replaced_and_its_checksum_mended),
		cmocka_unit_test(a_checksum_that_was_wrong_or_none_stays),
		cmocka_unit_test(a_drive_without_serial_or_wwn_is_left_alone),
		cmocka_unit_test(it_is_found_anywhere_in_any_order),
		cmocka_unit_test(kernel_copies_are_known),
		cmocka_unit_test(texts_lose_what_is_private),
		cmocka_unit_test(texts_keep_what_is_not),
		cmocka_unit_test(what_is_told_once_is_replaced_everywhere),
		cmocka_unit_test(the_key_decides),
		cmocka_unit_test(a_short_serial_never_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
