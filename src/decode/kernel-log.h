/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside decode/ only: the grammar of kernel messages. A message is matched against the rows of one
 * table, which say what it is; messages that belong together (an exception of libata, an error that
 * the SCSI and block layers report in five lines) are gathered and become one event.
 */
#pragma once

#include "capture/kernel-log.h"
#include "decode/part.h"
#include "model/event.h"

/* --- kernel-log-scan.c: patterns ------------------------------------------------------------ */

#define SCAN_MAX 16u

/* Where a message stands: its text, whose line breaks are those of wrapping. */
struct klog_record {
	const char *text;
	struct event_time time;
	uint32_t line;
	bool cut, new_boot;
	bool has_head; /* a time: nothing but a log has one */
};

struct scan_arg {
	bool is_set; /* false: not reached, or a number that may be cut */
	uint64_t u;
	const char *s; /* the text that matched */
	size_t len;
};

struct scan_args {
	struct scan_arg a[SCAN_MAX];
	size_t n;
	const char *rest; /* what stands behind the match */
};

/*
 * Match the start of S. In PATTERN a space is any run of them, "%u" a decimal number, "%x" a
 * hexadecimal one with or without 0x, "%X" one with it, "%d" one with a sign, "%f" thousandths of "6.0", "%w" a word
 * up to a space or the character behind, "%*" anything up to the character behind; what stands
 * behind "|" may be missing; "$" is the end. A number that wrapping or the text's end may have cut is not set.
 */
bool klog_scan(const char *s, bool cut, const char *pattern, struct scan_args *ret);

/* --- kernel-log-lines.c: what a message is ----------------------------------------------------- */

enum klog_family {
	FAMILY_ATA,  /* "ata3.00: ..." */
	FAMILY_DISK, /* "sd 2:0:0:0: [sdb] tag#7 ...", "scsi 2:0:0:0: ..." */
	FAMILY_HOST, /* "scsi host2: ..." */
	FAMILY_USB,  /* "usb 2-1: ..." */
	FAMILY_NVME, /* "nvme nvme0: ...", "nvme0n1: ..." */
	FAMILY_HBA,  /* "mpt3sas_cm0: ..." */
	FAMILY_PCI,  /* "pcieport 0000:00:1c.5: ..." */
	FAMILY_ANY,  /* no such address */
};

enum klog_kind {
	SAYS_UNCLASSIFIED,
	SAYS_NOISE, /* tells nothing of a fault */
	SAYS_TRACE, /* debugging output, of the kernel or of somebody's patch */
	SAYS_STUMP, /* what a wrap or a cut left; nothing can be told from it */
	SAYS_TALK,  /* a person's words that begin like a message */
	SAYS_EVENT, /* an event of its own */

	SAYS_EXCEPTION,
	SAYS_IRQ_STAT,
	SAYS_SERROR,
	SAYS_FAILED,
	SAYS_CMD,
	SAYS_RES,
	SAYS_STATUS,
	SAYS_ERROR,
	SAYS_NO_NCQ_LOG,
	SAYS_EH_DONE,

	SAYS_LINK_UP,
	SAYS_LINK_DOWN,
	SAYS_IDENTITY,
	SAYS_SECTORS,
	SAYS_PORT,
	SAYS_UNSUPPORTED,

	SAYS_RESULT,
	SAYS_SENSE,
	SAYS_ADD_SENSE,
	SAYS_ASC,
	SAYS_CDB,
	SAYS_IO_ERROR,
	SAYS_BUFFER,
	SAYS_INQUIRY,
	SAYS_BLOCKS,
	SAYS_NVME_STATUS,

	SAYS_HOST,
	SAYS_USB_NEW,
	SAYS_USB_STORAGE,
	SAYS_NVME_PCI,
	SAYS_AER_RECEIVED,
	SAYS_AER,
	SAYS_AER_STATUS,
	SAYS_SUSPEND,
	SAYS_RESUME,
	SAYS_BOOT_MARK,
};

struct klog_row {
	enum klog_family family;
	const char *pattern;
	enum klog_kind kind;
	enum event_class class; /* of SAYS_EVENT */
	/*
	 * What each % of the pattern is: c command, e error number, m Emask, s speed, l LBA, k code,
	 * d device, - nothing
	 */
	const char *fields;
};

/* kernel-log-lines.c */
extern const struct klog_row klog_rows[];
extern const size_t klog_n_rows;

/* A message with its address taken off. */
struct klog_message {
	const struct klog_record *record;
	const struct klog_row *row;
	enum klog_family family;
	enum klog_kind kind;
	const char *body; /* the text behind the address */
	struct scan_args args;
	uint32_t ata_port;
	int32_t ata_device; /* -1: the port */
	bool has_scsi, has_tag;
	uint32_t scsi[4];
	uint32_t tag;
	char device[32]; /* "sdb", "nvme0", "2-1", "0000:01:00.0"; "" */
};

