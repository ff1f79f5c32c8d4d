/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process that waits for one drive. SG_IO sleeps where no signal reaches it, for minutes when the
 * kernel resets a hung drive, and then holds its process at exit as well; so it is another process
 * that calls it. It is given up at the deadline, and ends when the kernel lets it.
 */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/attrs.h"
#include "device/cdb.h"
#include "device/sgio-answer.h"

#define SGIO_DATA_MAX (256u * ATA_SECTOR)

/* Shared by both processes; one of them uses it at a time, the socket says which. */
struct sgio_channel {
	/* question */
	uint8_t cdb[CDB_MAX];
	uint8_t cdb_len;
	bool to_device;
	uint32_t bytes, timeout_ms;
	/* answer; the first one is about open(): only its error counts */
	struct sgio_answer answer;
	uint8_t data[SGIO_DATA_MAX]; /* both directions */
};

struct sgio_child {
	struct sgio_channel *channel;
	pid_t pid;
	int socket;
	bool opened; /* the device is */
	int lost;    /* why no answer will ever come, or 0 */
};

/* Start the process; it opens PATH, which must outlive it. 0 or -errno. */
int sgio_child_start(struct sgio_child *ch, const char *path) must_check;
/*
 * Wait for what it does: 0, -ETIMEDOUT after MS (the child is lost then), -EINTR when *STOP is set
 * (lost as well), -EIO when it died. STOP may be NULL.
 */
int sgio_child_wait(struct sgio_child *ch, uint32_t ms,
		    const volatile sig_atomic_t *stop) must_check;
/* Send the question in the channel. 0, or why it is lost. */
int sgio_child_ask(struct sgio_child *ch) must_check;
void sgio_child_end(struct sgio_child *ch);
