/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many errors a drive has counted on its link so far, by one short command. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/attrs.h"
#include "device/transport.h"

/* Counters that see damaged data frames; each is held against its own first value. */
enum link_counter { LINK_ICRC, LINK_DATA, LINK_TO_HOST, LINK_TO_DRIVE, LINK_COUNTERS };

struct link_count {
	struct transport *transport;
	bool begun;
	uint64_t first[LINK_COUNTERS];
	bool there[LINK_COUNTERS];
};

/*
 * Errors since the first call, which gives 0. The same damaged frame stands in several counters, and
 * a family may keep one of them constant, so the one that moved most is told. 0 or -errno.
 */
int link_count_read(struct link_count *l, uint64_t *ret) must_check;
