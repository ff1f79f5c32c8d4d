/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Self-tests: which commands start them, what the status byte means, and what is not believed. */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "ata/gate.h"
#include "device-fake.h"
#include "device/selftest.h"

static uint8_t disk[512], data[512];

static int setup(void **state)
{
	(void)state;
	fake_identify(disk, "TESTDISK 1", 7200);
	fake_smart_data(data);
	return 0;
}

static void set_status(uint8_t status)
{
	data[363] = status;
	fake_checksum(data);
}

static struct selftest_state look(void)
{
	struct selftest_state s = { 0 };
	struct fake_drive f;

	fake_drive_init(&f);
	f.identify = disk;
	f.smart_data = data;
	assert_int_equal(selftest_look(&f.transport, 1000, &s), 0);
	assert_int_equal(f.n_commands, 2);
	return s;
}

static void what_the_drive_can(void **state)
{
	struct selftest_state s;

	(void)state;
	set_status(0);
	s = look();
	assert_true(s.smart_on && s.known);
	assert_true(s.has_selftest && s.has_conveyance && s.has_selective);
	assert_false(s.running);
	assert_int_equal(s.short_minutes, 2);
	assert_int_equal(s.extended_minutes, 90);
	assert_int_equal(s.conveyance_minutes, 5);
	assert_true(s.sectors == 0x74706db0);
	data[367] = 0x10;
	fake_checksum(data);
	s = look();
	assert_true(selftest_is_supported(&s, SELFTEST_SHORT));
	assert_false(selftest_is_supported(&s, SELFTEST_CONVEYANCE));
	assert_false(selftest_is_supported(&s, SELFTEST_SELECTIVE));
	data[367] = 0x7b;
}

/* ATA8-ACS table 62, bytes 373 and 375: FFh minutes means the word behind. */
static void long_tests_of_large_drives(void **state)
{
	struct selftest_state s;

	(void)state;
	data[373] = 0xff;
	data[375] = 0x5c;
	data[376] = 0x04;
	set_status(0);
	s = look();
	assert_int_equal(s.extended_minutes, 1116);
	data[373] = 90;
	data[375] = data[376] = 0;
}

