/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "capture/capture.h"

/*
 * Replace serial numbers, WWNs and host names by stable pseudonyms (the same drive keeps the same
 * one within a capture and between captures made with the same KEY), in pages and in facts, and
 * mend the checksums of the pages touched. Original bytes are not kept. 0 or -ENOMEM.
 */
int capture_anonymise(struct capture *c, uint64_t key) must_check;
