/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Telling other programs what changed: the journal or syslog, and a folder of hooks. */
#pragma once

#include "base/diag.h"
#include "model/check.h"

/*
 * One record a change in the journal's own form, with a MESSAGE_ID for each kind of change; through
 * syslog(3) where there is no journal. SOCKET: NULL for the usual one.
 */
void notify_journal(const struct check_report *r, const char *socket_path);
/*
 * Run the programs in FOLDER, one after the other, once a change; names as run-parts(8) takes them.
 * What goes wrong is a message in D; a program that takes longer than a minute is killed.
 */
void notify_hooks(const struct check_report *r, const char *folder, struct diag *d);
