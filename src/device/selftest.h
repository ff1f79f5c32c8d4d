/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Self-tests of the drive (ATA8-ACS 7.52.5, SMART EXECUTE OFF-LINE IMMEDIATE), in the background
 * only: a captive one would block the drive, and the gate does not know it.
 */
#pragma once

#include "device/transport.h"

enum selftest_kind {
	SELFTEST_SHORT = 1,
	SELFTEST_EXTENDED = 2,
	SELFTEST_CONVEYANCE = 3,
	SELFTEST_SELECTIVE = 4,
	SELFTEST_ABORT = 0x7f,
};

#define SELFTEST_SPANS 5u

struct selftest_span {
	uint64_t first, last;
};

/* What IDENTIFY DEVICE and SMART READ DATA say of self-tests. */
struct selftest_state {
	bool smart_on;
	bool has_selftest, has_conveyance, has_selective;
	bool known; /* the status: the page's checksum is right */
	bool running;
	unsigned left_percent; /* while it runs, or of one that was broken off */
	uint8_t status;	       /* 0 to 15: upper half of the status byte */
	unsigned short_minutes, extended_minutes, conveyance_minutes; /* 0: not told */
	uint64_t sectors;
};

/* Read all of it: two commands. 0, or as transport_send(). */
int selftest_look(struct transport *t, uint32_t timeout_ms,
		  struct selftest_state *ret) must_check;
/* Read the progress: one command; what IDENTIFY DEVICE says stays in RET. */
int selftest_poll(struct transport *t, uint32_t timeout_ms,
		  struct selftest_state *ret) must_check;

bool selftest_is_supported(const struct selftest_state *s, enum selftest_kind kind);
/* How long it should take, in minutes; 0 when the drive does not tell. */
unsigned selftest_minutes(const struct selftest_state *s, enum selftest_kind kind,
			  const struct selftest_span *spans, size_t n);

/*
 * Start or abort one. SELECTIVE takes 1 to SELFTEST_SPANS spans, which are written to log 09h first.
 * Needs GATE_SELFTEST. 0, -EINVAL for spans that are none, or as transport_send().
 */
int selftest_start(struct transport *t, uint32_t timeout_ms, enum selftest_kind kind,
		   const struct selftest_span *spans, size_t n) must_check;

/* "read failure", for the status of a test that ended; never NULL. */
const char *selftest_status_words(uint8_t status);
/* It found a fault of the drive. */
bool selftest_has_failed(uint8_t status);
