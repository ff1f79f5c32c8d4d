/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One quantity told twice by one drive: by an attribute, whose meaning is the maker's and comes
 * from the database, and where the standard says what the number is.
 */
#pragma once

#include "model/case.h"

/* Quantities that both can tell, by row. */
size_t agreement_rows(void);
enum fact_id agreement_quantity(size_t row);
/* Whether two true numbers may lie that far apart. */
bool agreement_holds(size_t row, uint64_t a, uint64_t b);
/* Whether F, a quantity, was taken from an attribute. */
bool agreement_is_attribute(const struct drive *d, const struct fact *f);
/* Or from device statistics (ACS-4 9.5) or SCT status (ACS-4 8.2). */
bool agreement_is_standard(const struct drive *d, const struct fact *f);
