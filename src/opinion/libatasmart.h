/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A second opinion: what libatasmart, and so the desktop's disk utility, makes of the same pages.
 * It is fed what was read and never touches a drive; nothing depends on its being right.
 */
#pragma once

#include "base/attrs.h"
#include "base/buf.h"
#include "capture/capture.h"

/*
 * For each drive's snapshot that holds IDENTIFY DEVICE and the SMART data: add an item
 * "facts/libatasmart" with its answers. 0, -ENOMEM, -E2BIG. A page it refuses gives no item.
 */
int opinion_add(struct capture *c) must_check;

/*
 * The pages of one snapshot in libatasmart's own form, for "skdump --load". All four records are
 * written; one that was not read is left out of what was read, so: 0, or -ENODATA when IDENTIFY,
 * SMART data or thresholds or the status are not there; -ENOMEM.
 */
int opinion_blob(const struct cap_snapshot *s, struct buf *ret) must_check;
