/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose the events of a kernel log are, of which boot, and in what company. */
#include "kernel-log-case.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

#define TIMEOUT "ata3.00: exception Emask 0x4 SAct 0x0 SErr 0x0 action 0x6 frozen\n"

/* Which port, which letter, which model: from the log's own lines. */
static void names_of_one_drive(void **state)
{
	static const char text[] =
		"[    1.0001] scsi host0: ahci\n[    1.0002] scsi host1: ahci\n"
		"[    1.0003] ata1: SATA max UDMA/133 abar m2048@0xdf24b000 port "
		"0xdf24b100 irq 125\n"
		"[    1.0004] ata2: SATA max UDMA/133 abar m2048@0xdf24b000 port "
		"0xdf24b180 irq 125\n"
		"[    1.3000] ata1: SATA link up 6.0 Gbps (SStatus 133 SControl 300)\n"
		"[    1.3000] ata2: SATA link up 3.0 Gbps (SStatus 123 SControl 300)\n"
		"[    1.4001] ata1.00: ATA-8: ACME DISK 4000, SC60, max UDMA/133\n"
		"[    1.4002] ata1.00: 7814037168 sectors, multi 16: LBA48 NCQ (depth "
		"32), AA\n"
		"[    1.4003] ata2.00: ATA-9: ACME DISK 4000, SC60, max UDMA/133\n"
		"[    1.5000] scsi 0:0:0:0: Direct-Access     ATA      ACME DISK 4000   "
		"SC60 PQ: 0 ANSI: 5\n"
		"[    1.5001] sd 0:0:0:0: [sda] 7814037168 512-byte logical blocks: "
		"(4.00 TB/3.64 TiB)\n"
		"[    1.6000] sd 1:0:0:0: [sdb] 7814037168 512-byte logical blocks: "
		"(4.00 TB/3.64 TiB)\n"
		"[  900.0001] ata2.00: exception Emask 0x10 SAct 0x0 SErr 0x200000 "
		"action 0x6 frozen\n";
	struct klog_case c;
	uint64_t u;

	(void)state;
	klog_case_read(&c, text, strlen(text));
	assert_string_equal(buf_text(&c.events), "1 ata2.00 interface-error\n");
	assert_string_equal(drive_text(c.the_case.drives[0], FACT_DEVICE, 0, 0), "sdb");
	assert_string_equal(drive_text(c.the_case.drives[0], FACT_MODEL, 0, 0),
			    "ACME DISK 4000");
	assert_string_equal(drive_text(c.the_case.drives[0], FACT_FIRMWARE, 0, 0),
			    "SC60");
	assert_true(drive_u64(c.the_case.drives[0], FACT_CAPACITY, 0, 0, &u));
	assert_int_equal(u, UINT64_C(7814037168) * 512);
	assert_true(drive_u64(c.the_case.drives[0], FACT_KLOG_INTERFACE, 0, 0, &u));
	assert_int_equal(u, 1);
	assert_true(drive_u64(&c.the_case.host, FACT_KLOG_PORT_LINK_SPEED, 2, 0, &u));
	assert_int_equal(u, 3000);
	assert_string_equal(drive_text(&c.the_case.host, FACT_KLOG_PORT_DEVICE, 1, 0),
			    "sda");
	klog_case_done(&c);
}

#define BUS_ERROR "exception Emask 0x10 SAct 0x0 SErr 0x40d0000 action 0xe frozen\n"

/* Events of optical drives, which the host has, and others, which drives have. A case has one at least. */
static void expect_optical(const char *text, size_t drives, size_t of_host,
			   size_t of_drive)
{
	struct klog_case c;
	size_t n[2] = { 0 };

	klog_case_read(&c, text, strlen(text));
	for (size_t i = 0; i < c.the_case.host.n_events; i++)
		n[0] += c.the_case.host.events[i].optical;
	for (size_t k = 0; k < c.the_case.n_drives; k++)
		for (size_t i = 0; i < c.the_case.drives[k]->n_events; i++)
			n[1] += !c.the_case.drives[k]->events[i].optical;
	assert_int_equal(c.the_case.n_drives, drives);
	assert_int_equal(n[0], of_host);
	assert_int_equal(n[1], of_drive);
	klog_case_done(&c);
}

/* ATAPI devices are known by their identity, by PACKET, and by the names that the kernel gives them. */
static void optical_drives(void **state)
{
	(void)state;
	/* what its port tells is its own, too */
	expect_optical("[    1.4001] ata1.00: ATAPI: ACME DVDRAM, 1.02, max UDMA/100\n"
		       "[  900.0001] ata1.00: " BUS_ERROR
		       "[  900.1001] ata1: hard resetting link\n",
		       1, 2, 0);
	/* the identity may come last */
	expect_optical("[  900.0001] ata1.00: " BUS_ERROR
		       "[  900.9001] ata1.00: ATAPI: ACME DVDRAM, 1.02, max UDMA/100\n",
		       1, 1, 0);
	expect_optical(
		"[    3.0001] ata1.00: qc timeout (cmd 0xa0)\n"
		"[    3.1001] ata1.00: failed to clear UNIT ATTENTION (err_mask=0x4)\n",
		1, 2, 0);
	/* a disk at the next port stays one */
	expect_optical("[    1.4001] ata1.00: ATAPI: ACME DVDRAM, 1.02, max UDMA/100\n"
		       "[    1.4001] ata2.00: ATA-8: ACME DISK 4000, SC60, max UDMA/133\n"
		       "[  900.0001] ata1.00: " BUS_ERROR
		       "[  950.0001] ata2.00: " BUS_ERROR,
		       1, 1, 2);
	/* so does one beside which a disc could not be read */
	expect_optical(
		"[  900.0001] ata2.00: " BUS_ERROR
		"[  900.0001] ata2.00: cmd 25/00:08:00:00:00/00:00:00:00:00/e0 tag 0 "
		"dma 4096 in\n"
		"[  900.1001] I/O error, dev sr0, sector 5508 op 0x0:(READ) flags "
		"0x0\n",
		1, 1, 1);
	/* a bay where a disk took the place of a DVD drive */
	expect_optical("[    1.4001] ata1.00: ATAPI: ACME DVDRAM, 1.02, max UDMA/100\n"
		       "[  800.0001] ata1.00: ATA-8: ACME DISK 4000, SC60, max UDMA/133\n"
		       "[  900.0001] ata1.00: " BUS_ERROR,
		       1, 0, 2);
}

