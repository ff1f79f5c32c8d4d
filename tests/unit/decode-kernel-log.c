/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel messages and what they tell. The messages are written as the kernel's sources print them
 * (drivers/ata/libata-eh.c and others); addresses are worked out by hand from their registers.
 */
#include "kernel-log-case.h"

#include <string.h>

#include "base/str.h"

#define EXCEPTION(emask, sact, serr, action)                                             \
	"ata3.00: exception Emask " emask " SAct " sact " SErr " serr " action " action
#define READ_CMD                                                                         \
	"ata3.00: failed command: READ FPDMA QUEUED\n"                                   \
	"ata3.00: cmd 60/80:78:00:08:00/00:00:00:00:00/40 tag 15 ncq dma 65536 in\n"
#define RES(registers, mask) "         res " registers " Emask " mask "\n"

/* spec: SATA SError bits; libata prefers host bus, ATA bus, time-out, HSM, internal, media, device */
static const struct {
	const char *text, *want;
} causes[] = {
	/* 0870h = 2160: the culprit's registers, not the first sector of the request */
	{ EXCEPTION("0x0", "0x8000", "0x0",
		    "0x0") "\n"
			   "ata3.00: irq_stat 0x40000008\n" READ_CMD RES(
				   "41/40:00:70:08:00/00:00:00:00:00/00",
				   "0x409 (media error) <F>"),
	  "1 ata3.00 media-error lba=2160\n" },
	/* 48-bit: 02_15_a5_9d_c0h */
	{ EXCEPTION("0x0", "0x1", "0x0", "0x0") "\n" READ_CMD RES(
		  "43/40:40:c0:9d:a5/00:05:15:02:00/00", "0x408 (media error) <F>"),
	  "1 ata3.00 media-error lba=8953109952\n" },
	/* 28-bit: four bits of the address are in the device register */
	{ "ata3.00: failed command: READ DMA\n"
	  "ata3.00: cmd c8/00:08:00:00:00/00:00:00:00:00/e1 tag 0 dma 4096 "
	  "in\n" RES("51/40:08:01:02:03/00:00:00:00:00/e1", "0x9 (media error)"),
	  "1 ata3.00 media-error lba=16974337\n" },
	{ EXCEPTION("0x0", "0x1", "0x0", "0x6 frozen") "\n" READ_CMD RES(
		  "40/00:00:00:4f:c2/00:00:00:00:00/00", "0x4 (timeout)"),
	  "1 ata3.00 timeout\n" },
	{ EXCEPTION("0x10", "0x1", "0x400000",
		    "0x6 frozen") "\n"
				  "ata3: SError: { Handshk }\n" READ_CMD RES(
					  "40/00:78:00:08:00/00:00:00:00:00/40",
					  "0x10 (ATA bus error)"),
	  "1 ata3.00 interface-error\n" },
	{ EXCEPTION("0x0", "0x0", "0x0",
		    "0x0") "\n"
			   "ata3.00: failed command: READ DMA EXT\n"
			   "ata3.00: cmd 25/00:08:00:00:00/00:00:00:00:00/e0 tag 0 "
			   "dma 4096 in\n" RES(
				   "51/84:08:00:00:00/00:00:00:00:00/e0",
				   "0x10 (ATA bus error)") "ata3.00: status: { "
							   "DRDY ERR }\nata3.00: "
							   "error: { ICRC ABRT }\n",
	  "1 ata3.00 interface-error\n" },
	{ EXCEPTION("0x10", "0x0", "0x850000", "0x2 frozen") "\n" READ_CMD RES(
		  "40/00:78:00:08:00/00:00:00:00:00/40", "0x10 (ATA bus error)"),
	  "1 ata3.00 link-wake\n" },
	{ EXCEPTION("0x10", "0x0", "0x4040000", "0xe frozen") "\n" READ_CMD RES(
		  "50/00:78:00:08:00/00:00:00:00:00/40", "0x10 (ATA bus error)"),
	  "1 ata3.00 link-wake\n" },
	{ "ata3: exception Emask 0x10 SAct 0x0 SErr 0x4010000 action 0xe frozen\n"
	  "ata3: irq_stat 0x00400040, connection status changed\n"
	  "ata3: SError: { PHYRdyChg DevExch }\n",
	  "0 ata3 link-changed\n" },
	{ EXCEPTION("0x0", "0x0", "0x0", "0x0") "\n" READ_CMD RES(
		  "51/10:78:00:08:00/00:00:00:00:00/40", "0x81 (invalid argument)"),
	  "1 ata3.00 id-not-found lba=2048\n" },
	{ EXCEPTION("0x0", "0x0", "0x0",
		    "0x0") "\n"
			   "ata3.00: failed command: READ DMA\n"
			   "ata3.00: cmd c8/00:08:00:00:00/00:00:00:00:00/e0 tag "
			   "0 dma 4096 in\n" RES("51/04:08:00:00:00/00:00:00:00:00/e0",
						 "0x1 (device error)"),
	  "1 ata3.00 aborted lba=0\n" },
	{ EXCEPTION("0x0", "0x0", "0x0", "0x0") "\n" READ_CMD RES(
		  "61/04:78:00:08:00/00:00:00:00:00/40", "0x1 (device error)"),
	  "1 ata3.00 device-fault lba=2048\n" },
	{ EXCEPTION("0x2", "0x0", "0x0", "0x6 frozen") "\n",
	  "1 ata3.00 protocol-error\n" },
	{ EXCEPTION("0x40", "0x0", "0x800", "0x6 frozen") "\n",
	  "1 ata3.00 internal-error\n" },
	{ EXCEPTION("0x20", "0x0", "0x0",
		    "0x6 frozen") "\n"
				  "ata3.00: irq_stat 0x20000000, host bus error\n",
	  "1 ata3.00 host-bus-error\n" },
	{ EXCEPTION("0x32", "0x0", "0x0",
		    "0xe frozen") "\n"
				  "ata3.00: irq_stat 0xffffffff, unknown FIS\n",
	  "1 ata3.00 controller-gone\n" },
	{ EXCEPTION("0x1", "0x8000", "0x0", "0x0") "\n" READ_CMD RES(
		  "40/00:78:12:c8:af/00:00:78:00:00/40", "0x1 (device error)"),
	  "1 ata3.00 device-error\n" },
};

