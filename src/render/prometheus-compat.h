/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside render/ only: attributes under the names that smartctl prints. */
#pragma once

#include "render/prometheus.h"

struct compat_attr {
	uint32_t id;
	const char *name;
	uint64_t value, worst, threshold, raw, flags;
	bool has_value, has_worst, has_threshold, has_raw;
};

/* The attribute of this row of FACT_ATTR_VALUE. */
struct compat_attr compat_attr(const struct drive *d, uint32_t id);
/* Calls WRITE once for each attribute of each drive that was read. */
typedef void (*compat_write)(struct buf *b, const struct check_drive *d,
			     const struct compat_attr *a, const char *name);
void compat_each(struct buf *b, const struct check_report *r, const char *name,
		 compat_write write);
/* "/dev/sda" */
void compat_path(struct buf *b, const char *label, const struct check_drive *d);