void klog_classify(const struct klog_record *r, struct klog_message *ret);

/* --- kernel-log-device.c, kernel-log-map.c: what is known of ports and devices ------------------------------------------ */

/* One device of a log under all the names it has there. Of one boot: names change between them. */
struct log_device {
	uint32_t boot;
	uint32_t ata_port;  /* 0: not on libata, or not known */
	int32_t ata_device; /* -1: the port itself */
	bool has_scsi;
	uint32_t scsi[4];
	char name[32]; /* sdb, nvme0 */
	char usb[32], pci[32];
	const char *model, *firmware;
	bool model_cut; /* SCSI INQUIRY tells 16 characters only */
	uint64_t bytes; /* 0: not known */
	bool is_disk; /* it told its identity, and is none of CD, enclosure or multiplier */
	bool is_other;	  /* a CD, a multiplier, no storage at all */
	bool is_optical;  /* a CD or DVD drive: ATAPI, sr0 */
	bool is_gone;	  /* another device has its place now */
	bool was_up;	  /* something answered there */
	bool registered;  /* the port was told of */
	bool unsupported; /* the kernel does not use it, which is no fault */
	uint32_t counts[EVENT_COUNT];
	uint32_t faults, near_sleep, near_boot, together;
	uint64_t commands;
	uint32_t serr;
	uint32_t speed_mbps;
	struct event_time first, last; /* of its faults */
	uint32_t first_order, last_order;
	struct event_time removed, reset_failed;
	uint32_t reset_failed_order;
	uint32_t
		merged_into; /* its index + 1 when it turned out to be the same as another */
	struct drive *drive;
};

#define LOG_DEVICES_BOOT 512u /* of one boot */
#define LOG_DEVICES	 4096u
#define LOG_EVENTS	 32768u /* kept of each end of a log */
#define LOG_BLOCKS	 64u
#define LOG_HOSTS	 256u
#define LOG_MEDIA	 32u /* addresses of media errors that are facts */

/* ATA status and error registers */
#define STATUS_BUSY  0x80u
#define STATUS_FAULT 0x20u
#define STATUS_ERROR 0x01u
#define ERROR_ICRC   0x80u
#define ERROR_UNC    0x40u
#define ERROR_IDNF   0x10u
#define ERROR_ABORT  0x04u

/* PACKET: libata sends it to what has the signature of ATAPI, and to nothing else */
#define COMMAND_PACKET 0xa0u

/* An exception of libata that is being read, or was the last of its port. */
struct klog_block {
	bool is_used, is_open;
	bool is_over;	 /* its commands are told, the port is being reset */
	uint32_t device; /* index into devices */
	uint32_t port;
	int32_t ata_device;
	struct event event;
	uint32_t n_failed, n_cmd;
	uint32_t res_emask; /* of all commands */
	uint8_t error_bits; /* of all result registers that say ERR */
	uint8_t status_bits;
	bool has_exception;
	bool is_again;	 /* quoted a second time */
	uint8_t command; /* of the cmd line that a res line belongs to */
	bool has_command, is_write, has_direction;
	struct event_time last;
	uint32_t last_order;
	uint64_t fingerprint;
};

/* An error of the SCSI and block layers that is being read. */
struct klog_group {
	bool is_open, has_io_error, has_tag;
	bool is_echo; /* of an exception */
	uint32_t device;
	uint32_t tag;
	struct event event;
	struct event_time last;
	uint32_t last_order;
};

/* A run of "scsi hostN: ahci" lines and one of "ataN: SATA max ..." lines belong together. */
struct klog_run {
	uint32_t hosts[64], ports[64];
	size_t n_hosts, n_ports;
};

struct klog_seen {
	uint64_t hash; /* 0: free */
	uint32_t pass;
};

struct klog {
	struct decode *d;
	const char *file, *item;
	struct arena arena; /* of what is not kept */
	struct log_device *devices;
	size_t n_devices, cap_devices;
	size_t boot_first; /* first device of this boot; it stands for the host itself */

	/* events, the first and the newest, each with the device that it is of */
	struct event *events;
	uint32_t *owners;
	uint64_t n_events;

	struct klog_block blocks[LOG_BLOCKS];
	struct klog_group groups[LOG_BLOCKS];
	uint32_t last_block; /* where a "res" without address belongs */
	uint64_t prints
		[LOG_BLOCKS]; /* of the newest blocks, to know one that is quoted again */
	struct event_time print_times[LOG_BLOCKS];
	size_t n_prints;

	struct klog_run run;
	struct {
		uint32_t host, port; /* port 0: none */
		char usb[32];
	} hosts[LOG_HOSTS];
	size_t n_hosts;
	char last_usb[32];

