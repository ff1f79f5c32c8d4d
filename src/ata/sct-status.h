/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Temperatures as SCT tables hold them: a signed byte, 80h says that it is not known. */
#pragma once

#include "ata/pages.h"

bool sct_celsius(uint8_t byte, int64_t *ret);
void sct_add_celsius(struct page_sink *s, enum fact_id id, uint8_t byte, uint32_t at);
