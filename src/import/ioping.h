/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one start of ioping said, from its text or its JSON. */
#pragma once

#include "import/posted.h"

#define IOPING_SECTION	"ioping"
#define IOPING_MAX_RUNS 500u

struct ioping {
	char target[256];
	bool write, has_direction;
	uint64_t block; /* 0: not known */
	uint64_t count, busy_ns, iops_milli, iops_digit, rate;
	bool count_exact;
	uint64_t generated, elapsed_ns;
	bool has_times;
	uint64_t min, mean, max, mdev; /* ns */
	const char *command;
	size_t line, command_line;
};

void ioping_put(struct posted *to, const struct ioping *p);
/* ioping-json.c: the array that starts at INDEX, if it is ioping's; the line behind it. */
size_t ioping_read_json(struct posted *to, size_t index);