static void causes_of_exceptions(void **state)
{

	(void)state;
	for (size_t i = 0; i < array_size(causes); i++)
		klog_case_expect(causes[i].text, causes[i].want);
}

/* Bystanders: one event, and the one marked <F> is it. */
static void one_exception_is_one_event(void **state)
{
	static const char text[] = "[   12.000001] " EXCEPTION(
		"0x0", "0x3", "0x0",
		"0x0") "\n"
		       "[   12.000002] ata3.00: failed command: WRITE FPDMA QUEUED\n"
		       "[   12.000003] ata3.00: cmd 61/08:00:10:00:00/00:00:00:00:00/40 "
		       "tag 0 ncq dma 4096 out\n"
		       "         res 40/00:01:00:00:00/00:00:00:00:00/40 Emask 0x1 "
		       "(device error)\n"
		       "[   12.000004] ata3.00: status: { DRDY }\n"
		       "[   12.000005] ata3.00: failed command: READ FPDMA QUEUED\n"
		       "[   12.000006] ata3.00: cmd 60/08:08:00:01:00/00:00:00:00:00/40 "
		       "tag 1 ncq dma 4096 in\n"
		       "         res 41/40:08:05:01:00/00:00:00:00:00/40 Emask 0x409 "
		       "(media error) <F>\n"
		       "[   12.000007] ata3.00: status: { DRDY ERR }\n"
		       "[   12.000008] ata3.00: error: { UNC }\n"
		       "[   12.100000] ata3: hard resetting link\n"
		       "[   12.200000] ata3: SATA link up 6.0 Gbps (SStatus 133 SControl "
		       "300)\n"
		       "[   12.300000] ata3.00: configured for UDMA/133\n"
		       "[   12.400000] sd 2:0:0:0: [sdb] tag#1 FAILED Result: "
		       "hostbyte=DID_OK driverbyte=DRIVER_OK\n"
		       "[   12.400001] sd 2:0:0:0: [sdb] tag#1 Sense Key : Medium Error "
		       "[current]\n"
		       "[   12.400002] sd 2:0:0:0: [sdb] tag#1 Add. Sense: Unrecovered "
		       "read error\n"
		       "[   12.400003] I/O error, dev sdb, sector 256 op 0x0:(READ) "
		       "flags 0x0\n"
		       "[   12.400004] ata3: EH complete\n"
		       "[   12.400005] Buffer I/O error on dev sdb, logical block 32, "
		       "async page read\n";
	struct klog_case c;
	const struct event *e;

	(void)state;
	klog_case_read(&c, text, strlen(text));
	assert_string_equal(buf_text(&c.events), "1 ata3.00 media-error lba=261 n=2\n"
						 "1 ata3 hard-reset\n");
	e = &c.the_case.drives[0]->events[0];
	assert_true(e->culprit_known);
	assert_int_equal(e->command, 0x60);
	assert_false(e->is_write);
	assert_int_equal(e->status, 0x41);
	assert_int_equal(e->error, 0x40);
	assert_int_equal(e->emask, 0x409);
	assert_int_equal(e->origin.line, 1);
	assert_true(e->near_boot);
	/* the lines of the disk layer tell which letter the port has */
	assert_string_equal(drive_text(c.the_case.drives[0], FACT_DEVICE, 0, 0), "sdb");
	assert_string_equal(drive_text(c.the_case.drives[0], FACT_PORT, 0, 0), "ata3");
	klog_case_done(&c);
}

