/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One drive read by a script of commands, and its items as lines that can be compared. */
#pragma once

#include "base/buf.h"
#include "capture/capture.h"
#include "device-fake.h"
#include "device/collect.h"

struct outcome {
	struct capture capture;
	struct diag diag;
	struct collect_stats stats;
	struct buf text; /* of its items: one line each, without bodies */
};

void outcome_done(struct outcome *o);
struct outcome collect_outcome(struct transport *t, const struct collect_options *o);

#define RUN(o, options, ...)                                                             \
	const struct fake_step steps[] = { __VA_ARGS__ };                                \
	struct fake_script script;                                                       \
	struct outcome o;                                                                \
	fake_script_init(&script, steps, sizeof(steps) / sizeof(*steps));                \
	o = collect_outcome(&script.transport, options);                                 \
	assert_true(fake_script_is_done(&script))

#define KNOWN(c, l) .registers = { .known = true, .status = 0x50, .count = c, .lba = l }
#define AWAKE                                                                            \
	{                                                                                \
		"CHECK POWER MODE", KNOWN(0xff, 0)                                       \
	}
#define STANDBY                                                                          \
	{                                                                                \
		"CHECK POWER MODE", KNOWN(0x00, 0)                                       \
	}
#define PAGE(name, p)                                                                    \
	{                                                                                \
		name, .data = p, .len = 512                                              \
	}
#define ABORTED(name)                                                                    \
	{                                                                                \
		name, -EIO, .registers = {.known = true, .status = 0x51, .error = 4 }    \
	}
#define AWAKE_ITEM                                                                       \
	"ata/power-mode ok ata_status=50 ata_error=00 ata_count=ff ata_lba=000000 "      \
	"ata_device=00 0\n"
#define ASLEEP_ITEM                                                                      \
	"ata/power-mode ok ata_status=50 ata_error=00 ata_count=00 ata_lba=000000 "      \
	"ata_device=00 0\n"