	/* boots */
	uint32_t boot, order;
	struct event_time boot_time;
	bool has_boot_line, may_be_boot, registered, in_registration, reaches_boot;
	uint32_t records_in_boot;

	struct event pending_aer;
	bool has_pending_aer;
	uint32_t pending_aer_device;
	struct event_time slept;
	bool is_asleep;

	/* hashes of lines, to know a log that is quoted twice */
	struct klog_seen *seen;
	size_t n_seen, seen_slots;
	uint32_t pass; /* how often the log went back in time */

	uint32_t unclassified, suspends, resumes;
	struct event_time first_time, last_time;
	bool has_first_time;
	bool failed; /* memory ran out */
};

/* What is done with a kind of message; true when it was one of these. */
struct klog_taker {
	enum klog_kind kind;
	void (*take)(struct klog *k, const struct klog_message *m);
};

bool klog_take(const struct klog_taker *takers, size_t n, struct klog *k,
	       const struct klog_message *m);

/* Indices into devices; the host's own when there is no room. */
uint32_t klog_device_at(struct klog *k, uint32_t port, int32_t device);
uint32_t klog_device_named(struct klog *k, const char *name);
uint32_t klog_device_scsi(struct klog *k, const uint32_t scsi[4]);
uint32_t klog_device_usb(struct klog *k, const char *path);
/* A host adapter is a port of libata (0: it is not) or a path on USB. */
void klog_set_host(struct klog *k, uint32_t host, uint32_t port, const char *usb);
/* It is known to be a CD or DVD drive, and so will never be a drive of the case. */
void klog_set_optical(struct klog *k, uint32_t i);
/* Two are the same device: one is left. */
void klog_device_same(struct klog *k, uint32_t a, uint32_t b);
/* The device behind an index, after all merging. */
struct log_device *klog_device(struct klog *k, uint32_t i);
uint32_t klog_device_find(const struct klog *k, uint32_t i);
/* The device of a message; the host's own when it has no address. */
uint32_t klog_device_of(struct klog *k, const struct klog_message *m);
/* Lines that tell identities and addresses; true when this was one. */
bool klog_map_line(struct klog *k, const struct klog_message *m);
/* A new boot: addresses start anew. */
void klog_map_boot(struct klog *k);
/* What can only be told at the end of a boot. */
void klog_map_close(struct klog *k);

/* --- kernel-log-block.c, kernel-log-scsi.c, kernel-log-bus.c ------------------------------------------ */

/* Each returns true when the message was its own. */
bool klog_block_line(struct klog *k, const struct klog_message *m);
bool klog_scsi_line(struct klog *k, const struct klog_message *m);
bool klog_bus_line(struct klog *k, const struct klog_message *m);
/* kernel-log-cause.c: what an exception was */
enum event_class klog_block_class(const struct klog_block *b);
bool klog_block_is_quoted_again(struct klog *k, const struct klog_block *b);
/* The port is in error handling that is told for the second time. */
bool klog_block_is_again(struct klog *k, uint32_t port);
/* Close what is open, of one device or (UINT32_MAX) of all. */
void klog_block_close(struct klog *k, uint32_t device);
void klog_scsi_close(struct klog *k, uint32_t device);
void klog_bus_close(struct klog *k);
/*
 * Whether an error of the disk layer repeats one of libata. A disk whose port was not known learns it
 * here, when only one port is in error handling.
 */
bool klog_block_echoes(struct klog *k, uint32_t device, const struct event_time *t);

/* An event with what the message tells: time, place, text, origin. */
struct event klog_event(struct klog *k, const struct klog_message *m, enum event_class c);
void klog_emit(struct klog *k, uint32_t device, const struct event *e);
/* Whether two times are at most US apart; true when they cannot be compared. */
bool klog_is_near(const struct event_time *a, const struct event_time *b, int64_t us);

/* --- kernel-log-give.c, kernel-log-facts.c: to the drives of the case ------------------------------- */

struct klog_source {
	const char *name;     /* kmsg, journal, posted */
	const char *complete; /* yes, no, or NULL when the log must tell itself */
	uint64_t messages;
	uint32_t host_snapshot;
};

/* Find or make the drives that the devices of the log are. 0 or -ENOMEM. */
int klog_give(struct klog *k) must_check;
/* Facts of the drives and of the host. 0 or -ENOMEM. */
int klog_add_facts(struct klog *k, const struct klog_source *source) must_check;
/* Marks of company; before facts and events are handed out. */
void klog_mark(struct klog *k);
/* The Nth event that is kept, and its owner; NULL behind the last. */
struct event *klog_event_at(struct klog *k, uint64_t n, uint32_t *ret_owner);