static const char *const lines[][2] = {
	{ "ata3: limiting SATA link speed to 1.5 Gbps\n", "0 ata3 speed-limited\n" },
	{ "ata3.00: limiting speed to UDMA/33:PIO4\n", "0 ata3.00 transfer-limited\n" },
	{ "ata3.00: NCQ disabled due to excessive errors\n", "0 ata3.00 ncq-disabled\n" },
	{ "ata3: COMRESET failed (errno=-16)\n", "0 ata3 reset-failed\n" },
	/* the same reset, told twice */
	{ "ata3: COMRESET failed (errno=-16)\nata3: reset failed, giving up\n",
	  "0 ata3 reset-failed\n" },
	{ "ata3.00: qc timeout (cmd 0xec)\n", "1 ata3.00 internal-timeout\n" },
	{ "ata3.00: qc timeout after 5000 msecs (cmd 0xec)\n",
	  "1 ata3.00 internal-timeout\n" },
	{ "ata3.00: failed to IDENTIFY (I/O error, err_mask=0x4)\n",
	  "1 ata3.00 identify-failed\n" },
	{ "ata3.00: disabled\nata3.00: detaching (SCSI 2:0:0:0)\n",
	  "1 ata3.00 device-removed\n" },
	/* a device that the kernel never wants is no loss */
	{ "ata3.00: unsupported device, disabling\nata3.00: disable device\n", "" },
	{ "ata3.00: n_sectors mismatch 1953525168 != 268435455\n",
	  "1 ata3.00 capacity-changed\n" },
	/* an empty port is none that lost its link */
	{ "ata4: SATA link down (SStatus 0 SControl 300)\n", "" },
	{ "ata4: SATA link up 6.0 Gbps (SStatus 133 SControl 300)\n"
	  "ata4: SATA link down (SStatus 0 SControl 300)\n",
	  "1 ata4 link-down\n" },
	{ "sd 6:0:0:0: [sdc] tag#3 uas_eh_abort_handler 0 uas-tag 4 inflight: "
	  "CMD IN\n"
	  "sd 6:0:0:0: [sdc] tag#3 CDB: Read(10) 28 00 00 00 00 00 00 00 08 00\n"
	  "scsi host6: uas_eh_device_reset_handler start\n"
	  "usb 2-1: reset SuperSpeed Gen 1 USB device number 3 using xhci_hcd\n"
	  "scsi host6: uas_eh_device_reset_handler success\n",
	  "0  uas-reset\n0 2-1 usb-reset\n1 sdc uas-abort\n" },
	{ "nvme nvme0: I/O 566 QID 5 timeout, aborting\n"
	  "nvme nvme0: I/O 566 QID 5 timeout, reset controller\n"
	  "nvme nvme0: controller is down; will reset: CSTS=0xffffffff, "
	  "PCI_STATUS=0x10\n",
	  "1 nvme0 nvme-timeout\n1 nvme0 nvme-reset\n1 nvme0 nvme-down\n" },
	{ "nvme nvme0: I/O tag 12 (100c) opcode 0x2 (I/O Cmd) QID 3 timeout, "
	  "aborting "
	  "req_op:READ(0) size:4096\n",
	  "1 nvme0 nvme-timeout\n" },
	{ "[ 5.000001] pcieport 0000:00:1c.5: AER: Corrected error received: "
	  "0000:01:00.0\n"
	  "[ 5.000002] nvme 0000:01:00.0: PCIe Bus Error: severity=Corrected, "
	  "type=Physical "
	  "Layer, (Receiver ID)\n"
	  "[ 5.000003] nvme 0000:01:00.0:   device [144d:a808] error "
	  "status/mask=00000001/0000e000\n"
	  "[ 5.000004] nvme 0000:01:00.0:    [ 0] RxErr\n",
	  "0 0000:01:00.0 pcie-corrected\n" },
	{ "pcieport 0000:00:1c.5: AER: Uncorrected (Fatal) error received: "
	  "0000:01:00.0\n",
	  "0 0000:00:1c.5 pcie-uncorrected\n" },
	{ "mpt3sas_cm0: log_info(0x31110e05): originator(PL), code(0x11), "
	  "sub_code(0x0e05)\n"
	  "mpt3sas_cm0: fault_state(0x5854)!\nmpt3sas_cm0: sending diag reset "
	  "!!\n",
	  "0 mpt3sas_cm0 hba-log-info\n0 mpt3sas_cm0 hba-fault\n"
	  "0 mpt3sas_cm0 hba-reset\n" },
	{ "sd 0:0:3:0: [sdd] tag#12 FAILED Result: hostbyte=DID_OK "
	  "driverbyte=DRIVER_SENSE\n"
	  "sd 0:0:3:0: [sdd] tag#12 Sense Key : Medium Error [current]\n"
	  "sd 0:0:3:0: [sdd] tag#12 Add. Sense: Unrecovered read error\n"
	  "sd 0:0:3:0: [sdd] tag#12 CDB: Read(16) 88 00 00 00 00 00 00 00 30 39 "
	  "00 00 00 08 "
	  "00 00\n"
	  "blk_update_request: critical medium error, dev sdd, sector 12345 op "
	  "0x0:(READ)\n",
	  "1 sdd media-error lba=12345\n" },
	{ "sd 0:0:3:0: [sdd] tag#1 FAILED Result: hostbyte=DID_OK "
	  "driverbyte=DRIVER_SENSE\n"
	  "sd 0:0:3:0: [sdd] tag#1 Sense Key : Hardware Error [current]\n"
	  "sd 0:0:3:0: [sdd] tag#1 ASC=0x44 <<vendor>> ASCQ=0x80\n",
	  "1 sdd hardware-error\n" },
	{ "end_request: I/O error, dev sdb, sector 8\n"
	  "end_request: I/O error, dev sdb, sector 16\n",
	  "1 sdb io-error lba=8\n1 sdb io-error lba=16\n" },
	{ "sd 0:0:3:0: attempting task abort! scmd(00000000d2a4f5a0)\n",
	  "0 0:0:3:0 task-abort\n" },
};

