/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Log lines in all their dresses. The forms are those of dmesg(1), journalctl(1) and rsyslog. */
#include "unit.h"

#include <string.h>

#include "base/str.h"
#include "capture/kernel-log.h"
#include "import/import.h"

/* The body that a text gives. */
static void expect(const char *text, const char *want)
{
	struct capture c = { 0 };
	struct diag d = { 0 };
	struct import_stats st = { 0 };
	struct buf got = { 0 };

	(void)!import_read(span_of_text(text), "t", &c, &d, &st);
	for (size_t i = 0; i < c.n_subjects; i++) {
		const struct cap_item *item = &c.subjects[i].snapshots[0].items[0];

		if (str_equal(item->id, "kernel-log"))
			buf_add(&got, item->body.data, item->body.len);
	}
	assert_string_equal(buf_text(&got), want);
	buf_done(&got);
	capture_done(&c);
	diag_done(&d);
}

#define MESSAGE "ata1: hard resetting link"

/* Seconds since 1970 from date(1). */
static const char *const heads[][2] = {
	/* dmesg: plain, -x, -r, with the caller, -d */
	{ "[  614.263599] " MESSAGE "\n", "614.263599 1 " MESSAGE "\n" },
	{ "kern  :err   : [  614.263599] " MESSAGE "\n", "614.263599 1 " MESSAGE "\n" },
	{ "<3>[  614.263599] " MESSAGE "\n", "614.263599 1 " MESSAGE "\n" },
	{ "[  614.263599][  T113] " MESSAGE "\n", "614.263599 1 " MESSAGE "\n" },
	{ "[  614.263599 <    0.000004>] " MESSAGE "\n", "614.263599 1 " MESSAGE "\n" },
	/* -T, also where the names are not English, --time-format iso */
	{ "[Thu May 14 18:58:49 2026] " MESSAGE "\n",
	  "@2026-05-14T18:58:49 1 " MESSAGE "\n" },
	{ "[Do Dez 10 18:58:49 2020] " MESSAGE "\n", "- 1 " MESSAGE "\n" },
	{ "2026-05-14T18:58:49,123456+02:00 " MESSAGE "\n",
	  "@2026-05-14T18:58:49.123456 1 " MESSAGE "\n" },
	/* -H: to the minute, then what passed since */
	{ "[May14 18:58] " MESSAGE "\n[  +1.500000] " MESSAGE "\n",
	  "@--05-14T18:58:00 1 " MESSAGE "\n@--05-14T18:58:01.500000 2 " MESSAGE "\n" },
	/* journalctl: short, without host, short-precise, -iso, -full, -unix, -monotonic */
	{ "May 14 18:58:49 box kernel: " MESSAGE "\n",
	  "@--05-14T18:58:49 1 " MESSAGE "\n" },
	{ "May 14 18:58:49 kernel: " MESSAGE "\n", "@--05-14T18:58:49 1 " MESSAGE "\n" },
	{ "May 14 18:58:49.123456 box kernel: " MESSAGE "\n",
	  "@--05-14T18:58:49.123456 1 " MESSAGE "\n" },
	{ "2026-05-14T18:58:49+0200 box kernel: " MESSAGE "\n",
	  "@2026-05-14T18:58:49 1 " MESSAGE "\n" },
	{ "Thu 2026-05-14 18:58:49 UTC box kernel: " MESSAGE "\n",
	  "@2026-05-14T18:58:49 1 " MESSAGE "\n" },
	{ "1778785129.250000 box kernel: " MESSAGE "\n",
	  "@2026-05-14T18:58:49.250000 1 " MESSAGE "\n" },
	{ "[  614.263599] box kernel: " MESSAGE "\n", "614.263599 1 " MESSAGE "\n" },
	/* syslog with both clocks, in another language, with its head cut */
	{ "May 14 18:58:49 box kernel: [  614.263599] " MESSAGE "\n",
	  "614.263599@--05-14T18:58:49 1 " MESSAGE "\n" },
	{ "touko 05 09:19:00 box kernel: " MESSAGE "\n", "- 1 " MESSAGE "\n" },
	{ "nel: " MESSAGE "\n", "- 1 " MESSAGE "\n" },
	/* no head at all; quoted; in a diff; counted by uniq -c */
	{ MESSAGE "\n", "- 1 " MESSAGE "\n" },
	{ "> > > [  614.263599] " MESSAGE "\n", "614.263599 1 " MESSAGE "\n" },
	{ "+" MESSAGE "\n", "- 1 " MESSAGE "\n" },
	{ "      3 " MESSAGE "\n", "- 1 " MESSAGE "\n" },
	/* wrapped by mail: behind the head, within it, and a paragraph that was flowed */
	{ "[  614.263599] ata1: hard resetting\nlink\n",
	  "614.263599 1 ata1: hard resetting\n- 2+ link\n" },
	{ "> May 14 18:58:49 box kernel: ata1.00: revalidation\n> failed (errno=-5) May "
	  "14 18:58:50 box "
	  "kernel:\n> " MESSAGE "\n",
	  "@--05-14T18:58:49 1 ata1.00: revalidation\n- 2+ failed (errno=-5)\n"
	  "@--05-14T18:58:50 3 " MESSAGE "\n" },
	{ "[  1.000001] ata1: EH complete [  2.000001] " MESSAGE "\n",
	  "1.000001 1 ata1: EH complete\n2.000001 1 " MESSAGE "\n" },
	/* rsyslog's line break; two lines of one message with the same head */
	{ "ata1.00: cmd 60/08:00:00:08:00/00:00:00:00:00/40 tag 0#012         res "
	  "40/00\n",
	  "- 1 ata1.00: cmd 60/08:00:00:08:00/00:00:00:00:00/40 tag 0             res "
	  "40/00\n" },
	/* of other programs, of other parts of the kernel, a sentence */
	{ "May 14 18:58:49 box smartd[12]: Device: /dev/sda [SAT]\n", "" },
	{ "[  614.263599] wlan0: associated\n", "" },
	{ "The log says hard resetting link and EH complete.\n", "" },
	/* the text ends here: the last word may be half */
	{ "[  614.263599] ata1: limiting SATA link speed to 1",
	  "614.263599 1! ata1: limiting SATA "
	  "link speed to 1\n" },
	/* another boot */
	{ "[  614.263599] " MESSAGE
	  "\n-- Boot 0123456789abcdef0123456789abcdef --\n[    4.000000] " MESSAGE "\n",
	  "614.263599 1 " MESSAGE "\n4.000000 3= " MESSAGE "\n" },
};

