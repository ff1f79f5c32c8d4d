/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who a drive is, as lsblk and udevadm tell it. */
#pragma once

#include "import/posted.h"

#define IDENTITY_MAX   128u
#define IDENTITY_VALUE 128u

struct identity {
	char device[64], model[IDENTITY_VALUE], serial[64], wwn[64], firmware[32],
		bus[16], scheduler[32], port[16], type[16];
	uint64_t bytes, logical, physical, rpm; /* 0: not told */
	int rotational, write_cache, smart;	/* -1: not told */
	uint64_t link_mbps;
	size_t line;
};

#define IDENTITY_NONE                                                                    \
	{                                                                                \
		.rotational = -1, .write_cache = -1, .smart = -1                         \
	}

/* One column of lsblk: "MODEL", "model". False for a name that is not used. */
bool identity_set(struct identity *d, const char *name, const char *value, size_t len);
/* Writes it when it is a whole disk with something said of it: 1, 0 or -E... */
int identity_put(struct import *im, const struct identity *d, const char *item);
