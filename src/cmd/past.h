/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A drive of the history by any name that a person has for it. */
#pragma once

#include "cmd/session.h"
#include "history/identity.h"

/*
 * NAME may be what the history itself knows (device, port, serial number, WWN, model), or any name
 * of a drive that is there now. An index of L, or -1 after a message.
 */
long past_choose(struct session *s, const struct options *o, const struct past_drives *l,
		 const char *name);