static void lines_of_one_event(void **state)
{

	(void)state;
	for (size_t i = 0; i < array_size(lines); i++)
		klog_case_expect(lines[i][0], lines[i][1]);
}

/* An exception whose end is not in the excerpt does not swallow the error of another disk. */
static void strangers_are_no_echo(void **state)
{
	static const char text[] = "[  400.000001] " EXCEPTION(
		"0x4", "0x0", "0x0",
		"0x6 frozen") "\n"
			      "[  500.000001] sd 9:0:0:0: [sde] tag#0 FAILED Result: "
			      "hostbyte=DID_OK "
			      "driverbyte=DRIVER_SENSE\n"
			      "[  500.000002] sd 9:0:0:0: [sde] tag#0 Sense Key : "
			      "Illegal Request [current]\n"
			      "[  500.000003] sd 9:0:0:0: [sde] tag#0 Add. Sense: "
			      "Logical block address out of "
			      "range\n"
			      "[  500.000004] blk_update_request: I/O error, dev sde, "
			      "sector 1234567\n";

	(void)state;
	klog_case_expect(text, "1 ata3.00 timeout\n2 sde id-not-found lba=1234567\n");
}

/* A thread quotes the same lines again and again. */
static void what_is_quoted_twice_counts_once(void **state)
{
	static const char one[] = "[  100.000001] " EXCEPTION(
		"0x0", "0x1", "0x0",
		"0x6 frozen") "\n"
			      "[  100.000002] ata3.00: failed command: READ FPDMA "
			      "QUEUED\n"
			      "[  100.000003] ata3.00: cmd "
			      "60/08:00:00:08:00/00:00:00:00:00/40 tag 0 ncq dma 4096 "
			      "in\n"
			      "         res 40/00:00:00:00:00/00:00:00:00:00/00 Emask "
			      "0x4 (timeout)\n"
			      "[  100.000004] ata3: hard resetting link\n";
	struct buf text = { 0 };

	(void)state;
	buf_puts(&text, one);
	buf_puts(&text, "\nSomebody wrote:\n\n");
	buf_puts(&text, one);
	/* and without times */
	buf_puts(&text,
		 "\n" EXCEPTION(
			 "0x0", "0x1", "0x0",
			 "0x6 frozen") "\n"
				       "ata3.00: failed command: READ FPDMA QUEUED\n"
				       "ata3.00: cmd 60/08:00:00:08:00/00:00:00:00:00/40 "
				       "tag 0 ncq dma 4096 in\n"
				       "         res 40/00:00:00:00:00/00:00:00:00:00/00 "
				       "Emask 0x4 (timeout)\n"
				       "ata3: hard resetting link\n");
	klog_case_expect(buf_text(&text), "1 ata3.00 timeout\n1 ata3 hard-reset\n");
	buf_done(&text);
}

