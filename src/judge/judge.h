/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a sealed case to a report. Knows facts only: no bytes, no database, no device. */
#pragma once

#include "model/report.h"

/* 0 or -ENOMEM. The report borrows from the case. Free with report_done(). */
int judge_case(const struct case_file *c, struct report *ret) must_check;

/* What the rule for a verdict rests on, or NULL when no rule gives it (Z00, Z01). */
const char *judge_rule_source(enum code code);