static void status_bytes(void **state)
{
	static const struct {
		uint8_t byte;
		bool running, failed;
		unsigned left;
		const char *words;
	} rows[] = {
		{ 0x00, false, false, 0, "passed, or never run" },
		{ 0x19, false, false, 90, "aborted by the host" },
		{ 0x25, false, false, 50, "interrupted by a reset" },
		{ 0x30, false, true, 0, "could not be completed" },
		{ 0x73, false, true, 30, "failed: read" },
		{ 0x64, false, true, 40, "failed: servo or seek" },
		{ 0xf7, true, false, 70, "running" },
		{ 0x90, false, false, 0, "ended with a status that no standard knows" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct selftest_state s;

		set_status(rows[i].byte);
		s = look();
		assert_int_equal(s.running, rows[i].running);
		assert_int_equal(s.left_percent, rows[i].left);
		assert_int_equal(selftest_has_failed(s.status), rows[i].failed);
		assert_string_equal(selftest_status_words(s.status), rows[i].words);
	}
	set_status(0);
}

/* Nothing, all ones, a wrong sum: no test has passed, and none runs. */
static void a_bad_page_says_nothing(void **state)
{
	static const uint8_t zero[512];
	uint8_t ones[512], wrong[512];
	const uint8_t *const pages[] = { zero, ones, wrong };

	(void)state;
	memset(ones, 0xff, sizeof(ones));
	memcpy(wrong, data, sizeof(wrong));
	wrong[363] = 0xf5;
	for (size_t i = 0; i < 3; i++) {
		struct selftest_state s = { 0 };
		struct fake_drive f;

		fake_drive_init(&f);
		f.identify = disk;
		f.smart_data = pages[i];
		assert_int_equal(selftest_look(&f.transport, 1000, &s), 0);
		assert_false(s.known || s.running);
		assert_false(selftest_is_supported(&s, SELFTEST_SHORT));
	}
}

static void how_long_it_takes(void **state)
{
	struct selftest_span half = { 0, 0x74706db0 / 2 - 1 }, one = { 7, 7 };
	struct selftest_state s;

	(void)state;
	set_status(0);
	s = look();
	assert_int_equal(selftest_minutes(&s, SELFTEST_SHORT, NULL, 0), 2);
	assert_int_equal(selftest_minutes(&s, SELFTEST_EXTENDED, NULL, 0), 90);
	assert_in_range(selftest_minutes(&s, SELFTEST_SELECTIVE, &half, 1), 44, 46);
	assert_int_equal(selftest_minutes(&s, SELFTEST_SELECTIVE, &one, 1), 1);
	s.extended_minutes = 0;
	assert_int_equal(selftest_minutes(&s, SELFTEST_SELECTIVE, &one, 1), 0);
}

static void each_test_is_one_command(void **state)
{
	static const struct {
		enum selftest_kind kind;
		const char *command;
	} rows[] = {
		{ SELFTEST_SHORT, "SMART EXECUTE OFF-LINE 01h" },
		{ SELFTEST_EXTENDED, "SMART EXECUTE OFF-LINE 02h" },
		{ SELFTEST_CONVEYANCE, "SMART EXECUTE OFF-LINE 03h" },
		{ SELFTEST_ABORT, "SMART EXECUTE OFF-LINE 7Fh" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct fake_step step = { rows[i].command };
		struct fake_script f;

		fake_script_init(&f, &step, 1);
		/* only on request */
		assert_int_equal(
			selftest_start(&f.transport, 1000, rows[i].kind, NULL, 0),
			-EPERM);
		f.transport.grants = GATE_SELFTEST;
		assert_int_equal(
			selftest_start(&f.transport, 1000, rows[i].kind, NULL, 0), 0);
		assert_true(fake_script_is_done(&f));
	}
}

static void never_captive(void **state)
{
	struct fake_script f;

	(void)state;
	fake_script_init(&f, NULL, 0);
	f.transport.grants = GATE_SELFTEST;
	for (unsigned test = 0; test < 256; test++) {
		if ((test >= 1 && test <= 4) || test == 0x7f)
			continue;
		assert_int_equal(selftest_start(&f.transport, 1000,
						(enum selftest_kind)test, NULL, 0),
				 -EPERM);
	}
}

static uint8_t written[512];

static int keep(struct transport *t, const struct ata_command *c, uint8_t *in,
		uint32_t timeout_ms, struct transport_result *ret)
{
	(void)t;
	(void)in;
	(void)timeout_ms;
	(void)ret;
	if (c->data_out)
		memcpy(written, c->data_out, 512);
	return 0;
}

/* ATA8-ACS table A.19: version 1, then first and last address of each span. */
static void selective_spans(void **state)
{
	static const struct transport_ops ops = { .name = "keep", .send = keep };
	struct transport t = { .ops = &ops, .grants = GATE_SELFTEST };
	const struct selftest_span spans[] = { { 0x100, 0x1ff }, { 1, 0x0102030405 } },
				   wrong = { 2, 1 };
	uint8_t sum = 0;

	(void)state;
	assert_int_equal(selftest_start(&t, 1000, SELFTEST_SELECTIVE, spans, 2), 0);
	assert_int_equal(written[0], 1);
	assert_memory_equal(written + 2, "\0\1\0\0\0\0\0\0\xff\1\0\0\0\0\0\0", 16);
	assert_memory_equal(written + 18, "\1\0\0\0\0\0\0\0\5\4\3\2\1\0\0\0", 16);
	for (size_t i = 34; i < 511; i++)
		assert_int_equal(written[i], 0);
	for (size_t i = 0; i < 512; i++)
		sum = (uint8_t)(sum + written[i]);
	assert_int_equal(sum, 0);
	assert_int_equal(selftest_start(&t, 1000, SELFTEST_SELECTIVE, NULL, 0), -EINVAL);
	assert_int_equal(selftest_start(&t, 1000, SELFTEST_SELECTIVE, spans, 6), -EINVAL);
	assert_int_equal(selftest_start(&t, 1000, SELFTEST_SELECTIVE, &wrong, 1),
			 -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_the_drive_can),
		cmocka_unit_test(long_tests_of_large_drives),
		cmocka_unit_test(status_bytes),
		cmocka_unit_test(a_bad_page_says_nothing),
		cmocka_unit_test(how_long_it_takes),
		cmocka_unit_test(each_test_is_one_command),
		cmocka_unit_test(never_captive),
		cmocka_unit_test(selective_spans),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
