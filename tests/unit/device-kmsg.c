/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records as Documentation/ABI/testing/dev-kmsg shows them; entries as the journal exports them. */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "device/kmsg.h"

/* Gives one record a call; "!" stands for one that was overwritten, NULL is the end. */
struct fake {
	const char *const *records;
	size_t at;
};

static ssize_t fake_read(void *context, char *bytes, size_t size)
{
	struct fake *f = context;
	const char *record = f->records[f->at];

	if (!record)
		return -EAGAIN;
	f->at++;
	if (str_equal(record, "!"))
		return -EPIPE;
	assert_true(strlen(record) <= size);
	memcpy(bytes, record, strlen(record));
	return (ssize_t)strlen(record);
}

static void expect(const char *const *records, const char *body, bool complete)
{
	struct fake fake = { .records = records };
	struct kmsg_source source = { fake_read, &fake };
	struct kmsg_log log = { 0 };

	assert_int_equal(kmsg_read(&source, &log), 0);
	assert_string_equal(buf_text(&log.body), body);
	assert_int_equal(log.complete, complete);
	kmsg_done(&log);
}

static void records(void **state)
{
	static const char *const whole[] = {
		"5,0,0,-;Linux version 6.1.0\n",
		"6,1,1204511,-,caller=T113;ata1: SATA max UDMA/133\n SUBSYSTEM=scsi\n "
		"DEVICE=+scsi:0\n",
		"6,2,1300000,-;wlan0: associated\n",
		"12,3,1400000,-;ata1: a program wrote this\n",
		"3,4,812100412,-;ata1.00: cmd 60/08:00\\x0a         res 40/00\n",
		NULL
	};
	static const char *const late[] = { "6,900,5000000,-;ata1: EH complete\n", NULL };
	static const char *const gap[] = { "6,0,1,-;ata1: EH complete\n", "!",
					   "6,7,2,-;ata2: EH complete\n", NULL };
	static const char *const damaged[] = { "6;x\n", "", ",,,",
					       "6,0,99999999999999999999,-;ata1: x",
					       NULL };

	(void)state;
	expect(whole,
	       "0.000000 0 Linux version 6.1.0\n"
	       "1.204511 0 ata1: SATA max UDMA/133\n"
	       "812.100412 0 ata1.00: cmd 60/08:00          res 40/00\n",
	       true);
	expect(late, "5.000000 0 ata1: EH complete\n", false);
	expect(gap, "0.000001 0 ata1: EH complete\n0.000002 0 ata2: EH complete\n",
	       false);
	expect(damaged, "", false);
}

static ssize_t no_permission(void *context, char *bytes, size_t size)
{
	(void)context;
	(void)bytes;
	(void)size;
	return -EPERM;
}

static void failures(void **state)
{
	struct kmsg_source source = { no_permission, NULL };
	struct kmsg_log log = { 0 };

	(void)state;
	assert_int_equal(kmsg_read(&source, &log), -EPERM);
}

static const char entries[] =
	"__CURSOR=s=1\n_TRANSPORT=kernel\n"
	"_SOURCE_MONOTONIC_TIMESTAMP=1204511\nMESSAGE=ata1: EH complete\n\n"
	"_TRANSPORT=syslog\n_SOURCE_MONOTONIC_TIMESTAMP=2\nMESSAGE=ata1: no\n\n"
	"MESSAGE\n\x10\0\0\0\0\0\0\0ata1.00: cmd\nres\n"
	"_TRANSPORT=kernel\n_SOURCE_MONOTONIC_TIMESTAMP=3000000\n\n";

/* Whatever pieces a pipe gives. */
static void journal_in_pieces(void **state)
{
	const char *want = "1.204511 0 ata1: EH complete\n3.000000 0 ata1.00: cmd res\n";

	(void)state;
	for (size_t piece = 1; piece < sizeof(entries); piece += 7) {
		struct journal_reader *j = journal_new();
		struct kmsg_log log = { 0 };

		assert_non_null(j);
		for (size_t at = 0; at < sizeof(entries) - 1; at += piece) {
			size_t n = sizeof(entries) - 1 - at;

			assert_int_equal(journal_take(j, entries + at,
						      n < piece ? n : piece, &log),
					 0);
		}
		assert_int_equal(journal_take(j, NULL, 0, &log), 0);
		assert_string_equal(buf_text(&log.body), want);
		assert_true(log.complete);
		assert_int_equal(log.messages, 2);
		kmsg_done(&log);
		journal_free(j);
	}
}

/* A length that is no length, an entry without an end: nothing is made up. */
static void journal_damaged(void **state)
{
	static const char bad[] = "MESSAGE\n\xff\xff\xff\xff\xff\xff\xff\xff\x01\x02";
	struct journal_reader *j = journal_new();
	struct kmsg_log log = { 0 };

	(void)state;
	assert_int_equal(journal_take(j, bad, sizeof(bad) - 1, &log), 0);
	assert_int_equal(journal_take(j, NULL, 0, &log), 0);
	assert_int_equal(log.messages, 0);
	assert_false(log.complete);
	kmsg_done(&log);
	journal_free(j);
}

/* Whatever this machine lets us read: an item that says what it is, and nothing else. */
static void of_this_machine(void **state)
{
	struct capture c = { 0 };
	struct cap_subject *host = capture_add_subject(&c, CAP_HOST);
	struct cap_snapshot *s =
		host ? capture_add_snapshot(&c, host, CAP_BEFORE, NULL) : NULL;
	const struct cap_item *item;

	(void)state;
	if (!s || kmsg_collect(&c, s) < 0 || s->n_items != 1) {
		fail();
		return;
	}
	item = &s->items[0];
	assert_string_equal(item->id, "kernel-log");
	if (item->status == CAP_OK)
		assert_non_null(cap_item_get(item, "complete"));
	else
		assert_non_null(cap_item_get(item, "error"));
	capture_done(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records),	     cmocka_unit_test(failures),
		cmocka_unit_test(journal_in_pieces), cmocka_unit_test(journal_damaged),
		cmocka_unit_test(of_this_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
