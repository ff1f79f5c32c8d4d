/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a kernel log says happened: one event per fault, not per line. An exception of libata is one
 * event with all its lines; a read error that the SCSI and block layers repeat is one, too. Made by
 * decode/, read by judge/ and render/. The events of a drive stand in its struct drive, those that
 * no drive of the case is known for in the host's, both in the order of the log.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/fact.h"

enum event_class {
#define EVENT(id, name, kind, counter, words) EVENT_##id,
#include "model/event.def"
#undef EVENT
	EVENT_COUNT
};

enum event_kind {
	EVENT_KIND_FAULT,
	EVENT_KIND_RECOVERY,
	EVENT_KIND_POWER,
	EVENT_KIND_INFO
};

/* Which of the numbers of an event the log told; the others are 0 and mean nothing. */
enum event_has {
	EVENT_HAS_EMASK = 1u << 0,
	EVENT_HAS_SACT = 1u << 1,
	EVENT_HAS_SERR = 1u << 2,
	EVENT_HAS_ACTION = 1u << 3,
	EVENT_HAS_IRQ_STAT = 1u << 4,
	EVENT_HAS_COMMAND = 1u << 5,
	EVENT_HAS_RESULT = 1u << 6, /* status and error registers */
	EVENT_HAS_LBA = 1u << 7,
	EVENT_HAS_SPEED = 1u << 8,
	EVENT_HAS_SCSI = 1u << 9,
	EVENT_HAS_SENSE = 1u << 10, /* sense key */
	EVENT_HAS_ASC = 1u << 11,
	EVENT_HAS_ERRNO = 1u << 12,
	EVENT_HAS_CODE = 1u << 13,
};

/* SError, Serial ATA 14.1.2: as libata names the bits */
enum event_serr {
	SERR_RECOV_DATA = 1u << 0,
	SERR_RECOV_COMM = 1u << 1,
	SERR_UNRECOV_DATA = 1u << 8,
	SERR_PERSIST = 1u << 9,
	SERR_PROTO = 1u << 10,
	SERR_HOST_INT = 1u << 11,
	SERR_PHY_RDY_CHG = 1u << 16,
	SERR_PHY_INT = 1u << 17,
	SERR_COMM_WAKE = 1u << 18,
	SERR_10B8B = 1u << 19,
	SERR_DISPAR = 1u << 20,
	SERR_BAD_CRC = 1u << 21,
	SERR_HANDSHK = 1u << 22,
	SERR_LINK_SEQ = 1u << 23,
	SERR_TR_STA_TRNS = 1u << 24,
	SERR_UNREC_FIS = 1u << 25,
	SERR_DEV_EXCH = 1u << 26,
};

/* Emask of libata */
enum event_emask {
	EMASK_DEV = 1u << 0,
	EMASK_HSM = 1u << 1,
	EMASK_TIMEOUT = 1u << 2,
	EMASK_MEDIA = 1u << 3,
	EMASK_ATA_BUS = 1u << 4,
	EMASK_HOST_BUS = 1u << 5,
	EMASK_SYSTEM = 1u << 6,
	EMASK_INVALID = 1u << 7,
	EMASK_OTHER = 1u << 8,
	EMASK_NODEV_HINT = 1u << 9,
	EMASK_NCQ = 1u << 10,
};

/* What a log has of clocks. Both may be there. */
struct event_time {
	bool has_monotonic, has_wall;
	bool wall_has_year; /* without: in the year 2000, so that it still can be ordered */
	bool fine;	    /* told in parts of a second, else in whole ones */
	int64_t monotonic_us; /* since boot, not counting sleep */
	int64_t wall_us;      /* since 1970, in whatever zone the log is written */
};

struct event {
	enum event_class class;
	uint32_t has; /* enum event_has */
	struct event_time time;
	uint32_t
		boots_ago; /* 0: of the newest boot in the log; others do not count as present */
	uint32_t order; /* rank in the log: later is larger */

	/* Whose: as the log names it. */
	uint32_t ata_port;  /* 3 of ata3, 0: not a libata line */
	int32_t ata_device; /* 0 of ata3.00, 15: the multiplier itself, -1: the port */
	uint32_t scsi[4];   /* host, channel, target, lun */
	const char *device; /* "sdb", "nvme0n1", "usb 2-1", "0000:01:00.0", or NULL */

	/* What. */
	uint32_t emask, sact, serr, action, irq_stat;
	uint8_t command, status, error; /* of the culprit, or of the first command */
	uint8_t sense_key, asc, ascq;
	bool is_write; /* direction of the command, when EVENT_HAS_COMMAND or EVENT_HAS_LBA */
	bool has_direction;
	uint64_t lba;	     /* in sectors of 512 bytes for io-error, else of the drive */
	uint32_t speed_mbps; /* link-up, speed-limited, link-down: 0 */
	int32_t error_number; /* of the kernel: -16 */
	uint32_t code;	      /* log_info, fault_state, CSTS, AER status */
	uint32_t
		commands; /* failed commands of an exception: bystanders too, 0 = not told */
	uint32_t repeats;   /* further events folded into this one */
	bool culprit_known; /* command, result and LBA are of the command that failed */
	bool frozen;

	/* Company. */
	bool near_sleep; /* within 30 s of a suspend, a resume or the disk's start or stop */
	bool near_boot; /* within 30 s of the kernel's start: cables and empty ports are tried */
	bool together; /* within 2 s of a fault at another port */
	bool optical;  /* of a CD or DVD drive: it says nothing of a disk */

	const char *
		text; /* the telling line, without its time; hostile, escape before printing */
	struct fact_origin origin; /* item "kernel-log", file and line */
};

/* Events of one owner: as many as are worth keeping. Counts are facts and always complete. */
#define EVENTS_KEPT_FIRST 400u	/* the oldest of a log: where trouble began */
#define EVENTS_KEPT_LAST  1600u /* the newest */

const char *event_class_name(enum event_class c); /* "timeout" */
const char *
event_class_words(enum event_class c); /* "commands that were never answered" */
enum event_kind event_class_kind(enum event_class c);
const char *event_kind_name(enum event_kind k); /* "fault" */
/* The fact that counts this class; FACT_COUNT when none does. */
enum fact_id event_class_counter(enum event_class c);

/* Append "ata3.00", "ata3", "sdb", "6:0:1:0", "usb 2-1"; nothing when it is not told. */
void event_add_place(struct buf *b, const struct event *e);
/* Append "1234.567890 s" (since boot) or "2026-05-12 08:14:02", "05-12 08:14:02"; nothing without. */
void event_add_time(struct buf *b, const struct event_time *t);
/* Append the names that libata prints for SError bits: "BadCRC LinkSeq". */
void event_add_serr(struct buf *b, uint32_t serr);
/* Microseconds from A to B by a clock that both have; false when there is none. */
bool event_time_between(const struct event_time *a, const struct event_time *b,
			int64_t *ret_us);
