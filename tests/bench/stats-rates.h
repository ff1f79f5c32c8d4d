/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside of the benchmark of error rates. */
#pragma once

#include <stdbool.h>

#include "base/attrs.h"

extern bool rates_full; /* print the tables; else only check them loosely */

void rates_print(const char *format, ...) printf_like(1, 2);	      /* with --full */
void rates_check(bool ok, const char *format, ...) printf_like(2, 3); /* without */
int rates_repeat(int full, int smoke);

/* stats-decisions.c: sequential test, quantile bounds, stalls. */
void rates_of_decisions(void);
/* stats-comparisons.c: zones, two runs, Fisher. */
void rates_of_comparisons(void);