/* A number that wrapping may have cut is no number. */
static void cut_numbers_are_none(void **state)
{
	static const struct {
		const char *text;
		bool has;
		uint64_t lba;
	} rows[] = {
		{ "[ 1.000001] I/O error, dev sda, sector 123456 op 0x0:(READ)\n", true,
		  123456 },
		{ "[ 1.000001] I/O error, dev sda, sector\n123456 op 0x0:(READ)\n", true,
		  123456 },
		{ "[ 1.000001] I/O error, dev sda, sector 123\n456\n", false, 0 },
		{ "[ 1.000001] I/O error, dev sda, sector 123", false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct klog_case c;
		const struct event *e;

		klog_case_read(&c, rows[i].text, strlen(rows[i].text));
		assert_int_equal(c.the_case.drives[0]->n_events, 1);
		e = &c.the_case.drives[0]->events[0];
		assert_int_equal((e->has & EVENT_HAS_LBA) != 0, rows[i].has);
		if (rows[i].has)
			assert_int_equal(e->lba, rows[i].lba);
		klog_case_done(&c);
	}
	/* half of a register before a space may be anything, a line number even */
	for (size_t i = 0; i < 2; i++) {
		static const char *const texts[] = {
			"[ 1.000001] ata3.00: exception Emask 0x10 SAct 0x0 SErr 0x2801\n"
			"00 action 0x6 frozen\n",
			"[ 1.000001] ata3.00: exception Emask 0x10 SAct 0x0 SErr "
			"0x280100\n"
			"action 0x6 frozen\n",
		};
		struct klog_case c;

		klog_case_read(&c, texts[i], strlen(texts[i]));
		assert_int_equal(c.the_case.drives[0]->events[0].has & EVENT_HAS_SERR,
				 i ? EVENT_HAS_SERR : 0);
		assert_int_equal(c.the_case.drives[0]->events[0].serr, i ? 0x280100 : 0);
		klog_case_done(&c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(causes_of_exceptions),
		cmocka_unit_test(one_exception_is_one_event),
		cmocka_unit_test(lines_of_one_event),
		cmocka_unit_test(strangers_are_no_echo),
		cmocka_unit_test(what_is_quoted_twice_counts_once),
		cmocka_unit_test(cut_numbers_are_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
