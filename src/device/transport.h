/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a command travels: SG_IO to a real drive, or answers from a capture. */
#pragma once

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
	 * no pass-through). RET is filled in every case.
	 */
	int (*send)(struct transport *t, const struct ata_command *c, uint8_t *data,
		    uint32_t timeout_ms, struct transport_result *ret);
	void (*close)(struct transport *t);
};

struct transport {
	const struct transport_ops *ops;
	unsigned grants;  /* enum gate_grant, or-ed: what the user asked for */
	bool no_ext;	  /* a bridge that knows no 48-bit commands */
	bool no_dma_logs; /* READ LOG DMA EXT failed once: remembered */
};

/* The one door: asks the gate, then the transport. */
int transport_send(struct transport *t, const struct ata_command *c, uint8_t *data,
		   uint32_t timeout_ms, struct transport_result *ret) must_check;

/* Open a device node (O_RDONLY|O_NONBLOCK|O_CLOEXEC). 0, or -errno. Free with close. */
int transport_sgio_open(const char *path, struct transport **ret) must_check;

/* Commands answered from the drive subject of a capture, in memory; borrows it. */
struct cap_subject;
int transport_replay_open(const struct cap_subject *drive,
			  struct transport **ret) must_check;
void transport_close(struct transport *t);
