/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside render/ only: Prometheus' text exposition format, version 0.0.4. All samples of a metric
 * stand together below its HELP and TYPE.
 */
#pragma once

#include "model/check.h"
#include "render/check.h"

/* "# HELP NAME HELP", "# TYPE NAME TYPE" */
void prom_head(struct buf *b, const char *name, const char *type, const char *help);
/* A sample is begun, given labels, and ended by its value. */
void prom_begin(struct buf *b, const char *name);
void prom_label(struct buf *b, const char *name,
		const char *value); /* escaped; NULL: "" */
void prom_value(struct buf *b, uint64_t value);
void prom_signed(struct buf *b, int64_t value);
/* VALUE * NUM / DEN, exactly where it has at most nine decimals. */
void prom_ratio(struct buf *b, uint64_t value, uint64_t num, uint64_t den);
/* serial and device: what every sample of a drive has. */
void prom_drive(struct buf *b, const struct check_drive *d);

/* All numbers that the drives tell: one metric a quantity. */
void prom_facts(struct buf *b, const struct check_report *r);

/* Names and labels of other tools. */
void prom_smartctl_exporter(struct buf *b, const struct check_report *r);
void prom_smartmon_py(struct buf *b, const struct check_report *r);
void prom_smartmon_sh(struct buf *b, const struct check_report *r);
