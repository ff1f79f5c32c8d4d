/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A drive is read, and its capture is read as if it were the drive: both captures are the same text.
 * So what a person sends in behaves here as it did there.
 */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "ata/gate.h"
#include "capture/file.h"
#include "device-fake.h"
#include "device/collect.h"

static uint8_t disk[512], ssd[512], data[512], thresholds[512], phy[512];
static uint8_t log_of[256][8 * 512];

static int setup(void **state)
{
	static const uint8_t listed[] = { 0, 1, 3, 4, 6, 7 };

	(void)state;
	fake_identify(disk, "TESTDISK 1", 7200);
	fake_identify(ssd, "TESTDISK 2", 1);
	fake_smart_data(data);
	fake_thresholds(thresholds);
	fake_phy(phy, 3, 7);
	for (unsigned a = 0; a < 256; a++)
		for (unsigned p = 0; p < 8; p++) {
			uint8_t *page = log_of[a] + p * 512;

			page[0] = 1;
			page[2] = (uint8_t)p;
			page[100] = (uint8_t)a;
			page[101] = (uint8_t)p;
			fake_checksum(page);
		}
	/* page 0 of the device statistics: the pages there are */
	log_of[4][8] = sizeof(listed);
	memcpy(log_of[4] + 9, listed, sizeof(listed));
	return 0;
}

static void a_drive(struct fake_drive *f)
{
	static const struct {
		uint8_t address;
		bool smart;
		uint16_t pages;
	} logs[] = {
		{ 0x03, false, 2 }, { 0x04, false, 8 }, { 0x07, false, 1 },
		{ 0x0c, false, 1 }, { 0x10, false, 1 }, { 0x30, false, 8 },
		{ 0x01, true, 1 },  { 0x06, true, 1 },	{ 0x09, true, 1 },
		{ 0xe0, true, 1 },  { 0xe1, true, 1 },
	};

	fake_drive_init(f);
	f->identify = disk;
	f->smart_data = data;
	f->thresholds = thresholds;
	fake_drive_add_log(f, false, 0x11, 1, phy);
	for (size_t i = 0; i < sizeof(logs) / sizeof(*logs); i++)
		fake_drive_add_log(f, logs[i].smart, logs[i].address, logs[i].pages,
				   log_of[logs[i].address]);
}

static void collect(struct transport *t, const struct collect_options *o,
		    struct capture *c, struct buf *text)
{
	struct cap_subject *s = capture_add_subject(c, CAP_DRIVE);
	struct collect_stats stats;
	struct diag d = { 0 };

	assert_int_equal(collect_drive(c, s, CAP_BEFORE, "/dev/test", t, o, &d, &stats),
			 0);
	assert_int_equal(capture_file_write(c, NULL, text), 0);
	diag_done(&d);
}

/* Read the drive, then its capture; through the text, so that nothing else is carried over. */
static void same_again(struct fake_drive *f, const struct collect_options *o)
{
	struct capture first = { 0 }, read = { 0 }, second = { 0 };
	struct buf a = { 0 }, b = { 0 };
	struct diag d = { 0 };
	struct transport *replay = NULL;

	collect(&f->transport, o, &first, &a);
	assert_int_equal(capture_file_read(buf_span(&a), "test", &d, &read), 0);
	assert_int_equal(transport_replay_open(&read.subjects[0], &replay), 0);
	replay->one_sector = f->transport.one_sector;
	replay->grants = f->transport.grants;
	collect(replay, o, &second, &b);
	assert_string_equal(buf_text(&a), buf_text(&b));
	transport_close(replay);
	capture_done(&first);
	capture_done(&read);
	capture_done(&second);
	buf_done(&a);
	buf_done(&b);
	diag_done(&d);
}

static const struct collect_options full = { .level = LEVEL_FULL };

static void a_whole_drive(void **state)
{
	struct fake_drive f;

	(void)state;
	a_drive(&f);
	same_again(&f, &full);
	assert_true(f.n_commands <= 20);
	print_message("# %zu commands\n", f.n_commands);
}

static void with_faults(void **state)
{
	struct fake_drive f;

	(void)state;
	a_drive(&f);
	f.no_registers = true;
	same_again(&f, &full);

	a_drive(&f);
	f.no_dma = true;
	same_again(&f, &full);

	a_drive(&f);
	f.no_ext = true;
	same_again(&f, &full);

	a_drive(&f);
	f.most_pages = 1;
	same_again(&f, &full);

	a_drive(&f);
	f.bad_page_of[0x03] = 2;
	f.bad_page_of[0x04] = 5;
	f.bad_page_of[0x07] = 1;
	same_again(&f, &full);

	a_drive(&f);
	f.smart_data = NULL;
	f.failing = true;
	same_again(&f, &full);

	a_drive(&f);
	f.identify = NULL;
	same_again(&f, &full);
}

/* On request only: two keys that read are written. */
static void sct(void **state)
{
	struct collect_options o = { .level = LEVEL_SCT };
	struct fake_drive f;

	(void)state;
	a_drive(&f);
	same_again(&f, &o);
	for (size_t i = 0; i < f.n_commands; i++)
		assert_null(strstr(f.commands[i], "WRITE"));

	a_drive(&f);
	f.transport.grants = GATE_SCT;
	same_again(&f, &o);
	assert_int_equal(fake_drive_count(&f, "SMART WRITE LOG E0h"), 3);
	assert_int_equal(fake_drive_count(&f, "SMART READ LOG E1h"), 1);

	/* whatever runs is not disturbed */
	a_drive(&f);
	f.transport.grants = GATE_SCT;
	log_of[0xe0][14] = log_of[0xe0][15] = 0xff;
	same_again(&f, &o);
	log_of[0xe0][14] = log_of[0xe0][15] = 0;
	assert_int_equal(fake_drive_count(&f, "SMART WRITE LOG E0h"), 0);
}