static void boots_and_company(void **state)
{
	static const char text[] = "[    0.000000] Linux version 6.1.0\n"
				   "[  100.000000] " TIMEOUT
				   "[  101.500000] ata5.00: exception Emask 0x4 SAct "
				   "0x0 SErr 0x0 action 0x6 frozen\n"
				   "[    0.000000] Linux version 6.1.0\n"
				   "[   50.000000] PM: suspend entry (deep)\n"
				   "[   51.000000] PM: suspend exit\n"
				   "[   60.000000] ata5.00: exception Emask 0x4 SAct "
				   "0x0 SErr 0x0 action 0x6 frozen\n"
				   "[  200.000000] ata5.00: exception Emask 0x4 SAct "
				   "0x0 SErr 0x0 action 0x6 frozen\n";
	struct klog_case c;
	const struct drive *d;
	uint64_t u;

	(void)state;
	klog_case_read(&c, text, strlen(text));
	assert_string_equal(buf_text(&c.events),
			    "0 ata3.00 timeout -1\n0  suspend\n0  resume\n"
			    "1 ata5.00 timeout -1\n1 ata5.00 timeout\n"
			    "1 ata5.00 timeout\n");
	d = c.the_case.drives[0];
	assert_true(klog_case_event(d, 0)->together);
	assert_true(klog_case_event(&c.the_case.host, 0)->together);
	assert_true(klog_case_event(d, 1)->near_sleep);
	assert_false(klog_case_event(d, 2)->near_sleep ||
		     klog_case_event(d, 2)->together);
	assert_true(drive_u64(d, FACT_KLOG_TIMEOUTS, 0, 0, &u));
	assert_int_equal(u, 2);
	assert_true(drive_u64(d, FACT_KLOG_EARLIER, 0, 0, &u));
	assert_int_equal(u, 1);
	assert_true(drive_u64(&c.the_case.host, FACT_KLOG_BOOTS, 0, 0, &u));
	assert_int_equal(u, 2);
	assert_false(drive_flag(&c.the_case.host, FACT_KLOG_COMPLETE, 0));
	klog_case_done(&c);
}

/* Posted reports and the log beside them: one drive each, and none too many. */
static void beside_reports(void **state)
{
	static const char report[] =
		"smartctl 7.3 2022-02-28 r5338 [x86_64-linux-6.1.0] (local build)\n"
		"=== START OF INFORMATION SECTION ===\n"
		"Device Model:     ACME DISK 4000\nSerial Number:    TEST0000001\n"
		"Firmware Version: SC60\n\n";
	static const char *const logs[] = {
		"[   10.000001] ata3.00: ATA-8: ACME DISK 4000, SC60, max UDMA/133\n"
		"[  900.000001] ata3.00: exception Emask 0x10 SAct 0x0 SErr 0x200000 "
		"action 0x6\n",
		/* the log does not tell which drive it is: there is only one */
		"[  900.000001] ata3.00: exception Emask 0x10 SAct 0x0 SErr 0x200000 "
		"action 0x6\n",
		/* it is another one */
		"[   10.000001] ata3.00: ATA-8: OTHER DISK 1, AA01, max UDMA/133\n"
		"[  900.000001] ata3.00: exception Emask 0x10 SAct 0x0 SErr 0x200000 "
		"action 0x6\n",
	};

	(void)state;
	for (size_t i = 0; i < array_size(logs); i++) {
		struct buf text = { 0 };
		struct klog_case c;

		buf_puts(&text, report);
		buf_puts(&text, logs[i]);
		klog_case_read(&c, buf_text(&text), text.len);
		assert_int_equal(c.the_case.n_drives, i < 2 ? 1 : 2);
		assert_non_null(klog_case_event(c.the_case.drives[i < 2 ? 0 : 1], 0));
		assert_null(klog_case_event(c.the_case.drives[i < 2 ? 0 : 1], 1));
		klog_case_done(&c);
		buf_done(&text);
	}
}

static void manual_names_every_class(void **state)
{
	const char *src = getenv("top_srcdir");
	struct buf path = { 0 }, page = { 0 };
	char line[512];
	FILE *f;

	(void)state;
	buf_printf(&path, "%s/man/drivewhy-capture.5", src ? src : ".");
	f = fopen(buf_text(&path), "r");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		buf_puts(&page, line);
	(void)fclose(f);
	for (int i = 0; i < EVENT_COUNT; i++) {
		struct buf row = { 0 };

		buf_printf(&row, ".It Li %s\n", event_class_name((enum event_class)i));
		assert_non_null(strstr(buf_text(&page), buf_text(&row)));
		buf_done(&row);
	}
	buf_done(&page);
	buf_done(&path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_one_drive),
		cmocka_unit_test(optical_drives),
		cmocka_unit_test(boots_and_company),
		cmocka_unit_test(beside_reports),
		cmocka_unit_test(manual_names_every_class),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
