/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the end of a command stands in a capture: status, error=ENAME, registers in hex, took_us.
 * Written by collect, read back by the replay transport.
 */
#pragma once

#include "capture/capture.h"
#include "device/transport.h"

/* "EIO" for EIO; NULL for a number that no command ends with. */
const char *record_error_name(int error);
/* EIO for "EIO", 0 for a name that is none. */
int record_error_number(const char *name);

/*
 * Add one item. ERROR is what transport_send() returned, BODY what came, SENDS_DATA whether bytes
 * were expected: the registers of those that came well say nothing. The item, or NULL when memory
 * is out or a limit is passed.
 */
struct cap_item *record_add(struct capture *c, struct cap_snapshot *s, const char *id,
			    struct span body, int error, bool sends_data,
			    const struct transport_result *r) must_check;

/* The other way round: what transport_send() would return, and the result. */
int record_read(const struct cap_item *item, struct transport_result *ret);
