/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Simulated drives: the same pages as a capture, and as the files that fake-sata.so answers from. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/capture.h"

/* VALUE, little-endian, at OFFSET of an item's bytes. */
struct peer_change {
	const char *id; /* NULL ends the list */
	size_t offset;
	unsigned width;
	uint64_t value;
};

struct peer_drive {
	unsigned seed;
	bool short_logs;	      /* no extended error and self-test log */
	bool plain;		      /* nothing at random */
	bool failing;		      /* SMART RETURN STATUS says so */
	const char *model, *firmware; /* NULL: those of the samples */
	const struct peer_change *changes;
};

/* Into the capture as one drive, and into files in WHERE. Ends the program when it cannot. */
void peer_drive_make(struct capture *c, const char *where,
		     const struct peer_drive *drive);