static void heads_of_lines(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(heads); i++)
		expect(heads[i][0], heads[i][1]);
}

static void journals(void **state)
{
	static const char json[] =
		"{\"MESSAGE\":\"ata1: EH complete\",\"_TRANSPORT\":\"kernel\","
		"\"__REALTIME_TIMESTAMP\":\"1778785129250000\","
		"\"_SOURCE_MONOTONIC_TIMESTAMP\":\"614263599\",\"_BOOT_ID\":\"a1\"}\n"
		"{\"MESSAGE\":\"ata1: EH complete\",\"_TRANSPORT\":\"journal\"}\n"
		"{\"MESSAGE\":[97,116,97,49,58,32,69,72,32,27],\"SYSLOG_IDENTIFIER\":"
		"\"kernel\","
		"\"_BOOT_ID\":\"b2\"}\n";
	static const char pretty[] = "{\n\t\"_TRANSPORT\" : \"kernel\",\n"
				     "\t\"_SOURCE_MONOTONIC_TIMESTAMP\" : \"5000000\",\n"
				     "\t\"MESSAGE\" : \"" MESSAGE "\"\n}\n";
	static const char export[] =
		"__REALTIME_TIMESTAMP=1778785129250000\n_TRANSPORT=kernel\n"
		"MESSAGE=" MESSAGE "\n\n_TRANSPORT=syslog\nMESSAGE=" MESSAGE "\n\n";

	(void)state;
	expect(json, "614.263599@2026-05-14T18:58:49.250000 1 ata1: EH complete\n"
		     "- 3= ata1: EH\n");
	expect(pretty, "5.000000 1 " MESSAGE "\n");
	expect(export, "@2026-05-14T18:58:49.250000 1 " MESSAGE "\n");
}

/* What is written is read back; what is hostile stays within its line. */
static void bodies_come_back(void **state)
{
	static const char *const rows[] = {
		"- 0 text",
		"0.000000 4294967295+!= text",
		"12.000001@2026-12-31T23:59:59.999999 1 a  b",
		"@--02-29T00:00:00 7! x",
	};
	struct klog_line l = { .text = "a\nb\x1b[2Jc\x7f", .len = 9, .line = 1 };
	struct buf b = { 0 };

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct span s = span_of_text(rows[i]);
		struct klog_line got;

		buf_clear(&b);
		assert_int_equal(klog_take_line(&s, &got), 0);
		klog_add_line(&b, &got);
		assert_int_equal(b.data[b.len - 1], '\n');
		assert_int_equal(b.len - 1, strlen(rows[i]));
		assert_memory_equal(b.data, rows[i], b.len - 1);
	}
	buf_clear(&b);
	klog_add_line(&b, &l);
	assert_string_equal(buf_text(&b), "- 1 a b [2Jc \n");
	buf_done(&b);
}

static void bad_bodies(void **state)
{
	static const char *const rows[] = {
		"",
		"text",
		"1.5",
		"1.5 x text",
		"@ 1 text",
		"@2026-13-01T00:00:00 1 x",
		"@2026-02-29T00:00:00 1 x",
		"-1 1 text",
		"99999999999999999999 1 x",
		"- 4294967296 x",
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct span s = span_of_text(rows[i]);
		struct klog_line l;

		assert_true(klog_take_line(&s, &l) < 0);
		assert_int_equal(s.len, 0);
	}
}

/* Private things and other people's business stay out of captures. */
static void what_is_wanted(void **state)
{
	static const struct {
		const char *text;
		bool wanted, plain;
	} rows[] = {
		{ "ata3.00: status: { DRDY }", true, true },
		{ "usb 2-1: reset SuperSpeed USB device number 3", true, true },
		{ "usb 2-1: SerialNumber: TEST0000001", false, true },
		{ "scsi 0:0:1:0: SSP: handle(0x0009), sas_addr(0x5000000000000001)",
		  false, true },
		{ "EXT4-fs error (device sda1): ext4_find_entry", true, false },
		{ "EXT4-fs (sda1): mounted filesystem 0123 r/w", false, false },
		{ "wlan0: authenticate with 00:00:00:00:00:00", false, false },
		{ "atari: not a port", false, false },
		{ "nvme 0000:01:00.0: PCIe Bus Error: severity=Corrected", true, false },
		{ "Linux version 6.1.0", true, false },
		{ "", false, false },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		size_t n = strlen(rows[i].text);

		assert_int_equal(klog_is_wanted(rows[i].text, n), rows[i].wanted);
		assert_int_equal(klog_is_message(rows[i].text, n), rows[i].plain);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(heads_of_lines),   cmocka_unit_test(journals),
		cmocka_unit_test(bodies_come_back), cmocka_unit_test(bad_bodies),
		cmocka_unit_test(what_is_wanted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
