/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "ata/command.h"
#include "base/attrs.h"

/* What the user asked for beyond reading; each opens one door of the gate. */
enum gate_grant {
	GATE_READ = 0,
	GATE_RESET_PHY = 1, /* --reset-phy: READ LOG EXT 11h with FEATURES bit 0 */
	GATE_SELFTEST = 2,  /* selftest: EXECUTE OFF-LINE IMMEDIATE, selective spans */
	GATE_SCT = 4,	    /* --sct: two fixed key sectors to log E0h */
	GATE_ENABLE = 8,    /* SMART ENABLE OPERATIONS */
};

/*
 * The only way to a drive: every transport asks here before it sends, and refuses what is not on
 * the list (command, FEATURES, LBA, direction, protocol, and for the two data-out commands each
 * byte of the sector). 0, or -EPERM.
 */
int gate_check(const struct ata_command *c, unsigned grants) must_check;
