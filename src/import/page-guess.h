/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages of a drive that were handed on as bytes, raw or as hex: which page, and whose. */
#pragma once

#include "base/diag.h"
#include "base/span.h"
#include "capture/capture.h"

#define PAGE_BYTES 512u

/*
 * The item of a page whose bytes tell it: IDENTIFY DEVICE, SMART data and thresholds, phy event
 * counters. Each has a form that no other page has; NULL when it is none of them.
 */
const char *page_guess(struct span bytes);
/* Whether ID names a page that can be read from a file: "ata/identify", "ata/log/11/00", ... */
bool page_is_item(const char *id);
/* Whether so many bytes can be this item. */
bool page_fits(const char *id, size_t len);
