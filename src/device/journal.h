/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside device/ only: the kernel's messages as the journal has kept them. */
#pragma once

#include "device/kmsg.h"

/* kmsg.c: one message at US microseconds since boot */
void kmsg_add(struct kmsg_log *log, int64_t us, const char *text, size_t len);

/*
 * Run journalctl for the kernel's messages of this boot. 0; -ENOENT when there is none, -ETIMEDOUT,
 * -EIO, -ENOMEM.
 */
int journal_read(struct kmsg_log *ret) must_check;
