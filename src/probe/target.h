/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a probe reads: a block device, or a file on any filesystem. Opened for reading only, and
 * past the page cache where that is possible.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/attrs.h"

struct lane_ops;
struct disk_counts;

#define TARGET_LAYERS 16u

/* Bytes that are stored, not a hole. */
struct target_part {
	uint64_t start, size;
	uint64_t before; /* bytes in the parts before this one */
};

struct target {
	struct arena arena;
	const char *name; /* as it was given */
	int fd;
	bool is_block,
		direct; /* direct: opened with O_DIRECT, and a read was not refused */
	uint64_t size;
	uint32_t logical, physical; /* sector sizes */
	uint32_t most_bytes;	    /* of one request to the disk, 0: unknown */
	uint32_t align;		    /* least alignment of offset, length and memory */
	/* Files: what holds data, in order. A device is one part. */
	struct target_part *parts;
	size_t n_parts;
	uint64_t stored; /* sum of the parts */
	bool compressed, sparse;
	const char
		*disk; /* whole disk below, "sda"; NULL when there is none, or several */
	const char *syspath; /* its folder below /sys, or NULL */
	const char *layers
		[TARGET_LAYERS]; /* above that disk: "dm-0 (crypt)", topmost first */
	size_t n_layers;
	/*
	 * Tests: another way to read, run in this process with a clock of its own, and the counts of
	 * its disk. NULL for what is real.
	 */
	const struct lane_ops *ops;
	void *context;
	int (*counts)(struct target *t, struct disk_counts *ret);
};

/*
 * Open NAME. BUFFERED: through the page cache. 0, or -errno: -EACCES, -ENOENT, -ENODATA for an empty
 * file or medium, -EINVAL for what is neither a file nor a block device.
 */
int target_open(const char *name, bool buffered, struct target *ret) must_check;
void target_close(struct target *t);
/* The bytes of the parts, seen as one run: where the byte at POSITION stands; LEFT: in its part. */
uint64_t target_place(const struct target *t, uint64_t position, uint64_t *ret_left);