/* The count in page 0 says how many pages there are to read. */
static void many_pending_defects(void **state)
{
	static const struct {
		uint32_t count;
		size_t reads;
	} cases[] = { { 31, 1 }, { 32, 2 }, { 63, 2 }, { 200, 2 }, { UINT32_MAX, 2 } };
	struct fake_drive f;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		a_drive(&f);
		for (size_t k = 0; k < f.n_logs; k++)
			if (f.logs[k].address == 0x0c)
				f.logs[k].pages = 8;
		for (unsigned k = 0; k < 4; k++)
			log_of[0x0c][k] = (uint8_t)(cases[i].count >> 8 * k);
		same_again(&f, &full);
		assert_int_equal(fake_drive_count(&f, "EXT 0Ch"), cases[i].reads);
	}
	memset(log_of[0x0c], 0, 4);
}

static void behind_a_bridge(void **state)
{
	struct fake_drive f;

	(void)state;
	a_drive(&f);
	f.transport.one_sector = f.transport.no_dma_logs = true;
	f.most_pages = 1;
	same_again(&f, &full);
	assert_true(f.n_commands <= 20);
	print_message("# %zu commands\n", f.n_commands);
	/* never more than one, not even to see whether it works */
	for (size_t i = 0; i < f.n_commands; i++)
		if (strncmp(f.commands[i], "READ LOG", 8) == 0)
			assert_non_null(strstr(f.commands[i], ", 1"));
}

static void asleep_and_hanging(void **state)
{
	struct collect_options o = { .level = LEVEL_FULL, .command_ms = 20 };
	struct fake_drive f;

	(void)state;
	a_drive(&f);
	f.power_mode = 0;
	same_again(&f, &full);

	for (unsigned n = 1; n <= 6; n++) {
		a_drive(&f);
		f.hang_at = n;
		same_again(&f, &o);
		assert_int_equal(f.n_commands, n);
	}
}

/* What the drive does not announce is never asked for: each refusal stands in its error log. */
static void nothing_is_asked_in_vain(void **state)
{
	struct fake_drive f;
	struct capture c = { 0 };
	struct buf text = { 0 };

	(void)state;
	fake_drive_init(&f);
	f.identify = disk;
	f.smart_data = data;
	f.thresholds = thresholds;
	fake_drive_add_log(&f, false, 0x11, 1, phy);
	collect(&f.transport, &full, &c, &text);
	assert_null(strstr(buf_text(&text), "failed"));
	assert_null(strstr(buf_text(&text), "unsupported"));
	capture_done(&c);
	buf_done(&text);
}

static void what_was_never_asked_is_refused(void **state)
{
	struct capture c = { 0 };
	struct cap_subject *s = capture_add_subject(&c, CAP_DRIVE);
	struct ata_command identify = ata_identify();
	struct transport_result r;
	struct transport *t = NULL;
	uint8_t page[512];

	(void)state;
	assert_int_equal(transport_replay_open(s, &t), -ENODEV);
	assert_non_null(capture_add_snapshot(&c, s, CAP_IMPORT, NULL));
	assert_int_equal(transport_replay_open(s, &t), 0);
	assert_int_equal(transport_send(t, &identify, page, 1000, &r), -EIO);
	assert_true(r.registers.known);
	assert_int_equal(r.registers.status, 0x51);
	assert_int_equal(r.registers.error, 0x04);
	transport_close(t);
	capture_done(&c);
}

static void snapshot_after_snapshot(void **state)
{
	struct capture c = { 0 };
	struct cap_subject *s = capture_add_subject(&c, CAP_DRIVE);
	struct cap_snapshot *before = capture_add_snapshot(&c, s, CAP_BEFORE, NULL),
			    *after;
	struct ata_command identify = ata_identify();
	struct transport_result r;
	struct transport *t = NULL;
	uint8_t page[512];

	(void)state;
	assert_non_null(
		capture_add_item(&c, before, "ata/identify", CAP_OK, span_of(disk, 512)));
	after = capture_add_snapshot(&c, s, CAP_AFTER, NULL);
	assert_non_null(
		capture_add_item(&c, after, "ata/identify", CAP_OK, span_of(ssd, 512)));
	assert_int_equal(transport_replay_open(s, &t), 0);
	assert_int_equal(transport_send(t, &identify, page, 1000, &r), 0);
	assert_memory_equal(page, disk, 512);
	assert_true(transport_replay_next(t));
	assert_int_equal(transport_send(t, &identify, page, 1000, &r), 0);
	assert_memory_equal(page, ssd, 512);
	assert_false(transport_replay_next(t));
	transport_close(t);
	capture_done(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_drive),
		cmocka_unit_test(with_faults),
		cmocka_unit_test(sct),
		cmocka_unit_test(many_pending_defects),
		cmocka_unit_test(behind_a_bridge),
		cmocka_unit_test(asleep_and_hanging),
		cmocka_unit_test(nothing_is_asked_in_vain),
		cmocka_unit_test(what_was_never_asked_is_refused),
		cmocka_unit_test(snapshot_after_snapshot),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
