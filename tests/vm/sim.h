/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A SATA drive in user space, for the kernel's target core (TCMU): it answers ATA commands from a
 * capture, and has the faults that its options name. satasim.c is the ring, sim-scsi.c the
 * translation, sim-drive.c the drive.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "ata/command.h"
#include "base/diag.h"
#include "capture/capture.h"
#include "device/transport.h"

#define SIM_SENSE 96

#define SIM_ZONES 16
#define SIM_ARMS  64

/* How the registers come back: in which form of sense data, or what becomes of them on the way. */
enum sim_sense {
	SIM_DESCRIPTOR,
	SIM_DESCRIPTOR_DEFERRED,
	SIM_FIXED,
	SIM_FIXED_DEFERRED,
	SIM_FIXED_OLD,
	SIM_ZERO,
	SIM_NONE,
	SIM_HALF,  /* descriptors with half of the LBA lost, */
	SIM_WRONG, /* with those of some other command, */
	SIM_ONES,  /* with all bits set */
};

/* Sectors, and how long a read of them takes. */
struct sim_zone {
	uint64_t first, last;
	uint32_t us;
};

struct sim {
	struct capture capture;
	struct transport *replay;
	char options[64];
	FILE *log; /* each ATA command, or NULL */
	uint64_t sectors;
	uint8_t *data; /* of the medium */
	uint8_t identify[ATA_SECTOR];

	/* faults and speed: key=value on the command line */
	uint32_t delay_us; /* of each read */
	uint32_t mib_us;   /* and of each MiB of it */
	uint32_t jitter_percent;
	uint32_t arms; /* reads at the same time; the others wait */
	struct sim_zone slow[SIM_ZONES], bad[SIM_ZONES];
	size_t n_slow, n_bad;
	uint32_t second_percent, second_us; /* so many reads take so much longer */
	uint32_t grow; /* reads until the link's counters rise by one; 0: never */
	uint32_t unit; /* drives of one capture are told apart by serial number and WWN */
	uint32_t ata_us;  /* each ATA command */
	char hang[64];	  /* commands whose description holds this ... */
	uint32_t hang_ms; /* ... take so long */
	bool standby;
	bool no_16, no_12, no_32, no_ext; /* pass-through forms that it does not know */
	bool no_dma;			  /* READ LOG DMA EXT is announced, and aborted */
	enum sim_sense sense;
	uint32_t selftest_ms; /* how long a self-test takes */

	/* state */
	uint64_t reads, reads_at_reset, spin_ups;
	uint32_t random;
	uint64_t arm_free_us[SIM_ARMS];
	bool phy_is_reset;
	uint64_t selftest_start_us; /* 0: none runs */
	uint8_t selftest_result;    /* status byte of the last one */
};

/* Read the options and the capture. 0, or 1 with a message. */
int sim_init(struct sim *s, int argc, char **argv);
/* Take the options that the file of the option "options" holds, one a line. */
void sim_set(struct sim *s);
uint64_t sim_now_us(void);

/*
 * One ATA command: DATA in or out. Returns the bytes that came in; *ret_us is how long it takes.
 */
size_t sim_ata(struct sim *s, const struct ata_command *c, uint8_t *data, size_t size,
	       struct ata_registers *ret, uint32_t *ret_us);

/* What a SCSI command ends with. */
struct sim_answer {
	uint8_t status;
	size_t bytes; /* of data in */
	uint8_t sense[SIM_SENSE];
	uint32_t us; /* how long it takes */
	bool reads;  /* an arm is needed */
};

/* When a command that came NOW and needs what ANSWER says is done. */
uint64_t sim_due_us(struct sim *s, uint64_t now, const struct sim_answer *answer);

void sim_scsi(struct sim *s, const uint8_t *cdb, uint8_t *data, size_t size,
	      struct sim_answer *ret);
