/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a command travels: SG_IO to a real drive, or answers from a capture. */
#pragma once

#include <signal.h>
#include <stdint.h>

#include "ata/command.h"
#include "base/attrs.h"

struct transport;

struct transport_result {
	struct ata_registers registers;
	size_t received; /* bytes of data that came */
	uint32_t took_us;
	uint8_t sense[64];
	uint8_t sense_len;
	uint8_t host_status;  /* SCSI host_status: 3 is DID_TIME_OUT */
	bool timed_out, gone; /* the drive does not answer; the drive is no more */
};

struct transport_ops {
	const char *name;
	/*
	 * Send C after the gate passed it; DATA takes ata_command_bytes(C) bytes. 0 when the command
	 * ended without error; -EIO when the drive ended it with an error (registers tell which, if
	 * known); -ETIMEDOUT, -ENODEV, -EPERM (gate, or missing privilege), -EOPNOTSUPP (the path has
	 * no pass-through, or none for this command), -EINTR (stop). RET is filled in every case, also
	 * with bytes of a short transfer.
	 */
	int (*send)(struct transport *t, const struct ata_command *c, uint8_t *data,
		    uint32_t timeout_ms, struct transport_result *ret);
	void (*close)(struct transport *t);
	/* The time of the answers, in ms since 1970. NULL: now. */
	int64_t (*now_ms)(struct transport *t);
};

struct transport {
	const struct transport_ops *ops;
	unsigned grants;  /* enum gate_grant, or-ed: what the user asked for */
	bool no_ext;	  /* a bridge that knows no 48-bit commands */
	bool no_dma_logs; /* READ LOG DMA EXT failed once: remembered */
	bool one_sector;  /* logs are read sector by sector: many bridges hang on more */
	/* Becomes non-zero when the user wants to end: waiting ends with -EINTR. May be NULL. */
	const volatile sig_atomic_t *stop;
};

/* The one door: asks the gate, then the transport. */
int transport_send(struct transport *t, const struct ata_command *c, uint8_t *data,
		   uint32_t timeout_ms, struct transport_result *ret) must_check;

/*
 * Open a device node (O_RDONLY|O_NONBLOCK|O_CLOEXEC). A process of its own waits for the drive:
 * a kernel that hangs in error recovery takes that one along, not this one. The two halves let many
 * drives be opened side by side: start returns at once, and wait, for at most TIMEOUT_MS, for the
 * device to be open. Start all before the first thread is made. 0, or -errno: -ENOTBLK for what is
 * no device, -EMEDIUMTYPE for an optical drive, -ETIMEDOUT. Free with close.
 */
int transport_sgio_start(const char *path, struct transport **ret) must_check;
int transport_sgio_wait(struct transport *t, uint32_t timeout_ms) must_check;
/* Both. */
int transport_sgio_open(const char *path, struct transport **ret) must_check;

/*
 * Commands answered from the drive subject of a capture, in memory; borrows it. It begins with the
 * first snapshot; next goes on to the one behind (false: there is none, and the last one stays).
 */
struct cap_subject;
int transport_replay_open(const struct cap_subject *drive,
			  struct transport **ret) must_check;
bool transport_replay_next(struct transport *t);
void transport_close(struct transport *t);
